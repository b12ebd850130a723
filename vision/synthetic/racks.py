"""The synthetic felt of Baloot: four racks of eight places, the face-up card and the trick.

Millimetres from the upper left corner. The picture is seen from the dealer's side, so that place 1
of every rack is at the dealer's left; seat 0 lies nearest, and play goes to the right: seat 1 at
the right, seat 2 opposite, seat 3 at the left. All cards lie upright and none on another one, as a
card of a rack is named by its place in the row.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from vision.layout import Layout, Mark, Zone
from vision.synthetic.felt import MARK_MM, Rack, box, homography

GAME: Final = "baloot"
IMAGE: Final = (1440, 810)
"""Width and height of the frame in pixels: a card is 70 to 73 wide."""
FELT_MM: Final = (1250.0, 703.0)
"""Width and height of what the camera sees of the felt."""
CORNERS_PX: Final = ((24.0, 9.0), (1416.0, 9.0), (1444.0, 806.0), (-4.0, 806.0))
"""Where the corners of that part lie in the frame, clockwise from the upper left."""
TRICKS: Final = Rack(x=1060.0, y=330.0, width=116.0, height=150.0)
"""The tray into which the cards of a trick go; they are not read any more."""
SLOTS: Final = 8
"""Cards of a seat (RULES.md 4.1)."""
EDGE_MM: Final = 38.0
"""From the left edge of a rack to the middle of its first card."""
BESIDE_MM: Final = 75.0
"""From card to card: two that are turned by 4 degrees against each other do not touch."""
DEEP_MM: Final = 100.0
ONE_MM: Final = 90.0
"""Width of a zone for one card."""
_RACKS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {"H0": (324.5, 590.0), "H1": (637.0, 128.0), "H2": (324.5, 14.0), "H3": (12.0, 128.0)}
)
_SINGLE: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "FACE": (580.0, 360.0),
        "T0": (580.0, 470.0),
        "T1": (690.0, 360.0),
        "T2": (580.0, 250.0),
        "T3": (470.0, 360.0),
    }
)
"""Upper left corners."""
RACKS: Final = tuple(_RACKS)
"""Zones of the hands, by seat."""
TRICK: Final = ("T0", "T1", "T2", "T3")
"""Zones of the open trick, by seat."""
MARKS: Final = ((60.0, 60.0), (1190.0, 60.0), (1190.0, 640.0), (60.0, 640.0), (300.0, 410.0))
"""Printed crosses at which a knocked camera is noticed."""
WORDS: Final = (
    ("BALOOT", 90.0, 330.0, 1.7),
    ("TRICKS", 1062.0, 520.0, 1.3),
    ("3", 290.0, 80.0, 1.5),
    ("4", 24.0, 270.0, 1.5),
    ("2", 1210.0, 270.0, 1.5),
    ("1", 290.0, 656.0, 1.5),
)
"""What is printed: text, left end and base line in millimetres, size."""


def racks_layout() -> Layout:
    """The layout of this felt, as `cutcard calibrate` would write it."""
    plane = homography(box(0, 0, *FELT_MM), CORNERS_PX)
    wide = 2 * EDGE_MM + BESIDE_MM * (SLOTS - 1)
    return Layout(
        game=GAME,
        image=IMAGE,
        plane=tuple(float(each) for each in plane.ravel()),
        zones=(
            *(Zone(name, box(*at, wide, DEEP_MM), SLOTS) for name, at in _RACKS.items()),
            *(Zone(name, box(*at, ONE_MM, DEEP_MM), 1) for name, at in _SINGLE.items()),
        ),
        watch=tuple(Mark(at, MARK_MM) for at in MARKS),
    )


def racks_places() -> Mapping[str, tuple[tuple[float, float], ...]]:
    """Middles of the places of each zone in order of use."""
    middle = DEEP_MM / 2
    racks = {
        name: tuple((x + EDGE_MM + BESIDE_MM * place, y + middle) for place in range(SLOTS))
        for name, (x, y) in _RACKS.items()
    }
    single = {name: ((x + ONE_MM / 2, y + middle),) for name, (x, y) in _SINGLE.items()}
    return {**racks, **single}
