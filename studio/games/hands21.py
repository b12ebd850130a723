"""Hands that are counted to twenty-one, for all games of that family (RULES.md 1.1 and 2.1).

An ace counts 11 unless that takes the hand over 21, then 1; pictures count 10. A hand of two
cards, ace and ten-value, is a natural.
"""

from collections.abc import Iterable
from typing import Final

from studio.domain.cards import Card, Rank

TWENTY_ONE: Final = 21
"""The best score; a hand above it is bust."""
DEALER_STANDS: Final = 17
"""The dealer draws below it and stands on it, soft ones included."""
HITS_UPTO: Final = 11
"""Automatic play hits a hand with this score or less, and stands above (RULES.md 1.1)."""
TEN: Final = 10
"""Points of a ten and of each picture; also what an ace counts more when it counts 11."""
MOST_FOR_ELEVEN: Final = TWENTY_ONE - TEN
"""With aces as 1, the highest sum at which one of them can count 11."""
TWO_CARDS: Final = 2
"""Cards of a hand before anybody draws; only they can be a natural."""
POINTS: Final[dict[Rank, int]] = {
    rank: int(rank.value) if rank.value.isdigit() else TEN for rank in Rank
} | {Rank.ACE: 1}
"""Points of each rank, the ace as 1."""


class Hand:
    """Cards as they lie, counted as they come: cheap to ask after each card."""

    __slots__ = ("_aces", "_hard", "cards", "score", "scores")

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        """Start with these cards."""
        self.cards: list[Card] = []
        self.score = 0
        """Best score of the cards: above 21 only if no way to count the aces is below."""
        self.scores = [0]
        """The score with no card, with the first one, with the first two, and so on."""
        self._hard = 0
        self._aces = False
        for card in cards:
            self.take(card)

    def take(self, card: Card) -> None:
        """Add a card."""
        points = POINTS[card.rank]
        self._hard = score = self._hard + points
        if points == 1:
            self._aces = True
        # One ace at most can count 11: two of them would be 22.
        if self._aces and score <= MOST_FOR_ELEVEN:
            score += TEN
        self.score = score
        self.cards.append(card)
        self.scores.append(score)

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11 in the score."""
        return self.score != self._hard

    @property
    def natural(self) -> bool:
        """Whether these two cards are an ace and a ten-value."""
        return self.score == TWENTY_ONE and len(self.cards) == TWO_CARDS


def points(card: Card) -> int:
    """Points of one card: ace 1, two to nine as printed, ten and pictures 10."""
    return POINTS[card.rank]


def score(cards: Iterable[Card]) -> int:
    """Best score of these cards; above 21 only if they are bust."""
    return Hand(cards).score


def natural(first: Card, second: Card) -> bool:
    """Whether two cards are an ace and a ten-value."""
    one, two = POINTS[first.rank], POINTS[second.rank]
    return one + two == 1 + TEN and 1 in (one, two)


def by_itself(score_: int) -> str:
    """What automatic play does with a hand of this score: ``hit`` or ``stand`` (RULES.md 1.1)."""
    return "hit" if score_ <= HITS_UPTO else "stand"
