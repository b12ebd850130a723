"""How likely each end of the dealer's hand is, for many packs at once.

The dealer's hands (`dealer.hands`) are walked as a tree of values in rising order, one product for
each branch and all packs together. Exact but for double precision: relative errors below 1e-12.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.games.hands21 import DEALER_STANDS, TWENTY_ONE
from studio.odds.dealer import DealerHand, hands

Array = NDArray[np.float64]
ENDS: Final = 7
"""The dealer ends with 17, 18, 19, 20, 21, bust, or a natural: the columns of every table."""
BUSTED: Final = 5
NATURAL: Final = 6
SCORES: Final = np.arange(DEALER_STANDS, TWENTY_ONE + 1)
"""Scores of the first five columns."""
_AT_ONCE: Final = 2048
"""Packs that are worked out together: their numbers stay in the processor's cache."""

_Branch = tuple[int, int, tuple[int, int, int] | None, tuple["_Branch", ...]]
"""Value (as an index), how many of it were drawn before, (end, cards, orders) if the dealer stops
here, and what can follow."""


def ends(left: NDArray[np.int64], up: int, *, hits_soft_17: bool) -> Array:
    """Probabilities (packs, 7) of the dealer's ends under this up card.

    `left` (packs, 10) holds the cards of each value that the dealer's next cards come from; the up
    card is out already. A pack that cannot be (less than no card of a value) gets nonsense.
    """
    tree, longest = _tree(up, hits_soft_17=hits_soft_17)
    found = np.empty((len(left), ENDS))
    for start in range(0, len(left), _AT_ONCE):
        part = left[start : start + _AT_ONCE]
        found[start : start + _AT_ONCE] = _walk(part, tree, longest).T
    return found


def _walk(left: NDArray[np.int64], tree: tuple[_Branch, ...], longest: int) -> Array:
    """Sum up a tree of dealer's hands for these packs: (7, packs)."""
    cards = left.sum(axis=1).astype(float)
    by_value = np.maximum(left, 0).T.astype(float)
    factors = [[np.maximum(column - taken, 0.0) for taken in range(longest)] for column in by_value]
    # Ways for hands of so many cards, per end; divided by all ways only once.
    ways = np.zeros((longest + 1, ENDS, len(left)))

    def follow(branches: tuple[_Branch, ...], product: Array | float) -> None:
        for value, taken, stop, further in branches:
            now = product * factors[value][taken]
            if stop is not None:
                end, drawn, orders = stop
                ways[drawn, end] += orders * now
            if further:
                follow(further, now)

    follow(tree, 1.0)
    total = np.zeros((ENDS, len(left)))
    orders = np.ones(len(left))
    for drawn in range(1, longest + 1):
        orders = orders * (cards - (drawn - 1))
        total += ways[drawn] / orders
    return total


@cache
def _tree(up: int, *, hits_soft_17: bool) -> tuple[tuple[_Branch, ...], int]:
    """The dealer's hands as a tree of values in rising order, and the most cards drawn."""
    stops = {hand.drawn: hand for hand in hands(up, hits_soft_17=hits_soft_17)}
    prefixes = {drawn[:length] for drawn in stops for length in range(1, len(drawn) + 1)}
    children: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for prefix in sorted(prefixes):
        children.setdefault(prefix[:-1], []).append(prefix)

    def grow(prefix: tuple[int, ...]) -> _Branch:
        value = prefix[-1]
        hand = stops.get(prefix)
        stop = None if hand is None else (_end(hand), len(prefix), hand.orders)
        further = tuple(grow(longer) for longer in children.get(prefix, ()))
        return value - 1, prefix.count(value) - 1, stop, further

    return tuple(grow(prefix) for prefix in children[()]), max(map(len, prefixes))


def _end(hand: DealerHand) -> int:
    """The column of this end."""
    if hand.natural:
        return NATURAL
    return BUSTED if hand.bust else hand.score - DEALER_STANDS
