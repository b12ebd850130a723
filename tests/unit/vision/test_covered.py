"""Cards of which a corner shows: found by corners, and sure only with a second kind of evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from studio.domain.cards import Card
from studio.domain.observations import Look
from vision.assemble import By, Physical
from vision.corners import Corner, IndexVote
from vision.layout import Layout
from vision.locate import Image, window
from vision.reader import CARDS, CardKind, Reading
from vision.settle import Vote
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import Laid
from vision.tableview import TableView
from vision.votes import covered_vote

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader

RANKS, SUITS = "A23456789TJQK", "CDHS"
SEVEN, KING = Card.parse("7C"), Card.parse("KS")
INDEX_MM = 14.0
"""Height of the index on the demonstration deck, near enough."""


def vote_for(code: str, strength: float = 12.0, there: float = 0.99) -> IndexVote:
    ranks = np.zeros(13, dtype=np.float32)
    suits = np.zeros(4, dtype=np.float32)
    ranks[RANKS.index(code[0])] = suits[SUITS.index(code[1])] = strength
    return IndexVote(ranks=ranks, suits=suits, there=there, hidden=np.zeros(80, dtype=np.float32))


@dataclass
class Scripted:
    """Knows where index corners are, in pixels of the frame, and what they say."""

    layout: Layout
    zone: str = "P"
    corners: list[tuple[Corner, IndexVote]] = field(default_factory=list)
    temperature: float = 1.0
    frame: Image | None = None
    """What is looked at, to know where in it a part lies."""
    looked: int = 0
    sizes: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, laid: Laid, code: str, *, far_end: bool = False, **vote: float) -> None:
        """The index of a card, at its upper left or at the other end."""
        right, down = -63 / 2 + 3 + 0.3 * INDEX_MM, -88 / 2 + 4 + 0.5 * INDEX_MM
        turn = math.radians(laid.degrees) + (math.pi if far_end else 0.0)
        cos, sin = math.cos(turn), math.sin(turn)
        at = (laid.x + right * cos - down * sin, laid.y + right * sin + down * cos)
        ahead = (at[0] + 5 * cos, at[1] + 5 * sin)
        (x, y), (x1, y1) = self.layout.to_pixels([at, ahead])
        high = INDEX_MM * math.hypot(x1 - x, y1 - y) / 5
        corner = Corner(x=x, y=y, angle=math.atan2(y1 - y, x1 - x), high=high, score=0.9)
        self.corners.append((corner, vote_for(code, **vote)))

    def find(self, image: Image, *, least: float = 8, most: float = 90) -> list[Corner]:
        assert least < most
        self.looked += 1
        self.sizes.append(image.shape)
        high, wide = image.shape[:2]
        x0, y0 = self._offset(image)
        moved = [replace(c, x=c.x - x0, y=c.y - y0) for c, _ in self.corners]
        return [c for c in moved if 0 <= c.x < wide and 0 <= c.y < high]

    def read(self, image: Image, corners: Sequence[Corner]) -> list[IndexVote]:
        x0, y0 = self._offset(image)
        return [
            min(
                self.corners,
                key=lambda known, c=c: math.hypot(known[0].x - x0 - c.x, known[0].y - y0 - c.y),  # type: ignore[misc]
            )[1]
            for c in corners
        ]

    def _offset(self, image: Image) -> tuple[float, float]:
        """Where a part of the last frame lies in it."""
        if self.frame is None:
            where = window(self.layout, self.layout.zone(self.zone))
            return where.x0, where.y0
        x, y = cv2.minMaxLoc(cv2.matchTemplate(self.frame, image, cv2.TM_SQDIFF))[2]
        return x, y


class Unsure:
    """A reader that takes every crop for something else; covered cards look like that."""

    deck: object | None = None

    def __init__(self, says: Reading | None = None) -> None:
        self.says = says or Reading(
            kind=CardKind.OTHER, card=None, confidence=0.9, sure=False, second=None, turned=False
        )

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        return [self.says for _ in crops]


def laid(key: int, code: str, x: float, y: float = 90.0) -> Laid:
    return Laid(key=key, zone="P", place=key, code=code, face_up=True, x=x, y=y, degrees=2.0)


PAIR = (laid(1, "7C", 150), laid(2, "KS", 170))


def told(
    layout: Layout, reader: object, corners: Scripted | None, cards: Sequence[Laid]
) -> list[str]:
    """What is told of cards that nobody saw being dealt."""
    scene = Scene(layout, seed=3)
    empty = decode(encode(scene.frame()))
    assert empty is not None
    view = TableView(layout, reader, count(1), empty, corners=corners)  # type: ignore[arg-type]
    for each in cards:
        scene.put(each, by_hand=False)
    for number in range(1, 25):
        image = decode(encode(scene.frame()))
        assert image is not None
        if corners is not None:
            corners.frame = image
        zone = view.look(image, number / FRAMES_PER_SECOND)[0]
    assert zone.settled
    return [
        (each.card.code if each.card else each.look.value) + ("" if each.sure else "?")
        for each in zone.cards
    ]


def test_two_corners_of_one_card_make_it_sure_and_one_alone_does_not(layout: Layout) -> None:
    corners = Scripted(layout)
    corners.add(PAIR[0], "7C")
    corners.add(PAIR[1], "KS")
    corners.add(PAIR[1], "KS", far_end=True)
    assert told(layout, Unsure(), corners, PAIR) == ["7C?", "KS"]


def test_one_corner_with_a_whole_reading_that_agrees_is_sure(
    layout: Layout, pattern_reader: PatternReader
) -> None:
    corners = Scripted(layout)
    corners.add(PAIR[1], "KS")
    corners.add(PAIR[0], "7C")
    assert told(layout, pattern_reader, corners, PAIR)[-1] == "KS"


def test_corners_that_contradict_each_other_on_one_card_are_never_sure(layout: Layout) -> None:
    corners = Scripted(layout)
    corners.add(PAIR[1], "KS")
    corners.add(PAIR[1], "KC", far_end=True)
    corners.add(PAIR[0], "7C")
    assert all(each.endswith("?") for each in told(layout, Unsure(), corners, PAIR))


def test_an_index_that_is_none_leaves_the_heap_unknown(layout: Layout) -> None:
    corners = Scripted(layout)
    corners.add(PAIR[0], "7C", there=0.1)
    assert told(layout, Unsure(), corners, PAIR) == ["unknown?"]


def test_corners_are_looked_for_in_known_cards_and_in_the_zone_only_where_a_heap_lies(
    layout: Layout, pattern_reader: PatternReader
) -> None:
    corners = Scripted(layout)
    assert told(layout, pattern_reader, corners, [laid(1, "KS", 120), laid(2, "JD", 220)]) == [
        "KS",
        "JD",
    ]
    # Once in each card that is sure, to know later what its indices said.
    assert len(corners.sizes) == 2
    assert all(max(shape[:2]) < 160 for shape in corners.sizes)
    corners.looked = 0
    corners.sizes.clear()
    corners.add(PAIR[0], "7C")
    told(layout, Unsure(), corners, PAIR)
    assert 1 <= corners.looked <= 3
    assert all(shape[1] < layout.image[0] / 2 for shape in corners.sizes)


def physical(card: Card, confidence: float, corners: int, *, sure: bool) -> Physical:
    return Physical(
        kind=CardKind.FACE,
        card=card,
        confidence=confidence,
        sure=sure,
        by=By.INDEX,
        quad=np.zeros((4, 2)),
        indices=tuple(range(corners)),
    )


@pytest.mark.parametrize(
    ("index", "whole", "sure"),
    [
        (physical(SEVEN, 0.99, 2, sure=True), None, True),
        (physical(SEVEN, 0.99, 2, sure=True), (SEVEN, 0.6, False), True),
        (physical(SEVEN, 0.99, 2, sure=True), (KING, 0.999, True), False),
        (physical(SEVEN, 0.6, 2, sure=False), (SEVEN, 0.999, True), True),
        (physical(SEVEN, 0.4, 2, sure=False), (SEVEN, 0.999, True), False),
        (physical(SEVEN, 0.9, 1, sure=False), (SEVEN, 0.95, False), True),
        (physical(SEVEN, 0.9, 1, sure=False), (SEVEN, 0.8, False), False),
        (physical(SEVEN, 0.8, 1, sure=False), (SEVEN, 0.95, False), False),
        (physical(SEVEN, 0.9, 1, sure=False), (KING, 0.95, False), False),
        (physical(SEVEN, 0.9, 1, sure=False), None, False),
    ],
)
def test_a_covered_card_is_sure_with_two_corners_or_two_kinds_of_evidence(
    index: Physical, whole: tuple[Card, float, bool] | None, sure: bool
) -> None:
    vote = Vote(look=Look.UNKNOWN)
    if whole is not None:
        vote = Vote(look=Look.FACE, card=whole[0], confidence=whole[1], sure=whole[2])
    said = covered_vote(index, vote)
    assert (said.card, said.sure) == (SEVEN, sure)


@pytest.mark.parametrize(
    ("index", "whole", "sure"),
    [
        (physical(SEVEN, 0.99, 2, sure=True), None, False),
        (physical(SEVEN, 0.99, 2, sure=True), (SEVEN, 0.95, False), False),
        (physical(SEVEN, 0.99, 1, sure=False), (SEVEN, 0.95, False), False),
        (physical(SEVEN, 0.99, 2, sure=True), (KING, 0.999, True), False),
        (physical(SEVEN, 0.4, 2, sure=False), (SEVEN, 0.999, True), False),
        (physical(SEVEN, 0.6, 1, sure=False), (SEVEN, 0.999, True), True),
    ],
)
def test_with_an_own_deck_only_that_deck_makes_a_covered_card_sure(
    index: Physical, whole: tuple[Card, float, bool] | None, sure: bool
) -> None:
    """A foreign card shows an index too."""
    vote = Vote(look=Look.UNKNOWN)
    if whole is not None:
        vote = Vote(look=Look.FACE, card=whole[0], confidence=whole[1], sure=whole[2])
    assert covered_vote(index, vote, own_deck=True).sure is sure


def test_a_foreign_card_in_a_heap_is_asked_about_where_a_deck_is_enrolled(layout: Layout) -> None:
    """Its indices agree, and the deck does not know it."""
    corners = Scripted(layout)
    corners.add(PAIR[0], "7C")
    corners.add(PAIR[1], "KS")
    corners.add(PAIR[1], "KS", far_end=True)
    reader = Unsure()
    assert told(layout, reader, corners, PAIR)[-1] == "KS"
    reader.deck = object()
    assert told(layout, reader, corners, PAIR)[-1] == "KS?"


def test_the_cards_of_votes_are_in_the_readers_order() -> None:
    assert [RANKS[at // 4] + SUITS[at % 4] for at in range(52)] == [card.code for card in CARDS]
