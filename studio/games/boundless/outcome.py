"""The result of a round of Boundless Blackjack: what lay where, and how each hand ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from studio.domain.cards import Card
from studio.games.boundless.felt import DEALER, LANES, LEFT, RIGHT, SHARED, Cohort, Felt, Share
from studio.games.boundless.sidebets import bust_bonus, lucky_trio, pair, poker_trio
from studio.games.hands21 import TEN, TWENTY_ONE, TWO_CARDS, Hand, natural, points
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

    shared: tuple[Card, ...]
    """The shared hand to its end; its first two cards are everybody's."""
    dealer: tuple[Card, ...]
    """The dealer's hand, the hole card second."""
    score: int
    """Score of the dealer's hand."""
    waves: tuple[tuple[tuple[str, Card], ...], ...]
    """(lane, card) of each decision window, the insurance window not counted."""
    kept: tuple[tuple[str, Cohort], ...]
    """(name, players with their hands) of each cohort; `cohorts` says how they ended."""

    @property
    def peeked(self) -> bool:
        """Whether the hole card was looked at in secret (D-02)."""
        return points(self.dealer[0]) in (1, TEN)

    @property
    def dealer_blackjack(self) -> bool:
        """Whether the dealer has a natural."""
        return self.score == TWENTY_ONE and len(self.dealer) == TWO_CARDS

    @property
    def player_blackjack(self) -> bool:
        """Whether the shared hand is a natural; then everybody holds it."""
        return len(self.shared) == TWO_CARDS and natural(*self.shared)

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
        first, second = self.shared[:TWO_CARDS]
        trio = (first, second, self.dealer[0])
        return {
            "pair": pair(first, second),
            "lucky_trio": lucky_trio(trio),
            "poker_trio": poker_trio(trio),
            "bust_bonus": bust_bonus(len(self.dealer)) if self.bust else None,
        }

    @property
    def dealt(self) -> tuple[tuple[str, Card, Facing], ...]:
        """(zone, card, face in which it was dealt) of all cards in the order in which they came."""
        (one, two, *_), (up, hole, *drawn) = self.shared, self.dealer
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
        lanes = self.lanes
        return (
            *((lane, lanes[lane].score) for lane in LANES if lane in lanes),
            (DEALER, self.score),
        )

    @property
    def lanes(self) -> dict[str, Hand]:
        """Cards of each lane that was played, images first."""
        found = {SHARED: Hand(self.shared)}
        images = dict(zip((LEFT, RIGHT), self.shared, strict=False))
        for wave in self.waves:
            for lane, card in wave:
                if lane != SHARED:
                    found.setdefault(lane, Hand((images[lane],))).take(card)
        return found

    @property
    def cohorts(self) -> tuple[PlayedCohort, ...]:
        """How the hands of each cohort ended."""
        lanes = self.lanes
        return tuple(
            PlayedCohort(
                name=name,
                players=cohort.players,
                hands=tuple(self._played(lanes[share.lane], share) for share in cohort.shares),
            )
            for name, cohort in self.kept
        )

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

    def _played(self, lane: Hand, share: Share) -> PlayedHand:
        """One hand as it ended."""
        return PlayedHand(
            lane=share.lane,
            cards=tuple(lane.cards[: share.size]),
            score=lane.scores[share.size],
            doubled=share.doubled,
            result=self._result(share, lane.scores[share.size]),
        )

    def _result(self, share: Share, score: int) -> HandResult:
        """How one hand ended; a bust hand loses even if the dealer is bust as well."""
        if share.surrendered:
            return HandResult.SURRENDER
        if score > TWENTY_ONE:
            return HandResult.BUST
        if share.lane == SHARED and self.player_blackjack:
            return HandResult.PUSH if self.dealer_blackjack else HandResult.BLACKJACK
        if self.dealer_blackjack:
            return HandResult.LOSE
        if self.bust or score > self.score:
            return HandResult.WIN
        return HandResult.PUSH if score == self.score else HandResult.LOSE


def outcome_of(felt: Felt) -> BoundlessOutcome:
    """Take from the felt all that the result follows from."""
    return BoundlessOutcome(
        shared=tuple(felt.shared.cards),
        dealer=tuple(felt.dealer.cards),
        score=felt.dealer.score,
        waves=tuple(map(tuple, felt.waves)),
        kept=tuple(felt.cohorts.items()),
    )
