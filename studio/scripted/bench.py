"""A table for one scripted case: the ordinary runner, a journal in memory, a clock by hand."""

from collections.abc import Iterable
from functools import reduce
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import CUT, UNREADABLE, Card, ranks_of
from studio.domain.envelope import canonical
from studio.domain.observations import CardRead, CardUnreadable, CutCardOut, DeviceOnline
from studio.games.procedure import Standing
from studio.games.registry import game
from studio.games.spec import Game
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.ids import SequentialIds
from studio.live.means import SYSTEM, Means
from studio.live.recovery import Restored
from studio.live.runner import TableRunner
from studio.live.treasury import Treasury
from studio.live.wallets import MemoryWallet
from studio.storage.memory import MemoryJournal
from studio.table.book import Book
from studio.table.evolve import evolve
from studio.table.state import Setup, Table

BOOT = "scripted"
UTC = ZoneInfo("UTC")


class CaseError(Exception):
    """The case cannot be played: one sentence that says why."""


class Bench:
    """One table; everything that happens at it is asked or reported as at a live one."""

    def __init__(self, name: str, rules: Any, *, wallet: MemoryWallet | None = None) -> None:
        """Open a table for a game; its bets are offered without limits.

        Without a `wallet` everybody has plenty.

        Raises:
            CaseError: for a game or a rule that does not exist.
        """
        if not isinstance(rules, dict):
            raise CaseError('the rules must be an object, as {"decks": 6}')
        try:
            self.game: Game = game(name)
            self.rules = self.game.rules(rules)
        except ValueError as wrong:
            raise CaseError(str(wrong)) from None
        self.setup = Setup(
            table="play",
            game=self.game,
            rules=self.rules,
            rules_digest=sha256(canonical(self.rules.as_dict()).encode()).hexdigest(),
            sources=("shoe",),
            limits=tuple((bet, None) for bet in self.game.bets),
        )
        self.clock = ManualClock()
        self._sequence = 0
        self._book = Book()
        self._wallet = wallet or MemoryWallet(unlimited=True)
        self.runner: TableRunner

    def open(self, *facts: e.Event, carried: tuple[int, ...] = ()) -> None:
        """Begin with a table that these facts made, and what rounds before left to it."""
        at_us = self.clock.now_us()
        begun = Table(carried=carried)
        table = reduce(lambda state, fact: evolve(state, fact, at_us), facts, begun)
        means = Means(
            journal=MemoryJournal(checked=False),
            treasury=Treasury(self._wallet),
            clock=self.clock,
            ids=SequentialIds("play"),
            day=GamingDay("06:00", UTC),
            salt=lambda: "scripted",
            threaded=False,
        )
        self.runner = TableRunner(self.setup, means, Restored(table=table))
        self.runner.start()
        online = DeviceOnline(
            device="shoe", at_us=at_us, model="scripted", firmware="1", serial="", boot=BOOT
        )
        self.runner.report(online)
        self.runner.flush()

    def in_mid_shoe(self, round_no: int, *, carried: tuple[int, ...] = ()) -> None:
        """Open a table whose shoe already gave unknown cards; the next round has this number."""
        opened = e.ShoeOpened(
            shoe_no=1,
            decks=self.rules.decks,
            round_no=round_no - 1,
            ranks=ranks_of(self.game.pack),
        )
        self.open(e.TableOpened(), opened, carried=carried)

    @property
    def table(self) -> Table:
        """The newest state."""
        return self.runner.shown.table

    @property
    def standing(self) -> Standing[Any]:
        """Where the running procedure stands."""
        return self._book.standing(self.setup, self.table)

    def ask(self, command: c.Command, *, by: c.Asker | None = None) -> None:
        """Ask for something; a seat that plays for itself says so in `by`.

        Raises:
            CaseError: if the table refuses.
        """
        future = self.runner.ask(command, SYSTEM, by=by)
        self.runner.flush()
        answer = future.result(0)
        if answer.status != "done":
            raise CaseError(f"{type(command).__name__} was refused: {answer.text or answer.code}")

    def read(self, code: str) -> None:
        """The shoe reports what came out: a card, ``CUT`` or ``??``.

        Raises:
            CaseError: if it is none of these.
        """
        self._sequence += 1
        common: dict[str, Any] = {
            "device": "shoe",
            "at_us": self.clock.now_us(),
            "boot": BOOT,
            "sequence": self._sequence,
        }
        if code == CUT:
            self.runner.report(CutCardOut(**common))
        elif code == UNREADABLE:
            self.runner.report(CardUnreadable(**common, cause="scripted"))
        else:
            try:
                self.runner.report(CardRead(**common, card=Card.parse(code)))
            except ValueError as wrong:
                raise CaseError(str(wrong)) from None
        self.runner.flush()
        self._refuse_hold(code)

    def pass_until(self, instant_us: int) -> None:
        """Let time pass until this instant.

        Raises:
            CaseError: if the table is held then.
        """
        self.clock.advance(max(0, instant_us - self.clock.now_us()))
        self.runner.tick()
        self.runner.flush()
        self._refuse_hold("a wait")

    def _refuse_hold(self, code: str) -> None:
        hold = self.table.hold
        if hold is not None:
            faults = ", ".join(fault.code.value for fault in hold.faults)
            raise CaseError(f"the table is held after {code}: {faults}")

    def events(self) -> Iterable[Any]:
        """The facts since the round was opened."""
        return (record.event for record in self.runner.shown.records)
