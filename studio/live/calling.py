"""Signed calls from the studio to a platform: its wallet, its receiver of webhooks.

Signed as calls to the studio are (CONTRACTS.md 8). No redirect is followed: what is signed for one
address is not sent to another.
"""

import http.client
import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from studio.live.signing import call_headers

MOST_ANSWERED: Final = 4 * 1024 * 1024
"""Bytes of an answer that are read."""
OK: Final = range(200, 300)


class Unanswered(Exception):  # noqa: N818  it says what happened
    """No answer that can be used: whether the other side did it is not known. One sentence."""


class NotSent(Unanswered):
    """No time was left to ask: the other side knows nothing of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Calls one address. Any thread may use it; each call is a connection of its own."""

    url: str
    key: str
    """Name of the key."""
    secret: str
    now_s: Callable[[], int]
    """The present Unix second."""

    def post(self, given: Any, *, under: str = "", idempotency: str, timeout_s: float) -> bytes:
        """Send JSON to the address, or to `under` it; the body of the answer.

        Raises:
            Unanswered: if there is no answer with status 2xx in time.
        """
        parts = urlsplit(self.url)
        target = f"{parts.path.rstrip('/')}{under}" or "/"
        if parts.query:
            target += f"?{parts.query}"
        body = json.dumps(given, separators=(",", ":")).encode()
        headers = {
            **call_headers(
                self.key,
                self.secret,
                method="POST",
                target=target,
                at_s=self.now_s(),
                body=body,
            ),
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency,
            "User-Agent": "cutcard",
        }
        connection = _connection(parts.scheme, parts.netloc, timeout_s)
        try:
            connection.request("POST", target, body, headers)
            answer = connection.getresponse()
            status, told = answer.status, answer.read(MOST_ANSWERED)
        except (OSError, http.client.HTTPException) as failure:
            raise Unanswered(_why(failure)) from None
        finally:
            connection.close()
        if status not in OK:
            raise Unanswered(f"it answered with status {status}")
        return told


def _connection(scheme: str, place: str, timeout_s: float) -> http.client.HTTPConnection:
    place = place.rpartition("@")[2]
    if scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(place, timeout=timeout_s, context=context)
    return http.client.HTTPConnection(place, timeout=timeout_s)


def _why(failure: Exception) -> str:
    """In our words: the other side's own may hold anything."""
    if isinstance(failure, TimeoutError):
        return "it did not answer in time"
    if isinstance(failure, ConnectionRefusedError):
        return "nobody listens there"
    return f"the connection failed ({type(failure).__name__})"
