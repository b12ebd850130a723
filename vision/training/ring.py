"""Samples in shared memory: one process draws them, another trains on them meanwhile."""

import os
import time
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import art, decks, samples, style
from vision.training.nets import I_SIZE, W_SIZE
from vision.training.trainer import Counters

CAPACITY: Final = 120_000
RENEW: Final = 64
"""So many samples are drawn before one deck of the pool is replaced by a new one."""
POOL: Final = 240
"""Procedural decks in the pool at any time."""
ART_COPIES: Final = 3
"""How often each design of real art stands beside them."""
USES: Final = 3
"""How often a sample is used on average before more are drawn."""
LEAD: Final = 40_000


def inputs(crop: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], ...]:
    """What the nets see of a crop: W's picture, the corner, the corner of the turned crop."""
    small = cv2.resize(crop, W_SIZE[::-1], interpolation=cv2.INTER_AREA)
    high, wide = I_SIZE
    return np.asarray(small, np.uint8), crop[:high, :wide], crop[::-1, ::-1][:high, :wide]


class Ring:
    """Fixed room for samples, filled round and round."""

    def __init__(self, folder: Path, *, fresh: bool) -> None:
        mode = "w+" if fresh else "r+"
        shapes = {"w": (*W_SIZE, 3), "i": (2, *I_SIZE, 3)}
        self.pixels = {
            name: np.memmap(folder / f"ring-{name}.bin", np.uint8, mode, shape=(CAPACITY, *shape))
            for name, shape in shapes.items()
        }
        self.labels = np.memmap(
            folder / "ring-labels.bin", np.int16, mode, shape=(CAPACITY, samples.LABELS)
        )

    def put(self, at: int, crop: NDArray[np.uint8], labels: NDArray[np.int16]) -> None:
        """Store one sample."""
        slot = at % CAPACITY
        self.pixels["w"][slot], self.pixels["i"][slot, 0], self.pixels["i"][slot, 1] = inputs(crop)
        self.labels[slot] = labels


def trained_art(root: Path, cache: Path) -> tuple[NDArray[np.uint8], ...]:
    """The faces of the art that may be trained on."""
    return tuple(art.faces(root, folder, cache) for folder in art.TRAINED.values())


def held_out_art(root: Path, cache: Path) -> dict[str, decks.Deck]:
    """The held-out designs of real art."""
    return {
        name: decks.of_art(art.faces(root, folder, cache), k)
        for k, (name, folder) in enumerate(art.HELD_OUT.items())
    }


def stored(folder: Path) -> bool:
    """Whether the samples of an earlier slice still lie in the folder."""
    return all((folder / f"ring-{name}.bin").exists() for name in ("w", "i", "labels"))


def fill(folder: Path, root: Path, seed: int, shared: Counters) -> None:
    """Draw samples until told to stop; runs in a process of its own."""
    os.nice(2)
    cv2.setNumThreads(1)
    borrowed = trained_art(root, folder / "art")
    pool = style.parts(borrowed, for_training=True)
    known = [decks.of_art(faces, k) for k, faces in enumerate(borrowed)]
    source = samples.Source(pool, seed, POOL, known * ART_COPIES)
    ring = Ring(folder, fresh=False)
    parent = os.getppid()
    while not shared.stop.value and os.getppid() == parent:
        if shared.ahead(USES, LEAD):
            time.sleep(0.05)
            continue
        ring.put(shared.written.value, *source.sample())
        shared.written.value += 1
        if shared.written.value % RENEW == 0:
            source.renew()
