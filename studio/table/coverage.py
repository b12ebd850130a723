"""Which rows of the table of irregularities apply here, and why the others cannot happen.

The matrix of faults and steps, the manual and the tests are made from these lists, so a row that
nobody answers shows. What can happen depends on the game that a table deals.
"""

from typing import Final

from studio.domain.faults import FaultCode
from studio.table.row import Row
from studio.table.rows import HOUSE

BACCARAT: Final = "baccarat"
BALOOT: Final = "baloot"
SEATS: Final = "blackjack"
SHARED_HAND: Final = "boundless-blackjack"
GAMES: Final = (BACCARAT, SEATS, SHARED_HAND, BALOOT)
"""Names of the games whose tables are held to these lists."""

ORDINARY: Final[dict[str, str]] = {
    "C6": "the cut card is a fact of the shoe: the game's own rule says how many rounds follow",
    "P12": "the cut card in mid-round ends nothing: the round is finished, the shoe ends by rule",
    "V6": "a repeated report is known by its boot and number, a repeated card by its own serial",
    "V7": "equal neighbours with numbers of their own are two cards; only a reader without asks",
    "V9": "an identity that comes late for a card of an old round is on record, used by none",
}
"""Rows that need no person: the course of the table answers them."""

_ANYWHERE: Final[dict[str, str]] = {
    "P7": "no device reports a result: it is computed from the accepted cards alone; a card that "
    "shoe and camera read differently is V3",
    "P9": "no table has a shuffling machine as a device: the packs are shuffled by hand, and a "
    "dealer who cannot go on calls (P10)",
}
_AGAINST_DEALER: Final[dict[str, str]] = {
    "P1": "a card too many is burned, also where nobody saw it (B5); one that was drawn before "
    "the last card and found no use is B3",
    "P2": "a card too many is burned (B5); one that was seen before and found no use is B4",
    "P4": "no hand has a third card by a rule: one after the last card is B5",
    "P5": "no third card is waited for; cards that are cleared before the result are B14",
}
_NO_RACKS: Final[dict[str, str]] = {
    "BL5": "no card lies in a rack",
    "BL9": "nobody plays a card of a hand",
    "BL10": "nobody plays a card of a hand, so nobody claims a fault of play",
}
IMPOSSIBLE: Final[dict[str, dict[str, str]]] = {
    BACCARAT: {
        "B5": "no card is drawn by a dealer's choice in punto banco; one too many is P1, P2 or P4",
        "B6": "the order of dealing has no card of the dealer's own; a card laid elsewhere is P3",
        "B7": "both hands have two cards before anything else is due",
        "B8": "both hands are dealt in every coup",
        "B10": "a coup has no card that lies face down",
        **_NO_RACKS,
        **_ANYWHERE,
    },
    SHARED_HAND: {
        "B8": "all players hold the one hand, so none is without cards while others have some; a "
        "lane with takers waits for its card (V10), an empty shoe is filled with the discards "
        "(B9), and where none can come the round is void, which returns every stake",
        "P3": "a card on another lane is B13, or B6 or B7 if its own place was passed over",
        **_AGAINST_DEALER,
        **_NO_RACKS,
        **_ANYWHERE,
    },
    SEATS: {
        "B8": "a seat that was passed over has the next card (B7), and the table waits for it "
        "(V10); an empty shoe is filled with the discards (B9), and where none can come the round "
        "is void, which returns every stake",
        "P3": "a card at another seat is B13, or B6 or B7 if its own place was passed over",
        **_AGAINST_DEALER,
        **_NO_RACKS,
        **_ANYWHERE,
    },
    BALOOT: {
        "B2": "no card is burned, so none can be burned face up; one that is shown in a packet is "
        "BL1 or BL2",
        "B5": "the dealer has no hand and draws nothing",
        "B6": "the dealer has no hand that could be passed over",
        "B7": "a seat that was passed over lacks a card of its packet: the card lies at another "
        "seat (BL3)",
        "B8": "every seat has eight cards: one that lacks a card waits for it (V10), and where "
        "none can come the pack is short (BL8)",
        "B10": "a card of a rack that shows its face is BL1 or BL2",
        "B13": "no card is burned; one at another seat is BL3",
        "P1": "what comes after the round is BL7",
        "P2": "what comes after the round is BL7",
        "P3": "a card at another seat is BL3, one that is turned out of turn BL4",
        "P4": "no hand has a third card by a rule; a card that no seat can have is BL6",
        "P5": "no third card is waited for; cards that are cleared before the result are B14",
        "P12": "one pack is dealt out in each round, without a cut card",
        "C6": "one pack is dealt out in each round, without a cut card",
        **_ANYWHERE,
    },
}
"""Rows that cannot happen at a table of a game, each with the reason."""


def happens(row: Row, game: str) -> bool:
    """Whether a row of the policy can come about at a table of this game."""
    return row.row not in IMPOSSIBLE[game] and (not row.when.games or game in row.when.games)


def answered(game: str) -> tuple[str, ...]:
    """Rows that are a fault at a table of this game: hold or note, by the policy."""
    return tuple(dict.fromkeys(row.row for row in HOUSE if happens(row, game)))


ANSWERED: Final = tuple(dict.fromkeys(row.row for row in HOUSE))
"""Rows that are a fault at some table."""
EVERY: Final = tuple(
    dict.fromkeys((*ANSWERED, *ORDINARY, *(row for game in GAMES for row in IMPOSSIBLE[game])))
)
"""Every row that is told to people: those that apply somewhere, and those that cannot happen."""

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
    FaultCode.WRONG_CARD: _CAMERA,
}
"""Sources that a table must have for a fault to be told there; any table can have the others."""
