"""The studio as its faces see it: look at views, ask for something, be told of news.

Views are built when somebody looks, from an immutable state, and kept until there is a newer one;
so the table's thread never waits for a screen. Every method may be called from any thread.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from dataclasses import dataclass, replace
from typing import Any, Final

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind
from studio.domain.observations import Observation
from studio.live.accounts import Accounts, Person
from studio.live.answers import Answer
from studio.live.asking import read_command
from studio.live.health import SILENT, Health
from studio.live.means import Shown
from studio.live.ports import Camera, Clock, Device
from studio.live.rights import Role, may
from studio.live.runner import TableRunner
from studio.live.stopped import as_stopped
from studio.metrics import Metrics
from studio.table.casework import supervisor_view
from studio.table.show import dealer_view, overlay_view, tile_view
from studio.table.state import Setup, Table
from studio.table.views import DeviceView, Envelope, Message, to_json

__all__ = [
    "Answer",
    "Desk",
    "Reply",
    "RulesView",
    "Service",
    "StudioHealth",
    "TableHealth",
]

log = logging.getLogger("cutcard.service")

Reply = Answer
"""What `Service.submit` answers."""
WALL: Final = "wall"
AUDIENCES: Final = ("dealer", "supervisor", "overlay")
BEAT_S: Final = 1.0
"""How often the health of the devices is looked at without news."""
LONGEST_ID: Final = 100


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules in force at a table, in the order in which they are to be read."""

    table: str
    game: str
    version: str
    """Version of the procedure, as ``baccarat@1``."""
    digest: str
    lines: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class TableHealth:
    """One table of `StudioHealth`."""

    table: str
    state: str
    """As on its screens, or ``stopped``."""


@dataclass(frozen=True, slots=True)
class StudioHealth:
    """Whether the studio can deal, and what speaks against it."""

    ready: bool
    findings: tuple[str, ...]
    """One English sentence each; empty if all is well."""
    tables: tuple[TableHealth, ...]


class Desk:
    """One table with all that belongs to it: its runner, its devices, and their health."""

    def __init__(
        self,
        runner: TableRunner,
        *,
        device: Device | None = None,
        camera: Camera | None = None,
    ) -> None:
        """Put a table together; nothing is started here."""
        self.runner = runner
        self.device = device
        self.camera = camera
        self.health = Health(runner.setup)
        self.dealer = ""
        """Name of the dealer who last asked for something here."""
        self._lock = threading.Lock()
        self._views: dict[str, tuple[int, Envelope]] = {}
        self._rungs: tuple[DeviceView, ...] = ()

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.runner.name

    @property
    def setup(self) -> Setup:
        """What is fixed at this table."""
        return self.runner.setup

    def table(self) -> Table:
        """The newest state; for people it is shown by views only."""
        return self.runner.shown.table

    def ask(self, command: c.Command, *, who: str, role: str, timeout_s: float = 30.0) -> None:
        """Ask on the word of somebody inside this process: a simulated person or platform.

        Each `who` is a person of that name and number, in one sign-in of their own.

        Raises:
            Rejected: if the table refuses, or has too much to do.
            TimeoutError: if it does not answer.
        """
        kind = ActorKind.PLATFORM if role == "platform" else ActorKind.PERSON
        if role == Role.DEALER:
            self.dealer = who
        by = c.Asker(number=who, name=who, role=role, session=f"inside/{who}")
        asker = by if kind is ActorKind.PERSON else c.NOBODY
        answer = self.runner.ask(command, Actor(kind, who, role), by=asker).result(timeout_s)
        if answer.status != "done":
            raise c.Rejected(answer.code, answer.text)

    def flush(self) -> None:
        """Wait until all that was reported and asked has been decided.

        Raises:
            TableStopped: if the table has stopped.
        """
        self.runner.flush()

    def report(self, seen: Observation) -> None:
        """Take an observation from a device's thread; never raises."""
        self.health.note(seen)
        self.runner.report(seen)

    def view(self, audience: str, epoch: str, now_us: int) -> Envelope:
        """The newest view for an audience; made at most once for each state.

        Raises:
            KeyError: for an audience that does not exist.
        """
        if audience not in (*AUDIENCES, WALL):
            raise KeyError(audience)
        with self._lock:
            shown = self.runner.shown
            known = self._views.get(audience)
            if known is None or known[0] != shown.seq:
                envelope = Envelope(
                    table=self.name,
                    audience=audience,
                    epoch=epoch,
                    seq=shown.seq,
                    now_us=self.runner.now_us(),
                    view=to_json(self._seen(audience, shown, now_us)),
                )
                known = (shown.seq, envelope)
                self._views[audience] = known
        # The table's own time: its deadlines do not move when the wall clock is set.
        return replace(known[1], now_us=self.runner.now_us())

    def _seen(self, audience: str, shown: Shown, now_us: int) -> Any:
        view = self._build(audience, shown, now_us)
        return view if self.runner.failure is None else as_stopped(view, shown.heard_us)

    def _build(self, audience: str, shown: Shown, now_us: int) -> Any:
        setup, table = self.runner.setup, shown.table
        if audience == "overlay":
            return overlay_view(setup, table)
        health = self.health.views(table, now_us)
        now_us = self.runner.now_us()
        match audience:
            case "dealer":
                return dealer_view(setup, table, now_us, health, self.dealer)
            case "supervisor":
                return supervisor_view(setup, table, now_us, health, shown.records, self.dealer)
            case _:
                return tile_view(setup, table, health, self.dealer)

    def look_after(self, now_us: int) -> Sequence[tuple[DeviceView | None, DeviceView]]:
        """Once a second: give screens a new view if the health of a device changed.

        The answer is each device as it was, None at first, and as it is.
        """
        before = {view.name: view for view in self._rungs}
        rungs = self.health.views(self.runner.shown.table, now_us)
        if rungs != self._rungs:
            self._rungs = rungs
            self.runner.touch()
        return [(before.get(view.name), view) for view in rungs]


class Service:
    """Tables, people and news, for the faces."""

    def __init__(
        self,
        *,
        studio_name: str,
        currency: str = "EUR",
        locale: str = "en",
        profile: str = "house",
        clock: Clock,
        metrics: Metrics | None = None,
    ) -> None:
        """Begin without tables; `seat` brings them."""
        self.epoch = ""
        self.studio_name = studio_name
        self.currency = currency
        self.locale = locale
        self.profile = profile
        self.clock = clock
        self._metrics = metrics or Metrics()
        self._accounts: Accounts | None = None
        self._desks: dict[str, Desk] = {}
        self._names: tuple[str, ...] = ()
        self._listeners: list[Callable[[str], None]] = []
        self._listening = threading.Lock()
        self._news: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._publisher: threading.Thread | None = None
        self._wall: tuple[tuple[int, ...], int] = ((), 0)

    @property
    def accounts(self) -> Accounts:
        """Who may come in.

        Raises:
            RuntimeError: before the studio is started.
        """
        if self._accounts is None:
            raise RuntimeError("the studio is not started: it has no accounts yet")
        return self._accounts

    def desk(self, table: str) -> Desk:
        """The table with its devices; KeyError for a table that does not exist."""
        return self._desks[table]

    def tables(self) -> tuple[str, ...]:
        """Names of the tables in their fixed order, also before the start."""
        return self._names

    def now_us(self) -> int:
        """The studio's clock, UTC in microseconds."""
        return self.clock.now_us()

    # -- looking --------------------------------------------------------------------------------

    def view(self, table: str, audience: str) -> Envelope:
        """The newest view of a table for ``dealer``, ``supervisor`` or ``overlay``.

        Raises:
            KeyError: for a table or an audience that does not exist.
        """
        if audience == WALL:
            raise KeyError(audience)
        return self._desks[table].view(audience, self.epoch, self.now_us())

    def wall(self) -> Envelope:
        """One tile per table, for supervisors."""
        now_us = self.now_us()
        tiles = [desk.view(WALL, self.epoch, now_us) for desk in self._desks.values()]
        seqs = tuple(tile.seq for tile in tiles)
        with self._listening:
            if seqs != self._wall[0]:
                self._wall = (seqs, self._wall[1] + 1)
            seq = self._wall[1]
        return Envelope(
            table="",
            audience=WALL,
            epoch=self.epoch,
            seq=seq,
            now_us=now_us,
            view={"tiles": [tile.view for tile in tiles]},
        )

    def picture(self, table: str) -> bytes | None:
        """The camera's newest picture as JPEG; None where there is none, or no such table."""
        desk = self._desks.get(table)
        return None if desk is None or desk.camera is None else desk.camera.picture()

    def rules(self, table: str) -> RulesView:
        """The rules in force, for players; KeyError for a table that does not exist."""
        setup = self._desks[table].runner.setup
        lines = tuple(Message(code, params) for code, params in setup.game.rule_text(setup.rules))
        return RulesView(table, setup.game.name, setup.game.version, setup.rules_digest, lines)

    def health(self) -> StudioHealth:
        """Whether the studio can deal."""
        findings: list[str] = [] if self._desks else ["the studio is not started"]
        tables = []
        now_us = self.now_us()
        for desk in self._desks.values():
            runner = desk.runner
            stopped = runner.failure is not None
            state = "stopped" if stopped else runner.shown.table.state
            tables.append(TableHealth(desk.name, state))
            if runner.trouble:
                findings.append(runner.trouble)
            findings.extend(
                f"table {desk.name}: the {device.name} does not answer"
                for device in desk.health.views(runner.shown.table, now_us)
                if device.rung <= SILENT
            )
        return StudioHealth(not findings, tuple(findings), tuple(tables))

    def metrics(self) -> str:
        """All figures in the Prometheus text format."""
        return self._metrics.text()

    # -- asking ---------------------------------------------------------------------------------

    def submit(
        self,
        table: str,
        name: str,
        args: Mapping[str, Any],
        *,
        person: Person,
        command_id: str,
        seq: int | None,
        timeout_s: float = 1.0,
    ) -> Reply:
        """Ask a table for something on a person's word.

        The same `command_id` gets the same answer and never acts twice. Where the table does not
        answer within `timeout_s` the status is ``pending``: ask again with the same id.
        """
        desk = self._desks.get(table)
        if desk is None:
            return _rejected("refused.unknown_table", f"there is no table {str(table)[:40]!r}")
        if not command_id or len(command_id) > LONGEST_ID:
            return _rejected("refused.malformed", "give a command id of 1 to 100 characters")
        try:
            command = read_command(name, args)
        except c.Rejected as refusal:
            return _rejected(refusal.code, refusal.text)
        if not may(person.role, name):
            return _rejected("refused.no_right", f"the role {person.role} may not ask {name}")
        if person.role == Role.DEALER:
            desk.dealer = person.name
        actor = Actor(ActorKind.PERSON, person.number, str(person.role))
        # The person is part of the id: nobody gets the answer to what another one asked.
        own_id = f"{person.number}:{command_id}"
        by = c.Asker(number=person.number, name=person.name, role=str(person.role))
        future = desk.runner.ask(command, actor, command_id=own_id, by=by, seen_seq=seq)
        try:
            return future.result(timeout_s)
        except StillWaiting:
            return Answer(status="pending", seq=desk.runner.shown.seq)

    # -- news -----------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with a table's name after each new view; the answer ends it."""
        with self._listening:
            self._listeners.append(listener)

        def end() -> None:
            with self._listening:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def changed(self, table: str) -> None:
        """A table has a new state. Called on the table's thread: it leaves a note only."""
        self._news.put(table)

    def seat(self, desks: Sequence[Desk], *, epoch: str, accounts: Accounts | None) -> None:
        """Take over the tables of a start; `epoch` is new at each."""
        self.epoch = epoch
        self._accounts = accounts
        self._desks = {desk.name: desk for desk in desks}
        self._names = tuple(self._desks)

    def begin(self) -> None:
        """Start the publisher: it tells the listeners and looks after the devices' health."""
        self._publisher = threading.Thread(target=self._publish, name="news", daemon=True)
        self._publisher.start()

    def end(self) -> None:
        """Stop the publisher."""
        publisher, self._publisher = self._publisher, None
        if publisher is not None:
            self._news.put(None)
            publisher.join(timeout=5)

    def _publish(self) -> None:
        """Tell the listeners, each table once however much happened; until stopped."""
        look_us = 0
        while True:
            try:
                tables = {self._news.get(timeout=BEAT_S)}
            except queue.Empty:
                tables = set()
            while not self._news.empty():
                tables.add(self._news.get())
            if None in tables:
                return
            for table in sorted(name for name in tables if name is not None):
                self._tell(table)
            now_us = self.clock.monotonic_us()
            if now_us - look_us >= BEAT_S * 1_000_000:
                look_us = now_us
                self._look_after()

    def _tell(self, table: str) -> None:
        with self._listening:
            listeners = tuple(self._listeners)
        for listener in listeners:
            try:
                listener(table)
            except Exception:  # one screen never keeps another from its views
                log.exception("a listener failed for table %s", table)
        desk = self._desks.get(table)
        if desk is not None:
            waited_us = desk.runner.now_us() - desk.runner.shown.heard_us
            self._metrics.view_sent(table, max(0, waited_us) / 1_000_000)

    def _look_after(self) -> None:
        for desk in self._desks.values():
            try:
                for change in desk.look_after(self.now_us()):
                    self._count(desk.name, change)
            except Exception:
                log.exception("the health of table %s could not be looked at", desk.name)

    def _count(self, table: str, change: tuple[DeviceView | None, DeviceView]) -> None:
        """Count what a device did; one that started anew counts from nothing."""
        before, now = change
        if before is None or now.bytes < before.bytes or now.garbage < before.garbage:
            before = replace(now, bytes=0, frames=0, garbage=0)
        self._metrics.device(
            table,
            now.name,
            size=now.bytes - before.bytes,
            frames=max(0, now.frames - before.frames),
            garbage=now.garbage - before.garbage,
        )
        self._metrics.device_online(table, now.name, online=now.rung > SILENT)


def _rejected(code: str, text: str) -> Reply:
    return Answer(status="rejected", code=code, text=text)
