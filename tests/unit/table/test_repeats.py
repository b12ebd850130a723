"""A reader that cannot tell repeats says the same value again: was it one card or two."""

from __future__ import annotations

from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.state import Phase
from tests.support.rig import Rig

REASON = "reason.device_fault"


def again(rig: Rig, code: str) -> list[e.Event]:
    rig.sequence += 1
    return rig.give(
        o.CardRead(
            device="shoe",
            at_us=rig.at_us,
            boot="b0",
            sequence=rig.sequence,
            card=Card.parse(code),
            again=True,
        )
    )


def answer(rig: Rig, kind: type[Any]) -> None:
    fault = rig.table.hold.faults[0].id if rig.table.hold else ""
    rig.give(kind(fault=fault, reason=REASON))
    rig.give(c.LiftHold(fault=fault, reason=REASON))


def dealt(rig: Rig) -> list[str]:
    return (
        [place.card.code for place in rig.table.play.places if place.card] if rig.table.play else []
    )


def test_without_a_camera_a_repeat_asks_and_one_card_is_one_card() -> None:
    rig = Rig(sources=("shoe",)).in_play().dealing()
    rig.read("7H")
    again(rig, "7H")
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    assert dealt(rig) == ["7H"]
    answer(rig, c.AcknowledgeFault)
    assert not rig.table.held
    rig.read("KS")
    assert dealt(rig) == ["7H", "KS"]


def test_without_a_camera_a_repeat_that_was_a_card_is_dealt() -> None:
    rig = Rig(sources=("shoe",)).in_play().dealing()
    rig.read("7H")
    again(rig, "7H")
    answer(rig, c.UseAsNextCard)
    assert not rig.table.held
    assert dealt(rig) == ["7H", "7H"]


def test_each_of_several_repeats_is_asked() -> None:
    rig = Rig(sources=("shoe",)).in_play().dealing()
    rig.read("7H")
    again(rig, "7H")
    again(rig, "7H")
    answer(rig, c.AcknowledgeFault)
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    answer(rig, c.AcknowledgeFault)
    assert dealt(rig) == ["7H"]


def test_after_the_last_card_a_repeat_is_asked_and_no_card_too_many() -> None:
    rig = Rig(sources=("shoe",)).in_play().dealing()
    for code in ("9S", "2D", "KH", "5D"):
        rig.read(code)
    assert rig.table.phase is Phase.RESULT
    again(rig, "5D")
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    shoe = rig.table.shoe
    assert shoe is not None
    left = shoe.cards.left
    answer(rig, c.AcknowledgeFault)
    assert not rig.table.held
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.left == left


def test_with_a_camera_a_repeat_without_a_card_is_dropped_when_its_time_is_over() -> None:
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    again(rig, "7H")
    assert not rig.table.held
    used = rig.wait(rig.setup.times.evidence / 1e6)
    assert any(isinstance(event, e.ReadUsed) for event in used)
    rig.deal("B", "KS")
    assert dealt(rig) == ["7H", "KS"]
    assert not rig.table.held


def test_with_a_camera_a_repeat_with_a_card_is_a_card() -> None:
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    again(rig, "7H")
    rig.lay("B", "7H")
    assert dealt(rig) == ["7H", "7H"]
    assert not rig.table.held


def test_with_a_camera_another_card_shows_that_the_repeat_was_none() -> None:
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    again(rig, "7H")
    rig.read("KS")
    rig.lay("B", "KS")
    assert dealt(rig) == ["7H", "KS"]
    assert not rig.table.held


def test_a_card_that_is_told_again_as_a_new_one_is_named_a_repeat_and_no_card() -> None:
    """V7: the report is new, and yet the next card on the felt is what the shoe told after it."""
    rig = Rig().in_play().dealing()
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards.gone
    rig.deal("P", "7H")
    rig.read("7H")
    rig.read("KS")
    rig.lay("B", "KS")
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    assert dealt(rig) == ["7H"]
    answer(rig, c.AcknowledgeFault)
    assert not rig.table.held
    assert dealt(rig) == ["7H", "KS"]
    assert rig.table.play is not None
    assert rig.table.play.places[-1].sources == ("shoe", "camera")
    assert rig.table.sensing.reads == ()
    assert rig.table.shoe.cards.gone == before + 2


def test_a_card_told_again_is_a_mismatch_while_nothing_proves_that_it_was_none() -> None:
    """The shoe may have read the card wrongly: only its next word shows a repeat."""
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    rig.read("7H")
    rig.lay("B", "KS")
    assert rig.faults() == [FaultCode.READER_MISMATCH]


def test_two_equal_cards_one_after_the_other_are_two_cards() -> None:
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    rig.read("7H")
    rig.read("KS")
    rig.lay("B", "7H")
    rig.lay("P", "KS")
    assert rig.faults() == []
    assert dealt(rig) == ["7H", "7H", "KS"]


def test_a_repeat_under_a_hand_is_not_taken_for_none_before_the_hand_has_left() -> None:
    """A second card may lie under it: it is waited for twice as long, and then it is a card."""
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    rig.show(unsettled=("B",))
    again(rig, "7H")
    rig.wait(rig.setup.times.evidence / 1e6 + 1)
    assert not rig.table.held
    assert [read.identity for read in rig.table.sensing.reads] == [Card.parse("7H")]
    rig.lay("B", "7H")  # the hand has left, and the card lies there
    assert dealt(rig) == ["7H", "7H"]
    assert not rig.table.held


def test_a_repeat_under_a_hand_that_stays_is_asked_about() -> None:
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    rig.show(unsettled=("B",))
    again(rig, "7H")
    rig.wait(2 * rig.setup.times.evidence / 1e6)
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    assert dealt(rig) == ["7H"]
    answer(rig, c.AcknowledgeFault)
    assert not rig.table.held
    rig.show()
    rig.deal("B", "KS")
    assert dealt(rig) == ["7H", "KS"]
