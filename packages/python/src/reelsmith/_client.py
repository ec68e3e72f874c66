"""The client: the generated operations, and waiting for a video."""

from __future__ import annotations

import time
from typing import Callable, Literal

from . import types
from ._core import ReelsmithError
from .operations import Operations

Status = Literal["draft", "processing", "rendering", "ready", "failed"]


class Client(Operations):
    """The client of the Reelsmith API. It holds no connection, and may be used by several threads.

    `base_url` includes the version segment; it and `api_key` are also read from REELSMITH_BASE_URL and REELSMITH_API_KEY.
    With the key of an organization, `workspace_id` is the workspace to act on. `on_warning` receives warnings of responses with the
    operation id instead of `warnings.warn`; `on_response` receives every response with the operation id.
    """

    def wait_for(
        self,
        video: str | types.Video | types.VideoItem,
        *,
        until: Status | Callable[[types.Video], bool] = "ready",
        timeout: float = 600.0,
        interval_min: float = 0.5,
        interval_max: float = 10.0,
    ) -> types.Video:
        """Reads a video until it has a status or meets a condition. Raises ReelsmithError `video-failed` or `timeout`."""
        id = video if isinstance(video, str) else video["id"]
        deadline = time.monotonic() + timeout
        interval = interval_min
        while True:
            current = self.videos.get(id)
            if until(current) if callable(until) else current["status"] == until:
                return current
            if current["status"] == "failed":
                raise ReelsmithError(
                    {"code": "video-failed", "message": f"Video {id} failed: {_reason(current)}"}, video=current
                )
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                message = f"Video {id} did not reach the wanted state in {timeout} s."
                raise ReelsmithError({"code": "timeout", "message": message}, video=current)
            self._sleep(min(interval, remaining))
            interval = min(interval * 1.5, interval_max)


def _reason(video: types.Video) -> str:
    for job in (video["process"], video["render"]):
        if job and job["error"]:
            return job["error"]["message"]
    return "no reason"
