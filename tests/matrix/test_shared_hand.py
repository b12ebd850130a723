"""Every simulated fault at every step of a round of the shared hand ends as policy says.

In process, as `test_in_process` has it for punto banco.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import pytest

from studio.simulate import faults
from studio.simulate.faults import SHARED_MOMENTS, Planned, at_game
from studio.table import coverage
from studio.table.profiles import PROFILES
from studio.table.rows import HOUSE
from tests.matrix import plain_course
from tests.matrix.cells import ABSORBED, SOURCES, Cell
from tests.matrix.course import Books
from tests.matrix.shared_cells import (
    BROUGHT_BY,
    ELSEWHERE,
    GAME,
    Row,
    cells,
    impossible,
    possible_cells,
)
from tests.support.plain_table import PlainTable

OTHERS = tuple(name for name in PROFILES if name != "house")
PLAYERS = 12


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Wallets that fail on purpose need not be told on the console."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


def play(cell: Cell, profile: str = "house") -> set[Row]:
    """The rows that come about in the course of a cell."""
    told = {"dealt": GAME, "players": PLAYERS, "profile": profile}
    return plain_course.play(cell, check_pair, **told)


def check_pair(books: Books, round_id: str, laid: Sequence[tuple[str, str]]) -> None:
    """The bet on a pair is the two first cards' alone, whatever else went wrong (RULES.md 1.6)."""
    shared = [code for zone, code in laid if zone == "M"]
    back = books.settled[round_id].columns
    same = shared[0][0] == shared[1][0]
    for bet, amount in zip(back.bets, back.amounts, strict=True):
        if bet == "pair":
            assert (amount > 0) == same, (round_id, shared)


def some(moment: str, *sources: tuple[str, ...]) -> list[Cell]:
    """The cells of a step that exist in process."""
    return [
        cell
        for cell in possible_cells()
        if cell.moment == moment and cell.sources in sources and cell.fault not in ABSORBED
    ]


@pytest.mark.parametrize("moment", SHARED_MOMENTS)
def test_a_fault_at_any_step_of_the_shared_hand_ends_as_the_house_says(moment: str) -> None:
    """With both sources, all faults."""
    for cell in some(moment, SOURCES[0]):
        play(cell)


@pytest.mark.soak
@pytest.mark.parametrize("moment", SHARED_MOMENTS)
@pytest.mark.timeout(300)
def test_with_one_source_a_fault_at_any_step_ends_as_the_house_says(moment: str) -> None:
    """A camera alone, and a shoe alone."""
    for cell in some(moment, *SOURCES[1:]):
        play(cell)


@pytest.mark.soak
@pytest.mark.parametrize("profile", OTHERS)
@pytest.mark.parametrize("moment", SHARED_MOMENTS)
@pytest.mark.timeout(300)
def test_the_whole_matrix_of_the_shared_hand_ends_as_every_other_profile_says(
    profile: str, moment: str
) -> None:
    """All cells of all sources."""
    for cell in some(moment, *SOURCES):
        play(cell, profile)


def test_every_cell_of_the_shared_hand_is_possible_or_says_why_not() -> None:
    """The matrix is whole: each fault of the contracts, each step, each set of sources."""
    every = list(cells())
    assert len(every) == len(faults.ALL) * len(SHARED_MOMENTS) * len(SOURCES)
    assert all((reason := impossible(cell)) is None or len(reason) > 20 for cell in every)
    assert {cell.fault for cell in possible_cells()} == set(faults.ALL)
    assert {cell.moment for cell in possible_cells()} == set(SHARED_MOMENTS)


@pytest.mark.parametrize("row", BROUGHT_BY, ids="-".join)
def test_a_row_of_the_shared_hand_comes_about_by_its_fault(row: Row) -> None:
    assert row in play(BROUGHT_BY[row])


def test_every_row_of_the_shared_hand_comes_about_or_says_where_it_is_tested() -> None:
    """Rows of policy and cells of the matrix belong together; neither is forgotten."""
    mine = {
        (row.row, row.code.value, row.stem)
        for row in HOUSE
        if coverage.happens(row, coverage.SHARED_HAND)
    }
    assert mine == set(BROUGHT_BY) | set(ELSEWHERE)
    assert not set(BROUGHT_BY) & set(ELSEWHERE)


def test_all_faults_of_the_shared_hand_one_after_the_other_leave_the_books_right() -> None:
    """`--fault all` in process, for several seeds and all sources."""
    for seed in (1, 2):
        for sources in SOURCES:
            names = faults.possible(sources)
            planned = tuple(
                at_game(Planned(name, at), GAME, sources) for at, name in enumerate(names, start=1)
            )
            at = PlainTable(
                dealt=GAME, sources=sources, faults=planned, seed=seed, players=PLAYERS
            ).run(len(names) + 1)
            plain_course.check(at, check_pair)
            assert [line["injected"] for line in at.lines[:-1]] == [[name] for name in names]
