"""Verification of deliveries: only what the service sent, unmodified and at about the current time, is accepted."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import unittest
from typing import Any

from reelsmith import WebhookVerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
AT = 1_793_610_000
EVENT = {"event": "video.created", "workspaceId": "wsp_1", "createdAt": "2026-11-02T08:59:59.000Z", "data": {"video": {"title": "Æ 🐈"}}}
BODY = json.dumps(EVENT, ensure_ascii=False).encode()


def signed(body: bytes = BODY, secret: str = SECRET, timestamp: str = str(AT)) -> dict[str, str]:
    content = f"dlv_1.{timestamp}.".encode() + body
    standard = hmac.new(base64.b64decode(secret[6:]), content, hashlib.sha256).digest()
    return {
        "X-Service-Event": "video.created",
        "X-Service-Delivery": "dlv_1",
        "X-Service-Signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        "webhook-id": "dlv_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(standard).decode(),
    }


def reason(body: Any, headers: Any, secret: str = SECRET, later: float = 1, **options: Any) -> str:
    try:
        verify_webhook(body, headers, secret, now=lambda: AT + later, **options)
    except WebhookVerificationError as error:
        return error.reason
    return "none"


class Verification(unittest.TestCase):
    def test_a_delivery_is_verified_as_bytes_and_as_text_with_headers_in_any_case(self) -> None:
        headers = signed()
        for body in (BODY, BODY.decode()):
            for given in (headers, {name.upper(): value for name, value in headers.items()}, {n: [v] for n, v in headers.items()}):
                self.assertEqual(verify_webhook(body, given, SECRET, now=lambda: AT), EVENT)

    def test_any_changed_character_is_detected(self) -> None:
        def tampered(text: str) -> list[str]:
            changed = [text[:i] + ("1" if text[i] == "0" else "0") + text[i + 1 :] for i in range(len(text))]
            return [*changed, text[:-1], text + "0"]

        headers = signed()
        for name, value in headers.items():
            for text in tampered(value):
                self.assertEqual(reason(BODY, {**headers, name: text}), "bad-signature", f"{name}: {text}")
        for text in tampered(BODY.decode()):
            self.assertEqual(reason(text, headers), "bad-signature")
        for text in tampered(SECRET):
            self.assertEqual(reason(BODY, headers, text), "bad-signature")

    def test_the_age_is_limited(self) -> None:
        reasons = [reason(BODY, signed(), later=later) for later in (-301, -300, 0, 300, 301)]
        self.assertEqual(reasons, ["too-new", "none", "none", "none", "too-old"])
        self.assertEqual(reason(BODY, signed(), later=60, tolerance_seconds=59), "too-old")
        self.assertEqual(reason(BODY, signed(timestamp="whenever")), "too-old")

    def test_missing_headers_and_bodies_that_are_no_events_are_refused(self) -> None:
        headers = signed()
        for name in headers:
            self.assertEqual(reason(BODY, {**headers, name: ""}), "missing-header")
        self.assertEqual(reason(EVENT, headers), "invalid-body")
        for text in (b"", b"null", b"[]", b'{"event":"video.created"', b"[" * 100_000, b"\xff"):
            self.assertEqual(reason(text, signed(text)), "invalid-body")

    @unittest.skipUnless("DELIVERIES" in os.environ, "the test of the repository has deliveries of the service")
    def test_deliveries_of_the_service_are_judged_as_the_other_client_judges_them(self) -> None:
        for delivery in json.loads(os.environ["DELIVERIES"]):
            found = "none"
            try:
                verify_webhook(delivery["body"], delivery["headers"], delivery["secret"])
            except WebhookVerificationError as error:
                found = error.reason
            self.assertEqual(found, delivery["reason"], delivery)


if __name__ == "__main__":
    unittest.main()
