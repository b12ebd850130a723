"""Rounds of blackjack by `cutcard play`: the case file, and cases that cannot be played."""

import json
from pathlib import Path
from typing import Any

import pytest

from studio.play import answer, answers, differences

SEAT = {"id": "1", "balance": 10_000, "bet": 1000, "insurance": None, "decisions": []}
CASE = {
    "id": "x",
    "kind": "classic",
    "game": "blackjack",
    "rules": {},
    "shoe": ["TS", "6D", "8C", "TC", "9D"],
    "seats": [SEAT],
}


@pytest.mark.shared
def test_every_shared_case_passes_through_the_ordinary_table(shared: Path) -> None:
    told = list(answers((str(shared / "cases" / "classic.jsonl"),)))
    assert len(told) >= 68
    wrong = [
        (each["id"], each.get("error") or list(differences(each["expect"], each["result"])))
        for each in told
        if "error" in each or list(differences(each["expect"], each["result"]))
    ]
    assert wrong == []


def played(**changes: Any) -> dict[str, Any]:
    """The answer to the case with these changes."""
    return answer(json.dumps({**CASE, **changes}))


def test_a_seat_that_answers_nothing_is_played_by_the_automatic_rule() -> None:
    result = played()["result"]
    assert result["seats"]["1"]["balance_after"] == 11_000
    assert result["dealt"][-1] == ["D", "9D", "up"]


def test_a_seat_without_money_for_its_bet_is_dealt_nothing() -> None:
    seats = [{**SEAT, "balance": 10}, {**SEAT, "id": "2"}]
    result = played(seats=seats)["result"]
    assert result["rejected"] == [["1", "main", "balance"]]
    assert [hand for hand, _, _ in result["dealt"]] == ["2", "D", "2", "D", "D"]
    assert result["seats"]["1"] == {
        "hands": [],
        "insurance_stake": 0,
        "insurance_returned": 0,
        "returned_total": 0,
        "balance_after": 10,
    }


def test_a_seat_that_is_disconnected_answers_nothing_more() -> None:
    shoe = ["5S", "6D", "5C", "TC", "2D", "9D", "TS"]
    seat = {**SEAT, "decisions": ["H", None, "S"]}
    hands = played(shoe=shoe, seats=[seat])["result"]["seats"]["1"]["hands"]
    assert [hand["cards"] for hand in hands] == [["5S", "5C", "2D"]]


def test_the_hand_of_a_split_is_named_by_its_place_at_that_moment() -> None:
    shoe = ["8S", "6D", "8C", "TC", "8H", "8D", "TH", "9C", "KC", "2S", "TD"]
    seat = {**SEAT, "decisions": ["P", "P", "P", "S", "S", "S", "S"]}
    result = played(shoe=shoe, seats=[seat], rules={"max_hands": 4})["result"]
    assert [hand for hand, _, _ in result["dealt"]] == [
        *("1", "D", "1", "D"),
        *("1:1", "1:1", "1:1", "1:2", "1:3", "1:4", "D"),
    ]
    assert [hand["stake"] for hand in result["seats"]["1"]["hands"]] == [1000] * 4


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"shoe": ["TS", "6D"]}, "the shoe has too few cards for this round"),
        ({"seats": [{**SEAT, "balance": -1}]}, "the balance of 1 must be whole"),
        ({"seats": [{**SEAT, "bet": "much"}]}, "the field 'bet' must be a whole number"),
        ({"seats": [{**SEAT, "decisions": ["X"]}]}, "the decisions of seat 1 must be a list of H"),
        ({"seats": [{**SEAT, "insurance": 1}]}, "insurance must be true, false or null"),
        ({"seats": [SEAT, SEAT]}, "each seat must have an id of its own"),
        ({"seats": ["1"]}, "each seat must be an object with id and bet"),
        ({"seats": []}, "no seat has a bet, so this round is not dealt"),
        ({"seats": [{**SEAT, "bet": 0}]}, "no seat has a bet, so this round is not dealt"),
        ({"rules": {"surrender": "late", "hole_card": "none_all_lost"}}, "surrender is 'late'"),
        ({"game": "boundless-blackjack"}, "boundless-blackjack has no seats with hands of"),
        ({"kind": "round", "players": []}, "a round of blackjack is a case of kind classic"),
    ],
)
def test_a_case_that_cannot_be_played_says_why_in_one_sentence(
    changes: dict[str, Any], sentence: str
) -> None:
    told = played(**changes)
    assert "result" not in told
    assert sentence in told["error"]


def test_an_eighth_seat_of_one_batch_is_refused() -> None:
    seats = [{**SEAT, "id": str(number)} for number in range(1, 9)]
    deck = [f"{rank}{suit}" for rank in "23456789" for suit in "CDHS"]
    result = played(shoe=deck + ["TS"] * 8, seats=seats)["result"]
    assert result["rejected"] == [["8", "main", "table_full"]]
    assert [hand for hand, _, _ in result["dealt"]][:8] == [*"1234567", "D"]


@pytest.mark.parametrize(("says", "refused"), [(False, []), (None, []), (True, ["insurance"])])
def test_of_a_seat_that_gave_up_only_a_wish_to_insure_is_refused(
    says: bool | None,
    refused: list[str],
) -> None:
    """Saying no to what one is not offered is no wrong call."""
    given_up = {**SEAT, "insurance": says, "decisions": ["R"]}
    seats = [given_up, {**SEAT, "id": "2", "insurance": False, "decisions": ["S"]}]
    shoe = ["TS", "9C", "AD", "6C", "9D", "9S"]
    result = played(rules={"surrender": "early"}, shoe=shoe, seats=seats)["result"]
    assert [what for _, what, _ in result["rejected"]] == refused
