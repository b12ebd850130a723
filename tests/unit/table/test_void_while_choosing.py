"""A round that is declared not played while players choose, or while the wallet is asked."""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.table.state import Phase
from tests.support.shared import SharedRig, reasons


def eights() -> SharedRig:
    """A pair of eights against a six, and the first window is open."""
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D 8C TC")
    return rig


def void(rig: SharedRig) -> None:
    """A supervisor declares the open round not played."""
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    rig.give(c.VoidRound(fault=rig.fault(), reason="reason.other", round_id=rig.table.round.id))
    assert (rig.table.phase, rig.table.held) == (Phase.RESULT, False)


def test_a_decision_after_the_void_is_refused() -> None:
    rig = eights()
    void(rig)
    assert reasons(rig.answer("ann M hit", window=1)) == ["window_closed"]


def test_the_wallets_word_that_comes_after_the_void_is_rolled_back() -> None:
    rig = eights()
    rig.silent = True
    rig.answer("ann M double")
    void(rig)
    late = rig.give(o.FundsAnswered(device="w", at_us=rig.at_us, batch="window/1"))
    assert late == [e.FundsLate(batch="window/1")]
    assert rig.table.phase is Phase.RESULT


def test_the_wallets_word_that_comes_once_the_felt_is_clear_is_rolled_back() -> None:
    rig = eights()
    rig.silent = True
    rig.answer("ann M double")
    void(rig)
    rig.give(c.ConfirmStep())
    rig.wait(60)
    late = rig.give(o.FundsAnswered(device="w", at_us=rig.at_us, batch="window/1"))
    assert late == [e.FundsLate(batch="window/1")]
