"""Any people, in any sign-ins, at any table, in any order: what two must agree to, two agreed to.

The laws are those of DESIGN.md 5 (two-person rules) and of live-dealer-systems.md 1.2 (P1, P3).
"""

import os
from collections import Counter
from functools import reduce

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK, Card
from studio.table.approvals import APPROVERS, approval_view, waiting, waiting_view
from studio.table.evolve import evolve
from studio.table.laws import check_laws
from studio.table.show import dealer_view
from studio.table.state import Phase, Table
from tests.support.rig import Rig

ROLES = {"1": "dealer", "2": "dealer", "3": "supervisor", "4": "supervisor", "5": "pit-boss",
         "6": "engineer"}  # fmt: skip
SESSIONS = ("s1", "s2", "s3")
EVERYBODY = [
    c.Asker(number=number, name=f"N{number}", role=role, session=session)
    for number, role in ROLES.items()
    for session in SESSIONS
]
"""Six people; sign-ins are shared now and then, as at a console that nobody left."""
PEOPLE = st.sampled_from(EVERYBODY)
LEADS = st.sampled_from([who for who in EVERYBODY if who.role in APPROVERS])
DEALERS = st.sampled_from([who for who in EVERYBODY if who.role == "dealer"])
CARDS = st.sampled_from(PACK)
REASON = "reason.other"
HANDS_ON = (c.OpenBets(), c.CloseBets(), c.ConfirmStep(), c.EnterCount(200), c.StartShoe(),
            c.CutCardIsOut())  # fmt: skip


def answer(word: type, approval: str) -> c.Command:
    """This word about what waits; who declines says why."""
    if word is c.Decline:
        return c.Decline(approval=approval, reason=REASON)
    said: c.Command = word(approval=approval)
    return said


class AnyPeople(RuleBasedStateMachine):
    """A table worked by people who press anything at all."""

    def __init__(self) -> None:
        """Open a table in the middle of a shoe."""
        super().__init__()
        self.rig = Rig()
        self.commits: list[list[e.Event]] = []

    @initialize()
    def begin(self) -> None:
        """The table is open, and nobody deals."""
        self.rig.in_play()

    def ask(self, command: c.Command, who: c.Asker) -> bool:
        """Ask alone; a refusal changes nothing."""
        before, facts = self.rig.table, len(self.rig.events)
        try:
            new = self.rig.give(command, who, second=False)
        except c.Rejected:
            assert self.rig.table is before
            assert len(self.rig.events) == facts
            return False
        check_laws(before, self.rig.table, new)
        self.commits.append(new)
        return True

    @rule(command=st.sampled_from(HANDS_ON), who=DEALERS)
    def dealer_works(self, command: c.Command, who: c.Asker) -> None:
        """Only who deals here does so, or sits down by it."""
        seated = self.rig.table.dealer
        if self.ask(command, who):
            assert seated in ("", who.number)
            assert self.rig.table.dealer == who.number

    @rule(
        command=st.sampled_from([c.RelieveDealer(), c.LeaveTable(), c.CallSupervisor()]),
        who=DEALERS,
    )
    def dealer_comes_or_goes(self, command: c.Command, who: c.Asker) -> None:
        """Nobody is put off the table in an open round."""
        table = self.rig.table
        in_round = table.round is not None and table.round.state == "open"
        self.ask(command, who)
        if in_round and table.dealer:
            assert self.rig.table.dealer == table.dealer

    @rule(command=st.sampled_from([c.ClaimTable(), c.ReleaseTable(), c.TakeHold()]), who=LEADS)
    def supervisor_claims(self, command: c.Command, who: c.Asker) -> None:
        """Only one's own claim is given back."""
        before = self.rig.table.claimed_by
        done = self.ask(command, who)
        if done and isinstance(command, c.ReleaseTable):
            assert before == who.number

    @rule(codes=st.lists(CARDS, min_size=1, max_size=8), who=DEALERS)
    def the_coup_goes_on(self, codes: list[Card], who: c.Asker) -> None:
        """The next right things, one after the other."""
        for code in codes:
            self.next_thing(code, who)

    def next_thing(self, code: Card, who: c.Asker) -> None:
        """The next right thing."""
        table = self.rig.table
        if table.held:
            return
        if table.phase is Phase.IDLE:
            self.ask(c.OpenBets(), who)
        elif table.phase is Phase.BETTING:
            self.ask(c.CloseBets(), who)
        elif table.phase is Phase.DEALING:
            step = dealer_view(self.rig.setup, table, self.rig.at_us).step
            self.rig.deal(step.to, code.code)
        elif table.phase is Phase.RESULT:
            self.rig.take("P")
            self.rig.take("B")
            self.rig.wait(9)

    def a_coup_is_stopped(self, codes: list[Card], who: c.Asker) -> None:
        """A supervisor steps in once a card lies there."""
        for code in codes:
            if self.rig.table.phase is not Phase.DEALING or not self.rig.accepted():
                self.next_thing(code, who)
        self.ask(c.CallSupervisor(), who)

    @precondition(lambda self: self.rig.table.held)
    @rule(who=LEADS)
    def the_hold_is_lifted(self, who: c.Asker) -> None:
        """Every fault is seen and understood."""
        for _ in self.rig.faults():
            self.ask(c.AcknowledgeFault(fault=self.rig.fault(), reason=REASON), who)
        self.ask(c.LiftHold(fault="", reason=REASON), who)

    @precondition(lambda self: self.rig.table.dealer != "")
    @rule(session=st.sampled_from(SESSIONS))
    def who_deals_here_leaves(self, session: str) -> None:
        """Between coups, and not while the table is held."""
        table = self.rig.table
        who = c.Asker(number=table.dealer, name="N", role="dealer", session=session)
        in_round = table.round is not None and table.round.state == "open"
        assert self.ask(c.LeaveTable(), who) == (not in_round and not table.held)

    @rule(
        act=st.sampled_from(["void", "correct", "correct"]),
        codes=st.lists(CARDS, min_size=6, max_size=6),
        who=LEADS,
        word=st.sampled_from([None, c.Approve, c.Approve, c.Decline, c.WithdrawApproval]),
        second=LEADS,
    )
    def supervisor_repairs(
        self, act: str, codes: list[Card], who: c.Asker, word: type | None, second: c.Asker
    ) -> None:
        """What takes two is asked for, alone; often somebody answers at once."""
        if not self.rig.table.held:
            self.a_coup_is_stopped(codes, who)
        fault = self.rig.fault() if self.rig.faults() else ""
        current = self.rig.table.round
        round_id = current.id if current is not None else ""
        made: dict[str, c.Command] = {
            "void": c.VoidRound(fault=fault, reason=REASON, round_id=round_id),
            "correct": c.CorrectCard(fault=fault, reason=REASON, index=0, card=codes[5]),
        }
        self.ask(made[act], who)
        asked = waiting(self.rig.table)
        if word is not None and asked is not None:
            self.ask(answer(word, asked.id), second)

    @precondition(lambda self: self.rig.table.approval is not None)
    @rule(who=PEOPLE)
    def somebody_comes_too_late(self, who: c.Asker) -> None:
        """What has ended is not answered again."""
        approval = self.rig.table.approval
        assert approval is not None
        if approval.how:
            assert not self.ask(c.Approve(approval=approval.id), who)

    @precondition(lambda self: waiting(self.rig.table) is not None)
    @rule(word=st.sampled_from([c.Approve, c.Decline, c.WithdrawApproval]), who=PEOPLE)
    def somebody_answers(self, word: type, who: c.Asker) -> None:
        """Anybody answers what waits."""
        approval = waiting(self.rig.table)
        assert approval is not None
        self.ask(answer(word, approval.id), who)

    def teardown(self) -> None:
        """Count what came about."""
        MET.update(
            f"ended {event.how}" if isinstance(event, e.ApprovalEnded) else type(event).__name__
            for event, _ in self.rig.events
        )

    # the laws

    @invariant()
    def what_takes_two_was_given_by_a_second_in_the_same_commit(self) -> None:
        """No void and no correction without somebody else's word."""
        for new in self.commits:
            acts = [ev for ev in new if isinstance(ev, e.RoundVoided | e.CardCorrected)]
            given = [ev for ev in new if isinstance(ev, e.ApprovalEnded) and ev.how == "given"]
            assert not acts or len(given) == 1

    @invariant()
    def nobody_asks_and_approves(self) -> None:
        """Two numbers, a role that may, and each request ends once."""
        asks = {ev.approval: ev for ev, _ in self.rig.events if isinstance(ev, e.ApprovalAsked)}
        ends = [ev for ev, _ in self.rig.events if isinstance(ev, e.ApprovalEnded)]
        assert len({end.approval for end in ends}) == len(ends)
        for end in ends:
            if end.how in ("given", "declined"):
                assert end.by != asks[end.approval].by
                assert ROLES[end.by] in APPROVERS
            if end.how == "withdrawn":
                assert end.by == asks[end.approval].by
        assert len(asks) - len(ends) in (0, 1)

    @invariant()
    def the_journal_alone_gives_the_same_table(self) -> None:
        """Law 5: replay, with whoever waits, deals and answers for the table."""
        assert reduce(lambda t, fact: evolve(t, *fact), self.rig.events, Table()) == self.rig.table

    @invariant()
    def what_waits_can_be_shown(self) -> None:
        """Every request has its words on every screen."""
        approval = self.rig.table.approval
        view = waiting_view(self.rig.table)
        assert (view is not None) == (approval is not None and not approval.how)
        if view is not None:
            assert view == approval_view(self.rig.table)


MET: Counter[str] = Counter()
"""How often each thing came about; a machine in which nobody ever agrees proves nothing."""


def run(examples: int, steps: int) -> None:
    """Run the machine so often, and see that everything came about in it."""
    MET.clear()
    run_state_machine_as_test(
        AnyPeople,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    wanted = ["ApprovalAsked", "DealerSeated", "DealerLeft", "TableClaimed", "TableReleased",
              "RoundVoided", "CardCorrected", "RoundSettled"]  # fmt: skip
    for what in [*wanted, *(f"ended {how}" for how in ("given", "declined", "withdrawn"))]:
        assert MET[what] > 0, f"no {what} in {sum(MET.values())} events"


def test_what_two_must_agree_to_two_agreed_to() -> None:
    """A first look at random people."""
    run(60, 40)


@pytest.mark.soak
def test_two_agreed_over_very_many_courses() -> None:
    """The long form."""
    run(int(os.environ.get("CUTCARD_SOAK_EXAMPLES", "2000")), 120)
