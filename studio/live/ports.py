"""The protocols through which the four packages meet at run time.

Drivers, cameras and faces are found by entry point, so the walls between the packages hold:
`studio` never imports what stands behind these protocols.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from studio.domain.envelope import (
    CommandRecord,
    Envelope,
    OutboxEntry,
    Outgoing,
    Recorded,
)
from studio.domain.observations import EvidenceItem, Observation

Report = Callable[[Observation], None]
"""Takes an observation from a device's own thread; never blocks for long, never raises."""


class Clock(Protocol):
    """Where the present instant comes from. A manual one exists for tests and headless runs."""

    def now_us(self) -> int:
        """UTC in whole microseconds since 1970."""

    def monotonic_us(self) -> int:
        """Microseconds that never go backwards and never jump, for deadlines."""

    def wait(self, seconds: float, interrupt: Callable[[], bool] = ...) -> None:
        """Let that much of this clock's time pass, or return early once `interrupt()` is true.

        On a manual clock it returns when the time was moved far enough by hand.
        """


class Ids(Protocol):
    """Where identifiers come from; sorted by time, never secret."""

    def new(self) -> str:
        """Give an identifier that was never given before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingDoc:
    """One setting of a driver, for `cutcard devices --drivers`."""

    name: str
    default: str
    meaning: str


class Device(Protocol):
    """A wire device at a table. `report` is called on the device's own thread."""

    name: str

    def start(self, report: Report) -> None:
        """Open and keep open, reporting from now on. Returns at once."""

    def stop(self) -> None:
        """Stop reporting and close; returns within two seconds even if the wire hangs."""

    def command(self, word: str) -> None:
        """Send one of ``LOCK``, ``UNLOCK``, ``TEST``, ``WHO``; unknown words are ignored."""

    def frames(self, known: Mapping[tuple[str, int], str] = ...) -> Sequence[str]:
        """The last 200 frames, oldest first, one printable line each with direction and instant.

        A card is never in them, unless `known` has the code of that very report by (boot,
        sequence): lines are kept and shown while its identity may not be known (DESIGN.md 7).
        """


class SimulatedWire(Protocol):
    """A simulated device on a real pseudo-terminal; a dealer's hands work it."""

    @property
    def path(self) -> str:
        """The path of the pseudo-terminal that the driver opens."""

    def start(self) -> None:
        """Begin to answer on the pseudo-terminal."""

    def stop(self) -> None:
        """Hang up and release the pseudo-terminal."""

    def load(self, cards: Sequence[str]) -> None:
        """Put cards into the shoe, first to come out first; ``CUT`` for the cut card."""

    def unload(self) -> Sequence[str]:
        """Lift all cards out by the lid, past the reader; what was inside."""

    def draw(self, *, reads_as: str | None = None) -> str:
        """Slide one card out; the code of what really came out.

        `reads_as` is what the reader takes it for (``??``: unreadable); None reads it rightly.
        """

    def remaining(self) -> Sequence[str]:
        """What is still in the shoe, in order of coming out."""

    def switch(self, fault: str, *, on: bool = True) -> None:
        """Switch a fault of CONTRACTS.md 3 on or off while the device runs.

        Raises:
            ValueError: if the fault is not one of this device's.
        """

    def quiet(self, timeout_s: float) -> bool:
        """Wait in real time until every frame sent was acknowledged; False if it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """What the entry-point group ``cutcard.drivers`` gives for one driver."""

    name: str
    summary: str
    settings: tuple[SettingDoc, ...]
    faults: tuple[str, ...]
    """Names of the faults that the simulated device knows."""
    open: "Callable[[str, Mapping[str, Any], Clock], Device]"
    """(device name, settings of the device, clock) → a device that is not started yet.

    The setting ``url`` is a pyserial address or a path. Known boot and sequence come in the
    settings ``known_boot`` (str) and ``known_sequence`` (int) after a restart.
    """
    simulate: "Callable[[Mapping[str, Any], Clock], SimulatedWire]"
    numbered: bool = True
    """Whether its devices number their reports themselves, so that a lost one shows."""


class Camera(Protocol):
    """A camera with its recogniser, in a process of its own."""

    name: str

    def start(self, report: Report) -> None:
        """Start the process and report from now on. Returns at once."""

    def stop(self) -> None:
        """End the process; returns within two seconds even if a capture driver hangs."""

    def picture(self) -> bytes | None:
        """The newest frame as JPEG, for consoles; None before the first."""


@runtime_checkable
class TestsItself(Protocol):
    """A camera that can be asked for a self-test (DESIGN.md 5). Not every camera can."""

    def test(self) -> None:
        """Begin the test and return at once; `SelfTested` is reported when it has ended."""


@runtime_checkable
class KeepsPictures(Protocol):
    """A camera that keeps the pictures of the last seconds. Not every camera does."""

    def pictures(self, since_us: int, until_us: int) -> Sequence[tuple[int, bytes]]:
        """(instant, JPEG) of what was seen between two instants, oldest first; none if unknown.

        Takes a moment and never raises; ask from a thread that may wait.
        """


class BenchRefused(Exception):  # noqa: N818  it says what happened
    """A camera's bench does not do what was asked; one sentence, with what to do instead."""

    def __init__(
        self,
        text: str,
        code: str = "refused.bench",
        values: Mapping[str, str | int | float] | None = None,
    ) -> None:
        """Keep the English sentence, and a message code with what it is filled with."""
        super().__init__(text)
        self.text = text
        self.code = code
        self.values = dict(values or {})


@runtime_checkable
class HasBench(Protocol):
    """A camera that can be calibrated, and shown a deck, while its table does not deal.

    While its bench is open a camera reports no cards: what lies there is no game.
    """

    def bench(self, word: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do one thing at the bench and give its answer; both of JSON values only.

        ``open`` with ``{"kind": "calibrate"}`` or ``"enrol"`` begins a session, ``close`` ends it
        and starts the camera anew with the layout and deck that were kept; all other words are the
        session's own. Takes a moment, at most 15 s; ask from a thread that may wait.

        Raises:
            BenchRefused: with one sentence that says what to do.
        """

    def live(self) -> tuple[int, bytes] | None:
        """(instant, JPEG) of the newest frame, about five a second while the bench is open."""


class Stage(Protocol):
    """Lets a simulated dealer lay cards under the synthetic camera.

    Each call returns once the change is part of the scene. In a stepped camera frames pass only
    by `step`; in a running one `step` waits until that many frames were looked at.
    """

    def lay(self, zone: str, code: str, *, face_up: bool = True, sideways: bool = False) -> None:
        """Lay a card on the next free place of a zone; ``CUT`` lays the cut card."""

    def turn(self, zone: str, index: int) -> None:
        """Turn the card at this place of the zone."""

    def take(self, zone: str, index: int) -> None:
        """Take one card away."""

    def clear(self, zone: str) -> None:
        """Take all cards of a zone away."""

    def count(self, zone: str) -> int:
        """How many cards lie in a zone; a fault may have made one land elsewhere."""

    def hand(self, zone: str | None) -> None:
        """Hold a hand over a zone, or take it away (None)."""

    def switch(self, fault: str, *, on: bool = True) -> None:
        """Switch a camera fault of CONTRACTS.md 3 on or off.

        Raises:
            ValueError: if the fault is not one of the camera's.
        """

    def step(self, frames: int) -> None:
        """Let so many frames be rendered, encoded, decoded and looked at; then return.

        All that the camera reported in them has been given to `report` by then.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraKind:
    """What the entry-point group ``cutcard.cameras`` gives for one kind of source."""

    name: str
    summary: str
    schemes: tuple[str, ...]
    """Prefixes of `source` that this kind opens, as ``synthetic:``; empty string: all others."""
    faults: tuple[str, ...]
    open: "Callable[[str, CameraOptions, Clock], Camera]"
    """(camera name, options, clock) → a camera that is not started yet.

    A synthetic camera is a `Stage` as well.
    """
    look: "Callable[[str, Mapping[str, Any]], str]"
    """Open the source once, briefly, with the camera's settings (exposure, focus …).

    A sentence of what was found, and of what the camera refused.

    Raises:
        OSError: with a sentence that says what to do.
    """
    look_layout: "Callable[[Path, str], Sequence[tuple[str, str]]]" = lambda layout, game: ()  # noqa: ARG005
    """Read a layout file for a game: (``ok``, ``warning`` or ``wrong``, sentence) each."""
    look_deck: "Callable[[Path], str]" = lambda deck: f"deck {deck}"
    """Read the file of an enrolled deck; a sentence of what it is.

    Raises:
        ValueError: with a sentence that says what to do.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraOptions:
    """How a camera is to be opened."""

    source: str
    game: str
    layout: Path | None = None
    """None: the layout that the synthetic camera knows itself."""
    deck: Path | None = None
    needs_deck: bool = False
    """Whether nothing may be dealt without an enrolled deck that can be used."""
    stepped: bool = False
    """Frames pass only by `Stage.step` (headless demonstration, tests)."""
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


class Wallet(Protocol):
    """Who holds the players' money. Takes batches; each call is idempotent by its key."""

    name: str

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Reserve stakes of (bet id, player, minor units); the ids that are not covered."""

    def short(self, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Look which of (id, player, minor units) the balance does not cover now, each by itself.

        Nothing is reserved.
        """

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        """Pay (player, minor units); a refund is paid the same way."""

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Take (player, minor units) back, all or nothing per player; those who had too little."""


@runtime_checkable
class AnswersLater(Protocol):
    """A wallet far away: its calls return at once, `StillAsked` until there is an answer.

    Then it gives its table a tick, and the same call again gives the answer.
    """

    def waits(self, key: str) -> bool:
        """Whether this call was taken and is not answered yet."""


class StillAsked(Exception):  # noqa: N818  it says what is
    """A wallet that answers later has taken the call; what stands behind it need not wait."""


class JournalError(Exception):
    """The journal cannot do what it must. The table stops; a person is told."""


class JournalDamaged(JournalError):  # noqa: N818  it says what happened
    """The journal is there, and what protects it was taken away."""


class VersionConflict(JournalError):  # noqa: N818  the trade's word for it
    """Somebody else has written to the stream: a second writer. Never append again blindly."""


class RepeatedAppend(JournalError):  # noqa: N818  named as the conflict is
    """This command has made events in this stream before."""


class Journal(Protocol):
    """The facts of all tables, append-only. May be called from any thread.

    A stream is one table and one gaming day, as ``table/ba1/2026-11-30``: all up to the last slash
    is the chain that goes on from day to day.
    """

    def append(
        self,
        stream: str,
        expected_version: int,
        envelope: Envelope,
        events: Sequence[Any],
        *,
        outbox: Sequence[OutboxEntry] = (),
        command: CommandRecord | None = None,
    ) -> int:
        """Write all of it in one commit, or nothing; the new version of the stream.

        Fields of type `Columns` are stored packed beside the events, sealed cards apart.

        Raises:
            VersionConflict: if the stream is not at `expected_version` (0: it does not exist).
            RepeatedAppend: if this command id has written to this stream before.
            TypeError: if an event holds what has no canonical form, as a float.
        """

    def read(self, stream: str, after: int = 0, *, secrets: bool = False) -> Iterator[Recorded]:
        """Read the facts of a stream with a version greater than `after`, in order.

        With `secrets` sealed cards are opened; that is for the table's own recovery only.
        """

    def version(self, stream: str) -> int:
        """The version of the newest fact; 0 if there is none."""

    def streams(self) -> Sequence[str]:
        """Give the names of all streams, in the order in which they began."""

    def record_command(self, record: CommandRecord) -> None:
        """Keep a command that made no event, as a rejected one; a repeated id is kept once."""

    def answer_of(self, command_id: str) -> CommandRecord | None:
        """Give what was answered to this id before; None if it was never asked."""

    def feed(self, table: str, after: int = 0, limit: int = 500) -> Sequence[Outgoing]:
        """Give the outbox of a table with `n` greater than `after`, in order."""

    def pending(self, receiver: str, limit: int = 500) -> Sequence[Outgoing]:
        """Give what this receiver has not confirmed yet, of all tables, in order."""

    def mark(self, receiver: str, n: int) -> None:
        """Keep that this receiver has confirmed everything up to `n`; it never goes back."""


class EvidenceError(Exception):
    """Evidence cannot be kept or read; one sentence. The table goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePiece:
    """One piece of evidence with its bytes."""

    name: str
    """Unique in its fault: letters, digits, dots and dashes, as ``camera-0012.jpg``."""
    kind: str
    """``wire``, ``picture``, or ``hidden`` for a picture that nobody may see yet."""
    at_us: int
    data: bytes


class EvidenceStore(Protocol):
    """Where evidence lies, beside the journal. May be called from any thread."""

    def keep(
        self, table: str, day: str, fault: str, pieces: Sequence[EvidencePiece]
    ) -> tuple[EvidenceItem, ...]:
        """Keep all of it durably, or nothing; what the journal is to say of it.

        Raises:
            EvidenceError: if the disk refuses.
        """

    def items(self, table: str, fault: str) -> tuple[EvidenceItem, ...]:
        """What the journal says was kept of a fault; empty if nothing was, or it is unknown."""

    def read(self, table: str, fault: str, name: str) -> bytes | None:
        """The bytes of one piece; None if there is none, it is no longer kept, or still hidden.

        Raises:
            EvidenceError: if it is not what was kept, or the disk refuses.
        """

    def purge(self, today: date) -> int:
        """Take away what is older than the configuration's retention; how many pieces."""


class Face(Protocol):
    """A face of the studio, as the web; blocks in `serve` until told to stop.

    A face may serve from a process that it makes itself. It calls `service.start()` there, then
    `ready`, and at the end `service.stop()`: no thread, port or database is open before.
    """

    def serve(
        self,
        service: Any,
        settings: Any,
        *,
        ready: Callable[[str], None],
        next_port: bool = False,
    ) -> None:
        """Serve until interrupted; call `ready` with the address once it answers.

        With `next_port` a busy port takes the next free one.

        Raises:
            OSError: with one sentence that says what to change.
        """

    def stop(self) -> None:
        """End `serve` in order; from any thread of the process in which the service runs."""
