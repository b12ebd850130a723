"""A face that a camera saw before its time: from when until when pictures wait for the turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.live.lifted import EARLIER_US, Lifted
from tests.support.shared import SharedRig

SECOND = 1_000_000
BOTH = ("shoe", "camera")


def told(rig: SharedRig) -> Lifted:
    """What the facts of a table so far tell."""
    lifted = Lifted()
    for event, at_us in rig.events:
        lifted.learn(event, at_us)
    return lifted


def dealt(sources: tuple[str, ...] = BOTH) -> SharedRig:
    """Players choose; a seven lies face down."""
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards("TS 6D 8C 7H")
    return rig


def lift(rig: SharedRig, code: str = "7H") -> int:
    """The hole card shows its face, or ``??`` what nobody can read; the instant of that."""
    read = None if code == "??" else Card.parse(code)
    look = o.Look.FACE if read else o.Look.UNKNOWN
    rig.felt["D"][1] = replace(rig.felt["D"][1], look=look, card=read, sure=bool(read))
    rig.show()
    return rig.at_us


def cover(rig: SharedRig) -> None:
    """It lies face down again."""
    rig.felt["D"][1] = replace(rig.felt["D"][1], look=o.Look.BACK, card=None, sure=False)
    rig.show()


@pytest.mark.parametrize("sources", [BOTH, ("camera",)])
def test_pictures_of_a_clean_round_may_be_seen(sources: tuple[str, ...]) -> None:
    rig = dealt(sources)
    assert told(rig).covered
    assert not told(rig).between(0, rig.at_us + SECOND)


@pytest.mark.parametrize("code", ["7H", "??"])
def test_pictures_wait_while_the_card_is_lifted_and_from_a_little_before(code: str) -> None:
    rig = dealt()
    rig.wait(5)
    at_us = lift(rig, code)
    rig.wait(1)
    lifted = told(rig)
    assert not lifted.between(at_us - 4 * SECOND, at_us - EARLIER_US - 1)
    assert lifted.between(at_us - 4 * SECOND, at_us - EARLIER_US)
    assert lifted.between(at_us + 60 * SECOND, at_us + 65 * SECOND), "it still lies there open"


def test_pictures_from_after_the_card_was_covered_again_may_be_seen() -> None:
    rig = dealt()
    at_us = lift(rig)
    rig.wait(3)
    cover(rig)
    lifted = told(rig)
    assert lifted.between(at_us + 3 * SECOND, at_us + 8 * SECOND)
    assert not lifted.between(at_us + 3 * SECOND + 1, at_us + 8 * SECOND)


def test_the_turn_of_the_card_and_the_end_of_the_round_let_every_picture_be_seen() -> None:
    rig = dealt()
    lift(rig)
    assert told(rig).between(0, rig.at_us)
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.answer("ann M stand")
    assert any(isinstance(event, e.CardTurned) for event, _ in rig.events)
    assert not told(rig).between(0, rig.at_us)
    rig = dealt()
    lift(rig)
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason="reason.other", round_id=rig.table.round.id)
    rig.give(void)
    assert not told(rig).between(0, rig.at_us)


def test_a_card_that_is_dealt_open_instead_of_face_down_counts_as_seen() -> None:
    rig = SharedRig(sources=BOTH).seated(ann=1000)
    rig.cards("TS 6D 8C")
    rig.read("7H")
    rig.lay("D", "7H")
    rig.wait(5)
    assert told(rig).between(rig.at_us - 5 * SECOND, rig.at_us)


def test_a_round_that_was_not_dealt_to_its_end_before_a_stop_still_waits() -> None:
    """After a start the instants of old facts are not known: all of them count."""
    rig = dealt()
    lift(rig)
    lifted = Lifted()
    for event, _ in rig.events:
        lifted.learn(event, 0)
    assert lifted.between(rig.at_us - SECOND, rig.at_us)
