"""Nobody finds out alone which cards lie face down, by telling the table one card after another.

A pack of 32 holds each card once: a card that is refused as impossible, and does not lie open, lies
in somebody's hand.
"""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.table.approvals import waiting
from studio.table.decide import decided
from studio.table.turn import Stamp
from tests.support.baloot_rig import DEALER, ORDER, BalootRig
from tests.support.row_play import REASON

FIRST = c.Asker(number="2001", name="Sami", role="supervisor", session="s1")
SECOND = c.Asker(number="2002", name="Lena", role="pit-boss", session="s2")


@pytest.fixture(scope="module")
def bidding() -> BalootRig:
    """Twenty cards lie face down, a shoe has named them all; the dealer calls a supervisor."""
    rig = BalootRig().opened(round_0=1000).until("bidding")
    rig.give(c.CallSupervisor(), by=DEALER)
    return rig


def correction(rig: BalootRig, code: str) -> c.CorrectCard:
    """The open card is to be this one."""
    assert rig.table.hold is not None
    assert rig.table.play is not None
    index = next(place.index for place in rig.table.play.places if place.to == "FACE")
    fault = rig.table.hold.faults[0].id
    return c.CorrectCard(fault=fault, reason=REASON, index=index, card=Card.parse(code))


def asked(rig: BalootRig, code: str, by: c.Asker = FIRST) -> list[e.Event]:
    """What follows from a correction; the table stays as it is."""
    stamp = Stamp(at_us=rig.at_us, salt="try")
    return decided(rig.setup, rig.table, correction(rig, code), stamp, by=by, book=rig.book).events


def test_a_card_of_a_hand_and_a_card_of_the_pack_are_answered_alike(bidding: BalootRig) -> None:
    told = [asked(bidding, code) for code in ORDER if code != "9S"]
    assert len(told) == len(ORDER) - 1
    waits = [event for events in told for event in events if isinstance(event, e.ApprovalAsked)]
    assert len(waits) == len(told)
    assert len({replace(each, body="") for each in waits}) == 1


def test_a_card_that_no_such_pack_holds_is_refused_at_once(bidding: BalootRig) -> None:
    with pytest.raises(c.Rejected) as refused:
        asked(bidding, "2H")
    assert refused.value.code == "refused.impossible_card"


def test_the_second_person_is_told_and_the_round_stays_as_it_was() -> None:
    rig = BalootRig().opened(round_0=1000).until("bidding")
    rig.give(c.CallSupervisor(), by=DEALER)
    before = rig.table.play
    rig.give(correction(rig, "KH"), by=FIRST)
    if (approval := waiting(rig.table)) is not None:
        rig.give(c.Approve(approval=approval.id), by=SECOND)
    ended = rig.table.approval
    assert ended is not None
    assert (ended.how, ended.reason) == ("overtaken", "refused.impossible_card")
    assert rig.table.play == before
