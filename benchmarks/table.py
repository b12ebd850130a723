"""How many decisions a table makes a second: `python -m benchmarks.table`.

The same coups are dealt three times: by the pure machine alone, by the ordinary runner with its
journal in memory, and by the runner with every decision committed to SQLite (FULL durability, so
the disk sets the pace). A decision is one command or one observation. One JSON line each.
"""

import json
import random
import tempfile
import time
from functools import reduce
from pathlib import Path
from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import PACK, Card
from studio.games.registry import game
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.ids import SequentialIds
from studio.live.means import SYSTEM, Means
from studio.live.ports import Journal
from studio.live.recovery import Restored
from studio.live.runner import TableRunner
from studio.live.treasury import Treasury
from studio.live.wallets import MemoryWallet
from studio.scripted.bench import UTC
from studio.storage.database import open_database
from studio.storage.journal import SqlJournal
from studio.storage.memory import MemoryJournal
from studio.table.decide import decide
from studio.table.evolve import evolve
from studio.table.state import Phase, Setup, Table
from studio.table.turn import Stamp

COUPS = 300
SHOE = 50
"""Coups of one shoe."""
BETS = 40


def setup() -> Setup:
    """A baccarat table with a shoe alone."""
    baccarat = game("baccarat")
    limits = tuple((bet, None) for bet in baccarat.bets)
    return Setup(
        table="bench", game=baccarat, rules=baccarat.rules({}), rules_digest="-", limits=limits
    )


def opened(fixed: Setup, at_us: int) -> Table:
    """A table in the middle of a shoe, its reader online."""
    facts: tuple[e.Event, ...] = (
        e.TableOpened(),
        e.ShoeOpened(shoe_no=1, decks=fixed.rules.decks),
        e.DeviceNoted(device="shoe", what="online", boot="b"),
    )
    return reduce(lambda state, fact: evolve(state, fact, at_us), facts, Table())


class Coups:
    """Feeds one table with coups; `give` takes each command and observation."""

    def __init__(self, give: Any, table: Any, clock: ManualClock) -> None:
        """Deal by these three."""
        self._give, self._table, self._clock = give, table, clock
        self._cards: list[Card] = []
        self.new_shoe()
        self._sequence = 0
        self.decisions = 0

    def new_shoe(self) -> None:
        """Shuffle eight packs."""
        self._cards = list(PACK) * 8
        random.Random(8).shuffle(self._cards)

    def _do(self, given: Any) -> None:
        self.decisions += 1
        self._give(given)

    def deal(self, number: int) -> None:
        """One coup with its bets, from opening to clearing."""
        if self._table().phase is Phase.IDLE:
            self._do(c.OpenBets())
        bets = tuple(c.Bet(f"{number}-{n}", f"p{n}", "banker", 100 + n) for n in range(BETS))
        self._do(c.PlaceBets(batch=f"b{number}", bets=bets))
        self._do(c.CloseBets())
        while self._table().phase is Phase.DEALING and not self._table().held:
            self._sequence += 1
            self._do(
                o.CardRead(
                    device="shoe",
                    at_us=self._clock.now_us(),
                    boot="b",
                    sequence=self._sequence % 65_536,
                    card=self._cards.pop(),
                )
            )
        self._do(c.ConfirmStep())
        self._clock.advance(9_000_000)
        self._do(c.Tick())


def pure() -> tuple[int, float]:
    """The machine alone: decide and evolve."""
    fixed, clock = setup(), ManualClock()
    state = {"table": opened(fixed, clock.now_us())}

    def give(given: Any) -> None:
        at_us = clock.now_us()
        events = decide(fixed, state["table"], given, Stamp(at_us=at_us))
        state["table"] = reduce(lambda t, ev: evolve(t, ev, at_us), events, state["table"])
        if isinstance(given, c.PlaceBets):
            give(o.FundsAnswered(device="w", at_us=at_us, batch=given.batch))

    return _timed(Coups(give, lambda: state["table"], clock), fixed, state)


def _timed(coups: Coups, fixed: Setup, state: dict[str, Table]) -> tuple[int, float]:
    started = time.perf_counter()
    for number in range(COUPS):
        if number % SHOE == 0:
            state["table"] = opened(fixed, 0)
            coups.new_shoe()
        coups.deal(number)
    return coups.decisions, time.perf_counter() - started


def with_runner(journal: Journal) -> tuple[int, float]:
    """The ordinary runner, committing to this journal."""
    fixed, clock = setup(), ManualClock()
    decisions, seconds = 0, 0.0
    for shoe in range(COUPS // SHOE):
        means = Means(
            journal=journal,
            treasury=Treasury(MemoryWallet(unlimited=True)),
            clock=clock,
            ids=SequentialIds(f"bench{shoe}"),
            day=GamingDay("06:00", UTC),
            threaded=False,
        )
        named = Setup(
            table=f"bench{shoe}",
            game=fixed.game,
            rules=fixed.rules,
            rules_digest="-",
            limits=fixed.limits,
        )
        runner = TableRunner(named, means, Restored(table=opened(fixed, clock.now_us())))
        runner.start()

        def give(given: Any, runner: TableRunner = runner) -> None:
            if isinstance(given, c.Tick):
                runner.tick()
            elif isinstance(given, o.CardRead):
                runner.report(given)
            else:
                runner.ask(given, SYSTEM)
            runner.flush()

        coups = Coups(give, lambda runner=runner: runner.shown.table, clock)
        started = time.perf_counter()
        for number in range(SHOE):
            coups.deal(number)
        seconds += time.perf_counter() - started
        decisions += coups.decisions
    return decisions, seconds


def main() -> None:
    """Print one line per way."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        database = open_database(f"sqlite:///{folder}/bench.db")
        ways = {
            "decide and evolve alone": pure,
            "runner, journal in memory": lambda: with_runner(MemoryJournal()),
            "runner, every decision committed": lambda: with_runner(SqlJournal(database)),
        }
        for name, way in ways.items():
            decisions, seconds = way()
            told = {
                "what": name,
                "decisions": decisions,
                "seconds": round(seconds, 3),
                "per_second": round(decisions / seconds),
                "coups_per_second": round(COUPS / seconds),
            }
            print(json.dumps(told))
        database.close()


if __name__ == "__main__":
    main()
