"""Every simulated fault at every step of a coup ends as policy says: in process, in milliseconds.

The people, the runner and the rules are those of a demonstration; wire and camera report as
drivers do. `test_bytes_and_pixels` plays the same cells through both.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from studio.simulate import faults
from studio.simulate.faults import BETTING, BURN, RESULT, SHOE_CHANGE, Planned
from studio.table import coverage
from studio.table.profiles import PROFILES
from studio.table.row import Row
from studio.table.rows import HOUSE
from tests.matrix.cells import ABSORBED, ELSEWHERE, SOURCES, Cell, cells, possible_cells
from tests.matrix.course import Books, cards_of, check_cell, check_table
from tests.support.plain_table import PlainTable

OTHERS = tuple(name for name in PROFILES if name != "house")
DIFFERENT = ("silence", "unplug", "frozen", "exposed_card", "extra_card", "missing_burn", "kill")
"""Faults that profiles handle otherwise than the house does."""
LOOKED_AT = {
    ("shoe", "camera"): (BURN, BETTING, "card_3", "player_third", RESULT),
    ("camera",): ("card_3", SHOE_CHANGE),
    ("shoe",): (),
}
"""Steps that are looked at for the rows of policy: the others bring no further ones."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Wallets that fail on purpose need not be told on the console."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


def play(cell: Cell, profile: str = "house") -> Books:
    """Deal the coup of a cell and a clean one after it; check both."""
    number = 2 if cell.moment == SHOE_CHANGE else 1
    planned = Planned(cell.fault, number, cell.moment)
    at = PlainTable(
        sources=cell.sources, faults=(planned,), stacked=cards_of(cell), profile=profile
    ).run(number + 1)
    return check_cell(cell, at, at.lines[number - 1])


def groups() -> list[tuple[str, tuple[str, ...]]]:
    """(fault, sources) for which some step is possible in process."""
    found = {(c.fault, c.sources): None for c in possible_cells() if c.fault not in ABSORBED}
    return list(found)


@pytest.mark.parametrize(
    ("fault", "sources"),
    groups(),
    ids=lambda part: part if isinstance(part, str) else "+".join(part),
)
def test_a_fault_at_any_step_ends_as_the_house_says(fault: str, sources: tuple[str, ...]) -> None:
    """House profile, all steps that the fault can strike at."""
    for cell in possible_cells():
        if (cell.fault, cell.sources) == (fault, sources):
            play(cell)


@pytest.mark.parametrize("profile", OTHERS)
@pytest.mark.parametrize("fault", DIFFERENT)
def test_a_fault_at_any_step_ends_as_another_profile_says(fault: str, profile: str) -> None:
    """Where the profile has a void as its own answer, the coup is void, and tested for after."""
    for cell in possible_cells():
        if cell.fault == fault and cell.sources == SOURCES[0]:
            play(cell, profile)


@pytest.mark.soak
@pytest.mark.parametrize("profile", OTHERS)
@pytest.mark.timeout(600)
def test_the_whole_matrix_ends_as_every_other_profile_says(profile: str) -> None:
    """All cells of all sources."""
    for cell in possible_cells():
        if cell.fault not in ABSORBED:
            play(cell, profile)


def test_every_cell_is_possible_or_says_why_not() -> None:
    """The matrix is whole: each fault of the contracts, each step, each set of sources."""
    every = list(cells())
    assert len(every) == len(faults.ALL) * len(faults.MOMENTS) * len(SOURCES)
    assert all(cell.impossible is None or len(cell.impossible) > 20 for cell in every)
    assert {cell.fault for cell in possible_cells()} == set(faults.ALL)
    assert {cell.moment for cell in possible_cells()} == set(faults.MOMENTS)


def test_every_row_of_the_house_comes_about_or_says_where_it_is_tested() -> None:
    """Rows of policy and cells of the matrix belong together; neither is forgotten."""
    met: set[Row] = set()
    for cell in possible_cells():
        if cell.fault not in ABSORBED and cell.moment in LOOKED_AT[cell.sources]:
            met |= {row for _, row in play(cell).rows}
    mine = [row for row in HOUSE if coverage.happens(row, coverage.BACCARAT)]
    assert {(row.row, row.code.value, row.stem) for row in mine if row not in met} == set(ELSEWHERE)
    assert all(row in mine for row in met)


def test_all_faults_one_after_the_other_leave_the_books_right() -> None:
    """`--fault all` in process, for several seeds and all sources."""
    for seed in range(1, 6):
        for sources in SOURCES:
            names = faults.possible(sources)
            planned = tuple(Planned(name, at) for at, name in enumerate(names, start=1))
            at = PlainTable(sources=sources, faults=planned, seed=seed).run(len(names) + 1)
            check_table(at)
            assert [line["injected"] for line in at.lines[:-1]] == [[name] for name in names]
