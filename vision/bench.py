"""The bench of a camera, in its own process: a session that calibrates it or is shown a deck.

While a session is open the eye is not given frames: what is laid down then is no game, and nothing
is reported of it. The studio starts the camera anew once the session is closed.
"""

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from studio.live.ports import BenchRefused
from vision.calibration.look import cards_by
from vision.calibration.session import Calibration
from vision.calibration.words import CalibrationRefused
from vision.enrol import Enrolment
from vision.locate import Image
from vision.reader import Reader
from vision.worker import Benched, Job, Order

log = logging.getLogger("cutcard.bench")

OPEN: Final = "open"
CLOSE: Final = "close"
LOOK: Final = "look"
CALIBRATE: Final = "calibrate"
ENROL: Final = "enrol"
KINDS: Final = (CALIBRATE, ENROL)
GIVEN_UP: Final = "this failed, and what was not kept is lost: begin again, and tell us"
RATED: Final = 30
"""Newest frames from which the rate of the camera is told."""


class Session(Protocol):
    """What is open at the bench: `vision.calibration.session` or `vision.enrol`."""

    def do(self, word: str, given: Mapping[str, Any], frame: Image | None) -> dict[str, Any]:
        """Do one thing with the newest frame; `frame` is None before the first.

        Raises:
            ValueError: with one sentence that says what to do.
        """


@dataclass(frozen=True, slots=True)
class Still:
    """The newest frame, its number and when it was taken, in seconds of the monotonic clock."""

    image: Image
    number: int
    taken_s: float


class Shows(Protocol):
    """A simulated bench: what it shows follows the answers, as a person's hands would."""

    def frame(self) -> Image:
        """The next picture."""

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Show what the session's answer asks for."""


class Bench:
    """One camera's bench. `see` from the camera's thread; the words from one thread."""

    def __init__(self, job: Job, reader: Reader, shows: Callable[[], Shows] | None = None) -> None:
        """Begin closed; `shows` makes what is seen while it is open, where that is simulated."""
        self.stage: Shows | None = None
        self._shows = shows
        self._job = job
        self._reader = reader
        self._session: Session | None = None
        self._kind = ""
        self._ended = False
        self._still: Still | None = None
        self._taken: deque[float] = deque(maxlen=RATED)

    @property
    def is_open(self) -> bool:
        """Whether frames go to a session and not to the eye.

        So they do after its end as well: what lies there then is no game, and the camera is
        about to begin anew.
        """
        return self._session is not None or self._ended

    def see(self, image: Image, number: int, taken_s: float) -> None:
        """Take the newest frame."""
        self._still = Still(image, number, taken_s)
        self._taken.append(taken_s)

    def do(self, word: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do one thing; the session's answer with what the camera gives.

        Raises:
            BenchRefused: with one sentence that says what to do.
        """
        if word == CLOSE:
            self._close()
            return {}
        if word == OPEN:
            self._open(str(given.get("kind", "")))
            word, given = LOOK, {}
        if self._session is None:
            raise BenchRefused(
                "nothing is open at this camera: its process may have begun anew, so begin again",
                "refused.bench_closed",
            )
        newest = None if self._still is None else self._still.image
        try:
            answer = self._session.do(word, given, newest)
        except ValueError as refusal:
            raise self._refused(refusal) from None
        if self.stage is not None:
            self.stage.follow(answer)
        return {**answer, "camera": self._camera()}

    def _open(self, kind: str) -> None:
        """Begin a session; one of that kind that is open goes on, for a page that was reloaded."""
        if self._shows is not None and self.stage is None:
            self.stage = self._shows()
        if self._session is None or kind != self._kind:
            self._session = session_of(kind, self._job, self._reader)
            self._kind = kind
            self._taken.clear()

    def give_up(self) -> None:
        """Forget the session: it failed."""
        self._session, self._ended = None, True

    def _close(self) -> None:
        """End the session; cards that were shown and are not saved are kept for another day."""
        session = self._session
        self._session, self._ended = None, True
        if session is not None and self._kind == ENROL:
            try:
                if session.do("state", {}, None)["changed"]:
                    session.do("store", {}, None)
            except ValueError as no:  # all was forgotten again, or the disk refuses
                log.warning("what was shown could not be kept: %s", no)

    def _refused(self, refusal: ValueError) -> BenchRefused:
        """What a session refused, with the code by which a page can say it in its language."""
        sentence = getattr(refusal, "sentence", None)
        if sentence is None:
            return BenchRefused(str(refusal))
        return BenchRefused(str(refusal), f"{self._kind}.{sentence.code}", sentence.values)

    def _camera(self) -> dict[str, Any]:
        """Size and rate of the pictures, and the age of the newest."""
        still = self._still
        if still is None:
            return {"width": 0, "height": 0, "rate": 0, "age_ms": None}
        height, width = still.image.shape[:2]
        took_s = self._taken[-1] - self._taken[0] if len(self._taken) > 1 else 0.0
        rate = (len(self._taken) - 1) / took_s if took_s > 0 else 0.0
        age_ms = max(0, round((time.monotonic() - still.taken_s) * 1000))
        return {"width": width, "height": height, "rate": round(rate), "age_ms": age_ms}


class Bencher:
    """Does the bench's words in a thread of its own: the camera lives on while a session thinks."""

    def __init__(self, bench: Bench) -> None:
        """Begin with nothing asked."""
        self._bench = bench
        self._asked: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Benched] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, order: Order) -> None:
        """Take an order for the bench; its answer comes out of `answers`."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bench", daemon=True)
            self._thread.start()
        self._asked.put(order)

    def answers(self) -> Iterator[Benched]:
        """What has been answered since."""
        while not self._done.empty():
            yield self._done.get()

    def _work(self) -> None:
        while True:
            order = self._asked.get()
            word, given = order.value
            try:
                answer = Benched(order.number, self._bench.do(word, given))
            except BenchRefused as no:
                answer = Benched(order.number, {}, no.text, no.code, no.values)
            except Exception:  # a session's own mistake ends the session, not the camera
                log.exception("the bench could not do %r", word)
                self._bench.give_up()
                answer = Benched(order.number, {}, GIVEN_UP, "refused.bench_closed")
            self._done.put(answer)


def session_of(kind: str, job: Job, reader: Reader) -> Session:
    """Open a session of this kind.

    Raises:
        BenchRefused: if there is no such kind, or it cannot begin; one sentence.
    """
    if kind == CALIBRATE:
        file = Path(job.layout_file) if job.layout_file else None
        try:
            return Calibration(job.layout.game, file, cards_by(reader))
        except CalibrationRefused as no:
            code, values = f"{kind}.{no.sentence.code}", no.sentence.values
            raise BenchRefused(str(no), code, values) from None
    if kind == ENROL:
        if not job.deck_file:
            raise BenchRefused(
                "no deck file is configured for this camera: set `deck` and start the studio again",
                "refused.no_deck_file",
            )
        calibrated = bool(job.layout_file) and Path(job.layout_file).is_file()
        layout = job.layout if calibrated else None
        enrolment = Enrolment(reader, Path(job.deck_file), layout=layout)
        with suppress(ValueError):  # nothing was kept there yet
            enrolment.do("resume", {}, None)
        return enrolment
    raise BenchRefused(f"there is no bench for {kind[:20]!r}: it knows {' and '.join(KINDS)}")
