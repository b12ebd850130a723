"""What each hand is worth against one up card: best play, or play by a given table.

Every worth is a mean over all that can still come, the dealer's natural included, per unit of the
original stake. Under a peek the stake that a natural takes is therefore part of every hand's worth;
it is the same for each decision, so the best decision is the right one.

Hands are worked out from the longest to the shortest, since one more card makes a hand longer. Next
cards and the dealer's cards come from the pack without the hand, the up card and whatever else is
known to be gone. That the hole card is no natural's is not forgotten: means over all cases, natural
or not, need no probabilities under that condition.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.games.blackjack.rules import BlackjackRules, DoubleOn, HoleCard, Surrender
from studio.games.hands21 import TEN, TWENTY_ONE, TWO_CARDS
from studio.odds.chances import BUSTED, NATURAL, SCORES, Array
from studio.odds.compositions import BUST, Hands
from studio.odds.dealer import ACE

STAND, HIT, DOUBLE, SURRENDER, SPLIT = range(5)
"""Plays, as numbers in arrays."""
Plays = NDArray[np.int64]
WORTH, WINS, PUSHES = range(3)
"""Columns: mean net result, probability that it is above zero, and that it is zero."""
COLUMNS: Final = 3
_DOUBLE_UPTO: Final = 11
_NEVER: Final = -np.inf


@dataclass(frozen=True, kw_only=True, eq=False)
class Spot:
    """Hands against one up card, with what is known of the pack."""

    rules: BlackjackRules
    hands: Hands
    up: int
    """Value of the dealer's up card, ace 1."""
    left: NDArray[np.int64]
    """(hands, 10): cards that can still come, by value."""
    ends: Array
    """(hands, 7): probabilities of the dealer's ends (`chances.ends`)."""
    split: bool = False
    """Whether these are hands after a split."""
    spared: bool = False
    """Whether a dealer's natural gives their stakes back, unless they are bust: further hands of a
    split where only the original stake is lost (D-27)."""

    @property
    def peeks(self) -> bool:
        """Whether a natural shows before anybody plays."""
        return self.rules.hole_card is HoleCard.PEEK

    @cached_property
    def draws(self) -> Array:
        """(hands, 10): probability of each value as the next card."""
        left = np.maximum(self.left, 0)
        return np.asarray(left / left.sum(axis=1, keepdims=True))

    @property
    def completing(self) -> int:
        """The value that makes the up card a natural; 0 if none does."""
        return {ACE: TEN, TEN: ACE}.get(self.up, 0)

    @property
    def fixed(self) -> NDArray[np.bool_]:
        """Hands that nobody plays on: a Charlie, and 21 where no Charlie can come of it."""
        stands = self.hands.score == TWENTY_ONE
        if self.rules.charlie:
            # The game lets a soft 21 draw on towards a Charlie, unless it is a natural.
            natural = (self.hands.cards == TWO_CARDS) & (not self.split)
            stands = stands & (~self.hands.soft | natural)
        return np.asarray(stands | self.charlies)

    @property
    def charlies(self) -> NDArray[np.bool_]:
        """Hands that win at once by their number of cards (D-25)."""
        if not self.rules.charlie:
            return np.zeros(len(self.hands), dtype=bool)
        return np.asarray(self.hands.cards >= self.rules.charlie)


def standing(spot: Spot) -> tuple[Array, Array]:
    """What hands are worth as they stand: (hands, 3), and the worth without dealer's naturals."""
    ends, score = spot.ends, spot.hands.score[:, None]
    natural = ends[:, NATURAL]
    wins = (ends[:, :BUSTED] * (score > SCORES)).sum(axis=1) + ends[:, BUSTED]
    pushes = (ends[:, :BUSTED] * (score == SCORES)).sum(axis=1)
    unspoilt = 2 * wins + pushes + natural - 1
    lost_to_natural = np.zeros_like(natural) if spot.spared else natural
    stood = np.stack((unspoilt - lost_to_natural, wins, pushes), axis=1)
    charlies = spot.charlies
    if charlies.any():
        # A natural that is known by peek comes first, another one comes too late.
        lost = natural[charlies] if spot.peeks else np.zeros(int(charlies.sum()))
        stood[charlies] = np.stack((1 - 2 * lost, 1 - lost, np.zeros_like(lost)), axis=1)
    return stood, unspoilt


def doubling(spot: Spot, stood: Array, unspoilt: Array) -> Array:
    """What two cards are worth doubled, (hands, 3); other hands get nonsense."""
    all_lost = spot.rules.hole_card is HoleCard.ALL_LOST
    natural = spot.ends[:, NATURAL]
    then = stood.copy()
    then[:, WORTH] = 2 * unspoilt - (2 if all_lost else 0 if spot.spared else 1) * natural
    left = spot.left
    bust = np.zeros((len(left), TEN, COLUMNS))
    bust[:, :, WORTH] = -2.0
    if spot.peeks and spot.completing:
        # Nobody doubles into a natural that shows first: that costs one stake.
        fitting = left[:, [spot.completing - 1]] - (np.arange(1, TEN + 1) == spot.completing)
        bust[:, :, WORTH] += fitting / (left.sum(axis=1, keepdims=True) - 1)
    return _over_next(spot, np.arange(len(left)), then, bust)


def surrendering(spot: Spot) -> Array:
    """What hands are worth given up: (hands, 3)."""
    worth = np.full(len(spot.hands), -0.5)
    if spot.rules.surrender is Surrender.LATE:
        worth -= spot.ends[:, NATURAL] / 2
    return np.stack((worth, np.zeros_like(worth), np.zeros_like(worth)), axis=1)


def may_double(spot: Spot) -> NDArray[np.bool_]:
    """Hands on which the rules allow to double."""
    rules, hands = spot.rules, spot.hands
    allowed = (hands.cards == TWO_CARDS) & (hands.score != TWENTY_ONE)
    if spot.split and not rules.double_after_split:
        return np.zeros_like(allowed)
    if rules.double_on is not DoubleOn.ANY:
        least = rules.double_on.least
        allowed &= ~hands.soft & (hands.score >= least) & (hands.score <= _DOUBLE_UPTO)
    return np.asarray(allowed)


def may_surrender(spot: Spot) -> NDArray[np.bool_]:
    """Hands on which the rules allow to surrender: the first two cards."""
    if spot.split or spot.rules.surrender is Surrender.NONE:
        return np.zeros(len(spot.hands), dtype=bool)
    return np.asarray((spot.hands.cards == TWO_CARDS) & (spot.hands.score != TWENTY_ONE))


Choice = Callable[[NDArray[np.int64], Array], Plays]
"""(numbers of hands, worth of each play on them, −∞ where it is not allowed) → plays."""


def best_choice(numbers: NDArray[np.int64], worth: Array) -> Plays:  # noqa: ARG001  one shape
    """Play what is worth most; of equals the first in the order of plays."""
    return np.asarray(worth.argmax(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Played:
    """What hands are worth and how they are played."""

    worth: Array
    """(hands, 3): mean net result, probability of a win, of a push."""
    plays: Plays
    options: Array
    """(hands, 4): worth of stand, hit, double, surrender; −∞ where it is not allowed."""


def play(spot: Spot, choose: Choice = best_choice) -> Played:
    """Work out all hands of a spot, from the longest to the shortest."""
    size = len(spot.hands)
    stood, unspoilt = standing(spot)
    doubled, given_up = doubling(spot, stood, unspoilt), surrendering(spot)
    worth = stood.copy()
    plays = np.full(size, STAND)
    options = np.full((size, SPLIT), _NEVER)
    options[:, STAND] = stood[:, WORTH]
    options[:, DOUBLE] = np.where(may_double(spot), doubled[:, WORTH], _NEVER)
    options[:, SURRENDER] = np.where(may_surrender(spot), given_up[:, WORTH], _NEVER)
    fixed = spot.fixed
    for level in reversed(spot.hands.levels):
        numbers = level[~fixed[level]]
        if not len(numbers):
            continue
        bust = np.zeros((len(numbers), TEN, COLUMNS))
        bust[:, :, WORTH] = -1.0
        drawn = _over_next(spot, numbers, worth, bust)
        options[numbers, HIT] = drawn[:, WORTH]
        # One card is no hand yet: that of a split gets its second card whatever it is.
        alone = spot.hands.cards[numbers[0]] == 1
        chosen = np.full(len(numbers), HIT) if alone else choose(numbers, options[numbers])
        by_play = np.stack((stood[numbers], drawn, doubled[numbers], given_up[numbers]))
        worth[numbers] = by_play[chosen, np.arange(len(numbers))]
        plays[numbers] = chosen
    return Played(worth=worth, plays=plays, options=options)


def _over_next(spot: Spot, numbers: NDArray[np.int64], then: Array, bust: Array) -> Array:
    """Mean of what hands are worth after one more card: (numbers, columns)."""
    following = spot.hands.next[numbers]
    after = np.where((following == BUST)[:, :, None], bust, then[following])
    return np.asarray(np.einsum("hv,hvc->hc", spot.draws[numbers], after))
