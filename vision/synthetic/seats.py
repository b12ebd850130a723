"""The synthetic felt of blackjack: seven seats in a row before the dealer, the dealer's hand above.

Millimetres from the upper left corner; the dealer stands at the upper edge, so the first seat, at
the dealer's left, lies at the right. A seat's cards lie on each other from place to place, so that
a strip with its index stays to be seen, in rows of four: a seat that splits needs more than one.
"""

from collections.abc import Mapping
from typing import Final

from vision.layout import Layout, Mark, Zone
from vision.synthetic.felt import MARK_MM, Rack, box, homography

GAME: Final = "blackjack"
IMAGE: Final = (1600, 900)
"""Width and height of the frame in pixels: a card is about 94 wide."""
FELT_MM: Final = (1066.0, 600.0)
"""Width and height of what the camera sees of the felt."""
CORNERS_PX: Final = ((24.0, 10.0), (1576.0, 10.0), (1606.0, 894.0), (-6.0, 894.0))
"""Where the corners of that part lie in the frame, clockwise from the upper left."""
RACK: Final = Rack(x=930.0, y=24.0, width=116.0, height=150.0)
SEATS: Final = tuple(f"S{number}" for number in range(1, 8))
"""Zones of the seats, the first at the dealer's left."""
EDGE_MM: Final = 36.0
"""From the left edge of a hand to the middle of its first card."""
BESIDE_MM: Final = 76.0
"""From card to card where they lie side by side."""
FANNED_MM: Final = 25.0
"""From card to card where each lies on the one before: an index is some 12 mm wide."""
SEAT_WIDE_MM: Final = 148.0
SEAT_PITCH_MM: Final = 151.0
SEAT_TOP_MM: Final = 196.0
COLUMNS: Final = 4
ROWS: Final = 4
ROW_MM: Final = 96.0
"""From row to row: a card is 88 mm high."""
DEALER_AT: Final = (20.0, 24.0)
DEALER_CARDS: Final = 12
DEEP_MM: Final = 124.0
BURN_AT: Final = (640.0, 24.0)
BURN_MM: Final = (180.0, 124.0)
MARKS: Final = ((16.0, 16.0), (1050.0, 16.0), (1050.0, 592.0), (16.0, 592.0), (533.0, 172.0))
"""Printed crosses at which a knocked camera is noticed."""
WORDS: Final = (
    ("DEALER", 30.0, 166.0, 1.3),
    ("BURN", 700.0, 166.0, 1.3),
    ("BLACKJACK", 320.0, 184.0, 1.3),
)
"""What is printed: text, left end and base line in millimetres, size."""


def _seat_at(number: int) -> tuple[float, float]:
    """Upper left corner of a seat, counted from 0 at the dealer's left."""
    return 4.5 + SEAT_PITCH_MM * (len(SEATS) - 1 - number), SEAT_TOP_MM


def seats_layout() -> Layout:
    """The layout of this felt, as `cutcard calibrate` would write it."""
    plane = homography(box(0, 0, *FELT_MM), CORNERS_PX)
    deep = (ROWS - 1) * ROW_MM + 100
    seats = (
        Zone(name, box(*_seat_at(number), SEAT_WIDE_MM, deep), ROWS * COLUMNS)
        for number, name in enumerate(SEATS)
    )
    dealer = 2 * EDGE_MM + BESIDE_MM + FANNED_MM * (DEALER_CARDS - 2)
    return Layout(
        game=GAME,
        image=IMAGE,
        plane=tuple(float(each) for each in plane.ravel()),
        zones=(
            *seats,
            Zone("D", box(*DEALER_AT, dealer, DEEP_MM), DEALER_CARDS),
            Zone("BURN", box(*BURN_AT, *BURN_MM), 2),
            Zone("DISCARD", box(RACK.x, RACK.y, RACK.width, RACK.height), 0),
        ),
        watch=tuple(Mark(at, MARK_MM) for at in MARKS),
    )


def seats_places() -> Mapping[str, tuple[tuple[float, float], ...]]:
    """Middles of the places of each zone in order of use; none for the rack."""
    found: dict[str, tuple[tuple[float, float], ...]] = {}
    for number, name in enumerate(SEATS):
        left, top = _seat_at(number)
        found[name] = tuple(
            (left + EDGE_MM + FANNED_MM * column, top + 50 + ROW_MM * row)
            for row in range(ROWS)
            for column in range(COLUMNS)
        )
    left, middle = DEALER_AT[0] + EDGE_MM, DEALER_AT[1] + DEEP_MM / 2
    # The first two lie side by side, so that the hole card can be turned where it lies.
    row = (left, *(left + BESIDE_MM + FANNED_MM * n for n in range(DEALER_CARDS - 1)))
    found["D"] = tuple((x, middle) for x in row)
    found["BURN"] = tuple((BURN_AT[0] + 48 + 80 * n, BURN_AT[1] + DEEP_MM / 2) for n in range(2))
    return {**found, "DISCARD": ()}
