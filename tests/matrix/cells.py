"""The matrix of simulated faults and steps of a coup, and which of its cells cannot be.

Everything is data: a cell is a fault, the step at which it strikes, and the sources of the table.
A cell that cannot be says why, in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.simulate import faults
from studio.simulate.faults import BETTING, BURN, CARDS, MOMENTS, RESULT, SHOE_CHANGE

SOURCES = (("shoe", "camera"), ("camera",), ("shoe",))
NO_CARD = (BETTING, RESULT, SHOE_CHANGE)
"""Steps in which no card is due."""
NOTHING_LIES = (BETTING, "card_1", SHOE_CHANGE)
"""Steps in which no card lies on the felt."""
PER_CARD = frozenset(
    {
        "split_frame",
        "noise",
        "bad_checksum",
        "triple_send",
        "burst",
        "wrong_card",
        "unreadable",
        "repeat",
        "unsure",
        "wrong_zone",
    }
)
"""Faults of a device that strike a card on its way."""
ABSORBED = frozenset({"split_frame", "noise", "bad_checksum", "triple_send"})
"""Faults of the bytes that a driver makes good: they exist through bytes only."""

UNREACHABLE: tuple[tuple[frozenset[str], tuple[str, ...], str], ...] = (
    (PER_CARD, NO_CARD, "no card is on its way in this step"),
    (frozenset({"wrong_zone"}), (BURN,), "a burned card has no other hand to slide into"),
    (
        frozenset({"early_card"}),
        tuple(step for step in MOMENTS if step != BETTING),
        "a card is early only while bets are open",
    ),
    (frozenset({"skipped_card"}), (BURN,), "all cards of a burn go to one place"),
    (frozenset({"skipped_card"}), ("banker_third",), "no place follows the last one"),
    (
        frozenset({"skipped_card", "wrong_hand", "two_at_once"}),
        NO_CARD,
        "no card is due that could be laid wrongly",
    ),
    (frozenset({"extra_card"}), CARDS, "while a card is due one more is the next one"),
    (frozenset({"extra_card"}), (BETTING,), "a card more while bets are open is an early one"),
    (frozenset({"exposed_card"}), CARDS, "every card of a coup is dealt face up"),
    (
        frozenset({"cleared_early", "substituted_card"}),
        NOTHING_LIES,
        "nothing lies there that could be taken",
    ),
    (frozenset({"cleared_early"}), (RESULT,), "the cards are collected in this step"),
    (
        frozenset({"missing_burn"}),
        tuple(step for step in MOMENTS if step != BURN),
        "cards are burned only when a shoe begins",
    ),
)
"""(faults, steps, reason) of the cells that cannot be, whatever the sources."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One fault at one step of a coup, at a table with these sources."""

    fault: str
    moment: str
    sources: tuple[str, ...]

    def __str__(self) -> str:
        """As the tests name it."""
        return f"{self.fault}-{self.moment}-{'+'.join(self.sources)}"

    @property
    def impossible(self) -> str | None:
        """Why it cannot be; None if it can."""
        by_sources = faults.why_not(self.fault, self.sources)
        if by_sources is not None:
            return by_sources
        for names, steps, reason in UNREACHABLE:
            if self.fault in names and self.moment in steps:
                return reason
        return None


def cells() -> Iterator[Cell]:
    """Every cell of the matrix, also those that cannot be."""
    for sources in SOURCES:
        for moment in MOMENTS:
            for name in faults.ALL:
                yield Cell(name, moment, sources)


def possible_cells() -> tuple[Cell, ...]:
    """The cells that can be."""
    return tuple(cell for cell in cells() if cell.impossible is None)


ROWS = "tests/unit/table/test_rows.py"
TEXT_READER = "a shoe that does not number its reports: tests/unit/table/test_unnumbered.py"
ELSEWHERE: dict[tuple[str, str, str], str] = {
    ("B3", "early_card", "early_card"): "two cards before the close: no simulated fault has two",
    ("P6", "card_out_of_phase", "no_round"): "a dealer who deals before he opens bets",
    ("V8", "card_out_of_phase", "card_out_of_phase"): "a card between two rounds",
    ("B15", "extra_card", "extra_card"): "a dealer who deals on after a void",
    ("P2", "extra_card", "extra_card"): "beside a coup of six cards there is no place to be seen",
    ("V4", "wrong_face", "wrong_face"): "a card of the coup that lies face down",
    ("V2", "unreadable_card", "unreadable_two_out"): "an unreadable card and the next one out",
    ("V1", "unreadable_card", "line_unread"): TEXT_READER,
    ("V1", "card_out_of_phase", "line_unread"): TEXT_READER,
    ("V1", "extra_card", "line_unread"): TEXT_READER,
    ("V10", "card_due_late", "card_due_late"): TEXT_READER,
    ("V10", "device_lost", "lost_with_a_card_due"): TEXT_READER,
    ("V5", "impossible_card", "impossible_card"): "a ninth card of a kind",
    ("V5", "impossible_card", "impossible_outside"): "a ninth card of a kind that is in no coup",
    ("V10", "card_from_nowhere", "card_from_nowhere"): "a card that did not pass the shoe",
    ("P4", "device_trouble", "overdraw"): "the simulated shoe reports no trouble of its own",
    ("P8", "device_trouble", "device_trouble"): "the simulated shoe reports no trouble of its own",
    (
        "P8",
        "device_rebooted",
        "device_rebooted",
    ): "a shoe that loses its power: unplugged it goes on",
    ("V10", "sequence_gap", "sequence_gap"): "a gap that RESEND does not fill",
    ("S2", "device_replaced", "device_replaced"): "another device on the same cable",
    ("F8", "device_untested", "device_untested"): "the house has no void for a device; others have",
    ("R4", "overrun", "overrun"): "an inbox that runs over",
    ("P12", "cut_card_on_felt", "cut_card_on_felt"): "a cut card that the shoe did not report",
    ("C6", "cut_card_missing", "cut_card_missing"): "a shoe whose cut card was forgotten",
    ("B9", "shoe_empty", "shoe_empty"): "a shoe that runs empty",
    ("P10", "dealer_call", "shuffle_again"): "a dealer who calls",
    ("P11", "dealer_call", "dealer_call"): "a dealer who calls",
    ("F10", "dealer_call", "dealer_call"): "a dealer who calls",
}
"""(row, fault, stem) of the rows of policy that no simulated fault brings about, and why.

Each is played in `ROWS` by what a table is told.
"""
