"""The one thread that owns a table: takes notes from its inbox, decides, writes, believes, shows.

Everybody else leaves a note. Observations and commands have lanes of their own: a person can be
told "busy", a card cannot. Order is that of arrival. A fact is on the disk before it is believed,
and believed before it is shown.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind, CommandRecord, Envelope
from studio.domain.faults import FaultCode
from studio.domain.observations import FundsAnswered, LinkRates, Observation
from studio.live.answers import Answer, answer_from, body_of, record_of
from studio.live.clock import TableClock
from studio.live.counting import count
from studio.live.inbox import Inbox
from studio.live.means import (
    BUSY,
    BUSY_TEXT,
    CLOCK_JUMP_US,
    STOPPED,
    STOPPED_TEXT,
    SYSTEM,
    TIMER,
    WALLET_RETRY_US,
    Means,
    Note,
    Shown,
    TableStopped,
    asker_of,
    told_of,
)
from studio.live.outbox import feed_entries
from studio.live.past import read_past
from studio.live.recovery import Restored, prefix_of
from studio.live.showing import Showing
from studio.table.advance import next_deadline
from studio.table.book import Book
from studio.table.correction import round_meant
from studio.table.decide import decided, noticed, returned
from studio.table.decisions import costly
from studio.table.laws import check_laws
from studio.table.past import Past
from studio.table.seats import in_round
from studio.table.state import Phase, Setup
from studio.table.turn import Stamp, Turn

log = logging.getLogger("cutcard.runner")


class TableRunner:
    """The owner of one table. Every public method may be called from any thread."""

    def __init__(
        self,
        setup: Setup,
        means: Means,
        restored: Restored | None = None,
        changed: Callable[[str], None] = lambda _table: None,
    ) -> None:
        """Take over a table as its journal left it; `changed` is told of each new `Shown`."""
        restored = restored or Restored()
        self.setup = setup
        self.failure: BaseException | None = None
        self._means = means
        self._changed = changed
        self._table = restored.table
        self._book = Book()
        self._stream = restored.stream
        self._version = restored.version
        self._at_us = restored.table.at_us
        self._wallet_us = 0
        self._time = TableClock(means.clock, restored.table.at_us)
        self._inbox = Inbox(means.room)
        self._thread: threading.Thread | None = None
        self._showing = Showing(self._table, restored.records, self._at_us)
        self._deadline: tuple[tuple[int, int], int | None] | None = None

    # -- from any thread -----------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.setup.table

    def now_us(self) -> int:
        """UTC in microseconds as this table counts it: its deadlines are by this clock."""
        return self._time.now_us()

    @property
    def shown(self) -> Shown:
        """The newest state that may be shown."""
        return self._showing.now

    @property
    def trouble(self) -> str:
        """Why this table cannot be worked with, or what it waits for; empty if all is well."""
        if self.failure is not None:
            return f"table {self.name} has stopped: {told_of(self.failure)}"
        if self._means.treasury.trouble:
            return f"table {self.name}: the wallet does not answer: {self._means.treasury.trouble}"
        return ""

    def start(self) -> None:
        """Bring the table back as held if it was open, then take notes.

        Raises:
            TableStopped: if not even that can be written.
        """
        if self._stream:
            try:
                self._come_back()
                self._deliver()
            except Exception as failure:
                self._stop_for(failure)
                told = told_of(failure)
                raise TableStopped(f"table {self.name} cannot start: {told}") from failure
        if self._means.threaded:
            self._thread = threading.Thread(
                target=self._run, name=f"table-{self.name}", daemon=True
            )
            self._thread.start()

    def stop(self, timeout_s: float = 10.0) -> None:
        """Handle what is in the inbox, then end. Notes that come later are refused."""
        self._inbox.halt()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_s)
        elif self._thread is None:
            self._drain()
        self._refuse_the_rest()

    def report(self, seen: Observation) -> None:
        """Take an observation; never refuses, never raises. `LinkRates` move no rule: dropped."""
        if isinstance(seen, LinkRates):
            return
        kind = ActorKind.PLATFORM if isinstance(seen, FundsAnswered) else ActorKind.DEVICE
        self._inbox.put_observation(self._note(seen, Actor(kind, seen.device)))

    def ask(
        self,
        command: c.Command,
        actor: Actor,
        *,
        command_id: str = "",
        by: c.Asker | None = None,
        seen_seq: int | None = None,
    ) -> "Future[Answer]":
        """Leave a command; the future has the answer. A full inbox answers "busy" at once.

        `by` is the person in their sign-in; `seen_seq` the number of the view that they looked at.
        The same `command_id` gets the same answer and never acts twice. Without a thread of its
        own the table handles it before this returns.
        """
        reply: Future[Answer] = Future()
        note = Note(
            given=command,
            actor=actor,
            command_id=command_id or self._means.ids.new(),
            by=by or asker_of(actor),
            seen_seq=seen_seq,
            arrived_us=self._means.clock.monotonic_us(),
            reply=reply,
        )
        if self._inbox.put_command(note):
            if not self._means.threaded:
                self._drain()
        elif self._inbox.open:
            reply.set_result(Answer(status="busy", code=BUSY, text=BUSY_TEXT, seq=self.shown.seq))
        else:
            reply.set_result(_STOPPED)
        return reply

    def tick(self) -> None:
        """Say that time has passed; several are one."""
        if not self._inbox.ticking:
            self._inbox.put_tick(self._note(c.Tick(), TIMER))

    def _note(self, given: c.Tick | Observation, actor: Actor) -> Note:
        return Note(
            given=given,
            actor=actor,
            command_id=self._means.ids.new(),
            arrived_us=self._means.clock.monotonic_us(),
        )

    def touch(self) -> None:
        """Give the screens a new number without a new fact: the health of a device changed."""
        self._showing.renumber()
        self._changed(self.name)

    def deadline(self) -> int | None:
        """The instant (UTC, microseconds) at which something follows by itself; None if nothing."""
        if self._inbox.ticking or self.failure is not None:
            return None
        shown, known = self.shown, self._deadline
        if known is not None and known[0] == (shown.table.version, shown.heard_us):
            return known[1]
        instant = next_deadline(self.setup, shown.table, shown.heard_us)
        if self._means.treasury.trouble:
            again = self._wallet_us + WALLET_RETRY_US
            instant = again if instant is None else min(instant, again)
        self._deadline = ((shown.table.version, shown.heard_us), instant)
        return instant

    def flush(self, timeout_s: float = 30.0) -> None:
        """Wait until the inbox is empty and the wallet was asked all that follows.

        Raises:
            TableStopped: if the table has stopped.
            TimeoutError: if it takes longer than `timeout_s` of real time.
        """
        if self._thread is None:
            self._drain()
        elif not self._inbox.wait_idle(timeout_s):
            raise TimeoutError(f"table {self.name} is not done after {timeout_s:g} s")
        if self.failure is not None:
            raise TableStopped(self.trouble)

    # -- the table's thread ----------------------------------------------------------------------

    def _run(self) -> None:
        while self._inbox.wait():
            self._serve()
        self._refuse_the_rest()

    def _drain(self) -> None:
        while self._inbox.waiting():
            self._serve()

    def _serve(self) -> None:
        """Handle one note. Whatever happens, who asked gets an answer."""
        lost, note = self._inbox.take()
        answer = _STOPPED
        try:
            if lost:
                self._tell_overrun(lost)
            if note is not None:
                self._count_wait(note)
                self._catch_up()
                self._begin_day()
                self._look_at_clock()
                answer = self._handle(note)
            self._deliver()
        except Exception as failure:  # noqa: BLE001  journal gone, or our own mistake: stop, say so
            self._stop_for(failure)
        finally:
            if note is not None and note.reply is not None:
                note.reply.set_result(answer)
            self._inbox.done()

    def _count_wait(self, note: Note) -> None:
        if self._means.metrics is not None:
            wait_us = self._means.clock.monotonic_us() - note.arrived_us
            self._means.metrics.inbox(self.name, wait_s=wait_us / 1e6, depth=self._inbox.depth)

    def _handle(self, note: Note) -> Answer:
        self._means.at_point("before_decide")
        command = None if isinstance(note.given, Observation) else note.given
        if command is None or note.reply is None:
            turn = decided(self.setup, self._table, note.given, self._stamp(), book=self._book)
            self._commit(turn, self._envelope(note))
            return Answer(status="done", seq=self.shown.seq)
        known = self._means.journal.answer_of(note.command_id)
        if known is not None:
            return answer_from(known, command, self.name)
        try:
            self._refuse_stale(note)
            past = self._past(command)
            turn = decided(
                self.setup,
                self._table,
                command,
                self._stamp(),
                by=note.by,
                past=past,
                book=self._book,
                short=self._short(command),
            )
        except c.Rejected as refusal:
            return self._rejected(note, command, refusal)
        # The view that holds the outcome comes next; nothing else can come between.
        seq = self.shown.seq + (1 if turn.events else 0)
        answer = Answer(status="done", seq=seq)
        record = record_of(
            answer,
            command_id=note.command_id,
            actor=note.actor,
            name=type(command).__name__,
            body=body_of(command),
            at_us=self._at_us,
            stream=self._stream,
        )
        self._commit(turn, self._envelope(note), record)
        return answer

    def _past(self, command: c.Command) -> Past | None:
        """The facts of the ended round that a command is about, from the journal."""
        meant = round_meant(self._table, command)
        if not meant:
            return None
        return read_past(self._means.journal, self._table, prefix_of(self.name), meant)

    def _short(self, command: c.Command) -> dict[str, str]:
        """Decisions of a batch whose cost the wallet does not cover, with a reason or none."""
        if not isinstance(command, c.PlaceDecisions):
            return {}
        costs = costly(self.setup, self._table, command, self._book)
        return self._means.treasury.short(costs) if costs else {}

    def _refuse_stale(self, note: Note) -> None:
        """A step is confirmed only by who saw that step (DESIGN.md 4).

        Raises:
            Rejected: if the screen was older than the step.
        """
        stepwise = (c.ConfirmStep, c.EnterCount, c.OpenBets, c.CloseBets, c.StartShoe)
        if note.seen_seq is None or not isinstance(note.given, stepwise):
            return
        if note.seen_seq < self.shown.step_seq:
            raise c.Rejected("refused.stale", "the table has gone on: look again")

    def _rejected(self, note: Note, command: c.Command, refusal: c.Rejected) -> Answer:
        """Keep what was tried in the log of commands; the journal holds facts only."""
        code, text = refusal.code, refusal.text.removeprefix("refused.")
        gone = code in {"refused.no_such_fault", "refused.other_round"}
        if gone and note.seen_seq is not None and note.seen_seq < self.shown.seq:
            code, text = "refused.stale", "the table has gone on: look again"
        answer = Answer(status="rejected", code=code, text=text, seq=self.shown.seq)
        record: CommandRecord = record_of(
            answer,
            command_id=note.command_id,
            actor=note.actor,
            name=type(command).__name__,
            body=body_of(command),
            at_us=self._at_us,
            stream=self._stream,
        )
        self._means.journal.record_command(record)
        if self._means.metrics is not None:
            self._means.metrics.rejected(self.name, code)
        return answer

    def _tell_overrun(self, lost: int) -> None:
        """Turn lost observations into a hold before anything else happens."""
        text = f"{lost} reports were lost"
        turn = noticed(self.setup, self._table, FaultCode.OVERRUN, self._stamp(), text=text)
        self._commit(turn, self._own_envelope("overrun"))

    def _come_back(self) -> None:
        turn = returned(self.setup, self._table, self._stamp())
        self._commit(turn, self._own_envelope("start"))

    def _begin_day(self) -> None:
        """Go over to the stream of a new gaming day; never while a round is open or held.

        Nor while the wallet owes players: a start offers it what recent days made due only.
        """
        today, table = self._means.day.of(self._stamp_us()), self._table
        if self._stream == f"{prefix_of(self.name)}{today}":
            return
        stays = table.held or in_round(table) or today < table.day
        if self._stream and (stays or self._means.treasury.waiting[0]):
            return
        command = c.BeginDay(day=today, previous=self._stream)
        turn = decided(self.setup, self._table, command, self._stamp())
        self._stream, self._version = f"{prefix_of(self.name)}{today}", 0
        self._commit(turn, self._own_envelope("day"))

    def _catch_up(self) -> None:
        """Take over a wall clock that was set, once nothing runs: what runs, runs to its end."""
        at_ease = self._table.phase in (Phase.CLOSED, Phase.IDLE, Phase.RESULT)
        if at_ease and not self._table.held:
            due_us = next_deadline(self.setup, self._table, self._at_us)
            if due_us is None:
                self._time.catch_up(self._at_us)

    def _look_at_clock(self) -> None:
        """Note a wall clock that was set; the table's own time and its deadlines do not move."""
        jump_us = self._time.jump_us()
        if abs(jump_us) > CLOCK_JUMP_US:
            text = f"{jump_us / 1_000_000:+.1f} s"
            turn = noticed(self.setup, self._table, FaultCode.CLOCK_JUMP, self._stamp(), text=text)
            self._commit(turn, self._own_envelope("clock"))

    def _stamp_us(self) -> int:
        """The instant of this decision; a record never goes backwards."""
        self._at_us = max(self._at_us, self._time.now_us())
        return self._at_us

    def _stamp(self) -> Stamp:
        return Stamp(at_us=self._stamp_us(), salt=self._means.salt())

    def _envelope(self, note: Note) -> Envelope:
        return Envelope(
            command_id=note.command_id,
            actor=note.actor,
            cause=type(note.given).__name__,
            at_us=self._at_us,
        )

    def _own_envelope(self, cause: str, wallet: str = "") -> Envelope:
        actor = Actor(ActorKind.PLATFORM, wallet) if wallet else SYSTEM
        return Envelope(
            command_id=self._means.ids.new(), actor=actor, cause=cause, at_us=self._at_us
        )

    def _commit(self, turn: Turn, envelope: Envelope, record: CommandRecord | None = None) -> None:
        """Durable first, then believed, then told, then paid."""
        means, before, events = self._means, self._table, turn.events
        if not events:
            if record is not None:
                means.journal.record_command(record)
            self._showing.heard(self._at_us)
            return
        check_laws(before, turn.table, events)
        told = feed_entries(
            self.setup,
            before,
            events,
            stream=self._stream,
            version=self._version,
            at_us=envelope.at_us,
        )
        means.at_point("before_commit")
        begun_us = means.clock.monotonic_us()
        version = means.journal.append(
            self._stream, self._version, envelope, events, outbox=told, command=record
        )
        if means.metrics is not None:
            means.metrics.commit(self.name, (means.clock.monotonic_us() - begun_us) / 1e6)
        means.at_point("after_commit")
        first, self._table, self._version = self._version + 1, turn.table, version
        means.at_point("after_adopt")
        self._showing.show(turn.table, events, envelope, first=first, at_us=self._at_us)
        self._changed(self.name)
        means.at_point("after_publish")
        means.treasury.heed(events)
        means.told(self.name, turn.table.day, events)
        if means.metrics is not None:
            count(means.metrics, self.setup.table, before, turn.table, events)

    def _deliver(self) -> None:
        """Ask and pay what the facts made due; the wallet's answers are observations."""
        treasury, now_us = self._means.treasury, self._time.now_us()
        if treasury.trouble and now_us < self._wallet_us + WALLET_RETRY_US:
            return
        self._wallet_us = now_us
        while answers := treasury.deliver(now_us):
            for answer in answers:
                turn = decided(self.setup, self._table, answer, self._stamp(), book=self._book)
                self._commit(turn, self._own_envelope(type(answer).__name__, answer.device))

    def _stop_for(self, failure: BaseException) -> None:
        log.error("table %s has stopped", self.name, exc_info=failure)
        self.failure = failure
        if self._means.metrics is not None:
            self._means.metrics.stopped(self.name)
        self._refuse_the_rest()
        self.touch()

    def _refuse_the_rest(self) -> None:
        """Nobody may wait for ever on a table that has stopped."""
        for note in self._inbox.close():
            if note.reply is not None:
                note.reply.set_result(_STOPPED)


_STOPPED: Final = Answer(status="rejected", code=STOPPED, text=STOPPED_TEXT)
