"""The real server under half requests: its threads come back, and screens stay."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websocket import create_connection

from tests.unit.web.test_server import Program
from web.server import HALF_S

HALVES = {
    "silence": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: ",
    "a head and no body": b"POST /api/ui/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: "
    b"application/json\r\nContent-Length: 90\r\n\r\n",
}


@pytest.fixture
def program() -> Iterator[Program]:
    started = Program("127.0.0.1:0")
    yield started
    if started.process.poll() is None:
        os.killpg(started.process.pid, signal.SIGKILL)
    started.process.communicate()


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_a_hundred_half_requests_keep_the_threads_for_seconds_only(
    program: Program, half: bytes
) -> None:
    """The server of this program has 56 threads; an open screen outlives all of it."""
    address = program.line("ready")
    url = address.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    screen = create_connection(url, timeout=20)
    screen.recv()
    screen.send('40/overlay,{"table":"ba1","token":"show-ba1"}')
    port = int(address.rpartition(":")[2])
    plugs = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
    for plug in plugs:
        plug.sendall(half)
    began = time.monotonic()
    with urllib.request.urlopen(f"{address}/health/live", timeout=4 * HALF_S) as answer:
        assert answer.status == 200
    assert time.monotonic() - began < 3 * HALF_S
    beats = 0
    while beats < HALF_S + 2:
        text = str(screen.recv())
        beats += '["beat"' in text
    assert json.loads(text.partition(",")[2])[1]["table"] == "ba1"
    for plug in plugs:
        plug.close()
    screen.close()
    program.process.send_signal(signal.SIGTERM)
    assert "Traceback" not in program.rest()


def test_two_hundred_reconnects_leave_the_real_server_no_file_and_no_thread(
    program: Program,
) -> None:
    worker = Path("/proc") / program.line("start")
    if not worker.exists():
        pytest.skip("this system has no /proc")
    address = program.line("ready")
    url = address.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"

    def visit() -> None:
        screen = create_connection(url, timeout=20)
        screen.recv()
        screen.send('40/overlay,{"table":"ba1","token":"show-ba1"}')
        while not str(screen.recv()).startswith("42"):
            pass
        screen.shutdown()

    def files() -> int:
        return len(list((worker / "fd").iterdir()))

    def threads() -> int:
        return len(list((worker / "task").iterdir()))

    def until(wanted: Callable[[], bool], what: str) -> None:
        pause, end = threading.Event(), time.monotonic() + 30
        while not wanted():
            assert time.monotonic() < end, what
            pause.wait(0.05)

    visit()
    before = files()
    for _ in range(200):
        visit()
    until(lambda: files() <= before, f"files stay open: {files()}, {before} before")
    # The server keeps the threads of its pool: 8 sockets, 16 to be refused, 32 for pages.
    until(lambda: threads() <= 56 + 8, f"threads stay: {threads()}")
    program.process.send_signal(signal.SIGTERM)
    assert "Traceback" not in program.rest()
