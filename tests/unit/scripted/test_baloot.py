"""Rounds of Baloot by `cutcard play`: the case file, other suits, and cases that cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from studio.play import answer, answers, differences
from tests.support.baloot_round import Says, Table, deck_of

SUITS = "CDHS"
RANKS = "789TJQKA"


@pytest.mark.shared
def test_every_shared_case_passes_through_the_ordinary_table(shared: Path) -> None:
    told = list(answers((str(shared / "cases" / "baloot_rounds.jsonl"),)))
    assert len(told) >= 72
    wrong = [
        (each["id"], each.get("error") or list(differences(each["expect"], each["result"])))
        for each in told
        if "error" in each or list(differences(each["expect"], each["result"]))
    ]
    assert wrong == []


def with_suits(case: Any, other: dict[str, str]) -> Any:
    """The same round in other suits; what is sorted by suit is sorted again."""

    def turned(value: Any) -> Any:
        if isinstance(value, str):
            if len(value) == 2 and value[0] in RANKS and value[1] in SUITS:
                return value[0] + other[value[1]]
            return f"hokum:{other[value[-1]]}" if value.startswith("hokum:") else value
        if isinstance(value, list):
            return [turned(each) for each in value]
        if isinstance(value, dict):
            return {key: turned(each) for key, each in value.items()}
        return value

    found = turned(case)
    expect = found["expect"]
    expect["bidding"] = [[seat, sorted(offer), call] for seat, offer, call in expect["bidding"]]
    if expect["contract"] and expect["contract"]["trump"]:
        expect["contract"]["trump"] = other[expect["contract"]["trump"]]
    for hand in expect.get("hands", {}).values():
        hand.sort(key=lambda code: (code[1], RANKS.index(code[0])))
    return found


@pytest.mark.shared
def test_the_same_rounds_in_other_suits_end_the_same(shared: Path) -> None:
    lines = (shared / "cases" / "baloot_rounds.jsonl").read_text("utf-8").splitlines()
    orders = list(permutations(SUITS))[1:]
    for number, line in enumerate(lines[::6]):
        other = dict(zip(SUITS, orders[number % len(orders)], strict=True))
        case = with_suits(json.loads(line), other)
        told = answer(json.dumps(case))
        assert list(differences(case["expect"], told.get("result"))) == [], told


@lru_cache
def plain() -> str:
    """A round in hokum of seat 0 as a case, with what comes of it."""
    deck = [card.code for card in deck_of({0: "JS AS AC KH 8H"}, "9S", receiver=0)]
    table = Table.of_codes(deck)
    plays: list[str] = []

    def noting(now: Table, due: Any) -> Any:
        chosen = says(now, due)
        if due.step == "play":
            plays.append(dict(now.hand(due.seat))[chosen.option].code)
        return chosen

    says = Says({"bidding": ["hokum", "pass", "pass", "pass"], "confirm": ["hokum"]})
    table.play_on(noting)
    assert table.outcome is not None
    case = {
        "id": "x",
        "kind": "baloot_round",
        "game": "baloot",
        "preset": "simple",
        "dealer": 3,
        "deck": deck,
        "calls": [[0, "hokum"], [1, "pass"], [2, "pass"], [3, "pass"], [0, "hokum"]],
        "scores": [0, 0],
        "raises": [],
        "declare": {str(seat): 0 for seat in range(4)},
        "plays": plays,
    }
    return json.dumps({"case": case, "outcome": table.outcome.as_dict()})


def case_with(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """The answer to that round with a change."""
    case: dict[str, Any] = json.loads(plain())["case"]
    change(case)
    return answer(json.dumps(case))


def test_a_round_through_the_table_is_that_of_the_pure_procedure() -> None:
    told = case_with(lambda case: None)
    assert told["result"] == json.loads(plain())["outcome"]


def test_what_lay_face_down_to_the_end_is_told_as_the_shoe_named_it() -> None:
    passes = [[seat, "pass"] for seat in (0, 1, 2, 3) * 2]
    told = case_with(lambda case: case.update(calls=passes, plays=[]))
    dealt = [code for _, packet in told["result"]["dealt"] for code in packet]
    deck = json.loads(plain())["case"]["deck"]
    assert dealt == deck[:20]
    assert told["result"]["redeal"] is True


def changes() -> Iterator[tuple[dict[str, Any], str]]:
    """What is changed, and what is said to it."""
    calls = [[0, "hokum"], [1, "pass"], [2, "pass"], [3, "pass"], [0, "hokum"]]
    raises = [{"seat": 1, "call": "double"}]
    yield {"deck": ["JS"]}, "the deck has too few cards for this round"
    yield {"deck": "JS"}, "the field 'deck' must be a list"
    yield {"deck": [7] * 32}, "the shoe must be a list of card codes"
    yield {"deck": ["1S"] * 32}, "'1S' is not a card"
    yield {"rules": []}, "the rules must be an object"
    yield {"rules": {"void": "must"}}, "void is 'must', but it must be free or must_trump"
    yield {"preset": 7}, "preset is 7, but it must be simple or saudi"
    yield {"game": "baccarat"}, "baccarat has no rule 'preset'"
    yield {"dealer": 4}, "dealer must be a seat from 0 to 3, not 4"
    yield {"dealer": None}, "dealer must be a seat from 0 to 3, not None"
    yield {"dealer": True}, "dealer must be a seat from 0 to 3, not True"
    yield {"scores": [1]}, "scores must be two whole numbers from 0 up"
    yield {"scores": [1, True]}, "scores must be two whole numbers from 0 up"
    yield {"scores": [1, -1]}, "scores must be two whole numbers from 0 up"
    yield {"calls": None}, "the field 'calls' must be a list"
    yield {"calls": [[0]]}, "call 1 must be a seat and a word"
    yield {"calls": [["0", "pass"]]}, "the seat of call 1 must be a seat from 0 to 3, not '0'"
    yield {"calls": [[1, "pass"]]}, "seat 1 cannot say pass: seat 0 is asked for pass hokum sun"
    yield {"calls": [[0, "ashkal"]]}, "seat 0 cannot say ashkal: seat 0 is asked for pass hokum"
    yield {"calls": [[0, "pass"]]}, "there are too few calls: seat 1 is asked for pass hokum sun"
    yield {"calls": [*calls, [1, "pass"]]}, "the round ended with 1 of its calls left"
    yield {"raises": {}}, "raises must be a list"
    yield {"raises": ["double"]}, "raise 1 must be an object with seat and call"
    yield {"raises": [{"seat": 9, "call": "double"}]}, "the seat of raise 1 must be a seat from 0"
    yield {"raises": [{**raises[0], "closed": 1}]}, "closed of raise 1 must be true or false"
    yield {"raises": [{"seat": 0, "call": "triple"}]}, "the round ended with 1 of its raises left"
    closed = {"closed": "raiser_chooses"}
    yield {"raises": raises, "rules": closed}, "seat 1 raised without saying whether it is closed"
    yield {"declare": []}, "declare must be an object"
    yield {"declare": {"4": 1}}, "declare names '4', but the seats are 0 to 3"
    yield {"declare": {"0": "1"}}, "declare of seat 0 must be a whole number from 0 up"
    yield {"plays": ["JS", 7]}, "plays must be a list of cards"
    yield {"plays": []}, "there are too few plays: seat 0 is to play"
    yield {"plays": ["7C"]}, "seat 0 cannot play 7C: it may play JS AS AC KH 8H 9S"


@pytest.mark.parametrize(("change", "sentence"), list(changes()))
def test_a_case_that_cannot_be_played_is_told_in_one_sentence(
    change: dict[str, Any], sentence: str
) -> None:
    told = case_with(lambda case: case.update(change))
    assert told["id"] == "x"
    assert told["error"].startswith(sentence)
    assert "\n" not in told["error"]


def test_kinds_for_unit_tests_are_skipped_by_name() -> None:
    for kind in ("score", "legal", "trick", "projects", "detect", "sun_double", "kawesh"):
        assert answer(json.dumps({"id": 1, "kind": kind})) == {"id": 1, "skipped": "unit test"}
