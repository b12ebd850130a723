"""The matrix of simulated faults and steps of a round of the shared hand.

As `cells` for punto banco: everything is data, and a cell that cannot be says why, in words.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.simulate import faults
from studio.simulate.faults import (
    BETTING,
    BURN,
    RESULT,
    SHARED_MOMENTS,
    SHOE_CHANGE,
)
from tests.matrix.cells import ELSEWHERE as BACCARAT
from tests.matrix.cells import NOTHING_LIES, PER_CARD, SOURCES, Cell

GAME = "boundless-blackjack"
Row = tuple[str, str, str]
"""(row, fault, stem)."""
CHOOSING = ("insurance", "decision")
"""Steps in which players choose."""
ON_THE_WAY = (BURN, "card_1", "card_2", "card_3", "card_4", "lane_card", "dealer_draws")
"""Steps in which a card is on its way."""


def _others(*steps: str) -> tuple[str, ...]:
    return tuple(step for step in SHARED_MOMENTS if step not in steps)


UNREACHABLE: tuple[tuple[frozenset[str], tuple[str, ...], str], ...] = (
    (PER_CARD, _others(*ON_THE_WAY), "no card is on its way in this step"),
    (frozenset({"wrong_zone"}), (BURN,), "a burned card has no other hand to slide into"),
    (
        frozenset({"early_card"}),
        _others(BETTING, *CHOOSING),
        "a card is early only while players bet or choose",
    ),
    (
        frozenset({"extra_card"}),
        _others(RESULT, SHOE_CHANGE),
        "before the last card one more is the next one, or an early one",
    ),
    (frozenset({"skipped_card"}), (BURN,), "all cards of a burn go to one place"),
    (
        frozenset({"skipped_card", "wrong_hand", "two_at_once"}),
        _others(*ON_THE_WAY),
        "no card is due that could be laid wrongly",
    ),
    (
        frozenset({"exposed_card"}),
        ("card_1", "card_2", "card_3", "lane_card", "dealer_draws"),
        "this card is dealt face up anyway",
    ),
    (
        frozenset({"exposed_card", "card_on_floor", "cleared_early", "substituted_card"}),
        ("peek",),
        "the simulated dealer keeps the hands off while the hidden card is looked at",
    ),
    (
        frozenset({"exposed_card", "card_on_floor"}),
        ("hole_card",),
        "the card lies there already: it is turned, not drawn",
    ),
    (
        frozenset({"cleared_early", "substituted_card"}),
        NOTHING_LIES,
        "nothing lies there that could be taken",
    ),
    (frozenset({"cleared_early"}), (RESULT,), "the cards are collected in this step"),
    (
        frozenset({"platform_down"}),
        (BETTING,),
        "without a wallet nobody has a bet, and without bets no round is dealt (D-08)",
    ),
    (frozenset({"missing_burn"}), _others(BURN), "cards are burned only when a shoe begins"),
)
"""(faults, steps, reason) of the cells that cannot be, whatever the sources."""


def impossible(cell: Cell) -> str | None:
    """Why this cell cannot be at a table of the shared hand; None if it can."""
    by_sources = faults.why_not(cell.fault, cell.sources)
    if by_sources is not None:
        return by_sources
    for names, steps, reason in UNREACHABLE:
        if cell.fault in names and cell.moment in steps:
            return reason
    if cell.fault == "exposed_card" and cell.moment == "card_4" and "camera" not in cell.sources:
        return "nobody sees which face a card shows"
    return None


def cells() -> Iterator[Cell]:
    """Every cell of the matrix, also those that cannot be."""
    for sources in SOURCES:
        for moment in SHARED_MOMENTS:
            for name in faults.ALL:
                yield Cell(name, moment, sources)


def possible_cells() -> tuple[Cell, ...]:
    """The cells that can be."""
    return tuple(cell for cell in cells() if impossible(cell) is None)


_B, _C = SOURCES[0], SOURCES[1]
BROUGHT_BY: dict[Row, Cell] = {
    ("B3", "card_out_of_phase", "card_out_of_phase"): Cell("early_card", "decision", _B),
    ("B4", "card_out_of_phase", "next_card_seen"): Cell("exposed_card", "insurance", _B),
    ("B3", "extra_card", "left_over_unseen"): Cell("repeat", "lane_card", _B),
    ("B5", "extra_card", "dealer_has_enough"): Cell("extra_card", "result", _B),
    ("B6", "deal_order", "own_skipped"): Cell("skipped_card", "card_2", _B),
    ("B7", "deal_order", "lane_skipped"): Cell("skipped_card", "card_1", _B),
    ("B13", "deal_order", "deal_order"): Cell("wrong_hand", "lane_card", _B),
    ("B10", "wrong_face", "hole_dealt_open"): Cell("exposed_card", "card_4", _B),
    ("B1", "early_card", "early_card"): Cell("early_card", "betting", _B),
    ("B4", "card_out_of_phase", "card_out_of_phase"): Cell("exposed_card", "shoe_change", _B),
    ("B11", "two_at_once", "two_at_once"): Cell("two_at_once", "lane_card", _B),
    ("B12", "card_unseen", "card_unseen"): Cell("card_on_floor", "lane_card", _B),
    ("B14", "card_vanished", "card_vanished"): Cell("cleared_early", "decision", _B),
    ("B2", "wrong_face", "burn_face_up"): Cell("exposed_card", "burn", _B),
    ("V1", "unreadable_card", "unreadable_card"): Cell("unreadable", "lane_card", _B),
    ("V3", "reader_mismatch", "reader_mismatch"): Cell("wrong_card", "card_3", _B),
    ("V4", "unsure_card", "unsure_card"): Cell("unsure", "lane_card", _B),
    ("V7", "repeated_card", "repeated_card"): Cell("repeat", "card_1", _B),
    ("V10", "card_due_late", "card_due_late"): Cell("card_on_floor", "lane_card", _C),
    ("C15", "substituted_card", "substituted_card"): Cell("substituted_card", "decision", _B),
    ("V10", "device_lost", "device_lost"): Cell("unplug", "insurance", _B),
    ("V10", "camera_unfit", "camera_unfit"): Cell("frozen", "decision", _B),
    ("L5", "clock_jump", "clock_jump"): Cell("clock_jump", "insurance", _B),
    ("C9", "count_mismatch", "count_mismatch"): Cell("card_on_floor", "shoe_change", _C),
    ("F5", "recovered", "recovered"): Cell("kill", "lane_card", _B),
}
"""(row, fault, stem) of each row that a simulated fault brings about, with one such cell."""
_SAME = set(BROUGHT_BY) | {("P4", "device_trouble", "overdraw"), ("P2", "extra_card", "extra_card")}
ELSEWHERE: dict[Row, str] = {
    **{row: reason for row, reason in BACCARAT.items() if row not in _SAME},
    ("B4", "extra_card", "left_over_seen"): "what all saw while they chose is mostly taken",
    ("B5", "device_trouble", "overdraw"): "the simulated shoe reports no trouble of its own",
    ("B6", "deal_order", "hole_skipped"): "the simulated dealer lays the hidden card face down",
    ("B10", "substituted_card", "shown_early"): "the simulated dealer turns no card too early",
}
"""The same of those that none brings about, and why.

Each is played in the tests of rows by what a table is told.
"""
