"""Counts the live connections at the door, so that pages are answered however many screens come.

A connection keeps a thread of the server for as long as it lives. The few beyond the limit are let
in far enough to be told so; beyond those a plain answer has to do.
"""

import socket
import struct
import threading
from collections.abc import Callable, Iterable
from typing import Any

SPARE = 16
"""Connections beyond the limit that are let in to be refused in words."""
SENTENCE = b"All places for screens are taken: close one, or raise max_sockets.\n"

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]


class Door:
    """Stands before the application and knows how many connections are open."""

    def __init__(self, limit: int) -> None:
        """Take the greatest number of connections."""
        self.limit = limit
        self.open = 0
        self._lock = threading.Lock()
        self._inner: Application = _nothing

    @property
    def full(self) -> bool:
        """Whether the newest connection is one too many."""
        return self.open > self.limit

    def before(self, application: Application) -> "Door":
        """Stand before this application."""
        self._inner = application
        return self

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Let a request through, or refuse one connection too many."""
        if environ.get("HTTP_UPGRADE", "").lower() != "websocket":
            return self._inner(environ, start_response)
        with self._lock:
            refused = self.open >= self.limit + SPARE
            self.open += not refused
        if refused:
            length = ("Content-Length", str(len(SENTENCE)))
            kind = ("Content-Type", "text/plain; charset=utf-8")
            start_response("503 Service Unavailable", [kind, length, ("Retry-After", "10")])
            return [SENTENCE]
        plug = environ.get("gunicorn.socket")
        if plug is not None:
            # A request must come whole in a few seconds; a screen may say nothing for hours.
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 0))
        try:
            return self._inner(environ, start_response)
        finally:
            with self._lock:
                self.open -= 1


def _nothing(_environ: Environ, _start_response: Any) -> Iterable[bytes]:
    return ()
