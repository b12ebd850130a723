"""The platform's interface over real HTTP: signed, idempotent, with refusals per entry."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from studio.domain import commands as c
from studio.live.signing import call_signature
from tests.support.platform import Caller, House, settings_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(settings_in(tmp_path, tables=2)) as running:
        yield running


@pytest.fixture
def caller(house: House) -> Caller:
    return house.caller()


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A studio at which nothing is played, for calls that come to no table."""
    with House(settings_in(tmp_path_factory.mktemp("quiet"))) as running:
        yield running


def test_the_worked_example_of_the_contract_has_its_signature() -> None:
    """CONTRACTS.md 8."""
    assert call_signature(
        "demo-key-0123456789",
        "POST",
        "/api/v1/tables/bb1/rounds/r-2026-01-01-17/bets",
        "1767225600",
        b'{"bets":[{"id":"b1","player":"p7","bet":"main","stake":1000}]}',
    ) == ("cac81d8354a20f66d5dcdbc497fdf9a0363f83d20886dd85a1e936514cef44e2")


def test_a_round_goes_from_bets_to_result_record_and_feed(house: House, caller: Caller) -> None:
    round_id = house.open_round()
    house.players("ann", "bob")
    table = caller.get("/api/v1/tables/ba1").json
    assert (table["state"], table["round"]) == ("betting", {"id": round_id, "state": "open"})
    assert table["limits"]["player"] == [100, 500000]
    placed = caller.bets(
        "ba1",
        round_id,
        [
            ("b1", "ann", "player", 1000),
            ("b2", "bob", "banker", 1000),
            ("b3", "eve", "player", 1000),
            ("b4", "ann", "player", 5),
            ("b5", "ann", "lucky_six", 500),
            ("b1", "bob", "player", 1000),
        ],
    )
    assert placed.status == 200
    assert placed.json["accepted"] == 2
    reasons = [(each["id"], each["reason"]) for each in placed.json["refused"]]
    assert reasons == [
        ("b4", "limits"), ("b5", "not_offered"), ("b1", "bet_known"), ("b3", "balance"),
    ]  # fmt: skip
    assert all(each["text"].endswith(".") for each in placed.json["refused"])
    house.close_and_deal()
    late = caller.bets("ba1", round_id, [("b9", "ann", "player", 1000)]).json
    assert late["accepted"] == 0
    assert [each["reason"] for each in late["refused"]] == ["bets_closed"]
    result = caller.get(f"/api/v1/tables/ba1/rounds/{round_id}/result").json
    assert (result["state"], result["result"], result["staked"]) == ("settled", "player", 2000)
    record = caller.get("/api/v1/players/ann/bets").json["bets"]
    assert [(b["id"], b["state"], b["stake"], b["returned"]) for b in record] == [
        ("b1", "settled", 1000, 2000)
    ]
    assert caller.get("/api/v1/players/eve/bets").json["bets"][0]["reason"] == "balance"
    feed = caller.get("/api/v1/tables/ba1/feed?after=0").json
    kinds = [entry["type"] for entry in feed["entries"]]
    assert kinds[0] == "shoe.started"
    assert kinds[-1] == "round.settled"
    assert feed["next"] == feed["entries"][-1]["n"]
    assert caller.get(f"/api/v1/tables/ba1/feed?after={feed['next']}").json["entries"] == []


def test_the_same_call_again_gets_the_same_answer_and_moves_nothing(
    house: House, caller: Caller
) -> None:
    round_id = house.open_round()
    house.players("ann", money=1500)
    assert house.studio.wallet is not None
    bets = [("b1", "ann", "player", 1000), ("b2", "ann", "tie", 1000)]
    first = caller.bets("ba1", round_id, bets, "key-1")
    assert [r["id"] for r in first.json["refused"]] == ["b2"]
    house.studio.wallet.settle("gift", [("ann", 5000)])
    assert caller.bets("ba1", round_id, bets, "key-1").body == first.body
    assert house.studio.wallet.balance("ann") == 5500
    other = caller.bets("ba1", round_id, [("b3", "ann", "player", 1000)], "key-1")
    assert (other.status, other.json["code"]) == (422, "refused.id_used")
    elsewhere = caller.bets("ba2", round_id, bets, "key-1")
    assert (elsewhere.status, elsewhere.json["code"]) == (422, "refused.id_used")


def test_the_answer_stays_the_same_after_a_restart_and_after_further_rounds(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path)
    bets = [("b1", "ann", "player", 1000), ("b2", "nobody", "tie", 1000)]
    with House(settings) as house:
        round_id = house.open_round()
        house.players("ann")
        first = house.caller().bets("ba1", round_id, bets, "key-1")
        house.close_and_deal()
        house.until(lambda desk: desk.table().phase.value in {"idle", "result"})
        assert house.caller().bets("ba1", round_id, bets, "key-1").body == first.body
    with House(settings) as house:
        assert house.caller().bets("ba1", round_id, bets, "key-1").body == first.body
        assert house.studio.wallet is not None
        assert house.studio.wallet.balance("ann") == 101_000


def test_another_platform_has_keys_of_its_own(house: House, caller: Caller) -> None:
    round_id = house.open_round()
    house.players("ann")
    other = house.caller(key="other", secret="another-key-0123456789")
    assert caller.bets("ba1", round_id, [("b1", "ann", "player", 100)], "k").json["accepted"] == 1
    assert other.bets("ba1", round_id, [("o1", "ann", "player", 100)], "k").json["accepted"] == 1


def test_a_replayed_call_without_a_key_does_nothing_twice(house: House, caller: Caller) -> None:
    round_id = house.open_round()
    house.players("ann")
    assert house.studio.wallet is not None
    answers = [caller.bets("ba1", round_id, [("b1", "ann", "player", 1000)]) for _ in range(3)]
    assert answers[0].json["accepted"] == 1
    assert house.studio.wallet.balance("ann") == 99_000


@pytest.mark.parametrize("ahead_s", [-61, 61, 7200, -3600])
def test_a_clock_that_is_wrong_is_named_as_the_reason(quiet: House, ahead_s: int) -> None:
    """R-39."""
    answer = quiet.caller(ahead_s=ahead_s).get("/api/v1/tables")
    assert (answer.status, answer.json["code"]) == (401, "refused.clock")
    assert "the studio's clock" in answer.json["detail"]


@pytest.mark.parametrize("ahead_s", [-55, 55])
def test_a_clock_that_is_a_little_off_is_no_reason(quiet: House, ahead_s: int) -> None:
    assert quiet.caller(ahead_s=ahead_s).get("/api/v1/tables").status == 200


SECRET = "s3cret-that-nobody-repeats"


@pytest.mark.parametrize(
    "change",
    [
        {"Cutcard-Signature": SECRET},
        {"Cutcard-Signature": ""},
        {"Cutcard-Key": SECRET},
        {"Cutcard-Key": "other"},
        {"Cutcard-Timestamp": SECRET},
        {"Cutcard-Timestamp": "-1"},
        {"Cutcard-Signature": "é" * 64},
    ],
)
def test_a_wrong_signature_is_refused_and_nothing_sent_is_repeated(
    house: House, caller: Caller, change: dict[str, str]
) -> None:
    answer = caller.send("GET", "/api/v1/tables", change=change)
    assert answer.status == 401
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert SECRET not in answer.body.decode()


def test_another_body_path_or_method_than_was_signed_is_refused(quiet: House) -> None:
    target = "/api/v1/tables/ba1/rounds/r/bets"
    body = b'{"bets":[{"id":"b1","player":"ann","bet":"player","stake":9000}]}'
    signed = body.replace(b"9000", b"1000")
    assert quiet.caller().send("POST", target, body, signed=signed).status == 401
    assert quiet.caller().get("/api/v1/tables/ba1/feed?after=0").status == 200


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "JSON"),
        (b"{", 400, "JSON"),
        (b"\xff", 400, "JSON"),
        (b"[" * 100_000, 400, "JSON"),
        (b"[]", 400, "must be a JSON object"),
        (b"{}", 400, "needs the field bets"),
        (b'{"bets":[],"more":1}', 400, "takes only the fields bets"),
        (b'{"bets":{}}', 400, "bets must be a list"),
        (b'{"bets":[]}', 422, "empty"),
        (b'{"bets":[{"id":"b1","player":"ann","bet":"player"}]}', 400, "bets[0] needs"),
        (b'{"bets":[{"id":1,"player":"a","bet":"player","stake":1}]}', 400, "id must be text"),
        (b'{"bets":[{"id":"b","player":"a","bet":"player","stake":1.5}]}', 400, "whole number"),
        (b'{"bets":[{"id":"b","player":"a","bet":"player","stake":true}]}', 400, "whole number"),
        (b'{"bets":[{"id":"b","player":"a","bet":"player","stake":-1}]}', 400, "above 0"),
        (b'{"bets":[{"id":"b","player":"","bet":"player","stake":1}]}', 400, "printable"),
        (b'{"bets":[{"id":"\\ud800","player":"a","bet":"player","stake":1}]}', 400, "printable"),
    ],
)
def test_a_body_that_cannot_be_read_is_told_with_its_place(
    quiet: House, body: bytes, status: int, words: str
) -> None:
    answer = quiet.caller().send("POST", "/api/v1/tables/ba1/rounds/r/bets", body)
    assert answer.status == status
    assert words in answer.json["detail"]


def test_more_than_5000_entries_and_more_than_2_mib_are_too_large(quiet: House) -> None:
    many = [(f"b{n}", "ann", "player", 100) for n in range(5001)]
    answer = quiet.caller().bets("ba1", "r", many)
    assert (answer.status, answer.json["code"]) == (413, "refused.batch_too_large")
    large = quiet.caller().send(
        "POST", "/api/v1/tables/ba1/rounds/r/bets", b" " * (2 * 1024 * 1024 + 1)
    )
    assert (large.status, large.json["code"]) == (413, "refused.too_large")


def test_a_batch_of_5000_bets_is_taken(house: House, caller: Caller) -> None:
    round_id = house.open_round()
    names = [f"player-{n}" for n in range(5000)]
    assert house.studio.wallet is not None
    house.studio.wallet.settle("opening", [(name, 1000) for name in names])
    bets = [(f"bet-{n}", name, "player", 100) for n, name in enumerate(names)]
    assert caller.bets("ba1", round_id, bets).json == {"accepted": 5000, "refused": []}


def test_what_does_not_exist_is_not_found(quiet: House) -> None:
    for target in (
        "/api/v1/tables/xx",
        "/api/v1/tables/xx/feed",
        "/api/v1/tables/xx/rounds",
        "/api/v1/tables/ba1/rounds/none",
        "/api/v1/tables/ba1/rounds/none/result",
        "/api/v1/nothing",
    ):
        answer = quiet.caller().get(target)
        assert answer.status == 404, target
        assert answer.headers["Content-Type"] == "application/problem+json"
    unknown = quiet.caller().bets("ba1", "none", [("b1", "ann", "player", 100)])
    assert (unknown.status, unknown.json["code"]) == (404, "refused.round_unknown")


def test_a_game_without_decisions_says_so(quiet: House) -> None:
    given = {"window": 1, "decisions": [{"id": "d", "player": "p", "lane": "M", "action": "hit"}]}
    answer = quiet.caller().post("/api/v1/tables/ba1/rounds/r/decisions", given)
    assert answer.status in {404, 409}


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=99999999999999999999", "wait=26", "limit=0", "after=²"]
)
def test_a_number_out_of_range_is_told(quiet: House, query: str) -> None:
    answer = quiet.caller().get(f"/api/v1/tables/ba1/feed?{quote(query, safe='=')}")
    assert (answer.status, answer.json["code"]) == (400, "refused.malformed")


def test_a_reader_that_waits_is_told_as_soon_as_there_is_news(house: House, caller: Caller) -> None:
    house.open_round()
    last = caller.get("/api/v1/tables/ba1/feed?after=0").json["next"]
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(caller.get(f"/api/v1/tables/ba1/feed?after={last}&wait=20"))
    )
    waiting.start()
    house.studio.desk("ba1").ask(c.CloseBets(), who="Jonas", role="dealer")
    waiting.join(timeout=15)
    assert [entry["type"] for entry in answers[0].json["entries"]] == ["bets.closed"]


def test_a_held_table_refuses_each_bet_and_keeps_the_refusal(house: House, caller: Caller) -> None:
    round_id = house.open_round()
    house.players("ann")
    house.studio.desk("ba1").ask(c.CallSupervisor(), who="Jonas", role="dealer")
    answer = caller.bets("ba1", round_id, [("b1", "ann", "player", 100)]).json
    assert [each["reason"] for each in answer["refused"]] == ["table_held"]


def test_who_calls_too_often_waits(house: House, caller: Caller) -> None:
    statuses = set()
    for _ in range(30):
        statuses.add(caller.send("GET", "/api/v1/tables", change={"Cutcard-Key": "x"}).status)
    assert statuses == {401, 429}
    assert caller.get("/api/v1/tables").status == 200


def test_the_description_is_open_and_names_every_call(quiet: House) -> None:
    with urllib.request.urlopen(f"{quiet.url}/api/openapi.json") as answer:
        told = json.load(answer)
    assert told["openapi"].startswith("3.1")
    served = {
        (method.lower(), rule.rule.replace("<", "{").replace(">", "}").replace("round_id", "round"))
        for rule in quiet.app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(method, path) for path, calls in told["paths"].items() for method in calls}
    assert served == described
