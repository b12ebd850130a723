"""What a platform is told of a hold: never what would name a card that lies face down."""

from typing import Any

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.live.outbox import feed_entries
from tests.support.shared import SharedRig


def held_as(rig: SharedRig, given: Any) -> list[str]:
    """What is told of the hold that follows."""
    before = rig.table
    new = rig.give(given)
    entries = feed_entries(rig.setup, before, new, stream="s", version=0, at_us=rig.at_us)
    return [str(dict(entry.data)["fault"]) for entry in entries if entry.type == "table.held"]


def again(rig: SharedRig, code: str) -> o.CardRead:
    """The card before once more, by a reader that cannot tell whether it is another one."""
    return o.CardRead(
        device="shoe",
        at_us=rig.at_us,
        boot="b0",
        sequence=rig.sequence + 1,
        card=Card.parse(code),
        again=True,
    )


def test_a_hole_card_that_equals_the_card_before_is_not_told_by_the_word_of_a_hold() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S KD 9C")
    assert held_as(rig, again(rig, "9C")) == ["fault"]
    assert rig.faults() == [FaultCode.REPEATED_CARD]


def test_every_hold_has_that_word_while_a_card_lies_face_down() -> None:
    """A word for one kind of hold alone would name it."""
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D 9C 7H")
    assert held_as(rig, c.CallSupervisor()) == ["fault"]


def test_before_and_after_a_hold_is_told_by_its_code() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D")
    assert held_as(rig, again(rig, "6D")) == ["repeated_card"]
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D TC 7H")
    rig.answer("ann M stand")
    rig.turn_hole()
    assert held_as(rig, c.CallSupervisor()) == ["dealer_call"]


def test_a_card_that_is_turned_and_found_wanting_at_once_is_told_by_its_code() -> None:
    """The facts of one decision count in their order."""
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D TC 7H")
    rig.answer("ann M stand")
    before = rig.table
    new = [*rig.turn_hole(), *rig.give(c.CallSupervisor())]
    told = feed_entries(rig.setup, before, new, stream="s", version=0, at_us=rig.at_us)
    assert [dict(entry.data) for entry in told if entry.type == "table.held"] == [
        {"fault": "dealer_call"}
    ]
