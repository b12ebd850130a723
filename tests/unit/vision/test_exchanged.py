"""A card exchanged while the camera could not see is read anew: the old one is never said of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from studio.domain.observations import CardsSeen
from tests.unit.vision.test_covered import PAIR, Scripted, Unsure
from tests.unit.vision.test_heaps import Box, card
from vision.corners import Corners
from vision.synthetic.scene import FRAMES_PER_SECOND
from vision.tableview import TableView

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader, Table
    from vision.layout import Layout


def settled_codes(table: Table, since: int) -> list[list[str]]:
    """What zone P was said to hold whenever it was settled, in the reports after so many."""
    return [
        [str(card.card) for card in zone.cards]
        for report in table.reports[since:]
        if isinstance(report, CardsSeen)
        for zone in report.zones
        if zone.zone == "P" and zone.settled
    ]


@pytest.mark.parametrize("fault", ["dark", "blur", "knocked"])
@pytest.mark.parametrize("frames", [3, 24])
def test_a_card_that_was_exchanged_while_the_camera_was_unfit_is_not_taken_for_the_old_one(
    table: Table, fault: str, frames: int
) -> None:
    table.lay("P", "5S")
    table.step(12)
    assert table.codes("P") == ["5S"]
    table.scene.faults = {fault}
    table.step(frames)
    table.scene.remove([card.key for card in table.world.clear("P")], by_hand=False)
    table.scene.put(table.world.lay("P", "7D", face_up=True, sideways=False), by_hand=False)
    table.step(2)
    during = len(table.reports)
    table.scene.faults = set()
    table.step(30)
    assert table.codes("P") == ["7D"]
    assert ["5S"] not in settled_codes(table, during)


def test_a_card_exchanged_for_one_that_looks_alike_while_no_frame_came_is_read_anew(
    table: Table,
) -> None:
    laid = table.lay("P", "5C")
    table.step(12)
    table.number += 2 * FRAMES_PER_SECOND
    table.scene.put(replace(laid, code="5S"), by_hand=False)
    during = len(table.reports)
    table.step(12)
    assert table.codes("P") == ["5S"]
    assert ["5C"] not in settled_codes(table, during)


def test_a_hand_that_passes_over_a_card_has_it_read_again_and_tells_nothing_new(
    table: Table,
) -> None:
    laid = table.lay("P", "5C")
    table.step(12)
    asked, since = table.reader.asked, len(table.reports)
    table.scene.put(laid)
    table.step(12)
    assert table.reader.asked > asked
    assert set(map(tuple, settled_codes(table, since))) == {("5C",)}


@pytest.fixture(scope="module")
def finder() -> Corners:
    return Corners()


@pytest.mark.parametrize(
    "codes", [("7C", "7S"), ("TC", "9S"), ("JC", "KS"), ("5C", "5S"), ("QH", "QD")]
)
def test_a_card_exchanged_exactly_beneath_its_neighbour_is_no_longer_sure(
    layout: Layout, pattern_reader: PatternReader, finder: Corners, codes: tuple[str, str]
) -> None:
    """Its index is read again after the hand, and the neighbours keep their readings."""
    box = Box(layout, pattern_reader)
    box.view = TableView(layout, pattern_reader, count(1), box.frame(), corners=finder)
    box.step(4)
    fan = [card(1, codes[0], 150), card(2, "8H", 168, 88, 3), card(3, "4D", 186, 91, -3)]
    assert box.deal(fan) == [codes[0], "8H", "4D"]
    told = box.swap(fan, [replace(fan[0], key=9, code=codes[1]), *fan[1:]])
    assert codes[0] not in told
    assert told[1:] == ["8H", "4D"]
    assert box.settled


def test_a_card_that_was_not_found_in_one_look_is_compared_when_something_lies_there_again(
    table: Table,
) -> None:
    table.lay("P", "5S")
    table.step(12)
    seen = len(table.reports)
    # Two pictures in which no card is found, as in a flash; then another card lies there.
    for _ in range(2):
        table.number += 1
        flash = table.scene._sensor(table.scene._felt)
        table.reports += table.eye.frame(flash, table.number, table.now_s)
    table.scene.remove([card.key for card in table.world.clear("P")], by_hand=False)
    table.scene.put(table.world.lay("P", "7D", face_up=True, sideways=False), by_hand=False)
    table.step(30)
    assert table.codes("P") == ["7D"]
    assert ["5S"] not in settled_codes(table, seen)


@pytest.mark.parametrize("codes", [("5C", "5S"), ("KC", "KS")])
@pytest.mark.parametrize("aside", [0.0, 0.5, 3.0])
def test_a_card_of_the_same_rank_and_colour_in_the_place_of_another_is_read_anew(
    layout: Layout, pattern_reader: PatternReader, codes: tuple[str, str], aside: float
) -> None:
    """In the small pictures by which cards are compared the two are the same."""
    box = Box(layout, pattern_reader)
    before, after = card(1, codes[0], 150), card(2, codes[1], 150 + aside)
    assert box.deal([before]) == [codes[0]]
    assert box.swap([before], [after]) == [codes[1]]


@pytest.mark.parametrize("x", [136, 140])
def test_a_covered_card_in_the_place_of_one_that_was_sure_is_not_told_as_that_one(
    layout: Layout, pattern_reader: PatternReader, x: float
) -> None:
    box, corners = Box(layout, pattern_reader), Scripted(layout)
    box.corners = corners
    box.view = TableView(layout, pattern_reader, count(1), box.frame(), corners=corners)
    box.step(4)
    gone, pair = card(9, "5S", x), PAIR
    assert box.deal([gone]) == ["5S"]
    corners.add(pair[0], "7C")
    corners.add(pair[1], "KS")
    corners.add(pair[1], "KS", far_end=True)
    assert "5S" not in box.swap([gone], pair, frames=40)
    assert box.settled


def test_a_card_known_by_its_corners_that_was_exchanged_is_read_anew(layout: Layout) -> None:
    box, corners = Box(layout, Unsure()), Scripted(layout)  # type: ignore[arg-type]
    box.corners = corners
    box.view = TableView(layout, Unsure(), count(1), box.frame(), corners=corners)
    box.step(4)
    for code in ("KS", "QD"):
        pair = (PAIR[0], replace(PAIR[1], code=code))
        corners.corners.clear()
        corners.add(pair[1], code)
        corners.add(pair[1], code, far_end=True)
        assert box.swap(PAIR, pair, frames=40)[-1] == code
