"""A simulated table filmed for hours: a dealer who deals coup after coup by a script of its own.

The script knows nothing of the eye: it goes on whether cards are read or not. Each frame comes with
the truth, what lay at rest where while it was taken.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import PACK
from vision.layout import Layout
from vision.synthetic.designs import DEMONSTRATION, Design
from vision.synthetic.scene import Scene
from vision.synthetic.weather import Weather
from vision.synthetic.world import World

Image = NDArray[np.uint8]

RATE: Final = 15.0
"""Frames a second of the film."""
SHOE_MM: Final = (760.0, 330.0)
"""Where the dealer's hand takes a card out of the shoe."""
BETWEEN: Final = (6, 12)
"""Fewest and most frames from one card to the next."""
SHOWN: Final = 12
"""Frames for which the last card of a coup lies before the cards are collected."""
CLEARED: Final = 5
"""Frames between two coups."""
BURN_EVERY: Final = 9
"""After so many coups some cards are burned face up."""
DEALT: Final = (("P", False), ("B", False), ("P", False), ("B", False), ("P", True), ("B", True))
"""Zone of each card of a coup, and whether it is laid across."""


@dataclass(frozen=True, slots=True)
class Truth:
    """One card at rest: its number in the film, where it lies, and which it is."""

    key: int
    zone: str
    code: str
    at: tuple[float, float]
    """Its middle in pixels of the frame."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame as the sensor takes it, with what lies there at rest."""

    image: Image
    truth: tuple[Truth, ...]


class Film:
    """Deals so many cards before the camera; equal seeds give equal films."""

    def __init__(
        self,
        layout: Layout,
        *,
        seed: int,
        cards: int,
        design: Design = DEMONSTRATION,
        gloss: float = 0.12,
    ) -> None:
        self._layout = layout
        self._cards = cards
        self._chance = random.Random(f"film-{seed}")  # noqa: S311  a film, no secret
        self._world = World(seed)
        weather = Weather(seed, layout.image, RATE)
        self.scene = Scene(layout, seed=seed, design=design, weather=weather, gloss=gloss)
        self._truth: tuple[Truth, ...] = ()
        self._pack: list[str] = []
        self.dealt = 0
        """Cards laid so far."""

    def shots(self) -> Iterator[Shot]:
        """All frames in order: first the empty felt, then coup after coup."""
        yield from self._pass(8)
        coup = 0
        while self.dealt < self._cards:
            coup += 1
            if coup % BURN_EVERY == 0:
                yield from self._burn()
            for zone, across in DEALT[: self._chance.choice((4, 4, 5, 6, 6))]:
                if self.dealt < self._cards:
                    yield from self._lay(zone, across=across)
            yield from self._pass(SHOWN)
            yield from self._collect("P", "B")

    def _burn(self) -> Iterator[Shot]:
        """Lay some cards beside the coup, and take them away again."""
        for _ in range(self._chance.randint(3, 10)):
            if self.dealt < self._cards:
                yield from self._lay("BURN", across=False)
        yield from self._pass(SHOWN)
        yield from self._collect("BURN")

    def _lay(self, zone: str, *, across: bool) -> Iterator[Shot]:
        """Slide one card out of the shoe to its place."""
        if not self._pack:
            self._pack = [card.code for card in PACK] * 2
            self._chance.shuffle(self._pack)
        card = self._world.lay(zone, self._pack.pop(), face_up=True, sideways=across)
        self.dealt += 1
        self.scene.slide(card, SHOE_MM)
        yield from self._pass(self._chance.randint(*BETWEEN))

    def _collect(self, *zones: str) -> Iterator[Shot]:
        """Take the cards of these zones away, by one hand for each."""
        for zone in zones:
            self.scene.remove([card.key for card in self._world.clear(zone)])
            yield from self._pass(3)
        yield from self._pass(CLEARED)

    def _pass(self, frames: int) -> Iterator[Shot]:
        """Let frames pass."""
        for _ in range(frames):
            image = self.scene.frame()
            resting = self.scene.cards
            if tuple(card.key for card in resting) != tuple(each.key for each in self._truth):
                self._truth = tuple(
                    Truth(card.key, card.zone, card.code, self._pixel(card.x, card.y))
                    for card in resting
                )
            yield Shot(image, self._truth)

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        at = self._layout.to_pixels([(x, y)])[0]
        return float(at[0]), float(at[1])
