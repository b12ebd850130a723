"""The real server in a process of its own: starting, refusing an address, ending in order."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websocket import create_connection

from web.server import address_of, listen

PROGRAM = """
import gc, logging, os, sys
from studio.live.accounts import Accounts
from studio.domain.commands import Rejected
from tests.unit.web.fakes import FakeService, fake_settings
from web.plugin import FACE

logging.basicConfig(level=logging.WARNING)

class Studio(FakeService):
    def start(self):
        print("start", os.getpid(), flush=True)
        if "broken" in sys.argv:
            raise Rejected("refused.trouble", "The shoe is not there: plug it in.")
    def stop(self):
        print("stop", os.getpid(), flush=True)

def ready(address):
    print("ready", address, flush=True)
    print("spared", gc.get_freeze_count(), flush=True)
    if "brief" in sys.argv:
        FACE.stop()

try:
    FACE.serve(Studio(), fake_settings(8, sys.argv[1]), ready=ready, next_port="next" in sys.argv)
    print("served", os.getpid(), flush=True)
except OSError as sentence:
    print("refused", sentence, flush=True)
"""


class Program:
    """A program that serves a fake studio."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=Path(__file__).resolve().parents[3],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def line(self, word: str) -> str:
        """The rest of the next line that begins with this word."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(word):
                return line.removeprefix(word).strip()
        raise AssertionError(f"the program ended without saying {word}")

    def rest(self) -> str:
        """All that it still says, until it has ended."""
        return str(self.process.communicate(timeout=20)[0])


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    started: list[Program] = []
    yield started
    for each in started:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.communicate()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_in_order_though_a_screen_is_open(
    programs: list[Program], how: signal.Signals
) -> None:
    program = Program("127.0.0.1:0")
    programs.append(program)
    worker = program.line("start")
    address = program.line("ready")
    assert worker != str(program.process.pid)
    url = address.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    screen = create_connection(url, timeout=5)
    screen.recv()
    screen.send('40/overlay,{"table":"ba1","token":"show-ba1"}')
    assert "sid" in screen.recv() + screen.recv()
    began = time.monotonic()
    os.kill(program.process.pid, how)
    rest = program.rest()
    assert f"stop {worker}" in rest
    assert f"served {program.process.pid}" in rest
    assert "Traceback" not in rest
    assert time.monotonic() - began < 5
    screen.shutdown()


def test_no_full_collection_goes_through_what_the_start_has_made(programs: list[Program]) -> None:
    program = Program("127.0.0.1:0", "brief")
    programs.append(program)
    # The classes and functions of the libraries alone are more.
    assert int(program.line("spared")) > 20_000


def test_a_worker_that_was_killed_is_started_again(programs: list[Program]) -> None:
    program = Program("127.0.0.1:0")
    programs.append(program)
    worker = int(program.line("start"))
    address = program.line("ready")
    os.kill(worker, signal.SIGKILL)
    assert int(program.line("start")) != worker
    assert program.line("ready") == address


def test_a_worker_ends_in_order_when_its_first_process_was_killed_though_a_screen_is_open(
    programs: list[Program],
) -> None:
    program = Program("127.0.0.1:0")
    programs.append(program)
    worker = program.line("start")
    url = program.line("ready").replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    screen = create_connection(url, timeout=5)
    screen.recv()
    screen.send('40/overlay,{"table":"ba1","token":"show-ba1"}')
    assert "sid" in screen.recv() + screen.recv()
    began = time.monotonic()
    os.kill(program.process.pid, signal.SIGKILL)
    # The worker has the same output, which ends with it.
    assert f"stop {worker}" in program.rest()
    assert time.monotonic() - began < 5
    screen.shutdown()


def test_the_studio_itself_can_end_the_server(programs: list[Program]) -> None:
    program = Program("127.0.0.1:0", "brief")
    programs.append(program)
    assert "served" in program.rest()


def test_a_studio_that_cannot_start_is_one_sentence(programs: list[Program]) -> None:
    program = Program("127.0.0.1:0", "broken")
    programs.append(program)
    said = program.rest()
    assert "The shoe is not there: plug it in." in said
    assert "refused The studio did not start" in said
    assert "Traceback" not in said
    assert "exited with code" not in said
    assert "Shutting down" not in said
    assert "failed to boot" not in said


def test_a_busy_port_is_one_sentence_or_the_next_port() -> None:
    with listen("127.0.0.1:0") as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"127.0.0.1:{port} is in use: stop the other program"):
            listen(f"127.0.0.1:{port}")
        with listen(f"127.0.0.1:{port}", next_port=True) as other:
            assert port < other.getsockname()[1] <= port + 50


def test_an_address_of_another_machine_is_one_sentence() -> None:
    with pytest.raises(OSError, match=r"cannot be used on this machine.*Change \[web\] bind\."):
        listen("192.0.2.7:8000")


def test_the_address_is_given_as_a_person_types_it() -> None:
    with listen("127.0.0.1:0") as listener:
        assert address_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"
    with listen("0.0.0.0:0") as listener:
        assert address_of(listener).startswith("http://localhost:")
    if socket.has_ipv6:
        with listen("[::1]:0") as listener:
            assert address_of(listener).startswith("http://[::1]:")
