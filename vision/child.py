"""The life of a camera's own process: get frames, look at them, report."""

import os
import time
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final

import cv2

from studio.domain.observations import CameraObservation, CameraUnfit, Unfit
from vision.bench import Bench, Bencher
from vision.capture import Capture, SourceError, hide_secret
from vision.corners import Corners
from vision.eye import Eye
from vision.layout import Layout
from vision.locate import Image
from vision.own_deck import own_deck
from vision.reader import ModelsUnfit, Reader
from vision.recent import Recent
from vision.synthetic.hands_at_bench import SOURCE, Hands
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.tuning import TuningError, wanted_of
from vision.worker import (
    BEAT_S,
    BENCH,
    TEST,
    Beat,
    Done,
    Failed,
    Job,
    Kept,
    Learnt,
    Order,
    Picture,
    Pictures,
    Ready,
    Reports,
    Waiting,
)

PICTURE_S: Final = 0.4
"""A picture for the consoles is sent at most this often while the camera runs."""
BENCH_PICTURE_S: Final = 0.18
"""The same while the bench is open: five a second, as somebody drags on them."""
BENCH_FRAMES: Final = 12
"""Frames a second of a simulated bench: enough to look at, and the reader has the machine."""
HUNG_S: Final = 15.0
"""A capture driver that has not returned for so long will not: the process ends, so that a new one
can open the camera."""
EXIT_HUNG: Final = 3
STOP: Final = "stop"
PICTURES: Final = "pictures"
NO_LAYOUT: Final = "the camera is not calibrated yet: an engineer does that on its page"
FIRST_S: Final = 6.0
"""So long a real source is given for its first frame before it is told that none comes."""
NO_PICTURE: Final = "no picture arrives: check the camera's cable and power"


def run(pipe: Connection, job: Job) -> None:
    """Work until the pipe closes or the camera is told to stop."""
    cv2.setNumThreads(1)
    # Its warnings may name addresses with passwords; what matters is reported in words of ours.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        reader, corners = Reader(), Corners()
    except ModelsUnfit as error:
        pipe.send(Failed(str(error)))
        return
    own = own_deck(job.deck_file, reader, needed=job.needs_deck)
    reader.deck = own.deck
    empty = None if job.empty is None else decode(job.empty)
    identity = hide_secret(job.source)
    eye = Eye(
        job.device,
        job.layout,
        reader,
        identity=identity,
        empty=empty,
        known=job.known,
        first_track=job.first_track,
        corners=corners,
    )
    eye.barred = own.barred
    hands = partial(Hands, job.seed) if job.source == SOURCE else None
    mouth = Mouth(pipe, eye, Bench(job, reader, hands), card=not job.synthetic)
    if job.synthetic:
        stage = SyntheticLife(pipe, job, eye, mouth)
        pipe.send(Ready("synthetic camera", identity, own.reads))
        stage.begin(job)
        if job.stepped:
            stage.live_by_steps()
        else:
            stage.live()
    else:
        watch(pipe, job, eye, mouth, own.reads)


class Mouth:
    """Says what is to be said to the parent."""

    def __init__(self, pipe: Connection, eye: Eye, bench: Bench, *, card: bool = True) -> None:
        self._card = card
        """Whether a self-test asks for a card; a drawn felt has nobody who could present one."""
        self._pipe = pipe
        self._eye = eye
        self.bench = bench
        self._bencher = Bencher(bench)
        self._told_empty = eye.empty is not None
        self._beat_s = 0.0
        self._picture_s = float("-inf")
        self._recent = Recent()

    def keep(self, image: Image | None, number: int, *, taken_s: float, now_s: float) -> None:
        """Keep a small picture of this frame for evidence, if it is time to."""
        if image is not None and self._recent.add(image, number, taken_s):
            self._pipe.send(Kept(number, max(0.0, now_s - taken_s)))

    def answer(self, order: Order) -> bool:
        """Give the kept pictures or make the self-test, if that is what was ordered."""
        if order.verb == TEST:
            self._pipe.send(Reports((self._eye.test(card=self._card),), 0.0, None))
            return True
        if order.verb == BENCH:
            self._bencher.ask(order)
            return True
        if order.verb != PICTURES:
            return False
        self._pipe.send(Pictures(order.number, self._recent.of(order.value)))
        return True

    def report(self, reports: list[CameraObservation], *, taken_s: float, now_s: float) -> None:
        """Send observations; the parent stamps them."""
        if reports:
            seen_s = self._eye.seen_s
            age_s = None if seen_s is None else max(0.0, now_s - seen_s)
            self._pipe.send(Reports(tuple(reports), max(0.0, now_s - taken_s), age_s))
        if not self._told_empty and self._eye.empty is not None:
            self._told_empty = True
            done, png = cv2.imencode(".png", self._eye.empty)
            if done:
                self._pipe.send(Learnt(bytes(png)))
        self.beat()

    def beat(self) -> None:
        """Say that this process is alive, if it is time to, and what the bench has answered."""
        for answer in self._bencher.answers():
            self._pipe.send(answer)
        now = time.monotonic()
        if now - self._beat_s >= BEAT_S:
            self._beat_s = now
            self._pipe.send(Beat())

    def picture(
        self, jpeg: bytes | None, image: Image | None, *, now: bool = False, age_s: float = 0.0
    ) -> None:
        """Send the newest frame, so old, if it is time to or wanted now."""
        at = time.monotonic()
        every_s = BENCH_PICTURE_S if self.bench.is_open else PICTURE_S
        if not now and at - self._picture_s < every_s:
            return
        self._picture_s = at
        if jpeg is None and image is not None:
            jpeg = encode(image)
        if jpeg is not None:
            self._pipe.send(Picture(jpeg, age_s))


class SyntheticLife:
    """Renders, compresses, decompresses and looks, by steps or in real time."""

    def __init__(self, pipe: Connection, job: Job, eye: Eye, mouth: Mouth) -> None:
        photos = job.options.get("photos")
        self._pipe = pipe
        self._eye = eye
        self._mouth = mouth
        self._scene = Scene(job.layout, seed=job.seed, photos=photos)
        self._number = job.first_frame
        self._stepped = job.stepped
        self._jpeg: bytes | None = None
        self._steps: dict[int, int] = {}
        """Orders to step that are not done yet, with the frames left to each."""
        self._reaches: list[int] = []
        """Orders that are done once no hand moves any more."""

    def begin(self, job: Job) -> None:
        """Let the eye learn the empty felt, then put on it what lies there already."""
        while self._eye.empty is None:
            self._frame()
        for card in job.world:
            self._scene.put(card, by_hand=False)
        self._scene.faults = set(job.faults)
        self._scene.hold(job.held)

    @property
    def _now_s(self) -> float:
        """The camera's own time: its frames, or the real one."""
        return self._number / FRAMES_PER_SECOND if self._stepped else time.monotonic()

    def live_by_steps(self) -> None:
        """Wait for orders; frames pass only in steps."""
        while True:
            if not self._pipe.poll(BEAT_S):
                self._mouth.beat()
                continue
            order: Order = self._pipe.recv()
            if order.verb == STOP:
                return
            if self._mouth.answer(order):
                continue
            if order.verb == "step":
                for _ in range(order.value):
                    self._frame()
                self._mouth.picture(self._jpeg, None, now=True)
            else:
                self._obey(order)
            self._pipe.send(Done(order.number))

    def live(self) -> None:
        """Let frames pass in real time."""
        due = time.monotonic()
        while True:
            due = max(due + 1 / FRAMES_PER_SECOND, time.monotonic() - 0.2)
            self._frame()
            if self._mouth.bench.is_open:  # whose session wants the processor more than the frames
                due = time.monotonic() + 1 / BENCH_FRAMES
            self._mouth.picture(self._jpeg, None)
            self._answer()
            # Orders are taken while waiting for the next frame, and at least once a frame.
            while self._pipe.poll(max(0.0, due - time.monotonic())):
                order: Order = self._pipe.recv()
                if order.verb == STOP:
                    return
                if self._mouth.answer(order):
                    continue
                if order.verb == "step":
                    self._steps[order.number] = order.value
                    continue
                self._obey(order)
                self._reaches.append(order.number)

    def _answer(self) -> None:
        """Answer the orders that this frame has completed."""
        for number in list(self._steps):
            self._steps[number] -= 1
            if self._steps[number] <= 0:
                del self._steps[number]
                self._pipe.send(Done(number))
        # A camera that gives no new picture sees no hand finish: it would wait for ever.
        blind = bool({"frozen", "lost"} & self._scene.faults)
        if blind or not self._scene.busy:
            for number in self._reaches:
                self._pipe.send(Done(number))
            self._reaches.clear()

    def _frame(self) -> None:
        """One frame, from the sensor to the report."""
        self._number += 1
        now_s = self._now_s
        faults = self._scene.faults
        bench = self._mouth.bench
        if bench.is_open and bench.stage is not None:
            shown = bench.stage.frame()
            self._jpeg = encode(shown)
            bench.see(shown, self._number, time.monotonic())
            self._mouth.beat()
            return
        image = None
        if "lost" in faults:
            reports = self._eye.tick(now_s)
        else:
            if "frozen" not in faults or self._jpeg is None:
                self._jpeg = encode(self._scene.frame())
            image = decode(self._jpeg)
            if image is not None and self._mouth.bench.is_open:
                self._mouth.bench.see(image, self._number, time.monotonic())
                self._mouth.beat()
                return
            reports = self._eye.frame(image, self._number, now_s)
        self._mouth.report(reports, taken_s=now_s, now_s=self._now_s)
        self._mouth.keep(image, self._number, taken_s=now_s, now_s=self._now_s)

    def _obey(self, order: Order) -> None:
        """Change the scene."""
        value: Any = order.value
        match order.verb:
            case "put":
                self._scene.put(value)
            case "remove":
                self._scene.remove(value)
            case "hold":
                self._scene.hold(value)
            case "faults":
                self._scene.faults = set(value)
            case _:
                raise ValueError(f"a synthetic camera knows no order {order.verb!r}")


def watch(pipe: Connection, job: Job, eye: Eye, mouth: Mouth, reads: str) -> None:
    """Look at a real source until the pipe closes."""
    try:
        capture = Capture(job.source, wanted_of(job.options, job.layout.image))
    except (SourceError, TuningError) as error:
        pipe.send(Failed(str(error)))
        return
    capture.start()
    try:
        if await_first(pipe, capture, mouth):
            pipe.send(Ready(capture.model, hide_secret(job.source), reads))
            watch_on(pipe, job, eye, mouth, capture)
    finally:
        capture.stop()


def await_first(pipe: Connection, capture: Capture, mouth: Mouth) -> bool:
    """Wait for the first picture, telling why none comes; False if the camera is to stop.

    A camera is there once it gives pictures, not once it was opened (opencv issue 22677).
    """
    began_s = time.monotonic()
    told = ""
    while capture.newer(0, wait_s=0.1) is None:
        if pipe.poll(0):
            order: Order = pipe.recv()
            if order.verb == STOP:
                return False
            mouth.answer(order)
        now_s = time.monotonic()
        mouth.beat()
        leave_if_hung(capture, now_s)
        late = capture.trouble or ("" if now_s - began_s < FIRST_S else NO_PICTURE)
        if late and late != told:
            told = late
            pipe.send(Waiting(late))
    return True


def leave_if_hung(capture: Capture, now_s: float) -> None:
    """End the process if the driver hangs: it holds its thread, and the device, for ever."""
    if capture.hung(now_s, HUNG_S):
        os._exit(EXIT_HUNG)


def watch_on(pipe: Connection, job: Job, eye: Eye, mouth: Mouth, capture: Capture) -> None:
    """Look at the pictures of a source that gives some, until the pipe closes."""
    seen, torn = 0, 0
    calibrated = bool(job.layout.zones)
    if not calibrated:
        unfit = CameraUnfit(device=job.device, at_us=0, why=Unfit.LAYOUT, text=NO_LAYOUT)
        mouth.report([unfit], taken_s=0.0, now_s=0.0)
    number = job.first_frame
    while True:
        if pipe.poll(0):
            order: Order = pipe.recv()
            if order.verb == STOP:
                return
            mouth.answer(order)
        shot = capture.newer(seen, wait_s=0.1)
        now_s = time.monotonic()
        for _ in range(capture.torn - torn):
            mouth.report(eye.frame(None, number, now_s), taken_s=now_s, now_s=now_s)
        torn = capture.torn
        if shot is None:
            eye.trouble = capture.trouble
            mouth.report(eye.tick(now_s), taken_s=now_s, now_s=now_s)
            leave_if_hung(capture, now_s)
            continue
        number += max(1, shot.number - seen)
        seen = shot.number
        if calibrated and (unlike := shape_fault(shot.image, job.layout)):
            pipe.send(Failed(unlike))
            return
        if mouth.bench.is_open:
            mouth.bench.see(shot.image, number, shot.taken_s)
            mouth.beat()
            mouth.picture(None, shot.image, age_s=time.monotonic() - shot.taken_s)
            continue
        if not calibrated:
            mouth.beat()
            mouth.picture(None, shot.image)
            continue
        reports = eye.frame(shot.image, number, shot.taken_s)
        mouth.report(reports, taken_s=shot.taken_s, now_s=time.monotonic())
        mouth.keep(shot.image, number, taken_s=shot.taken_s, now_s=time.monotonic())
        mouth.picture(None, shot.image)


def shape_fault(image: Image, layout: Layout) -> str:
    """Why pictures of this shape do not fit the layout; empty if they do.

    Another size of the same shape is scaled; another shape shows another part of the table.
    """
    height, width = image.shape[:2]
    wide, high = layout.image
    if abs(width * high - height * wide) <= 0.01 * width * high:
        return ""
    return (
        f"the camera gives pictures of {width} × {height}, but its layout is for {wide} × {high}:"
        " set the camera to that shape or calibrate again"
    )
