"""The client against a running service, at REELSMITH_BASE_URL with the key REELSMITH_API_KEY."""

from __future__ import annotations

import os
import unittest
import uuid
from typing import Any, cast

from reelsmith import Client, ReelsmithError, Request, Response, send_with_urllib, types


@unittest.skipUnless("REELSMITH_API_KEY" in os.environ, "no service: set REELSMITH_BASE_URL and REELSMITH_API_KEY")
class Service(unittest.TestCase):
    def test_creates_reads_edits_and_lists_videos(self) -> None:
        client = Client()
        title = f"Title {uuid.uuid4()}"
        videos = [client.videos.create({"prompt": "An idea", "title": title, "process": {"render": True}}) for _ in range(3)]
        first = videos[0]["id"]
        self.assertEqual(client.wait_for(videos[0], until="processing")["id"], first)
        self.assertEqual(client.videos.get(first, include=["captions"]).get("captions"), [])
        self.assertEqual(client.videos.edit(first, {"brief": {"aspectRatio": "1:1"}})["brief"]["aspectRatio"], "1:1")
        page = client.videos.list(search=title, limit=2)
        self.assertEqual((len(page.data), page.paging["total"]), (2, 3))
        self.assertEqual({video["id"] for video in page}, {video["id"] for video in videos})
        self.assertTrue(client.videos.delete(first)["ok"])

    def test_creates_one_video_when_the_first_response_is_lost(self) -> None:
        losses = [OSError("lost"), OSError("lost")]

        def shaky(request: Request) -> Response:
            answer = send_with_urllib(request)
            if losses:
                raise losses.pop()
            return answer

        responses: list[Response] = []
        title = f"Title {uuid.uuid4()}"
        client = Client(transport=shaky, sleep=lambda _: None, on_response=lambda response, _: responses.append(response))
        video = client.videos.create({"prompt": "x", "title": title})
        self.assertEqual([one["id"] for one in client.videos.list(search=title)], [video["id"]])
        self.assertEqual(responses[0].headers["idempotent-replayed"], "true")

    def test_raises_the_refusal_of_the_service_and_reports_warnings(self) -> None:
        warned: list[types.ApiWarning] = []
        client = Client(on_warning=lambda warning, _: warned.append(warning))
        with self.assertRaises(ReelsmithError) as raised:
            client.videos.create(cast(Any, {"prompt": "x", "aspectRatio": "2:1"}))
        error = raised.exception
        self.assertEqual((error.status, error.code, error.details[0]["path"]), (400, "invalid-request", "body.aspectRatio"))
        self.assertTrue(error.request_id)
        client.videos.create(cast(Any, {"prompt": "x", "promt": "y"}))
        self.assertEqual([one["path"] for one in warned], ["body.promt"])

    def test_an_address_without_a_service_is_a_network_error(self) -> None:
        with self.assertRaises(ReelsmithError) as raised:
            Client("http://127.0.0.1:9/v1", attempts_max=1).account.get()
        self.assertEqual(raised.exception.code, "network-error")


if __name__ == "__main__":
    unittest.main()
