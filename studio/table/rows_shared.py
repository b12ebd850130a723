"""Rows of the table of irregularities that are said otherwise of hands against a dealer (B1–B15).

They come before the general ones (`rows`). The left column of live-dealer-systems.md 2.1 is the
house's default throughout; where one hand for all players, or a hand for each seat, makes a row
mean something of its own, the row says it.
"""

from typing import Final

from studio.domain.faults import FaultCode
from studio.table.row import LANE_SKIPPED, LEFT_OVER, OWN_SKIPPED, Row, Void, When

_F: Final = FaultCode
_SHARED: Final = ("boundless-blackjack", "blackjack")
_AS_IT_LIES: Final = (("AcceptAsDealt", "stays_there"),)
"""The words of a repair that leaves a card where it lies, for its own time."""
_STAYS: Final = (("AssignCard", "refused.not_moved_back"),)
_KNOWN: Final = (("UseAsNextCard", "refused.exposed_card"),)

DRAWN_IN_ERROR: Final = (
    Row(
        row="B3",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(games=_SHARED, rounds=("open",), exposed=False),
        holds=False,
    ),
    Row(
        row="B4",
        code=_F.CARD_OUT_OF_PHASE,
        when=When(games=_SHARED, rounds=("open",)),
        repairs=("UseAsNextCard", "BurnCard", "MarkDead"),
        say="next_card_seen",
    ),
    Row(
        row="B3",
        code=_F.EXTRA_CARD,
        when=When(games=_SHARED, rounds=("settled",), causes=(LEFT_OVER,), exposed=False),
        repairs=("UseAsNextCard", "MarkDead"),
        void=Void.NEVER,
        refused=(("BurnCard", "refused.changes_order"),),
        say="left_over_unseen",
    ),
    Row(
        row="B4",
        code=_F.EXTRA_CARD,
        when=When(games=_SHARED, rounds=("settled",), causes=(LEFT_OVER,)),
        repairs=("BurnCard", "MarkDead"),
        void=Void.NEVER,
        refused=_KNOWN,
        say="left_over_seen",
    ),
    Row(
        row="B5",
        code=_F.EXTRA_CARD,
        when=When(games=_SHARED, rounds=("settled",)),
        repairs=("BurnCard", "MarkDead"),
        void=Void.NEVER,
        refused=(("UseAsNextCard", "refused.one_too_many"),),
        say="dealer_has_enough",
    ),
    Row(
        row="B5",
        code=_F.DEVICE_TROUBLE,
        when=When(games=_SHARED, causes=("OVERDRAW",)),
        repairs=("RetryDevice",),
        device=True,
        say="overdraw",
    ),
)
"""A card that comes while players choose, or before the hidden card is looked at or turned, is the
next one: nobody has seen it (B3), or all have (B4). Whoever takes no more cards of a lane never
joins it again, so a player who declines has no further card by itself. What the round then did
not use is the next round's first card if nobody saw it; else it is burned, for bets are placed by
what is known. After the last card one more is burned, whoever saw it (B5)."""

PASSED_OVER: Final = (
    Row(
        row="B6",
        code=_F.DEAL_ORDER,
        when=When(games=_SHARED, causes=(OWN_SKIPPED,)),
        repairs=("AcceptAsDealt",),
        refused=_STAYS,
        say="own_skipped",
        words=_AS_IT_LIES,
    ),
    Row(
        row="B6",
        code=_F.DEAL_ORDER,
        when=When(games=_SHARED, faces=("down",), exposed=True),
        repairs=("BurnCard",),
        refused=_STAYS,
        say="hole_skipped",
    ),
    Row(
        row="B7",
        code=_F.DEAL_ORDER,
        when=When(games=_SHARED, causes=(LANE_SKIPPED,)),
        repairs=("AcceptAsDealt", "AssignCard"),
        refused=(("BurnCard", "refused.changes_order"),),
        say="lane_skipped",
        words=_AS_IT_LIES,
    ),
    Row(
        row="B13",
        code=_F.DEAL_ORDER,
        when=When(games=_SHARED),
        repairs=("AssignCard",),
        refused=(("BurnCard", "refused.changes_order"),),
    ),
)
"""A card on another lane than its own. If the zone where it lies has a card to come before anybody
chooses again, its own place was passed over: it stays, and the place that was passed over has the
next card (B6 for the dealer's, B7 for a lane). Else it lies wrong and is moved (B13). A card that
all saw where the hidden one was due can be neither: it is burned (B6, B4)."""

FACES: Final = (
    Row(
        row="B10",
        code=_F.WRONG_FACE,
        when=When(games=_SHARED, faces=("down",)),
        repairs=("RescanRound", "BurnCard"),
        say="hole_dealt_open",
        words=(("RescanRound", "turned_down"),),
    ),
)
"""The hidden card is dealt with its face up: it is turned down and played on with (B10), or it came
face up out of the shoe and is not used (B2)."""

SHARED_HAND: Final = (*DRAWN_IN_ERROR, *PASSED_OVER, *FACES)
"""All of them, in the order in which they are looked at."""
