"""Windows in which players choose: what is taken, refused, executed, and what holds do to them."""

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.faults import FaultCode
from studio.games.procedure import Deal, Decide, Staked
from studio.table.state import Phase
from studio.table.turn import due
from tests.support.shared import SharedRig, of_kind, reasons

SECOND_US = 1_000_000


def eights(**mains: int) -> SharedRig:
    """A pair of eights against a six: every action is on offer, and the first window is open."""
    rig = SharedRig().seated(**(mains or {"ann": 1000, "bob": 500}))
    rig.cards("8S 6D 8C TC")
    return rig


# -- who sits, and what is asked -------------------------------------------------------------------


def test_only_a_main_bet_seats_a_player() -> None:
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    rig.bet("ann", main=100)
    rig.bet("bob", pair=100)
    rig.bet("ann", main=50)
    rig.give(c.CloseBets())
    assert rig.table.round is not None
    assert rig.table.round.seating.players == ("ann",)
    assert rig.table.play is not None
    assert rig.table.play.inputs == (Staked(1, ("main", "pair")),)


def test_a_window_opens_with_the_offers_of_the_procedure_and_its_own_time() -> None:
    rig = eights()
    asked = due(rig.setup, rig.table)
    assert isinstance(asked, Decide)
    assert (rig.table.phase, rig.asks.offers) == (Phase.DECISION, asked.offers)
    assert (rig.asks.number, rig.asks.asked, rig.asks.answered) == (1, 2, 0)
    assert rig.table.window is not None
    assert rig.table.window.deadline_us == rig.at_us + rig.setup.times.decision


def test_a_window_closes_early_when_all_have_answered() -> None:
    rig = eights()
    rig.answer("ann M stand")
    assert rig.table.phase is Phase.DECISION
    new = rig.answer("bob M hit")
    closed = of_kind(new, e.WindowClosed)[0]
    assert (closed.by, closed.asked, closed.answered) == ("all", 2, 2)
    assert rig.cohorts() == {"M:stand": 1, "M:hit": 1}
    asked = due(rig.setup, rig.table)
    assert isinstance(asked, Deal)
    assert asked.to == "M"


def test_d_10_a_silent_player_plays_by_rule_and_is_asked_again() -> None:
    """D-10: 2 + 3 hits at 11 or less; in the next window the same player's answer counts."""
    rig = SharedRig().seated(ann=1000)
    rig.cards("2S 6D 3C TC")
    rig.pass_window()
    assert rig.cohorts() == {"M:hit": 1}
    rig.cards("4H")
    rig.answer("ann M stand")
    assert rig.cohorts() == {"M:hit M:stand": 1}


def test_d_10_a_player_who_is_gone_is_not_waited_for() -> None:
    rig = eights()
    rig.give(c.MarkDisconnected(("bob", "nobody", "bob")))
    assert rig.asks.asked == 1
    new = rig.answer("bob M hit")
    assert reasons(new) == ["disconnected"]
    rig.answer("ann M hit")
    assert rig.cohorts() == {"M:hit": 1, "M:stand": 1}


def test_who_has_no_hand_and_is_said_to_be_gone_is_named() -> None:
    rig = eights()
    new = rig.give(c.MarkDisconnected(("bob", "nobody", "bob", "eve"), batch="gone-1"))
    refused = of_kind(new, e.DecisionsRefused)[0]
    assert refused.batch == "gone-1"
    assert refused.refused == (("nobody", "refused.not_seated"), ("eve", "refused.not_seated"))
    assert of_kind(new, e.PlayersDisconnected)[0].players == ("bob",)


def test_d_09_a_second_answer_for_a_hand_is_looked_at_with_the_wallet_too() -> None:
    """A double that is not covered is no answer: what the batch says next counts, if covered."""
    rig = SharedRig(purse={"ann": 1500}).seated(ann=1000)
    rig.cards("8S 6D 8C TC")
    new = rig.answer("ann M double", "ann M split")
    assert reasons(new) == ["not_available", "not_available"]
    assert not of_kind(new, e.DecisionsTaken)


def test_of_two_covered_answers_for_a_hand_the_first_counts() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D 8C TC")
    new = rig.answer("ann M double", "ann M split")
    assert reasons(new) == ["known"]
    assert of_kind(new, e.DecisionsTaken)[0].columns.bets == ("M:double",)


def test_d_10_where_all_are_gone_a_window_opens_and_closes_at_once() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("2S 6D 3C TC")
    rig.give(c.MarkDisconnected(("ann",)))
    new = rig.cards("4H")
    assert [(event.by, event.asked) for event in of_kind(new, e.WindowClosed)] == [("all", 0)]


def test_d_10_a_player_may_be_gone_before_the_bets_are_closed() -> None:
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    rig.bet("ann", main=1000)
    rig.bet("bob", main=500)
    rig.give(c.MarkDisconnected(("bob", "nobody")))
    rig.give(c.CloseBets())
    rig.cards("8S 6D 8C TC")
    assert rig.table.round is not None
    assert rig.table.round.seating.gone == {"bob"}
    assert rig.asks.asked == 1


def test_an_answer_that_was_given_stands_when_its_player_goes() -> None:
    rig = eights()
    rig.answer("bob M hit")
    rig.give(c.MarkDisconnected(("bob",)))
    assert (rig.asks.asked, rig.asks.answered) == (2, 1)
    rig.answer("ann M hit")
    assert rig.cohorts() == {"M:hit": 2}


# -- refusals --------------------------------------------------------------------------------------


def test_the_first_valid_decision_of_a_hand_is_final() -> None:
    rig = eights()
    assert reasons(rig.answer("ann M fold", "ann M hit", "ann M stand")) == [
        "not_available",
        "known",
    ]
    assert reasons(rig.answer("ann M stand")) == ["known"]


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        ("cid M hit", "not_seated"),
        ("ann L hit", "not_available"),
        ("ann - insure", "not_offered"),
        ("ann M insure", "not_offered"),
    ],
)
def test_what_is_not_on_offer_is_refused_with_its_reason(decision: str, reason: str) -> None:
    assert reasons(eights().answer(decision)) == [reason]


def test_a_decision_for_another_window_is_refused_and_kept() -> None:
    rig = eights()
    new = rig.answer("ann M hit", window=2)
    assert reasons(new) == ["window_closed"]
    assert of_kind(new, e.DecisionsRefused)[0].window == 2


def test_a_decision_at_the_deadline_comes_too_late() -> None:
    rig = eights()
    assert rig.table.window is not None
    rig.at_us = rig.table.window.deadline_us
    assert reasons(rig.answer("ann M hit")) == ["window_closed"]


def test_a_batch_that_is_empty_too_large_or_known_is_rejected_whole() -> None:
    rig = eights()
    one = c.Decision("x", "ann", "M", "hit")
    assert rig.refused(c.PlaceDecisions("b", (), 1)) == "refused.batch_empty"
    assert rig.refused(c.PlaceDecisions("b", (one,) * 5_001, 1)) == "refused.batch_too_large"
    assert rig.refused(c.PlaceDecisions("b", (one,), 1, "other")) == "refused.other_round"
    assert rig.refused(c.PlaceDecisions("b", (one,), 1)) is None
    assert rig.refused(c.PlaceDecisions("b", (one,), 1)) == "refused.batch_known"


# -- money -----------------------------------------------------------------------------------------


def test_d_09_what_the_balance_does_not_cover_is_not_on_offer() -> None:
    rig = SharedRig(purse={"ann": 1500, "bob": 5000}).seated(ann=1000, bob=500)
    rig.cards("8S 6D 8C TC")
    assert reasons(rig.answer("ann M split", "bob M split")) == ["not_available"]
    rig.answer("ann M hit")
    assert rig.purse["bob"] == 4000


def test_d_09_money_that_is_gone_at_execution_plays_the_substitute() -> None:
    """D-09: 16 stands; the first hand is looked at first, so L doubles and R does not."""
    rig = eights(ann=1000)
    rig.answer("ann M split")
    rig.cards("2H 3H")
    rig.purse["ann"] = 1000
    new = rig.answer("ann L double", "ann R double")
    asked = of_kind(new, e.FundsAsked)[0]
    assert asked.columns.bets == ("double:L", "double:R")
    assert rig.cohorts() == {"M:split L:double,R:hit": 1}
    executed = of_kind(new, e.ActionsExecuted)[0]
    assert (executed.columns.bets, executed.columns.amounts) == (("double:L",), (1000,))


def test_d_09_after_a_substituted_hit_the_player_decides_again() -> None:
    rig = SharedRig(purse={"ann": 2000}).seated(ann=1000)
    rig.cards("5S 6D 6C TC")
    rig.silent = True
    rig.answer("ann M double")
    rig.give(o.FundsAnswered(device="w", at_us=rig.at_us, batch="window/1", refused=_ids(rig)))
    assert rig.cohorts() == {"M:hit": 1}
    rig.cards("2H")
    assert (rig.asks.number, rig.asks.asked) == (2, 1)


def _ids(rig: SharedRig) -> tuple[str, ...]:
    """What the wallet was asked for."""
    ids: tuple[str, ...] = rig.asks.funds.ids
    return ids


def test_no_answer_of_the_wallet_means_no_and_a_late_yes_is_rolled_back() -> None:
    rig = eights(ann=1000)
    rig.silent = True
    rig.answer("ann M double")
    assert rig.table.window is not None
    assert rig.table.window.kind == "funds"
    new = rig.wait(3)
    executed = of_kind(new, e.ActionsExecuted)[0]
    assert (executed.answered, executed.columns.count) == (False, 0)
    assert rig.cohorts() == {"M:stand": 1}
    late = rig.give(o.FundsAnswered(device="w", at_us=rig.at_us, batch="window/1"))
    assert late == [e.FundsLate(batch="window/1")]


def test_extra_stakes_are_paid_with_their_hand_and_returned_by_a_void() -> None:
    rig = eights()
    rig.answer("ann M double", "bob M split")
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    rig.give(c.VoidRound(fault=rig.fault(), reason="reason.other", round_id=rig.table.round.id))
    assert rig.paid() == {"ann": 2000, "bob": 1000}
    assert rig.purse == {"ann": 1_000_000, "bob": 1_000_000}


def test_d_16_side_bets_that_are_decided_go_back_like_all_others_if_the_round_is_void() -> None:
    rig = SharedRig().in_play()
    rig.give(c.OpenBets())
    rig.bet("ann", main=1000, pair=100, lucky_trio=50)
    rig.bet("bob", pair=30, poker_trio=20)
    rig.give(c.CloseBets())
    rig.cards("7S 7H 7S TC")
    assert (rig.has("ann"), rig.has("bob")) == (1_000_000 - 1150, 1_000_000 - 50)
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason="reason.other", round_id=rig.table.round.id)
    assert rig.refused(void) is None
    assert rig.paid() == {"ann": 1150, "bob": 50}


def test_every_row_is_paid_by_its_kind_and_its_cohort() -> None:
    """Dealer 6 T 9 is bust: the double wins 4000, the split twice 1000, the stand 1000."""
    rig = eights(ann=1000, bob=500, cid=500)
    rig.answer("ann M double", "bob M split", "cid M stand")
    rig.cards("2D 2H 3H")
    rig.answer("bob L stand", "bob R stand")
    new = rig.turn_hole() + rig.cards("9D")
    settled = of_kind(new, e.RoundSettled)[0]
    assert rig.paid() == {"ann": 4000, "bob": 2000, "cid": 1000}
    assert {row.bet: row.returned for row in settled.rows} == {
        "double:M@M:double": 2000,
        "main@M:double": 2000,
        "main@M:split L:stand,R:stand": 1000,
        "main@M:stand": 1000,
        "split@M:split L:stand,R:stand": 1000,
    }


# -- insurance -------------------------------------------------------------------------------------


def test_insurance_keeps_the_cohort_and_is_a_row_of_its_own() -> None:
    rig = SharedRig().seated(ann=1001, bob=500)
    rig.cards("8S AD 8C TC")
    assert (rig.asks.step, rig.asks.number) == ("insurance", 1)
    rig.answer("ann - insure", "bob M decline")
    assert rig.cohorts() == {"": 2}
    new = rig.pass_window() + rig.turn_hole()
    assert of_kind(new, e.PeekDone)[0].natural
    assert rig.paid() == {"ann": 1500, "bob": 0}


def test_d_03_half_a_stake_of_one_unit_buys_no_insurance() -> None:
    rig = SharedRig(purse={"bob": 1000}).seated(ann=1, bob=1000)
    rig.cards("8S AD 8C 5C")
    assert reasons(rig.answer("ann - insure", "bob - insure")) == ["balance", "balance"]


def test_insurance_is_over_once_its_window_is_closed() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S AD 8C 5C")
    rig.pass_window()
    assert reasons(rig.answer("ann - insure", window=1)) == ["window_closed"]


# -- bets ------------------------------------------------------------------------------------------


def test_d_08_nobody_bets_and_the_window_stays_open() -> None:
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    assert rig.refused(c.CloseBets()) == "refused.no_bets"
    new = rig.wait(15)
    assert of_kind(new, e.BettingExtended)
    assert rig.table.phase is Phase.BETTING
    rig.bet("ann", main=100)
    rig.wait(15)
    assert rig.table.phase is Phase.DEALING


def test_d_08_a_running_show_is_dealt_to_nobody() -> None:
    rig = SharedRig(rules={"deal_without_bets": True})
    rig.in_play().give(c.OpenBets())
    rig.wait(15)
    rig.to_result("8S 6D 8C TC")
    assert rig.table.round is not None
    assert rig.table.round.state == "settled"


def test_a_table_that_closes_ends_a_round_that_nobody_bet_on() -> None:
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    rig.give(c.CloseTable())
    assert of_kind(rig.wait(15), e.RoundVoided)


def test_d_07_side_bets_alone_are_dealt_without_decisions() -> None:
    """D-07, D-06: no window opens; the dealer draws for Bust Bonus alone."""
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    rig.bet("ann", bust_bonus=100)
    rig.give(c.CloseBets())
    new = rig.cards("8S 6D 8C TC") + rig.turn_hole() + rig.cards("9D")
    assert not of_kind(new, e.WindowOpened)
    assert rig.paid() == {"ann": 200}


def test_a_batch_of_bets_may_not_be_called_as_extra_stakes_are() -> None:
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    bets = (c.Bet("x", "ann", "main", 100),)
    assert rig.refused(c.PlaceBets(batch="window/1", bets=bets)) == "refused.malformed"


# -- holds -----------------------------------------------------------------------------------------


def test_a_hold_stops_a_window_and_lifting_it_reopens_with_the_least_time() -> None:
    rig = eights()
    rig.wait(10)
    rig.give(c.CallSupervisor())
    assert reasons(rig.answer("ann M hit")) == ["table_held"]
    rig.wait(60)
    assert rig.table.phase is Phase.DECISION
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    assert rig.table.window is not None
    assert rig.table.window.deadline_us == rig.at_us + rig.setup.times.reopen_min
    assert reasons(rig.answer("ann M hit")) == []


def test_a_table_comes_back_held_in_the_middle_of_a_window() -> None:
    rig = eights()
    rig.answer("ann M hit")
    rig.restart()
    assert FaultCode.RECOVERED in rig.faults()
    assert rig.table.phase is Phase.DECISION
    assert (rig.asks.asked, rig.asks.answered) == (2, 1)
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.answer("bob M hit")
    assert rig.cohorts() == {"M:hit": 2}


def test_an_answer_of_the_wallet_while_held_is_executed_and_nothing_is_dealt() -> None:
    rig = eights(ann=1000)
    rig.silent = True
    rig.answer("ann M double")
    rig.give(c.CallSupervisor())
    new = rig.give(o.FundsAnswered(device="w", at_us=rig.at_us + 9 * SECOND_US, batch="window/1"))
    assert of_kind(new, e.ActionsExecuted)[0].columns.amounts == (1000,)
    assert rig.table.held
    assert rig.cohorts() == {"M:double": 1}


def test_a_card_drawn_while_players_choose_is_no_card_of_the_round_yet() -> None:
    rig = eights()
    rig.read("9H")
    assert [fault.code for fault in rig.table.notes] == [FaultCode.CARD_OUT_OF_PHASE]
    assert rig.table.play is not None
    assert len(rig.table.play.places) == 4


# -- after the end ---------------------------------------------------------------------------------


def test_the_case_files_rounds_leave_no_open_window() -> None:
    rig = eights(ann=1000)
    rig.to_result("9D", "TC")
    assert rig.table.round is not None
    assert rig.table.round.answering is None
    assert [window.step for window in rig.table.round.windows] == ["decision"]


@pytest.mark.parametrize("before", range(7))
def test_d_14_wherever_the_cut_card_comes_out_that_round_is_the_last(before: int) -> None:
    """After its last card is before the first card of the next one."""
    rig = SharedRig().seated(ann=1000)
    for number, code in enumerate(("5S", "6D", "6C", "7H", "2S", "TH")):
        if number == before:
            rig.read("CUT")
        if number == 4:
            rig.answer("ann M hit")
        if number == 5:
            rig.answer("ann M stand")
            rig.turn_hole()
        rig.read(code)
    assert rig.table.phase is Phase.RESULT
    if before == 6:
        rig.read("CUT")
    rig.give(c.ConfirmStep())
    rig.wait(8)
    assert rig.table.phase is (Phase.SHOE if before < 6 else Phase.BETTING)
    assert rig.table.shoe is not None
    assert rig.table.shoe.rounds_left == 0


def test_players_who_are_gone_are_gone_from_the_round_that_was_meant() -> None:
    """The call of a platform may come to the table once the next round is open."""
    rig = eights()
    assert rig.refused(c.MarkDisconnected(("ann",), "r-before")) == "refused.other_round"
    assert rig.table.round is not None
    assert rig.refused(c.MarkDisconnected(("ann",), rig.table.round.id)) is None
