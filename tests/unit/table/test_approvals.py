"""What needs two people waits on the table until a second one has spoken (DESIGN.md 5)."""

from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK, Card
from studio.domain.written import read_back, written
from studio.table import policy
from studio.table.approvals import APPROVERS, approval_view, waiting, waiting_view
from studio.table.casework import supervisor_view, void_preview
from studio.table.evolve import evolve
from studio.table.laws import LawBroken, check_laws
from studio.table.show import tile_view
from studio.table.views import Message
from tests.support.rig import FIRST, SECOND, Rig

REASON = "reason.other"
TWINS = c.Asker(number="2001", name="Amina K.", role="supervisor", session="s9")
"""The first person again, in another sign-in."""
SAME_SCREEN = c.Asker(number="3001", name="Lena P.", role="pit-boss", session="s1")
"""The second person in the sign-in of the first."""
DEALER = c.Asker(number="1001", name="Imran S.", role="dealer", session="s3")
OTHER = c.Asker(number="2002", name="Sana B.", role="supervisor", session="s4")


@pytest.fixture
def rig() -> Rig:
    """A coup with two cards, held by the dealer's call, with money in it."""
    rig = Rig().in_play().dealing(player=1_000, tie=200)
    rig.deal("P", "9H")
    rig.deal("B", "2C")
    rig.give(c.CallSupervisor())
    return rig


def void(rig: Rig) -> c.VoidRound:
    """Void the open round."""
    assert rig.table.round is not None
    return c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)


def asked(rig: Rig, command: c.Command) -> str:
    """Ask alone; the id of what waits."""
    new = rig.give(command, second=False)
    assert [type(event) for event in new] == [e.ApprovalAsked]
    found = waiting(rig.table)
    assert found is not None
    return found.id


def refusal(rig: Rig, command: c.Command, by: c.Asker) -> str | None:
    """Ask for something that must change nothing where it is refused."""
    before = rig.table
    code = rig.refused(command, by)
    assert code is None or rig.table is before
    return code


def test_asking_alone_does_nothing_but_wait(rig: Rig) -> None:
    asked(rig, void(rig))
    assert rig.table.round is not None
    assert rig.table.round.state == "open"


def test_the_second_person_makes_it_happen_in_the_same_commit(rig: Rig) -> None:
    approval = asked(rig, void(rig))
    new = rig.give(c.Approve(approval=approval), SECOND)
    assert isinstance(new[0], e.ApprovalEnded)
    assert (new[0].how, new[0].by, new[0].by_name) == ("given", "3001", "Lena P.")
    voided = next(event for event in new if isinstance(event, e.RoundVoided))
    assert voided.refunded == 1_200
    assert waiting(rig.table) is None


def test_what_is_not_lawful_is_refused_before_anybody_is_asked(rig: Rig) -> None:
    other = c.VoidRound(fault=rig.fault(), reason=REASON, round_id="r-none")
    assert refusal(rig, other, FIRST) == "refused.other_round"
    again = c.CorrectCard(fault=rig.fault(), reason=REASON, index=0, card=Card.parse("9H"))
    assert refusal(rig, again, FIRST) == "refused.same_card"


def test_one_thing_waits_at_a_time(rig: Rig) -> None:
    asked(rig, void(rig))
    assert refusal(rig, void(rig), OTHER) == "refused.approval_waiting"
    correct = c.CorrectCard(fault=rig.fault(), reason=REASON, index=0, card=Card.parse("8H"))
    assert refusal(rig, correct, FIRST) == "refused.approval_waiting"


@pytest.mark.parametrize(
    ("by", "code"),
    [
        (FIRST, "refused.approval_same_person"),
        (TWINS, "refused.approval_same_person"),
        (SAME_SCREEN, "refused.approval_same_session"),
        (DEALER, "refused.no_right"),
        (c.NOBODY, "refused.no_right"),
    ],
)
def test_the_second_person_is_another_number_another_sign_in_and_may(
    rig: Rig, by: c.Asker, code: str
) -> None:
    approval = asked(rig, void(rig))
    assert refusal(rig, c.Approve(approval=approval), by) == code
    assert refusal(rig, c.Decline(approval=approval), by) == code


def test_nobody_cannot_approve_what_nobody_asked(rig: Rig) -> None:
    new = rig.give(void(rig), c.NOBODY, second=False)
    assert isinstance(new[0], e.ApprovalAsked)
    approval = new[0].approval
    assert refusal(rig, c.Approve(approval=approval), c.NOBODY) == "refused.approval_same_person"


def test_a_refusal_ends_it_with_its_reason(rig: Rig) -> None:
    approval = asked(rig, void(rig))
    no = c.Decline(approval=approval, reason="reason.camera_proves", note="The third card")
    new = rig.give(no, SECOND)
    assert isinstance(new[0], e.ApprovalEnded)
    assert (new[0].reason, new[0].note) == ("reason.camera_proves", "The third card")
    view = approval_view(rig.table)
    assert view is not None
    assert (view.how, view.ended_by) == ("declined", "Lena P.")
    assert view.reason == Message("reason.camera_proves")
    assert view.note == "The third card"
    assert refusal(rig, c.Approve(approval=approval), SECOND) == "refused.approval_gone"


def test_who_declines_says_why_by_a_reason_of_the_list(rig: Rig) -> None:
    approval = asked(rig, void(rig))
    for reason, note, code in (
        ("", "", "refused.reason_missing"),
        ("The camera shows it", "", "refused.reason_missing"),
        (REASON, "w" * 501, "refused.malformed"),
    ):
        no = c.Decline(approval=approval, reason=reason, note=note)
        assert refusal(rig, no, SECOND) == code


def test_only_who_asked_takes_it_back(rig: Rig) -> None:
    approval = asked(rig, void(rig))
    take_back = c.WithdrawApproval(approval=approval)
    assert refusal(rig, take_back, SECOND) == "refused.approval_not_yours"
    rig.give(take_back, TWINS)
    assert waiting(rig.table) is None
    assert refusal(rig, take_back, FIRST) == "refused.approval_gone"


def test_another_number_is_gone(rig: Rig) -> None:
    asked(rig, void(rig))
    assert refusal(rig, c.Approve(approval="7"), SECOND) == "refused.approval_gone"


def test_it_is_overtaken_when_its_fault_is_answered_otherwise(rig: Rig) -> None:
    asked(rig, void(rig))
    new = rig.give(c.AcknowledgeFault(fault=rig.fault(), reason=REASON))
    ended = new[-1]
    assert isinstance(ended, e.ApprovalEnded)
    assert (ended.how, ended.by, ended.reason) == ("overtaken", "", "refused.no_such_fault")


def test_it_is_overtaken_when_the_hold_is_lifted(rig: Rig) -> None:
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason=REASON))
    assert rig.table.round is not None
    asked(rig, c.VoidRound(fault="", reason=REASON, round_id=rig.table.round.id))
    rig.lift()
    assert rig.table.approval is not None
    assert (rig.table.approval.how, rig.table.approval.reason) == ("overtaken", "refused.not_held")


def test_what_became_unlawful_is_overtaken_and_nothing_is_done(rig: Rig) -> None:
    correct = c.CorrectCard(fault=rig.fault(), reason=REASON, index=0, card=Card.parse("8H"))
    approval = asked(rig, correct)
    rig.record(e.CardCorrected(index=0, old=Card.parse("9H"), new=Card.parse("8H"), kept=2))
    new = rig.give(c.Approve(approval=approval), SECOND)
    assert [type(event) for event in new] == [e.ApprovalEnded]
    assert rig.table.approval is not None
    assert (rig.table.approval.how, rig.table.approval.reason) == (
        "overtaken",
        "refused.same_card",
    )


def test_what_another_release_wrote_and_nobody_can_read_is_overtaken(rig: Rig) -> None:
    approval = asked(rig, void(rig))
    waits = rig.table.approval
    assert waits is not None
    rig.table = replace(rig.table, approval=replace(waits, body='{"gone":1}'))
    assert waiting_view(rig.table) is not None
    rig.give(c.Approve(approval=approval), SECOND)
    assert rig.table.approval is not None
    assert (rig.table.approval.how, rig.table.approval.reason) == (
        "overtaken",
        "refused.malformed",
    )


def test_what_waits_survives_a_stop(rig: Rig) -> None:
    approval = asked(rig, void(rig))
    rig.restart()
    assert waiting(rig.table) is not None
    new = rig.give(c.Approve(approval=approval), SECOND)
    assert any(isinstance(event, e.RoundVoided) for event in new)


def test_the_screens_show_what_waits_and_for_whom(rig: Rig) -> None:
    correct = c.CorrectCard(fault=rig.fault(), reason=REASON, index=1, card=Card.parse("3C"))
    asked(rig, correct)
    view = supervisor_view(rig.setup, rig.table, rig.at_us).approval
    assert view is not None
    assert view == tile_view(rig.setup, rig.table).approval
    assert view.act == Message(
        "approval.CorrectCard", (("round", 1), ("zone", "B"), ("n", 2), ("card", "3C"))
    )
    assert (view.by, view.by_name, view.roles) == ("2001", "Amina K.", APPROVERS)
    assert view.effect_money == Message("effect.bets_stand")


def test_a_void_that_waits_says_what_goes_back(rig: Rig) -> None:
    asked(rig, void(rig))
    view = waiting_view(rig.table)
    assert view is not None
    assert view.effect_money == Message("effect.all_returned", (("amount", 1_200), ("count", 2)))
    preview = void_preview(rig.setup, rig.table)
    assert preview is not None
    assert (preview.people, preview.returned) == (2, 1_200)


def test_how_it_ended_is_shown_until_the_next_coup(rig: Rig) -> None:
    rig.give(void(rig))
    view = approval_view(rig.table)
    assert view is not None
    assert view.how == "given"
    assert waiting_view(rig.table) is None
    rig.take("P")
    rig.take("B")
    rig.wait(9)
    assert rig.table.round is not None
    assert rig.table.round.number == 2
    assert approval_view(rig.table) is None


def test_every_option_says_how_many_people_it_needs(rig: Rig) -> None:
    (case,) = supervisor_view(rig.setup, rig.table, rig.at_us).cases
    told = {option.command: option.people for option in case.options}
    assert told["AcknowledgeFault"] == 1
    assert told["CorrectCard"] == 2
    assert told["VoidRound"] == 2


@pytest.mark.parametrize("profile", sorted(policy.TWO_PERSONS))
def test_every_profile_asks_two_people_for_the_acts_of_the_house(profile: str) -> None:
    two = {name for name in NAMES if policy.people(profile, name) == 2}
    cards = {"VoidRound", "CorrectCard", "KeyInCard", "AssignCard"}
    assert two == cards | {"CorrectResult", "DecideQayd"}


@pytest.mark.parametrize(
    "ended",
    [
        e.ApprovalEnded(approval="7", how="given", by="3001"),
        e.ApprovalEnded(approval="", how="given", by="2001"),
        e.ApprovalEnded(approval="", how="given"),
    ],
)
def test_the_laws_stop_a_table_at_which_one_person_would_be_two(
    rig: Rig, ended: e.ApprovalEnded
) -> None:
    approval = asked(rig, void(rig))
    ended = replace(ended, approval=ended.approval or approval)
    after = evolve(rig.table, ended, rig.at_us)
    with pytest.raises(LawBroken, match="is approved"):
        check_laws(rig.table, after, [ended])


NAMES = sorted(kind.__name__ for kind in get_args(c.Command))
CARDS = st.sampled_from(PACK)
TEXT = st.text(max_size=12)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Anything that a field of a command may hold."""
    plain = {str: TEXT, int: st.integers(), bool: st.booleans(), Card: CARDS}
    if hint in plain:
        return plain[hint]
    if hint == Card | None:
        return st.none() | CARDS
    if is_dataclass(hint) and isinstance(hint, type):
        return built(hint)
    return st.lists(values(get_args(hint)[0]), max_size=3).map(tuple)


def built(kind: type) -> st.SearchStrategy[Any]:
    """Any command of a kind."""
    return st.builds(kind, **{each.name: values(each.type) for each in fields(kind)})


@given(st.sampled_from(get_args(c.Command)).flatmap(built))
def test_every_command_is_read_back_as_it_was_written(command: c.Command) -> None:
    """What waits in the journal is exactly what was asked."""
    assert read_back(type(command).__name__, written(command)) == command


@pytest.mark.parametrize(
    ("name", "body"),
    [("Nothing", "{}"), ("VoidRound", "[]"), ("VoidRound", '{"who":1}'), ("VoidRound", "{}")],
)
def test_a_body_that_is_none_of_ours_is_refused(name: str, body: str) -> None:
    with pytest.raises(ValueError, match=name if name != "Nothing" else "no command"):
        read_back(name, body)


PEOPLE = st.sampled_from([FIRST, SECOND, TWINS, SAME_SCREEN, DEALER, OTHER, c.NOBODY])
ACTS = st.sampled_from(["void", "correct", "approve", "decline", "withdraw", "call", "ack", "lift"])


@given(st.lists(st.tuples(ACTS, PEOPLE), max_size=30))
def test_no_sequence_of_commands_lets_one_person_both_ask_and_approve(
    course: list[tuple[str, c.Asker]],
) -> None:
    """Whoever presses what in which order: two numbers, two sign-ins, and a role that may."""
    rig = Rig().in_play().dealing(player=100)
    rig.deal("P", "9H")
    rig.give(c.CallSupervisor())
    for act, who in course:
        try:
            rig.give(command_of(rig, act), who, second=False)
        except c.Rejected:
            continue
    asks = {event.approval: event for event, _ in rig.events if isinstance(event, e.ApprovalAsked)}
    ends = [event for event, _ in rig.events if isinstance(event, e.ApprovalEnded)]
    assert len({end.approval for end in ends}) == len(ends)
    roles = {who.number: who.role for who in (FIRST, SECOND, DEALER, OTHER)}
    for end in ends:
        if end.how == "given":
            assert end.by != asks[end.approval].by
            assert roles[end.by] in APPROVERS
    acts = [ev for ev, _ in rig.events if isinstance(ev, e.RoundVoided | e.CardCorrected)]
    assert len(acts) == sum(end.how == "given" for end in ends)


def command_of(rig: Rig, act: str) -> c.Command:
    """The command of an act, about what lies there now."""
    fault = rig.fault() if rig.faults() else ""
    approval = rig.table.approval.id if rig.table.approval else ""
    current = rig.table.round.id if rig.table.round else ""
    card = Card.parse("8H") if rig.accepted()[:1] == [("P", "9H")] else Card.parse("9H")
    made: dict[str, c.Command] = {
        "void": c.VoidRound(fault=fault, reason=REASON, round_id=current),
        "correct": c.CorrectCard(fault=fault, reason=REASON, index=0, card=card),
        "approve": c.Approve(approval=approval),
        "decline": c.Decline(approval=approval, reason=REASON),
        "withdraw": c.WithdrawApproval(approval=approval),
        "call": c.CallSupervisor(),
        "ack": c.AcknowledgeFault(fault=fault, reason=REASON),
        "lift": c.LiftHold(fault="", reason=REASON),
    }
    return made[act]
