"""Patterns of the side bets: Pair, Lucky Trio, Poker Trio, Bust Bonus (RULES.md 1.6).

Each bet pays only its highest pattern, so each function names the highest one or none.
"""

from collections.abc import Sequence
from typing import Final

from studio.domain.cards import Card, Rank
from studio.games.hands21 import TEN, TWENTY_ONE, points

LUCKY_TOTALS: Final = frozenset({19, 20})
"""Totals below 21 that Lucky Trio pays."""
MOST_CARDS: Final = 8
"""Bust Bonus has one row for so many cards and more."""
_SIX_SEVEN_EIGHT: Final = {Rank.SIX, Rank.SEVEN, Rank.EIGHT}
_RUNS: Final[frozenset[frozenset[Rank]]] = frozenset(
    frozenset(run) for run in zip(*([*Rank, Rank.ACE][n:] for n in range(3)), strict=False)
)
"""Three ranks in a row, ace low or high; there is no way around the ace (D-19)."""


def pair(first: Card, second: Card) -> str | None:
    """``perfect``, ``coloured`` or ``mixed`` for one rank; equal values do not do (D-11)."""
    if first.rank is not second.rank:
        return None
    if first.suit is second.suit:
        return "perfect"
    return "coloured" if first.suit.red == second.suit.red else "mixed"


def lucky_trio(cards: Sequence[Card]) -> str | None:
    """The highest row of Lucky Trio that three cards make; their order does not matter (D-18)."""
    ranks = {card.rank for card in cards}
    suited = _suited(cards)
    if ranks == {Rank.SEVEN}:
        return "suited_777" if suited else "unsuited_777"
    if ranks == _SIX_SEVEN_EIGHT:
        return "suited_678" if suited else "unsuited_678"
    least = sum(points(card) for card in cards)
    aces = sum(card.rank is Rank.ACE for card in cards)
    totals = {least + TEN * high for high in range(aces + 1)}
    if TWENTY_ONE in totals:
        return "suited_21" if suited else "unsuited_21"
    return "total_19_20" if totals & LUCKY_TOTALS else None


def poker_trio(cards: Sequence[Card]) -> str | None:
    """The highest row of Poker Trio that three cards make."""
    ranks = frozenset(card.rank for card in cards)
    suited = _suited(cards)
    if len(ranks) == 1:
        return "suited_trips" if suited else "three_of_a_kind"
    if ranks in _RUNS:
        return "straight_flush" if suited else "straight"
    return "flush" if suited else None


def bust_bonus(cards: int) -> int:
    """Row of Bust Bonus for a bust hand of so many cards, the first two counted (D-20).

    Eight stands for eight and more.
    """
    return min(cards, MOST_CARDS)


def _suited(cards: Sequence[Card]) -> bool:
    """Whether all cards are of one suit."""
    return len({card.suit for card in cards}) == 1
