"""The synthetic felts by game: the layout of each, and where a dealer lays the cards on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from vision.layout import CARD_MM, Layout, LayoutError
from vision.synthetic import felt, lanes, racks, seats
from vision.synthetic.felt import Rack

Spot = tuple[float, float]

GAMES: Final = ("baccarat", seats.GAME, lanes.GAME, racks.GAME)
"""Games that have a synthetic felt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One felt."""

    layout: Layout
    spots: Mapping[str, tuple[Spot, ...]]
    """Middles of the places of each zone in order of use, millimetres; none for the rack."""
    rack: Rack
    other: Mapping[str, str]
    """Where a card for a hand lands that slides into another one (`wrong_zone`)."""
    across: tuple[int, ...] = ()
    """In which order the places of a hand are taken by a card lying sideways; empty: as ever."""
    words: tuple[tuple[str, float, float, float], ...] = ()
    """What is printed: text, left end and base line in millimetres, size."""
    seen_mm: Spot = felt.FELT_MM
    """Width and height of what the camera sees."""
    below: bool = False
    """Whether the dealer stands at the lower edge of the picture, not at the upper one."""

    def places(self, zone: str) -> tuple[Spot, ...]:
        """Middles of the places of a zone in order of use; none for the rack.

        Raises:
            LayoutError: for a zone that the felt does not have.
        """
        if zone not in self.spots:
            names = " ".join(self.spots)
            raise LayoutError(f"there is no zone {zone!r} on this felt: it has {names}")
        return self.spots[zone]

    def free(self, zone: str, taken: set[int], *, wide: bool) -> tuple[int, Spot] | None:
        """The place of a zone where the next card is laid, and its middle; None if it is full.

        Where cards lie on each other the next one goes on top of all: a gap is used again only if
        nothing lies over it.
        """
        spots = self.places(zone)
        order = self.across if wide and zone in self.other and self.across else range(len(spots))
        for place in order:
            above = (each for each in taken if each >= place)
            if not any(_over(spots[each], spots[place]) for each in above):
                return place, spots[place]
        return None


def _over(one: Spot, other: Spot) -> bool:
    """Whether cards at these places would lie on each other."""
    width, height = CARD_MM
    return abs(one[0] - other[0]) < width and abs(one[1] - other[1]) < height


@cache
def ground_of(game: str = "baccarat") -> Ground:
    """The felt of a game.

    Raises:
        LayoutError: for a game that has no synthetic felt.
    """
    if game == "baccarat":
        return Ground(
            layout=felt.built_in_layout(),
            spots={zone: felt.places(zone) for zone in ("P", "B", "BURN", "DISCARD")},
            rack=felt.RACK,
            other={"P": "B", "B": "P"},
            across=felt.WIDE_ORDER,
            words=felt.WORDS,
        )
    if game == lanes.GAME:
        return Ground(
            layout=lanes.lanes_layout(),
            spots=lanes.lanes_places(),
            rack=lanes.RACK,
            other={"M": "D", "D": "M", "L": "R", "R": "L"},
            words=lanes.WORDS,
            seen_mm=lanes.FELT_MM,
        )
    if game == seats.GAME:
        beside = zip(seats.SEATS, (*seats.SEATS[1:], "D"), strict=True)
        return Ground(
            layout=seats.seats_layout(),
            spots=seats.seats_places(),
            rack=seats.RACK,
            other={**dict(beside), "D": "S4"},
            words=seats.WORDS,
            seen_mm=seats.FELT_MM,
        )
    if game == racks.GAME:
        return Ground(
            layout=racks.racks_layout(),
            spots=racks.racks_places(),
            rack=racks.TRICKS,
            # Where a card is due nothing lies on the place of the face-up card, and before that
            # one is due no trick lies there.
            other={**dict.fromkeys((*racks.RACKS, *racks.TRICK), "FACE"), "FACE": "T2"},
            words=racks.WORDS,
            seen_mm=racks.FELT_MM,
            below=True,
        )
    raise LayoutError(
        f"the synthetic camera has no felt for {game!r}: it has {' and '.join(GAMES)}"
    )
