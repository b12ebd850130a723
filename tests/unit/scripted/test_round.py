"""Rounds of the shared hand by `cutcard play`: the case files, and cases that cannot be played."""

import json
from pathlib import Path
from typing import Any

import pytest

from studio.play import answer, answers, differences

FILES = ("boundless_crafted", "boundless_random", "boundless_lanes")
PLAYER = {"id": "a", "balance": 10_000, "bets": {"main": 1000}, "insurance": None, "decisions": {}}
CASE = {
    "id": "x",
    "kind": "round",
    "game": "boundless-blackjack",
    "shoe": ["TS", "6D", "8C", "TC", "9D"],
    "players": [PLAYER],
}


@pytest.mark.shared
@pytest.mark.parametrize("name", FILES)
def test_every_case_passes_through_the_ordinary_table(name: str, shared: Path) -> None:
    file = shared / "cases" / f"{name}.jsonl"
    wrong = [
        (told["id"], told.get("error") or list(differences(told["expect"], told["result"])))
        for told in answers((str(file),))
        if "error" in told or list(differences(told["expect"], told["result"]))
    ]
    assert wrong == []


def played(**changes: Any) -> dict[str, Any]:
    """The answer to the case with these changes."""
    return answer(json.dumps({**CASE, **changes}))


def test_a_round_is_played_to_its_end() -> None:
    result = played()["result"]
    assert result["players"]["a"]["balance_after"] == 11_000
    assert result["waves"] == [{"actions": [["a", "M", "S", "S", "auto"]], "cards": []}]


@pytest.mark.parametrize("stake", [2**63, 10**19])
def test_stakes_that_no_array_of_numbers_holds_are_doubled_and_insured_to_the_unit(
    stake: int,
) -> None:
    rich = {**PLAYER, "balance": 3 * stake, "bets": {"main": stake}, "insurance": True}
    rich["decisions"] = {"M": ["D"]}
    result = played(players=[rich], shoe=["5S", "AD", "6C", "6H", "TH"])["result"]
    assert result["players"]["a"]["insurance_stake"] == stake // 2
    assert result["players"]["a"]["returned_total"] == 4 * stake
    assert result["players"]["a"]["balance_after"] == 4 * stake + stake // 2


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"shoe": ["TS", "6D"]}, "the shoe has too few cards for this round"),
        ({"shoe": ["TS", "XX", "8C", "TC"]}, "XX"),
        ({"players": [{**PLAYER, "balance": None}]}, "the balance of a must be whole"),
        ({"players": [{**PLAYER, "bets": {"main": 1.5}}]}, "the stake of a on main"),
        ({"players": [{**PLAYER, "decisions": {"M": ["X"]}}]}, "the inputs of lane M"),
        ({"players": [{**PLAYER, "decisions": []}]}, "decisions must be an object"),
        ({"players": [{**PLAYER, "insurance": "yes"}]}, "insurance must be true, false or null"),
        ({"players": [PLAYER, PLAYER]}, "each player must have an id of their own"),
        ({"players": [{**PLAYER, "bets": {}}]}, "nobody has a bet, so this round is not dealt"),
        ({"players": "a"}, "the field 'players' must be a list"),
        ({"players": [{**PLAYER, "decisions": {"Q": ["S"]}}]}, "for the lanes M L R, not for Q"),
        ({"balance_drops": [{"player": "z", "wave": 1, "amount": 1}]}, "z, who is no player"),
        ({"balance_drops": [{"player": "a", "wave": 0, "amount": 1}]}, "must be 1 or more"),
        ({"balance_drops": [{"player": "a"}]}, "the field 'wave' must be a whole number"),
        ({"schedule": "turns"}, "schedule"),
        ({"game": "baccarat"}, "baccarat has no rounds with decisions"),
    ],
)
def test_a_case_that_cannot_be_played_says_why_in_one_sentence(
    changes: dict[str, Any], sentence: str
) -> None:
    told = played(**changes)
    assert "result" not in told
    assert sentence in told["error"]


def test_many_cases_are_answered_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text("".join(json.dumps({**CASE, "id": n}) + "\n" for n in range(120)))
    found = list(answers((str(file),)))
    assert [told["id"] for told in found] == list(range(120))
    assert all("result" in told for told in found)
