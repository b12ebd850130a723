"""Decks whose index corners are known: where on each face the index stands."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import art, backs, decks
from vision.training.style import WIDE, Colour, Parts, choose

Picture = NDArray[np.uint8]
SHRUNK: Final = decks.KEPT[1] / WIDE
"""From a drawn face to a kept one."""
ART_BOXES: Final[dict[str, tuple[float, float, float, float]]] = {
    "kennard-2": (12, 12, 34, 77),
    "kennard-4": (12, 12, 34, 77),
    "kennard-jumbo-2": (11, 12, 59, 148),
    "kennard-jumbo-4": (11, 12, 59, 148),
    "knoll": (5, 5, 48, 86),
    "spatz-v2": (6, 7, 55, 101),
    "spatz-v4": (6, 7, 55, 101),
    "spatz-h2": (12, 7, 97, 53),
    "spatz-h4": (12, 7, 97, 53),
    "spatz-av": (6, 7, 55, 101),
}
"""Left, top, right and bottom of the index on a face of 252 by 352, measured on the art."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedDeck:
    """Pictures of one design at 140 by 196 and where their indices are.

    A box is left, top, right, bottom of the index in the upper left corner in pixels of the
    kept face; another stands upside down in the lower right corner; with `four`, two more stand
    in the other corners.
    """

    faces: Picture
    boxes: NDArray[np.float32]
    """(52, 4), by rank and suit."""
    others: Picture
    other_boxes: NDArray[np.float32]
    """(k, 4); a box of width 0 where such a card has no index."""
    back: Picture
    four: bool
    family: str


class _Marking(decks.Painter):
    """Draws as its parent does and remembers where the last index was put."""

    def __init__(self, style: Any, picture: Any, rng: np.random.Generator) -> None:
        super().__init__(style, picture, rng)
        self.box = (0.0, 0.0, 0.0, 0.0)
        self._margin = style.margin

    def paint_index(
        self, canvas: Picture, mask: Picture, ink: Colour, *args: Any, **named: Any
    ) -> None:
        """Put the index into its corners."""
        super().paint_index(canvas, mask, ink, *args, **named)
        x, y = self._margin
        self.box = (x, y, x + mask.shape[1], y + mask.shape[0])


def _kept(canvas: Picture) -> Picture:
    return np.asarray(cv2.resize(canvas, decks.KEPT[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def make(pool: Parts, seed: int) -> MarkedDeck:
    """The procedural deck of one seed."""
    rng = np.random.default_rng(seed)
    style = choose(pool, rng)
    borrowed = pool.art[rng.integers(len(pool.art))] if pool.art else None
    painter = _Marking(style, borrowed, rng)
    faces, boxes, others, other_boxes = [], [], [], []
    for rank in range(13):
        for suit in range(4):
            faces.append(_kept(painter.face(rank, suit)))
            boxes.append(painter.box)
    for kind in range(decks.OTHERS):
        painter.box = (0.0, 0.0, 0.0, 0.0)
        others.append(_kept(painter.other(kind)))
        other_boxes.append(painter.box)
    return MarkedDeck(
        faces=np.stack(faces),
        boxes=np.array(boxes, np.float32) * np.float32(SHRUNK),
        others=np.stack(others),
        other_boxes=np.array(other_boxes, np.float32) * np.float32(SHRUNK),
        back=_kept(backs.back(rng)),
        four=style.corners == 4,
        family="procedural",
    )


def of_art(name: str, faces: Picture, seed: int) -> MarkedDeck:
    """A deck of real art by its name in ART_BOXES, with a procedural back."""
    rng = np.random.default_rng(seed)
    box = np.array(ART_BOXES[name], np.float32) * np.float32(decks.KEPT[1] / faces.shape[2])
    blank = np.full((1, *decks.KEPT, 3), 250, np.uint8)
    return MarkedDeck(
        faces=np.stack([_kept(face) for face in faces]),
        boxes=np.tile(box, (52, 1)),
        others=blank,
        other_boxes=np.zeros((1, 4), np.float32),
        back=_kept(backs.back(rng)),
        four=False,
        family=name,
    )


def art_decks(root: Path, cache: Path, *, for_training: bool) -> list[MarkedDeck]:
    """The designs of real art on one side of the split."""
    folders = art.TRAINED if for_training else art.HELD_OUT
    return [
        of_art(name, art.faces(root, folder, cache), at)
        for at, (name, folder) in enumerate(folders.items())
    ]
