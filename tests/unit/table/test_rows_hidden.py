"""Rows about the card that lies face down: seen before its turn, or another one when turned."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.domain.written import read_back
from studio.games.procedure import Reveal
from studio.live.answers import body_of
from studio.table.casework import supervisor_view
from studio.table.turn import due
from tests.support.rig import SECOND
from tests.support.shared import SharedRig, of_kind
from tests.unit.table.test_hidden import everything_shown

BOTH = ("shoe", "camera")
MESSAGES = Path(__file__).parents[3] / "web/ui/messages"


def dealt(hole: str) -> SharedRig:
    """Four cards lie and players choose."""
    rig = SharedRig(sources=BOTH).seated(ann=1000)
    rig.cards(f"TS 6D 8C {hole}")
    return rig


def face(rig: SharedRig, code: str) -> None:
    """The card that lies face down is this one, open."""
    down = next(n for n, card in enumerate(rig.felt["D"]) if card.look is o.Look.BACK)
    rig.felt["D"][down] = replace(
        rig.felt["D"][down], look=o.Look.FACE, card=Card.parse(code), sure=True
    )
    rig.show()


def offered(rig: SharedRig) -> dict[str, str]:
    """Each answer to the fault that the supervisor sees, with why it is not allowed, or nothing."""
    case = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0]
    return {each.command: each.reason.code if each.reason else "" for each in case.options}


def test_b10_a_hole_card_seen_too_early_has_a_row_and_words_of_its_own() -> None:
    rig = dealt("7H")
    face(rig, "7H")
    case = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0]
    assert (case.row, case.what.code) == ("B10", "hold.shown_early.what")
    first = case.options[0]
    assert (first.command, first.enabled) == ("AcceptAsDealt", True)
    assert (first.label.code, first.effect_round.code) == (
        "repair.shown_early",
        "effect.shown_early",
    )
    words = ("row.B10", "hold.shown_early.do", *(first.label.code, first.effect_round.code))
    for language in ("ar", "en", "ur"):
        known = json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
        assert all(known[code] for code in (*words, case.what.code))


def test_b10_it_is_played_on_and_what_players_chose_stands() -> None:
    rig = dealt("7H")
    rig.answer("ann M hit")
    face(rig, "7H")
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.exposed_card"))
    rig.lift()
    assert rig.faults() == []
    assert rig.cohorts() == {"M:hit": 1}


def test_c15_what_would_not_end_the_fault_is_not_offered_at_the_turn() -> None:
    rig = dealt("TC")
    rig.answer("ann M stand")
    assert isinstance(due(rig.setup, rig.table), Reveal)
    face(rig, "9C")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert offered(rig)["AcceptAsDealt"] == "refused.hidden_differs"
    accept = c.AcceptAsDealt(fault=rig.fault(), reason="reason.other")
    assert rig.refused(accept) == "refused.hidden_differs"
    rig.felt["D"].pop()
    rig.lay("D", "TC")
    assert offered(rig)["AcceptAsDealt"] == ""
    rig.give(accept)
    rig.lift()
    rig.wait(5)
    assert rig.faults() == []
    turned = of_kind([event for event, _ in rig.events], e.CardTurned)
    assert [event.card for event in turned] == [Card.parse("TC")]


def test_c15_a_card_against_the_secret_look_is_not_offered_as_dealt() -> None:
    """The dealer said that it makes no blackjack."""
    rig = SharedRig(sources=("camera",)).seated(ann=1000)
    rig.cards("8S KD 9C 9H")
    rig.give(c.AnswerPeek(natural=False))
    rig.wait(2)
    rig.answer("ann M stand")
    face(rig, "AC")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert offered(rig)["AcceptAsDealt"] == "refused.hidden_differs"


# -- a correction before the turn ----------------------------------------------------------------


@pytest.mark.parametrize("given", [True, False])
def test_what_a_hole_card_truly_was_is_told_when_it_is_turned_and_not_before(given: bool) -> None:
    """Neither what the reader had named, nor what a supervisor says, nor who waits for a second."""
    rig = dealt("7H")
    rig.answer("ann M stand")
    rig.give(c.CallSupervisor())
    command = c.CorrectCard(
        fault=rig.fault(), reason="reason.card_identity", index=4, card=Card.parse("3C")
    )
    rig.give(command, second=given)
    shown = everything_shown(rig)
    assert "7H" not in shown
    assert "3C" not in shown
    assert "3C" not in body_of(command)
    if not given:
        assert rig.table.approval is not None
        assert read_back("CorrectCard", rig.table.approval.body) == command
        return
    rig.lift()
    new = rig.turn_hole("3C")
    turned = of_kind(new, e.CardTurned)[0]
    corrected = of_kind([event for event, _ in rig.events], e.CardCorrected)[0]
    assert (turned.card, corrected.old, corrected.new) == (Card.parse("3C"), None, None)
    assert turned.revealed is not None
    assert corrected.sealed is not None
    assert turned.revealed.digest == corrected.sealed.digest


def test_a_turned_card_that_a_person_keys_in_is_named_once_a_second_person_has_said_yes() -> None:
    """Neither the fact that waits, nor who is to approve it, nor the log of commands names it."""
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C ??")
    rig.answer("ann M stand")
    assert isinstance(due(rig.setup, rig.table), Reveal)
    keyed = c.KeyInCard(fault=rig.fault(), reason="reason.card_identity", card=Card.parse("7H"))
    rig.give(keyed, second=False)
    assert rig.table.approval is not None
    assert "7H" not in everything_shown(rig)
    assert "7H" not in body_of(keyed)
    view = supervisor_view(rig.setup, rig.table, rig.at_us).approval
    assert view is not None
    assert dict(view.act.params)["card"] == "XX"
    assert read_back("KeyInCard", rig.table.approval.body) == keyed
    new = rig.give(c.Approve(approval=rig.table.approval.id), SECOND)
    assert [event.card for event in of_kind(new, e.CardTurned)] == [Card.parse("7H")]


def test_a_card_of_a_lane_that_a_person_keys_in_is_named_to_the_second_person() -> None:
    rig = dealt("7H")
    rig.answer("ann M hit")
    rig.read("??")
    rig.lay("M", "??")
    rig.wait(10)
    keyed = c.KeyInCard(fault=rig.fault(), reason="reason.card_identity", card=Card.parse("2C"))
    rig.give(keyed, second=False)
    view = supervisor_view(rig.setup, rig.table, rig.at_us).approval
    assert view is not None
    assert dict(view.act.params)["card"] == "2C"


def test_the_log_of_commands_has_no_card_that_a_person_says_lies_on_the_felt() -> None:
    """It may be refused because it names the one that lies face down."""
    cards = (Card.parse("6D"), Card.parse("7H"))
    zones = (c.FeltZone(zone="D", cards=cards), c.FeltZone(zone="M", cards=(None,)))
    told = body_of(c.RescanRound(fault="1", reason="reason.other", felt=zones))
    assert json.loads(told)["felt"] == [
        {"zone": "D", "cards": ["XX", "XX"]},
        {"zone": "M", "cards": ["XX"]},
    ]
