"""Which step of the shared hand a fault strikes at, and that the shoe is stacked for it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.domain.cards import CUT
from studio.games.boundless import GAME
from studio.simulate.desk import Place
from studio.simulate.faults import (
    ALL,
    OWN_AT_SHARED,
    RANKS,
    SHARED_MOMENTS,
    SHARED_STEPS,
    WINDOWS,
    Plan,
    Planned,
    at_game,
    moment_of,
)
from tests.support.shared import SharedRig

BOTH = ("shoe", "camera")
BOUNDLESS = GAME.name


@pytest.mark.parametrize("name", ALL)
def test_every_fault_has_a_step_of_the_shared_hand(name: str) -> None:
    assert at_game(Planned(name, 1), BOUNDLESS, BOTH).when in SHARED_MOMENTS


def test_faults_strike_in_a_wave_at_the_hidden_card_while_players_choose_and_at_the_peek() -> None:
    struck = {at_game(Planned(name, 1), BOUNDLESS, BOTH).when for name in ALL}
    assert struck >= {*SHARED_STEPS, "card_4"}
    assert set(OWN_AT_SHARED) <= set(ALL)


def test_a_step_that_was_said_stays_and_baccarat_keeps_its_own() -> None:
    assert at_game(Planned("kill", 1, "peek"), BOUNDLESS, BOTH).when == "peek"
    assert at_game(Planned("kill", 1), "baccarat", BOTH) == Planned("kill", 1)


def test_a_lone_shoe_does_not_see_which_face_a_card_shows() -> None:
    fault = Planned("exposed_card", 1)
    assert at_game(fault, BOUNDLESS, BOTH).when == "card_4"
    assert at_game(fault, BOUNDLESS, ("shoe",)).when == "result"


def test_a_plan_says_what_a_round_has_to_come_to() -> None:
    plan = Plan((Planned("unplug", 2, "insurance"), Planned("noise", 2, "card_2")))
    assert plan.waits_for(1) == ()
    assert plan.waits_for(2) == ("insurance", "card_2")
    plan.take(2, "card_2")
    assert plan.waits_for(2) == ("insurance",)


def place_with(box: list[str]) -> Place:
    nothing: Any = SimpleNamespace()
    return Place(desk=nothing, pace=nothing, wire=None, stage=None, box=box)


def test_wanted_ranks_come_first_and_no_card_is_lost() -> None:
    box = ["2C", "AS", "5H", "KD", CUT, "6S"]
    place = place_with(list(box))
    assert place.on_top(("5", "A", "6"))
    assert [code[0] for code in place.box[:3]] == ["5", "A", "6"]
    assert place.box.index(CUT) == box.index(CUT)
    assert sorted(place.box) == sorted(box)


@pytest.mark.parametrize("box", [["2C", "3C"], [CUT, "5H", "AS"], []])
def test_a_shoe_that_cannot_give_them_stays_as_it_is(box: list[str]) -> None:
    place = place_with(list(box))
    assert not place.on_top(("5", "A"))
    assert place.box == box


@pytest.mark.parametrize("step", WINDOWS)
def test_with_these_ranks_a_step_surely_comes(step: str) -> None:
    rig = SharedRig().seated(ann=1000)
    ranks = RANKS[step][:4]
    rig.cards(" ".join(f"{rank}{suit}" for rank, suit in zip(ranks, "SHDC", strict=True)))
    seen = {moment_of(rig.setup, rig.table)}
    for _ in range(2):
        rig.wait(12)
        seen.add(moment_of(rig.setup, rig.table))
    assert step in seen


def test_moments_of_the_first_cards_are_told_by_their_number() -> None:
    rig = SharedRig().seated(ann=1000)
    assert moment_of(rig.setup, rig.table) == "card_1"
    rig.cards("8S 7D")
    assert moment_of(rig.setup, rig.table) == "card_3"
