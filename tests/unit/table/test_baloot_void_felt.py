"""What lies on the felt of a voided round of Baloot while its cards are collected."""

import pytest

from studio.domain import commands as c
from studio.domain.observations import Look
from studio.table.state import Phase
from tests.support.baloot_rig import BalootRig
from tests.support.row_play import REASON


@pytest.mark.parametrize("sources", [("shoe", "camera"), ("camera",)])
def test_a_card_that_is_collected_after_a_void_is_neither_out_of_turn_nor_one_more(
    sources: tuple[str, ...],
) -> None:
    rig = BalootRig(sources=sources).opened(round_0=1000).until("last_packets")
    rig.give(c.CallSupervisor())
    assert rig.table.hold is not None
    assert rig.table.round is not None
    fault, round_id = rig.table.hold.faults[0].id, rig.table.round.id
    rig.give(c.VoidRound(fault=fault, reason=REASON, round_id=round_id))
    assert (rig.table.phase, rig.table.held) == (Phase.RESULT, False)
    rig.felt["H0"].clear()
    rig.lay("T0", "KH")
    assert rig.felt["T0"][0].look is Look.FACE
    rig.wait(3)
    assert rig.faults() == []
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.dead == 0
    rig.collected()
    assert not rig.table.held
