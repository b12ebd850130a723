"""A course of a cell in process, and what must hold after any: journal, cards, money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from studio.live.recovery import restore
from studio.simulate.faults import SHOE_CHANGE, Planned
from studio.table.evolve import evolve
from studio.table.state import Table
from tests.matrix.cells import Cell
from tests.matrix.course import Books
from tests.support.plain_table import OPENING, PlainTable

Row = tuple[str, str, str]
"""A row of policy: its name, its fault's code and the stem of its sentence."""
Money = Callable[[Books, str, Sequence[tuple[str, str]]], None]
"""Looks at what a settled round paid, from (zone, code) of its cards as they were laid."""


def play(cell: Cell, money: Money, **table: Any) -> set[Row]:
    """Deal the round of a cell and a clean one after it; the rows that came about.

    `table` is what `PlainTable` is told beside sources and faults.
    """
    number = 2 if cell.moment == SHOE_CHANGE else 1
    planned = (Planned(cell.fault, number, cell.moment),)
    at = PlainTable(sources=cell.sources, faults=planned, **table).run(number + 1)
    line = at.lines[number - 1]
    assert line["injected"] == [cell.fault], (str(cell), line, at.said)
    books = check(at, money)
    void = books.must_be_void(str(line["round"]))
    assert line["state"] == ("voided" if void else "settled"), (str(cell), line, at.said)
    assert at.lines[-1]["faults"] == [], ("the round after it is not clean", str(cell), at.said)
    return {(row.row, row.code.value, row.stem) for _, row in books.rows}


def check(at: PlainTable, money: Money) -> Books:
    """Journal, cards and money of a whole course."""
    facts = [(fact.event, fact.at_us) for fact in at.facts()]
    assert reduce(lambda state, fact: evolve(state, *fact), facts, Table()) == at.table
    assert restore(at.journal, at.setup.table).table == at.table
    books = Books(at.setup.profile).read(facts)
    assert at.tally.misreads == 0, at.said
    for line, (round_id, laid) in zip(at.lines, at.laid, strict=True):
        assert line["staked"] == line["returned"] + line["refunded"] + line["house"]
        if round_id in books.settled:
            assert [tuple(card) for card in line["cards"]] == laid
            money(books, round_id, laid)
        else:
            assert line["refunded"] >= line["staked"]
    lost = sum(line["house"] for line in at.lines)
    assert at.balances() == OPENING * len(at.names) - lost
    return books
