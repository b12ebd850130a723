"""What a player who knows basic strategy does with a hand at a table of Boundless Blackjack.

The table is the common one for several packs, a dealer who stands on all 17s and looks at the hole
card, doubling on any two cards, one split, and surrender against 2 to 9 only (RULES.md 1.1). It
looks at what a screen shows: totals, the dealer's first card, and what may be chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ACE: Final = 11
"""Total of a dealer's ace alone."""

_PAIRS: Final[dict[int, range | tuple[int, ...]]] = {
    2: range(2, 8),
    3: range(2, 8),
    4: (5, 6),
    6: range(2, 7),
    7: range(2, 8),
    8: range(2, 12),
    9: (2, 3, 4, 5, 6, 8, 9),
}
"""Cards of a pair by their value, and the dealer's first cards against which it is split."""
_SOFT_DOUBLES: Final = {
    13: (5, 6),
    14: (5, 6),
    15: (4, 5, 6),
    16: (4, 5, 6),
    17: range(3, 7),
    18: range(3, 7),
}
_HARD_DOUBLES: Final = {9: range(3, 7), 10: range(2, 10), 11: range(2, 11)}
_STANDS: Final = {12: range(4, 7), **dict.fromkeys(range(13, 17), range(2, 7))}
"""Hard totals and the dealer's first cards against which they stand."""
_SURRENDERS: Final = {16: (9,)}
_ACES: Final = (12, 2)
"""Both totals of two aces."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand as its player sees it."""

    total: int
    low: int | None
    """The other total of a soft hand; None for a hard one."""
    up: int
    """Total of the dealer's first card, an ace as 11."""


def best(hand: Shown, actions: Sequence[str]) -> str:
    """Give the action of the table for this hand, of those that may be chosen."""
    if "split" in actions and splits(hand):
        return "split"
    if hand.low is not None:
        return _soft(hand, actions)
    if "surrender" in actions and hand.up in _SURRENDERS.get(hand.total, ()):
        return "surrender"
    if "double" in actions and hand.up in _HARD_DOUBLES.get(hand.total, ()):
        return "double"
    stands = hand.total > max(_STANDS) or hand.up in _STANDS.get(hand.total, ())
    return "stand" if stands else "hit"


def splits(hand: Shown) -> bool:
    """Whether two cards of equal value with this total are split."""
    if (hand.total, hand.low) == _ACES:
        return True
    return hand.up in _PAIRS.get(hand.total // 2, ())


def _soft(hand: Shown, actions: Sequence[str]) -> str:
    """A hand with an ace that counts eleven."""
    if "double" in actions and hand.up in _SOFT_DOUBLES.get(hand.total, ()):
        return "double"
    weak = hand.total == 18 and hand.up in (9, 10, ACE)  # noqa: PLR2004  the row of the table
    return "hit" if hand.total < 18 or weak else "stand"  # noqa: PLR2004
