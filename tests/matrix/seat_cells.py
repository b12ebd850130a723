"""The matrix of simulated faults and steps of a round of blackjack at seats.

As `shared_cells` for the shared hand: where a step is the same, so is what cannot be at it.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.simulate import faults
from studio.simulate.faults import BETTING, BURN, CARDS, RESULT, SEAT_STEPS, SHOE_CHANGE
from tests.matrix import shared_cells
from tests.matrix.cells import SOURCES, Cell
from tests.matrix.shared_cells import Row

GAME = "blackjack"
MOMENTS = (BURN, BETTING, *CARDS[:4], *SEAT_STEPS, RESULT, SHOE_CHANGE)
"""The steps of a round at seats at which a fault may strike."""
OF_SHARED = {"seat_card": "lane_card"}
"""Steps that the shared hand has by another name."""


def impossible(cell: Cell) -> str | None:
    """Why this cell cannot be at a table with seats; None if it can."""
    moment = OF_SHARED.get(cell.moment, cell.moment)
    return shared_cells.impossible(Cell(cell.fault, moment, cell.sources))


def cells() -> Iterator[Cell]:
    """Every cell of the matrix, also those that cannot be."""
    for sources in SOURCES:
        for moment in MOMENTS:
            for name in faults.ALL:
                yield Cell(name, moment, sources)


def possible_cells() -> tuple[Cell, ...]:
    """The cells that can be."""
    return tuple(cell for cell in cells() if impossible(cell) is None)


_B, _C = SOURCES[0], SOURCES[1]
BROUGHT_BY: dict[Row, Cell] = {
    ("B1", "early_card", "early_card"): Cell("early_card", "betting", _B),
    ("B2", "wrong_face", "burn_face_up"): Cell("exposed_card", "burn", _B),
    ("B3", "card_out_of_phase", "card_out_of_phase"): Cell("early_card", "decision", _B),
    ("B4", "card_out_of_phase", "card_out_of_phase"): Cell("exposed_card", "shoe_change", _B),
    ("B4", "card_out_of_phase", "next_card_seen"): Cell("exposed_card", "insurance", _B),
    ("B5", "extra_card", "dealer_has_enough"): Cell("extra_card", "result", _B),
    ("B6", "deal_order", "own_skipped"): Cell("skipped_card", "card_4", _B),
    ("B7", "deal_order", "lane_skipped"): Cell("skipped_card", "card_1", _B),
    ("B10", "wrong_face", "hole_dealt_open"): Cell("exposed_card", "card_4", _B),
    ("B11", "two_at_once", "two_at_once"): Cell("two_at_once", "seat_card", _B),
    ("B12", "card_unseen", "card_unseen"): Cell("card_on_floor", "seat_card", _B),
    ("B13", "deal_order", "deal_order"): Cell("wrong_hand", "seat_card", _B),
    ("B14", "card_vanished", "card_vanished"): Cell("cleared_early", "decision", _B),
    ("C9", "count_mismatch", "count_mismatch"): Cell("card_on_floor", "shoe_change", _C),
    ("C15", "substituted_card", "substituted_card"): Cell("substituted_card", "decision", _B),
    ("F5", "recovered", "recovered"): Cell("kill", "seat_card", _B),
    ("L5", "clock_jump", "clock_jump"): Cell("clock_jump", "insurance", _B),
    ("V1", "unreadable_card", "unreadable_card"): Cell("unreadable", "seat_card", _B),
    ("V3", "reader_mismatch", "reader_mismatch"): Cell("wrong_card", "card_3", _B),
    ("V4", "unsure_card", "unsure_card"): Cell("unsure", "seat_card", _B),
    ("V7", "repeated_card", "repeated_card"): Cell("repeat", "card_1", _B),
    ("V10", "camera_unfit", "camera_unfit"): Cell("frozen", "decision", _B),
    ("V10", "card_due_late", "card_due_late"): Cell("card_on_floor", "seat_card", _C),
    ("V10", "device_lost", "device_lost"): Cell("unplug", "insurance", _B),
}
"""(row, fault, stem) of each row that a simulated fault brings about, with one such cell."""
ELSEWHERE: dict[Row, str] = {
    **{row: said for row, said in shared_cells.ELSEWHERE.items() if row not in BROUGHT_BY},
    ("B3", "extra_card", "left_over_unseen"): "after low cards one that was drawn early is used",
}
"""The same of those that none brings about, and why.

Each is played in the tests of rows by what a table is told.
"""
