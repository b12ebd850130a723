"""Rows of readers, shoe and machine, each played once; and what the profiles do otherwise."""

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.decide import noticed
from studio.table.row import Void
from studio.table.state import Phase
from studio.table.turn import Stamp
from tests.support.rig import BOTH, Rig
from tests.support.row_play import (
    BANKER_WINS,
    CAMERA,
    LOST,
    PLAYER_DRAWS,
    REASON,
    REFUNDED,
    SHOE,
    STAKED,
    STAKES,
    answer,
    dealing,
    gone,
    noted,
    play,
    row,
    settled,
    table,
    void,
)

# -- readers --------------------------------------------------------------------------------------


def test_v1_a_card_that_was_not_read_is_read_again_or_keyed_in() -> None:
    rig = dealing(SHOE)
    rig.read("??")
    assert (row(rig).row, row(rig).repairs) == ("V1", ("RescanRound", "KeyInCard"))
    assert answer(rig) == "refused.not_read_again"
    assert answer(rig, c.KeyInCard, card=Card.parse("4C")) is None
    rig.lift()
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


def test_v1_the_second_reading_of_a_card_is_no_second_card() -> None:
    rig = dealing()
    before = gone(rig)
    rig.read("??")
    rig.lay("P", "4C")
    rig.read("4C")
    assert answer(rig, c.RescanRound) is None
    rig.lift()
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST
    assert gone(rig) == before + 4


def test_v2_two_cards_out_are_keyed_in_their_true_order() -> None:
    rig = dealing(SHOE)
    rig.read("??")
    rig.read("??")
    assert (row(rig).row, row(rig).repairs[0]) == ("V2", "KeyInCard")
    assert answer(rig, card=Card.parse("4C")) is None
    rig.lift()
    assert row(rig).row == "V1"
    assert answer(rig, c.KeyInCard, card=Card.parse("9D")) is None
    rig.lift()
    assert rig.accepted() == list(BANKER_WINS[:2])
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


def test_v3_two_readers_that_disagree_wait_for_a_person() -> None:
    rig = dealing()
    rig.read("4C")
    rig.lay("P", "4S")
    assert row(rig).row == "V3"
    assert answer(rig, card=Card.parse("4S")) is None
    rig.lift()
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


def test_v4_an_unsure_camera_has_time_and_then_a_person_reads() -> None:
    rig = dealing(CAMERA)
    rig.lay("P", "4C", sure=False)
    assert not rig.table.held
    rig.wait(6)
    assert row(rig).row == "V4"
    assert answer(rig, card=Card.parse("4C")) is None
    rig.lift()
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_v5_a_ninth_card_holds_at_once(sources: tuple[str, ...]) -> None:
    rig = dealing(sources)
    for _ in range(8):
        rig.record(e.CardDead(fate="dead", card=Card.parse("KS")))
    rig.deal("P", "KS")
    assert row(rig).row == "V5"
    assert row(rig).ends_shoe
    assert answer(rig, card=Card.parse("KS")) == "refused.impossible_card"
    assert answer(rig, card=Card.parse("4C")) is None
    rig.lift()
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


def test_v6_one_report_twice_is_one_card() -> None:
    rig = dealing()
    rig.read("4C")
    rig.sequence -= 1
    assert rig.read("4C") == []


def test_v7_equal_neighbours_are_two_cards_and_a_late_report_is_asked_about() -> None:
    rig = play(dealing(SHOE), ("P", "4C"), ("B", "4C"))
    assert rig.accepted() == [("P", "4C"), ("B", "4C")]
    rig.wait(31)
    assert answer(rig, c.KeyInCard, card=Card.parse("2H")) is None
    rig.lift()
    rig.read("2H")
    assert row(rig).row == "V7"
    assert answer(rig) is None
    rig.lift()
    rig.deal("B", "5S")
    assert settled(rig) == LOST


def test_v8_a_card_out_of_turn_waits_for_a_supervisors_word() -> None:
    rig = table(SHOE)
    rig.read("4C")
    assert (row(rig).row, rig.table.phase) == ("V8", Phase.IDLE)
    assert answer(rig, c.UseAsNextCard) is None
    rig.lift()
    rig.dealing(**STAKES)
    assert rig.accepted() == [("P", "4C")]


def test_v9_an_identity_that_comes_late_for_an_old_round_is_used_by_none() -> None:
    rig = play(dealing(SHOE), *BANKER_WINS)
    rig.give(
        o.CardIdentified(
            device="shoe", at_us=rig.at_us, boot="b0", sequence=9, of=1, card=Card.parse("9H")
        )
    )
    assert settled(rig) == LOST
    assert not rig.table.held
    assert rig.table.sensing.reads == ()


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_v10_a_silent_reader_is_waited_for_and_then_asked_about(sources: tuple[str, ...]) -> None:
    rig = dealing(sources)
    rig.wait(29)
    assert not rig.table.held
    rig.wait(2)
    assert row(rig).row == "V10"
    assert answer(rig, c.KeyInCard, card=Card.parse("4C")) is None
    if "camera" in sources:
        rig.lay("P", "4C")
    rig.lift()
    assert rig.accepted() == [("P", "4C")]
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


# -- the shoe, the machine, the devices -----------------------------------------------------------


def test_c6_the_cut_card_between_rounds_leaves_its_rounds() -> None:
    rig = table(SHOE)
    rig.read("CUT")
    assert not rig.table.held
    assert rig.table.shoe is not None
    assert rig.table.shoe.rounds_left == 1


def test_c9_a_count_that_does_not_balance_lists_the_rounds_since_the_last_that_did() -> None:
    rig = play(dealing(SHOE), *BANKER_WINS)
    assert rig.table.round is not None
    round_id = rig.table.round.id
    rig.give(c.EndShoe(reason=REASON))
    rig.give(c.ConfirmStep())
    rig.wait(8)
    new = rig.give(c.EnterCount(400))
    ended = next(event for event in new if isinstance(event, e.ShoeEnded))
    assert (ended.balance, ended.since) == ("mismatch", (round_id,))
    assert row(rig).row == "C9"
    assert rig.refused(c.StartShoe()) == "refused.table_held"
    assert answer(rig) is None
    rig.lift()
    assert rig.table.uncounted == (round_id,)
    assert rig.refused(c.StartShoe()) is None


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_f5_after_a_stop_the_felt_is_compared_and_the_coup_goes_on(
    sources: tuple[str, ...],
) -> None:
    rig = play(dealing(sources), *BANKER_WINS[:2])
    rig.restart()
    assert row(rig).row == "F5"
    assert answer(rig, c.AcknowledgeFault) == "refused.felt_unchecked"
    if sources == SHOE:
        assert answer(rig) == "refused.enter_felt"
        assert answer(rig, c.AcceptAsDealt) is None
    else:
        assert answer(rig) is None
    rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


def test_f8_after_a_void_for_a_device_the_table_deals_only_when_it_is_tested() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))
    assert void(rig) == REFUNDED
    assert rig.faults() == [FaultCode.DEVICE_LOST, FaultCode.DEVICE_UNTESTED]
    rig.online()
    assert answer(rig) is None
    assert row(rig).row == "F8"
    assert answer(rig) == "refused.test_not_passed"
    rig.give(o.SelfTested(device="shoe", at_us=rig.at_us, passed=False, text="no card"))
    assert answer(rig) == "refused.test_not_passed"
    rig.give(o.SelfTested(device="shoe", at_us=rig.at_us, passed=True, text="card read"))
    assert answer(rig) is None
    rig.lift()
    assert not rig.table.held


def test_l5_a_clock_that_jumps_is_a_note() -> None:
    rig = dealing()
    turn = noticed(rig.setup, rig.table, FaultCode.CLOCK_JUMP, Stamp(at_us=rig.at_us), text="3 s")
    for event in turn.events:
        rig.record(event)
    assert (rig.table.held, noted(rig)) == (False, "L5")
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST


def test_s2_another_device_is_refused_until_the_right_one_is_back() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    for serial in ("OTHER", "SN"):
        rig.give(
            o.DeviceOnline(
                device="shoe",
                at_us=rig.at_us,
                model="S",
                firmware="1",
                serial=serial,
                boot="b0",
                expected_serial="SN",
            )
        )
        assert row(rig).row == "S2"
        assert answer(rig) == ("refused.device_not_back" if serial == "OTHER" else None)
        if serial == "OTHER":
            continue
        rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


# -- profiles -------------------------------------------------------------------------------------


def by_the_first_answer(rig: Rig) -> None:
    """The shoe is lost and comes back; the supervisor takes what policy names first."""
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))
    rig.online()
    if row(rig).void in {Void.FIRST, Void.ONLY}:
        void(rig)
    else:
        assert answer(rig) is None
        rig.lift()
        rig.deal("P", "9H")


@pytest.mark.parametrize(
    ("profile", "state", "back"),
    [
        # A pair of the Player was decided before the shoe failed: 50 at 11:1 is 600 back.
        ("house", "settled", 600),
        ("ukgc-like", "settled", 600),
        ("nj-like", "settled", 600),
        ("singapore-like", "voided", STAKED),
        ("agco-like", "voided", 1000 + 100 + 600),
    ],
)
def test_one_script_has_three_outcomes_in_five_profiles(
    profile: str, state: str, back: int
) -> None:
    """F1, F4, F14: go on, refund, or the better of both for each player."""
    rig = play(dealing(profile=profile), ("P", "AC"), ("B", "3D"), ("P", "AH"), ("B", "4S"))
    by_the_first_answer(rig)
    assert rig.table.round is not None
    assert rig.table.round.state == state
    assert rig.table.round.returned + rig.table.round.refunded == back


def test_where_policy_demands_the_void_nothing_else_is_lawful() -> None:
    """F1: while cards are dealt nobody can say that the outcome is not affected."""
    rig = play(dealing(profile="singapore-like"), *BANKER_WINS[:2])
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))
    rig.online()
    assert answer(rig) == "refused.void_only"
    assert void(rig) == REFUNDED
    assert answer(rig) is None


@pytest.mark.parametrize(
    ("profile", "first", "next_card"),
    [
        ("house", "MarkDead", None),
        ("nj-like", "BurnCard", "refused.exposed_card"),
        ("ukgc-like", "MarkDead", "refused.exposed_card"),
    ],
)
def test_an_exposed_extra_card_has_another_fate_by_profile(
    profile: str, first: str, next_card: str | None
) -> None:
    """P2, P4: dead, burned, or the next card where the house lets it."""
    rig = play(dealing(profile=profile), *PLAYER_DRAWS, ("P", "5H"))
    rig.read("9S")
    rig.lay("P", "9S")
    assert row(rig).repairs[0] == first
    assert answer(rig, c.UseAsNextCard) == next_card
