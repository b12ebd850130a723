"""Which rounds of a shoe count towards the last round of a side bet (D-13)."""

from __future__ import annotations

import pytest

from studio.domain import commands as c
from studio.table.lanes import cutoffs
from tests.support.row_shared import SHOE, SharedRig


@pytest.mark.parametrize(("cards", "counts"), [("", 1), ("TS", 2)])
def test_d13_a_cancelled_round_counts_once_its_first_card_has_left_the_shoe(
    cards: str, counts: int
) -> None:
    rig = SharedRig(sources=SHOE).seated(ann=1000)
    before = {bet: last for bet, last, _ in cutoffs(rig.setup, rig.table)}
    if cards:
        rig.read(cards)
    rig.wait(31)
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason="reason.not_provable", round_id=rig.table.round.id)
    assert rig.refused(void) is None
    rig.give(c.ConfirmStep())
    rig.wait(30)
    assert (rig.table.round.number, rig.table.round.counted) == (2, counts)
    shown = {bet: (last, left) for bet, last, left in cutoffs(rig.setup, rig.table)}
    assert shown == {bet: (last + 2 - counts, last - counts) for bet, last in before.items()}
