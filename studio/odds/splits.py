"""What a pair is worth when it is split, with all further splits that the rules allow.

Each hand of a split is played by its own cards, the up card and the knowledge that the pair's other
card is gone, whatever the other hands hold. For such play the mean is exact: second cards may be
imagined to come first, one hand after another, since cards of a shoe come in no particular order;
and a card that nobody has seen yet changes no mean. From the latter follows what a hand is worth
when so many other hands are known to have got no pair card:

    worth(out, others) = p · worth(out + 1, others) + (1 − p) · worth(out, others + 1)

with `out` pair cards gone besides the hand's own, `others` hands with another second card, and `p`
the probability that an unseen card is a pair card.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from studio.games.blackjack.rules import BlackjackRules, HoleCard, SplitBy
from studio.games.hands21 import TEN, TWO_CARDS
from studio.odds.chances import ENDS, NATURAL, SCORES, Array, ends
from studio.odds.compositions import BUST, hands, of
from studio.odds.dealer import ACE, VALUES, pack
from studio.odds.play import (
    DOUBLE,
    HIT,
    STAND,
    WORTH,
    Choice,
    Played,
    Plays,
    Spot,
    best_choice,
    play,
)

NETS: Final = range(-2, 3)
"""What a hand of a split can win or lose: one stake or two, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A pair against an up card, with the pack it comes from."""

    rules: BlackjackRules
    up: int
    value: int

    @property
    def alike(self) -> int:
        """Cards of a full pack, without the up card, that make a pair with this one."""
        if self.value == TEN and self.rules.split_by is SplitBy.RANK:
            # The up card may be one of them; whoever splits tens by rank splits tens by value.
            return 4 * self.rules.decks
        return pack(self.rules.decks)[self.value - 1] - (self.up == self.value)

    @property
    def cards(self) -> int:
        """Cards of a full pack without the up card."""
        return sum(pack(self.rules.decks)) - 1

    @property
    def most_hands(self) -> int:
        """Hands that this pair may become."""
        if self.value == ACE and not self.rules.resplit_aces:
            return min(self.rules.max_hands, TWO_CARDS)
        return self.rules.max_hands

    @property
    def one_card_each(self) -> bool:
        """Whether each hand gets one card and no choice."""
        return self.value == ACE and not self.rules.hit_split_aces


HOPELESS: Final = 0.1
"""A split into two hands that is worth so much less than the pair is not looked into further.

More hands are worth more only where splitting the next pair is better than playing it.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Places:
    """A pair with all hands that one of its split hands can become."""

    pair: Pair

    @cached_property
    def first(self) -> Spot:
        """The pair's other card is gone besides the hand's own."""
        return self._out(1, 1)[0]

    @cached_property
    def further(self) -> list[Spot]:
        """Two pair cards are gone besides the hand's own, three, and so on."""
        most = 2 * self.pair.most_hands - 3
        return self._out(2, most) if most > 1 else []

    def _out(self, least: int, most: int) -> list[Spot]:
        pair, all_hands = self.pair, hands(self.pair.value)
        full = np.array(pack(pair.rules.decks)) - all_hands.counts
        full[:, pair.up - 1] -= 1
        packs = np.repeat(full[None], most - least + 1, axis=0)
        packs[:, :, pair.value - 1] -= np.arange(least, most + 1)[:, None]
        found = ends(
            packs.reshape(-1, len(VALUES)), pair.up, hits_soft_17=pair.rules.dealer_hits_soft_17
        ).reshape(len(packs), len(all_hands), ENDS)
        return [
            Spot(rules=pair.rules, hands=all_hands, up=pair.up, left=left, ends=chances, split=True)
            for left, chances in zip(packs, found, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """A pair as it is worth when split."""

    places: Places
    worth: float
    """Mean net result of all its hands together."""
    most: int
    """Hands that it may become, at best."""
    plays: Plays
    """How its hands are played."""

    def signs(self) -> tuple[float, float]:
        """Probabilities that its hands together win, and that they come out even.

        The hands meet the same end of the dealer; for each end they are taken as independent.
        """
        return _signs(self.places.pair, self.places.first, self.plays, self.most)


def split(places: Places, choose: Choice = best_choice, unsplit: float = -np.inf) -> Split:
    """Work out a split with the best number of hands that the rules allow.

    `choose` plays the hands; `unsplit` is what the pair is worth otherwise.

    Raises:
        ValueError: if the rules allow no split.
    """
    pair = places.pair
    if pair.most_hands < TWO_CARDS:
        raise ValueError("these rules allow no split")
    chosen = _only_stand if pair.one_card_each else choose
    first = play(places.first, chosen)
    spared = pair.rules.hole_card is HoleCard.ORIGINAL_LOST
    other = play(replace(places.first, spared=True), chosen) if spared else first
    worths = _Worths(pair, [places.first], [first], [other])
    worth, most = worths.total(TWO_CARDS), TWO_CARDS
    if worth > unsplit - HOPELESS and pair.most_hands > TWO_CARDS:
        keep, after = _keeping(first.plays), places.further
        played = others = [first, *(play(spot, keep) for spot in after)]
        if spared:
            keep = _keeping(other.plays)
            others = [other, *(play(replace(spot, spared=True), keep) for spot in after)]
        worths = _Worths(pair, [places.first, *after], played, others)
        most = max(range(TWO_CARDS, pair.most_hands + 1), key=worths.total)
        worth = worths.total(most)
    return Split(places=places, worth=worth, most=most, plays=first.plays)


def _only_stand(numbers: Plays, worth: Array) -> Plays:  # noqa: ARG001  one shape
    return np.full(len(numbers), STAND)


def _keeping(plays: Plays) -> Choice:
    """Play each hand as it is played here."""
    return lambda numbers, worth: plays[numbers]  # noqa: ARG005  one shape


class _Worths:
    """What one hand of a split is worth, by what is known of the others.

    The hand that goes on with the original stake is `played`, the others are `others`.
    """

    def __init__(
        self, pair: Pair, places: list[Spot], played: list[Played], others: list[Played]
    ) -> None:
        self._pair = pair
        self._all_lost = pair.rules.hole_card is HoleCard.ALL_LOST
        self._spared = pair.rules.hole_card is HoleCard.ORIGINAL_LOST
        alone = places[0].hands.number[of(pair.value)]
        self._natural = 0.0 if self._all_lost else float(places[0].ends[alone, NATURAL])
        self._original = self._tables(places, played, spared=False)
        self._further = self._tables(places, others, spared=self._spared)

    def _tables(
        self, places: list[Spot], played: list[Played], *, spared: bool
    ) -> tuple[list[float], list[float]]:
        """Worth by cards out: of a hand with any second card, and with none that is a pair card."""
        first = places[0].hands.number
        alone, both = first[of(self._pair.value)], first[of(self._pair.value, self._pair.value)]
        any_, other = [], []
        for out, (spot, each) in enumerate(zip(places, played, strict=True), 1):
            share = self._share(out, 0)
            whatever = self._of(spot, each, alone, spared=spared)
            paired = self._of(spot, each, both, spared=spared)
            any_.append(whatever)
            other.append((whatever - share * paired) / (1 - share))
        return any_, other

    def _of(self, spot: Spot, played: Played, number: int, *, spared: bool) -> float:
        """Worth of a hand, a natural's one stake left out: the round loses that only once."""
        natural = 0.0 if self._all_lost or spared else float(spot.ends[number, NATURAL])
        return float(played.worth[number, WORTH]) + natural

    def _share(self, out: int, known: int) -> float:
        """Probability that an unseen card is a pair card: `out` and the hand's own are gone."""
        alike = max(self._pair.alike - 1 - out, 0)
        return alike / (self._pair.cards - 1 - out - known)

    def _knowing(self, table: list[float], out: int, others: int, own: int) -> float:
        """Worth when `others` hands got no pair card; `own` is 1 if this hand got none either."""
        if not others:
            return table[out - 1]
        share = self._share(out, others - 1 + own)
        before = self._knowing(table, out, others - 1, own)
        if not share:
            return before
        return (before - share * self._knowing(table, out + 1, others - 1, own)) / (1 - share)

    def total(self, most: int) -> float:
        """Mean net result of all hands if they may become so many."""
        whole = -self._natural
        for (hands_, settled), probability in _paths(self._pair, most):
            # The original stake's hand is the first to be settled.
            own = min(settled, 1)
            counts = ((own, 1 - own), (settled - own, hands_ - settled - 1 + own))
            tables = (self._original, self._further)
            for (known, open_), (any_, other) in zip(counts, tables, strict=True):
                if known:
                    worth = self._knowing(other, hands_ - 1, settled - 1, 1)
                    whole += probability * known * worth
                if open_:
                    whole += probability * open_ * self._knowing(any_, hands_ - 1, settled, 0)
        return whole


def _paths(pair: Pair, most: int) -> Iterator[tuple[tuple[int, int], float]]:
    """How a split can come out: (hands, those known to have got no pair card), probability."""
    states = {(TWO_CARDS, 0): 1.0}
    while states:
        (hands_, settled), probability = states.popitem()
        if hands_ in (most, settled):
            yield (hands_, settled), probability
            continue
        alike = max(pair.alike - hands_, 0)
        share = alike / (pair.cards - hands_ - settled)
        for state, chance in (((hands_ + 1, settled), share), ((hands_, settled + 1), 1 - share)):
            if chance:
                states[state] = states.get(state, 0.0) + probability * chance


def _numbers(pair: Pair, most: int) -> dict[int, float]:
    """Probability of each number of hands."""
    found: dict[int, float] = {}
    for (hands_, _), probability in _paths(pair, most):
        found[hands_] = found.get(hands_, 0.0) + probability
    return found


def _signs(pair: Pair, spot: Spot, plays: Plays, most: int) -> tuple[float, float]:
    """Probabilities that up to `most` hands together win, and that they come out even."""
    numbers = _numbers(pair, most)
    alone = spot.hands.number[of(pair.value)]
    nets = _nets(spot, plays)[alone]
    wins = pushes = 0.0
    for end in range(NATURAL):
        probability = spot.ends[alone, end]
        if probability <= 0:
            continue
        one = nets[:, end] / nets[:, end].sum()
        for hands_, share in numbers.items():
            together = one
            for _ in range(hands_ - 1):
                together = np.convolve(together, one)
            middle = len(together) // 2
            wins += share * probability * together[middle + 1 :].sum()
            pushes += share * probability * together[middle]
    return float(wins), float(pushes)


def _nets(spot: Spot, plays: Plays) -> Array:
    """(hands, 5, 7): probability of each net result of a hand together with each dealer's end."""
    score, chances = spot.hands.score[:, None], spot.ends
    signs = np.concatenate(
        (np.sign(score - SCORES), np.ones_like(score), -np.ones_like(score)), axis=1
    )
    signs[spot.charlies] = 1
    once, twice = _placed(chances, signs), _placed(chances, 2 * signs)
    found = once.copy()
    for level in reversed(spot.hands.levels):
        for kind, then, stake in ((HIT, found, 1), (DOUBLE, twice, 2)):
            numbers = level[plays[level] == kind]
            following = spot.hands.next[numbers]
            bust = _placed(chances[numbers], np.full((len(numbers), ENDS), -stake))
            after = np.where((following == BUST)[:, :, None, None], bust[:, None], then[following])
            found[numbers] = (spot.draws[numbers][:, :, None, None] * after).sum(axis=1)
    return found


def _placed(chances: Array, nets: Array) -> Array:
    """Put each end's probability into the row of its net result."""
    return np.stack([chances * (nets == net) for net in NETS], axis=1)
