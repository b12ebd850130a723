"""All hands that a dealer of the twenty-one family can end with, and how likely each is.

A hand is counted by values, since order only matters for when the dealer stops: the number of
orders in which the same cards can come is counted once and for all (`hands`). Its probability for
a given pack is that number times the ways to take these cards from the pack.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from studio.games.hands21 import DEALER_STANDS, MOST_FOR_ELEVEN, POINTS, TEN, TWENTY_ONE, TWO_CARDS

ACE: Final = 1
"""The value that stands for an ace."""
VALUES: Final = range(ACE, TEN + 1)
"""Values of cards, ace 1 to ten-value 10; as an index of a pack, value − 1."""
RANKS: Final[tuple[int, ...]] = tuple(
    sum(points == value for points in POINTS.values()) for value in VALUES
)
"""How many ranks have each value."""
SUITS: Final = 4


def pack(decks: int) -> tuple[int, ...]:
    """Cards of each value in so many packs, the ace first."""
    return tuple(ranks * SUITS * decks for ranks in RANKS)


def best(hard: int, aces: int) -> int:
    """Best score of a hand with this sum (aces as 1) and so many aces."""
    return hard + TEN if aces and hard <= MOST_FOR_ELEVEN else hard


@dataclass(frozen=True, slots=True)
class DealerHand:
    """A hand with which the dealer stops."""

    drawn: tuple[int, ...]
    """Values after the up card, in rising order."""
    orders: int
    """In how many orders they can come without the dealer stopping before the last."""
    score: int
    """Best score; above 21 for a bust hand."""

    @property
    def cards(self) -> int:
        """Number of cards, the up card counted."""
        return 1 + len(self.drawn)

    @property
    def natural(self) -> bool:
        """Whether these are an ace and a ten-value."""
        return self.score == TWENTY_ONE and self.cards == TWO_CARDS

    @property
    def bust(self) -> bool:
        """Whether the score is above 21."""
        return self.score > TWENTY_ONE


def _stands(score: int, hard: int, *, hits_soft_17: bool) -> bool:
    """Whether the dealer stops: on 17 and more, on a soft 17 unless the table says otherwise."""
    return score >= DEALER_STANDS and not (hits_soft_17 and hard != score == DEALER_STANDS)


@cache
def hands(up: int, *, hits_soft_17: bool) -> tuple[DealerHand, ...]:
    """All hands with which a dealer can stop who shows this value."""
    found: dict[tuple[int, ...], DealerHand] = {}
    open_hands: dict[tuple[int, ...], int] = {(): 1}
    while open_hands:
        longer: dict[tuple[int, ...], int] = {}
        for drawn, orders in open_hands.items():
            for value in VALUES:
                now = tuple(sorted((*drawn, value)))
                hard = up + sum(now)
                score = best(hard, (up, *now).count(ACE))
                if not _stands(score, hard, hits_soft_17=hits_soft_17):
                    longer[now] = longer.get(now, 0) + orders
                else:
                    before = found[now].orders if now in found else 0
                    found[now] = DealerHand(now, before + orders, score)
        open_hands = longer
    return tuple(found.values())


def ways(left: tuple[int, ...], drawn: tuple[int, ...]) -> int:
    """In how many ways these values, in this order, come from a pack of so many of each value."""
    rest = list(left)
    number = 1
    for value in drawn:
        number *= rest[value - 1]
        rest[value - 1] -= 1
    return number


def deals(decks: int, *, hits_soft_17: bool) -> Iterator[tuple[DealerHand, int]]:
    """All hands of a dealer from a fresh pack with their numbers of deals, all of one length.

    A hand that ends early is counted once for each sequence of cards that could follow, so that
    all counts are of equally likely things.
    """
    full = pack(decks)
    cards = sum(full)
    all_hands = [(up, hand) for up in VALUES for hand in hands(up, hits_soft_17=hits_soft_17)]
    most = min(max(hand.cards for _, hand in all_hands), cards)
    # How many sequences of further cards there are after so many.
    after = [1] * (most + 1)
    for dealt in range(most - 1, -1, -1):
        after[dealt] = after[dealt + 1] * (cards - dealt)
    for up, hand in all_hands:
        if number := hand.orders * ways(full, (up, *hand.drawn)):
            yield hand, number * after[hand.cards]
