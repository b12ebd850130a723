"""Mishaps at a table with seats that only the felt tells: places passed over, cards too many."""

from __future__ import annotations

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import FaultCode
from studio.table import policy
from studio.table.state import Phase
from tests.support.shared import SharedRig, of_kind

BOTH = ("shoe", "camera")


def table(**mains: int) -> SharedRig:
    rig = SharedRig(sources=BOTH, game="blackjack")
    return rig.seated(**(mains or {"ann": 100, "bob": 100, "cem": 100}))


def row(rig: SharedRig) -> str:
    """The row of policy by which the table is held."""
    assert rig.table.hold is not None
    return policy.row_of("house", rig.table.hold.faults[0], rig.table).row


def lies_at(rig: SharedRig, seat: str, code: str) -> None:
    """The next card is laid at this seat, wherever it was due."""
    rig.read(code)
    rig.lay(seat, code)


def test_a_seat_that_was_passed_over_has_the_next_card_and_none_is_moved() -> None:
    rig = table()
    rig.cards("8S")
    lies_at(rig, "S3", "9S")
    assert rig.table.hold is not None
    assert rig.table.hold.faults[0].code is FaultCode.DEAL_ORDER
    assert row(rig) == "B7"
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.cards("TS")
    rig.give(c.Tick())
    play = rig.table.play
    assert play is not None
    assert [(at.to, at.card.code if at.card else "") for at in play.places] == [
        ("S1", "8S"),
        ("S2", "TS"),
        ("S3", "9S"),
    ]


def test_a_card_at_a_seat_that_has_none_to_come_lies_wrong_and_is_moved() -> None:
    rig = table()
    rig.cards("8S 9S TS 6D 8D 9D 7C")
    lies_at(rig, "S2", "5H")
    assert rig.table.hold is not None
    assert row(rig) in ("B13", "B6")


def test_a_card_that_comes_while_a_seat_decides_is_the_next_one() -> None:
    rig = table(ann=100, bob=100)
    rig.cards("8S 9S 6D 8D 9D TC")
    assert rig.table.phase is Phase.DECISION
    lies_at(rig, "S1", "3C")
    rig.at_us += 5_000_000
    rig.give(c.Tick())
    assert rig.table.hold is not None
    assert row(rig) == "B4"


def test_one_card_more_than_the_dealer_needs_is_burned() -> None:
    rig = table(ann=100)
    rig.cards("TS 6D 8S TC")
    rig.answer("ann S1 stand")
    rig.turn_hole("TC")
    rig.cards("5H")
    assert rig.table.phase is Phase.RESULT
    settled = of_kind([event for event, _ in rig.events], e.RoundSettled)
    assert len(settled) == 1
    lies_at(rig, "D", "2C")
    rig.at_us += 5_000_000
    rig.give(c.Tick())
    assert rig.table.hold is not None
    assert row(rig) == "B5"


def test_a_card_that_nobody_saw_and_the_round_did_not_use_is_the_next_one_or_dead() -> None:
    rig = table(ann=100)
    rig.cards("TS 9D 8S TC")
    assert rig.table.phase is Phase.DECISION
    rig.read("3C")
    rig.at_us += 5_000_000
    rig.give(c.Tick())
    rig.answer("ann S1 stand")
    rig.turn_hole("TC")
    rig.at_us += 5_000_000
    rig.give(c.Tick())
    assert len(of_kind([event for event, _ in rig.events], e.RoundSettled)) == 1
    assert rig.table.hold is not None
    assert row(rig) == "B3"
