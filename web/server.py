"""The web server: gunicorn with one worker and a thread for each request and each socket.

Nothing of the studio runs before the fork: no thread, no port, no database. The studio lives in the
worker and ends with it; the first process only watches, and starts the worker again if it dies, so
that the tables come back held.
"""

import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import ThreadWorker

from web.app import create_app, hub_of
from web.door import SPARE
from web.needs import Service, Settings

log = logging.getLogger("cutcard.web.server")

THREADS_FOR_PAGES = 32
GRACE_S = 10
HALF_S = 5
"""Seconds that a thread waits for the rest of a request; a socket of a screen has no such end."""
BUSY = "The address {bind} is in use: stop the other program, or choose another port in [web] bind."
WRONG = "The address {bind} cannot be used on this machine: {why}. Change [web] bind."


ECHOES = (
    ("Worker (pid:%s) exited with code %s.", (Arbiter.WORKER_BOOT_ERROR,)),
    ("Reason: %s", ("Worker failed to boot.",)),
)
"""Lines of gunicorn's, with their last value, that repeat what a person was told already."""


class PlainLogger(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """Sends gunicorn's own words through the studio's log; requests are not logged.

    Addresses of overlays hold their token, which never goes into a log.
    """

    def error(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Tell what gunicorn says of the server, but not its echo of a start that was refused.

        Then the worker has told the reason in one sentence, and `serve` tells the rest.
        """
        if (msg, args[-1:]) in ECHOES or msg.startswith("Shutting down"):
            return
        super().error(msg, *args, **kwargs)

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Tell a fault of the server; a request that never came whole is none."""
        if not isinstance(sys.exc_info()[1], BlockingIOError):
            super().exception(msg, *args, **kwargs)

    def setup(self, cfg: Any) -> None:  # noqa: ARG002  gunicorn's signature
        """Take no handlers of its own."""
        self.error_log.handlers = []
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)
        self.access_log.handlers = []
        self.access_log.propagate = False


def listen(bind: str, *, next_port: bool = False, tries: int = 50) -> socket.socket:
    """Take an address; where its port is busy and `next_port` is set, the next free one.

    Raises:
        OSError: with one sentence that says what to change.
    """
    host, _, port_text = bind.rpartition(":")
    host, port = host.strip("[]"), int(port_text)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + tries, 65535) if next_port and port else port
    for candidate in range(port, last + 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(128)
        except OSError as problem:
            listener.close()
            if problem.errno != errno.EADDRINUSE:
                why = (problem.strerror or str(problem)).lower()
                raise OSError(WRONG.format(bind=bind, why=why)) from None
            continue
        return listener
    raise OSError(BUSY.format(bind=bind))


def address_of(listener: socket.socket) -> str:
    """The address that a person types, as ``http://127.0.0.1:8000``."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104  only compared; it is what was asked for
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def spare_the_collector() -> None:
    """Take what the start has made out of the garbage collector's sight.

    It lives as long as the process. Every full collection went through all of it and stopped every
    thread for 90 to 130 ms, which a card on its way to the screens waited (benchmarks/latency.py).
    """
    gc.collect()
    gc.freeze()


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Gunicorn's worker of threads, whose threads wait for half a request so long and no longer."""

    def handle(self, conn: Any) -> Any:
        """Answer one request of a connection.

        The limit is the system's own and not Python's: gunicorn sets the latter itself.
        """
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", HALF_S, 0))
        return super().handle(conn)


class StudioServer(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """Gunicorn, configured by our own settings only."""

    def __init__(
        self,
        service: Service,
        settings: Settings,
        listener: socket.socket,
        ready: Callable[[str], None],
    ) -> None:
        """Take what the worker will need; nothing is started. The listener becomes gunicorn's."""
        self._service = service
        self._settings = settings
        self._address = address_of(listener)
        self._bind = f"fd://{listener.detach()}"
        self._ready = ready
        self._app: Flask | None = None
        super().__init__()

    def load_config(self) -> None:
        """Set every value that matters here; no file and no environment has a say."""
        sockets = self._settings.web.max_sockets
        for key, value in {
            "bind": self._bind,
            "workers": 1,
            "worker_class": Worker,
            "threads": sockets + SPARE + THREADS_FOR_PAGES,
            "worker_connections": 2 * sockets + 300,
            "graceful_timeout": GRACE_S,
            "timeout": 60,
            "keepalive": 5,
            "limit_request_line": 4094,
            "control_socket_disable": True,
            "logger_class": PlainLogger,
            "post_worker_init": self._begin,
            "worker_exit": self._end,
        }.items():
            self.cfg.set(key, value)

    def load(self) -> Flask:
        """Make the application, in the worker."""
        self._app = create_app(self._service, self._settings)
        return self._app

    def _begin(self, worker: Any) -> None:
        """Start the studio and the live channel, after the fork."""
        self._start_studio()
        if self._app is not None:
            hub_of(self._app).begin()
        threading.Thread(
            target=self._close_screens_at_end, args=(worker,), name="web-end", daemon=True
        ).start()
        spare_the_collector()
        self._ready(self._address)

    def _start_studio(self) -> None:
        """Start the studio where it has a start; what keeps it from that is one sentence."""
        start = getattr(self._service, "start", None)
        if start is None:
            return
        try:
            start()
        except Exception as problem:
            if not type(problem).__module__.startswith("studio."):
                raise
            # The studio's own errors are sentences for people; anything else is a fault of ours.
            sys.stderr.write(f"{problem}\n")
            sys.exit(Arbiter.WORKER_BOOT_ERROR)

    def _close_screens_at_end(self, worker: Any) -> None:
        """An open screen would keep its thread, and the worker, until the grace ends.

        A worker whose first process is gone ends as well, and gives the database free at once: who
        starts the studio again must not be told that another one runs.
        """
        pause = threading.Event()
        while worker.alive and os.getppid() == worker.ppid:
            pause.wait(0.1)
        if self._app is not None:
            hub_of(self._app).close_all()

    def _end(self, _server: Any, _worker: Any) -> None:
        """Stop the studio in order. Called in the worker, whatever ended it."""
        if self._app is not None:
            hub_of(self._app).end()
        stop = getattr(self._service, "stop", None)
        if stop is not None:
            stop()


def serve(
    service: Service,
    settings: Settings,
    *,
    ready: Callable[[str], None],
    next_port: bool = False,
) -> None:
    """Serve until interrupted (Ctrl-C, SIGTERM or `stop`). Must be called from the main thread.

    `ready` is called in the worker, as are `service.start` and `service.stop` where they exist.

    Raises:
        OSError: with one sentence, if the address cannot be used or the studio did not start.
    """
    listener = listen(settings.web.bind, next_port=next_port)
    watcher = os.getpid()
    status = 0
    try:
        StudioServer(service, settings, listener, ready).run()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        if os.getpid() == watcher:
            raise
        log.exception("the web server's worker ended badly")
        status = 1
    if os.getpid() != watcher:
        # The worker leaves here: what the caller cleans up belongs to the first process.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    if status:
        raise OSError("The studio did not start: see the message above.")


def stop() -> None:
    """End the server in order, from any thread of the worker."""
    os.kill(os.getppid(), signal.SIGTERM)
