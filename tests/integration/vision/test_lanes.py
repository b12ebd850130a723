"""The felt of the shared hand through the real recogniser: full fans, a turned card, the burn."""

from __future__ import annotations

import random

import pytest

from studio.domain.cards import PACK
from tests.support.watched import WatchedTable
from vision.synthetic.lanes import GAME


@pytest.fixture
def pack() -> list[str]:
    codes = [card.code for card in PACK]
    random.Random(11).shuffle(codes)
    return codes


@pytest.mark.timeout(240)
def test_a_round_with_long_hands_is_read_as_it_lies(pack: list[str]) -> None:
    on = WatchedTable(GAME, 2)
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
    on = WatchedTable(GAME, 3)
    on.lay("BURN", pack.pop())
    for _ in range(10):
        on.lay("BURN", pack.pop(), up=False)
    assert on.said("BURN") == on.true("BURN")
    on.clear("BURN")
    assert on.said("BURN") == []
