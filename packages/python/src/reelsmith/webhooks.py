"""Verifies the signatures and the age of a webhook delivery. Standard library only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
import time
from typing import Any, Callable, Iterable, Literal, Protocol, cast

from .types import WebhookEvent

_EVENT = "X-Service-Event"
_DELIVERY = "X-Service-Delivery"
_SIGNATURE = "X-Service-Signature"
_ID = "webhook-id"
_TIMESTAMP = "webhook-timestamp"
_STANDARD_SIGNATURE = "webhook-signature"

_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")
_RAW_BYTES_HINT = "Pass the raw bytes of the request, before JSON parsing."


class Headers(Protocol):
    """A dict, or the headers of a web framework or of http.server."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


class WebhookVerificationError(Exception):
    """The request is not as the service sent it."""

    Reason = Literal["missing-header", "bad-signature", "too-old", "too-new", "invalid-body"]

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookVerificationError.Reason = reason


def verify_webhook(
    payload: bytes | str,
    headers: Headers,
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Returns the event of a delivery. `payload` is the body before any parsing; header names are case-insensitive.

    Raises WebhookVerificationError where a signature does not match or the delivery is older than the tolerance.
    """
    raw = cast(object, payload)
    if not isinstance(raw, (bytes, str)):
        raise WebhookVerificationError("invalid-body", f"The body is of type {type(raw).__name__}. {_RAW_BYTES_HINT}")
    if not _SECRET.fullmatch(secret):
        raise WebhookVerificationError(
            "bad-signature", "The secret is malformed: it must be whsec_ and 44 characters."
        )
    header = _header_reader(headers)
    id = header(_ID)
    timestamp = header(_TIMESTAMP)
    body = raw.encode() if isinstance(raw, str) else raw
    _check_signatures(body, id, timestamp, header, secret)
    _check_age(timestamp, tolerance_seconds, now())
    event = _parse_json(body)
    if not _is_event(event):
        raise WebhookVerificationError("invalid-body", "The body is signed, but it is not an event.")
    _check_unsigned_headers(event, id, header)
    return cast(WebhookEvent, event)


def _header_reader(headers: Headers) -> Callable[[str], str]:
    """Reads a header; raises where it is missing. Repeated headers are joined, as HTTP does."""
    values: dict[str, str] = {}
    for name, value in headers.items():
        parts = cast("list[object]", value) if isinstance(value, (list, tuple)) else [value]
        text = ", ".join(str(part) for part in parts if part is not None)
        known = values.get(name.lower())
        values[name.lower()] = text if known is None else f"{known}, {text}"

    def read(name: str) -> str:
        value = values.get(name.lower())
        if not value:
            raise WebhookVerificationError("missing-header", f"The header {name} is missing.")
        return value

    return read


def _check_signatures(body: bytes, id: str, timestamp: str, header: Callable[[str], str], secret: str) -> None:
    """Both must match. Only the Standard Webhooks signature covers id and time; older subscribers check only the other one."""
    of_body = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    key = base64.b64decode(secret[len("whsec_") :])
    content = f"{id}.{timestamp}.".encode() + body
    standard = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    given = header(_STANDARD_SIGNATURE).split(" ")
    if not _is_same(header(_SIGNATURE), of_body):
        raise WebhookVerificationError("bad-signature", _mismatch(body))
    if not any([_is_same(signature, standard) for signature in given]):
        message = f"{_STANDARD_SIGNATURE} does not match {_ID}, {_TIMESTAMP} and body."
        raise WebhookVerificationError("bad-signature", message)


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def _mismatch(body: bytes) -> str:
    message = f"{_SIGNATURE} does not match this body and secret."
    if _parse_json(body) is None:
        return message
    return (
        f"{message} The body is valid JSON: either the secret belongs to another endpoint, "
        f"or the body was parsed and serialised again. {_RAW_BYTES_HINT}"
    )


def _check_age(timestamp: str, tolerance_seconds: float, now: float) -> None:
    try:
        age = math.floor(now) - float(timestamp)
    except ValueError:
        age = math.nan
    message = f"The tolerance is {tolerance_seconds} s. Check the system clock."
    if age < -tolerance_seconds:
        raise WebhookVerificationError("too-new", f"The delivery was signed {-age:.0f} s in the future. {message}")
    # Negated, so that NaN is refused.
    if not age <= tolerance_seconds:
        raise WebhookVerificationError("too-old", f"The delivery was signed {age:.0f} s ago. {message}")


def _check_unsigned_headers(event: dict[str, Any], id: str, header: Callable[[str], str]) -> None:
    """No signature covers these two headers, but subscribers route and deduplicate by them: they must match the signed values."""
    if header(_EVENT) != event["event"]:
        raise WebhookVerificationError("bad-signature", f"{_EVENT} does not match the event of the signed body.")
    # A test delivery is not logged, hence it has no delivery id.
    if event["event"] != "webhook.test" and header(_DELIVERY) != id:
        raise WebhookVerificationError("bad-signature", f"{_DELIVERY} does not match the signed {_ID}.")


def _parse_json(body: bytes) -> Any:
    """None where the body is not JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _is_event(value: Any) -> bool:
    """Accepts unknown event types: the service may be newer than this code."""
    if not isinstance(value, dict):
        return False
    event = cast("dict[str, object]", value)
    is_text = all(isinstance(event.get(name), str) for name in ("event", "workspaceId", "createdAt"))
    return is_text and isinstance(event.get("data"), (dict, list))
