"""A client without a network: its responses are scripted, its requests and pauses are recorded."""

from __future__ import annotations

import json
from typing import Any, Mapping, Sequence

from reelsmith import Client, ReelsmithError, Request, Response

Reply = Response | Exception


def response(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, headers or {}, body if isinstance(body, bytes) else json.dumps(body).encode())


def refusal(status: int, code: str, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    error = {"status": status, "code": code, "message": "No.", "requestId": "req_1", **more}
    return response(status, {"error": error}, headers)


def page(*ids: str, total: int, offset: int = 0) -> Response:
    data = [{"id": id} for id in ids]
    return response(200, {"data": data, "paging": {"limit": 2, "offset": offset, "total": total}})


created = response(200, {"data": {"id": "vid_1"}})


class Offline:
    """Replies in order, with the last one repeatedly."""

    def __init__(self, replies: Sequence[Reply], **options: Any) -> None:
        self.sent: list[Request] = []
        self.slept: list[float] = []
        self._replies = replies
        self.client = Client("https://api.test/v1/", "rs_live_key", transport=self._send, sleep=self.slept.append, **options)

    def _send(self, request: Request) -> Response:
        self.sent.append(request)
        reply = self._replies[min(len(self.sent), len(self._replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply

    def failure(self) -> ReelsmithError:
        """The error of reading a video."""
        try:
            self.client.videos.get("vid_1")
        except ReelsmithError as error:
            return error
        raise AssertionError("The call succeeded.")
