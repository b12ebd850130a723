"""The table's thread: order, refusals, what happens when the disk or the rules fail."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.faults import FaultCode
from studio.live import runner as runner_module
from studio.live.means import STOPPED, Room, TableStopped
from studio.live.ports import JournalError
from studio.storage.memory import MemoryJournal
from studio.table.laws import LawBroken
from tests.support.live.bench import DEALER, START_US, SUPERVISOR, Bench, Purse, baccarat

HOUR_US = 3600 * 1_000_000


class Gate(MemoryJournal):
    """A journal whose next append waits, or fails."""

    def __init__(self) -> None:
        super().__init__()
        self.open = threading.Event()
        self.open.set()
        self.reached = threading.Event()
        self.broken = ""

    def append(self, *args: Any, **kwargs: Any) -> int:
        self.reached.set()
        assert self.open.wait(10)
        if self.broken:
            raise JournalError(self.broken)
        return super().append(*args, **kwargs)


@pytest.mark.parametrize("threaded", [False, True])
def test_a_coup_goes_from_observations_to_a_paid_round(threaded: bool) -> None:
    bench = Bench(threaded=threaded)
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    assert bench.table.round is not None
    assert bench.table.round.state == "settled"
    assert bench.table.round.code == "player"
    assert bench.purse.paid["r-2027-01-15-ba1-1/settled"] == (("ann", 2000),)
    assert bench.types()[-6:] == [
        "bets.closed", "card.dealt", "card.dealt", "card.dealt", "card.dealt", "round.settled",
    ]  # fmt: skip
    bench.runner.stop()


def test_what_is_shown_is_what_is_written() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    facts = list(bench.journal.read(bench.journal.streams()[0]))
    assert bench.table.version == len(facts)
    records = bench.runner.shown.records
    assert isinstance(records[0].event, e.RoundOpened)
    assert [r.version for r in records] == [f.version for f in facts][-len(records) :]


@pytest.mark.parametrize(
    "other", [c.CloseTable(), c.VoidRound(fault="", reason="r", round_id="x"), c.EnterCount(3)]
)
def test_a_command_id_with_another_body_is_told_so_and_does_nothing(other: Any) -> None:
    bench = Bench()
    bench.ask(c.OpenTable(), SUPERVISOR, command_id="once")
    facts = len(bench.events())
    answer = bench.ask(other, SUPERVISOR, command_id="once")
    assert (answer.status, answer.code) == ("rejected", "refused.id_used")
    assert bench.ask(c.OpenTable(), SUPERVISOR, command_id="once").status == "done"
    assert len(bench.events()) == facts


def test_a_command_id_of_one_table_is_not_the_answer_of_another() -> None:
    first = Bench()
    second = Bench(first.journal, setup=baccarat("ba2"), prefix="other-")
    assert first.ask(c.OpenTable(), SUPERVISOR, command_id="once").status == "done"
    answer = second.ask(c.OpenTable(), SUPERVISOR, command_id="once")
    assert (answer.status, answer.code) == ("rejected", "refused.id_used")
    assert second.table.phase.value == "closed"


def test_a_repeated_command_id_gets_the_same_answer_and_acts_once() -> None:
    bench = Bench()
    first = bench.ask(c.OpenTable(), SUPERVISOR, command_id="once")
    bench.do(c.CloseTable(), SUPERVISOR)
    again = bench.ask(c.OpenTable(), SUPERVISOR, command_id="once")
    assert again == first
    assert bench.table.phase.value == "closed"
    assert sum(isinstance(each, e.TableOpened) for each in bench.events()) == 1


def test_a_rejected_command_is_kept_in_the_log_and_not_in_the_journal() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    before = len(bench.events())
    answer = bench.ask(c.OpenBets(), command_id="too-early")
    assert (answer.status, answer.code) == ("rejected", "refused.no_shoe")
    assert len(bench.events()) == before
    record = bench.journal.answer_of("too-early")
    assert record is not None
    assert (record.name, record.actor, record.accepted) == ("OpenBets", DEALER, False)


def test_a_full_inbox_tells_a_person_busy_and_loses_no_card() -> None:
    journal = Gate()
    bench = Bench(journal, threaded=True, room=Room(observations=100, commands=2))
    journal.open.clear()
    waiting = [bench.runner.ask(c.OpenTable(), SUPERVISOR)]
    assert journal.reached.wait(10)
    waiting += [bench.runner.ask(c.CloseTable(), SUPERVISOR) for _ in range(2)]
    assert bench.runner.ask(c.StartShoe(), DEALER).result(1).status == "busy"
    bench.runner.report(bench.read("7H"))
    journal.open.set()
    assert waiting[0].result(10).status == "done"
    bench.runner.flush()
    assert any(isinstance(each, e.ShoeRead) for each in bench.events())
    bench.runner.stop()


def test_observations_beyond_the_inbox_hold_the_table_before_anything_else() -> None:
    journal = Gate()
    bench = Bench(journal, room=Room(observations=3, commands=10))
    bench.open_shoe()
    for code in ["2H", "3H", "4H", "5H", "6H"]:
        bench.runner.report(bench.read(code))
    bench.runner.flush()
    codes = [each.fault for each in bench.events() if isinstance(each, e.FaultRaised)]
    assert codes[0].code is FaultCode.OVERRUN
    assert "2 reports" in codes[0].text
    assert bench.table.held


def test_a_journal_that_fails_stops_the_table_and_leaves_what_was_written_whole() -> None:
    journal = Gate()
    bench = Bench(journal)
    bench.open_shoe()
    shown, facts = bench.runner.shown, bench.events()
    journal.broken = "the disk is full"
    answer = bench.ask(c.OpenBets())
    assert (answer.status, answer.code) == ("rejected", STOPPED)
    assert bench.events() == facts
    assert bench.table is shown.table
    assert bench.runner.shown.seq > shown.seq
    assert "the disk is full" in bench.runner.trouble
    assert bench.ask(c.OpenBets()).code == STOPPED
    with pytest.raises(TableStopped, match="the disk is full"):
        bench.runner.flush()
    assert bench.runner.deadline() is None


def test_who_waits_in_the_inbox_of_a_table_that_stops_gets_an_answer() -> None:
    journal = Gate()
    bench = Bench(journal, threaded=True)
    journal.open.clear()
    first = bench.runner.ask(c.OpenTable(), SUPERVISOR)
    assert journal.reached.wait(10)
    others = [bench.runner.ask(c.OpenTable(), SUPERVISOR) for _ in range(5)]
    journal.broken = "gone"
    journal.open.set()
    answers = [future.result(10) for future in (first, *others)]
    assert {answer.code for answer in answers} == {STOPPED}
    bench.runner.stop()


def test_a_broken_law_stops_the_table_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    bench.open_shoe()
    facts = bench.events()

    def broken(*_: object) -> None:
        raise LawBroken("money came from nowhere")

    monkeypatch.setattr(runner_module, "check_laws", broken)
    assert bench.ask(c.OpenBets()).code == STOPPED
    assert bench.events() == facts
    assert isinstance(bench.runner.failure, LawBroken)


def test_bets_close_by_the_clock_at_their_deadline_and_not_before() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    deadline = bench.runner.deadline()
    assert deadline == bench.clock.now_us() + bench.setup.times.betting
    bench.clock.advance_to(deadline - 1)
    bench.runner.tick()
    bench.runner.flush()
    assert bench.table.phase.value == "betting"
    bench.wait()
    assert bench.table.phase.value == "dealing"


def test_several_ticks_that_wait_are_one() -> None:
    bench = Bench()
    for _ in range(5):
        bench.runner.tick()
    assert bench.runner.deadline() is None
    bench.runner.flush()
    assert not bench.events()[1:]


def test_a_new_gaming_day_begins_between_rounds_only_and_takes_the_shoe_along() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.clock.advance(24 * HOUR_US)
    bench.do(c.CloseBets())
    assert len(bench.journal.streams()) == 1
    bench.deal("9S 2D KH 5D")
    bench.do(c.ConfirmStep())
    assert bench.journal.streams() == ["table/ba1/2027-01-15", "table/ba1/2027-01-16"]
    opened = next(iter(bench.journal.read("table/ba1/2027-01-16")))
    assert opened.event == e.DayOpened(day="2027-01-16", previous="table/ba1/2027-01-15")
    assert bench.table.shoe is not None
    assert bench.table.shoe.cards.gone == 7
    bench.wait()
    assert bench.table.round is not None
    assert bench.table.round.id == "r-2027-01-16-ba1-1"


def test_a_confirmation_of_a_step_that_is_over_is_refused_as_stale() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    bench.shoe_online()
    bench.do(c.StartShoe())
    seen = bench.runner.shown.seq
    assert bench.ask(c.ConfirmStep(), seen_seq=seen).status == "done"
    assert bench.ask(c.ConfirmStep(), seen_seq=seen).code == "refused.stale"
    assert bench.ask(c.ConfirmStep(), seen_seq=bench.runner.shown.seq).status == "done"


def test_a_void_of_a_round_that_is_over_is_refused_as_stale() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    seen = bench.runner.shown.seq
    bench.collect()
    bench.do(c.CallSupervisor())
    void = c.VoidRound(fault="", reason="reason.other", round_id="r-2027-01-15-ba1-1")
    answer = bench.ask(void, SUPERVISOR, seen_seq=seen)
    assert answer.code == "refused.stale"


def test_a_void_gives_every_stake_back_once() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    bench.do(c.CallSupervisor())
    round_id = "r-2027-01-15-ba1-1"
    fault = bench.table.hold.faults[0].id if bench.table.hold else ""
    void = c.VoidRound(fault=fault, reason="reason.other", round_id=round_id)
    bench.do(void, SUPERVISOR)
    assert bench.ask(void, SUPERVISOR).status == "rejected"
    assert bench.purse.paid == {f"{round_id}/voided": (("ann", 1000), ("bob", 2000))}


def test_a_bet_without_funds_is_not_in_the_round() -> None:
    bench = Bench(purse=Purse(poor=frozenset({"bob"})))
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    assert bench.table.round is not None
    assert bench.table.round.staked == 1000
    assert bench.purse.paid["r-2027-01-15-ba1-1/settled"] == (("ann", 2000),)


def test_a_wallet_that_fails_is_asked_again_and_nothing_is_paid_twice() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    bench.purse.broken = True
    bench.deal("9S 2D KH 5D")
    assert "the purse is closed" in bench.runner.trouble
    bench.purse.broken = False
    bench.wait()
    assert not bench.runner.trouble
    assert bench.purse.calls.count("settle r-2027-01-15-ba1-1/settled") == 1


def test_a_yes_that_comes_after_the_close_is_rolled_back() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.purse.broken = True
    bench.bet("late")
    bench.do(c.CloseBets())
    assert bench.table.round is not None
    assert bench.table.round.batches == ()
    bench.purse.broken = False
    bench.wait()
    assert any(isinstance(each, e.FundsLate) for each in bench.events())
    assert bench.purse.paid == {"r-2027-01-15-ba1-1/late/late": (("ann", 1000), ("bob", 2000))}


def test_withdrawn_bets_go_back_to_who_made_them() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.WithdrawBets("w", ("a-1",)))
    assert bench.purse.paid == {"r-2027-01-15-ba1-1/w/withdrawn": (("bob", 2000),)}


def test_a_record_never_goes_backwards_when_the_wall_clock_is_set_back() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    bench.clock.set_wall(START_US - HOUR_US)
    bench.do(c.CloseTable(), SUPERVISOR)
    instants = [fact.at_us for fact in bench.journal.read(bench.journal.streams()[0])]
    assert instants == sorted(instants)
    assert len(bench.journal.streams()) == 1


def test_the_rates_of_a_line_move_no_rule_and_make_no_fact() -> None:
    bench = Bench()
    rates = o.LinkRates(
        device="shoe", at_us=1, bytes=1, frames=1, facts=1, garbage=0, last_us=1
    )  # fmt: skip
    bench.see(rates)
    assert bench.events() == []


def test_a_stopped_runner_handles_what_it_has_and_refuses_what_comes() -> None:
    bench = Bench(threaded=True)
    future = bench.runner.ask(c.OpenTable(), SUPERVISOR)
    bench.runner.stop()
    assert future.result(1).status == "done"
    assert bench.runner.ask(c.CloseTable(), SUPERVISOR).result(1).code == STOPPED


def test_a_wall_clock_that_was_set_is_noted_once_and_holds_nothing() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    bench.clock.set_wall(bench.clock.now_us() + HOUR_US)
    bench.shoe_online()
    bench.do(c.StartShoe())
    raised = [each for each in bench.events() if isinstance(each, e.FaultRaised)]
    assert [(each.fault.code, each.holds) for each in raised] == [(FaultCode.CLOCK_JUMP, False)]
    assert raised[0].fault.text == "+3600.0 s"
