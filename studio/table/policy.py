"""What a house does about each fault: hold or note, which repairs answer it, in which order.

The rows are those of the table of irregularities (live-dealer-systems.md 2: B for blackjack, P for
baccarat, V for readers). All of it is data: a profile is a set of exceptions to the house's rows.
"""

from dataclasses import dataclass
from typing import Final

from studio.domain.faults import FaultCode
from studio.table.state import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: a fault, whether it holds the table, and the repairs in the policy's order."""

    row: str
    """Number of the row in the table of irregularities, or of the obligation."""
    holds: bool
    repairs: tuple[str, ...]
    """Names of the repair commands that answer it, the policy's own answer first."""
    void: bool = True
    """Whether the round may be voided for it."""
    device: bool = False
    """Whether a device caused it: after a void the device is tested before the table deals."""
    refused: tuple[tuple[str, str], ...] = ()
    """(repair, message code of the reason) shown though not allowed."""


HOUSE: Final[dict[FaultCode, Row]] = {
    FaultCode.EARLY_CARD: Row(
        row="B1",
        holds=True,
        repairs=("MarkDead",),
        refused=(("UseAsNextCard", "refused.exposed_early"),),
    ),
    FaultCode.CARD_OUT_OF_PHASE: Row(row="V8", holds=True, repairs=("MarkDead", "UseAsNextCard")),
    FaultCode.EXTRA_CARD: Row(
        row="P2",
        holds=True,
        repairs=("MarkDead", "UseAsNextCard", "BurnCard"),
        void=False,
    ),
    FaultCode.DEAL_ORDER: Row(
        row="P3",
        holds=True,
        repairs=("AssignCard",),
        refused=(("BurnCard", "refused.changes_order"),),
    ),
    FaultCode.UNREADABLE_CARD: Row(row="V1", holds=True, repairs=("KeyInCard",)),
    FaultCode.UNSURE_CARD: Row(row="V4", holds=True, repairs=("KeyInCard", "RescanRound")),
    FaultCode.READER_MISMATCH: Row(row="V3", holds=True, repairs=("KeyInCard", "RescanRound")),
    FaultCode.CARD_UNSEEN: Row(row="V10", holds=True, repairs=("RescanRound", "KeyInCard")),
    FaultCode.CARD_FROM_NOWHERE: Row(row="V10", holds=True, repairs=("KeyInCard", "MarkDead")),
    FaultCode.WRONG_FACE: Row(row="B10", holds=True, repairs=("RescanRound", "KeyInCard")),
    FaultCode.TWO_AT_ONCE: Row(row="B11", holds=True, repairs=("RescanRound", "KeyInCard")),
    FaultCode.SUBSTITUTED_CARD: Row(row="V3", holds=True, repairs=("CorrectCard", "AcceptAsDealt")),
    FaultCode.CARD_VANISHED: Row(row="B14", holds=True, repairs=("RestoreCollected",)),
    FaultCode.IMPOSSIBLE_CARD: Row(row="V5", holds=True, repairs=("KeyInCard",)),
    FaultCode.REPEATED_CARD: Row(
        row="V7", holds=True, repairs=("AcknowledgeFault", "UseAsNextCard")
    ),
    FaultCode.CARD_DUE_LATE: Row(row="V10", holds=True, repairs=("RescanRound", "KeyInCard")),
    FaultCode.SEQUENCE_GAP: Row(
        row="V10", holds=True, repairs=("KeyInCard", "AcknowledgeFault"), device=True
    ),
    FaultCode.DEVICE_LOST: Row(row="V10", holds=True, repairs=("RetryDevice",), device=True),
    FaultCode.DEVICE_REBOOTED: Row(
        row="P8", holds=True, repairs=("KeyInCard", "AcknowledgeFault"), device=True
    ),
    FaultCode.DEVICE_REPLACED: Row(row="S2", holds=True, repairs=("RetryDevice",), device=True),
    FaultCode.DEVICE_TROUBLE: Row(row="P8", holds=True, repairs=("RetryDevice",), device=True),
    FaultCode.CAMERA_UNFIT: Row(row="V10", holds=True, repairs=("RetryDevice",), device=True),
    FaultCode.CUT_CARD_MISSING: Row(row="P12", holds=False, repairs=("AcknowledgeFault",)),
    FaultCode.CUT_CARD_ON_FELT: Row(row="P12", holds=True, repairs=("AcknowledgeFault",)),
    FaultCode.COUNT_MISMATCH: Row(row="C9", holds=True, repairs=("AcknowledgeFault",), void=False),
    FaultCode.SHOE_EMPTY: Row(row="B9", holds=True, repairs=("RetryDevice",)),
    FaultCode.DEALER_CALL: Row(row="F10", holds=True, repairs=("AcknowledgeFault", "CorrectCard")),
    FaultCode.RECOVERED: Row(row="F5", holds=True, repairs=("AcknowledgeFault",)),
    FaultCode.CLOCK_JUMP: Row(row="L5", holds=False, repairs=("AcknowledgeFault",)),
    FaultCode.DEVICE_UNTESTED: Row(
        row="F8", holds=True, repairs=("PassSelfTest",), void=False, device=True
    ),
    FaultCode.OVERRUN: Row(row="R4", holds=True, repairs=("KeyInCard", "AcknowledgeFault")),
}
"""The house's own policy."""

PROFILES: Final[dict[str, dict[FaultCode, Row]]] = {
    "house": {},
    "ukgc-like": {},
    "nj-like": {},
    "agco-like": {},
    "singapore-like": {},
}
"""Exceptions of each profile to the house's rows; all are unofficial templates."""

REASONS: Final = (
    "reason.card_identity",
    "reason.dealing_error",
    "reason.device_fault",
    "reason.exposed_card",
    "reason.camera_proves",
    "reason.not_provable",
    "reason.player_dispute",
    "reason.other",
)
"""What a repair may name as its reason; words of one's own come on top, never alone."""

ALWAYS: Final = ("CorrectCard",)
"""Repairs that any hold allows while a round has accepted cards."""

_TWO: Final = frozenset({"VoidRound", "CorrectCard", "KeyInCard", "AssignCard", "CorrectResult"})
TWO_PERSONS: Final[dict[str, frozenset[str]]] = {
    "house": _TWO,
    "ukgc-like": _TWO,
    "nj-like": _TWO,
    "agco-like": _TWO,
    "singapore-like": _TWO,
}
"""Per profile the commands that a second, distinct person must approve (DESIGN.md 5)."""


def people(profile: str, command: str) -> int:
    """How many people a command of this name needs under a profile, 1 or 2.

    Raises:
        KeyError: for a profile that does not exist.
    """
    return 2 if command in TWO_PERSONS[profile] else 1


def row_of(profile: str, code: FaultCode) -> Row:
    """Give the row of a fault under a profile.

    Raises:
        KeyError: for a profile that does not exist.
    """
    return PROFILES[profile].get(code) or HOUSE[code]


def holds(profile: str, code: FaultCode, *, exposed: bool, phase: Phase) -> bool:
    """Whether a fault holds the table; an early card that nobody saw is parked and noted (B1)."""
    if code is FaultCode.EARLY_CARD and not exposed and phase is Phase.BETTING:
        return False
    return row_of(profile, code).holds
