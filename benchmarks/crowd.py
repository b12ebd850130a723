"""One round of Boundless Blackjack with a crowd: `python -m benchmarks.crowd [PLAYERS [main]]`.

The round is dealt by the ordinary runner with its journal in memory and a wallet that covers all
and keeps nothing. Every player has a hand and (without `main`) a side bet, decides in batches of
5,000, and is paid. One JSON line with seconds (wall and CPU) per part, and the memory of the whole
process at its most, players and journal included.

What is measured as `settlement` is the decision that ends the round: what every bet returns, the
digests of the columns, the laws, the commit and the new state; paying is in `card` beside it.
"""

import json
import resource
import sys
import time
from collections.abc import Sequence
from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.decisions import Offer
from studio.domain.envelope import Actor, ActorKind
from studio.domain.observations import CardRead, DeviceOnline
from studio.games.procedure import Deal, Reveal
from studio.games.registry import game
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.ids import SequentialIds
from studio.live.means import SYSTEM, Means
from studio.live.recovery import Restored
from studio.live.runner import TableRunner
from studio.live.treasury import Treasury
from studio.live.wallets import MemoryWallet
from studio.scripted.bench import UTC
from studio.storage.memory import MemoryJournal
from studio.table.bets import MOST_IN_BATCH
from studio.table.evolve import fold
from studio.table.state import Phase, Setup, Table
from studio.table.turn import due

PLAYERS = 1_000_000
SHOE = ("8S", "6D", "8C", "TC", "2H", "3H", "3D", "KH", "4S", "5S", "6S", "9D", "2C", "7D", "TD")
"""Eights against a six: some hit, stand, double and split."""
PLATFORM = Actor(ActorKind.PLATFORM, "bench")
CHOICES = ("stand", "split", "hit", "double", "stand", "stand", "")
"""What players do with a hand, one after the other; nothing: they are silent."""


class Open(MemoryWallet):
    """A wallet that covers everything and keeps sums only."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(unlimited=True, name="open")
        self.reserved = self.paid = 0

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:  # noqa: ARG002
        """Take all."""
        self.reserved += sum(amount for _, _, amount in entries)
        return ()

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:  # noqa: ARG002
        """Pay all."""
        self.paid += sum(amount for _, amount in entries)


class Crowd:
    """A table, its players, and the seconds that each part took."""

    def __init__(self, players: int, *, side_bets: bool = True) -> None:
        """Open a table in the middle of a shoe."""
        self.side_bets = side_bets
        dealt = game("boundless-blackjack")
        self.players = [f"p{number:07d}" for number in range(players)]
        self.setup = Setup(
            table="crowd",
            game=dealt,
            rules=dealt.rules({}),
            rules_digest="-",
            limits=tuple((bet, None) for bet in dealt.bets),
        )
        self.clock, self.wallet = ManualClock(), Open()
        self.began = self.settlement = (0.0, 0.0)
        at_us = self.clock.now_us()
        facts = (e.TableOpened(), e.ShoeOpened(shoe_no=1, decks=8))
        means = Means(
            journal=MemoryJournal(checked=False),
            treasury=Treasury(self.wallet),
            clock=self.clock,
            ids=SequentialIds("crowd"),
            day=GamingDay("06:00", UTC),
            salt=lambda: "crowd",
            threaded=False,
            at_point=self.point,
        )
        table = fold(Table(), ((fact, at_us) for fact in facts))
        self.runner = TableRunner(self.setup, means, Restored(table=table))
        self.runner.start()
        self.runner.report(
            DeviceOnline(device="shoe", at_us=at_us, model="m", firmware="1", serial="", boot="b")
        )
        self.runner.flush()
        self.shoe = list(SHOE)
        self.sequence = 0
        self.took: dict[str, list[float]] = {}

    @property
    def table(self) -> Table:
        """The newest state."""
        return self.runner.shown.table

    def point(self, name: str) -> None:
        """The runner passed a point: from `before_decide` to `after_publish` is one decision."""
        now = (time.perf_counter(), time.process_time())
        if name == "before_decide":
            self.began = now
        elif name == "after_publish":
            self.settlement = (now[0] - self.began[0], now[1] - self.began[1])

    def timed(self, part: str, do: Any, *args: Any) -> None:
        """Do it, and add what it took."""
        wall, cpu = time.perf_counter(), time.process_time()
        do(*args)
        took = self.took.setdefault(part, [0.0, 0.0, 0.0])
        spent = time.perf_counter() - wall
        took[0] += spent
        took[1] += time.process_time() - cpu
        took[2] = max(took[2], spent)

    def ask(self, command: c.Command) -> None:
        """Ask, and stop if it is refused."""
        answer = self.runner.ask(command, PLATFORM)
        self.runner.flush()
        if answer.result(0).status != "done":
            raise SystemExit(f"{type(command).__name__}: {answer.result(0).text}")

    def bet(self) -> None:
        """A main bet each, and a side bet."""
        half = MOST_IN_BATCH // 2
        for first in range(0, len(self.players), half):
            bets = tuple(
                bet
                for number, player in enumerate(self.players[first : first + half], first)
                for bet in (
                    c.Bet(f"m{number}", player, "main", 1_000 + 20 * (number % 50)),
                    c.Bet(f"s{number}", player, "bust_bonus", 100),
                )[: 1 + self.side_bets]
            )
            self.timed("bets", self.ask, c.PlaceBets(batch=f"b{first}", bets=bets))

    def decide(self) -> None:
        """Everybody who is asked answers, or does not."""
        current = self.table.round
        asks = current.answering if current else None
        if current is None or asks is None:
            raise SystemExit("no window is open")
        number = asks.number
        lanes: dict[str, list[Offer]] = {}
        for offer in asks.offers:
            lanes.setdefault(offer.cohort, []).append(offer)
        offers = [lanes.get(name, []) for name in current.seating.cohorts]
        batch: list[c.Decision] = []
        numbers = current.seating.numbers.tolist()
        for seat, player in enumerate(current.seating.players):
            for offer in offers[numbers[seat]]:
                action = CHOICES[(seat + number) % len(CHOICES)]
                if action not in offer.actions:
                    action = "stand" if action else ""
                if action:
                    name = f"{number}-{seat}-{offer.lane}"
                    batch.append(c.Decision(name, player, offer.lane, action))
            if len(batch) >= MOST_IN_BATCH - 1:
                self.send(batch, number)
                batch = []
        self.send(batch, number)
        window = self.table.window
        still = self.table.round.answering if self.table.round else None
        if still is not None and still.number == number and window is not None:
            self.clock.advance(max(0, window.deadline_us - self.clock.now_us()))
            self.timed("close", self.tick)

    def send(self, batch: list[c.Decision], number: int) -> None:
        """One batch of decisions."""
        if batch:
            name = f"{number}/{batch[0].id}"
            command = c.PlaceDecisions(batch=name, decisions=tuple(batch), window=number)
            self.timed("decisions", self.ask, command)

    def tick(self) -> None:
        """Time has passed."""
        self.runner.tick()
        self.runner.flush()

    def read(self) -> None:
        """The next card."""
        self.sequence += 1
        card = Card.parse(self.shoe.pop(0))
        self.runner.report(
            CardRead(
                device="shoe",
                at_us=self.clock.now_us(),
                boot="b",
                sequence=self.sequence,
                card=card,
            )
        )
        self.runner.flush()

    def play(self) -> None:
        """Deal one round to its end."""
        self.runner.ask(c.OpenBets(), SYSTEM)
        self.bet()
        self.timed("closing of bets", self.ask, c.CloseBets())
        while self.table.phase is not Phase.RESULT:
            if self.table.phase is Phase.DECISION:
                self.decide()
                continue
            match due(self.setup, self.table):
                case Deal():
                    self.timed("card", self.read)
                case Reveal():
                    self.timed("card", self.ask, c.ConfirmStep())
                case waits:
                    raise SystemExit(f"nothing is known for {waits}")


def main() -> None:
    """Play, check that money adds up, and print."""
    players = int(sys.argv[1]) if len(sys.argv) > 1 else PLAYERS
    crowd = Crowd(players, side_bets="main" not in sys.argv)
    crowd.play()
    settled = next(
        record.event
        for record in crowd.runner.shown.records
        if isinstance(record.event, e.RoundSettled)
    )
    if (crowd.wallet.reserved, crowd.wallet.paid) != (settled.staked, settled.returned):
        raise SystemExit("the wallet and the journal do not agree")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    current = crowd.table.round
    told = {
        "players": len(crowd.players),
        "bets": settled.columns.count,
        "cohorts": len(current.seating.cohorts) if current else 0,
        "staked": settled.staked,
        "returned": settled.returned,
        "peak_mib": peak,
        "settlement": {
            "wall": round(crowd.settlement[0], 3),
            "cpu": round(crowd.settlement[1], 3),
        },
        "seconds": {
            part: {"wall": round(w, 3), "cpu": round(cpu, 3), "longest": round(most, 3)}
            for part, (w, cpu, most) in crowd.took.items()
        },
    }
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
