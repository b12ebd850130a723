"""Simulated players at seats: what they choose, and at which steps faults strike there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.domain.cards import CUT
from studio.domain.commands import PlaceDecisions
from studio.games.blackjack import GAME
from studio.simulate.crowd import Kind, Sharers
from studio.simulate.desk import Place
from studio.simulate.faults import (
    ALL,
    BETTING,
    BURN,
    CARDS,
    RANKS_AT_SEATS,
    RESULT,
    SEAT_STEPS,
    SHOE_CHANGE,
    Planned,
    at_game,
    moment_of,
    ranks_of,
)
from studio.table.state import Limit
from tests.support.shared import SharedRig

SEED_OF_A_BOOK = next(n for n in range(1, 99) if Sharers(n, (), 1).kind_of("p001") is Kind.BOOK)


def told(rig: SharedRig) -> list[str]:
    """What the one player, who knows basic strategy, chooses in the open window."""
    crowd = Sharers(SEED_OF_A_BOOK, (("main", Limit(100, 1000)),), 1)
    return [
        f"{each.lane} {each.action}"
        for asked in crowd.decisions(rig.setup, rig.table)
        if isinstance(asked, PlaceDecisions)
        for each in asked.decisions
    ]


def table(**rules: object) -> SharedRig:
    return SharedRig(rules=rules, game="blackjack").seated(p001=1000)


def test_a_player_by_the_book_plays_each_hand_of_a_split_by_its_own_cards() -> None:
    rig = table()
    rig.cards("8S 6D 8D TC")
    assert told(rig) == ["S1 split"]
    rig.answer("p001 S1 split")
    rig.cards("3C")
    assert told(rig) == ["S1:1 double"]
    rig.answer("p001 S1:1 double")
    rig.cards("TH 9H")
    assert told(rig) == ["S1:2 stand"]


def test_a_player_by_the_book_gives_nothing_up_early_and_takes_no_insurance() -> None:
    rig = table(surrender="early")
    rig.cards("TS AD 6C TC")
    assert told(rig) == ["S1 decline"]
    rig.answer("p001 S1 decline")
    assert told(rig) == [" decline"]


@pytest.mark.parametrize("name", ALL)
def test_every_fault_has_a_step_of_blackjack(name: str) -> None:
    moments = {BURN, BETTING, *CARDS[:4], *SEAT_STEPS, RESULT, SHOE_CHANGE}
    assert at_game(Planned(name, 1), GAME.name, ("shoe", "camera")).when in moments


@pytest.mark.parametrize("step", sorted(RANKS_AT_SEATS))
@pytest.mark.parametrize("seats", range(1, 8))
def test_with_these_ranks_a_step_surely_comes_however_many_seats_are_taken(
    step: str, seats: int
) -> None:
    rig = SharedRig(game="blackjack").seated(**{f"p{n}": 1000 for n in range(seats)})
    assert ranks_of(GAME.name) is RANKS_AT_SEATS
    cards = [f"{rank}{'SHDC'[n % 4]}" for n, rank in enumerate(RANKS_AT_SEATS[step])]
    cards += [f"T{'SHDC'[n % 4]}" for n in range(20)]
    seen = {moment_of(rig.setup, rig.table)}
    for _ in range(120):
        if step in seen:
            break
        if rig.table.window is not None:
            rig.pass_window()
        elif moment_of(rig.setup, rig.table) == "hole_card":
            rig.turn_hole()
        else:
            rig.cards(cards.pop(0))
        seen.add(moment_of(rig.setup, rig.table))
    assert step in seen


def test_a_shoe_that_lacks_the_cards_for_a_step_says_so() -> None:
    nothing: Any = SimpleNamespace()

    def place(box: list[str]) -> Place:
        return Place(desk=nothing, pace=nothing, wire=None, stage=None, box=box)

    assert place(["5S", "AS", "6H", "AD", CUT]).holds(("A", "A", "5"))
    assert not place(["5S", "AS", "6H", CUT]).holds(("A", "A"))
    assert not place(["5S", CUT, "AS", "6H"]).holds(("5", "A"))
