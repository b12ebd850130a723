"""Who deals and who answers for a table: relief between rounds, and claims (P1, P3)."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.table.casework import supervisor_view
from studio.table.show import dealer_view, tile_view
from tests.support.rig import FIRST, SECOND, Rig

IMRAN = c.Asker(number="1001", name="Imran S.", role="dealer", session="d1")
JONAS = c.Asker(number="1002", name="Jonas P.", role="dealer", session="d2")


@pytest.fixture
def rig() -> Rig:
    """An open table in mid-shoe at which nobody deals."""
    return Rig().in_play()


def test_who_asks_where_nobody_deals_sits_down_in_the_same_commit(rig: Rig) -> None:
    new = rig.give(c.OpenBets(), IMRAN)
    assert [type(event) for event in new[:2]] == [e.DealerSeated, e.RoundOpened]
    opened = new[1]
    assert isinstance(opened, e.RoundOpened)
    assert opened.dealer == "1001"
    assert (rig.table.dealer, rig.table.dealer_name) == ("1001", "Imran S.")


def test_what_is_refused_seats_nobody(rig: Rig) -> None:
    assert rig.refused(c.CloseBets(), IMRAN) == "refused.bets_not_open"
    assert rig.table.dealer == ""


@pytest.mark.parametrize(
    "command",
    [
        c.ConfirmStep(),
        c.EnterCount(3),
        c.OpenBets(),
        c.CloseBets(),
        c.StartShoe(),
        c.CutCardIsOut(),
    ],
)
def test_another_dealer_works_at_this_table_with_nothing(rig: Rig, command: c.Command) -> None:
    rig.give(c.OpenBets(), IMRAN)
    before = rig.table
    assert rig.refused(command, JONAS) == "refused.not_your_table"
    assert rig.table is before


def test_anybody_may_call_a_supervisor(rig: Rig) -> None:
    rig.give(c.OpenBets(), IMRAN)
    rig.give(c.CallSupervisor(), JONAS)
    assert rig.table.held


def test_a_supervisor_takes_a_dealers_step_and_not_the_seat(rig: Rig) -> None:
    rig.give(c.OpenBets(), IMRAN)
    rig.give(c.CloseBets(), FIRST)
    assert rig.table.dealer == "1001"


def test_a_dealer_is_relieved_between_rounds_only(rig: Rig) -> None:
    rig.give(c.OpenBets(), IMRAN)
    assert rig.refused(c.RelieveDealer(), JONAS) == "refused.relief_in_round"
    assert rig.refused(c.LeaveTable(), IMRAN) == "refused.relief_in_round"
    rig.give(c.CloseBets(), IMRAN)
    for zone, code in (("P", "9H"), ("B", "2C"), ("P", "KD"), ("B", "5S")):
        assert rig.refused(c.RelieveDealer(), JONAS) == "refused.relief_in_round"
        rig.deal(zone, code)
    rig.give(c.RelieveDealer(), JONAS)
    assert rig.table.dealer_name == "Jonas P."
    assert rig.refused(c.ConfirmStep(), IMRAN) == "refused.not_your_table"


def test_where_nobody_deals_somebody_may_sit_down_in_mid_round(rig: Rig) -> None:
    rig.give(c.OpenBets())
    rig.give(c.RelieveDealer(), JONAS)
    assert rig.table.dealer == "1002"


def test_a_held_table_changes_no_hands(rig: Rig) -> None:
    rig.give(c.RelieveDealer(), IMRAN)
    rig.give(c.CallSupervisor(), IMRAN)
    assert rig.refused(c.RelieveDealer(), JONAS) == "refused.table_held"
    assert rig.refused(c.LeaveTable(), IMRAN) == "refused.table_held"


def test_who_sits_there_cannot_sit_down_again_and_who_does_not_cannot_leave(rig: Rig) -> None:
    rig.give(c.RelieveDealer(), IMRAN)
    assert rig.refused(c.RelieveDealer(), IMRAN) == "refused.seated_already"
    assert rig.refused(c.LeaveTable(), JONAS) == "refused.not_seated"
    rig.give(c.LeaveTable(), IMRAN)
    assert rig.table.dealer == ""


def test_the_seat_outlasts_a_stop(rig: Rig) -> None:
    rig.give(c.OpenBets(), IMRAN)
    rig.restart()
    assert rig.table.dealer == "1001"


def test_every_screen_names_the_dealer_and_the_supervisor(rig: Rig) -> None:
    rig.give(c.RelieveDealer(), IMRAN)
    rig.give(c.ClaimTable(), FIRST)
    assert dealer_view(rig.setup, rig.table, rig.at_us).dealer == "Imran S."
    tile = tile_view(rig.setup, rig.table)
    assert (tile.dealer, tile.claimed_by, tile.claimed_name) == ("Imran S.", "2001", "Amina K.")
    page = supervisor_view(rig.setup, rig.table, rig.at_us)
    assert (page.dealer.dealer, page.claimed_by) == ("Imran S.", "2001")


def test_a_round_names_its_dealer_and_its_supervisor(rig: Rig) -> None:
    rig.give(c.ClaimTable(), FIRST)
    rig.give(c.OpenBets(), IMRAN)
    opened = next(event for event, _ in rig.events if isinstance(event, e.RoundOpened))
    assert (opened.dealer, opened.supervisor) == ("1001", "2001")


def test_a_table_is_claimed_taken_over_and_given_back_also_while_held(rig: Rig) -> None:
    rig.give(c.ClaimTable(), FIRST)
    assert rig.refused(c.ClaimTable(), FIRST) == "refused.claimed_already"
    assert rig.refused(c.ReleaseTable(), SECOND) == "refused.not_claimed"
    rig.give(c.CallSupervisor(), IMRAN)
    (taken,) = rig.give(c.ClaimTable(), SECOND)
    assert isinstance(taken, e.TableClaimed)
    assert rig.refused(c.ReleaseTable(), FIRST) == "refused.not_claimed"
    rig.give(c.ReleaseTable(), SECOND)
    assert (rig.table.claimed_by, rig.table.claimed_name) == ("", "")


def test_taking_a_hold_claims_nothing(rig: Rig) -> None:
    rig.give(c.CallSupervisor(), IMRAN)
    rig.give(c.TakeHold(), FIRST)
    assert rig.table.claimed_by == ""


def test_a_hold_belongs_to_a_number_not_to_a_name(rig: Rig) -> None:
    """Two people may have one name, and a name may be written otherwise tomorrow."""
    rig.give(c.CallSupervisor(), IMRAN)
    rig.give(c.TakeHold(), FIRST)
    assert rig.refused(c.TakeHold(), replace(SECOND, name=FIRST.name)) == "refused.hold_taken"
    assert rig.refused(c.TakeHold(), replace(FIRST, name="Amina Khan")) is None
    assert rig.table.hold is not None
    assert (rig.table.hold.taken_by, rig.table.hold.taken_number) == ("Amina Khan", "2001")


def test_a_hold_that_an_older_release_knew_by_name_only_is_still_its_takers(rig: Rig) -> None:
    rig.give(c.CallSupervisor(), IMRAN)
    rig.record(e.HoldTaken(by=FIRST.name))
    assert rig.refused(c.TakeHold(), SECOND) == "refused.hold_taken"
    assert rig.refused(c.TakeHold(), FIRST) is None


@pytest.mark.parametrize("command", [c.RelieveDealer(), c.LeaveTable(), c.ClaimTable()])
def test_nobody_sits_answers_or_leaves_without_a_name(rig: Rig, command: c.Command) -> None:
    assert rig.refused(command, c.NOBODY) == "refused.no_right"
