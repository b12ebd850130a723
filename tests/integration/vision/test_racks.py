"""The felt of Baloot through the real recogniser: a whole deal of backs, and eight tricks."""

from __future__ import annotations

import random

import pytest

from studio.domain.cards import PACK
from studio.domain.observations import CardsSeen, ZoneSeen
from vision.corners import Corners
from vision.eye import Eye
from vision.reader import Reader
from vision.synthetic.felts import ground_of
from vision.synthetic.racks import GAME, RACKS, TRICK
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import World

SETTLE = 6
"""Frames after which what a hand did has been told, as the simulated dealer counts."""
PACKETS = (3, 2)


class Watched:
    """A table of Baloot, and what the eye last said of each zone."""

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

    def lay(self, zone: str, code: str, *, up: bool = False) -> None:
        self.scene.put(self.world.lay(zone, code, face_up=up, sideways=False))
        self.step()

    def move(self, zone: str, index: int, to: str) -> None:
        card = self.world.take(zone, index)
        self.scene.remove([card.key])
        self.lay(to, card.code, up=True)

    def clear(self, *zones: str) -> None:
        for zone in zones:
            self.scene.remove([card.key for card in self.world.clear(zone)])
        self.step()

    def as_it_lies(self) -> bool:
        """Whether all zones are at rest, hold what lies there, and every card is sure."""
        return all(
            self.zones[zone].settled
            and [
                (card.card.code if card.card else card.look.value) if card.sure else "?"
                for card in self.zones[zone].cards
            ]
            == [card.code if card.face_up else "back" for card in self.world.in_zone(zone)]
            for zone in (*RACKS, *TRICK, "FACE")
        )


@pytest.mark.timeout(240)
def test_a_whole_round_is_read_as_it_lies_in_six_frames_a_card() -> None:
    on, chance = Watched(2), random.Random(11)
    pack = [card.code for card in PACK if card.code[0] in "AKQJT987"]
    chance.shuffle(pack)
    for packet in PACKETS:
        for rack in ("H1", "H2", "H3", "H0"):
            for _ in range(packet):
                on.lay(rack, pack.pop())
                assert on.as_it_lies()
    on.lay("FACE", pack.pop(), up=True)
    assert on.as_it_lies()
    on.move("FACE", 0, "H2")
    assert on.as_it_lies()
    for rack, packet in (("H1", 3), ("H2", 2), ("H3", 3), ("H0", 3)):
        for _ in range(packet):
            on.lay(rack, pack.pop())
            assert on.as_it_lies()
    assert not pack
    for left in range(8, 0, -1):
        for seat in (1, 2, 3, 0):
            on.move(f"H{seat}", chance.randrange(left), f"T{seat}")
            assert on.as_it_lies()
        on.clear(*TRICK)
        assert on.as_it_lies()
