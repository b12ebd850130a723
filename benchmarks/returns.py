"""What the bets of Boundless Blackjack return in play: `python -m benchmarks.returns`.

Two players sit at the same shared hand and have the same shoes: one plays by a table of basic
strategy, one never answers and is played automatically. The procedure deals, the pay tables pay,
and the mean returns are held against the exact ones of RULES.md 1.7. Shoes are shuffled whole and
give a fixed number of rounds, so no cut card comes between; every other shoe is dealt under the
schedule `lanes`. Two million rounds are the measure; ends with 1 if the main bet is off by more
than three standard errors, or one of the other six figures by more than four.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from functools import lru_cache
from math import sqrt
from time import process_time
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from studio.domain.cards import PACK, Card
from studio.games.boundless.felt import Felt
from studio.games.boundless.outcome import BoundlessOutcome
from studio.games.boundless.pays import HALF, pays
from studio.games.boundless.round import deal
from studio.games.boundless.rules import BoundlessRules, Schedule
from studio.games.hands21 import TEN, natural
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
    Stakes,
)
from studio.simulate.basic import Shown, best

EXACT: Final = {
    "main": 0.995150,
    "main_auto": 0.919761,
    "pair": 0.966265,
    "lucky_trio": 0.947219,
    "poker_trio": 0.962961,
    "bust_bonus": 0.938157,
    "insurance": 0.925301,
}
"""Returns of RULES.md 1.7; of the main bet that of one table of basic strategy."""
SIDE_BETS: Final = ("pair", "lucky_trio", "poker_trio", "bust_bonus")
STAKE: Final = 1000
"""Minor units on each bet, so that 3:2 and halves are whole."""
ROUNDS_OF_SHOE: Final = 40
SEATED: Final = Staked(2, ("bust_bonus", "lucky_trio", "main", "pair", "poker_trio"))
DECLINED: Final = Decided((Choice("", (("", "decline"),), 2),))


class Mean:
    """A mean with its standard error, from sums."""

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        """Start with nothing."""
        self.count = self.total = self.squares = 0

    def add(self, net: int) -> None:
        """Add what a bet of one stake won or lost, in minor units."""
        self.count += 1
        self.total += net
        self.squares += net * net

    def told(self, exact: float) -> dict[str, Any]:
        """Give the mean return beside the exact one; None for what nothing is known of."""
        if self.count < 2:
            return {"bets": self.count, "return": None, "exact": exact, "standard_errors_off": None}
        mean = self.total / self.count
        error = sqrt((self.squares / self.count - mean * mean) / (self.count - 1)) / STAKE
        found = 1 + mean / STAKE
        return {
            "bets": self.count,
            "return": round(found, 6),
            "exact": exact,
            "standard_error": round(error, 6),
            "standard_errors_off": round((found - exact) / error, 2) if error else None,
        }


@lru_cache(maxsize=4096)
def by_table(total: int, low: int | None, up: int, actions: tuple[str, ...]) -> str:
    """What basic strategy does with a hand."""
    return best(Shown(total=total, low=low, up=up), actions)


class Pair:
    """The two players of a round: which cohort each is in, and what each has staked."""

    def __init__(self, felt: Felt) -> None:
        """Seat both."""
        self.felt = felt
        self.skilled = self.silent = ""

    def choose(self, offers: tuple[Offer, ...]) -> Decided:
        """Answer a window for both."""
        ways: dict[tuple[str, tuple[tuple[str, str], ...]], int] = {}
        skilled = tuple((o.lane, self._best(o)) for o in offers if o.cohort == self.skilled)
        silent = tuple((o.lane, o.auto) for o in offers if o.cohort == self.silent)
        for cohort, actions in ((self.skilled, skilled), (self.silent, silent)):
            if actions:
                ways[cohort, actions] = ways.get((cohort, actions), 0) + 1
        choices = tuple(Choice(cohort, way, players) for (cohort, way), players in ways.items())
        if skilled:
            self.skilled = Choice(self.skilled, skilled, 1).into
        if silent:
            self.silent = Choice(self.silent, silent, 1).into
        return Decided(choices)

    def _best(self, offer: Offer) -> str:
        hand = self.felt.lanes[offer.lane]
        low = hand.score - TEN if hand.soft else None
        return by_table(hand.score, low, self.felt.dealer.scores[1], offer.actions)

    def net(self, outcome: BoundlessOutcome, cohort: str, found: dict[str, Any]) -> int:
        """What a cohort's main stake and all that was added to it won or lost."""
        played = next(each for each in outcome.cohorts if each.name == cohort)
        total = 0
        for hand in played.hands:
            kinds: tuple[str, ...] = ("split" if hand.lane == "R" else "main",)
            kinds += (f"double:{hand.lane}",) if hand.doubled else ()
            for kind in kinds:
                pay = found[f"{kind}@{cohort}" if cohort else kind]
                total += pay.returned(STAKE) - STAKE
        return total


def dealt(rules: BoundlessRules, cards: Iterator[Card]) -> tuple[Pair, BoundlessOutcome]:
    """One round."""
    felt = Felt()
    pair, procedure = Pair(felt), deal(rules, felt)
    due: Any = next(procedure)
    hole = PACK[0]
    try:
        while True:
            match due:
                case Deal(face=Facing.UP):
                    due = procedure.send(next(cards))
                case Deal():
                    hole = next(cards)
                    due = procedure.send(None)
                case Decide(step="insurance"):
                    due = procedure.send(DECLINED)
                case Decide(offers=offers):
                    due = procedure.send(pair.choose(offers))
                case Peek():
                    due = procedure.send(natural(felt.dealer.cards[0], hole))
                case Reveal():
                    due = procedure.send(hole)
                case Stakes():
                    due = procedure.send(SEATED)
    except StopIteration as ended:
        return pair, ended.value


def note(means: dict[str, Mean], rules: BoundlessRules, cards: Iterator[Card]) -> None:
    """Deal one round and add what its bets returned."""
    pair, outcome = dealt(rules, cards)
    found = pays(rules, outcome)
    means["main"].add(pair.net(outcome, pair.skilled, found))
    means["main_auto"].add(pair.net(outcome, pair.silent, found))
    for bet in SIDE_BETS:
        means[bet].add(found[bet].returned(STAKE) - STAKE)
    if outcome.dealer[0].rank == "A":
        half = HALF.returned(STAKE)
        means["insurance"].add((found["insurance"].returned(half) - half) * STAKE // half)


def main() -> int:
    """Print the figures as one JSON line; 1 if one is off."""
    parser = argparse.ArgumentParser(description="returns of Boundless Blackjack in play")
    parser.add_argument("--rounds", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    rules = [BoundlessRules(schedule=schedule) for schedule in Schedule]
    means, source = {name: Mean() for name in EXACT}, random.Random(wanted.seed)
    started = process_time()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("rounds", total=wanted.rounds)
        for number in range(0, wanted.rounds, ROUNDS_OF_SHOE):
            shoe = list(PACK) * 8
            source.shuffle(shoe)
            cards = iter(shoe)
            for _ in range(min(ROUNDS_OF_SHOE, wanted.rounds - number)):
                note(means, rules[number // ROUNDS_OF_SHOE % len(rules)], cards)
            bar.advance(task, ROUNDS_OF_SHOE)
    told = {name: mean.told(EXACT[name]) for name, mean in means.items()}
    off = {name: abs(each["standard_errors_off"] or 0) for name, each in told.items()}
    agrees = off["main"] <= 3 and max(off.values()) <= 4
    report = {
        "benchmark": "returns",
        "rounds": wanted.rounds,
        "seed": wanted.seed,
        "bets": told,
        "agrees": agrees,
        "rounds_per_cpu_s": round(wanted.rounds / (process_time() - started)),
    }
    print(json.dumps(report))
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
