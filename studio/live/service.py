"""The studio as its faces see it: look at views, ask for something, be told of news.

Views are built when somebody looks, from an immutable state, and kept until there is a newer one;
so the table's thread never waits for a screen. Every method may be called from any thread.
"""

import logging
import queue
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from dataclasses import dataclass, replace
from typing import Any, Final

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind
from studio.live.accounts import Accounts, Credentials, Person, Refusal, SignedIn
from studio.live.answers import Answer, refused_record
from studio.live.asking import read_command
from studio.live.benches import Benches
from studio.live.desk import AUDIENCES, WALL, Desk
from studio.live.exact import Exact
from studio.live.figured import Figured, RulesView
from studio.live.health import SILENT
from studio.live.means import BUSY, BUSY_TEXT
from studio.live.observed import Counted
from studio.live.platform import Platform
from studio.live.ports import Clock, Journal
from studio.live.rights import Role, may, overburdened
from studio.live.seats import Seats
from studio.live.selftests import WAITS
from studio.live.shelf import Shelf
from studio.metrics import Metrics
from studio.table.seats import HANDS_ON
from studio.table.views import DeviceView, Envelope, Message, to_json

__all__ = [
    "AUDIENCES",
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
BEAT_S: Final = 1.0
"""How often the health of the devices is looked at without news."""
LONGEST_ID: Final = 100
SITS_DOWN: Final = (*HANDS_ON, c.RelieveDealer)
"""Commands by which a dealer takes a seat."""
LEAVE_S: Final = 5.0
"""How long a table may take to let its dealer stand up."""


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


class Service(Shelf, Figured):
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
        self.currency, self.locale, self.profile = currency, locale, profile
        self.clock = clock
        self.benches = Benches(clock.monotonic_us)
        self.platform = Platform()
        self.seats = Seats()
        self.exact = Exact()
        self.counted = Counted()
        self._metrics = metrics or Metrics()
        self._accounts: Accounts | None = None
        self._desks: dict[str, Desk] = {}
        self._names: tuple[str, ...] = ()
        self._listeners: list[Callable[[str], None]] = [self.platform.heard]
        self._listening = threading.Lock()
        self._news: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._publisher: threading.Thread | None = None
        self._wall: tuple[tuple[int, ...], int] = ((), 0)
        self._journal: Journal | None = None
        self._known_names: dict[str, str] = {}

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
        tiles = [desk.tile(self.epoch, now_us) for desk in self._desks.values()]
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
            view={"tiles": [tile.view for tile in tiles], "findings": to_json(self._findings())},
        )

    def _findings(self) -> tuple[Message, ...]:
        """What speaks against the way in which people stand at the tables; warnings only."""
        return tuple(
            Message("wall.too_many_tables", (("name", name), ("count", count), ("most", most)))
            for name, count, most in overburdened(desk.table() for desk in self._desks.values())
        )

    def picture(self, table: str) -> bytes | None:
        """The camera's newest picture as JPEG; None where none may be seen, or no such table."""
        desk = self._desks.get(table)
        return None if desk is None else desk.picture()

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
        # Evidence that cannot be kept is told, and no reason not to deal.
        told = (*findings, *self._evidence_findings(), *self.platform.findings())
        return StudioHealth(not findings, told, tuple(tables))

    def metrics(self, screens: Mapping[str, int] | None = None) -> str:
        """All figures in the Prometheus text format; `screens` are the open ones by audience."""
        for audience, number in (screens or {}).items():
            self._metrics.sockets(audience, number)
        return self._metrics.text()

    # -- asking ---------------------------------------------------------------------------------

    def submit(
        self,
        table: str,
        name: str,
        args: Mapping[str, Any],
        *,
        person: SignedIn | Person,
        command_id: str,
        seq: int | None,
        timeout_s: float = 1.0,
    ) -> Reply:
        """Ask a table for something on a person's word, given in a sign-in or without one.

        The same `command_id` gets the same answer and never acts twice. Where the table does not
        answer within `timeout_s` the status is ``pending``: ask again with the same id.
        """
        session = person.session if isinstance(person, SignedIn) else ""
        person = person.person if isinstance(person, SignedIn) else person
        asked = _Asked(table, name, args, person.number, str(person.role), command_id)
        desk = self._desks.get(table)
        if desk is None:
            text = f"there is no table {str(table)[:40]!r}"
            return self._refuse(asked, "refused.unknown_table", text)
        if not command_id or len(command_id) > LONGEST_ID:
            text = "give a command id of 1 to 100 characters"
            return self._refuse(replace(asked, command_id=""), "refused.malformed", text)
        try:
            command = read_command(name, args)
        except c.Rejected as refusal:
            return self._refuse(asked, refusal.code, refusal.text)
        if not may(person.role, name):
            text = f"the role {person.role} may not ask {name}"
            return self._refuse(asked, "refused.no_right", text)
        if isinstance(command, c.PassSelfTest) and (waits := desk.test_for(command.fault)):
            return self._refuse(asked, waits, WAITS[waits])
        if isinstance(command, c.Approve) and self._asker_gone(desk, command.approval):
            text = "who asked for this may not ask it any more: decline it, and ask it yourself"
            return self._refuse(asked, "refused.asker_gone", text)
        if isinstance(command, SITS_DOWN) and not self._stands_up(person, desk):
            text = "you deal at another table with an open round: go there, or wait for its end"
            return self._refuse(asked, "refused.still_dealing", text)
        by = c.Asker(number=person.number, name=person.name, role=str(person.role), session=session)
        future = desk.runner.ask(command, asked.actor, command_id=asked.own_id, by=by, seen_seq=seq)
        try:
            return future.result(timeout_s)
        except StillWaiting:
            return Answer(status="pending", seq=desk.runner.shown.seq)

    def approve_here(
        self,
        table: str,
        approval: str,
        *,
        second: Credentials,
        approve: bool = True,
        reason: str = "",
        command_id: str,
    ) -> Reply:
        """Let a second person answer an approval on the console of the first, for this one act.

        They sign in as at any screen, throttled and kept like every sign-in; theirs ends with the
        act, and the console stays with whom it belongs to.
        """
        given, name = self.accounts.sign_in_by(second), "Approve" if approve else "Decline"
        if isinstance(given, Refusal):
            asked = _Asked(table, name, {}, second.number, "", "")
            answer = self._refuse(asked, given.code, given.text)
            return replace(answer, retry_s=given.retry_s)
        try:
            return self.submit(
                table,
                name,
                {"approval": approval} if approve else {"approval": approval, "reason": reason},
                person=SignedIn(given.person, self.accounts.name_of_session(given.token)),
                command_id=command_id,
                seq=None,
            )
        finally:
            self.accounts.sign_out(given.token)

    def _asker_gone(self, desk: Desk, approval: str) -> bool:
        """Whether the first person lost the right: the second alone is not two people."""
        first = desk.table().approval
        if first is None or first.id != approval or self._accounts is None:
            return False
        return self._accounts.lost_right(first.by, first.command)

    def leave(self, person: Person) -> Reply:
        """Let somebody who goes home stand up from the table where they deal, if they do.

        In an open round, or at a held table, they stay; the answer says so.
        """
        by = c.Asker(number=person.number, name=person.name, role=str(person.role))
        actor = Actor(ActorKind.PERSON, person.number, str(person.role))
        for desk in self._desks_of(person):
            try:
                answer = desk.runner.ask(c.LeaveTable(), actor, by=by).result(LEAVE_S)
            except StillWaiting:
                return Answer(status="busy", code=BUSY, text=BUSY_TEXT)
            if answer.code == "refused.relief_in_round":
                text = "you deal at a table with an open round: sign out when it has ended"
                return replace(answer, code="refused.still_dealing", text=text)
            if answer.status != "done" and answer.code != "refused.not_seated":
                return answer
        return Answer(status="done")

    def _desks_of(self, person: Person) -> list[Desk]:
        """The tables that go and at which somebody deals."""
        return [
            desk
            for desk in self._desks.values()
            if desk.table().dealer == person.number and desk.runner.failure is None
        ]

    def _stands_up(self, person: Person, here: Desk) -> bool:
        """A dealer deals at one table (P1): who sits down here stands up there, if they may."""
        if person.role != Role.DEALER or here.table().dealer == person.number:
            return True
        return self.leave(person).status == "done"

    def refused(self, table: str, name: str, *, person: Any, code: str, text: str) -> None:
        """Keep what a face refused before it came here: the log of commands knows it too.

        `person` is who asked, or who last was signed in there.
        """
        self._refuse(_Asked(table, name, {}, person.number, str(person.role), ""), code, text)

    def _refuse(self, asked: "_Asked", code: str, text: str) -> Reply:
        """Answer no, and keep what was asked; of what came with it only the names of its fields."""
        answer = Answer(status="rejected", code=code, text=text)
        if self._journal is None:
            return answer
        record = refused_record(
            answer,
            command_id=asked.own_id,
            actor=asked.actor,
            name=asked.name,
            fields=asked.args,
            table=asked.table,
            at_us=self.now_us(),
        )
        try:
            self._journal.record_command(record)
        except Exception:  # a refusal stands, also where it cannot be kept
            log.exception("a refused command could not be kept")
        self._metrics.rejected(asked.table if asked.table in self._desks else "none", code)
        return answer

    def _name_of(self, number: str) -> str:
        """A person's name with the staff number; the number alone of who is not in the store."""
        if number not in self._known_names:
            name = self._accounts.name_of(number) if self._accounts is not None else ""
            self._known_names[number] = f"{name} ({number})" if name else number
        return self._known_names[number]

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

    def seat(
        self,
        desks: Sequence[Desk],
        *,
        epoch: str,
        accounts: Accounts | None,
        journal: Journal | None = None,
    ) -> None:
        """Take over the tables of a start; `epoch` is new at each, `journal` keeps refusals."""
        self.epoch = epoch
        self._accounts = accounts
        self._journal = journal
        self._desks = {desk.name: desk for desk in desks}
        self._names = tuple(self._desks)
        self.benches.seat(desks)
        self.seats.seat(desks)
        self._known_names.clear()
        for desk in desks:
            desk.names = self._name_of

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
        self.benches.look_after()
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """What somebody asked for, as it came."""

    table: str
    name: str
    args: Mapping[str, Any]
    number: str
    role: str
    command_id: str

    @property
    def actor(self) -> Actor:
        """Who asked."""
        return Actor(ActorKind.PERSON, self.number, self.role)

    @property
    def own_id(self) -> str:
        """The id with the person in it: nobody gets the answer to what another one asked."""
        return f"{self.number}:{self.command_id or f'refused-{secrets.token_hex(8)}'}"
