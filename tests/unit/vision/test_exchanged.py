"""A card exchanged while the camera could not see is read anew: the old one is never said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from studio.domain.observations import CardsSeen

if TYPE_CHECKING:
    from tests.unit.vision.conftest import Table


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
