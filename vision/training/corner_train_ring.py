"""Scenes and corners in shared memory: one process draws them, another trains on them."""

import os
import time
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.corners import WINDOW, Corners
from vision.training import ring, scenes, scenes_decks, style
from vision.training.trainer import Counters

SCENES: Final = 6_000
CROPS: Final = 120_000
MARKS: Final = 48
"""No more marks are kept of a scene; fuller scenes are drawn anew."""
DECKS: Final = 160
"""Procedural decks in the pool at any time."""
RENEW: Final = 130
"""So many scenes are drawn before one deck is replaced by a new one."""
USES: Final = 1.5
"""How often a scene is used on average before more are drawn."""
LEAD: Final = 5_000


class Ring:
    """Fixed room for samples, filled round and round."""

    def __init__(self, folder: Path, *, fresh: bool) -> None:
        mode = "w+" if fresh else "r+"
        side = scenes.SIZE

        def room(name: str, kind: type, *shape: int) -> np.memmap[tuple[int, ...], np.dtype]:
            return np.memmap(folder / f"corner-{name}.bin", kind, mode, shape=shape)

        self.scenes = room("scenes", np.uint8, SCENES, side, side, 3)
        self.marks = room("marks", np.float32, SCENES, MARKS, 8)
        self.crops = room("crops", np.uint8, CROPS, *WINDOW, 3)
        self.labels = room("labels", np.int16, CROPS, 3)


def stored(folder: Path) -> bool:
    """Whether the samples of an earlier slice still lie in the folder."""
    names = ("scenes", "marks", "crops", "labels")
    return all((folder / f"corner-{name}.bin").exists() for name in names)


def fill(
    folder: Path, root: Path, seed: int, shared: Counters, crops: object, found_by: str
) -> None:
    """Draw scenes until told to stop; runs in a process of its own.

    In every other scene a D that was trained before, whose folder `found_by` names, finds corners
    for J to learn from as well.
    """
    cv2.setNumThreads(1)
    finder = Corners(Path(found_by)) if found_by else None
    borrowed = ring.trained_art(root, folder / "art")
    pool = style.parts(borrowed, for_training=True)
    known = scenes_decks.art_decks(root, folder / "art", for_training=True)
    maker = scenes.Maker(pool, seed, DECKS, known * 4)
    room = Ring(folder, fresh=False)
    parent = os.getppid()
    while not shared.stop.value and os.getppid() == parent:
        if shared.ahead(USES, LEAD):
            time.sleep(0.05)
            continue
        scene = maker.scene()
        if len(scene.marks) > MARKS:
            continue
        at = shared.written.value % SCENES
        room.scenes[at] = scene.picture
        room.marks[at] = -1
        room.marks[at, : len(scene.marks)] = scene.marks
        cut = maker.crops(scene)
        if finder is not None and shared.written.value % 2:
            cut += maker.met(scene, finder.find(scene.picture, least=8, most=38))
        for crop, rank, suit, there in cut:
            slot = crops.value % CROPS  # type: ignore[attr-defined]
            room.crops[slot] = crop
            room.labels[slot] = (rank, suit, there)
            crops.value += 1  # type: ignore[attr-defined]
        shared.written.value += 1
        if shared.written.value % RENEW == 0:
            maker.renew()
