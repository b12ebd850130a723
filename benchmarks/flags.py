"""Does every flag of blackjack matter as much as `cutcard odds` says? `python -m benchmarks.flags`.

Rounds are dealt from the same shuffled cards under both sides of a flag, by a plain dealer that
shares no code with the mathematics. Both sides are played by the table of best plays of their own
rules (`main_table`). The mean difference must be the exact one within three standard errors; ends
with 1 if one is not. Rounds in which both sides go the same way cancel out, so that the standard
errors of differences are small.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from time import process_time
from typing import Any

from studio.odds.registry import odds

ROUNDS = 400_000
CARDS = 48
"""Cards at the ready for each round; four hands and the dealer hardly ever need so many."""
LIMIT = 3.0
"""Standard errors."""
BASE: Mapping[str, Any] = {"max_hands": 4}
ONE_PACK: Mapping[str, Any] = {**BASE, "decks": 1}
PAIRS: list[tuple[str, Mapping[str, Any], Mapping[str, Any]]] = [
    ("hit soft 17", BASE, {**BASE, "dealer_hits_soft_17": True}),
    ("no double after split", BASE, {**BASE, "double_after_split": False}),
    ("no hole card, all lost", BASE, {**BASE, "hole_card": "none_all_lost"}),
    ("double 9-11", BASE, {**BASE, "double_on": "9-11"}),
    ("double 10-11", BASE, {**BASE, "double_on": "10-11"}),
    ("split once", BASE, {**BASE, "max_hands": 2}),
    ("no split", BASE, {**BASE, "max_hands": 1}),
    ("resplit aces", BASE, {**BASE, "resplit_aces": True}),
    ("hit split aces", BASE, {**BASE, "hit_split_aces": True}),
    ("late surrender", BASE, {**BASE, "surrender": "late"}),
    ("early surrender", BASE, {**BASE, "surrender": "early"}),
    ("Charlie of five", BASE, {**BASE, "charlie": 5}),
    ("Charlie of six", BASE, {**BASE, "charlie": 6}),
    ("natural 6:5", BASE, {**BASE, "blackjack_pays": [6, 5]}),
    (
        "hit soft 17, one pack",
        {**BASE, "decks": 1},
        {**BASE, "decks": 1, "dealer_hits_soft_17": True},
    ),
]


def total(cards: list[int]) -> tuple[int, bool]:
    """Score of a hand and whether it is soft."""
    hard = sum(cards)
    soft = 1 in cards and hard <= 11
    return (hard + 10 if soft else hard), soft


@dataclass(slots=True)
class Hand:
    """One hand of the player."""

    cards: list[int]
    stake: int = 1
    net: float | None = None
    """Result if it is over already."""


@dataclass
class Table:
    """Deals rounds under one set of rules to a player who plays by its table of best plays."""

    given: Mapping[str, Any]
    rules: Mapping[str, Any] = field(init=False)
    expected: float = field(init=False)
    plays: dict[tuple[str, int, int], str] = field(init=False)

    def __post_init__(self) -> None:
        """Ask for the table and for what it is said to be worth."""
        found = odds("blackjack", self.given)
        self.rules = found.rules
        self.expected = -found.bet("main_table").house_edge
        table = found.extras["strategy"]
        names = {"A": 1, "T": 10}
        ups = [names.get(up) or int(up) for up in table["up"]]
        self.plays = {
            (kind, names.get(hand) or int(hand), up): play
            for kind in ("hard", "soft", "pairs")
            for hand, row in table[kind].items()
            for up, play in zip(ups, row, strict=True)
        }

    def round(self, cards: Iterator[int]) -> float:
        """Play one round; gives the net result in stakes."""
        rules = self.rules
        first, up, second = next(cards), next(cards), next(cards)
        hand = Hand([first, second])
        natural = first + second == 11 and 1 in hand.cards
        peeks = rules["hole_card"] == "peek"
        # Where it is dealt last it may as well lie here: nobody sees it, and both sides of a flag
        # then meet the same cards.
        hole = next(cards)
        dealer_too = up + hole == 11 and 1 in (up, hole)
        early = rules["surrender"] == "early" and not natural
        if early and self.wish(hand, up, alone=True) == "R":
            return -0.5
        if natural:
            pays = rules["blackjack_pays"]
            return 0.0 if dealer_too else float(pays[0] / pays[1])
        if peeks and dealer_too:
            return -1.0
        return self.settled(list(self.played(hand, up, cards)), up, hole, cards)

    def settled(self, hands: list[Hand], up: int, hole: int, cards: Iterator[int]) -> float:
        """The dealer's hand, if somebody is still in, and the sum of all results."""
        net = sum(hand.net for hand in hands if hand.net is not None)
        still = [hand for hand in hands if hand.net is None]
        if not still:
            return net
        dealer = [up, hole]
        if sum(dealer) == 11 and 1 in dealer:
            if self.rules["hole_card"] == "none_all_lost":
                return net - sum(hand.stake for hand in still)
            return net - 1
        score, soft = total(dealer)
        while score < 17 or (score == 17 and soft and self.rules["dealer_hits_soft_17"]):
            dealer.append(next(cards))
            score, soft = total(dealer)
        for hand in still:
            has = total(hand.cards)[0]
            won = 1 if score > 21 else (has > score) - (has < score)
            net += hand.stake * won
        return net

    def played(self, hand: Hand, up: int, cards: Iterator[int]) -> Iterator[Hand]:
        """Play the first hand and all that come of it by splits, one after another."""
        waiting, hands = [hand], 1
        while waiting:
            hand = waiting.pop()
            alone = hands == 1
            aces = not alone and hand.cards[0] == 1
            if len(hand.cards) == 1:
                hand.cards.append(next(cards))
            most = 2 if hand.cards[0] == 1 and not self.rules["resplit_aces"] else 4
            splits = hand.cards[0] == hand.cards[1] and hands < min(most, self.rules["max_hands"])
            if splits and self.plays["pairs", hand.cards[0], up] == "P":
                hands += 1
                waiting += [Hand([hand.cards[1]]), Hand([hand.cards[0]])]
                continue
            if not aces or self.rules["hit_split_aces"]:
                self.finish(hand, up, cards, alone=alone)
            yield hand

    def finish(self, hand: Hand, up: int, cards: Iterator[int], *, alone: bool) -> None:
        """Play one hand to its end."""
        while hand.net is None:
            play = self.wish(hand, up, alone=alone)
            if play == "S":
                return
            if play == "R":
                hand.net = -0.5
                return
            hand.stake = 2 if play == "D" else 1
            hand.cards.append(next(cards))
            if total(hand.cards)[0] > 21:
                hand.net = -hand.stake
            elif self.rules["charlie"] and len(hand.cards) >= self.rules["charlie"]:
                hand.net = 1.0
            if play == "D":
                return

    def wish(self, hand: Hand, up: int, *, alone: bool) -> str:
        """The table's play, or what it says instead where that is not allowed."""
        score, soft = total(hand.cards)
        if score == 21:
            return "S"
        play = self.plays["soft" if soft else "hard", score, up]
        two = len(hand.cards) == 2
        if two and hand.cards[0] == hand.cards[1] != 1:
            of_pair = self.plays["pairs", hand.cards[0], up]
            if of_pair != "P":
                play = of_pair
            elif alone and self.rules["max_hands"] > 1:
                return "P"
        instead = "S" if play.endswith("s") else "H"
        if play[0] == "D":
            return "D" if two and self.doubles(score, alone=alone, soft=soft) else instead
        if play[0] == "R":
            return "R" if two and alone and self.rules["surrender"] != "none" else instead
        return play

    def doubles(self, score: int, *, alone: bool, soft: bool) -> bool:
        """Whether two cards of this score may be doubled."""
        if not alone and not self.rules["double_after_split"]:
            return False
        least = {"any": 0, "9-11": 9, "10-11": 10}[self.rules["double_on"]]
        return not least or (not soft and least <= score <= 11)


def compare(
    name: str, one: Table, other: Table, rounds: int, seed: int
) -> tuple[dict[str, Any], bool]:
    """Deal the same cards to both; gives a line of figures and whether they agree."""
    shuffle = random.Random(seed)
    pack = [min(rank, 10) for rank in range(1, 14)] * 4 * one.rules["decks"]
    sums, squares = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for _ in range(rounds):
        cards = shuffle.sample(pack, CARDS)
        nets = one.round(iter(cards)), other.round(iter(cards))
        for place, net in enumerate((*nets, nets[1] - nets[0])):
            sums[place] += net
            squares[place] += net * net
    exact = (one.expected, other.expected, other.expected - one.expected)
    line: dict[str, Any] = {"flag": name, "rounds": rounds}
    agree = True
    for what, sum_, square, wanted in zip(
        ("before", "after", "difference"), sums, squares, exact, strict=True
    ):
        mean = sum_ / rounds
        error = sqrt(max(square / rounds - mean * mean, 0) / rounds)
        off = (mean - wanted) / error if error else 0.0
        if what == "difference":
            agree = abs(off) <= LIMIT
        line[what] = {
            "exact": round(100 * wanted, 4),
            "dealt": round(100 * mean, 4),
            "standard_error": round(100 * error, 4),
            "off_by": round(off, 2),
        }
    return line, agree


def main() -> None:
    """Compare all pairs, a line each; results in points of the stake."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="pairs whose name holds this text")
    options = parser.parse_args()
    good = True
    for name, one, other in PAIRS:
        if options.only in name:
            started = process_time()
            line, agree = compare(name, Table(one), Table(other), options.rounds, options.seed)
            good &= agree
            line["processor_s"] = round(process_time() - started, 1)
            print(json.dumps(line), flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
