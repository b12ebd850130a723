"""What a verdict is said to write is what it writes, but for what the racks alone can tell."""

from __future__ import annotations

from random import Random

import pytest

from studio.games.baloot import GAME
from studio.games.baloot.projects import detect, word_of
from studio.games.procedure import Choose, Chosen
from tests.support.baloot_round import Says, Table, deck_of, hokum

BEFORE_SHOWN = ("projects", "play", "turn_card")
FIFTY = {1: "7C 8C 9C TC AD", 2: "KS", 3: "QS"}
"""Seat 1 holds a run of four clubs."""


def announcing(table: Table, due: Choose) -> Chosen:
    """Seat 0 buys, every seat announces all that it holds, and plays as the clock would."""
    if due.step == "projects":
        best = detect([card for _, card in table.racks[due.seat]], table.mode)
        word = word_of(best)
        return Chosen(due.seat, word if word in due.options else "none")
    wanted = {"bidding": "sun" if table.figures[4] % 2 else "hokum"}.get(due.step, "")
    auto = GAME.choices(table.rules, tuple(table.inputs), table.down).auto
    return Chosen(due.seat, wanted if wanted in due.options else auto)


def said_and_written(table: Table, against: int) -> tuple[int, int]:
    """Points that a verdict is said to write for the other side, and those that it writes."""
    said = GAME.verdict(table.rules, tuple(table.inputs), table.down, against)
    assert said is not None
    table.verdict(against)
    table.play_on(announcing)
    assert table.outcome is not None
    assert table.outcome.score is not None
    written = table.outcome.score.final
    assert said[against] == written[against] == 0
    return said[1 - against], written[1 - against]


@pytest.mark.parametrize("preset", ["simple", "saudi"])
@pytest.mark.parametrize("seed", range(40))
def test_a_verdict_writes_what_it_was_said_to_write(preset: str, seed: int) -> None:
    chance = Random(seed)
    deck = list(GAME.pack)
    chance.shuffle(deck)
    table = Table(GAME.rules({"preset": preset}), iter(deck), (0, 0, 3, 1, 1 + seed % 2))
    table.until("take_trick", announcing)
    for _ in range(chance.randrange(4, 30)):
        table.step(announcing)
    said, written = said_and_written(table, seed % 2)
    assert table.outcome is not None
    counted = table.outcome.projects
    assert counted is not None
    assert said in (written, written - 2 * counted.baloot[1 - seed % 2])


@pytest.mark.parametrize("step", BEFORE_SHOWN)
def test_a_project_counts_once_it_was_announced(step: str) -> None:
    says = Says(hokum(projects=["none", "fifty"]))
    table = Table(GAME.rules({}), deck_of(FIFTY, "9S", receiver=0)).until("turn_card", says)
    table.step(says)
    table.until(step, says)
    while GAME.board(table.rules, tuple(table.inputs), {}).seats[1].projects == ():
        table.step(says)
    assert said_and_written(table, 0) == (16 + 5, 16 + 5)


def test_which_of_two_equal_kinds_is_higher_is_not_said_before_they_are_shown() -> None:
    hands = {**FIFTY, 0: "AH KH QH JH 7S"}
    says = Says(hokum(projects=["fifty", "fifty"]))
    table = Table(GAME.rules({}), deck_of(hands, "9S", receiver=0)).until("take_trick", says)
    inputs = tuple(table.inputs)
    assert GAME.verdict(table.rules, inputs, table.down, 1) == (16, 0)
    assert GAME.verdict(table.rules, inputs, table.down, 0) == (0, 16)
    table.step(says)
    assert said_and_written(table, 1) == (16 + 5, 16 + 5)


def test_a_baloot_in_the_racks_is_not_said() -> None:
    table = Table(GAME.rules({}), deck_of({0: "KS QS 7D 8D 9D"}, "9S", receiver=0))
    table.until("turn_card", Says(hokum()))
    assert said_and_written(table, 1) == (16, 16 + 2)
