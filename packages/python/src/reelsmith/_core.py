"""Sends the calls of the generated operations: retries, idempotency keys, paging, errors. Standard library only."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Generic, Iterator, Mapping, Sequence, TypeVar, cast

from . import types

Item = TypeVar("Item")

VERSION = "1.0.0"
"""The version of the package and of the API's contract."""

_BACKOFF_SECONDS_MAX = 8.0
_RETRY_AFTER_SECONDS_MAX = 60.0
"""A longer `Retry-After` is reported to the caller instead of waited for."""


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes


Transport = Callable[[Request], Response]
"""Sends a request. Raises OSError or http.client.HTTPException without a response."""


class ReelsmithWarning(UserWarning):
    """A name or a value of a request was ignored and is probably a typing error."""


class ReelsmithError(Exception):
    """Every failure of a call.

    `code` is one of the service, `network-error` (no response; status 0), `unreadable-answer` (a proxy responded instead of the
    service), `idempotency-mismatch` (the key was used before with another body), or of `wait_for` `video-failed` or `timeout`.
    """

    def __init__(
        self,
        problem: Mapping[str, Any],
        *,
        retry_after: float | None = None,
        video: types.Video | None = None,
    ) -> None:
        super().__init__(problem["message"])
        self.status: int = problem.get("status", 0)
        """The HTTP status; 0 without a response."""
        self.code: str = problem["code"]
        self.message: str = problem["message"]
        self.request_id: str = problem.get("requestId", "")
        self.details: list[dict[str, Any]] = problem.get("details", [])
        """What is wrong and where: `path`, `message` and often `allowed`."""
        self.action: str | None = problem.get("action")
        self.blocked: bool | None = problem.get("blocked")
        self.blockers: list[dict[str, str]] = problem.get("blockers", [])
        self.valid_events: list[str] = problem.get("validEvents", [])
        self.retry_after = retry_after
        """Seconds, from the `Retry-After` header."""
        self.video = video
        """Of `video-failed` and `timeout`: the video as it was read last."""

    def __str__(self) -> str:
        return f"{self.message} ({self.code}{', ' + self.request_id if self.request_id else ''})"


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list. Iterated, all records of this page and of those after it."""

    data: list[Item]
    paging: types.Paging
    warnings: list[types.ApiWarning]
    _next: Callable[[int], Page[Item]] = field(repr=False)

    def __iter__(self) -> Iterator[Item]:
        """A list may grow while it is read: records that move to a later page are yielded once."""
        seen: set[Any] = set()
        offset = self.paging["offset"]
        page = self
        while True:
            for item in page.data:
                key = cast(Mapping[str, Any], item).get("id")
                if key is None or key not in seen:
                    seen.add(key)
                    yield item
            offset += len(page.data)
            if not page.data or offset >= page.paging["total"]:
                return
            page = self._next(int(offset))


@dataclass(frozen=True)
class LogPage(Generic[Item]):
    """A part of a log. Iterated, all records of this part and of those after it."""

    data: list[Item]
    paging: types.EventPaging
    warnings: list[types.ApiWarning]
    _next: Callable[[int], LogPage[Item]] = field(repr=False)

    def __iter__(self) -> Iterator[Item]:
        page = self
        while True:
            yield from page.data
            after = page.paging["nextAfter"]
            if after >= page.paging["lastSequence"]:
                return
            page = self._next(int(after))


class Core:
    """The settings of a client, and how it sends a call."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        workspace_id: str | None = None,
        attempts_max: int = 5,
        timeout: float = 35.0,
        on_warning: Callable[[types.ApiWarning, str], None] | None = None,
        on_response: Callable[[Response, str], None] | None = None,
        transport: Transport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        url = base_url or os.environ.get("REELSMITH_BASE_URL")
        key = api_key or os.environ.get("REELSMITH_API_KEY")
        if not url or not key:
            raise ValueError("Client needs base_url and api_key, or REELSMITH_BASE_URL and REELSMITH_API_KEY.")
        self._base = url.rstrip("/")
        self._key = key
        self._workspace_id = workspace_id
        self._attempts_max = attempts_max
        self._timeout = timeout
        self._on_warning = on_warning or _warn
        self._on_response = on_response
        self._transport = transport or send_with_urllib
        self._sleep = sleep

    def call(self, operation: str, method: str, path: str, ids: tuple[str, ...], **options: Any) -> Any:
        """Returns `data` of the response."""
        return self._send(operation, method, path, ids, **options)["data"]

    def page(
        self, operation: str, method: str, path: str, ids: tuple[str, ...], query: Mapping[str, Any], **options: Any
    ) -> Page[Any]:
        """Returns a page of a list."""
        answer = self._send(operation, method, path, ids, query=query, **options)

        def at(offset: int) -> Page[Any]:
            return self.page(operation, method, path, ids, {**query, "offset": offset}, **options)

        return Page(answer["data"], answer["paging"], answer.get("warnings", []), at)

    def log(
        self, operation: str, method: str, path: str, ids: tuple[str, ...], query: Mapping[str, Any], **options: Any
    ) -> LogPage[Any]:
        """Returns a part of a log."""
        answer = self._send(operation, method, path, ids, query=query, **options)

        def behind(after: int) -> LogPage[Any]:
            return self.log(operation, method, path, ids, {**query, "after": after}, **options)

        return LogPage(answer["data"], answer["paging"], answer.get("warnings", []), behind)

    def _send(
        self,
        operation: str,
        method: str,
        path: str,
        ids: tuple[str, ...],
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotent: bool = False,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        quote: str | None = None,
        wait_seconds: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        key = (idempotency_key or str(uuid.uuid4())) if idempotent else None
        sent = {
            "Authorization": f"Bearer {self._key}",
            "User-Agent": f"reelsmith-python/{VERSION}",
            "X-Service-Workspace": self._workspace_id,
            "Idempotency-Key": key,
            "If-Match": if_match,
            "Quote": quote,
            "Prefer": None if wait_seconds is None else f"wait={wait_seconds}",
            "Content-Type": None if body is None else "application/json",
            **(headers or {}),
        }
        request = Request(
            method,
            self._base + _fill_path(path, ids) + _query_string(query or {}),
            {name: value for name, value in sent.items() if value is not None},
            None if body is None else json.dumps(body).encode(),
            self._timeout,
        )
        is_idempotent = method == "GET" or key is not None
        attempt = 1
        while True:
            try:
                answer = self._attempt(request, operation)
                break
            except ReelsmithError as error:
                pause = _retry_delay(error, attempt, is_idempotent) if attempt < self._attempts_max else None
                if pause is None:
                    raise
            self._sleep(pause)
            attempt += 1
        for warning in answer.get("warnings", []):
            self._on_warning(warning, operation)
        return answer

    def _attempt(self, request: Request, operation: str) -> dict[str, Any]:
        try:
            response = self._transport(request)
        except (OSError, http.client.HTTPException) as cause:
            message = f"{self._base} did not respond: {cause}"
            raise ReelsmithError({"code": "network-error", "message": message}) from cause
        if self._on_response:
            self._on_response(response, operation)
        return _parse_response(response)


class Group:
    """The operations of one noun."""

    def __init__(self, core: Core) -> None:
        self._core = core


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another address."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send_with_urllib(request: Request) -> Response:
    """The default transport: one connection per request, proxies from the environment, no redirects."""
    sent = urllib.request.Request(
        request.url, data=request.body, headers=dict(request.headers), method=request.method
    )
    try:
        answer = _opener.open(sent, timeout=request.timeout)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Response(int(answer.status or 0), headers, answer.read())


def _warn(warning: types.ApiWarning, operation: str) -> None:
    warnings.warn(f"{operation}: {warning['path']}: {warning['message']}", ReelsmithWarning, stacklevel=5)


def _retry_delay(error: ReelsmithError, attempt: int, is_idempotent: bool) -> float | None:
    """Seconds until the next attempt; None where the failure is permanent."""
    # Full jitter: clients that failed together do not return together.
    backoff = random.random() * min(0.25 * 2**attempt, _BACKOFF_SECONDS_MAX)
    if error.retry_after is not None and error.retry_after > _RETRY_AFTER_SECONDS_MAX:
        return None
    is_requested = (
        error.status == 429
        or error.code == "idempotency-in-progress"
        or (error.status == 503 and error.retry_after is not None)
    )
    # Without a response, or with a 5xx, the request may have had its effect: only an idempotent one is retried.
    is_transient = is_idempotent and (error.code == "network-error" or error.status in (500, 502, 503, 504))
    return max(error.retry_after or 0.0, backoff) if is_requested or is_transient else None


def _parse_response(response: Response) -> dict[str, Any]:
    body = _parse_json(response.body)
    request_id = response.headers.get("x-request-id", "")
    problem: dict[str, Any] = {"status": response.status, "requestId": request_id}
    if response.headers.get("idempotency-mismatch") == "true":
        message = "This idempotency key was used before with another body. Use a new key for another request."
        raise ReelsmithError({**problem, "code": "idempotency-mismatch", "message": message})
    if 200 <= response.status < 300 and body.get("data") is not None:
        return body
    refusal = body.get("error")
    if not isinstance(refusal, dict) or not {"code", "message"} <= refusal.keys():
        message = f"The response with status {response.status} is not from the Reelsmith API."
        refusal = {**problem, "code": "unreadable-answer", "message": message}
    seconds = re.match(r"\d+", response.headers.get("retry-after", ""))
    retry_after = float(seconds[0]) if seconds and int(seconds[0]) > 0 else None
    raise ReelsmithError(cast("dict[str, Any]", refusal), retry_after=retry_after)


def _parse_json(text: bytes) -> dict[str, Any]:
    """Empty where the text is not a JSON object."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _fill_path(path: str, ids: Sequence[str]) -> str:
    """Fills the parameters of a path. An empty id, `.` or `..` would change the path."""
    values = iter(ids)

    def fill(parameter: re.Match[str]) -> str:
        value = cast(object, next(values))
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{value!r} is not a valid {parameter[1]} for {path}.")
        return urllib.parse.quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def _query_string(query: Mapping[str, Any]) -> str:
    """Flags that are false are left out."""
    given = {name: _query_value(value) for name, value in query.items() if value is not None and value is not False}
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _query_value(value: Any) -> str:
    if value is True:
        return "true"
    if isinstance(value, (list, tuple)):
        return ",".join(str(part) for part in cast(Sequence[object], value))
    return str(value)
