"""The felt of Baloot through the real recogniser: a whole deal of backs, and eight tricks."""

from __future__ import annotations

import random

import pytest

from studio.domain.cards import PACK
from tests.support.watched import WatchedTable
from vision.synthetic.racks import GAME, RACKS, TRICK

PACKETS = (3, 2)


def as_it_lies(on: WatchedTable) -> bool:
    """Whether all zones are at rest and are said to hold, surely, what lies there."""
    return all(
        on.zones[zone].settled and on.said(zone) == on.true(zone)
        for zone in (*RACKS, *TRICK, "FACE")
    )


@pytest.mark.timeout(240)
def test_a_whole_round_is_read_as_it_lies_in_six_frames_a_card() -> None:
    on, chance = WatchedTable(GAME, 2), random.Random(11)
    pack = [card.code for card in PACK if card.code[0] in "AKQJT987"]
    chance.shuffle(pack)
    for packet in PACKETS:
        for rack in ("H1", "H2", "H3", "H0"):
            for _ in range(packet):
                on.lay(rack, pack.pop(), up=False)
                assert as_it_lies(on)
    on.lay("FACE", pack.pop())
    assert as_it_lies(on)
    on.move("FACE", 0, "H2")
    assert as_it_lies(on)
    for rack, packet in (("H1", 3), ("H2", 2), ("H3", 3), ("H0", 3)):
        for _ in range(packet):
            on.lay(rack, pack.pop(), up=False)
            assert as_it_lies(on)
    assert not pack
    for left in range(8, 0, -1):
        for seat in (1, 2, 3, 0):
            on.move(f"H{seat}", chance.randrange(left), f"T{seat}")
            assert as_it_lies(on)
        on.clear(*TRICK)
        assert as_it_lies(on)
