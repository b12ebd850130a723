"""The result of a round of blackjack: what lay where, and how each hand ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from studio.domain.cards import Card
from studio.games.blackjack.felt import DEALER, Felt, SeatHand, stake_kind
from studio.games.hands21 import TWENTY_ONE, TWO_CARDS
from studio.games.procedure import Facing


class HandResult(StrEnum):
    """How a player's hand ended."""

    BLACKJACK = "blackjack"
    CHARLIE = "charlie"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"


class PlayedHand(NamedTuple):
    """One hand of a seat as it ended."""

    lane: str
    """Its name: the seat's zone and, after splits, the way it came about."""
    cards: tuple[Card, ...]
    score: int
    doubled: bool
    result: HandResult

    @property
    def stake_kind(self) -> str:
        """Kind of the bet for which it plays."""
        return stake_kind(self.lane)

    def as_dict(self) -> dict[str, Any]:
        """Plain form, JSON-ready."""
        return {
            "lane": self.lane,
            "stake_kind": self.stake_kind,
            "cards": [card.code for card in self.cards],
            "score": self.score,
            "doubled": self.doubled,
            "outcome": self.result.value,
        }


class PlayedSeat(NamedTuple):
    """One seat: its zone, what it decided, and its hands in the order in which they were played."""

    zone: str
    cohort: str
    hands: tuple[PlayedHand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackOutcome:
    """The result of a round; everything follows from the cards and what the seats decided."""

    seats: tuple[PlayedSeat, ...]
    dealer: tuple[Card, ...]
    """One card alone where there is no hole card and nothing depended on the second one."""
    score: int
    """Score of the dealer's hand."""
    cards: tuple[tuple[str, int, Card | None], ...]
    """(zone, place of the hand among its seat's hands, card) in the order of dealing; the place is
    0 where the seat had one hand."""
    hole: int
    """Place in `cards` of the card that was dealt face down; -1 where none was."""
    peeked: bool
    """Whether it was looked at in secret."""

    @property
    def dealer_blackjack(self) -> bool:
        """Whether the dealer has a natural."""
        return self.score == TWENTY_ONE and len(self.dealer) == TWO_CARDS

    @property
    def bust(self) -> bool:
        """Whether the dealer is bust."""
        return self.score > TWENTY_ONE

    @property
    def code(self) -> str:
        """``dealer_blackjack``, ``dealer_bust``, else ``dealer_`` and the total."""
        if self.dealer_blackjack:
            return "dealer_blackjack"
        return "dealer_bust" if self.bust else f"dealer_{self.score}"

    @property
    def dealt(self) -> tuple[tuple[str, Card, Facing], ...]:
        """(hand, card, face in which it was dealt) of all cards in the order in which they came.

        A hand is the seat's zone, or ``S3:2`` for the second hand of a seat that has split.
        """
        return tuple(
            (
                f"{zone}:{place}" if place else zone,
                card,
                Facing.DOWN if at == self.hole else Facing.UP,
            )
            for at, (zone, place, card) in enumerate(self.cards)
            if card is not None
        )

    @property
    def totals(self) -> tuple[tuple[str, int], ...]:
        """(zone, score) of each seat's first hand, and of the dealer."""
        return (
            *((seat.zone, seat.hands[0].score) for seat in self.seats),
            (DEALER, self.score),
        )

    @property
    def marks(self) -> tuple[str, ...]:
        """What a list of results shows beside the code: nothing, the hands are the seats' own."""
        return ()

    def as_dict(self) -> dict[str, Any]:
        """All that a screen or a record needs to say about it, JSON-ready, no floats."""
        dealt = self.dealt
        return {
            "code": self.code,
            "dealt": [[hand, card.code, face.value] for hand, card, face in dealt],
            "peek": self.peeked,
            "dealer_blackjack": self.dealer_blackjack,
            "dealer": {
                "cards": [card.code for card in self.dealer],
                "score": self.score,
                "blackjack": self.dealer_blackjack,
                "bust": self.bust,
                "drew": max(0, len(self.dealer) - TWO_CARDS),
            },
            "hands": {seat.cohort: [hand.as_dict() for hand in seat.hands] for seat in self.seats},
            "cohorts": {seat.cohort: 1 for seat in self.seats},
            "cards_used": len(dealt),
            "totals": [[zone, total] for zone, total in self.totals],
            "natural": self.dealer_blackjack,
            "marks": list(self.marks),
        }


def sure_result(felt: Felt, hand: SeatHand) -> HandResult | None:
    """How a hand ends whatever the dealer gets; None where that matters."""
    if hand.surrendered:
        return HandResult.SURRENDER
    if hand.score > TWENTY_ONE:
        return HandResult.BUST
    # It stands even against a dealer's 21 (D-25); a natural known by a look ended the round before.
    return HandResult.CHARLIE if felt.rules.charlie and felt.charlie(hand) else None


def outcome_of(felt: Felt) -> BlackjackOutcome:
    """Take from the felt all that the result follows from."""
    dealer = felt.dealer
    return BlackjackOutcome(
        seats=tuple(
            [
                PlayedSeat(seat.zone, seat.cohort, tuple([_played(felt, h) for h in seat.hands]))
                for seat in felt.seats
            ]
        ),
        dealer=tuple(dealer.cards),
        score=dealer.score,
        cards=tuple(felt.dealt),
        hole=felt.hole,
        peeked=felt.said_natural is not None,
    )


def _played(felt: Felt, hand: SeatHand) -> PlayedHand:
    result = sure_result(felt, hand) or _against(felt, hand)
    return PlayedHand(hand.lane, tuple(hand.cards), hand.score, hand.doubled, result)


def _against(felt: Felt, hand: SeatHand) -> HandResult:
    """How a hand that is still in ended against the dealer's."""
    dealer, score = felt.dealer, hand.score
    if hand.natural:
        return HandResult.PUSH if dealer.natural else HandResult.BLACKJACK
    if dealer.natural:
        return HandResult.LOSE
    if dealer.score > TWENTY_ONE or score > dealer.score:
        return HandResult.WIN
    return HandResult.PUSH if score == dealer.score else HandResult.LOSE
