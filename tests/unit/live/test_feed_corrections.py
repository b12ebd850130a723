"""What a platform is told when a card of the open round was another one."""

from typing import Any

from studio.domain import commands as c
from studio.domain.cards import Card
from studio.live.outbox import feed_entries
from tests.support.shared import SharedRig


def told(rig: SharedRig, index: int, code: str) -> list[tuple[str, dict[str, Any]]]:
    """The entries about the correction of a card."""
    rig.give(c.CallSupervisor())
    before = rig.table
    new = rig.give(
        c.CorrectCard(
            fault=rig.fault(), reason="reason.card_identity", index=index, card=Card.parse(code)
        )
    )
    entries = feed_entries(rig.setup, before, new, stream="s", version=0, at_us=rig.at_us)
    return [(entry.type, dict(entry.data)) for entry in entries]


def test_a_corrected_card_is_told_as_dealt_again_in_its_place() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C TC")
    right = {"index": 3, "to": "M", "card": "2C", "face": "up"}
    assert told(rig, 3, "2C") == [("card.dealt", right)]


def test_what_a_hidden_card_truly_is_is_not_told_before_it_is_turned() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C TC")
    rig.answer("ann M stand")
    assert told(rig, 4, "9C") == []


def test_a_turned_card_that_is_corrected_is_told_again() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C TC")
    rig.answer("ann M stand")
    rig.turn_hole()
    right = {"index": 4, "to": "D", "card": "2C", "face": "up"}
    assert told(rig, 4, "2C") == [("card.dealt", right)]
