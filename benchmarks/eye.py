"""How fast the eye is: frames a second unchanged, with a new card, and the whole chain.

Run with `python benchmarks/eye.py`. One thread, the real reader, frames of 1280 × 720. Times are
of the processor, so that a busy machine does not spoil them.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import cv2

from studio.domain.cards import PACK
from studio.domain.observations import CardsSeen
from vision.eye import Eye
from vision.locate import Image
from vision.reader import Reader
from vision.recent import EVERY_S, Recent, small
from vision.synthetic.camera import FRAMES_TO_SETTLE
from vision.synthetic.felt import built_in_layout
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import World


class Bench:
    """A table and an eye in one thread."""

    def __init__(self) -> None:
        layout = built_in_layout()
        self.world = World(1)
        self.scene = Scene(layout, seed=1)
        self.eye = Eye("bench", layout, Reader())
        self.number = 0
        self.cards = 0
        self.sure = 0

    def frame(self, image: Image) -> None:
        """Look at one frame."""
        self.number += 1
        for report in self.eye.frame(image, self.number, self.number / FRAMES_PER_SECOND):
            if isinstance(report, CardsSeen):
                seen = [card for zone in report.zones for card in zone.cards]
                self.cards, self.sure = len(seen), sum(card.sure for card in seen)

    def whole(self) -> None:
        """Render, compress, decompress and look."""
        image = decode(encode(self.scene.frame()))
        assert image is not None
        self.frame(image)


def cpu_ms(work: Callable[[], object], times: int) -> float:
    """Processor time of one call in milliseconds."""
    began = time.process_time()
    for _ in range(times):
        work()
    return 1000 * (time.process_time() - began) / times


def main() -> None:
    """Measure and print."""
    cv2.setNumThreads(1)
    bench = Bench()
    for _ in range(8):
        bench.whole()
    images = []
    for _ in range(40):
        image = decode(encode(bench.scene.frame()))
        assert image is not None
        images.append(image)
    for image in images[:4]:
        bench.frame(image)
    idle = cpu_ms(iter_over(bench, images), 400)
    print(f"nothing changed: {idle:.2f} ms a frame, {1000 / idle:.0f} frames a second")
    body = encode(bench.scene.frame())
    print(f"decoding a frame: {cpu_ms(lambda: decode(body), 60):.2f} ms")
    keep_pictures(images[0])
    whole = cpu_ms(bench.whole, 100)
    print(f"rendered, compressed, decompressed, looked at: {whole:.2f} ms a frame")
    spent = []
    for number, code in enumerate(card.code for card in PACK):
        if number % 6 == 0:
            for zone in ("P", "B"):
                for card in bench.world.clear(zone):
                    bench.scene.remove([card.key])
            for _ in range(8):
                bench.whole()
        zone = ("P", "B")[number % 2]
        began = time.process_time()
        bench.scene.put(bench.world.lay(zone, code, face_up=True, sideways=False))
        for _ in range(FRAMES_TO_SETTLE):
            bench.whole()
        spent.append(1000 * (time.process_time() - began))
    mean = sum(spent) / len(spent)
    print(f"a card laid, seen and told: {mean:.1f} ms in {FRAMES_TO_SETTLE} frames")


def keep_pictures(image: Image) -> None:
    """What the ring of small pictures for evidence costs, in time and in memory."""
    ring = Recent()
    number = iter(range(1_000_000))

    def kept() -> None:
        at = next(number)
        assert ring.add(image, at, at * EVERY_S * 2)

    one = cpu_ms(kept, 100)
    size = sum(len(jpeg) for _, jpeg in ring.of(range(100)))
    print(
        f"a small picture kept: {one:.2f} ms and {len(small(image) or b'') / 1000:.0f} kB; "
        f"{one / EVERY_S:.1f} ms of processor a second, {size / 1e6:.1f} MB in all"
    )


def iter_over(bench: Bench, images: list[Image]) -> Callable[[], None]:
    """Looks at one image after the other, round and round."""
    at = [0]

    def one() -> None:
        at[0] = (at[0] + 1) % len(images)
        bench.frame(images[at[0]])

    return one


if __name__ == "__main__":
    main()
