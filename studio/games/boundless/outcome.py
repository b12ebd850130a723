"""The result of a round of Boundless Blackjack: what lay where, and how each hand ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from studio.domain.cards import Card
from studio.games.boundless.felt import DEALER, LANES, SHARED, Felt, Share
from studio.games.boundless.sidebets import bust_bonus, lucky_trio, pair, poker_trio
from studio.games.hands21 import TWENTY_ONE, TWO_CARDS, score
from studio.games.procedure import Facing

UP: Final = Facing.UP


class HandResult(StrEnum):
    """How a player's hand ended."""

    BLACKJACK = "blackjack"
    WIN = "win"
    PUSH = "push"
    LOSE = "lose"
    BUST = "bust"
    SURRENDER = "surrender"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """One hand of a cohort as it ended."""

    lane: str
    cards: tuple[Card, ...]
    """Images on L and R first."""
    score: int
    doubled: bool
    result: HandResult

    def as_dict(self) -> dict[str, Any]:
        """Plain form, JSON-ready."""
        return {
            "lane": self.lane,
            "cards": [card.code for card in self.cards],
            "score": self.score,
            "doubled": self.doubled,
            "outcome": self.result.value,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCohort:
    """Players who decided alike: how many, and their hands in order M or L, R."""

    name: str
    players: int
    hands: tuple[PlayedHand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundlessOutcome:
    """The result of a round; everything follows from the cards and the cohorts."""

    shared: tuple[Card, Card]
    """The two cards that all players share."""
    dealer: tuple[Card, ...]
    """The dealer's hand, the hole card second."""
    peeked: bool
    """Whether the hole card was looked at in secret (D-02)."""
    waves: tuple[tuple[tuple[str, Card], ...], ...]
    """(lane, card) of each decision window, the insurance window not counted."""
    cohorts: tuple[PlayedCohort, ...]
    score: int
    """Score of the dealer's hand."""
    dealer_blackjack: bool
    player_blackjack: bool

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
    def side_patterns(self) -> dict[str, str | int | None]:
        """Pattern of each side bet, None where it has none; of Bust Bonus a number of cards."""
        trio = (*self.shared, self.dealer[0])
        return {
            "pair": pair(*self.shared),
            "lucky_trio": lucky_trio(trio),
            "poker_trio": poker_trio(trio),
            "bust_bonus": bust_bonus(len(self.dealer)) if self.bust else None,
        }

    @property
    def dealt(self) -> tuple[tuple[str, Card, Facing], ...]:
        """(zone, card, face in which it was dealt) of all cards in the order in which they came."""
        (one, two), (up, hole, *drawn) = self.shared, self.dealer
        return (
            (SHARED, one, UP),
            (DEALER, up, UP),
            (SHARED, two, UP),
            (DEALER, hole, Facing.DOWN),
            *((lane, card, UP) for wave in self.waves for lane, card in wave),
            *((DEALER, card, UP) for card in drawn),
        )

    @property
    def totals(self) -> tuple[tuple[str, int], ...]:
        """(zone, score) of each lane that has cards of its own, and of the dealer."""
        laid: dict[str, list[Card]] = {SHARED: list(self.shared)}
        images = dict(zip(LANES[1:], self.shared, strict=True))
        for wave in self.waves:
            for lane, card in wave:
                if lane not in laid:
                    laid[lane] = [images[lane]]
                laid[lane].append(card)
        lanes = tuple((lane, score(laid[lane])) for lane in LANES if lane in laid)
        return (*lanes, (DEALER, self.score))

    @property
    def marks(self) -> tuple[str, ...]:
        """What a list of results shows beside the code: the shared hand's fate, side bets hit."""
        shared = dict(self.totals)[SHARED]
        hit = (f"{bet}_{what}" for bet, what in self.side_patterns.items() if what is not None)
        return (
            *("shared_blackjack",) * self.player_blackjack,
            *("shared_bust",) * (shared > TWENTY_ONE),
            *hit,
        )

    def as_dict(self) -> dict[str, Any]:
        """All that a screen or a record needs to say about it, JSON-ready, no floats."""
        dealt = self.dealt
        return {
            "code": self.code,
            "dealt": [[zone, card.code, face.value] for zone, card, face in dealt],
            "peek": self.peeked,
            "dealer_blackjack": self.dealer_blackjack,
            "player_blackjack": self.player_blackjack,
            "waves": [{"cards": [[lane, card.code] for lane, card in wave]} for wave in self.waves],
            "dealer": {
                "cards": [card.code for card in self.dealer],
                "score": self.score,
                "bust": self.bust,
                "drew": len(self.dealer) - TWO_CARDS,
            },
            "side_patterns": self.side_patterns,
            "hands": {
                cohort.name: [hand.as_dict() for hand in cohort.hands] for cohort in self.cohorts
            },
            "cohorts": {cohort.name: cohort.players for cohort in self.cohorts},
            "cards_used": len(dealt),
            "totals": [[zone, total] for zone, total in self.totals],
            "natural": self.dealer_blackjack,
            "marks": list(self.marks),
        }


def outcome_of(felt: Felt) -> BoundlessOutcome:
    """Compare every hand on the felt with the dealer's (RULES.md 1.1)."""
    dealer, shared = felt.dealer, felt.shared.cards
    return BoundlessOutcome(
        shared=(shared[0], shared[1]),
        dealer=tuple(dealer.cards),
        peeked=felt.said_natural is not None,
        waves=tuple([tuple(wave) for wave in felt.waves]),
        cohorts=tuple(
            [
                PlayedCohort(name=name, players=cohort.players, hands=_hands(felt, cohort.shares))
                for name, cohort in felt.cohorts.items()
            ]
        ),
        score=dealer.score,
        dealer_blackjack=dealer.natural,
        player_blackjack=felt.shared.natural,
    )


def _hands(felt: Felt, shares: list[Share]) -> tuple[PlayedHand, ...]:
    """Hands of one cohort as they ended."""
    return tuple(
        [
            PlayedHand(
                lane=share.lane,
                cards=tuple(felt.lanes[share.lane].cards[: share.size]),
                score=share.score,
                doubled=share.doubled,
                result=_result(felt, share),
            )
            for share in shares
        ]
    )


def _result(felt: Felt, share: Share) -> HandResult:
    """How one hand ended; a bust hand loses even if the dealer is bust as well."""
    dealer = felt.dealer
    if share.surrendered:
        return HandResult.SURRENDER
    if share.score > TWENTY_ONE:
        return HandResult.BUST
    if share.lane == SHARED and felt.shared.natural:
        return HandResult.PUSH if dealer.natural else HandResult.BLACKJACK
    if dealer.natural:
        return HandResult.LOSE
    if dealer.score > TWENTY_ONE or share.score > dealer.score:
        return HandResult.WIN
    return HandResult.PUSH if share.score == dealer.score else HandResult.LOSE
