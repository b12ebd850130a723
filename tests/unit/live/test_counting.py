"""What is counted of faults tells no more than a platform is told: anybody may read the figures."""

from __future__ import annotations

import re

import pytest

from studio.domain import observations as o
from studio.live.counting import count
from studio.live.outbox import SOME_FAULT
from studio.metrics import Metrics
from tests.support.shared import SharedRig


def counted(rig: SharedRig) -> dict[str, str]:
    """Codes by what was counted under them, of the loss of the shoe."""
    metrics, before = Metrics(), rig.table
    new = rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))
    assert rig.table.held
    count(metrics, "bb1", before, rig.table, new)
    found = re.findall(r'^cutcard_(faults|holds)_total\{code="(\w+)"', metrics.text(), re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("8S KD", "device_lost"),
        ("8S KD 9C", SOME_FAULT),
        ("8S KD 9C 7H", SOME_FAULT),
    ],
)
def test_a_fault_has_no_code_of_its_own_while_a_card_is_due_or_lies_face_down(
    cards: str, code: str
) -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards(cards)
    assert counted(rig) == {"faults": code, "holds": code}


def test_a_fault_has_its_code_again_once_the_card_is_turned() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C 7H")
    rig.answer("ann M stand")
    rig.turn_hole()
    assert counted(rig) == {"faults": "device_lost", "holds": "device_lost"}
