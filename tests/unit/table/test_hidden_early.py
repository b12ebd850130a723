"""The hole card shows its face before its time (B10), or was turned while the studio stood."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Peek, Reveal
from studio.table.state import Phase
from studio.table.turn import due
from tests.support.shared import SharedRig, of_kind

BOTH = ("shoe", "camera")
CAMERA = ("camera",)


def dealt(sources: tuple[str, ...], up: str = "6D", hole: str = "TC") -> SharedRig:
    """Four cards lie; under a six players choose at once, under a ten it is looked first."""
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards(f"8S {up} 8C {hole}")
    return rig


def face(rig: SharedRig, code: str) -> list[e.Event]:
    """The hole card lies open, as the camera sees."""
    down = next(n for n, card in enumerate(rig.felt["D"]) if card.look is o.Look.BACK)
    rig.felt["D"][down] = replace(
        rig.felt["D"][down], look=o.Look.FACE, card=Card.parse(code), sure=True
    )
    return rig.show()


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_a_hole_card_that_lies_open_while_players_choose_holds_the_table(
    sources: tuple[str, ...],
) -> None:
    rig = dealt(sources)
    face(rig, "TC")
    assert rig.table.phase is Phase.DECISION
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


def test_a_hole_card_that_lies_open_before_the_look_is_told_holds_the_table() -> None:
    rig = dealt(BOTH, up="KD", hole="9H")
    assert isinstance(due(rig.setup, rig.table), Peek)
    face(rig, "9H")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


def test_a_hole_card_that_lies_open_while_a_lane_has_its_card_holds_the_table() -> None:
    rig = dealt(BOTH)
    rig.answer("ann M hit")
    face(rig, "TC")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_a_supervisor_may_let_it_be_played_on_with_the_open_card(sources: tuple[str, ...]) -> None:
    rig = dealt(sources)
    face(rig, "TC")
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    assert rig.faults() == []
    new = rig.answer("ann M stand")
    assert [event.card for event in of_kind(new, e.CardTurned)] == [Card.parse("TC")]


def test_an_open_card_that_is_not_the_one_that_was_dealt_is_not_played_on_with() -> None:
    rig = dealt(BOTH)
    face(rig, "9C")
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.answer("ann M stand")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_a_hole_card_that_was_turned_while_the_studio_stood_still_is_found(
    sources: tuple[str, ...],
) -> None:
    rig = dealt(sources)
    rig.answer("ann M stand")
    assert isinstance(due(rig.setup, rig.table), Reveal)
    rig.restart(looks=False)
    face(rig, "TC")
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.wait(5)
    assert rig.faults() == []
    turned = of_kind([event for event, _ in rig.events], e.CardTurned)
    assert [event.card for event in turned] == [Card.parse("TC")]
