"""The client of the Reelsmith API. Standard library only."""

from . import types
from ._client import Client
from ._core import LogPage, Page, ReelsmithError, ReelsmithWarning, Request, Response, Transport, VERSION, send_with_urllib
from .webhooks import WebhookVerificationError, verify_webhook

__version__ = VERSION
__all__ = [
    "Client",
    "LogPage",
    "Page",
    "ReelsmithError",
    "ReelsmithWarning",
    "Request",
    "Response",
    "Transport",
    "WebhookVerificationError",
    "send_with_urllib",
    "types",
    "verify_webhook",
]
