"""The live channel over a real port: joining, views, beats, commands, refusals, leaving."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from websocket import WebSocket, WebSocketException, create_connection

from tests.unit.web.conftest import Server
from tests.unit.web.fakes import PIN, FakeService, fake_settings
from web.app import create_app
from web.build import Build

WAIT_S = 20.0
"""Nothing may take so long; a busy machine may well take five seconds."""


def status_of(server: Server, path: str) -> int:
    """The status of a page."""
    try:
        with urllib.request.urlopen(server.url + path, timeout=WAIT_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


def post(server: Server, path: str, body: Any, cookie: str = "") -> str:
    """Send JSON; the cookie of the session that the answer sets."""
    headers = {"Content-Type": "application/json", "Cookie": f"cutcard_session={cookie}"}
    request = urllib.request.Request(
        server.url + path, json.dumps(body).encode(), headers=headers, method="POST"
    )
    with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
        set_cookie = answer.headers.get("Set-Cookie", "")
    return str(set_cookie).partition("=")[2].partition(";")[0]


def hear_the_end(connection: WebSocket) -> None:
    """Read until the other side has closed; a test that waits for ever fails by its time."""
    try:
        while connection.recv():
            pass
    except (WebSocketException, OSError):
        return


class RefusedError(Exception):
    """The server refused the connection; holds what it said."""


class Screen:
    """A screen that hears one message after the other, over a bare connection.

    Without a client library there is no thread, no retry and no waiting when it leaves.
    """

    def __init__(self, server: Server, namespace: str, auth: Any, cookie: str = "") -> None:
        self.namespace = namespace
        self.early: deque[tuple[str, Any]] = deque()
        self.open = True
        headers = {"Cookie": f"cutcard_session={cookie}"} if cookie else {}
        self.connection = raw(server, header=headers)
        self.connection.send(f"40{namespace},{json.dumps(auth)}")
        while (packet := self.read())[0] != "0":
            if packet[0] == "4":
                self.leave()
                raise RefusedError(packet[1])
            self.early.append(packet[1])

    def read(self) -> tuple[str, Any]:
        """The next packet of Socket.IO: its type, and its data."""
        while (text := self.connection.recv()) == "2":
            self.connection.send("3")
        if not text or text == "1":
            self.open = False
            raise ConnectionResetError
        head, _, body = str(text)[2:].partition(",")
        assert head == self.namespace, text
        return str(text)[1], json.loads(re.sub(r"^\d+(?=\[)", "", body) or "null")

    def next(self, event: str) -> Any:
        """The next message of this kind; others are passed over."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            kind, data = self.early.popleft() if self.early else self.read()[1]
            if kind == event:
                return data
        raise TimeoutError(event)

    def next_of_any(self) -> tuple[str, Any]:
        """The next message of whatever kind."""
        found = self.early.popleft() if self.early else self.read()[1]
        return str(found[0]), found[1]

    def say(self, event: str, data: Any) -> Any:
        """Send a message; what is acknowledged."""
        self.connection.send(f"42{self.namespace},7{json.dumps([event, data])}")
        while (packet := self.read())[0] != "3":
            if packet[0] == "1":
                raise ConnectionResetError
            self.early.append(packet[1])
        return packet[1][0]

    def hear_the_end(self) -> None:
        """Read on until the server has closed this screen."""
        try:
            while self.read()[0] != "1":
                pass
        except (WebSocketException, OSError):
            return

    def leave(self) -> None:
        """Go as a screen goes whose plug was pulled."""
        self.connection.shutdown()


def raw(server: Server, **options: Any) -> WebSocket:
    """A connection without a client's manners."""
    url = server.url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    connection: WebSocket = create_connection(url, timeout=WAIT_S, **options)
    assert connection.recv()[:1] == "0"
    return connection


@pytest.fixture
def screen(server: Server, service: FakeService) -> Iterator[Any]:
    """Opens screens, and closes them at the end."""
    opened: list[Screen] = []

    def open_screen(namespace: str, auth: Any, number: str = "") -> Screen:
        cookie = service.accounts.sign_in(number, PIN, "").token if number else ""
        opened.append(Screen(server, namespace, auth, cookie))
        return opened[-1]

    yield open_screen
    for each in opened:
        each.leave()


def command(**changes: Any) -> dict[str, Any]:
    fields = {"command_id": "c-00000001", "table": "ba1", "seq": 1, "name": "confirm", "args": {}}
    return {**fields, **changes}


def test_a_console_gets_the_whole_view_at_once_and_each_newer_one(
    screen: Any, service: FakeService
) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    first = dealer.next("view")
    assert first["view"] == {"table": "ba1", "for": "dealer", "step": 1}
    assert (first["table"], first["audience"], first["epoch"]) == ("ba1", "dealer", "epoch-1")
    service.step("ba1")
    assert dealer.next("view")["seq"] == 2


def test_a_beat_names_the_newest_view_and_the_servers_clock(
    screen: Any, service: FakeService
) -> None:
    beat = screen("/dealer", {"table": "ba1"}, "101").next("beat")
    assert beat == {
        "table": "ba1",
        "audience": "dealer",
        "epoch": "epoch-1",
        "seq": 1,
        "now_us": service.time_us,
    }


def test_a_supervisor_gets_the_wall_and_may_turn_to_a_table(screen: Any) -> None:
    supervisor = screen("/supervisor", {"table": ""}, "201")
    assert supervisor.next("wall")["view"]["tiles"] == [{"table": "ba1", "step": 1}]
    assert supervisor.say("watch", {"table": "ba1"})["status"] == "done"
    assert supervisor.next("view")["view"]["for"] == "supervisor"
    assert supervisor.say("watch", {"table": "zz"})["code"] == "refused.unknown_table"


@pytest.mark.parametrize(
    ("namespace", "auth", "number", "code"),
    [
        ("/dealer", {"table": "ba1"}, "", "refused.signed_out"),
        ("/dealer", {"table": "ba1"}, "401", "refused.no_right"),
        ("/supervisor", {"table": "ba1"}, "101", "refused.no_right"),
        ("/dealer", {"table": "zz"}, "101", "refused.unknown_table"),
        ("/dealer", {"table": ""}, "101", "refused.unknown_table"),
        ("/overlay", {"table": "ba1"}, "", "refused.token"),
        ("/overlay", {"table": "ba1", "token": "wrong"}, "", "refused.token"),
        ("/overlay", {"table": "ba1"}, "101", "refused.token"),
        ("/dealer", {"table": "ba1", "role": "supervisor"}, "101", "refused.malformed"),
        ("/dealer", ["ba1"], "101", "refused.malformed"),
        ("/dealer", {"table": {"a": 1}}, "101", "refused.malformed"),
    ],
)
def test_a_screen_without_a_right_is_refused_with_a_reason(
    server: Server, service: FakeService, namespace: str, auth: Any, number: str, code: str
) -> None:
    cookie = service.accounts.sign_in(number, PIN, "").token if number else ""
    with pytest.raises(RefusedError) as refusal:
        Screen(server, namespace, auth, cookie)
    told = refusal.value.args[0]
    assert told["data"] == {"code": code}
    assert told["message"].endswith(".")


def test_each_screen_hears_only_its_own_table_and_audience(build: Build) -> None:
    service = FakeService(names=("ba1", "ba2"))
    with Server(create_app(service, fake_settings(), build=build)) as server:
        people = {"/dealer": "101", "/supervisor": "201"}
        screens: list[tuple[str, str, Screen]] = []
        for table in ("ba1", "ba2"):
            for namespace, number in people.items():
                cookie = service.accounts.sign_in(number, PIN, "").token
                screens.append(
                    (table, namespace[1:], Screen(server, namespace, {"table": table}, cookie))
                )
        overlay = Screen(server, "/overlay", {"table": "ba1", "token": "show-ba1"})
        screens.append(("ba1", "overlay", overlay))
        for table in ("ba1", "ba2"):
            service.step(table)
        for table, audience, each in screens:
            while (envelope := each.next("view"))["seq"] < 2:
                pass
            assert (envelope["table"], envelope["view"]["for"]) == (table, audience)
        for table, audience, each in screens:
            for _ in range(3):
                event, data = each.next_of_any()
                walls = event == "wall" or data["audience"] == "wall"
                wanted = ("", "wall") if walls and audience == "supervisor" else (table, audience)
                assert (data["table"], data["audience"]) == wanted
            each.leave()


def test_a_message_for_another_table_or_audience_is_never_sent(server: Server) -> None:
    with pytest.raises(ValueError, match="names another table"):
        server.hub.emit("view", {"table": "ba2", "audience": "dealer"}, ("ba1", "dealer", 0))
    with pytest.raises(ValueError, match="names another table"):
        server.hub.emit("view", {"table": "ba1"}, ("ba1", "dealer", 0))


def test_a_command_goes_in_with_the_person_of_the_store(screen: Any, service: FakeService) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    answer = dealer.say("command", command(args={"number": 4}))
    assert answer == {"status": "done", "code": "", "text": "", "seq": 2}
    assert service.asked == [("ba1", "confirm", {"number": 4}, "Dana", "c-00000001", 1)]


def test_a_rejected_command_comes_back_with_its_reason(screen: Any) -> None:
    answer = screen("/dealer", {"table": "ba1"}, "101").say("command", command(name="open_bets"))
    assert answer["status"] == "rejected"
    assert answer["code"] == "refused.table_held"
    assert answer["text"] == "The table is held."


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "confirm",
        [],
        {},
        command(command_id="short"),
        command(command_id="x" * 65),
        command(command_id=7),
        command(seq="1"),
        command(seq=True),
        command(seq=-1),
        command(name="rm -rf"),
        command(name=""),
        command(args=[1]),
        command(table="../etc"),
        command(card="7H"),
    ],
)
def test_a_malformed_command_gets_one_sentence_and_does_nothing(
    screen: Any, service: FakeService, wrong: Any
) -> None:
    answer = screen("/dealer", {"table": "ba1"}, "101").say("command", wrong)
    assert answer["status"] == "rejected"
    assert answer["code"] == "refused.malformed"
    assert answer["text"].endswith(".")
    assert service.asked == []


def test_an_oversized_command_gets_one_sentence(screen: Any, service: FakeService) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    answer = dealer.say("command", command(args={"reason": "x" * 9000}))
    assert answer["code"] == "refused.too_large"
    assert service.asked == []


def test_a_dealer_console_speaks_to_its_own_table_only(build: Build) -> None:
    service = FakeService(names=("ba1", "ba2"))
    with Server(create_app(service, fake_settings(), build=build)) as server:
        cookie = service.accounts.sign_in("101", PIN, "").token
        dealer = Screen(server, "/dealer", {"table": "ba1"}, cookie)
        answer = dealer.say("command", command(table="ba2"))
        dealer.leave()
    assert answer["code"] == "refused.unknown_table"
    assert service.asked == []


def test_an_overlay_only_looks(screen: Any, service: FakeService) -> None:
    overlay = screen("/overlay", {"table": "ba1", "token": "show-ba1"})
    assert overlay.say("command", command())["code"] == "refused.no_right"
    assert overlay.say("watch", {"table": "ba1"})["code"] == "refused.no_right"
    assert service.asked == []


def test_a_socket_that_sends_too_fast_is_told_to_wait(screen: Any) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    codes = [dealer.say("command", command(seq="no"))["code"] for _ in range(40)]
    assert codes[0] == "refused.malformed"
    assert "refused.too_fast" in codes


def test_a_trouble_inside_is_one_sentence_without_its_text(
    screen: Any, service: FakeService
) -> None:
    service.broken = True
    answer = screen("/dealer", {"table": "ba1"}, "101").say("command", command())
    assert answer["code"] == "refused.trouble"
    assert "7H" not in answer["text"]


def test_a_role_that_changed_is_seen_by_the_next_command(screen: Any, service: FakeService) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    dealer.next("view")
    service.accounts.people["101"] = service.accounts.people["401"]
    assert dealer.say("command", command())["code"] == "refused.no_right"
    assert service.asked == []


def test_signing_out_closes_the_screens_of_that_session(
    server: Server, service: FakeService
) -> None:
    cookie = post(server, "/api/ui/sign-in", {"number": "101", "pin": PIN})
    mine = Screen(server, "/dealer", {"table": "ba1"}, cookie)
    other_cookie = service.accounts.sign_in("101", PIN, "").token
    other = Screen(server, "/dealer", {"table": "ba1"}, other_cookie)
    post(server, "/api/ui/sign-out", None, cookie)
    assert mine.next("refused")["code"] == "refused.signed_out"
    mine.hear_the_end()
    assert server.hub.seats()["/dealer"] == 1
    other.next("beat")
    other.leave()


def test_a_session_or_token_taken_back_elsewhere_closes_its_screens(
    screen: Any, server: Server, service: FakeService
) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    overlay = screen("/overlay", {"table": "ba1", "token": "show-ba1"})
    service.accounts.sessions.clear()
    service.accounts.tokens.clear()
    assert dealer.next("refused")["code"] == "refused.signed_out"
    assert overlay.next("refused")["code"] == "refused.token"
    dealer.hear_the_end()
    overlay.hear_the_end()
    assert sum(server.hub.seats().values()) == 0


def test_one_screen_too_many_is_told_so_and_the_others_stay(build: Build) -> None:
    service = FakeService()
    with Server(create_app(service, fake_settings(max_sockets=2), build=build)) as server:
        auth = {"table": "ba1", "token": "show-ba1"}
        two = [Screen(server, "/overlay", auth) for _ in range(2)]
        with pytest.raises(RefusedError) as refusal:
            Screen(server, "/overlay", auth)
        assert refusal.value.args[0]["data"] == {"code": "refused.full"}
        assert status_of(server, "/health/live") == 200
        for each in two:
            each.next("beat")
            each.leave()


def test_ten_reconnects_leave_one_screen_and_one_copy_of_each_view(
    server: Server, service: FakeService
) -> None:
    auth = {"table": "ba1", "token": "show-ba1"}
    for _ in range(10):
        Screen(server, "/overlay", auth).leave()
    last = Screen(server, "/overlay", auth)
    last.next("view")
    until = time.monotonic() + WAIT_S
    while server.hub.seats()["/overlay"] > 1 and time.monotonic() < until:
        last.next("beat")
    assert server.hub.seats()["/overlay"] == 1
    seq = service.step("ba1")
    assert last.next("view")["seq"] == seq
    assert last.next_of_any()[0] == "beat"
    last.leave()


@pytest.mark.parametrize(
    "packet",
    ["4", "49", "42[", '42/dealer,["command"', "4\x00", "451-[]", '44{"a":1}', "42" * 2000],
)
def test_a_packet_that_is_none_gets_one_sentence_and_the_socket_ends(
    server: Server, packet: str, caplog: pytest.LogCaptureFixture
) -> None:
    connection = raw(server)
    connection.send(packet)
    answer = connection.recv()
    assert json.loads(answer.lstrip("4"))["data"] == {"code": "refused.malformed"}
    hear_the_end(connection)
    assert "Traceback" not in caplog.text
    assert status_of(server, "/health/live") == 200


def test_a_screen_that_reads_nothing_is_cut_and_keeps_no_thread(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.connections.LONGEST_QUEUE", -1)
    monkeypatch.setattr("web.connections.FAREWELL_S", 0.0)
    screens = [raw(server) for _ in range(3)]
    until = time.monotonic() + WAIT_S
    while server.hub.open_sockets() and time.monotonic() < until:
        status_of(server, "/health/live")
    assert server.hub.open_sockets() == 0
    for each in screens:
        each.shutdown()


def test_a_message_of_any_length_is_not_kept_in_memory(server: Server) -> None:
    connection = raw(server)
    connection.send("4" + "x" * 100_000)
    opcode, told = connection.recv_data()
    assert opcode == 8
    assert int.from_bytes(told[:2], "big") == 1009


def test_a_socket_from_another_site_is_refused(server: Server) -> None:
    with pytest.raises(Exception, match="400"):
        raw(server, origin="http://evil.example")
    raw(server, origin=server.url).close()


def test_polling_is_not_a_way_in(server: Server) -> None:
    assert status_of(server, "/socket.io/?EIO=4&transport=polling") == 400


def test_a_socket_that_joins_nothing_is_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.connections.IDLE_S", 0.0)
    connection = raw(server)
    hear_the_end(connection)


def test_a_late_overlay_is_late_by_the_tokens_word_and_the_addresss(
    screen: Any, server: Server
) -> None:
    screen("/overlay", {"table": "ba1", "token": "late-ba1", "delay_ms": 500})
    screen("/overlay", {"table": "ba1", "token": "show-ba1", "delay_ms": 999_999})
    assert set(server.hub.publisher._joined) == {
        ("ba1", "overlay", 2500),
        ("ba1", "overlay", 600_000),
    }


def test_the_transport_is_threads_whatever_else_is_installed(server: Server) -> None:
    assert server.hub._io.async_mode == "threading"
    assert SimpleNamespace(**vars(server.hub._io.server.eio)).transports == ["websocket"]
