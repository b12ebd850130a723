"""The work of a frame is bounded; what it has no time for is done in the next ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from studio.domain.cards import PACK, Card
from studio.domain.observations import CardsSeen, ZoneSeen
from vision.corners import Corners
from vision.eye import Eye
from vision.layout import Layout
from vision.locate import Image
from vision.reader import CardKind, Reader, Reading
from vision.synthetic.boxes import COLUMNS, ROWS, boxes_layout, in_box
from vision.synthetic.scene import Scene
from vision.tableview import TableView
from vision.turn import LEAST_S, MOST_S, READ_MS, SHARE, Budget

BOXES = COLUMNS * ROWS


def test_a_budget_is_a_share_of_the_time_between_two_frames() -> None:
    for between_s in (LEAST_S, MOST_S):
        budget = Budget(between_s)
        steps = sum(budget.take(1.0) for _ in range(200))
        assert steps == int(1000 * SHARE * between_s)
    assert Budget(60.0).take(1000 * SHARE * MOST_S)


def test_a_step_that_is_dearer_than_a_frame_is_done_alone() -> None:
    budget = Budget(LEAST_S)
    assert budget.take(1000.0)
    assert not budget.take(0.1)


class Counting:
    """A reader that counts what it is given in each frame."""

    def __init__(self) -> None:
        self.counts: list[int] = []

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        self.counts.append(len(crops))
        sure = Reading(
            kind=CardKind.FACE, card=Card.parse("7H"), confidence=0.999, sure=True,
            second=None, turned=False,
        )  # fmt: skip
        return [sure for _ in crops]


@pytest.fixture(scope="module")
def boxes() -> Layout:
    return boxes_layout()


def looked_at(scene: Scene, view: TableView, frames: int, now_s: float) -> list[list[ZoneSeen]]:
    return [list(view.look(scene.frame(), now_s + at * LEAST_S)) for at in range(1, frames + 1)]


def test_fourteen_cards_at_once_are_read_a_few_in_each_frame_and_all_told(boxes: Layout) -> None:
    scene, reader = Scene(boxes, seed=2), Counting()
    view = TableView(boxes, reader, count(1), scene.frame())
    looked_at(scene, view, 8, 0.0)
    for box in range(BOXES):
        scene.put(in_box(box, box + 1, PACK[box].code), by_hand=False)
    told = looked_at(scene, view, 24, 1.0)
    assert max(reader.counts) <= 1000 * SHARE * LEAST_S / READ_MS + 1
    assert sum(reader.counts) == 2 * BOXES
    assert all(zone.settled and zone.cards[0].sure for zone in told[-1])


def test_a_heap_for_which_one_frame_has_no_time_is_told_some_frames_later(boxes: Layout) -> None:
    scene = Scene(boxes, seed=2)
    view = TableView(boxes, Counting(), count(1), scene.frame())
    looked_at(scene, view, 8, 0.0)
    for place in range(3):
        for box in range(4):
            key = 1 + box + 4 * place
            scene.put(in_box(box, key, PACK[key].code, place, fanned=True), by_hand=False)
        told = looked_at(scene, view, 24, 1.0 + place)
        for zone in told[-1][:4]:
            assert zone.settled
            assert len(zone.cards) == place + 1
    waits = [zone.settled for zones in told for zone in zones[:4]]
    assert not all(waits)


class Watched:
    """An eye over a scene, and the newest word about each zone."""

    def __init__(self, scene: Scene, layout: Layout) -> None:
        self.scene, self.number = scene, 0
        self.eye = Eye("camera", layout, Reader(), corners=Corners())
        self.zones: dict[str, ZoneSeen] = {}

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.number += 1
            for report in self.eye.frame(self.scene.frame(), self.number, self.number * LEAST_S):
                if isinstance(report, CardsSeen):
                    self.zones.update({zone.zone: zone for zone in report.zones})

    def codes(self) -> dict[str, list[str]]:
        return {name: [str(card.card) for card in zone.cards] for name, zone in self.zones.items()}

    def rest(self, most: int) -> bool:
        """Look until every zone has settled."""
        for _ in range(most):
            self.frames(1)
            if self.zones and all(zone.settled for zone in self.zones.values()):
                return True
        return False


def test_fourteen_heaps_that_a_dark_moment_disturbed_come_to_rest_as_they_were(
    boxes: Layout,
) -> None:
    watched = Watched(Scene(boxes, seed=2), boxes)
    watched.frames(12)
    for place in range(2):
        for box in range(BOXES):
            key = 1 + box + BOXES * place
            code = PACK[(3 * box + 7 * place) % len(PACK)].code
            watched.scene.put(in_box(box, key, code, place, fanned=True), by_hand=False)
        watched.frames(4)
        assert watched.rest(120)
    before = watched.codes()
    assert all(len(codes) == 2 for codes in before.values())
    watched.scene.faults = {"dark"}
    watched.frames(40)
    watched.scene.faults = set()
    watched.frames(4)
    assert watched.rest(120)
    assert watched.codes() == before
