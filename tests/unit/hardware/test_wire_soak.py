"""A long shoe on a wire that is broken at random: what came out is what was told."""

from __future__ import annotations

import os
import random
import time

import pytest

from hardware.cutcard_line import open_device
from hardware.framing import FrameParser
from hardware.sim.shoe import SimulatedShoe
from studio.domain.cards import PACK
from studio.domain.observations import DeviceOnline, SequenceGap
from studio.live.clock import ManualClock
from tests.support.hardware.watch import PATIENCE_S, Watch

HARMLESS = ("split_frame", "noise", "bad_checksum", "triple_send", "burst", "unplug")
"""What the wire may do without a card being lost; silence is left out, it only takes time."""
MINUTES = float(os.environ.get("CUTCARD_SOAK_WIRE_MINUTES", "10"))


@pytest.mark.soak
def test_a_line_broken_at_random_for_minutes_tells_each_card_once_and_in_order() -> None:
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    clock = ManualClock()
    shoe = SimulatedShoe(clock, seed=seed)
    shoe.start()
    device, watch = open_device("shoe", {"url": shoe.path}, clock), Watch()
    device.start(watch.report)
    drawn: list[str] = []
    until = time.monotonic() + 60 * MINUTES
    try:
        watch.await_kind(DeviceOnline)
        while time.monotonic() < until:
            for fault in HARMLESS:
                if chance.random() < 0.1:
                    shoe.switch(fault, on=chance.random() < 0.5)
            cards = [card.code for card in chance.choices(PACK, k=chance.randint(1, 6))]
            shoe.load(cards)
            drawn += [shoe.draw() for _ in cards]
            settle(shoe, clock, seed)
        assert watch.codes() == drawn, seed
        assert not watch.of(SequenceGap), seed
    finally:
        device.stop()
        shoe.stop()


def settle(shoe: SimulatedShoe, clock: ManualClock, seed: int) -> None:
    """Let time pass until all was acknowledged."""
    patience = time.monotonic() + PATIENCE_S
    while not shoe.quiet(0.005):
        clock.advance(50_000)
        assert time.monotonic() < patience, seed


@pytest.mark.soak
def test_a_million_random_bytes_never_raise_and_are_all_accounted_for() -> None:
    chance = random.Random(5)
    parser, total = FrameParser(), 0
    for _ in range(20_000):
        chunk = chance.randbytes(chance.randint(1, 100)).replace(b"\x07", b"$CL1,")
        total += len(chunk)
        total -= sum(len(found.raw) for found in parser.feed(chunk))
    assert total == parser.pending
