"""What the studio's process and a camera's own process say to each other.

The child does all that may hang or burn: capture, decoding, reading. It is started by `main` under
``spawn`` and speaks over one pipe. Nothing here imports OpenCV; the child does so once it runs.
"""

import signal
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Final

from studio.domain.observations import CameraObservation, ZoneSeen
from vision.layout import Layout

BEAT_S: Final = 0.5
"""The child says at least this often that it is alive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """All that a child needs to know at its start."""

    device: str
    source: str
    layout: Layout
    synthetic: bool
    stepped: bool = False
    seed: int = 0
    empty: bytes | None = None
    """The empty felt as PNG, where an earlier child has learnt it."""
    first_track: int = 1
    first_frame: int = 1
    known: tuple[ZoneSeen, ...] = ()
    """What an earlier child said lies on the felt; it keeps its tracks."""
    world: tuple[Any, ...] = ()
    """Cards that already lie on the synthetic table."""
    faults: frozenset[str] = frozenset()
    held: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    layout_file: str = ""
    """Where the bench keeps a new layout; empty if none is configured."""
    deck_file: str = ""
    """The studio's own deck, read with it and kept there by the bench; empty if none is
    configured."""
    needs_deck: bool = False
    """Whether nothing may be dealt without that deck."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The child looks at frames from now on."""

    model: str
    identity: str
    reads: str = ""
    """The weights and the enrolled deck that it reads with, by name and hash."""


@dataclass(frozen=True, slots=True)
class Reports:
    """What the eye has to report, in order, and how old its frame is."""

    observations: tuple[CameraObservation, ...]
    age_s: float
    different_age_s: float | None
    """Age of the newest frame that differed from the one before; None before the first."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The child is alive."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """The empty felt, as PNG, to be given to a later child."""

    png: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """The newest frame as JPEG, and how old it was when it was sent."""

    jpeg: bytes
    age_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Kept:
    """A small picture of this frame is kept for evidence; how old the frame is."""

    frame: int
    age_s: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """The source has given no picture yet, and why; the child goes on trying."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The child cannot go on, and why, in one sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Order:
    """Something the child is to do; it answers with `Done` of the same number."""

    number: int
    verb: str
    value: Any = None


TEST: Final = "test"
"""An order for a self-test; its answer is an observation, so it has no number."""


@dataclass(frozen=True, slots=True)
class Done:
    """An order was carried out."""

    number: int


@dataclass(frozen=True, slots=True)
class Pictures:
    """The answer to an order for kept pictures: (frame, JPEG), oldest first."""

    number: int
    pictures: tuple[tuple[int, bytes], ...]


BENCH: Final = "bench"
"""An order for the bench: its value is (word, given); its answer is `Benched`."""


@dataclass(frozen=True, slots=True)
class Benched:
    """The answer of the bench, of JSON values; with `refusal` nothing was done."""

    number: int
    answer: dict[str, Any]
    refusal: str = ""
    code: str = ""
    values: dict[str, Any] = field(default_factory=dict)


Message = (
    Ready | Waiting | Reports | Beat | Learnt | Picture | Kept | Failed | Done | Pictures | Benched
)
"""What a child says."""


def main(pipe: Connection, job: Job) -> None:
    """Be the child: work until the pipe closes."""
    # An interrupt at the keyboard is for the studio, which closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from vision.child import run  # noqa: PLC0415 - OpenCV is loaded in the child alone

    try:
        run(pipe, job)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
