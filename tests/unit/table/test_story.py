"""The journal in words names who asked, who approved and what was done by hand."""

from __future__ import annotations

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Actor, ActorKind, Recorded
from studio.table.story import journal_lines
from tests.support.rig import Rig

PEOPLE = {"2001": "Amina K. (2001)", "3001": "Lena P. (3001)"}


def told(*facts: tuple[str, str, e.Event]) -> list[tuple[str, str, str]]:
    """(code, name in the sentence, actor) of each (command, person, fact)."""
    records = [
        Recorded(
            version=at,
            at_us=at,
            actor=Actor(ActorKind.PERSON, person, "supervisor"),
            command_id=command,
            event=event,
        )
        for at, (command, person, event) in enumerate(facts, start=1)
    ]
    lines = journal_lines(records, PEOPLE.__getitem__)
    return [
        (line.message.code, str(dict(line.message.params).get("name", "")), line.actor)
        for line in lines
    ]


def asking() -> e.ApprovalAsked:
    return e.ApprovalAsked(
        approval="1", command="VoidRound", body="{}", by="2001", by_name="Amina K.", session="s1"
    )


def ending(how: str) -> e.ApprovalEnded:
    return e.ApprovalEnded(approval="1", how=how, by="3001", by_name="Lena P.")


ANSWER = e.FaultAnswered(fault="f", code="dealer_call", repair="VoidRound", reason="reason.other")


def test_what_an_approval_did_names_who_asked_and_who_approved() -> None:
    lines = told(("a", "2001", asking()), ("b", "3001", ending("given")), ("b", "3001", ANSWER))
    assert lines[1:] == [
        ("journal.approval_ended", "Lena P. (3001)", ""),
        ("journal.fault_answered", "", "Amina K. (2001) + Lena P. (3001)"),
    ]


def test_what_one_person_does_after_a_refusal_names_that_person_alone() -> None:
    lines = told(("a", "2001", asking()), ("b", "3001", ending("declined")), ("c", "2001", ANSWER))
    assert lines[-1] == ("journal.fault_answered", "", "Amina K. (2001)")


def test_a_person_whom_the_sentence_names_is_not_named_again_behind_it() -> None:
    lines = told(
        ("a", "2001", e.HoldTaken(by="Amina K.")), ("b", "2001", e.HoldLifted(deadline_us=None))
    )
    assert lines == [
        ("journal.hold_taken", "Amina K. (2001)", ""),
        ("journal.hold_lifted", "", "Amina K. (2001)"),
    ]


def test_a_felt_that_was_entered_by_hand_is_never_called_a_look_of_the_camera() -> None:
    rig = Rig(sources=("shoe",)).in_play().dealing(player=1000)
    rig.deal("P", "4C")
    rig.restart()
    felt = (c.FeltZone(zone="P", cards=(Card.parse("4C"),)),)
    new = rig.give(c.RescanRound(fault=rig.fault(), reason="reason.other", felt=felt))
    assert [event.repair for event in new if isinstance(event, e.FaultAnswered)] == ["EnterFelt"]
