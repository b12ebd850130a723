"""The hole card: the secret look, the fixed instant, the turn, and what contradicts them."""

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.envelope import Sealed
from studio.domain.faults import FaultCode
from studio.games.procedure import Dealt, Peek, Reveal
from studio.live.outbox import feed_entries
from studio.storage.codec import default_codec
from studio.table.advance import next_deadline
from studio.table.casework import supervisor_view
from studio.table.evolve_decisions import said
from studio.table.show import dealer_view, overlay_view, tile_view
from studio.table.state import Phase
from studio.table.turn import due
from tests.support.shared import SharedRig, of_kind

BOTH = ("shoe", "camera")
CAMERA = ("camera",)


def under_ten(hole: str, sources: tuple[str, ...] = ("shoe",)) -> SharedRig:
    """A ten shows, the hole card lies, and it is looked at in secret."""
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards(f"8S KD 9C {hole}")
    assert isinstance(due(rig.setup, rig.table), Peek)
    return rig


# -- the look ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hole", "natural"), [("AC", True), ("9H", False)])
def test_d_02_a_reader_answers_the_look_by_itself_at_the_fixed_instant(
    hole: str, natural: bool
) -> None:
    rig = under_ten(hole)
    asked = of_kind([event for event, _ in rig.events], e.PeekAsked)[0]
    assert asked.deadline_us == rig.at_us + rig.setup.times.peek
    assert rig.wait(1.9) == []
    new = rig.wait(0.1)
    assert of_kind(new, e.PeekDone) == [e.PeekDone(natural=natural)]
    assert rig.table.phase is (Phase.DEALING if natural else Phase.DECISION)


@pytest.mark.parametrize("natural", [True, False])
def test_a_dealer_answers_where_nobody_else_knows_and_it_is_told_later(natural: bool) -> None:
    rig = under_ten("AC" if natural else "9H", CAMERA)
    answered = rig.give(c.AnswerPeek(natural=natural))
    assert [type(event) for event in answered] == [e.PeekAnswered]
    assert said(answered[0].sealed) is natural
    assert rig.refused(c.AnswerPeek(natural=not natural)) == "refused.nothing_to_peek"
    assert of_kind(rig.wait(2), e.PeekDone) == [e.PeekDone(natural=natural)]


def test_a_dealer_who_has_not_answered_is_asked_again_for_as_long() -> None:
    rig = under_ten("9H", CAMERA)
    again = rig.wait(2)
    assert [type(event) for event in again] == [e.PeekAsked]
    rig.give(c.AnswerPeek(natural=False))
    assert rig.wait(1) == []
    assert of_kind(rig.wait(1), e.PeekDone) == [e.PeekDone(natural=False)]


def test_a_dealer_is_not_asked_where_the_reader_knows() -> None:
    assert under_ten("9H").refused(c.AnswerPeek(natural=False)) == "refused.nothing_to_peek"


def test_a_hold_stops_the_wait_and_nothing_is_told_meanwhile() -> None:
    rig = under_ten("AC")
    rig.wait(1)
    rig.give(c.CallSupervisor())
    rig.wait(60)
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason="reason.other"))
    assert of_kind(rig.lift(), e.PeekDone) == []
    assert of_kind(rig.wait(1), e.PeekDone) == [e.PeekDone(natural=True)]


@pytest.mark.parametrize("sources", [("shoe",), BOTH, CAMERA])
def test_a_stop_during_the_look_comes_back_held_and_loses_no_answer(
    sources: tuple[str, ...],
) -> None:
    rig = under_ten("AC", sources)
    if sources == CAMERA:
        rig.give(c.AnswerPeek(natural=True))
    rig.restart()
    assert FaultCode.RECOVERED in rig.faults()
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    assert of_kind(rig.wait(2), e.PeekDone) == [e.PeekDone(natural=True)]


def test_a_hole_card_that_is_named_later_is_waited_for() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S KD 9C")
    read = {"device": "shoe", "boot": "b0"}
    rig.give(o.CardRead(**read, at_us=rig.at_us, sequence=50, card=None))
    assert not isinstance(due(rig.setup, rig.table), Peek)
    named = Card.parse("AC")
    rig.give(o.CardIdentified(**read, at_us=rig.at_us, sequence=51, of=50, card=named))
    assert of_kind(rig.wait(2), e.PeekDone) == [e.PeekDone(natural=True)]


# -- the secret ----------------------------------------------------------------------------------


def everything_shown(rig: SharedRig) -> str:
    """All views of all audiences, the feed and the journal's public side, as one text."""
    views = (
        dealer_view(rig.setup, rig.table, rig.at_us),
        overlay_view(rig.setup, rig.table),
        tile_view(rig.setup, rig.table),
        supervisor_view(rig.setup, rig.table, rig.at_us),
    )
    codec = default_codec()
    facts = [codec.encode(event).body for event, _ in rig.events]
    events = [event for event, _ in rig.events]
    told = feed_entries(
        rig.setup, rig.table, events, stream="table/bb1/d", version=0, at_us=rig.at_us
    )
    return json.dumps(
        [*(_plain(view) for view in views), facts, [dict(entry.data) for entry in told]]
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Sealed):
        return value.digest
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value


@pytest.mark.parametrize("sources", [("shoe",), BOTH])
def test_no_view_no_feed_and_no_fact_names_the_hole_card_before_it_is_turned(
    sources: tuple[str, ...],
) -> None:
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards("8S KD 9C 7H")
    assert "7H" not in everything_shown(rig)
    rig.wait(2)
    assert "7H" not in everything_shown(rig)
    rig.give(c.CallSupervisor())
    assert "7H" not in everything_shown(rig)
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.answer("ann M stand")
    assert "7H" not in everything_shown(rig)
    rig.turn_hole("7H")
    assert "7H" in everything_shown(rig)


def test_the_procedure_is_never_given_the_hole_card() -> None:
    rig = under_ten("AC")
    assert rig.table.play is not None
    assert rig.table.play.inputs[4] == Dealt(None)


def test_a_void_leaves_the_hole_card_unnamed() -> None:
    rig = under_ten("7H")
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason="reason.other", round_id=rig.table.round.id)
    rig.give(void)
    assert "7H" not in everything_shown(rig)


@pytest.mark.parametrize("up", ["KD", "AD"])
@pytest.mark.parametrize("sources", [("shoe",), BOTH, CAMERA])
def test_rounds_with_and_without_a_natural_cannot_be_told_apart_until_the_instant(
    up: str, sources: tuple[str, ...]
) -> None:
    """Number, size and instants of all facts and messages are the same until `PeekDone`."""
    traces = []
    for hole in ("9H", "KC" if up == "AD" else "AC"):
        rig = SharedRig(sources=sources).seated(ann=1000)
        rig.cards(f"8S {up} 9C {hole}")
        if up == "AD":
            rig.pass_window()
        if sources == CAMERA:
            rig.give(c.AnswerPeek(natural=hole != "9H"))
        rig.wait(2)
        codec, trace = default_codec(), []
        for event, at_us in rig.events:
            trace.append((type(event).__name__, at_us, len(codec.encode(event).body)))
            if isinstance(event, e.PeekDone):
                trace[-1] = trace[-1][:2]
                break
        assert any(name == "PeekDone" for name, *_ in trace)
        traces.append(trace)
    assert traces[0] == traces[1]


# -- the turn ------------------------------------------------------------------------------------


def to_the_turn(hole: str, sources: tuple[str, ...]) -> SharedRig:
    """Everybody has stood; the hole card is to be turned."""
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards(f"TS 6D 8C {hole}")
    rig.answer("ann M stand")
    assert isinstance(due(rig.setup, rig.table), Reveal)
    return rig


def test_where_there_is_only_a_shoe_the_dealer_says_that_it_is_turned() -> None:
    rig = to_the_turn("TC", ("shoe",))
    turned = of_kind(rig.give(c.ConfirmStep()), e.CardTurned)[0]
    dealt = next(
        event for event, _ in rig.events if isinstance(event, e.CardDealt) and event.sealed
    )
    assert turned.card == Card.parse("TC")
    assert turned.revealed is not None
    assert dealt.sealed is not None
    assert turned.revealed.digest == dealt.sealed.digest


def test_with_both_the_camera_has_to_see_the_card_that_the_reader_named() -> None:
    rig = to_the_turn("TC", BOTH)
    assert rig.refused(c.ConfirmStep()) == "refused.card_unseen"
    turned = of_kind(rig.turn_hole("TC"), e.CardTurned)[0]
    assert turned.sources == BOTH


def test_a_camera_alone_names_the_card_when_it_is_turned_and_it_is_counted() -> None:
    rig = to_the_turn("TC", CAMERA)
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.gone_of(Card.parse("TC")) == 0
    turned = of_kind(rig.turn_hole("TC"), e.CardTurned)[0]
    assert (turned.card, turned.revealed) == (Card.parse("TC"), None)
    assert rig.table.shoe.cards.gone_of(Card.parse("TC")) == 1


def test_a_turned_card_that_is_not_the_one_that_was_dealt_is_a_security_fault() -> None:
    rig = to_the_turn("TC", BOTH)
    rig.turn_hole("9C")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert not of_kind([event for event, _ in rig.events], e.CardTurned)


def test_a_turned_card_against_the_dealers_word_is_a_security_fault() -> None:
    rig = under_ten("AC", CAMERA)
    rig.give(c.AnswerPeek(natural=False))
    rig.wait(2)
    rig.answer("ann M stand")
    rig.turn_hole("AC")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


def test_a_hole_card_that_no_reader_named_is_keyed_in_once_it_is_turned() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("TS 6D 8C ??")
    rig.answer("ann M stand")
    assert rig.faults() == [FaultCode.UNREADABLE_CARD]
    rig.give(c.KeyInCard(fault=rig.fault(), reason="reason.card_identity", card=Card.parse("TC")))
    rig.lift()
    turned = of_kind([event for event, _ in rig.events], e.CardTurned)[0]
    assert (turned.card, turned.sources) == (Card.parse("TC"), ("person",))


def test_a_card_that_is_not_turned_in_time_holds_the_table() -> None:
    rig = to_the_turn("TC", BOTH)
    rig.wait(30)
    assert rig.faults() == [FaultCode.CARD_DUE_LATE]


def test_time_alone_comes_to_the_instant_at_which_a_card_that_is_not_turned_is_late() -> None:
    """Also past the instant at which an unsure reading would be one: each is looked for in turn."""
    rig = to_the_turn("TC", BOTH)
    start = rig.at_us
    while (at := next_deadline(rig.setup, rig.table, rig.at_us)) is not None:
        rig.wait((at - rig.at_us) / 1_000_000)
    assert rig.faults() == [FaultCode.CARD_DUE_LATE]
    assert rig.at_us - start == rig.setup.times.late


# -- corrections ---------------------------------------------------------------------------------


def corrected(rig: SharedRig, index: int, code: str) -> str | None:
    """A supervisor says what a card really was; the reason if that is refused."""
    rig.give(c.CallSupervisor())
    command = c.CorrectCard(
        fault=rig.fault(), reason="reason.card_identity", index=index, card=Card.parse(code)
    )
    return rig.refused(command)


def profiled(profile: str) -> SharedRig:
    """Ann has stood on eighteen; the dealer's cards come next."""
    rig = SharedRig()
    rig.setup = replace(rig.setup, profile=profile)
    rig.seated(ann=1000)
    rig.cards("TS 6D 8C 5C")
    rig.answer("ann M stand")
    return rig


@pytest.mark.parametrize(
    ("profile", "reason"),
    [("house", "refused.decided_by_it"), ("agco-like", "refused.decided_by_it"), ("nj-like", None)],
)
def test_what_players_decided_by_a_wrong_card_is_for_policy_to_say(
    profile: str, reason: str | None
) -> None:
    assert corrected(profiled(profile), 1, "9S") == reason


def test_locked_decisions_that_no_longer_fit_cannot_stand() -> None:
    """With an ace and a ten there was nothing to decide."""
    assert corrected(profiled("nj-like"), 3, "AC") == "refused.decisions_do_not_fit"


def test_a_card_that_nobody_had_seen_when_they_decided_is_corrected_as_ever() -> None:
    rig = profiled("house")
    rig.turn_hole()
    rig.cards("2H")
    assert corrected(rig, 7, "3H") is None


def test_a_window_that_showed_a_wrong_card_is_withdrawn_and_opens_anew() -> None:
    rig = SharedRig().seated(ann=1000, bob=500)
    rig.cards("TS 6D 8C TC")
    rig.answer("ann M stand")
    assert corrected(rig, 3, "2C") is None
    rig.lift()
    assert (rig.asks.number, rig.asks.asked, rig.asks.answered) == (2, 2, 0)


@pytest.mark.parametrize("guess", ["8H", "9H"])
def test_a_hidden_card_is_not_corrected_before_it_is_turned(guess: str) -> None:
    """The refusal is the same for the right guess: nobody tries until they know the card."""
    assert corrected(under_ten("9H"), 4, guess) == "refused.hidden_card"


@pytest.mark.parametrize(("told", "code"), [("9H", "AC"), ("9H", "8H")])
def test_a_card_to_be_turned_is_not_corrected_into_what_the_secret_look_denied(
    told: str, code: str
) -> None:
    """Players decided because there was no natural: with one, nothing but a void is left."""
    rig = under_ten(told)
    rig.wait(2)
    rig.answer("ann M stand")
    assert corrected(rig, 4, code) == ("refused.hidden_differs" if code == "AC" else None)


def test_a_turned_card_that_was_another_one_counts_as_what_it_truly_was() -> None:
    """A six and a ten would stand at 16 and draw; a six and a two draw a nine and stand."""
    rig = to_the_turn("TC", ("shoe",))
    rig.turn_hole()
    assert corrected(rig, 4, "2C") is None
    rig.lift()
    rig.cards("9H")
    assert rig.table.round is not None
    assert rig.table.round.code == "dealer_17"
    assert json.loads(rig.table.round.outcome)["dealer"]["cards"] == ["6D", "2C", "9H"]


def test_a_card_that_was_turned_is_not_corrected_into_what_the_secret_look_denied() -> None:
    """The dealer draws after a ten and a four, so that the round is still open."""
    rig = under_ten("4H")
    rig.wait(2)
    rig.answer("ann M stand")
    rig.turn_hole()
    assert corrected(rig, 4, "AC") == "refused.hidden_differs"
