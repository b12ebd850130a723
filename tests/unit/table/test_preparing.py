"""A camera that is set up: when it may be, what it keeps from being dealt, and how it ends."""

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.faults import FaultCode
from studio.table.state import Phase
from tests.support.rig import Rig

TOMAS = c.Asker(number="4001", name="Tomas E.", role="engineer", session="e1")
BEGIN = c.SetUpCamera(act="begin", kind="calibrate")
KEEP = c.SetUpCamera(act="keep", name="bb1.json version 7", digest="ab" * 32)
END = c.SetUpCamera(act="end")


@pytest.fixture
def rig() -> Rig:
    """An open table in mid-shoe, between two rounds."""
    return Rig().in_play()


def back(rig: Rig) -> None:
    """The camera's process was ended and comes back with what was kept."""
    rig.give(o.DeviceOffline(device="camera", at_us=rig.at_us, reason="it begins anew"))
    rig.give(o.DeviceOnline(device="camera", at_us=rig.at_us, model="c", firmware="1", serial="c"))


def test_nothing_is_dealt_while_a_camera_is_set_up_and_the_reason_is_given(rig: Rig) -> None:
    rig.give(BEGIN, TOMAS)
    for command in (c.OpenBets(), c.EndShoe()):
        assert rig.refused(command) == "refused.camera_setup"
    rig.give(c.CloseTable())
    assert rig.refused(c.OpenTable()) == "refused.camera_setup"
    rig.give(END, TOMAS)
    assert rig.refused(c.OpenTable()) == "refused.camera_setup"
    back(rig)
    assert rig.refused(c.OpenTable()) is None


def test_what_was_kept_is_in_the_journal_with_its_hash(rig: Rig) -> None:
    rig.give(BEGIN, TOMAS)
    (kept,) = rig.give(KEEP, TOMAS)
    assert isinstance(kept, e.DeviceNoted)
    assert (kept.device, kept.what) == ("camera", "setup_kept")
    assert kept.text == f"bb1.json version 7 sha256 {'ab' * 32}"


def test_a_camera_in_an_open_round_is_left_alone(rig: Rig) -> None:
    rig.give(c.OpenBets())
    assert rig.refused(BEGIN, TOMAS) == "refused.setup_in_round"


def test_a_camera_in_a_shoe_procedure_is_left_alone() -> None:
    rig = Rig()
    rig.give(c.OpenTable())
    rig.online()
    rig.give(c.StartShoe())
    assert rig.table.phase is Phase.SHOE
    assert rig.refused(BEGIN, TOMAS) == "refused.setup_in_round"


def test_a_held_table_without_a_round_lets_its_camera_be_set_up(rig: Rig) -> None:
    rig.give(o.CameraUnfit(device="camera", at_us=rig.at_us, why=o.Unfit.KNOCKED))
    assert rig.faults() == [FaultCode.CAMERA_UNFIT]
    rig.give(BEGIN, TOMAS)
    assert rig.table.set_up
    assert rig.table.held


def test_one_camera_is_set_up_once_at_a_time_and_only_what_was_begun_ends(rig: Rig) -> None:
    assert rig.refused(KEEP, TOMAS) == "refused.bench_closed"
    assert rig.refused(END, TOMAS) == "refused.bench_closed"
    rig.give(BEGIN, TOMAS)
    assert rig.refused(BEGIN, TOMAS) == "refused.setup_open"


def test_the_camera_that_goes_away_to_begin_anew_holds_nothing(rig: Rig) -> None:
    rig.give(BEGIN, TOMAS)
    rig.give(END, TOMAS)
    back(rig)
    assert not rig.table.held
    assert not rig.table.set_up
    assert rig.refused(c.OpenBets()) is None


def test_the_same_camera_lost_in_play_holds_the_table(rig: Rig) -> None:
    rig.give(BEGIN, TOMAS)
    rig.give(END, TOMAS)
    back(rig)
    rig.give(o.DeviceOffline(device="camera", at_us=rig.at_us, reason="unplugged"))
    assert rig.faults() == [FaultCode.DEVICE_LOST]


def test_cards_shown_to_a_camera_that_died_and_began_anew_are_no_game_until_the_end() -> None:
    rig = Rig(sources=("camera",)).in_play()
    rig.give(BEGIN, TOMAS)
    back(rig)
    rig.lay("P", "7H")
    rig.wait(30)
    assert rig.faults() == []
    assert not any(zone.cards for zone in rig.table.sensing.zones)
    rig.give(END, TOMAS)
    back(rig)
    assert rig.faults() == []
    rig.show()
    rig.wait(30)
    assert rig.faults() == [FaultCode.CARD_OUT_OF_PHASE]


def test_a_restart_ends_what_was_being_set_up(rig: Rig) -> None:
    rig.give(BEGIN, TOMAS)
    rig.restart()
    assert not rig.table.set_up
