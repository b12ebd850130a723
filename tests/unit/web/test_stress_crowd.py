"""Many screens, slow screens, screens that sleep: nobody waits for somebody else."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any

import pytest
from websocket import WebSocketException, create_connection

from tests.unit.web.conftest import Server
from tests.unit.web.fakes import FakeService, fake_settings
from tests.unit.web.test_sockets import (
    PIN,
    RefusedError,
    Screen,
    command,
    hear_the_end,
    raw,
    status_of,
)
from web.app import create_app
from web.build import Build

OVERLAY = {"table": "ba1", "token": "show-ba1"}
PATIENCE_S = 20.0


def until(wanted: Callable[[], bool], what: str) -> None:
    """Wait until something is so, never longer than needed."""
    pause = threading.Event()
    end = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < end, what
        pause.wait(0.01)


@contextmanager
def serving(service: FakeService, build: Build, max_sockets: int) -> Iterator[Server]:
    with Server(create_app(service, fake_settings(max_sockets), build=build)) as server:
        yield server


def test_two_hundred_reconnects_leave_no_socket_and_no_thread(
    server: Server, service: FakeService
) -> None:
    watcher = Screen(server, "/overlay", OVERLAY)
    watcher.next("view")
    threads = threading.active_count()
    for number in range(200):
        screen = Screen(server, "/overlay", OVERLAY)
        views = [data for kind, data in screen.early if kind == "view"]
        assert len(views) == 1, number
        screen.leave()
    until(lambda: server.hub.open_sockets() == 1, "sockets stay open")
    until(lambda: sum(server.hub.seats().values()) == 1, "seats stay taken")
    until(lambda: threading.active_count() <= threads, "threads stay")
    until(lambda: len(server.hub._server.eio.sockets) == 1, "the transport remembers them")
    assert set(server.hub.publisher._joined.values()) == {1}
    seq = service.step("ba1")
    assert watcher.next("view")["seq"] == seq
    watcher.leave()


def test_a_storm_of_twenty_screens_at_once_gives_each_the_newest_view_once(
    build: Build, service: FakeService
) -> None:
    """While the table goes on. Only the view of the joining itself may cross one sent to all."""
    seen: list[list[int]] = []
    ended = threading.Event()

    def watch(server: Server) -> None:
        for _ in range(4):
            screen = Screen(server, "/overlay", OVERLAY)
            seen.append([screen.next("view")["seq"] for _ in range(4)])
            screen.leave()

    def deal() -> None:
        while not ended.wait(0.005):
            service.step("ba1")

    with serving(service, build, 100) as server:
        table = threading.Thread(target=deal)
        table.start()
        screens = [threading.Thread(target=watch, args=(server,)) for _ in range(20)]
        for each in screens:
            each.start()
        for each in screens:
            each.join(PATIENCE_S)
        ended.set()
        table.join()
        until(lambda: server.hub.open_sockets() == 0, "sockets stay open")
    assert len(seen) == 20 * 4
    for seqs in seen:
        back = sum(later < earlier for earlier, later in pairwise(seqs))
        twice = len(seqs) - len(set(seqs))
        assert back + twice <= 1, seqs


def test_a_console_that_slept_finds_the_whole_newest_view(
    server: Server, service: FakeService
) -> None:
    cookie = service.accounts.sign_in("101", PIN, "").token
    console = Screen(server, "/dealer", {"table": "ba1"}, cookie)
    awake = Screen(server, "/overlay", OVERLAY)
    console.next("view")
    for _ in range(3):
        awake.next("beat")
        service.step("ba1")
    newest = service.seqs["ba1"]
    while (view := console.next("view"))["seq"] < newest:
        pass
    assert view["view"] == {"table": "ba1", "for": "dealer", "step": newest}
    assert console.say("command", command(seq=newest))["status"] == "done"
    console.leave()
    awake.leave()


def test_a_console_that_answers_no_ping_gives_its_place_back_and_may_return(
    build: Build, service: FakeService
) -> None:
    """A tablet out of the network's reach closes nothing."""
    with serving(service, build, 4) as server:
        server.hub._server.eio.ping_interval = 0.1
        server.hub._server.eio.ping_timeout = 0.1
        asleep = raw(server)
        asleep.send(f"40/overlay,{json.dumps(OVERLAY)}")
        until(lambda: sum(server.hub.seats().values()) == 1, "it never joined")
        until(lambda: sum(server.hub.seats().values()) == 0, "its seat stays taken")
        until(lambda: server.hub.open_sockets() == 0, "its place stays taken")
        seq = service.step("ba1")
        back = Screen(server, "/overlay", OVERLAY)
        assert back.next("view")["seq"] == seq
        back.leave()
        asleep.shutdown()


def test_a_screen_that_reads_nothing_holds_up_nobody_and_is_cut(
    server: Server, service: FakeService
) -> None:
    service.hands = [{"zone": "P", "cards": ["7H"] * 8_000}]
    slow = raw(server, sockopt=[(1, 8, 2_048)])
    slow.send(f"40/overlay,{json.dumps(OVERLAY)}")
    quick = Screen(server, "/overlay", OVERLAY)
    until(lambda: server.hub.seats()["/overlay"] == 2, "they never joined")
    waits: list[float] = []
    for _ in range(400):
        began = time.monotonic()
        seq = service.step("ba1")
        while quick.next("view")["seq"] < seq:
            pass
        waits.append(time.monotonic() - began)
        if server.hub.seats()["/overlay"] == 1:
            break
    assert sorted(waits)[len(waits) // 2] < 0.5
    until(lambda: server.hub.seats()["/overlay"] == 1, "the slow one is still there")
    until(lambda: server.hub.open_sockets() == 1, "the slow one keeps its thread")
    quick.leave()
    slow.shutdown()


def test_the_socket_beyond_the_limit_gets_one_sentence_and_a_freed_place_is_usable(
    build: Build, service: FakeService
) -> None:
    with serving(service, build, 4) as server:
        inside = [Screen(server, "/overlay", OVERLAY) for _ in range(4)]
        for _ in range(3):
            with pytest.raises(RefusedError) as refusal:
                Screen(server, "/overlay", OVERLAY)
            told = refusal.value.args[0]
            assert told["data"] == {"code": "refused.full"}
            assert told["message"] == (
                "All places for screens are taken: close one, or raise max_sockets."
            )
        until(lambda: server.hub.open_sockets() == 4, "the refused ones stay")
        inside.pop().leave()
        until(lambda: server.hub.open_sockets() == 3, "the place stays taken")
        inside.append(Screen(server, "/overlay", OVERLAY))
        seq = service.step("ba1")
        for each in inside:
            while each.next("view")["seq"] < seq:
                pass
            each.leave()


def test_a_hundred_sockets_at_a_door_for_four_harm_nobody_inside(
    build: Build, service: FakeService
) -> None:
    """Those who are refused and stay are cut; the far ones get a plain 503."""
    with serving(service, build, 4) as server:
        inside = [Screen(server, "/overlay", OVERLAY) for _ in range(4)]
        outside: list[Any] = []
        answers: list[str] = []
        url = server.url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
        for _ in range(100):
            try:
                outside.append(create_connection(url, timeout=5))
            except WebSocketException as refusal:
                answers.append(str(refusal))
        assert len(outside) == 16
        assert len(answers) == 84
        assert all("503" in each for each in answers)
        seq = service.step("ba1")
        for each in inside:
            while each.next("view")["seq"] < seq:
                pass
        assert status_of(server, "/health/live") == 200
        for each in outside:
            each.shutdown()
        until(lambda: server.hub.open_sockets() == 4, "the refused ones stay")
        for each in inside:
            each.leave()


def test_one_who_was_refused_and_stays_is_sent_away(
    build: Build, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.connections.IDLE_S", 0.0)
    with serving(service, build, 4) as server:
        inside = [Screen(server, "/overlay", OVERLAY) for _ in range(4)]
        stubborn = raw(server)
        stubborn.send(f"40/overlay,{json.dumps(OVERLAY)}")
        hear_the_end(stubborn)
        until(lambda: server.hub.open_sockets() == 4, "it stays")
        for each in inside:
            each.leave()


@pytest.mark.parametrize("path", ["/status", "/metrics", "/health/ready", "/"])
def test_a_flood_of_pages_keeps_no_beat_from_a_screen(
    server: Server, service: FakeService, path: str
) -> None:
    screen = Screen(server, "/overlay", OVERLAY)
    screen.next("beat")
    answered: list[int] = []

    def ask() -> None:
        for _ in range(40):
            with suppress(OSError), urllib.request.urlopen(server.url + path, timeout=10) as page:
                answered.append(page.status)

    people = [threading.Thread(target=ask) for _ in range(8)]
    for each in people:
        each.start()
    began = time.monotonic()
    seq = service.step("ba1")
    while screen.next("view")["seq"] < seq:
        pass
    assert time.monotonic() - began < 2.0
    screen.next("beat")
    for each in people:
        each.join(PATIENCE_S)
    assert answered == [200] * 320
    screen.leave()


def test_figures_name_the_open_screens_and_no_more_after_they_went(
    server: Server, service: FakeService
) -> None:
    def figure() -> str:
        with urllib.request.urlopen(f"{server.url}/metrics", timeout=5) as page:
            text = page.read().decode()
        return next(line for line in text.splitlines() if 'audience="overlay"' in line)

    screens = [Screen(server, "/overlay", OVERLAY) for _ in range(3)]
    assert figure().endswith(" 3.0")
    for each in screens:
        each.leave()
    until(lambda: figure().endswith(" 0.0"), "the figure still counts them")
