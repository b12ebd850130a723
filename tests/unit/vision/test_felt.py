"""What lies on the felt at the very first start is told, and never silently learnt as felt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from studio.domain.observations import CardsSeen, ZoneSeen
from tests.unit.vision.test_heaps import card
from vision.corners import Corners
from vision.eye import Eye
from vision.layout import Layout
from vision.locate import Image
from vision.reader import Reading
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import Laid

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader


class Doubtful:
    """A reader that is sure of nothing, and takes what it does not know for no card."""

    def __init__(self, reader: PatternReader) -> None:
        self._reader = reader

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        return [
            replace(reading, sure=False, confidence=0.6) for reading in self._reader.read(crops)
        ]


def started(
    layout: Layout, reader: object, scene: Scene, corners: Corners | None = None
) -> ZoneSeen:
    """What an eye that starts before this felt tells of zone P."""
    eye = Eye("cam", layout, reader, corners=corners)  # type: ignore[arg-type]
    told: list[CardsSeen] = []
    for number in range(1, 30):
        image = decode(encode(scene.frame()))
        assert image is not None
        told += [
            report
            for report in eye.frame(image, number, number / FRAMES_PER_SECOND)
            if isinstance(report, CardsSeen)
        ]
    return told[-1].zones[0]


def laid(layout: Layout, *cards: Laid) -> Scene:
    scene = Scene(layout, seed=7)
    for each in cards:
        scene.put(each, by_hand=False)
    return scene


def test_a_card_that_is_not_surely_read_at_the_first_start_is_told(
    layout: Layout, pattern_reader: PatternReader
) -> None:
    zone = started(layout, Doubtful(pattern_reader), laid(layout, card(1, "7C", 150)))
    (seen,) = zone.cards
    assert zone.settled
    assert not seen.sure


@pytest.mark.parametrize("apart", [(20.0, 3.0), (26.0, 20.0)])
def test_cards_that_overlap_at_the_first_start_are_told(
    layout: Layout, pattern_reader: PatternReader, apart: tuple[float, float]
) -> None:
    pair = (card(1, "7C", 120, 80), card(2, "KS", 120 + apart[0], 80 + apart[1], 4))
    zone = started(layout, pattern_reader, laid(layout, *pair), Corners())
    assert zone.settled
    assert zone.cards
    assert {str(seen.card) for seen in zone.cards if seen.sure} <= {"7C", "KS"}


def test_a_plain_patch_printed_on_the_felt_is_felt(
    layout: Layout, pattern_reader: PatternReader
) -> None:
    scene = laid(layout, card(1, "7C", 90))
    patch = np.rint(scene.quad(card(2, "KS", 220))).astype(np.int32)
    for picture in (scene._clean, scene._felt):
        cv2.fillPoly(picture, [patch], (160, 175, 110))
    zone = started(layout, pattern_reader, scene)
    assert [str(seen.card) for seen in zone.cards] == ["7C"]
