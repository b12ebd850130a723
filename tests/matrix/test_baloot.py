"""Every mishap at every step of a round of Baloot ends as policy says."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest

from studio.domain import commands as c
from studio.domain.cards import Card
from studio.table import coverage
from studio.table.profiles import PROFILES
from studio.table.rows import HOUSE
from tests.matrix.baloot_cells import (
    BROUGHT_BY,
    ELSEWHERE,
    MISHAPS,
    SOURCES,
    STEPS,
    Cell,
    cells,
    impossible,
    possible_cells,
)
from tests.matrix.baloot_play import play
from tests.support.baloot_rig import DEALER, BalootRig
from tests.support.rig import FIRST, SECOND

OTHERS = tuple(name for name in PROFILES if name != "house")
PEOPLE = (
    FIRST,
    SECOND,
    DEALER,
    c.Asker(number="2", name="Seat 3", role="seat", session="t2"),
    c.NOBODY,
)


def some(step: str, *sources: tuple[str, ...]) -> list[Cell]:
    """The cells of a step."""
    return [cell for cell in possible_cells() if cell.step == step and cell.sources in sources]


@pytest.mark.soak
@pytest.mark.parametrize("sources", SOURCES, ids="+".join)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.timeout(600)
def test_all_mishaps_at_any_step_of_baloot_end_as_the_house_says(
    step: str, sources: tuple[str, ...]
) -> None:
    for cell in some(step, sources):
        play(cell)


@pytest.mark.soak
@pytest.mark.parametrize("profile", OTHERS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.timeout(900)
def test_the_whole_matrix_of_baloot_ends_as_every_other_profile_says(
    profile: str, step: str
) -> None:
    for cell in some(step, *SOURCES):
        play(cell, profile)


def test_every_cell_of_baloot_is_possible_or_says_why_not() -> None:
    """The matrix is whole: each mishap, each step, each set of sources."""
    every = list(cells())
    assert len(every) == len(MISHAPS) * len(STEPS) * len(SOURCES)
    assert all((reason := impossible(cell)) is None or len(reason) > 20 for cell in every)
    assert {cell.name for cell in possible_cells()} == set(MISHAPS)
    assert {cell.step for cell in possible_cells()} == set(STEPS)


@pytest.mark.parametrize("row", BROUGHT_BY, ids="-".join)
def test_a_row_of_baloot_comes_about_by_its_mishap(row: tuple[str, str, str]) -> None:
    assert row in play(BROUGHT_BY[row])


def test_every_row_of_baloot_comes_about_or_says_where_it_is_tested() -> None:
    """Rows of policy and cells of the matrix belong together; neither is forgotten."""
    possible = [row for row in HOUSE if coverage.happens(row, coverage.BALOOT)]
    mine = {(row.row, row.code.value, row.stem) for row in possible}
    assert mine == set(BROUGHT_BY) | set(ELSEWHERE)
    assert not set(BROUGHT_BY) & set(ELSEWHERE)


# -- who asks what ---------------------------------------------------------------------------------


def asked(rig: BalootRig, kind: Any) -> Any:
    """A command of this kind with values that fit the table as well as any."""
    held, current = rig.table.hold, rig.table.round
    values: dict[str, Any] = {
        "fault": held.faults[0].id if held and held.faults else "1",
        "reason": "reason.other",
        "round_id": current.id if current else "",
        "card": Card.parse("AH"),
        "index": 3,
        "seat": 2,
        "window": current.asking.number if current and current.asking else 1,
        "option": "1",
        "against": 1,
        "natural": True,
        "number": 0,
        "approval": "1",
        "batch": "b",
        "bets": (c.Bet("x", "ann", "round:0", 100),),
        "ids": ("x",),
        "decisions": (c.Decision("x", "ann", "", "hit"),),
        "players": ("ann",),
        "act": "begin",
        "day": "2026-01-02",
    }
    named = {each.name for each in fields(kind)}
    return kind(**{name: value for name, value in values.items() if name in named})


@pytest.mark.parametrize("held", [False, True], ids=["going", "held"])
@pytest.mark.parametrize("step", STEPS)
def test_whatever_anybody_asks_is_done_or_refused_with_words(step: str, held: bool) -> None:
    """Each kind of command by each kind of person, at each step; the laws hold after each."""
    start = BalootRig(sources=("shoe",)).opened(round_0=1000).until(step)
    if held:
        start.give(c.CallSupervisor())
    table, events, refusals = start.table, list(start.events), set[str | None]()
    for kind in get_args(c.Command):
        for by in PEOPLE:
            start.table, start.events = table, list(events)
            refused = start.refused(asked(start, kind), by)
            assert refused is None or refused.startswith("refused."), (kind, by, refused)
            refusals.add(refused)
    assert None in refusals
    assert len(refusals) > 10
