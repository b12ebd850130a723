"""The rows of the table of irregularities as data: what a house does (first match wins).

The numbers are those of live-dealer-systems.md 2: B for cards in general, P for baccarat, V for
readers; C, F, L, R and S for the obligations of its section 1. A row says what a house does in one
moment: go on with a note or hold, which repairs answer, in which order, and whether the round may
be void for it. What is said otherwise of hands against a dealer stands in `rows_shared`, of Baloot
in `rows_baloot`; both come first.
"""

from typing import Final

from studio.domain.faults import FaultCode
from studio.table.row import (
    CALLED_FOREIGN,
    NOT_ASKED,
    OUTSIDE,
    SHOWN_EARLY,
    UNNUMBERED,
    Row,
    Void,
    When,
)
from studio.table.rows_baloot import BALOOT_ROWS
from studio.table.rows_shared import SHARED_HAND

THIRD: Final = ("player_third", "banker_third")
"""Steps in which the first four cards lie."""
BURNED_UNREAD: Final = "burned_unread"
"""The words of a repair that says: a card was burned, and no reader named it."""
NO_CARD: Final = "no_card"
"""The words of a repair that says: there was no card at all."""
_F: Final = FaultCode
_LOOK: Final = ("RescanRound", "KeyInCard")
_READ: Final = ("KeyInCard", "RescanRound")


EARLY: Final = (
    Row(
        row="B3",
        code=_F.EARLY_CARD,
        when=When(exposed=False, further=True),
        holds=False,
    ),
    Row(row="B1", code=_F.EARLY_CARD, when=When(exposed=False), holds=False),
    Row(
        row="B1",
        code=_F.EARLY_CARD,
        repairs=("MarkDead", "BurnCard"),
        refused=(("UseAsNextCard", "refused.exposed_early"),),
    ),
)
"""A card before bets are closed."""

DOUBTFUL: Final = tuple(
    Row(
        row="V1",
        code=code,
        when=When(causes=(UNNUMBERED,)),
        repairs=("AcknowledgeFault", "MarkDead"),
        void=Void.NEVER,
        say="line_unread",
        words=(("AcknowledgeFault", NO_CARD),),
    )
    for code in (_F.CARD_OUT_OF_PHASE, _F.EXTRA_CARD)
)
"""A line of a shoe that does not number its reports, where no card was due: perhaps none came."""

UNDUE: Final = (
    Row(
        row="P6",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(phases=("idle",), further=True),
        repairs=("MarkDead",),
        refused=(("UseAsNextCard", "refused.no_round_begun"),),
        say="no_round",
    ),
    Row(
        row="B3",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(phases=("shoe",), exposed=False),
        repairs=("UseAsNextCard", "MarkDead", "BurnCard"),
    ),
    Row(
        row="B4",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(phases=("shoe",)),
        repairs=("UseAsNextCard", "BurnCard", "MarkDead"),
    ),
    Row(row="V8", code=_F.CARD_OUT_OF_PHASE, repairs=("MarkDead", "UseAsNextCard", "BurnCard")),
    Row(
        row="B15",
        code=_F.EXTRA_CARD,
        when=When(rounds=("voided",)),
        holds=False,
        void=Void.NEVER,
    ),
    Row(
        row="P4",
        code=_F.EXTRA_CARD,
        when=When(causes=(NOT_ASKED,)),
        repairs=("MarkDead", "UseAsNextCard", "BurnCard"),
        void=Void.NEVER,
        say="third_not_due",
    ),
    Row(
        row="P1",
        code=_F.EXTRA_CARD,
        when=When(exposed=False),
        repairs=("UseAsNextCard", "MarkDead"),
        void=Void.NEVER,
        refused=(("BurnCard", "refused.changes_order"),),
        say="extra_card_unseen",
    ),
    Row(
        row="P2",
        code=_F.EXTRA_CARD,
        repairs=("MarkDead", "UseAsNextCard", "BurnCard"),
        void=Void.NEVER,
    ),
)
"""A card when none is due: outside a round, after its last card, after a void."""

PLACED: Final = (
    Row(
        row="B13",
        code=_F.DEAL_ORDER,
        when=When(phases=("shoe",)),
        repairs=("AssignCard",),
        refused=(("BurnCard", "refused.changes_order"),),
    ),
    Row(
        row="P3",
        code=_F.DEAL_ORDER,
        repairs=("AssignCard",),
        refused=(("BurnCard", "refused.changes_order"),),
    ),
    Row(row="B11", code=_F.TWO_AT_ONCE, repairs=_LOOK),
    Row(row="B12", code=_F.CARD_UNSEEN, repairs=("RescanRound", "KeyInCard", "BurnCard")),
    Row(
        row="P5",
        code=_F.CARD_VANISHED,
        when=When(steps=THIRD),
        repairs=("RestoreCollected", "RescanRound"),
        say="collected_early",
    ),
    Row(row="B14", code=_F.CARD_VANISHED, repairs=("RestoreCollected", "RescanRound")),
    Row(
        row="B2",
        code=_F.WRONG_FACE,
        when=When(phases=("shoe",)),
        repairs=("AcceptAsDealt", "RescanRound"),
        say="burn_face_up",
    ),
    Row(row="V4", code=_F.WRONG_FACE, repairs=_LOOK),
)
"""A card that lies otherwise than it should."""

READ: Final = (
    Row(
        row="V2",
        code=_F.UNREADABLE_CARD,
        when=When(further=True, causes=(UNNUMBERED,)),
        repairs=(*_READ, "AcceptAsDealt", "AcknowledgeFault"),
        say="unreadable_two_out",
        words=(("AcceptAsDealt", BURNED_UNREAD), ("AcknowledgeFault", NO_CARD)),
    ),
    Row(
        row="V1",
        code=_F.UNREADABLE_CARD,
        when=When(causes=(UNNUMBERED,)),
        repairs=(*_LOOK, "AcceptAsDealt", "AcknowledgeFault"),
        say="line_unread",
        words=(("AcceptAsDealt", BURNED_UNREAD), ("AcknowledgeFault", NO_CARD)),
    ),
    Row(
        row="V2",
        code=_F.UNREADABLE_CARD,
        when=When(further=True),
        repairs=_READ,
        say="unreadable_two_out",
    ),
    Row(row="V1", code=_F.UNREADABLE_CARD, repairs=_LOOK),
    Row(row="V3", code=_F.READER_MISMATCH, repairs=_READ),
    Row(row="V4", code=_F.UNSURE_CARD, repairs=_READ),
    Row(
        row="V5",
        code=_F.IMPOSSIBLE_CARD,
        when=When(causes=(OUTSIDE,)),
        repairs=("AcknowledgeFault",),
        ends_shoe=True,
        say="impossible_outside",
    ),
    Row(row="V5", code=_F.IMPOSSIBLE_CARD, repairs=("KeyInCard",), ends_shoe=True),
    Row(row="V7", code=_F.REPEATED_CARD, repairs=("AcknowledgeFault", "UseAsNextCard")),
    Row(
        row="V10",
        code=_F.CARD_DUE_LATE,
        when=When(phases=("shoe",), causes=(UNNUMBERED,)),
        repairs=(*_LOOK, "AcceptAsDealt"),
        words=(("AcceptAsDealt", BURNED_UNREAD),),
    ),
    Row(row="V10", code=_F.CARD_DUE_LATE, repairs=_LOOK),
    Row(row="V10", code=_F.CARD_FROM_NOWHERE, repairs=("KeyInCard", "MarkDead")),
    Row(
        row="B10",
        code=_F.SUBSTITUTED_CARD,
        when=When(causes=(SHOWN_EARLY,)),
        repairs=("AcceptAsDealt",),
        say="shown_early",
        words=(("AcceptAsDealt", SHOWN_EARLY),),
    ),
    Row(
        row="C15",
        code=_F.SUBSTITUTED_CARD,
        repairs=("CorrectCard", "AcceptAsDealt"),
        ends_shoe=True,
    ),
)
"""What the readers cannot tell, or tell differently."""

DEVICES: Final = (
    Row(
        row="P4",
        code=_F.DEVICE_TROUBLE,
        when=When(causes=("OVERDRAW",)),
        repairs=("RetryDevice",),
        device=True,
        say="overdraw",
    ),
    Row(
        row="P8",
        code=_F.DEVICE_TROUBLE,
        when=When(phases=("dealing",)),
        repairs=("RescanRound", "RetryDevice"),
        device=True,
    ),
    Row(row="P8", code=_F.DEVICE_TROUBLE, repairs=("RetryDevice",), device=True),
    Row(
        row="P8",
        code=_F.DEVICE_REBOOTED,
        repairs=("RescanRound", "KeyInCard", "AcknowledgeFault"),
        device=True,
    ),
    Row(
        row="V10",
        code=_F.SEQUENCE_GAP,
        repairs=("RescanRound", "KeyInCard", "AcknowledgeFault"),
        device=True,
    ),
    Row(
        row="V10",
        code=_F.DEVICE_LOST,
        when=When(causes=(UNNUMBERED,)),
        repairs=("KeyInCard", "AcceptAsDealt", "RetryDevice"),
        device=True,
        say="lost_with_a_card_due",
        words=(("AcceptAsDealt", BURNED_UNREAD), ("RetryDevice", NO_CARD)),
    ),
    Row(row="V10", code=_F.DEVICE_LOST, repairs=("RetryDevice",), device=True),
    Row(row="V10", code=_F.CAMERA_UNFIT, repairs=("RetryDevice",), device=True),
    Row(row="S2", code=_F.DEVICE_REPLACED, repairs=("RetryDevice",), device=True),
    Row(
        row="F8",
        code=_F.DEVICE_UNTESTED,
        repairs=("PassSelfTest",),
        void=Void.NEVER,
        device=True,
    ),
    Row(row="R4", code=_F.OVERRUN, repairs=("RescanRound", "KeyInCard", "AcknowledgeFault")),
    Row(row="L5", code=_F.CLOCK_JUMP, holds=False, repairs=("AcknowledgeFault",)),
)
"""What devices do, and the machine."""

SHOE: Final = (
    Row(row="P12", code=_F.CUT_CARD_ON_FELT, repairs=("AcknowledgeFault",), void=Void.NEVER),
    Row(row="C6", code=_F.CUT_CARD_MISSING, holds=False, repairs=("AcknowledgeFault",)),
    Row(row="C9", code=_F.COUNT_MISMATCH, repairs=("AcknowledgeFault",), void=Void.NEVER),
    Row(
        row="B9",
        code=_F.SHOE_EMPTY,
        when=When(phases=("dealing", "decision")),
        repairs=("ShuffleDiscards", "RetryDevice"),
        ends_shoe=True,
    ),
    Row(row="B9", code=_F.SHOE_EMPTY, repairs=("RetryDevice",), ends_shoe=True),
)
"""The shoe as a whole."""

CALLS: Final = (
    Row(
        row="P10",
        code=_F.DEALER_CALL,
        when=When(phases=("shoe",), steps=("shuffle", "cut", "load")),
        repairs=("AcknowledgeFault",),
        void=Void.NEVER,
        say="shuffle_again",
    ),
    Row(
        row="P11",
        code=_F.DEALER_CALL,
        when=When(causes=(CALLED_FOREIGN,)),
        repairs=("AcknowledgeFault", "CorrectCard"),
        void=Void.FIRST,
        ends_shoe=True,
    ),
    Row(row="F10", code=_F.DEALER_CALL, repairs=("AcknowledgeFault", "CorrectCard")),
    Row(
        row="F5",
        code=_F.RECOVERED,
        when=When(rounds=("open",)),
        repairs=("RescanRound", "AcceptAsDealt"),
        refused=(("AcknowledgeFault", "refused.felt_unchecked"),),
    ),
    Row(
        row="F5",
        code=_F.RECOVERED,
        repairs=("AcknowledgeFault", "RescanRound", "AcceptAsDealt"),
    ),
)
"""People, and the return after a stop."""

HOUSE: Final = (
    *(*DOUBTFUL, *SHARED_HAND, *BALOOT_ROWS),
    *(*EARLY, *UNDUE, *PLACED, *READ, *DEVICES, *SHOE, *CALLS),
)
"""The house's own policy: for each fault the last row matches whatever is left."""
