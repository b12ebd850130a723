"""Any faults at any steps of the shared hand, answered by any lawful repair: the laws hold.

The people are those of a demonstration; which faults strike, and which lawful answers the
supervisor takes, is drawn from a seed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import reduce
from random import Random

import pytest

from studio.live.recovery import restore
from studio.simulate.faults import BURN, SHOE_CHANGE, Planned
from studio.table.evolve import evolve
from studio.table.state import Table
from tests.matrix.cells import SOURCES
from tests.matrix.shared_cells import GAME, possible_cells
from tests.property.test_any_course import AnyRepair
from tests.support.plain_table import OPENING, PlainTable

ROUNDS = 10


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Wallets that fail on purpose need not be told on the console."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


def course(seed: int) -> PlainTable:
    """A table with any sources; up to two faults in each round but the last."""
    random = Random(f"shared-{seed}")
    sources = random.choice(SOURCES)
    cells = [
        cell
        for cell in possible_cells()
        if cell.sources == sources and cell.moment not in (BURN, SHOE_CHANGE)
    ]
    planned = [
        Planned(cell.fault, number, cell.moment)
        for number in range(1, ROUNDS)
        for cell in random.choices(cells, k=random.choice((0, 1, 1, 2)))
    ]
    at = PlainTable(dealt=GAME, sources=sources, faults=tuple(planned), seed=seed, players=6)
    supervisor = AnyRepair(at.place)
    supervisor.chance = Random(f"repairs-{seed}")
    at.course.supervisor = at.supervisor = supervisor
    return at


def hold_the_laws(seed: int) -> None:
    """Play the course of a seed to its end and look at cards, money and journal."""
    at = course(seed).run(ROUNDS)
    facts = [(fact.event, fact.at_us) for fact in at.facts()]
    assert reduce(lambda state, fact: evolve(state, *fact), facts, Table()) == at.table, seed
    assert restore(at.journal, at.setup.table).table == at.table, seed
    assert at.tally.misreads == 0, (seed, at.said)
    lost = sum(line["house"] for line in at.lines)
    assert at.balances() == OPENING * len(at.names) - lost, seed
    assert len(at.lines) == ROUNDS


@pytest.mark.parametrize("seed", range(8))
def test_the_laws_hold_whatever_goes_wrong_at_the_shared_hand(seed: int) -> None:
    hold_the_laws(seed)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_the_laws_hold_over_thousands_of_rounds_of_the_shared_hand() -> None:
    for seed in range(8, 308):
        hold_the_laws(seed)
