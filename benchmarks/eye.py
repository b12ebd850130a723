"""What the eye costs: per frame, per reading, per unknown picture, in memory, and to start.

Run with ``python -m benchmarks.eye`` on a quiet machine (parts alone: ``readings``, ``pictures``,
``process``, ``table``, ``racks``); one JSON line for each figure. A table of
fourteen boxes at 1080p, cards 91 pixels wide, one thread, the weights of this checkout. Times are
the thread's processor time in milliseconds, so that a busy machine spoils them less; `load` is how
many processes wanted the machine's cores meanwhile. What each is to be compared with stands beside
it: the decoding of the same frame, and the bounds of the design (`must`).
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing import active_children
from pathlib import Path
from threading import Condition
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cv2
import numpy as np

from studio.domain.cards import PACK
from studio.domain.observations import CameraFit, CardsSeen, Observation, ZoneSeen
from studio.live.clock import SystemClock
from studio.live.ports import CameraOptions
from vision.corners import Corners
from vision.doubt import shown
from vision.eye import Eye
from vision.locate import Image, rectify
from vision.placed import nothing_hidden
from vision.plugin import CAMERAS
from vision.reader import Reader
from vision.recent import EVERY_S, Recent, small
from vision.see import See
from vision.synthetic.boxes import COLUMNS, ROWS, boxes_layout, in_box
from vision.synthetic.camera import SyntheticCamera
from vision.synthetic.designs import drawn
from vision.synthetic.felt import built_in_layout
from vision.synthetic.felts import ground_of
from vision.synthetic.racks import GAME as BALOOT
from vision.synthetic.racks import RACKS, SLOTS
from vision.synthetic.scene import Scene, decode, encode
from vision.synthetic.world import World

RATE = 60.0
"""Frames a second of the camera that is measured."""
BETWEEN = 30
"""Frames from one card to the next: half a second."""
SECONDS = 20
"""For so long cards are dealt in each way."""
MUST_FRAME_MS = 16.7
MUST_FRAMES = 8
MUST_READY_S = 1.0
MUST_MB = 400.0
BOXES = COLUMNS * ROWS


def say(what: str, **figures: Any) -> None:
    """One figure."""
    rounded = {
        name: round(value, 3) if isinstance(value, float) else value
        for name, value in figures.items()
    }
    line = {"what": what, **rounded, "load": round(os.getloadavg()[0], 1)}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def cpu_ms(work: Callable[[], object]) -> float:
    """Processor time of one call in this thread."""
    began = time.thread_time()
    work()
    return 1000 * (time.thread_time() - began)


def repeated(work: Callable[[], object], times: int) -> dict[str, float]:
    """Median and worst of many calls, the first of which is not counted."""
    work()
    spent = [cpu_ms(work) for _ in range(times)]
    return {"ms": float(np.median(spent)), "worst_ms": max(spent)}


class Whole:
    """The table of boxes and an eye that looks at it at sixty frames a second."""

    def __init__(self, reader: Reader, corners: Corners) -> None:
        self.layout = boxes_layout()
        self.scene = Scene(self.layout, seed=2, design=drawn(6))
        self.eye = Eye("bench", self.layout, reader, corners=corners)
        self.number = 0
        self.keys = 0
        self.spent: list[float] = []
        """Processor time of each frame in milliseconds."""
        self.decoding: list[float] = []
        self.sure: set[tuple[str, str]] = set()

    def frames(self, count: int, images: Sequence[Image] = ()) -> None:
        """Look at so many frames, as they come out of the camera's compression."""
        for at in range(count):
            if images:
                image = images[at % len(images)]
            else:
                body = encode(self.scene.frame())
                began = time.thread_time()
                decoded = decode(body)
                self.decoding.append(1000 * (time.thread_time() - began))
                assert decoded is not None
                image = decoded
            self.number += 1
            began = time.thread_time()
            reports = self.eye.frame(image, self.number, self.number / RATE)
            self.spent.append(1000 * (time.thread_time() - began))
            for report in reports:
                if isinstance(report, CardsSeen):
                    self.sure = {
                        (zone.zone, str(card.card))
                        for zone in report.zones
                        for card in zone.cards
                        if card.sure and zone.settled
                    }

    def lay(self, box: int, code: str, place: int = 0, *, fanned: bool = False) -> None:
        """Lay a card without a hand."""
        self.keys += 1
        card = in_box(box, self.keys, code, place, fanned=fanned)
        self.scene.put(card, by_hand=False)

    def empty(self) -> None:
        """Take all cards away and let the eye see that."""
        self.scene.remove([card.key for card in self.scene.cards], by_hand=False)
        self.frames(16)
        assert not self.sure

    def await_card(self, box: int, code: str) -> int:
        """Frames from the first in which a card lies there to the report that is sure; 0: none."""
        for frame in range(1, 40):
            self.frames(1)
            if (f"S{box + 1}", code) in self.sure:
                return frame
        return 0


def a_whole_table(whole: Whole) -> None:
    """Per frame: idle, and with 1, 4 and 14 new cards at once; the frames until all are told."""
    whole.frames(12)
    images = []
    for _ in range(20):
        image = decode(encode(whole.scene.frame()))
        assert image is not None
        images.append(image)
    whole.frames(20, images)
    whole.spent.clear()
    whole.frames(300, images)
    idle = np.asarray(whole.spent)
    say("frame, nothing changed", ms=float(np.median(idle)), p99_ms=float(np.percentile(idle, 99)))
    say("decode the same frame (JPEG, 1920 x 1080)", ms=float(np.median(whole.decoding)))
    codes = [card.code for card in PACK]
    for new in (1, 4, BOXES):
        worst, sums, waited, told = [], [], [], 0
        for turn in range(6):
            for number in range(new):
                whole.lay(number, codes[(turn * BOXES + number) % len(codes)])
            whole.spent.clear()
            for frame in range(1, BETWEEN + 1):
                whole.frames(1)
                if len(whole.sure) == new:
                    waited.append(frame)
                    break
            told += len(whole.sure)
            worst.append(max(whole.spent))
            sums.append(sum(whole.spent) - len(whole.spent) * float(np.median(idle)))
            whole.empty()
        say(
            f"frame, {new} new at once",
            ms=float(np.median(worst)),
            worst_ms=max(worst),
            all_told_ms=float(np.median(sums)),
            frames_until_all_told=float(np.median(waited or [0])),
            sure_of=f"{told}/{6 * new}",
        )


def dealt(whole: Whole, seconds: int, *, fanned: bool) -> None:
    """Sixty frames a second with a new card each half second, the boxes filled one by one."""
    codes = [card.code for card in PACK]
    whole.spent.clear()
    whole.decoding.clear()
    waited: list[int] = []
    asked = 0
    for number in range(2 * seconds):
        place, box = divmod(number % (4 * BOXES), BOXES)
        if place == 0 and box == 0 and number:
            whole.empty()
        code = codes[number * 7 % len(codes)]
        whole.lay(box, code, place, fanned=fanned)
        before = whole.number
        frames = whole.await_card(box, code)
        waited += [frames] if frames else []
        asked += not frames
        whole.frames(max(0, BETWEEN - (whole.number - before)))
    spent = np.asarray(whole.spent)
    say(
        "60 frames a second, a card each half second" + (", one on the other" if fanned else ""),
        frames=len(spent),
        p50_ms=float(np.median(spent)),
        p99_ms=float(np.percentile(spent, 99)),
        worst_ms=float(spent.max()),
        must_p99_ms=MUST_FRAME_MS,
        decode_ms=float(np.median(whole.decoding)),
        core_share=float(spent.mean() * RATE / 1000),
    )
    counted = np.asarray(waited or [0])
    say(
        "frames from a card at rest to its report" + (", one on the other" if fanned else ""),
        cards=2 * seconds,
        not_sure=asked,
        median=float(np.median(counted)),
        p99=float(np.percentile(counted, 99)),
        must=MUST_FRAMES,
    )
    whole.empty()


class Racks:
    """A round of Baloot at sixty frames a second, and what each frame costs the eye.

    A hand reaches for each card, and each step has half a second.
    """

    def __init__(self, reader: Reader, corners: Corners) -> None:
        ground = ground_of(BALOOT)
        self.world = World(3, ground)
        self.scene = Scene(ground.layout, seed=3, design=drawn(6))
        self._eye = Eye("bench", ground.layout, reader, corners=corners)
        self._number = 0
        self._seen: dict[str, ZoneSeen] = {}
        self._spent: list[float] = []

    def frames(self, count: int, zone: str = "", cards: int = 0) -> int:
        """Look so often; the frame in which so many sure cards were told of a zone, or 0."""
        first = 0
        for at in range(1, count + 1):
            image = decode(encode(self.scene.frame()))
            self._number += 1
            began = time.thread_time()
            reports = self._eye.frame(image, self._number, self._number / RATE)
            self._spent.append(1000 * (time.thread_time() - began))
            for told in reports:
                if isinstance(told, CardsSeen):
                    self._seen.update({each.zone: each for each in told.zones})
            now = self._seen.get(zone)
            if now is not None and now.settled and sum(c.sure for c in now.cards) == cards:
                first = first or at
        return first

    def lay(self, zone: str, code: str, *, up: bool) -> int:
        """Lay a card; how many frames later it was told, 0 if it was not."""
        self.scene.put(self.world.lay(zone, code, face_up=up, sideways=False))
        return self.frames(BETWEEN, zone, len(self.world.in_zone(zone)))

    def turn(self, seat: int, rack: str, place: int) -> int:
        """Turn a card of a rack into the trick."""
        card = self.world.take(rack, place)
        self.scene.remove([card.key])
        return self.lay(f"T{seat}", card.code, up=True)

    def clear(self, zone: str) -> None:
        """Take the cards of a zone away."""
        self.scene.remove([card.key for card in self.world.clear(zone)])

    def figures(self) -> dict[str, float]:
        """What the frames since the last time cost, in milliseconds."""
        figures = np.asarray(self._spent)
        self._spent.clear()
        return {
            "p50_ms": float(np.median(figures)),
            "p99_ms": float(np.percentile(figures, 99)),
            "worst_ms": float(figures.max()),
        }


def racks(reader: Reader, corners: Corners) -> None:
    """Deal 32 backs, let them lie, and turn them into eight tricks."""
    table = Racks(reader, corners)

    def told(what: str, waited: list[int]) -> None:
        say(
            what,
            **table.figures(),
            must_p99_ms=MUST_FRAME_MS,
            not_sure=waited.count(0),
            frames_until_told=float(np.median(waited)),
            worst_frames=max(waited),
            must=MUST_FRAMES,
        )

    table.frames(16)
    table.figures()
    pack = iter(card.code for card in PACK if card.code[0] in "AKQJT987")
    dealt = [table.lay(rack, next(pack), up=False) for _ in range(SLOTS) for rack in RACKS]
    told("60 frames a second, 32 backs dealt into racks", dealt)
    table.frames(300)
    say("frame with 32 backs, nothing changed but noise", **table.figures())
    turned = []
    for left in range(SLOTS, 0, -1):
        for seat, rack in enumerate(RACKS):
            turned.append(table.turn(seat, rack, (3 * seat + left) % left))
        for seat in range(len(RACKS)):
            table.clear(f"T{seat}")
        table.frames(BETWEEN)
    told("60 frames a second, cards turned out of racks into tricks", turned)


def readings(reader: Reader, corners: Corners) -> None:
    """Per reading: whole card with both indices, one index, and finding indices."""
    scene, world = Scene(built_in_layout(), seed=1, design=drawn(6)), World(1)
    for code in ("7H", "KS", "2C"):
        scene.put(world.lay("P", code, face_up=True, sideways=False), by_hand=False)
    frame = scene.frame()
    quads = [scene.quad(card) for card in scene.cards]
    crops = [rectify(frame, quad) for quad in quads]
    say("straighten a card", **repeated(lambda: rectify(frame, quads[0]), 60))
    say("read a card (W and both indices)", **repeated(lambda: reader.read(crops[:1]), 60))
    say("read 14 cards", **repeated(lambda: reader.read((crops * 5)[:14]), 20))
    quad = quads[0] - np.floor(quads[0].min(axis=0)) + 6
    low = np.floor(quads[0].min(axis=0)).astype(int) - 6
    part = np.ascontiguousarray(frame[max(0, low[1]) : low[1] + 180, max(0, low[0]) : low[0] + 140])
    free = nothing_hidden()
    say("read again what shows of a card", **repeated(lambda: shown(part, quad, free, corners), 40))
    # A window that holds the cards: found corners do not depend on what else is in the frame.
    x, y = (int(each) for each in quads[1].mean(axis=0))
    window = np.ascontiguousarray(frame[max(0, y - 160) : y + 160, max(0, x - 160) : x + 160])
    say("find indices (D) in 320 x 320", **repeated(lambda: corners.find(window), 20))
    box = np.ascontiguousarray(frame[40:470, 60:300])
    say("find indices (D) in a box of 240 x 430", **repeated(lambda: corners.find(box), 20))
    found = corners.find(frame)
    assert found, "no index was found in a frame with three cards"
    say("read an index (J)", **repeated(lambda: corners.read(frame, found[:1]), 60))
    say("read 6 indices (J)", **repeated(lambda: corners.read(frame, (found * 6)[:6]), 20))


def unknown_pictures() -> None:
    """`cutcard see` on pictures without a layout."""
    see = See.loaded()
    for cards in (1, 6):
        scene, world = Scene(built_in_layout(), seed=4, design=drawn(9)), World(4)
        for number, card in enumerate(PACK[: 8 * cards : 8]):
            zone = ("P", "B")[number % 2]
            scene.put(world.lay(zone, card.code, face_up=True, sideways=False), by_hand=False)
        frame = decode(encode(scene.frame()))
        assert frame is not None
        large = np.asarray(cv2.resize(frame, (2560, 1440)), dtype=np.uint8)
        for image in (frame, large):
            seen = see.at(image)
            size = f"{image.shape[1]} x {image.shape[0]}"
            sure = sum(one.sure for one in seen.cards)
            figures = repeated(lambda image=image: see.at(image), 5)  # type: ignore[misc]
            say(f"an unknown picture of {size}, {cards} cards", **figures, sure=sure)


def evidence(image: Image) -> None:
    """The ring of small pictures for evidence."""
    ring = Recent()
    number = iter(range(1_000_000))

    def kept() -> None:
        at = next(number)
        assert ring.add(image, at, at * EVERY_S * 2)

    figures = repeated(kept, 90)
    size = sum(len(jpeg) for _, jpeg in ring.of(range(1000)))
    say(
        "keep a picture for evidence",
        **figures,
        each_kb=len(small(image) or b"") / 1000,
        ring_mb=size / 1e6,
        must_a_second=1 / EVERY_S,
    )


def a_camera_process() -> None:
    """Start to ready, and the peak memory of one camera's process with its ring full."""
    kind = next(each for each in CAMERAS if each.name == "synthetic")
    options = CameraOptions(source="synthetic:", game="baccarat", seed=1, options={}, stepped=True)
    news, reports = Condition(), []

    def take(observation: Observation) -> None:
        with news:
            reports.append(observation)
            news.notify_all()

    camera = kind.open("bench", options, SystemClock())
    assert isinstance(camera, SyntheticCamera)
    began = time.monotonic()
    camera.start(take)
    try:
        camera.step(1)
        with news:
            news.wait_for(lambda: any(isinstance(it, CameraFit) for it in reports), 60)
        ready = time.monotonic() - began
        spent = max(_cpu_s(child.pid) for child in active_children() if child.pid)
        for number, card in enumerate(PACK[:12]):
            camera.lay("BURN", card.code)
            camera.step(20 if number < 11 else 200)
        peak = max(_peak_mb(child.pid) for child in active_children() if child.pid)
    finally:
        camera.stop()
    say("start to a camera that sees", wall_s=ready, cpu_s=spent, must_s=MUST_READY_S)
    say("peak memory of a camera's process, MB", mb=peak, must=MUST_MB)


def _cpu_s(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mb(pid: int) -> float:
    """Largest resident size that a process ever had."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return float(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Measure and print; parts named on the command line alone, else all of them."""
    cv2.setNumThreads(1)
    asked = set(sys.argv[1:])
    began = time.thread_time()
    reader, corners = Reader(), Corners()
    say("load the weights", ms=1000 * (time.thread_time() - began))
    if not asked or "readings" in asked:
        readings(reader, corners)
    if not asked or "pictures" in asked:
        unknown_pictures()
    if not asked or "process" in asked:
        a_camera_process()
    if not asked or "racks" in asked:
        racks(reader, corners)
    if not asked or "table" in asked:
        whole = Whole(reader, corners)
        evidence(whole.scene.frame())
        a_whole_table(whole)
        dealt(whole, SECONDS, fanned=False)
        dealt(whole, SECONDS, fanned=True)


if __name__ == "__main__":
    main()
