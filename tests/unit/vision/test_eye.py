"""The chain in one process: rendered, compressed frames in, observations out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from studio.domain.observations import (
    CameraFit,
    CameraUnfit,
    CardsSeen,
    LinkRates,
    Look,
    Unfit,
)
from vision.eye import Eye
from vision.layout import Layout
from vision.synthetic.scene import decode, encode

if TYPE_CHECKING:
    from tests.unit.vision.conftest import PatternReader, Table


def test_a_camera_says_once_that_it_is_fit(table: Table) -> None:
    table.step(20)
    assert [type(each) for each in table.reports].count(CameraFit) == 1


def test_an_empty_table_has_all_its_zones_in_the_report(table: Table) -> None:
    zones = [each for each in table.reports if isinstance(each, CardsSeen)][-1].zones
    assert [(zone.zone, zone.settled, zone.cards) for zone in zones] == [
        ("P", True, ()),
        ("B", True, ()),
        ("BURN", True, ()),
        ("DISCARD", True, ()),
    ]


def test_a_laid_card_is_told_within_six_frames(table: Table) -> None:
    table.lay("P", "7H")
    reports = table.step(6)
    seen = [each for each in reports if isinstance(each, CardsSeen)]
    assert [each.zones[0].settled for each in seen] == [False, True]
    (card,) = seen[-1].zones[0].cards
    assert (str(card.card), card.look, card.sure) == ("7H", Look.FACE, True)
    assert card.confidence_milli >= 990
    assert len(card.quad) == 4


def test_a_coup_is_told_card_by_card_in_order_of_arrival(table: Table) -> None:
    for zone, code in (("P", "7H"), ("B", "KS"), ("P", "3C"), ("B", "TD")):
        table.lay(zone, code)
        table.step(6)
    table.lay("P", "QH", sideways=True)
    table.step(6)
    assert table.codes("P") == ["7H", "3C", "QH"]
    assert table.codes("B") == ["KS", "TD"]


def test_two_equal_cards_are_two_cards(table: Table) -> None:
    for _ in range(2):
        table.lay("P", "7H")
        table.step(6)
    assert table.codes("P") == ["7H", "7H"]
    assert len({card.track for card in table.zone("P").cards}) == 2


def test_a_still_table_tells_nothing_and_reads_nothing(table: Table) -> None:
    table.lay("P", "7H")
    table.step(8)
    asked = table.reader.asked
    reports = table.step(60)
    assert not [each for each in reports if isinstance(each, CardsSeen)]
    assert table.reader.asked == asked


def test_a_back_is_a_back_until_it_is_turned_and_stays_the_same_thing(table: Table) -> None:
    table.lay("BURN", "5D", up=False)
    table.step(6)
    assert table.codes("BURN") == ["back"]
    track = table.zone("BURN").cards[0].track
    table.scene.put(table.world.turn("BURN", 0))
    table.step(6)
    assert table.codes("BURN") == ["5D"]
    assert table.zone("BURN").cards[0].track == track


def test_the_cut_card_is_the_cut_card(table: Table) -> None:
    table.lay("BURN", "CUT")
    table.step(6)
    assert table.codes("BURN") == ["cut"]


def test_an_exchanged_card_is_the_same_thing_with_another_reading(table: Table) -> None:
    old = table.lay("P", "8D")
    table.step(6)
    track = table.zone("P").cards[0].track
    del table.world.cards[old.key]
    table.scene.remove([old.key])
    table.lay("P", "8H")
    table.step(8)
    assert table.codes("P") == ["8H"]
    assert table.zone("P").cards[0].track == track


def test_cleared_cards_are_gone(table: Table) -> None:
    for _ in range(3):
        table.lay("B", "9C")
        table.step(6)
    table.clear("B")
    table.step(7)
    assert table.codes("B") == []
    assert table.zone("B").settled


def test_a_hand_that_stays_keeps_the_zone_unsettled_with_its_last_cards(table: Table) -> None:
    table.lay("P", "7H")
    table.step(6)
    table.scene.hold("P")
    table.step(40)
    assert not table.zone("P").settled
    assert table.codes("P") == ["7H"]
    assert table.zone("B").settled
    table.scene.hold(None)
    table.step(6)
    assert table.zone("P").settled
    assert table.codes("P") == ["7H"]


def test_nothing_is_read_in_the_discard_rack(table: Table) -> None:
    table.lay("DISCARD", "7H")
    reports = table.step(8)
    assert table.zone("DISCARD").cards == ()
    assert not [each for each in reports if isinstance(each, CardsSeen) and each.zones[3].cards]


def test_a_burnt_out_card_is_asked_about_and_never_sure(table: Table) -> None:
    table.world.faults.add("unsure")
    table.lay("P", "7H")
    table.step(24)
    (card,) = table.zone("P").cards
    assert not card.sure


def test_a_drifting_lamp_moves_nothing(table: Table) -> None:
    table.lay("P", "7H")
    table.step(8)
    reports = []
    for number in range(40):
        table.number += 1
        image = table.scene.frame().astype(np.float32) * (1 - 0.008 * number)
        body = encode(np.clip(image, 0, 255).astype(np.uint8))
        reports += table.eye.frame(decode(body), table.number, table.now_s)
    assert not [each for each in reports if isinstance(each, CardsSeen)]


@pytest.mark.parametrize("fault", ["dark", "blur", "knocked"])
def test_no_card_is_told_while_the_camera_is_unfit(table: Table, fault: str) -> None:
    table.lay("P", "7H")
    table.step(6)
    table.scene.faults.add(fault)
    reports = table.step(24)
    assert [each.why for each in reports if isinstance(each, CameraUnfit)] == [Unfit(fault)]
    table.lay("B", "KS")
    assert not [each for each in table.step(20) if isinstance(each, CardsSeen)]
    table.scene.faults.clear()
    reports = table.step(30)
    assert len([each for each in reports if isinstance(each, CameraFit)]) == 1
    assert (table.codes("P"), table.codes("B")) == (["7H"], ["KS"])


def test_a_frozen_picture_never_tells_a_card(table: Table) -> None:
    table.lay("P", "7H")
    image = decode(encode(table.scene.frame()))
    reports = []
    for _ in range(40):
        table.number += 1
        reports += table.eye.frame(image, table.number, table.now_s)
    told = [each for each in reports if isinstance(each, CardsSeen)]
    assert not [card for each in told for zone in each.zones for card in zone.cards]
    assert [each.why for each in reports if isinstance(each, CameraUnfit)] == [Unfit.FROZEN]


def test_a_torn_frame_is_counted_and_changes_nothing(table: Table) -> None:
    table.number += 1
    assert decode(b"\xff\xd8 torn") is None
    table.eye.frame(None, table.number, table.now_s)
    table.step(20)
    rates = [each for each in table.reports if isinstance(each, LinkRates)][-1]
    assert rates.garbage == 1
    assert rates.frames < rates.bytes


def test_a_camera_that_never_gave_a_picture_is_lost(
    layout: Layout, pattern_reader: PatternReader
) -> None:
    eye = Eye("cam", layout, pattern_reader)
    reports = [report for number in range(80) for report in eye.tick(number / 16)]
    assert [each.why for each in reports if isinstance(each, CameraUnfit)] == [Unfit.LOST]


def test_rates_are_told_at_most_once_a_second(table: Table) -> None:
    reports = table.step(64)
    assert 3 <= len([each for each in reports if isinstance(each, LinkRates)]) <= 5


def test_an_eye_that_knows_the_empty_felt_sees_cards_that_already_lie_there(
    layout: Layout, pattern_reader: PatternReader, table: Table
) -> None:
    empty = table.eye.empty
    assert empty is not None
    table.lay("P", "7H")
    table.step(6)
    eye = Eye("cam", layout, pattern_reader, empty=empty, first_track=77)
    seen = []
    for number in range(1, 8):
        image = decode(encode(table.scene.frame()))
        reports = eye.frame(image, number, number / 16)
        seen += [each for each in reports if isinstance(each, CardsSeen)]
    assert [str(card.card) for card in seen[-1].zones[0].cards] == ["7H"]
    assert seen[-1].zones[0].cards[0].track == 77


def test_a_camera_that_starts_while_cards_lie_there_sees_them(
    layout: Layout, pattern_reader: PatternReader, table: Table
) -> None:
    for zone, code in (("P", "7H"), ("B", "KS"), ("P", "3C")):
        table.lay(zone, code)
    table.step(6)
    eye = Eye("cam", layout, pattern_reader)
    seen = []
    for number in range(1, 12):
        image = decode(encode(table.scene.frame()))
        reports = eye.frame(image, number, number / 16)
        seen += [each for each in reports if isinstance(each, CardsSeen)]
    codes = [[str(card.card) for card in zone.cards] for zone in seen[-1].zones]
    assert codes == [["7H", "3C"], ["KS"], [], []]


def test_a_self_test_needs_the_felt_and_a_card_that_is_read(table: Table) -> None:
    """VISION.md: it finds its marks, and it reads a card that is presented."""
    assert not table.eye.test().passed
    assert table.eye.test(card=False).passed
    table.lay("P", "7H")
    table.step(6)
    tested = table.eye.test()
    assert tested.passed
    assert "7" not in tested.text


def test_a_camera_that_sees_nothing_fails_its_self_test(table: Table) -> None:
    table.lay("P", "7H")
    table.step(6)
    table.scene.faults = {"dark"}
    table.step(30)
    tested = table.eye.test(card=False)
    assert (tested.passed, "dark" in tested.text) == (False, True)
    fresh = Eye("cam", table.layout, table.reader)
    assert not fresh.test(card=False).passed
