"""A felt of fourteen boxes at 1080p, as for blackjack: for measuring, and for cards that overlap.

The baccarat felt has three zones; a whole table has more, each with cards of its own. Nothing but
the layout is here: `Scene` draws any layout, and cards are laid by their millimetres.
"""

from typing import Final

from vision.layout import Layout, Mark, Zone
from vision.synthetic.felt import homography
from vision.synthetic.world import Laid

IMAGE: Final = (1920, 1080)
FELT_MM: Final = (1330.0, 748.0)
"""Width and height of what the camera sees: a card is 91 pixels wide."""
COLUMNS: Final = 7
ROWS: Final = 2
BOX_MM: Final = (160.0, 290.0)
MARK_MM: Final = 26.0


def boxes_layout() -> Layout:
    """Seven boxes in two rows, ``S1`` to ``S14``, with a mark in each corner."""
    width, height = FELT_MM
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    frame = ((6.0, 4.0), (1914.0, 4.0), (1926.0, 1076.0), (-6.0, 1076.0))
    plane = homography(corners, frame)
    zones = []
    for number in range(COLUMNS * ROWS):
        x, y = _corner(number)
        outline = ((x, y), (x + BOX_MM[0], y), (x + BOX_MM[0], y + BOX_MM[1]), (x, y + BOX_MM[1]))
        zones.append(Zone(f"S{number + 1}", outline, 6))
    marks = ((30.0, 30.0), (1300.0, 30.0), (1300.0, 718.0), (30.0, 718.0))
    return Layout(
        game="boxes",
        image=IMAGE,
        plane=tuple(float(each) for each in plane.ravel()),
        zones=tuple(zones),
        watch=tuple(Mark(at, MARK_MM) for at in marks),
    )


def in_box(number: int, key: int, code: str, place: int = 0, *, fanned: bool = False) -> Laid:
    """A card in a box, counted from 0: four places apart from each other, or one on the other."""
    x, y = _corner(number)
    if fanned:
        x, y = x + 48 + 17 * place, y + 60 + 22 * place
    else:
        x, y = x + 42 + 76 * (place % 2), y + 80 + 110 * (place // 2)
    return Laid(
        key=key,
        zone=f"S{number + 1}",
        place=place,
        code=code,
        face_up=True,
        x=x,
        y=y,
        degrees=((key * 37) % 9) - 4.0,
    )


def _corner(number: int) -> tuple[float, float]:
    """The upper left corner of a box in millimetres."""
    column, row = number % COLUMNS, number // COLUMNS
    return 60.0 + column * 176.0, 60.0 + row * 340.0
