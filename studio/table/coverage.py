"""Which rows of the table of irregularities apply here, and why the others cannot happen.

The matrix of faults and steps, the manual and the tests are made from these lists, so a row that
nobody answers shows.
"""

from typing import Final

from studio.domain.faults import FaultCode
from studio.table.rows import HOUSE

ANSWERED: Final = tuple(dict.fromkeys(row.row for row in HOUSE))
"""Rows that are a fault here: hold or note, by the policy."""

ORDINARY: Final[dict[str, str]] = {
    "C6": "the cut card is a fact of the shoe: the game's own rule says how many rounds follow",
    "P12": "the cut card in mid-round ends nothing: the round is finished, the shoe ends by rule",
    "V6": "a repeated report is known by its boot and number, a repeated card by its own serial",
    "V7": "equal neighbours with numbers of their own are two cards; only a reader without asks",
    "V9": "an identity that comes late for a card of an old round is on record, used by none",
}
"""Rows that need no person: the course of the table answers them."""

IMPOSSIBLE: Final[dict[str, str]] = {
    "B5": "no card is drawn by a dealer's choice in punto banco; one too many is P1, P2 or P4",
    "B6": "the order of dealing has no card of the dealer's own; a card laid elsewhere is P3",
    "B7": "both hands have two cards before anything else is due",
    "B8": "both hands are dealt in every coup",
    "P7": "no device reports a result: it is computed from the accepted cards alone; a card that "
    "shoe and camera read differently is V3",
    "P9": "no table has a shuffling machine as a device: the packs are shuffled by hand, and a "
    "dealer who cannot go on calls (P10)",
}
"""Rows that cannot happen at a table of punto banco, each with the reason."""

EVERY: Final = tuple(
    number
    for number in dict.fromkeys((*ANSWERED, *ORDINARY, *IMPOSSIBLE))
    if number in ANSWERED or number in ORDINARY or number.startswith("P")
)
"""Every row that is told to people: those that apply, and those of baccarat that cannot happen."""

_SHOE: Final = frozenset({"shoe"})
_CAMERA: Final = frozenset({"camera"})
_BOTH: Final = _SHOE | _CAMERA
NEEDS: Final[dict[FaultCode, frozenset[str]]] = {
    FaultCode.DEAL_ORDER: _CAMERA,
    FaultCode.UNREADABLE_CARD: _SHOE,
    FaultCode.UNSURE_CARD: _CAMERA,
    FaultCode.READER_MISMATCH: _BOTH,
    FaultCode.CARD_UNSEEN: _BOTH,
    FaultCode.CARD_FROM_NOWHERE: _BOTH,
    FaultCode.WRONG_FACE: _CAMERA,
    FaultCode.TWO_AT_ONCE: _CAMERA,
    FaultCode.SUBSTITUTED_CARD: _CAMERA,
    FaultCode.CARD_VANISHED: _CAMERA,
    FaultCode.REPEATED_CARD: _SHOE,
    FaultCode.SEQUENCE_GAP: _SHOE,
    FaultCode.DEVICE_REBOOTED: _SHOE,
    FaultCode.DEVICE_REPLACED: _SHOE,
    FaultCode.DEVICE_TROUBLE: _SHOE,
    FaultCode.CAMERA_UNFIT: _CAMERA,
    FaultCode.CUT_CARD_ON_FELT: _BOTH,
    FaultCode.SHOE_EMPTY: _SHOE,
}
"""Sources that a table must have for a fault to be told there; any table can have the others."""
