"""A camera as the studio sees it: a child process, watched and started again when it fails."""

import contextvars
import hashlib
import multiprocessing
import os
import secrets
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from studio.domain.observations import (
    CardsSeen,
    DeviceOffline,
    DeviceOnline,
    LinkRates,
    Observation,
    SelfTested,
    ZoneSeen,
)
from studio.live.ports import BenchRefused, CameraOptions, Clock, Report
from vision.layout import Layout, LayoutError, load_layout
from vision.worker import (
    BENCH,
    TEST,
    Beat,
    Benched,
    Done,
    Failed,
    Job,
    Kept,
    Learnt,
    Message,
    Order,
    Picture,
    Pictures,
    Ready,
    Reports,
    Waiting,
    main,
)

SILENT_S: Final = 6.0
"""A child that says nothing for so long is killed."""
START_S: Final = 30.0
"""Time a child has to load OpenCV and the reader on a busy machine."""
BACKOFF_S: Final = (0.2, 1.0, 2.0, 5.0, 15.0)
"""Waits before a failed child is started again; the last one stays."""
PROVEN_S: Final = 10.0
"""A child that worked for so long counts as well, and the waits begin anew."""
ANSWER_S: Final = 90.0
"""An order that was not carried out in this time will not be."""
PICTURES_S: Final = 5.0
"""Kept pictures that have not come in this time will not."""
BENCH_S: Final = 15.0
"""A word at the bench that was not answered in this time is asked again; a busy machine is slow."""
NOTED: Final = 64
"""Kept pictures whose instants are remembered; the child keeps no more."""
STOP_S: Final = 1.0
FIRMWARE: Final = "1"


@dataclass(slots=True, eq=False)
class Ticket:
    """An order that waits for its answer."""

    order: Order
    again: bool
    """Whether a new child must be told too; what changes the world it is told anyway."""
    done: threading.Event = field(default_factory=threading.Event)
    pictures: tuple[tuple[int, bytes], ...] = ()
    """The answer to an order for kept pictures."""
    benched: Benched | None = None
    """The answer to an order for the bench."""


class ProcessCamera:
    """Runs a camera's child process and passes on what it reports, with the clock's instants."""

    synthetic = False

    def __init__(self, name: str, options: CameraOptions, clock: Clock, layout: Layout) -> None:
        self.name = name
        self._options = options
        self._clock = clock
        self._layout = layout
        self._layout_sha = _digest(options)
        """SHA-256 of the file that `_layout` was read from; the file may be another by now."""
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._report: Report = _nobody
        self._tickets: dict[int, Ticket] = {}
        self._orders = 0
        self._online = False
        self._told = ""
        self._empty: bytes | None = None
        self._picture: bytes | None = None
        self._picture_us = 0
        self._anew = False
        """Whether the present child was ended on purpose, to begin with what was set up."""
        self._kept: deque[tuple[int, int]] = deque(maxlen=NOTED)
        """(frame, instant) of the pictures that this child has kept."""
        self._track = 0
        self._frame = 0
        self._zones: tuple[ZoneSeen, ...] = ()
        self._silent_s = float(options.options.get("silent_s", SILENT_S))

    def start(self, report: Report) -> None:
        """Start the process and report from now on. Returns at once."""
        self._report = report
        self._online, self._told = False, ""
        self._stopping.clear()
        # What the log says of this thread is bound by who starts it: the table.
        context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=lambda: context.run(self._run), name=f"camera {self.name}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the process; returns within two seconds even if a capture driver hangs."""
        self._stopping.set()
        with self._lock:
            self._send(Order(0, "stop"))
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(STOP_S / 2)
            process = self._process
            if process is not None:
                # It does not listen; its end closes the pipe, and that ends our thread.
                process.kill()
            # Without one the thread is seeing its child off, which takes a moment as well.
            thread.join(STOP_S)
        self._release()

    def picture(self) -> bytes | None:
        """The newest frame as JPEG, for consoles; None before the first."""
        return self._picture

    def pictures(self, since_us: int, until_us: int) -> Sequence[tuple[int, bytes]]:
        """(instant, JPEG) of what was seen between two instants, oldest first.

        None if the camera's process does not answer within five seconds. Five a second at most,
        960 pixels wide.
        """
        with self._lock:
            instants = {frame: at for frame, at in self._kept if since_us <= at <= until_us}
            if not instants or self._thread is None or self._stopping.is_set():
                return ()
            self._orders += 1
            ticket = Ticket(Order(self._orders, "pictures", tuple(instants)), again=False)
            self._tickets[self._orders] = ticket
            self._send(ticket.order)
        if not ticket.done.wait(PICTURES_S):
            with self._lock:
                self._tickets.pop(ticket.order.number, None)
        return tuple((instants[frame], jpeg) for frame, jpeg in ticket.pictures)

    def live(self) -> tuple[int, bytes] | None:
        """(instant, JPEG) of the newest frame, about five a second while the bench is open."""
        picture = self._picture
        return None if picture is None else (self._picture_us, picture)

    def bench(self, word: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do one thing at the bench; see `studio.live.ports.HasBench`.

        Raises:
            BenchRefused: with one sentence that says what to do.
        """
        try:
            return self._at_bench(word, given)
        finally:
            if word == "close":
                self._begin_anew()

    def _at_bench(self, word: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the child and wait for its answer."""
        with self._lock:
            if self._pipe is None or not self._online or self._stopping.is_set():
                raise BenchRefused(
                    "the camera does not run: look at its cable and its source, then begin again",
                    "refused.bench_camera",
                )
            self._orders += 1
            ticket = Ticket(Order(self._orders, BENCH, (word, dict(given))), again=False)
            self._tickets[self._orders] = ticket
            try:
                self._send(ticket.order)
            except RecursionError:  # lists in lists without end cannot be handed over
                del self._tickets[self._orders]
                text = "what was asked is nested too deeply: load the page again"
                raise BenchRefused(text, "refused.malformed") from None
        if not ticket.done.wait(BENCH_S):
            with self._lock:
                self._tickets.pop(ticket.order.number, None)
                raise BenchRefused(
                    "the camera did not answer in time: try again", "refused.bench_slow"
                )
        answer = ticket.benched
        if answer is None:
            raise BenchRefused("the camera began anew: begin again", "refused.bench_closed")
        if answer.refusal:
            raise BenchRefused(answer.refusal, answer.code, answer.values)
        return answer.answer

    def _begin_anew(self) -> None:
        """End the child, so that the next one works with the layout and deck that are kept now."""
        if self._options.layout is not None:
            try:
                layout, digest = load_layout(self._options.layout), _digest(self._options)
            except LayoutError:
                # Nothing was kept yet, or it cannot be used: as before.
                layout, digest = self._layout, self._layout_sha
            with self._lock:
                self._layout_sha = digest
                if layout != self._layout:
                    self._layout, self._empty, self._zones = layout, None, ()
        with self._lock:
            if self._pipe is not None:
                self._anew = True
                self._send(Order(0, "stop"))

    def test(self) -> None:
        """Begin a self-test and return at once: whether it sees its marks and reads a card."""
        with self._lock:
            there = self._pipe is not None and self._online
            if there:
                self._send(Order(0, TEST))
        if not there:
            text = "the camera's process does not run"
            at_us = self._clock.now_us()
            self._report(SelfTested(device=self.name, at_us=at_us, passed=False, text=text))

    @property
    def process_id(self) -> int | None:
        """The child's process, None while there is none; for diagnosis and tests."""
        process = self._process
        return None if process is None else process.pid

    # -- orders ----------------------------------------------------------------------------------

    def _tell(self, verb: str, value: Any = None, *, again: bool = False) -> None:
        """Give the child an order and wait until it is done.

        Without a child there is nothing to wait for.
        """
        with self._lock:
            if self._thread is None or self._stopping.is_set():
                return
            self._orders += 1
            ticket = Ticket(Order(self._orders, verb, value), again)
            self._tickets[self._orders] = ticket
            self._send(ticket.order)
        if not ticket.done.wait(ANSWER_S):
            raise RuntimeError(f"camera {self.name} did not answer {verb!r} in {ANSWER_S:.0f} s")

    def _send(self, order: Order) -> None:
        """Put an order into the pipe; a broken one is noticed by who reads it."""
        if self._pipe is not None:
            try:
                self._pipe.send(order)
            except (OSError, ValueError):
                return

    def _renew(self) -> None:
        """A new child is there: it knows the world, and is told what else it must do."""
        with self._lock:
            for number, ticket in list(self._tickets.items()):
                if ticket.again:
                    self._send(ticket.order)
                else:
                    del self._tickets[number]
                    ticket.done.set()

    def _release(self) -> None:
        """Nobody will answer any more."""
        with self._lock:
            tickets = list(self._tickets.values())
            self._tickets.clear()
        for ticket in tickets:
            ticket.done.set()

    # -- the child's life --------------------------------------------------------------------------

    def _job(self) -> Job:
        """What a new child must know."""
        return Job(
            device=self.name,
            source=self._options.source,
            layout=self._layout,
            synthetic=self.synthetic,
            stepped=self._options.stepped,
            seed=self._options.seed,
            empty=self._empty,
            first_track=self._track + 1,
            first_frame=self._frame + 1,
            known=self._zones,
            options=plain(self._options.options),
            layout_file=str(self._options.layout or ""),
            deck_file=str(self._options.deck or ""),
            needs_deck=self._options.needs_deck,
        )

    def _run(self) -> None:
        """Start a child, listen to it, and start another when it fails."""
        failures = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            reason = self._one_life()
            if self._stopping.is_set():
                break
            if self._anew:
                self._anew, failures = False, 0
                self._went("it begins anew with what was set up")
                continue
            failures = 0 if time.monotonic() - began > PROVEN_S else failures + 1
            self._went(reason)
            self._stopping.wait(BACKOFF_S[min(failures, len(BACKOFF_S) - 1)])
        self._release()

    def _one_life(self) -> str:
        """One child from start to end; why it ended."""
        context = multiprocessing.get_context("spawn")
        # One process, one core: numpy's algebra else starts a thread for each core, and they
        # wait for one another on a machine that has several cameras.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        with self._lock:
            ours, theirs = context.Pipe()
            process = context.Process(
                target=main, args=(theirs, self._job()), name=f"eye {self.name}", daemon=True
            )
            process.start()
            theirs.close()
            self._process, self._pipe = process, ours
            self._kept.clear()
        try:
            return self._listen(ours)
        finally:
            with self._lock:
                self._process, self._pipe = None, None
            ours.close()
            end(process)

    def _listen(self, pipe: Connection) -> str:
        """Take messages until the child ends or says nothing for too long; the reason."""
        patience = START_S
        while True:
            try:
                if not pipe.poll(patience):
                    return f"the camera's process said nothing for {patience:.0f} s"
                message: Message = pipe.recv()
            except (EOFError, OSError):
                return "the camera's process ended"
            if isinstance(message, Failed):
                return message.reason
            if isinstance(message, Waiting):
                patience = self._silent_s
                self._went(message.reason)
            elif isinstance(message, Ready):
                patience = self._silent_s
                self._came(message)
                self._renew()
            else:
                self._take(message)

    def _take(self, message: Message) -> None:
        """Take one message of a working child."""
        match message:
            case Reports():
                self._pass_on(message)
            case Done(number) | Pictures(number):
                with self._lock:
                    ticket = self._tickets.pop(number, None)
                if ticket is not None:
                    ticket.pictures = message.pictures if isinstance(message, Pictures) else ()
                    ticket.done.set()
            case Kept(frame, age_s):
                with self._lock:
                    self._kept.append((frame, self._clock.now_us() - int(age_s * 1e6)))
            case Benched(number):
                with self._lock:
                    ticket = self._tickets.pop(number, None)
                if ticket is not None:
                    ticket.benched = message
                    ticket.done.set()
            case Picture(jpeg, age_s):
                self._picture_us = self._clock.now_us() - int(age_s * 1e6)
                self._picture = jpeg
            case Learnt(png):
                self._empty = png
            case Beat() | Ready() | Waiting() | Failed():
                pass

    def _pass_on(self, reports: Reports) -> None:
        """Stamp and report."""
        at_us = self._clock.now_us() - int(reports.age_s * 1e6)
        for observation in reports.observations:
            stamped: Observation = replace(observation, at_us=at_us)
            if isinstance(stamped, LinkRates):
                age_s = reports.different_age_s
                newest_us = 0 if age_s is None else self._clock.now_us() - int(age_s * 1e6)
                stamped = replace(stamped, last_us=max(0, newest_us))
            if isinstance(stamped, CardsSeen):
                self._frame, self._zones = stamped.frame, stamped.zones
                tracks = [card.track for zone in stamped.zones for card in zone.cards]
                self._track = max(self._track, *tracks, 0)
            self._report(stamped)

    def _came(self, ready: Ready) -> None:
        """Tell that the camera answers."""
        self._online, self._told = True, ""
        self._report(
            DeviceOnline(
                device=self.name,
                at_us=self._clock.now_us(),
                model=ready.model,
                firmware=f"{FIRMWARE} {ready.reads}{self._layout_text()}".strip(),
                serial=ready.identity,
                boot=secrets.token_hex(4),
            )
        )

    def _layout_text(self) -> str:
        """The layout that is in force, by the file's name and its SHA-256; empty if it is built in.

        For the journal, as the deck's is (DESIGN.md 1).
        """
        file, digest = self._options.layout, self._layout_sha[:12]
        return f", layout {file.name} ({digest})" if file is not None and digest else ""

    def _went(self, reason: str) -> None:
        """Tell that the camera was lost or does not start, once for each reason."""
        if self._online or reason != self._told:
            self._report(DeviceOffline(device=self.name, at_us=self._clock.now_us(), reason=reason))
        self._online = False
        self._told = reason


def end(process: SpawnProcess) -> None:
    """End a child, by force if it does not listen."""
    process.join(0.3)
    if process.is_alive():
        process.kill()
        process.join(STOP_S)
    if not process.is_alive():
        process.close()


def _digest(options: CameraOptions) -> str:
    """SHA-256 of the layout file as it is now; empty if there is none."""
    try:
        return hashlib.sha256(options.layout.read_bytes()).hexdigest() if options.layout else ""
    except OSError:
        return ""


def plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as a child can be given them."""
    return dict(options)


def _nobody(observation: Observation) -> None:
    """Reports go nowhere before the start."""
