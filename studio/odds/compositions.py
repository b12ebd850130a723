"""Hands of a player by composition: how many cards of each value, whatever their order.

All hands that are not bust, with arrays that say for each what it counts and which hand one more
card makes. Everything that is worked out per hand is an array in the same order.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.games.hands21 import TWENTY_ONE
from studio.odds.dealer import VALUES, best

Counts = tuple[int, ...]
"""Cards of each value, the ace first."""
BUST: Final = -1
"""In place of a hand's number: one more card makes it bust."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hands:
    """All hands that begin with a certain value, or all there are."""

    counts: NDArray[np.int64]
    """(hands, 10): cards of each value."""
    cards: NDArray[np.int64]
    """Number of cards."""
    score: NDArray[np.int64]
    """Best score, 2 to 21."""
    soft: NDArray[np.bool_]
    """Whether an ace counts 11 in the score."""
    next: NDArray[np.int64]
    """(hands, 10): number of the hand that one more card of this value makes, or `BUST`."""
    number: dict[Counts, int]
    """Where a composition stands in the arrays."""
    levels: tuple[NDArray[np.int64], ...]
    """Numbers of the hands of 1 card, of 2 cards and so on."""

    def __len__(self) -> int:
        """Give the number of hands."""
        return len(self.cards)


def of(*values: int) -> Counts:
    """Give the composition of these cards."""
    return tuple(values.count(value) for value in VALUES)


@cache
def hands(start: int | None = None) -> Hands:
    """All hands of one card and more that are not bust; with `start`, those that hold this value.

    A hand that began with a pair card and went on is every hand that holds that value.
    """
    found: dict[Counts, None] = {}
    layer = {of(start): None} if start else {of(value): None for value in VALUES}
    while layer:
        found |= layer
        layer = {
            longer: None
            for counts in layer
            for value in VALUES
            if _hard(longer := _with(counts, value)) <= TWENTY_ONE
        }
    number = {counts: place for place, counts in enumerate(found)}
    table = np.array(list(found), dtype=np.int64)
    hard = table @ np.array(VALUES)
    cards = table.sum(axis=1)
    score = np.array(
        [best(int(sum_), int(aces)) for sum_, aces in zip(hard, table[:, 0], strict=True)]
    )
    following = [[number.get(_with(counts, value), BUST) for value in VALUES] for counts in found]
    return Hands(
        counts=table,
        cards=cards,
        score=score,
        soft=score != hard,
        next=np.array(following, dtype=np.int64),
        number=number,
        levels=tuple(np.flatnonzero(cards == count) for count in range(1, int(cards.max()) + 1)),
    )


def _hard(counts: Counts) -> int:
    return sum(value * count for value, count in zip(VALUES, counts, strict=True))


def _with(counts: Counts, value: int) -> Counts:
    return (*counts[: value - 1], counts[value - 1] + 1, *counts[value:])
