"""What the parts that look into a zone tell each other of the cards in it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.corners import Corner, IndexVote
from vision.locate import Image, Quad
from vision.prints import CELLS, Small

LEAST_INDEX_MM: Final = 10.0
MOST_INDEX_MM: Final = 42.0
"""Heights of an index on a card, from small standard to super indices (the finder allows a seventh
more each way). Four times apart, so that one size of the picture is enough to find them."""

Cells = NDArray[np.bool_]
"""Of a card's small picture, shape (29, 21)."""


def nothing_hidden() -> Cells:
    """No cell of a card."""
    return np.zeros(CELLS[::-1], dtype=np.bool_)


class FindsCorners(Protocol):
    """What is wanted of `vision.corners.Corners`."""

    temperature: float
    """Divides the logits of what is read."""

    def find(self, image: Image, *, least: float = 8, most: float = 90) -> list[Corner]:
        """Index corners in a picture."""

    def read(self, image: Image, corners: Sequence[Corner]) -> list[IndexVote]:
        """What each of them says."""


@dataclass(frozen=True, slots=True)
class Known:
    """A card that lay here when it was last looked at, and its look then."""

    track: int
    quad: Quad
    small: Small
    hidden: Cells
    """Cells on which another card lay already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One card of a pile, or what is none."""

    quad: Quad
    track: int = 0
    """Of a known card; 0 if it is new."""
    covered: bool = False
    """Something lies on it, so that it is not to be read whole."""
    changed: bool = False
    """It does not look as it did when it was known."""
    hidden: Cells = field(default_factory=nothing_hidden)
    """Cells that are covered, of a card that is known."""
    card_shaped: bool = True
    indices: tuple[Corner, ...] = ()
    """Its index corners in pixels of the zone's window, where it is to be read by them."""
