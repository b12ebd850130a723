"""Does every flag of blackjack matter as much as `cutcard odds` says? `python -m benchmarks.flags`.

Rounds are dealt from the same shuffled cards under both sides of a flag, by the game's own
procedure and paid by its own rows, which share no code with the mathematics but the reader of the
rules. Both sides are played by the table of best plays of their own rules (`main_table`). The mean
difference must be the exact one within three standard errors; ends with 1 if one is not. Rounds in
which both sides go the same way cancel out, so that the standard errors of differences are small.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from time import process_time
from typing import Any

from studio.domain.cards import PACK, Card
from studio.games.blackjack.felt import DEALER, Felt, SeatHand
from studio.games.blackjack.outcome import BlackjackOutcome
from studio.games.blackjack.pays import INSURANCE, pays
from studio.games.blackjack.round import deal
from studio.games.blackjack.rules import BlackjackRules, read_rules
from studio.games.hands21 import POINTS, natural
from studio.games.procedure import (
    Choice,
    Deal,
    Decide,
    Decided,
    Facing,
    Offer,
    Peek,
    Reveal,
    Staked,
)
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
    ("no hole card, original lost", BASE, {**BASE, "hole_card": "none_original_lost"}),
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
        ONE_PACK,
        {**ONE_PACK, "dealer_hits_soft_17": True},
    ),
]
SEATED = Staked(1, ("main",))
HOLE = 3
"""Place of the dealer's second card, whenever it is dealt: both sides of a flag meet the same."""
LISTED = range(4, 21)
"""Totals of the table."""
WORDS = {"H": "hit", "S": "stand", "D": "double", "P": "split", "R": "surrender"}


@dataclass
class Table:
    """Deals rounds under one set of rules to a player who plays by its table of best plays."""

    given: Mapping[str, Any]
    rules: BlackjackRules = field(init=False)
    expected: float = field(init=False)
    plays: dict[tuple[str, int, int], str] = field(init=False)

    def __post_init__(self) -> None:
        """Ask for the table and for what it is said to be worth."""
        found = odds("blackjack", self.given)
        self.rules = read_rules(self.given)
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

    def round(self, cards: list[Card]) -> float:
        """Play one round by the game's procedure; gives the net result in stakes."""
        felt = Felt(self.rules)
        procedure = deal(self.rules, felt)
        send = procedure.send
        at = 0
        due: Any = next(procedure)
        try:
            while True:
                kind = type(due)
                if kind is Deal:
                    second = due.to == DEALER and felt.dealer.cards and len(felt.dealer.cards) == 1
                    if due.face is Facing.DOWN:
                        due = send(None)
                    elif second and not self.rules.peeks:
                        due = send(cards[HOLE])
                    else:
                        card = cards[at]
                        at += 2 if at == HOLE - 1 else 1
                        due = send(card)
                elif kind is Decide:
                    due = send(Decided(tuple([self.chosen(felt, offer) for offer in due.offers])))
                elif kind is Peek:
                    due = send(natural(felt.dealer.cards[0], cards[HOLE]))
                elif kind is Reveal:
                    due = send(cards[HOLE])
                else:
                    due = send(SEATED)
        except StopIteration as ended:
            return self.net(ended.value)

    def net(self, outcome: BlackjackOutcome) -> float:
        """What goes back for all stakes of the one seat, less the stakes."""
        rows = pays(self.rules, outcome)
        return sum(
            float(p.numerator / p.denominator) - 1 for k, p in rows.items() if k != INSURANCE
        )

    def chosen(self, felt: Felt, offer: Offer) -> Choice:
        """The table's play of the hand that is asked, or what it says instead."""
        (seat,) = felt.seats
        play = "decline"
        if "decline" not in offer.actions:
            hand = next(each for each in seat.hands if each.lane == offer.lane)
            play = self.wish(hand, felt.up, offer.actions)
        elif "surrender" in offer.actions and self.gives_up(seat.first, felt.up):
            play = "surrender"
        return Choice(offer.cohort, ((offer.lane, play),), 1)

    def gives_up(self, hand: SeatHand, up: int) -> bool:
        """Whether the table surrenders these first two cards."""
        return self.wish(hand, up, ("hit", "stand", "double", "split", "surrender")) == "surrender"

    def wish(self, hand: SeatHand, up: int, actions: tuple[str, ...]) -> str:
        """What the table does with a hand, of those actions; it stands on every 21."""
        if hand.score not in LISTED:
            return "stand"
        play = self.plays["soft" if hand.soft else "hard", hand.score, up]
        if len(hand.cards) == 2:
            one, two = (POINTS[card.rank] for card in hand.cards)
            of_pair = self.plays["pairs", one, up] if one == two else ""
            if of_pair == "P" and "split" in actions:
                return "split"
            if of_pair not in ("", "P"):
                play = of_pair
        if WORDS[play[0]] in actions:
            return WORDS[play[0]]
        return "stand" if play.endswith("s") or "hit" not in actions else "hit"


def compare(
    name: str, one: Table, other: Table, rounds: int, seed: int
) -> tuple[dict[str, Any], bool]:
    """Deal the same cards to both; gives a line of figures and whether they agree."""
    shuffle = random.Random(seed)
    pack = list(PACK) * one.rules.decks
    sums, squares = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for _ in range(rounds):
        cards = shuffle.sample(pack, CARDS)
        nets = one.round(cards), other.round(cards)
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
    bases: dict[int, Table] = {}
    for name, one, other in PAIRS:
        if options.only in name:
            started = process_time()
            before = bases.get(id(one)) or bases.setdefault(id(one), Table(one))
            line, agree = compare(name, before, Table(other), options.rounds, options.seed)
            good &= agree
            line["processor_s"] = round(process_time() - started, 1)
            print(json.dumps(line), flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
