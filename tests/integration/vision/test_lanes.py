"""The felt of the shared hand through the real recogniser: full fans, a turned card, the burn."""

from __future__ import annotations

import random

import pytest

from studio.domain.cards import PACK
from studio.domain.observations import CardsSeen, ZoneSeen
from vision.corners import Corners
from vision.eye import Eye
from vision.reader import Reader
from vision.synthetic.felts import ground_of
from vision.synthetic.lanes import GAME
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import World

SETTLE = 6
"""Frames after which a card that is read well has been told, as the simulated dealer counts."""


class Watched:
    """A table of the shared hand, and what the eye last said of each zone."""

    def __init__(self, seed: int) -> None:
        ground = ground_of(GAME)
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

    def clear(self, zone: str) -> None:
        self.scene.remove([card.key for card in self.world.clear(zone)])
        self.step()

    def said(self, zone: str) -> list[str]:
        """Codes as they were told, a doubtful one with a question mark."""
        cards = self.zones[zone].cards
        told = [(c.card.code if c.card else c.look.value, c.sure) for c in cards]
        return [name + ("" if sure else "?") for name, sure in told]

    def true(self, zone: str) -> list[str]:
        return [c.code if c.face_up else "back" for c in self.world.in_zone(zone)]


@pytest.fixture
def pack() -> list[str]:
    codes = [card.code for card in PACK]
    random.Random(11).shuffle(codes)
    return codes


@pytest.mark.timeout(240)
def test_a_round_with_long_hands_is_read_as_it_lies(pack: list[str]) -> None:
    on = Watched(2)
    for zone, up in (("M", True), ("D", True), ("M", True), ("D", False)):
        on.lay(zone, pack.pop(), up=up)
    assert on.said("D") == on.true("D")
    for zone in (*"MLR" * 2, *"MMLMRMM"):
        on.lay(zone, pack.pop())
        assert on.said(zone) == on.true(zone)
    on.turn("D", 1)
    assert on.said("D") == on.true("D")
    for _ in range(3):
        on.lay("D", pack.pop())
    for zone in "MLRD":
        assert on.said(zone) == on.true(zone)
    assert [len(on.true(zone)) for zone in "MLRD"] == [9, 3, 3, 5]
    for zone in "MLRD":
        on.clear(zone)
        assert on.said(zone) == []


@pytest.mark.timeout(240)
def test_a_burn_of_one_face_and_ten_backs_is_counted(pack: list[str]) -> None:
    on = Watched(3)
    on.lay("BURN", pack.pop())
    for _ in range(10):
        on.lay("BURN", pack.pop(), up=False)
    assert on.said("BURN") == on.true("BURN")
    on.clear("BURN")
    assert on.said("BURN") == []
