"""The synthetic baccarat felt: its layout and the places where a dealer lays cards.

Millimetres from the upper left corner of the felt; the dealer stands at the upper edge. The camera
looks slightly from the players' side, so a card is 91 to 95 pixels wide, depending on its place.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, LayoutError, Mark, Zone

IMAGE: Final = (1280, 720)
"""Width and height of the frame in pixels."""
FELT_MM: Final = (853.0, 480.0)
"""Width and height of what the camera sees of the felt."""
CORNERS_PX: Final = ((22.0, 10.0), (1258.0, 10.0), (1285.0, 715.0), (-5.0, 715.0))
"""Where the corners of that part lie in the frame, clockwise from the upper left."""
HAND_PLACES: Final = (38.5, 117.5, 209.0, 308.5)
"""Middles of the places of a hand, from its left edge. The third has room for a card lying
sideways; so has the fourth, for a card too many."""
WIDE_ORDER: Final = (2, 3, 1, 0)
"""In which order these places are taken by a card lying sideways."""
HAND_SIZE: Final = (357.0, 120.0)
BURN_COLUMNS: Final = 6
BURN_PITCH: Final = (80.0, 104.0)


@dataclass(frozen=True, slots=True)
class Rack:
    """The discard rack, a box in which cards lie on a pile and are not read."""

    x: float = 732.0
    y: float = 40.0
    width: float = 110.0
    height: float = 150.0


RACK: Final = Rack()
_LEFT: Final = {"P": 4.0, "B": 366.0}
_TOP: Final = 40.0
_BURN_AT: Final = (110.0, 232.0)
MARKS: Final = ((20.0, 20.0), (833.0, 20.0), (833.0, 460.0), (20.0, 460.0), (334.0, 188.0))
"""Printed crosses at which a knocked camera is noticed."""
MARK_MM: Final = 22.0
WORDS: Final = (
    ("PLAYER", 110.0, 182.0, 1.9),
    ("BANKER", 424.0, 182.0, 1.9),
    ("BURN", 632.0, 300.0, 1.4),
    ("PUNTO BANCO", 614.0, 400.0, 1.7),
)
"""What is printed: text, left end and base line in millimetres, size."""


def box(x: float, y: float, width: float, height: float) -> tuple[tuple[float, float], ...]:
    """The corners of a box, clockwise from the upper left."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def homography(
    source: tuple[tuple[float, float], ...], target: tuple[tuple[float, float], ...]
) -> NDArray[np.float64]:
    """The 3×3 matrix that takes four points to four others."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.asarray(rows), np.asarray(target).reshape(-1))
    return np.append(solved, 1.0).reshape(3, 3)


def built_in_layout() -> Layout:
    """The layout of this felt, which the synthetic camera knows itself."""
    plane = homography(box(0, 0, *FELT_MM), CORNERS_PX)
    burn_size = (BURN_COLUMNS * BURN_PITCH[0] + 10, 2 * BURN_PITCH[1] + 10)
    return Layout(
        game="baccarat",
        image=IMAGE,
        plane=tuple(float(each) for each in plane.ravel()),
        zones=(
            Zone("P", box(_LEFT["P"], _TOP, *HAND_SIZE), len(HAND_PLACES)),
            Zone("B", box(_LEFT["B"], _TOP, *HAND_SIZE), len(HAND_PLACES)),
            Zone("BURN", box(*_BURN_AT, *burn_size), 2 * BURN_COLUMNS),
            Zone("DISCARD", box(RACK.x, RACK.y, RACK.width, RACK.height), 0),
        ),
        watch=tuple(Mark(at, MARK_MM) for at in MARKS),
    )


def places(zone: str) -> tuple[tuple[float, float], ...]:
    """Middles of the places of a zone in order of use; none for the rack.

    Raises:
        LayoutError: for a zone that the felt does not have.
    """
    if zone in _LEFT:
        return tuple((_LEFT[zone] + x, _TOP + HAND_SIZE[1] / 2) for x in HAND_PLACES)
    if zone == "BURN":
        return tuple(
            (
                _BURN_AT[0] + 5 + (column + 0.5) * BURN_PITCH[0],
                _BURN_AT[1] + 5 + (row + 0.5) * BURN_PITCH[1],
            )
            for row in range(2)
            for column in range(BURN_COLUMNS)
        )
    if zone == "DISCARD":
        return ()
    raise LayoutError(f"there is no zone {zone!r} on this felt: it has P B BURN DISCARD")
