"""The keeper of evidence: frames of the wires and pictures of the cameras around a fault.

One thread for all tables of a studio. A table's thread only leaves a note after its commit; the
keeper waits until the moment has passed, asks the devices for what they have kept, stores it and
reports the digests back as an observation, so that the table's own thread writes them in order.

A kept line names a card only if the journal already holds that very report in the open (decision
20). Pictures on which a card may be seen that nobody may know yet are kept as ``hidden``: nobody
gets them before that card was turned, or its round has ended.
"""

import logging
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from studio.domain import events as e
from studio.domain.observations import EvidenceStored
from studio.live.lifted import LINGER_US, Lifted
from studio.live.ports import (
    Camera,
    Clock,
    Device,
    EvidenceError,
    EvidencePiece,
    EvidenceStore,
    KeepsPictures,
)
from studio.table.kept import HIDDEN, PICTURE

log = logging.getLogger("cutcard.evidence")

BEFORE_US: Final = 3_000_000
AFTER_US: Final = 2_000_000
"""Pictures are kept from so long before a fault until so long after it: five seconds."""
MOST_WAITING: Final = 64
"""Moments that wait at once; a storm of faults beyond them is told, not kept."""
MOST_KNOWN: Final = 2_000
"""Open reports that are remembered per table; a wire keeps 200 frames."""
PURGE_US: Final = 6 * 3600 * 1_000_000
"""How often what is older than its time is taken away."""
LOOK_S: Final = 0.1
"""How often the clock is looked at while a moment waits, in real seconds."""
REST_S: Final = 5.0
STOP_S: Final = 10.0
"""What still waits at the end has so long, in real seconds, to get its pictures; frames it gets."""
NAME: Final = "evidence"
OLD: Final = "/old"
"""What the trouble with old evidence is noted under; no table has such a name."""
WIRE: Final = "wire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A fault, a void or a correction whose evidence has to be kept."""

    table: str
    day: str
    fault: str
    wall_us: int
    """The studio's clock, UTC in microseconds; pictures have their instants by it."""
    due_us: int
    """By the monotonic clock."""


@dataclass(slots=True)
class _Watched:
    """One table's sources, and the reports of its wire that are known."""

    device: Device | None
    camera: Camera | None
    report: Callable[[EvidenceStored], None]
    known: dict[tuple[str, int], str] = field(default_factory=dict)
    lifted: Lifted = field(default_factory=Lifted)

    def learn(self, event: e.Event, at_us: int = 0) -> None:
        self.lifted.learn(event, at_us)
        for key, code in open_reports(event):
            self.known.pop(key, None)
            self.known[key] = code
        while len(self.known) > MOST_KNOWN:
            del self.known[next(iter(self.known))]


def open_reports(event: e.Event) -> Iterator[tuple[tuple[str, int], str]]:
    """((boot, sequence), code) of the reports that this fact holds in the open."""
    match event:
        case e.ShoeRead(card=card) if card is not None:
            yield (event.boot, event.sequence), card.code
        case e.ShoeIdentified(card=card) if card is not None:
            yield (event.boot, event.of), card.code
        case e.CardDealt(read=read) if read is not None:
            shown = event.revealed.card if event.revealed is not None else event.card
            if shown is not None:
                yield read, shown.code
        case e.CardParked(read=read, card=card) | e.CardDead(read=read, card=card):
            if read is not None and card is not None:
                yield read, card.code
        case _:
            return


def name_of(event: e.Event) -> str:
    """What the evidence of this fact is kept under; empty if it needs none."""
    match event:
        case e.FaultRaised(fault=fault, holds=True):
            return fault.id
        case e.RoundVoided(round_id=round_id):
            return f"void-{round_id}"
        case e.ResultCorrected(round_id=round_id, number=number):
            return f"corrected-{round_id}-{number}"
        case _:
            return ""


class Keeper:
    """Keeps evidence for all tables. `heed` and `findings` from any thread; else see `start`."""

    def __init__(self, clock: Clock, store: EvidenceStore) -> None:
        """Nothing is kept before `watch`, and by itself only after `start`."""
        self._clock = clock
        self._store = store
        self._tables: dict[str, _Watched] = {}
        self._notes: queue.SimpleQueue[tuple[str, str, int, int, Sequence[e.Event]]] = (
            queue.SimpleQueue()
        )
        self._waiting: list[Moment] = []
        self._trouble: dict[str, str] = {}
        self._purged_us: int | None = None
        self._news = threading.Event()
        self._halt = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(
        self,
        table: str,
        *,
        device: Device | None,
        camera: Camera | None,
        report: Callable[[EvidenceStored], None],
        facts: Sequence[e.Event] = (),
    ) -> None:
        """Take a table before it starts; `facts` are the newest of its journal."""
        watched = _Watched(device, camera, report)
        for event in facts:
            watched.learn(event)
        self._tables[table] = watched

    def heed(self, table: str, day: str, events: Sequence[e.Event]) -> None:
        """Take what was just committed. On the table's thread: it leaves a note, nothing else."""
        clock = self._clock
        self._notes.put((table, day, clock.now_us(), clock.monotonic_us(), events))
        self._news.set()

    def findings(self) -> tuple[str, ...]:
        """What could not be kept lately, one English sentence for each table."""
        return tuple(self._trouble.values())

    # -- by a thread, or by hand -----------------------------------------------------------------

    def start(self) -> None:
        """Keep from now on by a thread of its own."""
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Keep at once what still waits, and end; the devices and tables must still be there."""
        self._halt.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join(30.0)
            if self._thread.is_alive():
                return
        self._listen()
        until_s = time.monotonic() + STOP_S
        for moment in self._waiting:
            self._keep(moment, pictures=time.monotonic() < until_s)
        self._waiting.clear()

    def turn(self) -> int:
        """Keep what is due by now; how many moments were kept."""
        self._listen()
        now_us = self._clock.monotonic_us()
        due = [moment for moment in self._waiting if moment.due_us <= now_us]
        self._waiting = [moment for moment in self._waiting if moment.due_us > now_us]
        for moment in due:
            self._keep(moment)
        return len(due)

    def left_us(self) -> tuple[int, ...]:
        """Microseconds until each moment that waits is due.

        For a clock that is moved by hand, from the thread that calls `turn`.
        """
        self._listen()
        now_us = self._clock.monotonic_us()
        return tuple(moment.due_us - now_us for moment in self._waiting)

    def _run(self) -> None:
        while not self._halt.is_set():
            self._news.clear()
            try:
                self.turn()
                self._purge()
            except Exception:  # evidence is never a reason to stop a studio
                log.exception("the keeper of evidence failed; it goes on")
            self._news.wait(LOOK_S if self._waiting else REST_S)

    def _listen(self) -> None:
        """Take the notes in."""
        while True:
            try:
                table, day, wall_us, mono_us, events = self._notes.get_nowait()
            except queue.Empty:
                return
            watched = self._tables.get(table)
            for event in events:
                if watched is not None:
                    watched.learn(event, wall_us)
                fault = name_of(event)
                if not fault:
                    continue
                if len(self._waiting) >= MOST_WAITING:
                    self._trouble[table] = (
                        f"table {table}: faults came faster than their evidence could be kept: "
                        f"nothing is kept of fault {fault}"
                    )
                    continue
                covered = watched is not None and watched.lifted.covered
                moment = Moment(
                    table=table,
                    day=day,
                    fault=fault,
                    wall_us=wall_us,
                    due_us=mono_us + AFTER_US + (LINGER_US if covered else 0),
                )
                self._waiting.append(moment)

    def _keep(self, moment: Moment, *, pictures: bool = True) -> None:
        """Gather, store, report. A failure is told in the health; the table goes on."""
        watched = self._tables.get(moment.table)
        if watched is None:
            return
        try:
            pieces = [*_wire(watched, moment)]
            if pictures:
                pieces += _pictures(watched, moment)
            items = self._store.keep(moment.table, moment.day, moment.fault, pieces)
        except EvidenceError as failure:
            self._fail(moment, str(failure))
            return
        except Exception as failure:  # a driver's mistake costs its evidence, not the others'
            log.exception("evidence of fault %s at table %s", moment.fault, moment.table)
            self._fail(moment, type(failure).__name__)
            return
        self._trouble.pop(moment.table, None)
        if items:
            watched.report(
                EvidenceStored(
                    device=NAME, at_us=self._clock.now_us(), fault=moment.fault, items=items
                )
            )

    def _fail(self, moment: Moment, why: str) -> None:
        self._trouble[moment.table] = (
            f"table {moment.table}: the evidence of fault {moment.fault} could not be kept: {why}"
        )
        log.warning("%s", self._trouble[moment.table])

    def _purge(self) -> None:
        """Take away what is older than its time, now and then."""
        now_us = self._clock.monotonic_us()
        if self._purged_us is None or now_us - self._purged_us >= PURGE_US:
            self._purged_us = now_us
            today = datetime.fromtimestamp(self._clock.now_us() / 1e6, UTC).date()
            self._trouble.pop(OLD, None)
            try:
                self._store.purge(today)
            except EvidenceError as failure:
                self._trouble[OLD] = str(failure)
                log.warning("%s", failure)


def _wire(watched: _Watched, moment: Moment) -> Iterator[EvidencePiece]:
    """The last frames of the wire, one a line."""
    device = watched.device
    if device is None:
        return
    lines = device.frames(watched.known)
    if lines:
        yield EvidencePiece(
            name=f"{_plain(device.name)}.wire",
            kind=WIRE,
            at_us=_instant(lines[-1], moment.wall_us),
            data="".join(f"{line}\n" for line in lines).encode(),
        )


def _pictures(watched: _Watched, moment: Moment) -> Iterator[EvidencePiece]:
    """What the camera saw around the moment, numbered in order."""
    camera = watched.camera
    keeps: object = camera
    if camera is None or not isinstance(keeps, KeepsPictures):
        return
    since_us, until_us = moment.wall_us - BEFORE_US, moment.wall_us + AFTER_US
    kind = HIDDEN if watched.lifted.between(since_us, until_us) else PICTURE
    for number, (at_us, jpeg) in enumerate(keeps.pictures(since_us, until_us), 1):
        name = f"{_plain(camera.name)}-{number:04}.jpg"
        yield EvidencePiece(name=name, kind=kind, at_us=at_us, data=jpeg)


def _plain(name: str) -> str:
    """A device's name as it may stand in the name of a file."""
    return re.sub(r"[^A-Za-z0-9-]", "-", name) or "device"


def _instant(line: str, otherwise_us: int) -> int:
    """The instant with which a line begins."""
    try:
        moment = datetime.fromisoformat(line.split(" ", 1)[0])
    except ValueError:
        return otherwise_us
    if moment.tzinfo is None:
        return otherwise_us
    return round((moment - datetime.fromtimestamp(0, UTC)).total_seconds() * 1_000_000)
