"""The quick mathematics beside slow ones that are written in another way.

One hand: the hole card is a card that lies there, and every order of cards is followed. Splits: all
second cards are dealt out by name, and every other hand's cards are taken out of the pack.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from studio.games.blackjack.rules import BlackjackRules, HoleCard, Surrender
from studio.odds.analysis import against
from studio.odds.chances import NATURAL, ends
from studio.odds.compositions import hands, of
from studio.odds.dealer import pack
from studio.odds.play import DOUBLE, HIT, STAND, SURRENDER, Spot, play
from studio.odds.splits import Pair, Places, split

Counts = tuple[int, ...]


def total(cards: Counts) -> int:
    hard = sum((value + 1) * count for value, count in enumerate(cards))
    return hard + 10 if cards[0] and hard <= 11 else hard


def more(cards: Counts, value: int, number: int = 1) -> Counts:
    return (*cards[: value - 1], cards[value - 1] + number, *cards[value:])


def draws(left: Counts) -> Iterator[tuple[int, float]]:
    for value, count in enumerate(left, 1):
        if count > 0:
            yield value, count / sum(left)


@cache
def dealer_beats(dealer: Counts, left: Counts, score: int) -> float:
    """Mean result of a hand that stands on this score."""
    has = total(dealer)
    if has > 21:
        return 1.0
    if has >= 17:
        return float(np.sign(score - has))
    return sum(
        share * dealer_beats(more(dealer, value), more(left, value, -1), score)
        for value, share in draws(left)
    )


class Slow:
    """One hand against a dealer whose hole card lies there and is no natural's."""

    def __init__(self, up: int, decks: int) -> None:
        self.up, self.decks = up, decks
        self.spoils = {1: 10, 10: 1}.get(up, 0)

    def left(self, hand: Counts) -> Counts:
        full = more(pack(self.decks), self.up, -1)
        return tuple(have - gone for have, gone in zip(full, hand, strict=True))

    def holes(self, hand: Counts) -> list[tuple[int, float]]:
        """Hole cards that are left, none of them a natural's, with their probabilities."""
        rest = [(value, share) for value, share in draws(self.left(hand)) if value != self.spoils]
        whole = sum(share for _, share in rest)
        return [(value, share / whole) for value, share in rest]

    def stands(self, hand: Counts, *, times: int = 1) -> float:
        if total(hand) > 21:
            return -1.0 * times
        left = self.left(hand)
        start = more((0,) * 10, self.up)
        return times * sum(
            share * dealer_beats(more(start, hole), more(left, hole, -1), total(hand))
            for hole, share in self.holes(hand)
        )

    def next(self, hand: Counts) -> Iterator[tuple[Counts, float]]:
        """What one more card makes, the hole card being one of those that are left."""
        left = self.left(hand)
        for value in range(1, 11):
            share = sum(
                probability * (left[value - 1] - (hole == value)) / (sum(left) - 1)
                for hole, probability in self.holes(hand)
            )
            if share > 0:
                yield more(hand, value), share

    def hits(self, hand: Counts) -> float:
        return sum(
            share * (-1.0 if total(longer) > 21 else self.best(longer))
            for longer, share in self.next(hand)
        )

    def best(self, hand: Counts) -> float:
        stood = self.stands(hand)
        return stood if total(hand) == 21 else max(stood, self.hits(hand))

    def doubles(self, hand: Counts) -> float:
        return sum(share * self.stands(longer, times=2) for longer, share in self.next(hand))


@pytest.mark.parametrize(
    ("cards", "up"), [((10, 6), 10), ((10, 5), 9), ((9, 7), 8), ((10, 6), 1), ((10, 2), 7)]
)
@pytest.mark.parametrize("decks", [1, 2])
def test_each_play_is_worth_what_a_hole_card_that_lies_there_makes_it(
    cards: tuple[int, int], up: int, decks: int
) -> None:
    rules = BlackjackRules(decks=decks, surrender=Surrender.LATE)
    spot = against(rules, up).spot
    number = spot.hands.number[of(*cards)]
    natural = spot.ends[number, NATURAL]
    quick = (play(spot).options[number] + natural) / (1 - natural)
    slow, hand = Slow(up, decks), of(*cards)
    assert quick[STAND] == pytest.approx(slow.stands(hand), abs=1e-12)
    assert quick[HIT] == pytest.approx(slow.hits(hand), abs=1e-12)
    assert quick[DOUBLE] == pytest.approx(slow.doubles(hand), abs=1e-12)
    assert quick[SURRENDER] == pytest.approx(-0.5, abs=1e-12)


class SlowSplit:
    """A split whose second cards are dealt out by name; hands are played as `Split` plays them."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.hands = pair, hands(pair.value)
        places = Places(pair=pair)
        self.plays = split(places).plays
        self.spared = play(replace(places.first, spared=True)).plays
        self.known: dict[tuple[Counts, bool], tuple[list[float], list[float]]] = {}

    def spot(self, gone: Counts) -> Spot:
        full = np.array(pack(self.pair.rules.decks)) - np.array(gone)
        full[self.pair.up - 1] -= 1
        left = full - self.hands.counts
        chances = ends(left, self.pair.up, hits_soft_17=False)
        return Spot(
            rules=self.pair.rules,
            hands=self.hands,
            up=self.pair.up,
            left=left,
            ends=chances,
            split=True,
        )

    def hand(self, second: int, others: Counts, *, original: bool) -> float:
        """A hand's worth without the one stake of a natural, the others' cards being gone."""
        spared = not original and self.pair.rules.hole_card is HoleCard.ORIGINAL_LOST
        if (others, spared) not in self.known:
            spot = replace(self.spot(others), spared=spared)
            plays = self.spared if spared else self.plays
            worth = play(spot, lambda numbers, _: plays[numbers]).worth[:, 0]
            lost = spared or spot.rules.hole_card is HoleCard.ALL_LOST
            natural = np.zeros(len(worth)) if lost else spot.ends[:, NATURAL]
            self.known[others, spared] = (list(worth), list(natural))
        worth_, natural_ = self.known[others, spared]
        number = self.hands.number[of(self.pair.value, second)]
        return worth_[number] + natural_[number]

    def total(self, seconds: tuple[int, ...], hands_: int) -> float:
        """Mean of all hands; `seconds` are the second cards of those that are settled."""
        value = self.pair.value
        gone = of(*seconds, *[value] * hands_)
        if len(seconds) == hands_:
            return sum(
                self.hand(
                    second,
                    of(*seconds[:place], *seconds[place + 1 :], *[value] * (hands_ - 1)),
                    original=place == 0,
                )
                for place, second in enumerate(seconds)
            )
        left = np.array(pack(self.pair.rules.decks)) - np.array(gone)
        left[self.pair.up - 1] -= 1
        again = hands_ < self.pair.most_hands
        return sum(
            share
            * (
                self.total(seconds, hands_ + 1)
                if again and card == value
                else self.total((*seconds, card), hands_)
            )
            for card, share in draws(tuple(left))
        )

    def worth(self) -> float:
        rules, value = self.pair.rules, self.pair.value
        if rules.hole_card is HoleCard.ALL_LOST:
            return self.total((), 2)
        spot = self.spot(of(value))
        return self.total((), 2) - float(spot.ends[self.hands.number[of(value)], NATURAL])


@pytest.mark.parametrize(
    ("value", "up", "rules"),
    [
        (8, 10, BlackjackRules(decks=1, max_hands=3)),
        (9, 9, BlackjackRules(decks=1, max_hands=3, hole_card=HoleCard.ALL_LOST)),
        (8, 10, BlackjackRules(decks=1, max_hands=3, hole_card=HoleCard.ORIGINAL_LOST)),
        (1, 10, BlackjackRules(decks=1, max_hands=3, resplit_aces=True)),
        (10, 10, BlackjackRules(decks=1, max_hands=2, hole_card=HoleCard.ALL_LOST)),
    ],
)
def test_a_split_is_worth_what_hands_with_named_second_cards_are_worth(
    value: int, up: int, rules: BlackjackRules
) -> None:
    pair = Pair(rules=rules, up=up, value=value)
    found = split(Places(pair=pair))
    assert found.most == rules.max_hands
    assert found.worth == pytest.approx(SlowSplit(pair).worth(), abs=1e-10)
