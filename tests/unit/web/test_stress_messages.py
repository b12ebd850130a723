"""Messages that no honest screen sends: each gets one sentence or an end, and harms nobody else."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from websocket import ABNF, WebSocketException

from tests.unit.web.conftest import Server
from tests.unit.web.fakes import FakeService
from tests.unit.web.test_sockets import PIN, Screen, command, hear_the_end, raw, status_of

OVERLAY = {"table": "ba1", "token": "show-ba1"}


@pytest.fixture
def dealer(server: Server, service: FakeService) -> Iterator[Screen]:
    cookie = service.accounts.sign_in("101", PIN, "").token
    opened = Screen(server, "/dealer", {"table": "ba1"}, cookie)
    yield opened
    opened.leave()


@pytest.fixture
def bystander(server: Server) -> Iterator[Screen]:
    """An overlay that must not notice anything."""
    opened = Screen(server, "/overlay", OVERLAY)
    opened.next("view")
    yield opened
    opened.leave()


def unharmed(server: Server, service: FakeService, bystander: Screen) -> None:
    """The others still get each new view, and pages are answered."""
    seq = service.step("ba1")
    while bystander.next("view")["seq"] < seq:
        pass
    assert status_of(server, "/health/live") == 200


def nested(depth: int) -> str:
    """Lists in lists, as JSON."""
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("size", [70_000, 1_000_000])
def test_a_message_of_a_megabyte_ends_its_own_socket_only(
    server: Server, service: FakeService, bystander: Screen, size: int
) -> None:
    connection = raw(server)
    with contextlib.suppress(WebSocketException, OSError):  # the server may hang up while it comes
        connection.send(f'42/dealer,["command",{{"x":"{"y" * size}"}}]')
    hear_the_end(connection)
    unharmed(server, service, bystander)
    assert service.asked == []


@pytest.mark.parametrize("depth", [200, 900, 3_000, 30_000])
def test_lists_in_lists_without_end_get_one_sentence_or_the_end(
    server: Server, service: FakeService, dealer: Screen, bystander: Screen, depth: int
) -> None:
    asked = json.dumps(command())[:-1] + f',"more":{nested(depth)}}}'
    dealer.connection.send(f'42/dealer,7["command",{asked}]')
    said = said_before_the_end(dealer)
    assert "refused.malformed" in said or "refused.too_large" in said
    unharmed(server, service, bystander)
    assert service.asked == []


def said_before_the_end(screen: Screen) -> str:
    """All that comes until an answer, a refusal or the end."""
    said = ""
    try:
        while "refused." not in said:
            said += str(screen.connection.recv())
    except (WebSocketException, OSError):
        pass
    return said


@pytest.mark.parametrize(
    "args",
    [
        '{"reason": NaN}',
        '{"reason": -Infinity}',
        '{"index": 1e400}',
        '{"index": %s}' % ("9" * 5000),
        '{"a": 1, "a": 2, "__class__": "x"}',
        '{"reason": "\\u0000"}',
        '{"reason": "\\ud800"}',
    ],
)
def test_json_that_is_odd_never_becomes_more_than_an_answer(
    server: Server, service: FakeService, dealer: Screen, bystander: Screen, args: str
) -> None:
    fields = json.dumps(command())[:-1].replace('"args": {}', f'"args": {args}')
    dealer.connection.send(f'42/dealer,7["command",{fields}}}]')
    said = ""
    try:
        while "43/dealer,7[" not in said and "refused." not in said:
            said += str(dealer.connection.recv())
    except (WebSocketException, OSError):
        pass
    unharmed(server, service, bystander)


def test_binary_frames_are_no_messages(
    server: Server, service: FakeService, bystander: Screen
) -> None:
    for content in (b"", b"\x00" * 200, bytes(range(256)), b'42/dealer,["command",{}]'):
        connection = raw(server)
        connection.send(content, ABNF.OPCODE_BINARY)
        hear_the_end(connection)
    unharmed(server, service, bystander)
    assert service.asked == []


def test_broken_frames_and_half_a_handshake_harm_nobody(
    server: Server, service: FakeService, bystander: Screen
) -> None:
    port = int(server.url.rpartition(":")[2])
    for content in (
        b"\x81\xff" + b"\xff" * 8,  # a text of 2**64 bytes to come
        b"\xf1\x80\x00\x00\x00\x00",  # reserved bits
        b"\x01\x80\x00\x00\x00\x00",  # a beginning that never ends
        b"\x81\x82\x00\x00\x00\x00\xff\xfe",  # text that is no UTF-8
    ):
        connection = raw(server)
        connection.sock.sendall(content)
        connection.shutdown()
    for content in (
        b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nUpgra",
        b"\x16\x03\x01",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as plug:
            plug.sendall(content)
    unharmed(server, service, bystander)


@pytest.mark.parametrize("event", ["view", "beat", "refused", "connect", "disconnect", "message"])
def test_an_event_that_no_screen_may_send_ends_the_socket_with_a_sentence(
    server: Server, service: FakeService, bystander: Screen, event: str
) -> None:
    overlay = Screen(server, "/overlay", OVERLAY)
    overlay.connection.send(f'42/overlay,["{event}",{{"table":"ba1","audience":"dealer"}}]')
    assert "refused.malformed" in said_before_the_end(overlay)
    hear_the_end(overlay.connection)
    unharmed(server, service, bystander)


@pytest.mark.parametrize("kind", ["20-", "\uff12", "\u0662"])
@pytest.mark.parametrize("event", ["disconnect", "connect"])
def test_an_event_in_a_writing_of_its_own_is_no_way_around(
    server: Server, service: FakeService, bystander: Screen, event: str, kind: str
) -> None:
    """The transport reads any digit as a type, and takes a count of attachments before events."""
    overlay = Screen(server, "/overlay", OVERLAY)
    overlay.connection.send(f'4{kind}/overlay,["{event}",{{"table":"ba1"}}]')
    assert "refused.malformed" in said_before_the_end(overlay)
    hear_the_end(overlay.connection)
    unharmed(server, service, bystander)


@pytest.mark.parametrize("namespace", ["/", "/admin", "/dealer/ba1", "/" + "x" * 2000, "/../x"])
def test_a_namespace_that_does_not_exist_is_refused(
    server: Server, service: FakeService, bystander: Screen, namespace: str
) -> None:
    connection = raw(server)
    connection.send(f"40{namespace},{json.dumps(OVERLAY)}")
    answer = str(connection.recv())
    assert answer.startswith("44"), answer[:80]
    connection.close()
    assert sum(server.hub.seats().values()) == 1
    unharmed(server, service, bystander)


def test_joining_again_and_again_on_one_socket_takes_one_seat_at_most(
    server: Server, service: FakeService, bystander: Screen
) -> None:
    connection = raw(server)
    for _ in range(30):
        connection.send(f"40/overlay,{json.dumps(OVERLAY)}")
    unharmed(server, service, bystander)
    assert server.hub.seats()["/overlay"] <= 2
    connection.shutdown()
    while server.hub.seats()["/overlay"] > 1:
        bystander.next("beat")
    assert set(server.hub.publisher._joined.values()) == {1}


def test_a_flood_of_messages_is_told_to_wait_and_the_others_hear_each_beat(
    server: Server, service: FakeService, dealer: Screen, bystander: Screen
) -> None:
    for number in range(1_000):
        asked = command(command_id=f"c-{number:08}", name="confirm")
        dealer.connection.send(f'42/dealer,{number}["command",{json.dumps(asked)}]')
    bystander.next("beat")
    unharmed(server, service, bystander)
    while True:
        kind, data = dealer.read()
        if kind == "3" and data[0]["code"] == "refused.too_fast":
            break
    assert len(service.asked) < 100


def test_an_overlays_token_is_good_for_its_own_table_and_for_looking_only(
    server: Server, service: FakeService
) -> None:
    overlay = Screen(server, "/overlay", OVERLAY)
    for name in ("ConfirmStep", "OpenBets", "VoidRound", "Approve"):
        answer = overlay.say("command", command(name=name))
        assert answer["code"] == "refused.no_right"
    overlay.leave()
    service.names = ("ba1", "ba2")
    service.seqs["ba2"] = 1
    connection = raw(server)
    connection.send('40/overlay,{"table":"ba2","token":"show-ba1"}')
    assert "refused.token" in str(connection.recv())
    for namespace in ("/dealer", "/supervisor"):
        connection.send(f"40{namespace},{json.dumps(OVERLAY)}")
        assert "refused.signed_out" in str(connection.recv())
    connection.close()
    assert service.asked == []


@pytest.mark.parametrize(
    "path", ["/api/ui/view/ba2/overlay", "/api/ui/view/ba1/dealer", "/api/ui/wall", "/picture/ba1"]
)
def test_an_overlays_token_opens_no_other_page(
    client: FlaskClient, service: FakeService, path: str
) -> None:
    service.names = ("ba1", "ba2")
    service.seqs["ba2"] = 1
    assert client.get(f"{path}?token=show-ba1").status_code in {401, 403}


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "file://",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        "http://127.0.0.1.evil.example",
        "http://evil.example@127.0.0.1",
        "//127.0.0.1",
        "http://[::1",
    ],
)
def test_a_socket_with_a_forged_origin_is_refused(server: Server, origin: str) -> None:
    with pytest.raises(Exception, match="400"):
        raw(server, origin=origin)
    assert server.hub.open_sockets() == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_no_address_that_changes_something_takes_a_request_of_another_site(
    signed_in: Any, service: FakeService, headers: dict[str, str]
) -> None:
    browser: FlaskClient = signed_in("201")
    before = dict(service.accounts.sessions)
    changing = [
        (rule.rule, method)
        for rule in browser.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
    ]
    assert ("/api/ui/sign-in", "POST") in changing
    for path, method in changing:
        for body in ({"json": {"number": "101", "pin": PIN}}, {"data": {"number": "101"}}):
            answer = browser.open(path, method=method, headers=headers, **body)  # type: ignore[arg-type]
            assert answer.status_code == 403, (path, method)
    assert service.accounts.sessions == before
    assert service.asked == []


@pytest.mark.parametrize("body", [b"x" * 1_000_000, b'{"number":"' + b"1" * 1_000_000 + b'"}'])
def test_a_megabyte_to_the_sign_in_is_too_large(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/api/ui/sign-in", data=body, content_type="application/json")
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"101"',
        b"\xff\xfe",
        b'{"number":{"a":1},"pin":[]}',
        b'{"number":"\\ud800","pin":"\\u0000"}',
        nested(8_000).encode(),
        b'{"number":"101","pin":"%s"}' % (b"1" * 200),
    ],
)
def test_what_is_no_sign_in_gets_one_sentence(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/api/ui/sign-in", data=body, content_type="application/json")
    assert answer.status_code in {400, 401, 413}, answer.text
    assert answer.mimetype == "application/problem+json"
    assert "Traceback" not in answer.text


SECRET_FILES = ("config.toml", "pyproject.toml", "web/app.py", "etc/passwd")
WAYS_UP = (
    "../",
    "../../",
    "..%2f..%2f",
    "%2e%2e/%2e%2e/",
    "..\\..\\",
    "%5c..%5c..%5c",
    "....//....//",
    "/",
    "%2f",
    "assets/../../../",
    "%00/../../",
    "file:///",
)


@pytest.mark.parametrize("way", WAYS_UP)
def test_no_address_leads_out_of_the_built_files(server: Server, way: str) -> None:
    """Written on the wire as it stands: no client tidies the dots away."""
    host, port = server.url.removeprefix("http://").split(":")
    bases = {
        rule.rule.split("<")[0]
        for rule in server.app.url_map.iter_rules()
        if "GET" in (rule.methods or set())
    }
    assert "/static/" in bases
    for base in sorted(bases):
        for name in SECRET_FILES:
            connection = http.client.HTTPConnection(host, int(port), timeout=5)
            connection.putrequest("GET", f"{base}{way}{name}", skip_host=False)
            connection.endheaders()
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            assert answer.status in {301, 303, 308, 400, 401, 403, 404}, (base, way, name)
            assert b"[studio]" not in text
            assert b"root:" not in text
