"""A network camera over loopback: motion JPEG that does what real ones do on a bad day."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np

BOUNDARY = "frame"


def picture(number: int, size: tuple[int, int] = (64, 48)) -> bytes:
    """A small JPEG that differs from that of every other number below 250."""
    width, height = size
    image = np.full((height, width, 3), 40 + number % 200, dtype=np.uint8)
    image[:, : width // 2] = 255 - image[:, : width // 2]
    return bytes(cv2.imencode(".jpg", image)[1])


class MjpegServer:
    """Sends pictures one after the other, round and round, and misbehaves as it is told.

    All switches may be turned while it runs. `path` ``/old`` points to ``/table.mjpg``.
    """

    def __init__(self, pictures: Sequence[bytes] | None = None, *, every_s: float = 0.02) -> None:
        self.pictures: Sequence[bytes] = pictures or [picture(number) for number in range(200)]
        self.every_s = every_s
        self.status = 200
        """What is answered instead of a stream, unless it is 200."""
        self.kind = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        self.stalled = threading.Event()
        """Connected, and says nothing more."""
        self.mute = threading.Event()
        """Accepts, and does not even answer."""
        self.hanging_up = threading.Event()
        """Hangs up in the middle of the next picture, and of the first of each new stream."""
        self.truncating = threading.Event()
        """Sends only the first half of each JPEG, with the length of that half."""
        self.stuck: int | None = None
        """Repeats its last so many pictures."""
        self.requests: list[str] = []
        self.secret: str | None = None
        """The only `Authorization` that it lets in, if it asks for one."""
        self.sent = 0
        self._closing = threading.Event()
        self._asked = threading.Condition()
        self._server = self._listen(0)
        self.port = int(self._server.server_address[1])

    def address(self, path: str = "/table.mjpg", *, user: str = "") -> str:
        """Where a client finds it."""
        at = f"{user}@" if user else ""
        return f"http://{at}127.0.0.1:{self.port}{path}"

    def wait_for_requests(self, count: int, seconds: float = 20.0) -> None:
        """Wait until so many requests came in all."""
        with self._asked:
            assert self._asked.wait_for(lambda: len(self.requests) >= count, seconds), self.requests

    def vanish(self) -> None:
        """Stop to listen and hang up on everybody, as a camera that lost its power."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def come_back(self) -> None:
        """Listen again at the same port."""
        self._closing = threading.Event()
        self._server = self._listen(self.port)

    def close(self) -> None:
        """End it."""
        if not self._closing.is_set():
            self.vanish()

    def _listen(self, port: int) -> ThreadingHTTPServer:
        camera, closing = self, self._closing

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.serve(self, closing)

            def log_message(self, *args: object) -> None:
                """Keep the test's output clean."""

        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        server.daemon_threads = True
        # Open connections end by themselves, as their thread sees that it is closing.
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server

    def serve(self, wire: BaseHTTPRequestHandler, closing: threading.Event) -> None:
        """Answer one request."""
        with self._asked:
            self.requests.append(wire.path)
            self._asked.notify_all()
        while self.mute.is_set() and not closing.wait(0.02):
            pass
        try:
            if wire.path == "/old":
                wire.send_response(302)
                wire.send_header("Location", self.address())
                wire.send_header("Content-Length", "0")
                wire.end_headers()
            elif self.secret is not None and wire.headers.get("Authorization") != self.secret:
                wire.send_response(401)
                wire.send_header("WWW-Authenticate", 'Basic realm="camera"')
                wire.send_header("Content-Length", "0")
                wire.end_headers()
            elif self.status != 200:
                wire.send_error(self.status)
            else:
                wire.send_response(200)
                wire.send_header("Content-Type", self.kind)
                wire.end_headers()
                self._stream(wire.wfile, closing)
        except OSError:
            return

    def _stream(self, out: Any, closing: threading.Event) -> None:
        """Send pictures until somebody hangs up."""
        at = 0
        while not closing.wait(self.every_s):
            if self.stalled.is_set():
                continue
            pictures = self.pictures
            if self.stuck is not None:
                pictures = pictures[: self.stuck]
            body = pictures[at % len(pictures)]
            at += 1
            if self.truncating.is_set():
                body = body[: len(body) // 2]
            head = (
                f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            if self.hanging_up.is_set():
                out.write(head.encode() + body[: len(body) // 3])
                return
            out.write(head.encode() + body + b"\r\n")
            self.sent += 1
