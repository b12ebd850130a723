"""Every simulated fault at every step of a round of blackjack at seats ends as policy says.

In process, as `test_shared_hand` has it for the hand that all players share.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import pytest

from studio.simulate import faults
from studio.simulate.faults import Planned, at_game
from studio.table import coverage
from studio.table.profiles import PROFILES
from studio.table.rows import HOUSE
from tests.matrix import plain_course
from tests.matrix.cells import ABSORBED, SOURCES, Cell
from tests.matrix.course import Books
from tests.matrix.seat_cells import (
    BROUGHT_BY,
    ELSEWHERE,
    GAME,
    MOMENTS,
    Row,
    cells,
    impossible,
    possible_cells,
)
from tests.support.plain_table import PlainTable

OTHERS = tuple(name for name in PROFILES if name != "house")
PLAYERS = 3
SEED = 11
"""With it all three take a seat, and one of them says nothing: the dealer has time to err."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Wallets that fail on purpose need not be told on the console."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


def play(cell: Cell, profile: str = "house") -> set[Row]:
    """The rows that come about in the course of a cell."""
    told = {"dealt": GAME, "seed": SEED, "players": PLAYERS, "profile": profile}
    return plain_course.play(cell, check_money, **told)


def check_money(books: Books, round_id: str, laid: Sequence[tuple[str, str]]) -> None:
    """Each bet of a seat that did not split brings what a plain count of its cards says."""
    bets = books.bets[round_id]
    back = books.settled[round_id].columns
    hands = {zone: [code for to, code in laid if to == zone] for zone, _ in laid}
    mains = [player for player, bet, _ in bets.values() if bet == "main"]
    seats = {player: f"S{number}" for number, player in enumerate(mains, start=1)}
    split = {player for player, bet, _ in bets.values() if bet.startswith("split")}
    for bet_id, amount in zip(back.ids, back.amounts, strict=True):
        player, bet, stake = bets[bet_id]
        mine, dealer = hands[seats[player]], hands["D"]
        if bet == "insurance":
            assert amount == (3 * stake if natural(dealer) else 0), (bet, laid)
        elif player not in split:
            assert amount == returned(stake, mine, dealer), (bet, laid)


def returned(stake: int, mine: Sequence[str], dealer: Sequence[str]) -> int:
    """What goes back for a stake on a hand without a split, by the rules of a new table."""
    if natural(mine) or natural(dealer):
        if natural(mine) and natural(dealer):
            return stake
        return stake + stake * 3 // 2 if natural(mine) else 0
    if total(mine) > 21 or total(mine) < total(dealer) <= 21:
        return 0
    return stake if total(mine) == total(dealer) else 2 * stake


def natural(codes: Sequence[str]) -> bool:
    """Whether these are an ace and a ten-value."""
    return len(codes) == 2 and total(codes) == 21


def total(codes: Sequence[str]) -> int:
    """The best total of a hand, above 21 if it is bust."""
    worth = {"A": 1, **dict.fromkeys("TJQK", 10)}
    pips = [worth.get(code[0]) or int(code[0]) for code in codes]
    return sum(pips) + 10 if 1 in pips and sum(pips) <= 11 else sum(pips)


def some(moment: str, *sources: tuple[str, ...]) -> list[Cell]:
    """The cells of a step that exist in process."""
    return [
        cell
        for cell in possible_cells()
        if cell.moment == moment and cell.sources in sources and cell.fault not in ABSORBED
    ]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_fault_at_any_step_of_a_round_at_seats_ends_as_the_house_says(moment: str) -> None:
    """With both sources, all faults."""
    for cell in some(moment, SOURCES[0]):
        play(cell)


@pytest.mark.soak
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.timeout(300)
def test_with_one_source_a_fault_at_any_step_ends_as_the_house_says(moment: str) -> None:
    """A camera alone, and a shoe alone."""
    for cell in some(moment, *SOURCES[1:]):
        play(cell)


@pytest.mark.soak
@pytest.mark.parametrize("profile", OTHERS)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.timeout(300)
def test_the_whole_matrix_of_seats_ends_as_every_other_profile_says(
    profile: str, moment: str
) -> None:
    """All cells of all sources."""
    for cell in some(moment, *SOURCES):
        play(cell, profile)


def test_every_cell_at_seats_is_possible_or_says_why_not() -> None:
    """The matrix is whole: each fault of the contracts, each step, each set of sources."""
    every = list(cells())
    assert len(every) == len(faults.ALL) * len(MOMENTS) * len(SOURCES)
    assert all((reason := impossible(cell)) is None or len(reason) > 20 for cell in every)
    assert {cell.fault for cell in possible_cells()} == set(faults.ALL)
    assert {cell.moment for cell in possible_cells()} == set(MOMENTS)


@pytest.mark.parametrize("row", BROUGHT_BY, ids="-".join)
def test_a_row_comes_about_at_seats_by_its_fault(row: Row) -> None:
    assert row in play(BROUGHT_BY[row])


def test_every_row_comes_about_at_seats_or_says_where_it_is_tested() -> None:
    """Rows of policy and cells of the matrix belong together; neither is forgotten."""
    possible = [row for row in HOUSE if coverage.happens(row, coverage.SEATS)]
    mine = {(row.row, row.code.value, row.stem) for row in possible}
    assert mine == set(BROUGHT_BY) | set(ELSEWHERE)
    assert not set(BROUGHT_BY) & set(ELSEWHERE)


def test_all_faults_at_seats_one_after_the_other_leave_the_books_right() -> None:
    """`--fault all` in process, for all sources."""
    for sources in SOURCES:
        names = faults.possible(sources)
        planned = tuple(
            at_game(Planned(name, at), GAME, sources) for at, name in enumerate(names, start=1)
        )
        at = PlainTable(dealt=GAME, sources=sources, faults=planned, seed=SEED, players=PLAYERS)
        at.run(len(names) + 1)
        plain_course.check(at, check_money)
        assert [line["injected"] for line in at.lines[:-1]] == [[name] for name in names]
