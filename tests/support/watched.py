"""A table of any game before the real recogniser: cards are laid by hand, it says what it sees."""

from __future__ import annotations

from studio.domain.observations import CardsSeen, ZoneSeen
from vision.corners import Corners
from vision.eye import Eye
from vision.reader import Reader
from vision.synthetic.felts import ground_of
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import World

SETTLE = 6
"""Frames after which what a hand did has been told, as the simulated dealer counts."""


class WatchedTable:
    """A table of a game, and what the eye last said of each zone."""

    def __init__(self, game: str, seed: int) -> None:
        ground = ground_of(game)
        self.world = World(seed, ground)
        self.scene = Scene(ground.layout, seed=seed)
        self.eye = Eye("cam", ground.layout, Reader(), corners=Corners())
        self.zones: dict[str, ZoneSeen] = {}
        self.frames = 0
        self.step(5)

    def step(self, frames: int = SETTLE) -> None:
        for _ in range(frames):
            self.frames += 1
            image = decode(encode(self.scene.frame()))
            for told in self.eye.frame(image, self.frames, self.frames / FRAMES_PER_SECOND):
                if isinstance(told, CardsSeen):
                    self.zones |= {zone.zone: zone for zone in told.zones}

    def lay(self, zone: str, code: str, *, up: bool = True) -> None:
        self.scene.put(self.world.lay(zone, code, face_up=up, sideways=False))
        self.step()

    def turn(self, zone: str, index: int) -> None:
        self.scene.put(self.world.turn(zone, index))
        self.step()

    def move(self, zone: str, index: int, to: str) -> None:
        card = self.world.take(zone, index)
        self.scene.remove([card.key])
        self.lay(to, card.code)

    def clear(self, *zones: str) -> None:
        for zone in zones:
            self.scene.remove([card.key for card in self.world.clear(zone)])
        self.step()

    def said(self, zone: str) -> list[str]:
        """Codes as they were told, a doubtful one with a question mark."""
        cards = self.zones[zone].cards
        told = [(c.card.code if c.card else c.look.value, c.sure) for c in cards]
        return [name + ("" if sure else "?") for name, sure in told]

    def true(self, zone: str) -> list[str]:
        return [c.code if c.face_up else "back" for c in self.world.in_zone(zone)]
