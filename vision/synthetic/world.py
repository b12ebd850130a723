"""What lies on the synthetic table: kept beside the camera's process, so that it outlives it.

The cards stay where they are when a camera breaks down; a new process is told the whole world.
"""

import random
from dataclasses import dataclass, field, replace
from typing import Final

from studio.domain.cards import CUT, HIDDEN, Card
from vision.synthetic.felts import Ground, ground_of

FAULTS: Final = (
    "frozen",
    "lost",
    "dark",
    "knocked",
    "blur",
    "hand",
    "unsure",
    "wrong_zone",
)
"""Names of the camera's simulated faults (CONTRACTS.md 3)."""
TURN_DEGREES: Final = 4.0
"""A laid card is turned by at most so much."""
SHIFT_MM: Final = 2.2
"""A laid card lies at most so far from the middle of its place, in x and in y."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One card on the felt."""

    key: int
    zone: str
    place: int
    """Number of the place in its zone; -1 in the rack."""
    code: str
    face_up: bool
    x: float
    y: float
    """Middle in millimetres."""
    degrees: float
    """Turned clockwise; 90 lies sideways."""
    glare: bool = False

    @property
    def shows(self) -> str:
        """The code of what can be seen of it."""
        return self.code if self.face_up or self.code == CUT else HIDDEN


@dataclass(slots=True)
class World:
    """All cards on the table, the faults that are on and where a hand is held."""

    seed: int = 0
    ground: Ground = field(default_factory=ground_of)
    """The felt on which they lie."""
    cards: dict[int, Laid] = field(default_factory=dict)
    faults: set[str] = field(default_factory=set)
    held: str | None = None
    _count: int = 0
    _chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)  # noqa: S311 - where a card lies is no secret

    def lay(self, zone: str, code: str, *, face_up: bool, sideways: bool) -> Laid:
        """Lay a card on the next free place of a zone, or where a fault makes it land.

        Raises:
            ValueError: if the zone or the code does not exist or no place is free.
        """
        if code != CUT:
            Card.parse(code)
        self.ground.places(zone)
        if "wrong_zone" in self.faults and zone in self.ground.other:
            self.faults.discard("wrong_zone")
            zone = self.ground.other[zone]
        glare = "unsure" in self.faults and face_up and code != CUT
        if glare:
            self.faults.discard("unsure")
        place, x, y = self._free(zone, wide=sideways)
        self._count += 1
        card = Laid(
            key=self._count,
            zone=zone,
            place=place,
            code=code,
            face_up=face_up,
            x=x + self._chance.uniform(-SHIFT_MM, SHIFT_MM),
            y=y + self._chance.uniform(-SHIFT_MM, SHIFT_MM),
            degrees=(90.0 if sideways else 0.0)
            + self._chance.uniform(-TURN_DEGREES, TURN_DEGREES)
            + self._chance.choice((0.0, 180.0)),
            glare=glare,
        )
        self.cards[card.key] = card
        return card

    def turn(self, zone: str, index: int) -> Laid:
        """Turn the card at this place of a zone.

        Raises:
            ValueError: if there is none.
        """
        card = self.at(zone, index)
        nudge = self._chance.uniform(-1.0, 1.0)
        turned = replace(card, face_up=not card.face_up, x=card.x + nudge, y=card.y - nudge)
        self.cards[card.key] = turned
        return turned

    def take(self, zone: str, index: int) -> Laid:
        """Take a card away.

        Raises:
            ValueError: if there is none.
        """
        return self.cards.pop(self.at(zone, index).key)

    def clear(self, zone: str) -> list[Laid]:
        """Take all cards of a zone away.

        Raises:
            ValueError: if the felt has no such zone.
        """
        self.ground.places(zone)
        gone = self.in_zone(zone)
        for card in gone:
            del self.cards[card.key]
        return gone

    def in_zone(self, zone: str) -> list[Laid]:
        """The cards of a zone in order of arrival."""
        return [card for card in self.cards.values() if card.zone == zone]

    def at(self, zone: str, index: int) -> Laid:
        """The card at this position of a zone, counted from 0 in order of arrival.

        Raises:
            ValueError: if there is none.
        """
        self.ground.places(zone)
        cards = self.in_zone(zone)
        if not 0 <= index < len(cards):
            raise ValueError(f"zone {zone} has no card number {index}: it holds {len(cards)}")
        return cards[index]

    def _free(self, zone: str, *, wide: bool) -> tuple[int, float, float]:
        """The next free place of a zone: its number and middle."""
        if zone == "DISCARD":
            rack = self.ground.rack
            return -1, rack.x + rack.width / 2, rack.y + rack.height / 2
        found = self.ground.free(zone, {card.place for card in self.in_zone(zone)}, wide=wide)
        if found is None:
            raise ValueError(f"zone {zone} has no free place: clear it first")
        place, (x, y) = found
        return place, x, y
