"""A table in process with everything by hand: clock, journal, wallet, and who asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.envelope import Actor, ActorKind
from studio.games.registry import game
from studio.live.answers import Answer
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.ids import SequentialIds
from studio.live.means import Means, Room
from studio.live.recovery import restore
from studio.live.replay import digest_of
from studio.live.runner import TableRunner
from studio.live.treasury import Treasury
from studio.storage.memory import MemoryJournal
from studio.table.approvals import waiting
from studio.table.state import Limit, Setup, Table

DEALER = Actor(ActorKind.PERSON, "7", "dealer")
SUPERVISOR = Actor(ActorKind.PERSON, "8", "supervisor")
PIT_BOSS = Actor(ActorKind.PERSON, "9", "pit-boss")
SECOND = c.Asker(number="9", name="Lena", role="pit-boss", session="second")
PLATFORM = Actor(ActorKind.PLATFORM, "house")
START_US = 1_800_000_000_000_000
BOOT = "9F3A12C4"


def baccarat(table: str = "ba1", **changes: Any) -> Setup:
    """A table that knows its cards by the shoe alone."""
    dealt = game("baccarat")
    rules = dealt.rules({})
    values: dict[str, Any] = {
        "table": table,
        "game": dealt,
        "rules": rules,
        "rules_digest": digest_of(rules),
        "sources": ("shoe",),
        "limits": tuple((bet, Limit(100, 1_000_000)) for bet in dealt.bets),
    }
    return Setup(**{**values, **changes})


@dataclass
class Purse:
    """A wallet that keeps what was asked of it; broken while `broken` is set."""

    name: str = "purse"
    broken: bool = False
    poor: frozenset[str] = frozenset()
    reserved: dict[str, tuple[str, ...]] = field(default_factory=dict)
    paid: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    taken: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        self._call(f"reserve {key}")
        if key not in self.reserved:
            self.reserved[key] = tuple(bet for bet, player, _ in entries if player in self.poor)
        return self.reserved[key]

    def short(self, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        self._call("short")
        return tuple(each for each, player, _ in entries if player in self.poor)

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        self._call(f"settle {key}")
        self.paid.setdefault(key, tuple(entries))

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        self._call(f"debit {key}")
        self.taken.setdefault(key, tuple(entries))
        return tuple(player for player, _ in entries if player in self.poor)

    def _call(self, what: str) -> None:
        if self.broken:
            raise ConnectionError("the purse is closed")
        self.calls.append(what)


class Bench:
    """One table and its surroundings; `run` it with a thread or, by default, without."""

    def __init__(
        self,
        journal: Any = None,
        *,
        clock: ManualClock | None = None,
        purse: Purse | None = None,
        setup: Setup | None = None,
        threaded: bool = False,
        room: Room | None = None,
        prefix: str = "id-",
        at_point: Any = lambda _point: None,
    ) -> None:
        self.journal = journal if journal is not None else MemoryJournal()
        self.clock = clock or ManualClock(START_US)
        self.purse = purse or Purse()
        self.setup = setup or baccarat()
        self.changes: list[str] = []
        self._sequence = 0
        treasury = self.treasury = Treasury(self.purse)
        ids = SequentialIds(prefix)
        means = Means(
            journal=self.journal,
            treasury=treasury,
            clock=self.clock,
            ids=ids,
            day=GamingDay("06:00", ZoneInfo("UTC")),
            salt=SequentialIds(f"salt-{prefix}").new,
            room=room or Room(),
            threaded=threaded,
            at_point=at_point,
        )
        restored = restore(self.journal, self.setup.table, treasury)
        self.runner = TableRunner(self.setup, means, restored, self.changes.append)
        self.runner.start()

    @property
    def table(self) -> Table:
        return self.runner.shown.table

    def ask(self, command: c.Command, actor: Actor = DEALER, **more: Any) -> Answer:
        answer = self.runner.ask(command, actor, **more).result(5)
        if self.runner.failure is None:
            self.runner.flush()
        return answer

    def do(self, command: c.Command, actor: Actor = DEALER) -> None:
        """Ask, and let the second person approve what needs one."""
        answer = self.ask(command, actor)
        assert answer.status == "done", f"{command}: {answer}"
        asked = waiting(self.table)
        if asked is not None:
            self.approve(asked.id)

    def approve(self, approval: str) -> None:
        """The pit boss approves what waits."""
        answer = self.ask(c.Approve(approval=approval), PIT_BOSS, by=SECOND)
        assert answer.status == "done", answer

    def see(self, *seen: o.Observation) -> None:
        for each in seen:
            self.runner.report(each)
        self.runner.flush()

    def shoe_online(self, boot: str = BOOT) -> None:
        self.see(
            o.DeviceOnline(
                device="shoe", at_us=self.clock.now_us(), model="M", firmware="1", serial="S",
                boot=boot,
            )
        )  # fmt: skip

    def read(self, code: str) -> o.CardRead:
        self._sequence += 1
        return o.CardRead(
            device="shoe",
            at_us=self.clock.now_us(),
            boot=BOOT,
            sequence=self._sequence,
            card=Card.parse(code),
        )

    def deal(self, codes: str) -> None:
        for code in codes.split():
            self.see(self.read(code))

    def open_shoe(self) -> None:
        """Open the table, bring a shoe, burn."""
        self.do(c.OpenTable(), SUPERVISOR)
        self.shoe_online()
        self.do(c.StartShoe())
        for _ in range(3):
            self.do(c.ConfirmStep())
        self.deal("2C 3C 4C")
        self.do(c.ConfirmStep())

    def bet(self, batch: str = "a", *bets: tuple[str, str, int]) -> None:
        """Place bets of (player, bet, stake)."""
        entries = bets or (("ann", "player", 1000), ("bob", "banker", 2000))
        made = tuple(
            c.Bet(f"{batch}-{n}", player, bet, stake)
            for n, (player, bet, stake) in enumerate(entries)
        )
        self.do(c.PlaceBets(batch, made), PLATFORM)

    def coup(self, codes: str = "9S 2D KH 5D", batch: str = "a") -> None:
        """Play a whole round: bets, close, cards. It ends with its result shown."""
        self.do(c.OpenBets()) if self.table.phase.value == "idle" else None
        self.bet(batch)
        self.do(c.CloseBets())
        self.deal(codes)

    def collect(self) -> None:
        """Collect the cards and let the result's time pass; bets open again."""
        self.do(c.ConfirmStep())
        self.wait()

    def wait(self) -> None:
        """Let time pass until something follows."""
        instant = self.runner.deadline()
        assert instant is not None
        self.clock.advance_to(instant)
        self.runner.tick()
        self.runner.flush()

    def types(self) -> list[str]:
        """Types of the feed's entries so far."""
        return [each.entry.type for each in self.journal.feed(self.setup.table)]

    def events(self) -> list[Any]:
        """All facts of all days."""
        return [
            fact.event
            for stream in self.journal.streams()
            for fact in self.journal.read(stream, secrets=True)
        ]
