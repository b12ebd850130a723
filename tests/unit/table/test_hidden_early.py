"""The hole card shows its face before its time (B10), or was turned while the studio stood."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Peek, Reveal
from studio.storage.codec import default_codec
from studio.table.state import Phase
from studio.table.turn import due
from tests.support.shared import SharedRig, of_kind
from tests.unit.table.test_hidden import everything_shown

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


# -- its face stays sealed -----------------------------------------------------------------------


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_the_face_of_a_hole_card_that_is_lifted_is_named_nowhere(sources: tuple[str, ...]) -> None:
    rig = dealt(sources, hole="7H")
    face(rig, "7H")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert "7H" not in everything_shown(rig)
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    assert "7H" not in everything_shown(rig)
    rig.answer("ann M stand")
    assert "7H" in everything_shown(rig)


def test_a_hole_card_that_is_lifted_and_laid_down_elsewhere_in_its_zone_is_named_nowhere() -> None:
    """For the camera that is another card than the one that it saw face down."""
    rig = dealt(BOTH, hole="7H")
    rig.felt["D"].pop(1)
    rig.lay("D", "7H")
    assert rig.table.sensing.zones
    assert "7H" not in everything_shown(rig)


def test_a_card_that_goes_face_down_and_is_laid_open_is_named_nowhere() -> None:
    rig = SharedRig(sources=BOTH).seated(ann=1000)
    rig.cards("8S KD 9C")
    rig.read("7H")
    rig.lay("D", "7H")
    rig.wait(5)
    assert rig.faults() == [FaultCode.WRONG_FACE]
    assert "7H" not in everything_shown(rig)


def test_what_was_read_of_a_hidden_card_is_sealed_and_comes_back_after_a_stop() -> None:
    """Whoever may open the seals of a journal gets the very same table from it."""
    rig = dealt(BOTH, hole="7H")
    face(rig, "7H")
    seen = [event for event, _ in rig.events if isinstance(event, e.FeltSeen)][-1]
    assert [(it.zone, it.sealed.card) for it in seen.hidden] == [("D", Card.parse("7H"))]
    written = default_codec().encode(seen)
    assert "7H" not in written.body
    secrets = {sealed.digest: sealed for sealed in written.sealed}
    back = default_codec().decode("felt_seen", 2, written.body, secrets=secrets)
    assert back == seen


def test_the_open_card_of_the_dealer_is_found_again_beside_a_hole_card_that_lies_open() -> None:
    rig = dealt(BOTH, hole="7H")
    rig.restart(looks=False)
    face(rig, "7H")
    places = rig.table.play.places if rig.table.play else ()
    assert [place.lost for place in places if place.to == "D"] == [False, True]
    assert "7H" not in everything_shown(rig)
