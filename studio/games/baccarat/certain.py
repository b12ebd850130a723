"""What is decided before a coup has ended: bets that every further card leaves as they are (F4).

The coup is run on through every way in which it can end. Not every card is tried: what a card may
still do to a bet is its value, and with the first card of its hand a pair or two equal cards. One
card stands for all that do the same. Views ask again and again while a table is held, so the last
answers are kept.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.baccarat.coup import FIRST_TWO, HANDS, CoupOutcome, coup, points
from studio.games.baccarat.pays import pays
from studio.games.baccarat.rules import BaccaratRules
from studio.games.procedure import Dealt, Input, run
from studio.games.spec import Pay

_LEAST: Final = 3
"""Cards from which on a bet can be decided: with fewer both sides can still win, pair and draw."""
_VALUES: Final = tuple({points(Card(rank, Suit.CLUBS)): rank for rank in Rank}.values())
"""One rank for each value 0 to 9."""


@lru_cache(maxsize=64)
def certain(rules: BaccaratRules, inputs: tuple[Input, ...]) -> Mapping[str, Pay]:
    """What each bet returns that no further card can change; nothing with fewer than three cards.

    Raises:
        InputMismatch: if these are not the inputs of a coup.
    """
    if len(inputs) < _LEAST:
        return MappingProxyType({})
    same: dict[str, Pay] | None = None
    for outcome in _endings(rules, inputs):
        found = pays(rules, outcome)
        if same is None:
            same = found
            continue
        same = {bet: pay for bet, pay in same.items() if found[bet] == pay}
        if not same:
            break
    return MappingProxyType(same or {})


def _endings(rules: BaccaratRules, inputs: tuple[Input, ...]) -> Iterator[CoupOutcome]:
    """Every outcome that differs in what a bet may look at."""
    now = run(lambda: coup(rules), inputs)
    if now.outcome is not None:
        yield now.outcome
        return
    for card in _cards(inputs):
        yield from _endings(rules, (*inputs, Dealt(card)))


def _cards(inputs: tuple[Input, ...]) -> Iterator[Card]:
    """One card for each that may come next and does something else than the others."""
    mate = _mate(inputs)
    if mate is None:
        yield from (Card(rank, Suit.CLUBS) for rank in _VALUES)
        return
    other = next(suit for suit in Suit if suit is not mate.suit)
    yield mate
    yield Card(mate.rank, other)
    for rank in _VALUES:
        if rank is not mate.rank:
            yield Card(rank, other)
    # Another rank of the same value, where the value's own one is the mate's.
    yield from (
        Card(rank, other)
        for rank in Rank
        if rank is not mate.rank and points(Card(rank, other)) == points(mate)
    )


def _mate(inputs: tuple[Input, ...]) -> Card | None:
    """The first card of the hand whose second is due; None after the first four."""
    if len(inputs) >= FIRST_TWO * len(HANDS):
        return None
    first = inputs[len(inputs) - len(HANDS)]
    return first.card if isinstance(first, Dealt) else None
