"""A game of several packs calls its rounds by the game, on every face and in the journal."""

from __future__ import annotations

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind, Recorded
from studio.table.casework import supervisor_view
from studio.table.show import dealer_view, overlay_view, tile_view
from studio.table.story import journal_lines
from tests.support.baloot_rig import ORDER, PASSED, BalootRig
from tests.support.rig import FIRST, SECOND
from tests.support.row_play import REASON

SHOE = ("shoe",)


def in_second_round() -> BalootRig:
    """One round was played to its end; the second one is open, from a second pack."""
    rig = BalootRig(sources=SHOE).opened(round_0=1000).until("")
    again(rig)
    return rig


def again(rig: BalootRig) -> None:
    """The next pack, in the same order."""
    rig.collected()
    rig.deck = list(ORDER)
    rig.new_pack()
    rig.begin(round_0=1000)


def opened_as(rig: BalootRig) -> list[object]:
    """The number in each line of the journal that says that a round was opened."""
    someone = Actor(ActorKind.PERSON, "1001", "dealer")
    records = [
        Recorded(version=at, at_us=at_us, actor=someone, command_id=f"{at}", event=event)
        for at, (event, at_us) in enumerate(rig.events, start=1)
    ]
    lines = journal_lines(records)
    opened = [line.message for line in lines if line.message.code == "journal.round_opened"]
    return [dict(message.params)["round"] for message in opened]


def test_every_face_says_the_round_of_the_game() -> None:
    rig = in_second_round()
    assert rig.table.round is not None
    assert (rig.table.round.number, rig.board().round_no) == (1, 2)
    assert dealer_view(rig.setup, rig.table, rig.at_us).round_no == 2
    assert overlay_view(rig.setup, rig.table).round_no == 2
    assert tile_view(rig.setup, rig.table).round_no == 2
    assert opened_as(rig)[-1] == 2
    rig.give(c.CallSupervisor())
    slate = overlay_view(rig.setup, rig.table).slate
    assert slate is not None
    assert slate.round_no == 2


def test_a_void_and_its_receipt_say_the_round_of_the_game() -> None:
    rig = in_second_round()
    assert rig.table.round is not None
    rig.give(c.CallSupervisor())
    void = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    rig.give(void, FIRST, second=False)
    asked = supervisor_view(rig.setup, rig.table, rig.at_us).approval
    assert asked is not None
    assert (asked.round_no, dict(asked.act.params)["round"]) == (2, 2)
    rig.give(c.Approve(approval=asked.id), SECOND)
    slate = overlay_view(rig.setup, rig.table).slate
    assert (rig.faults(), slate and slate.code, slate and slate.round_no) == ([], "void", 2)


def test_a_round_that_is_dealt_again_keeps_its_number() -> None:
    rig = in_second_round()
    rig.says = dict(PASSED)
    rig.until("")
    again(rig)
    assert opened_as(rig)[-1] == 2
    assert dealer_view(rig.setup, rig.table, rig.at_us).round_no == 2


def test_a_settled_round_may_be_put_right_under_the_number_of_the_game() -> None:
    rig = in_second_round().until("")
    (past,) = supervisor_view(rig.setup, rig.table, rig.at_us).past
    assert past.round_no == 2
    assert [result.round_no for result in overlay_view(rig.setup, rig.table).results] == [2]
