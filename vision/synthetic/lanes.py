"""The synthetic felt of the shared hand: lanes L M R before the players, the dealer's hand above.

Millimetres from the upper left corner; the dealer stands at the upper edge. The first two cards of
the shared hand and of the dealer lie side by side, so that the hole card can be turned where it
lies; each further card lies on the one before, so that a strip with its index stays to be seen.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from vision.layout import Layout, Mark, Zone
from vision.synthetic.felt import MARK_MM, Rack, box, homography

GAME: Final = "boundless-blackjack"
IMAGE: Final = (1600, 900)
"""Width and height of the frame in pixels: a card is about 94 wide."""
FELT_MM: Final = (1066.0, 600.0)
"""Width and height of what the camera sees of the felt."""
CORNERS_PX: Final = ((24.0, 10.0), (1576.0, 10.0), (1606.0, 894.0), (-6.0, 894.0))
"""Where the corners of that part lie in the frame, clockwise from the upper left."""
RACK: Final = Rack(x=930.0, y=44.0, width=116.0, height=150.0)
EDGE_MM: Final = 40.0
"""From the left edge of a hand to the middle of its first card."""
BESIDE_MM: Final = 76.0
"""From card to card where they lie side by side."""
FANNED_MM: Final = 27.0
"""From card to card where each lies on the one before: an index is some 12 mm wide."""
DEEP_MM: Final = 124.0
MOST: Final = 10
"""Cards of a hand for which there is room; eleven below 21 need four aces and more."""
BURN_COLUMNS: Final = 6
BURN_PITCH: Final = (80.0, 104.0)
_HANDS: Final[Mapping[str, tuple[float, float, int]]] = MappingProxyType(
    {
        "M": (354.0, 340.0, 2),
        "L": (16.0, 340.0, 1),
        "R": (730.0, 340.0, 1),
        "D": (20.0, 60.0, 2),
    }
)
"""Upper left corner of each hand, and how many of its cards lie side by side."""
_BURN_AT: Final = (420.0, 40.0)
MARKS: Final = ((16.0, 16.0), (1050.0, 16.0), (1050.0, 584.0), (16.0, 584.0), (533.0, 300.0))
"""Printed crosses at which a knocked camera is noticed."""
WORDS: Final = (
    ("DEALER", 30.0, 212.0, 1.5),
    ("BURN", 612.0, 284.0, 1.3),
    ("LEFT", 130.0, 322.0, 1.3),
    ("SHARED HAND", 380.0, 322.0, 1.3),
    ("RIGHT", 860.0, 322.0, 1.3),
    ("BLACKJACK PAYS 3 TO 2", 344.0, 516.0, 1.5),
    ("DEALER DRAWS TO 16 AND STANDS ON ALL 17s", 290.0, 552.0, 1.1),
)
"""What is printed: text, left end and base line in millimetres, size."""


def _row(beside: int) -> tuple[float, ...]:
    """Middles of the places of a hand from its left edge, the first ones side by side."""
    first = [EDGE_MM + BESIDE_MM * place for place in range(beside)]
    return (*first, *(first[-1] + FANNED_MM * n for n in range(1, MOST - beside + 1)))


def _wide(beside: int) -> float:
    """Width of a hand's zone."""
    return _row(beside)[-1] + EDGE_MM


def lanes_layout() -> Layout:
    """The layout of this felt, as `cutcard calibrate` would write it."""
    plane = homography(box(0, 0, *FELT_MM), CORNERS_PX)
    burn = (BURN_COLUMNS * BURN_PITCH[0] + 10, 2 * BURN_PITCH[1] + 10)
    hands = (
        Zone(name, box(x, y, _wide(beside), DEEP_MM), MOST)
        for name, (x, y, beside) in _HANDS.items()
    )
    return Layout(
        game=GAME,
        image=IMAGE,
        plane=tuple(float(each) for each in plane.ravel()),
        zones=(
            *hands,
            Zone("BURN", box(*_BURN_AT, *burn), 2 * BURN_COLUMNS),
            Zone("DISCARD", box(RACK.x, RACK.y, RACK.width, RACK.height), 0),
        ),
        watch=tuple(Mark(at, MARK_MM) for at in MARKS),
    )


def lanes_places() -> Mapping[str, tuple[tuple[float, float], ...]]:
    """Middles of the places of each zone in order of use; none for the rack."""
    found = {
        name: tuple((x + at, y + DEEP_MM / 2) for at in _row(beside))
        for name, (x, y, beside) in _HANDS.items()
    }
    left, top = _BURN_AT
    found["BURN"] = tuple(
        (left + 5 + (column + 0.5) * BURN_PITCH[0], top + 5 + (row + 0.5) * BURN_PITCH[1])
        for row in range(2)
        for column in range(BURN_COLUMNS)
    )
    return {**found, "DISCARD": ()}
