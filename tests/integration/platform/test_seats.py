"""The seats of Baloot over real HTTP: each sees its own hand, and chooses for itself alone."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from studio.domain import commands as c
from tests.support.platform import KEY, Caller, House, settings_in
from tests.support.seated import BALOOT, Sitter, deal_to_bidding, open_baloot, sitters
from web.platform.openapi import document


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(settings_in(tmp_path, tables=2, other=BALOOT)) as running:
        yield running


@pytest.fixture
def seats(house: House) -> tuple[Sitter, ...]:
    """Four who sit at a table at which bidding has begun."""
    open_baloot(house)
    found = sitters(house)
    deal_to_bidding(house)
    return found


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, tuple[Sitter, ...]]]:
    """A table at which seat 0 is asked for its first call; nobody says anything there."""
    folder = tmp_path_factory.mktemp("waiting")
    with House(settings_in(folder, tables=2, other=BALOOT)) as running:
        open_baloot(running)
        found = sitters(running)
        deal_to_bidding(running)
        yield running, found


def fits(name: str, value: Any) -> None:
    """Compare a value with a schema of the description."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
    Draft202012Validator(schema).validate(value)


def codes(sitter: Sitter) -> list[str]:
    return [each["card"] for each in sitter.hand()["cards"]]


def bought(house: House, seats: tuple[Sitter, ...]) -> Sitter:
    """Seat 0 takes the face card as sun, the rest is dealt; who plays the first card is asked."""
    seats[0].choose("sun")
    desk = house.studio.desk("ba1")
    while desk.table().play is not None:
        step = desk.view("dealer", "e", 0).view["step"]
        asking = desk.table().round
        assert asking is not None
        open_now = asking.asking
        if open_now is not None and open_now.step == "play":
            return seats[open_now.seat]
        if open_now is not None:
            some = [word for word in ("pass", "leave") if word in open_now.options]
            word = (some or open_now.options)[0]
            assert seats[open_now.seat].choose(word, open_now.number).status == 200, open_now
        elif step["kind"] in {"deal", "card"}:
            house.deal(1)
        else:
            desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    raise AssertionError("the round has ended")


def test_a_seat_sees_its_own_cards_in_their_places_and_what_it_may_choose(
    waiting: tuple[House, tuple[Sitter, ...]],
) -> None:
    _, seats = waiting
    hands = [sitter.hand() for sitter in seats]
    for sitter, hand in zip(seats, hands, strict=True):
        fits("Hand", hand)
        assert hand["seat"] == sitter.seat
        assert [each["place"] for each in hand["cards"]] == [1, 2, 3, 4, 5]
    dealt = [each["card"] for hand in hands for each in hand["cards"]]
    assert len(set(dealt)) == 20
    assert "XX" not in dealt
    assert [hand["asked"] is not None for hand in hands] == [True, False, False, False]
    options = [each["choice"] for each in hands[0]["asked"]["options"]]
    assert options == ["pass", "hokum", "sun"]


def test_no_token_but_its_own_opens_a_hand(waiting: tuple[House, tuple[Sitter, ...]]) -> None:
    house, seats = waiting
    overlay = house.studio.accounts.add_token("ba1").secret
    wrong = ["", "x", overlay, KEY, "another-key-0123456789", seats[0].secret[:-1], "é" * 300]
    answers = [replace(seats[0], secret=each).send("hand") for each in wrong if each.isascii()]
    answers.append(seats[0].send("hand", headers={"Authorization": ""}))
    answers.append(seats[0].send("hand", headers={"Authorization": f"Basic {seats[0].secret}"}))
    signed = Caller(house.url).get("/api/v1/tables/ba1/seats/0/hand")
    for answer in (*answers, signed):
        assert answer.status == 401
        fits("Problem", answer.json)
    assert len({answer.body for answer in (*answers, signed)}) == 1


def test_a_token_of_another_seat_or_table_opens_nothing_and_learns_nothing(
    waiting: tuple[House, tuple[Sitter, ...]],
) -> None:
    house, seats = waiting
    other = sitters(house, "ba2")[0]
    answers = [
        seats[1].send("/api/v1/tables/ba1/seats/0/hand"),
        seats[1].send("/api/v1/tables/ba1/seats/4/hand"),
        seats[1].send("/api/v1/tables/ba1/seats/-1/hand"),
        seats[1].send("/api/v1/tables/ba1/seats/01/hand"),
        seats[1].send("/api/v1/tables/nowhere/seats/1/hand"),
        seats[1].send("/api/v1/tables/ba2/seats/1/hand"),
        other.send("/api/v1/tables/ba1/seats/0/hand"),
        other.send("/api/v1/tables/ba1/seats/0/choice", b'{"window":1,"choice":"pass"}'),
        other.send("/api/v1/tables/ba1/seats/0/qayd", b'{"note":""}'),
    ]
    assert {answer.status for answer in answers} == {403}
    assert len({answer.body for answer in answers}) == 1
    current = house.studio.desk("ba1").table().round
    assert current is not None
    assert current.asked == 1


def test_a_token_that_was_revoked_is_closed_at_once(
    house: House, seats: tuple[Sitter, ...]
) -> None:
    accounts = house.studio.accounts
    mine = next(each for each in accounts.list_seats() if (each.table, each.seat) == ("ba1", 0))
    assert seats[0].send("hand").status == 200
    accounts.revoke_token(mine.id)
    assert seats[0].send("hand").status == 401
    given = b'{"window":1,"choice":"pass"}'
    assert seats[0].send("choice", given).status == 401
    assert seats[1].send("hand").status == 200


def test_a_seat_of_a_table_that_seats_nobody_opens_nothing(tmp_path: Path) -> None:
    with House(settings_in(tmp_path)) as house:
        assert sitters(house)[0].send("hand").status == 403


GARBAGE = (
    b"", b"{", b"[]", b"null", b'{"window":1}', b'{"window":"1","choice":"pass"}',
    b'{"window":true,"choice":"pass"}', b'{"window":0,"choice":"pass"}',
    b'{"window":1,"choice":""}', b'{"window":1,"choice":"\\u0000"}', b'{"window":1,"choice":7}',
    b'{"window":1e400,"choice":"pass"}', b'{"window":1,"choice":"pass","seat":2}',
    b"[" * 2000, b'{"window":1,"choice":"' + b"x" * 5000 + b'"}', b"\xff\xfe",
)  # fmt: skip


def test_whatever_is_sent_as_a_choice_is_answered_with_a_sentence(
    waiting: tuple[House, tuple[Sitter, ...]],
) -> None:
    _, seats = waiting
    for body in GARBAGE:
        answer = seats[0].send("choice", body)
        assert answer.status in {400, 413}, body
        fits("Problem", answer.json)
    assert seats[0].hand()["asked"]["window"] == 1


def test_a_choice_counts_once_and_an_old_window_is_closed(seats: tuple[Sitter, ...]) -> None:
    first = seats[0].choose("pass", key="k1")
    assert (first.status, first.json) == (200, {"status": "done"})
    assert seats[0].choose("pass", 1, key="k1").body == first.body
    assert seats[0].choose("sun", 1, key="k1").status == 422
    for again in ("pass", "sun", "3"):
        late = seats[0].choose(again, 1)
        assert (late.status, late.json["code"]) == (409, "refused.window_closed")
    assert seats[1].hand()["asked"]["window"] == 2


def test_what_a_seat_may_not_choose_is_refused_in_one_and_the_same_words(
    waiting: tuple[House, tuple[Sitter, ...]],
) -> None:
    house, seats = waiting
    wrong = ["hokum:S", "ashkal", "1", "9", codes(seats[0])[0], codes(seats[1])[0], "no such word"]
    answers = [seats[0].choose(each, 1) for each in wrong]
    answers.append(seats[1].choose("pass", 1))
    assert {answer.status for answer in answers} == {409}
    assert len({answer.body for answer in answers}) == 1
    assert answers[0].json["code"] == "refused.not_allowed"
    assert house.studio.desk("ba1").table().held is False


def test_a_card_is_played_by_its_name_or_its_place(house: House, seats: tuple[Sitter, ...]) -> None:
    leads = bought(house, seats)
    desk = house.studio.desk("ba1")
    first = leads.hand()
    assert len(first["cards"]) == 8
    option = first["asked"]["options"][0]
    named = leads.choose(option["card"], key="a")
    assert named.status == 200
    assert leads.choose(option["card"], first["asked"]["window"], key="a").body == named.body
    desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    place = int(option["choice"])
    assert leads.hand()["cards"][place - 1] == {
        "place": place,
        "card": option["card"],
        "lies": "gone",
    }
    feed = house.caller().get("/api/v1/tables/ba1/feed?after=0").json["entries"]
    moved = [each["data"] for each in feed if each["type"] == "card.moved"]
    assert [each["card"] for each in moved if each["to"] == f"T{leads.seat}"] == [option["card"]]


def test_no_hand_is_in_the_feed_the_round_or_the_log(
    house: House, seats: tuple[Sitter, ...], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    leads = bought(house, seats)
    other = seats[(leads.seat + 1) % 4]
    hidden = codes(other)
    window = leads.hand()["asked"]["window"]
    assert other.choose(hidden[0], window).status == 409
    assert leads.choose(hidden[0], window).status == 409
    played = codes(leads)[0]
    assert leads.choose(played).status == 200
    current = house.studio.desk("ba1").table().round
    assert current is not None
    caller = house.caller()
    told = [
        caller.get("/api/v1/tables/ba1/feed?after=0").body.decode(),
        caller.get(f"/api/v1/tables/ba1/rounds/{current.id}").body.decode(),
        caller.get("/api/v1/tables").body.decode(),
        caplog.text,
    ]
    for card in hidden:
        assert not [text for text in told if f'"{card}"' in text], card
    with sqlite3.connect(tmp_path / "cutcard.db") as database:
        bodies = [row[0] for row in database.execute("SELECT body FROM commands")]
    assert any('"option"' in body for body in bodies)
    assert not any(f'"{played}"' in body for body in bodies)
    for secret in (sitter.secret for sitter in seats):
        assert not any(secret in text for text in told)


def test_a_hand_that_has_not_changed_is_not_sent_again(seats: tuple[Sitter, ...]) -> None:
    first = seats[1].send("hand")
    tag = first.headers["ETag"]
    assert seats[1].send("hand", headers={"If-None-Match": tag}).status == 304
    seats[0].choose("pass")
    assert seats[1].send("hand", headers={"If-None-Match": tag}).status == 200


def test_a_claim_stops_the_play_once_there_is_a_contract(
    house: House, seats: tuple[Sitter, ...]
) -> None:
    early = seats[1].claim("too early")
    wordless = seats[1].send("qayd", b"{}")
    assert (early.status, early.json["code"]) == (409, "refused.no_contract")
    assert (wordless.status, wordless.json) == (early.status, early.json)
    bought(house, seats)
    assert seats[1].claim("Seat 0 had clubs.", key="q").status == 200
    assert seats[1].claim("Seat 0 had clubs.", key="q").status == 200
    hold = house.studio.desk("ba1").table().hold
    assert hold is not None
    assert [fault.code.value for fault in hold.faults] == ["qayd"]
    assert seats[0].hand()["asked"] is None
    assert seats[1].send("qayd", json.dumps({"note": "x" * 201}).encode()).status == 400
    refused = seats[1].send("qayd", b'{"words":"x"}')
    assert refused.status == 400
    assert b"takes only the fields note" in refused.body


def test_a_seat_that_calls_too_often_waits(seats: tuple[Sitter, ...]) -> None:
    answers = [seats[2].send("hand").status for _ in range(80)]
    assert 429 in answers
    assert seats[1].send("hand").status == 200


def test_bets_say_what_they_are_on_in_the_name_or_beside_it(tmp_path: Path) -> None:
    with House(settings_in(tmp_path, other=BALOOT)) as house:
        round_id = open_baloot(house)
        house.players("ann")
        bets: list[dict[str, Any]] = [
            {"bet": "round:0"}, {"bet": "round", "on": 1}, {"bet": "game", "on": 0},
            {"bet": "kaboot", "on": "yes"}, {"bet": "kaboot", "on": 0}, {"bet": "round"},
            {"bet": "round:0", "on": 1},
        ]  # fmt: skip
        whole = [{"id": str(n), "player": "ann", "stake": 100, **bet} for n, bet in enumerate(bets)]
        target = f"/api/v1/tables/ba1/rounds/{round_id}/bets"
        answer = house.caller().post(target, {"bets": whole}).json
        assert answer["accepted"] == 4
        assert [(e["id"], e["reason"]) for e in answer["refused"]] == [
            ("4", "not_offered"), ("5", "not_offered"), ("6", "not_offered"),
        ]  # fmt: skip
        record = house.caller().get("/api/v1/players/ann/bets").json["bets"]
        assert [each["bet"] for each in record] == ["kaboot:yes", "game:0", "round:1", "round:0"]
        for on in (2, True, None, "maybe", [0], -1, 0.5):
            wrong = [{"id": "w", "player": "ann", "stake": 100, "bet": "round", "on": on}]
            assert house.caller().post(target, {"bets": wrong}).status == 400
