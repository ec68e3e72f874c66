"""The client on a network that fails in every way."""

from __future__ import annotations

import ast
import builtins
import json
import os
import unittest
import warnings
from types import FunctionType
from unittest import mock

from offline import Offline, Reply, created, page, refusal, response
from reelsmith import Client, ReelsmithError, ReelsmithWarning, Response, operations
from reelsmith._core import Group


def keyed(offline: Offline) -> object:
    return offline.client.videos.create({"prompt": "x"})


def reading(offline: Offline) -> object:
    return offline.client.videos.get("vid_1")


def neither(offline: Offline) -> object:
    return offline.client.videos.edit("vid_1", {"title": "x"})


class Retries(unittest.TestCase):
    def test_each_attempt_of_a_call_has_the_same_idempotency_key(self) -> None:
        offline = Offline([OSError("reset"), refusal(503, "unavailable"), created])
        keyed(offline)
        keyed(offline)
        keys = [request.headers["Idempotency-Key"] for request in offline.sent]
        self.assertEqual(len(set(keys[:3])), 1)
        self.assertEqual(len(set(keys)), 2)
        offline.client.videos.create({"prompt": "x"}, idempotency_key="mine")
        self.assertEqual(offline.sent[-1].headers["Idempotency-Key"], "mine")

    def test_only_what_is_safe_is_retried(self) -> None:
        every = (keyed, reading, neither)
        cases: list[tuple[str, Reply, tuple[object, ...]]] = [
            ("no response", OSError("reset"), (keyed, reading)),
            ("500", refusal(500, "internal-error"), (keyed, reading)),
            ("502 of a proxy", response(502, b"<html>"), (keyed, reading)),
            ("503 without a time", response(503, {"message": "Service Unavailable"}), (keyed, reading)),
            ("504", response(504, {"message": "Endpoint request timed out"}), (keyed, reading)),
            ("429", response(429, {"message": "Too Many Requests"}), every),
            ("503 with a time", refusal(503, "unavailable", {"retry-after": "1"}), every),
            ("a twin at work", refusal(409, "idempotency-in-progress"), every),
            ("another 409", refusal(409, "job-in-progress"), ()),
            ("400", refusal(400, "invalid-request"), ()),
            ("402", refusal(402, "warning-no-credits"), ()),
            ("503 with a time too far away", refusal(503, "unavailable", {"retry-after": "3600"}), ()),
        ]
        for name, reply, again in cases:
            for call in every:
                with self.subTest(name, call=call.__name__):
                    offline = Offline([reply, created])
                    if call in again:
                        self.assertEqual(call(offline), {"id": "vid_1"})
                    else:
                        self.assertRaises(ReelsmithError, call, offline)
                    self.assertEqual(len(offline.sent), 2 if call in again else 1)

    def test_five_attempts_with_exponential_backoff_and_full_jitter(self) -> None:
        for jitter in (0.0, 0.5, 0.999):
            with mock.patch("random.random", return_value=jitter):
                offline = Offline([OSError("reset")])
                error = offline.failure()
            self.assertEqual((error.code, error.status), ("network-error", 0))
            self.assertIsInstance(error.__cause__, OSError)
            self.assertEqual(len(offline.sent), 5)
            self.assertEqual(offline.slept, [jitter * seconds for seconds in (0.5, 1, 2, 4)])
        self.assertEqual(len((once := Offline([OSError("reset")], attempts_max=1)).sent), 0)
        once.failure()
        self.assertEqual(len(once.sent), 1)

    def test_never_before_retry_after(self) -> None:
        offline = Offline([refusal(503, "unavailable", {"retry-after": "7"}), created])
        neither(offline)
        self.assertEqual(offline.slept, [7.0])


class Errors(unittest.TestCase):
    def test_an_error_has_the_whole_refusal(self) -> None:
        blockers = [{"id": "no-profile", "label": "No profile"}]
        details = [{"path": "body.prompt", "message": "is missing"}]
        more = {"action": "connect", "blockers": blockers, "details": details}
        error = Offline([refusal(409, "warning-publish-not-configured", {"retry-after": "9"}, **more)]).failure()
        self.assertEqual((error.status, error.code, error.message), (409, "warning-publish-not-configured", "No."))
        self.assertEqual((error.request_id, error.retry_after, error.action), ("req_1", 9.0, "connect"))
        self.assertEqual((error.blockers, error.details), (blockers, details))
        self.assertEqual(str(error), "No. (warning-publish-not-configured, req_1)")

    def test_a_response_of_another_service_is_unreadable(self) -> None:
        for status, body in ((403, b"<html>"), (200, b"OK"), (200, b'{"hello":1}'), (404, b"null"), (404, b'{"error":"x"}')):
            error = Offline([response(status, body, {"x-request-id": "req_2"})]).failure()
            self.assertEqual((error.status, error.code, error.request_id), (status, "unreadable-answer", "req_2"))

    def test_a_key_that_was_used_with_another_body_is_an_error(self) -> None:
        offline = Offline([response(201, {"data": {"id": "vid_1"}}, {"idempotency-mismatch": "true"})])
        with self.assertRaises(ReelsmithError) as raised:
            keyed(offline)
        self.assertEqual((raised.exception.code, raised.exception.status), ("idempotency-mismatch", 201))
        self.assertEqual(len(offline.sent), 1)

    def test_an_id_that_would_change_the_path_is_refused(self) -> None:
        offline = Offline([created])
        for wrong in ("", ".", ".."):
            self.assertRaises(ValueError, offline.client.videos.get, wrong)
        self.assertEqual(offline.sent, [])

    def test_address_and_key_come_from_the_environment_or_are_missing(self) -> None:
        with mock.patch.dict(os.environ, {"REELSMITH_BASE_URL": "http://x/v1", "REELSMITH_API_KEY": "k"}):
            Client()
        with mock.patch.dict(os.environ, clear=True):
            self.assertRaisesRegex(ValueError, "REELSMITH_API_KEY", Client)


class Requests(unittest.TestCase):
    def test_query_values_ids_and_options(self) -> None:
        offline = Offline([created])
        offline.client.videos.get("a/b", include=["captions", "bRolls"], headers={"X-Trace": "1"})
        offline.client.profiles.get("prf_1", refresh=True)
        offline.client.profiles.get("prf_1", refresh=False)
        offline.client.videos.publish("vid_1", wait_seconds=0)
        offline.client.videos.create({"prompt": "x"}, quote="quo_1")
        self.assertEqual(
            [request.url.removeprefix("https://api.test/v1") for request in offline.sent],
            ["/videos/a%2Fb?include=captions%2CbRolls", "/profiles/prf_1?refresh=true", "/profiles/prf_1", "/videos/vid_1/publish", "/videos"],
        )
        self.assertEqual(offline.sent[0].headers["X-Trace"], "1")
        self.assertEqual((offline.sent[3].body, offline.sent[3].headers["Prefer"]), (None, "wait=0"))
        self.assertEqual((offline.sent[4].body, offline.sent[4].headers["Quote"]), (b'{"prompt": "x"}', "quo_1"))

    def test_a_warning_of_a_response_is_a_warning_of_python_or_goes_to_the_caller(self) -> None:
        warning = {"path": "body.promt", "message": "is not known", "didYouMean": "prompt"}
        reply = response(200, {"data": {"id": "vid_1"}, "warnings": [warning]})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            keyed(Offline([reply]))
        self.assertEqual([(one.category, str(one.message)) for one in caught], [(ReelsmithWarning, "createVideo: body.promt: is not known")])
        self.assertEqual(os.path.basename(caught[0].filename), "test_client.py")
        warn = mock.Mock()
        keyed(Offline([reply], on_warning=warn))
        warn.assert_called_once_with(warning, "createVideo")


class Lists(unittest.TestCase):
    def test_a_page_has_its_records_and_iterates_over_all_each_once(self) -> None:
        offline = Offline([page("c", "b", total=4), page("b", "a", total=4, offset=2)])
        first = offline.client.videos.list(limit=2)
        self.assertEqual(([one["id"] for one in first.data], first.paging["total"], first.warnings), (["c", "b"], 4, []))
        self.assertEqual([one["id"] for one in first], ["c", "b", "a"])
        self.assertEqual([request.url.partition("?")[2] for request in offline.sent], ["limit=2", "limit=2&offset=2"])

    def test_an_empty_page_ends_a_list(self) -> None:
        self.assertEqual(list(Offline([page(total=9)]).client.videos.list()), [])

    def test_a_log_is_read_part_by_part_to_its_end(self) -> None:
        def part(after: int, *ids: str) -> Response:
            paging = {"limit": 2, "nextAfter": after, "lastSequence": 9, "missed": False}
            return response(200, {"data": [{"id": id} for id in ids], "paging": paging})

        offline = Offline([part(5, "a", "b"), part(7), part(9, "c")])
        first = offline.client.events.list(limit=2)
        self.assertEqual((first.paging["lastSequence"], [one.get("id") for one in first]), (9, ["a", "b", "c"]))
        self.assertEqual(
            [request.url.partition("?")[2] for request in offline.sent], ["limit=2", "after=5&limit=2", "after=7&limit=2"]
        )


class Annotations(unittest.TestCase):
    def test_every_name_in_the_annotations_of_an_operation_is_defined(self) -> None:
        groups = [value for value in vars(operations).values() if isinstance(value, type) and issubclass(value, Group)]
        methods = [value for group in groups for value in vars(group).values() if isinstance(value, FunctionType)]
        self.assertGreater(len(methods), 40)
        defined = {*vars(operations), *vars(builtins)}
        for method in methods:
            parsed = [ast.parse(annotation) for annotation in method.__annotations__.values()]
            names = {node.id for tree in parsed for node in ast.walk(tree) if isinstance(node, ast.Name)}
            self.assertEqual(names - defined, set(), method.__qualname__)


class WaitFor(unittest.TestCase):
    @staticmethod
    def video(status: str, progress: int = 0, reason: str | None = None) -> Reply:
        process = {"progress": progress, "error": reason and {"code": "script-failed", "message": reason}}
        return response(200, {"data": {"id": "vid_1", "status": status, "process": process, "render": None}})

    def test_polls_in_growing_intervals_until_the_video_is_ready(self) -> None:
        offline = Offline([*[self.video("processing")] * 12, self.video("ready")])
        self.assertEqual(offline.client.wait_for("vid_1")["status"], "ready")
        self.assertEqual((offline.slept[:3], max(offline.slept)), ([0.5, 0.75, 1.125], 10.0))

    def test_accepts_a_record_a_condition_and_bounds(self) -> None:
        offline = Offline([self.video("processing", 10), self.video("processing", 30), self.video("processing", 60)])
        video = offline.client.videos.get("vid_1")
        offline.client.wait_for(
            video, until=lambda one: bool(one["process"] and one["process"]["progress"] > 50), interval_min=0.1, interval_max=0.1
        )
        self.assertEqual(offline.slept, [0.1])

    def test_raises_the_reason_of_a_failed_job_unless_failure_is_awaited(self) -> None:
        offline = Offline([self.video("failed", reason="No words.")])
        with self.assertRaises(ReelsmithError) as raised:
            offline.client.wait_for("vid_1")
        self.assertEqual(raised.exception.code, "video-failed")
        self.assertIn("No words.", raised.exception.message)
        self.assertEqual(raised.exception.video and raised.exception.video["id"], "vid_1")
        self.assertEqual(offline.client.wait_for("vid_1", until="failed")["status"], "failed")

    def test_raises_at_its_timeout_not_later(self) -> None:
        offline = Offline([self.video("processing")])
        clock = mock.Mock(side_effect=lambda: sum(offline.slept))
        with mock.patch("time.monotonic", clock), self.assertRaises(ReelsmithError) as raised:
            offline.client.wait_for("vid_1", timeout=2.0)
        self.assertEqual((raised.exception.code, offline.slept), ("timeout", [0.5, 0.75, 0.75]))


class Table(unittest.TestCase):
    """With the rows of the route table, as JSON in ROWS."""

    @unittest.skipUnless("ROWS" in os.environ, "the test of the repository has the rows")
    def test_every_row_has_a_method_that_sends_its_request(self) -> None:
        rows = json.loads(os.environ["ROWS"])
        self.assertGreater(len(rows), 40)
        for row in rows:
            with self.subTest(row["id"]):
                offline = Offline([page(total=0)])
                method = getattr(getattr(offline.client, row["group"]), row["verb"])
                method(*[f"a/b {name}" for name in row["parameters"]], *([{"a": 1}] if row["body"] else []))
                (sent,) = offline.sent
                self.assertEqual((sent.method, sent.url), (row["method"], f"https://api.test/v1{row['path']}"))
                self.assertEqual(sent.body, b'{"a": 1}' if row["body"] else None)
                self.assertEqual("Idempotency-Key" in sent.headers, row["idempotent"])
        client = Offline([created]).client
        groups = [name for name in dir(client) if not name.startswith("_") and name not in ("call", "page", "wait_for")]
        methods = {
            f"{group}.{verb}" for group in groups for verb in dir(getattr(client, group)) if not verb.startswith("_")
        }
        self.assertEqual(methods, {f"{row['group']}.{row['verb']}" for row in rows})


if __name__ == "__main__":
    unittest.main()
