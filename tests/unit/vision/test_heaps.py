"""Cards that touch and overlap, through pixels: dealt, taken, turned, exchanged, pushed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.layout import Layout
from vision.locate import Image
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import Laid
from vision.tableview import TableView

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader
    from tests.unit.vision.test_covered import Scripted

SETTLE = 14
"""Frames after which a card laid by hand has been told."""


def card(key: int, code: str, x: float, y: float = 90.0, degrees: float = 0.0) -> Laid:
    return Laid(key=key, zone="P", place=key, code=code, face_up=True, x=x, y=y, degrees=degrees)


HAND = (
    card(1, "7C", 150, 90),
    card(2, "KS", 168, 88, 3),
    card(3, "QD", 186, 91, -3),
)


class Box:
    """Zone P of a table whose light can be changed."""

    def __init__(self, layout: Layout, reader: PatternReader) -> None:
        self.scene = Scene(layout, seed=7)
        self.light = np.ones(layout.image[0], dtype=np.float32)
        self.corners: Scripted | None = None
        self.view = TableView(layout, reader, count(1), self.frame())
        self.now_s = 0.0
        self.settled = False
        self.step(4)

    def frame(self) -> Image:
        lit = self.scene.frame() * self.light[None, :, None]
        image = decode(encode(np.clip(lit, 0, 255).astype(np.uint8)))
        assert image is not None
        if self.corners is not None:
            self.corners.frame = image
        return image

    def step(self, frames: int = SETTLE) -> list[str]:
        """Let frames pass; what is told then, a doubtful card with a question mark."""
        for _ in range(frames):
            self.now_s += 1 / FRAMES_PER_SECOND
            zone = self.view.look(self.frame(), self.now_s)[0]
        self.settled = zone.settled
        self.tracks = [each.track for each in zone.cards]
        return [
            (each.card.code if each.card else each.look.value) + ("" if each.sure else "?")
            for each in zone.cards
        ]

    def deal(self, cards: Sequence[Laid]) -> list[str]:
        """Lay cards one after the other."""
        for each in cards:
            self.scene.put(each)
            told = self.step()
        return told

    def swap(self, gone: Sequence[Laid], laid: Sequence[Laid], frames: int = 24) -> list[str]:
        """Take cards away and lay others while one hand is over the zone."""
        self.scene.remove([each.key for each in gone], by_hand=False)
        for each in laid:
            self.scene.put(each, by_hand=False)
        self.scene._reach((laid or gone)[0])
        return self.step(frames)


@pytest.fixture
def box(layout: Layout, pattern_reader: PatternReader) -> Box:
    return Box(layout, pattern_reader)


def test_a_hand_dealt_card_upon_card_is_told_in_its_order(box: Box) -> None:
    codes = ["7C", "KS", "QD", "5S", "9H", "TD", "8C", "JH"]
    cards = [
        card(at + 1, code, 100 + 17 * at, 90 + (at % 3) - 1, 2.0 * (at % 4) - 3)
        for at, code in enumerate(codes)
    ]
    for at in range(len(cards)):
        assert box.deal(cards[at : at + 1]) == codes[: at + 1]
    assert box.settled
    assert box.tracks == list(range(1, 9))


def test_a_hand_that_lies_still_is_not_read_again(box: Box, pattern_reader: PatternReader) -> None:
    box.deal(HAND)
    asked = pattern_reader.asked
    assert box.step(40) == ["7C", "KS", "QD"]
    assert pattern_reader.asked == asked


def test_the_top_card_taken_leaves_the_others(box: Box) -> None:
    box.deal(HAND)
    assert box.swap(HAND[2:], []) == ["7C", "KS"]
    assert box.tracks == [1, 2]


def test_the_bottom_card_pulled_out_leaves_the_others(box: Box) -> None:
    box.deal(HAND)
    assert box.swap(HAND[:1], []) == ["KS", "QD"]
    assert box.tracks == [2, 3]


def test_an_exchanged_top_card_is_the_same_thing_with_another_reading(box: Box) -> None:
    box.deal(HAND)
    told = box.swap(HAND[2:], [replace(HAND[2], key=9, code="JH")])
    assert told == ["7C", "KS", "JH"]
    assert box.tracks == [1, 2, 3]


def test_an_exchanged_covered_card_is_no_longer_sure(box: Box) -> None:
    """Nobody saw the new one whole: what is left of it to see is asked about."""
    box.deal(HAND)
    told = box.swap(HAND, [replace(HAND[0], key=9, code="5S"), *HAND[1:]])
    assert told[0].endswith("?")
    assert told[1:] == ["KS", "QD"]


def test_a_back_on_a_card_is_turned_and_stays_the_same_thing(box: Box) -> None:
    down = replace(HAND[1], face_up=False)
    assert box.deal([HAND[0], down]) == ["7C", "back"]
    assert box.swap([down], [HAND[1]]) == ["7C", "KS"]
    assert box.tracks == [1, 2]


def test_a_card_laid_so_that_it_touches_two_others_is_told(box: Box) -> None:
    row = [card(1, "7C", 120), card(2, "KS", 220), card(3, "QD", 169)]
    assert box.deal(row) == ["7C", "KS", "QD"]


def test_a_separate_card_beside_a_heap_is_told(box: Box) -> None:
    assert box.deal([*HAND, card(4, "9H", 262)]) == ["7C", "KS", "QD", "9H"]


def test_what_no_card_explains_is_told_as_unknown(box: Box) -> None:
    """Two cards laid at once on each other, and nothing that reads corners."""
    assert box.swap([], HAND[:2]) == ["unknown?"]
    assert box.settled


def test_a_moved_heap_never_tells_a_card_twice(box: Box) -> None:
    box.deal(HAND)
    told = box.swap(HAND, [replace(each, x=each.x + 40) for each in HAND])
    sure = [each for each in told if not each.endswith("?")]
    assert len(sure) == len(set(sure)) <= 3
    assert set(sure) <= {"7C", "KS", "QD"}


def test_a_hand_over_a_heap_for_a_minute_changes_nothing(box: Box) -> None:
    box.deal(HAND)
    box.scene.hold("P")
    box.now_s += 60
    assert box.step(30) == ["7C", "KS", "QD"]
    assert not box.settled
    box.scene.hold(None)
    assert box.step() == ["7C", "KS", "QD"]
    assert box.settled


def test_a_card_in_flight_is_never_told(box: Box) -> None:
    for at in range(24):
        box.scene.put(card(1, "7C", 90 + 5 * at), by_hand=False)
        assert box.step(1) == []
    assert box.step() == ["7C"]


def test_a_card_laid_exactly_on_another_is_what_lies_there(box: Box) -> None:
    assert box.deal([card(1, "7C", 150), card(2, "KS", 150.4, 90.3, 1)]) == ["KS"]


def test_a_card_in_a_sleeve_is_unknown(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-48: an outline that is larger by 3 to 6 % is no card of this deck."""
    monkeypatch.setattr("vision.synthetic.scene.CARD_MM", (66.0, 91.0))
    assert box.deal([card(1, "7C", 150)]) == ["unknown?"]


@pytest.mark.parametrize("ends", [(1.15, 1.15), (0.85, 0.85), (0.5, 0.5), (1.0, 0.6), (0.55, 1.0)])
def test_light_that_changes_in_a_step_changes_no_card(
    box: Box, ends: tuple[float, float], pattern_reader: PatternReader
) -> None:
    box.deal(HAND)
    asked = pattern_reader.asked
    box.light = np.linspace(*ends, len(box.light)).astype(np.float32)
    assert box.step() == ["7C", "KS", "QD"]
    assert box.settled
    assert pattern_reader.asked == asked
    assert box.deal([card(4, "9H", 262)]) == ["7C", "KS", "QD", "9H"]


def test_an_exposure_that_sinks_with_each_white_card_changes_no_card(box: Box) -> None:
    told = []
    for at, code in enumerate(("7C", "KS", "QD", "9H")):
        box.light = np.full_like(box.light, 1 - 0.08 * at)
        told = box.deal([card(at + 1, code, 90 + 70 * at)])
    assert told == ["7C", "KS", "QD", "9H"]
