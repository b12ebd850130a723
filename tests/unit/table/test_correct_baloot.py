"""Cards of Baloot put right: in the open round, and after it was paid."""

import json
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.games.procedure import Choose, Moved
from studio.table.state import Phase
from tests.support.baloot_rig import ORDER, BalootRig
from tests.support.row_play import REASON, answer

CAMERA = ("camera",)
SHOE = ("shoe",)
STAKES = {"round_0": 1000, "round_1": 600}


def misread(code: str, as_: str) -> BalootRig:
    """A camera took this card, once it was turned, for another one that nobody has seen yet."""
    rig = BalootRig(sources=CAMERA).opened(**STAKES).until("turn_card")
    while rig.racks[rig.due.index] != code:
        rig.step()
        rig.until("turn_card")
    rig.moved(rig.due, shows=as_)
    return rig


def called(rig: BalootRig) -> BalootRig:
    """The dealer calls a supervisor."""
    rig.give(c.CallSupervisor())
    return rig


def test_a_played_card_that_was_read_wrongly_is_put_right_and_the_round_goes_on() -> None:
    plain = BalootRig(sources=CAMERA).opened(**STAKES).until("")
    rig = called(misread("8H", "KC"))
    index = next(at for at, code in rig.racks.items() if code == "8H")
    assert answer(rig, c.CorrectCard, index=index, card=Card.parse("8H")) is None
    place = next(p for p in rig.table.play.places if p.index == index) if rig.table.play else None
    assert place is not None
    assert place.card == Card.parse("8H")
    assert place.to[0] == "T"
    rig.lift()
    assert rig.faults() == []
    rig.until("")
    assert rig.table.carried == plain.table.carried
    assert rig.paid() == plain.paid()


def test_who_was_asked_is_asked_once_more_by_the_true_card() -> None:
    rig = called(misread("8H", "KC"))
    assert rig.table.round is not None
    before = rig.table.round.asked
    index = next(at for at, code in rig.racks.items() if code == "8H")
    assert rig.table.round.asking is not None
    assert answer(rig, c.CorrectCard, index=index, card=Card.parse("8H")) is None
    assert rig.table.round.asking is None
    rig.lift()
    assert isinstance(rig.due, Choose)
    assert rig.table.phase is Phase.DECISION
    assert rig.table.round.asking is not None
    assert rig.table.round.asked == before + 1


@pytest.mark.parametrize("step", ["bidding", "play"])
def test_a_card_that_lies_face_down_cannot_be_corrected_and_the_refusal_tells_nothing(
    step: str,
) -> None:
    rig = called(BalootRig(sources=SHOE).opened(**STAKES).until(step))
    index = next(at for at, code in rig.racks.items() if code == "AH")
    for code in ("AH", "7D", "2C", rig.deck[0] if rig.deck else "9C"):
        refused = answer(rig, c.CorrectCard, index=index, card=Card.parse(code))
        assert refused == "refused.hidden_card"


# -- after the round ------------------------------------------------------------------------------


def settled(sources: tuple[str, ...] = SHOE) -> BalootRig:
    """A round was paid."""
    return BalootRig(sources=sources).opened(**STAKES).until("")


def swapped(first: str, second: str) -> tuple[Card, ...]:
    """All cards in order of dealing, these two changed for each other."""
    other = {first: second, second: first}
    return tuple(Card.parse(other.get(code, code)) for code in ORDER)


def correct(rig: BalootRig, cards: tuple[Card, ...]) -> str | None:
    """Two people put the result right."""
    assert rig.table.round is not None
    command = c.CorrectResult(round_id=rig.table.round.id, cards=cards, reason=REASON)
    return rig.refused(command)


def test_a_paid_round_is_put_right_by_its_true_cards_with_the_play_as_it_was() -> None:
    rig = settled()
    before = told(rig)
    assert correct(rig, swapped("8D", "AD")) is None
    after = told(rig)
    assert after["abnat"] == [before["abnat"][0] - 11, before["abnat"][1] + 11]
    leads = [
        [(trick["lead"], trick["winner"]) for trick in each["tricks"]] for each in (before, after)
    ]
    assert leads[0] == leads[1]
    assert rig.table.carried[:2] == tuple(after["game_scores"])
    (fact,) = [event for event, _ in rig.events if isinstance(event, e.ResultCorrected)]
    assert (fact.cards, fact.carried) == (swapped("8D", "AD"), rig.table.carried)
    assert correct(rig, swapped("8D", "AD")) == "refused.same_result"
    assert correct(rig, swapped("8D", "8D")) is None
    assert told(rig)["abnat"] == before["abnat"]


def test_what_a_paid_round_left_is_on_the_felt_as_it_was_put_right() -> None:
    rig = settled()
    assert correct(rig, swapped("8D", "AD")) is None
    assert rig.table.play is not None
    places = {place.index: place.card for place in rig.table.play.places if place.card}
    assert tuple(places[at].code for at in sorted(places)) == tuple(
        card.code for card in swapped("8D", "AD")
    )
    moved = [given for given in rig.table.play.inputs if isinstance(given, Moved)]
    assert moved.index(Moved(Card.parse("AD"))) < moved.index(Moved(Card.parse("8D")))


def told(rig: BalootRig) -> Any:
    """The result of the last round."""
    assert rig.table.round is not None
    return json.loads(rig.table.round.outcome)


def test_true_cards_by_which_others_would_have_led_cannot_be_put_in() -> None:
    rig = settled()
    before = told(rig)
    first = before["tricks"][0]
    winner = first["cards"][(first["winner"] - first["lead"]) % 4]
    other = first["cards"][(first["winner"] - first["lead"] + 1) % 4]
    assert correct(rig, swapped(winner, other)) == "refused.decisions_do_not_fit"


@pytest.mark.parametrize(
    ("cards", "refused"),
    [
        (ORDER[:31], "refused.cards_too_few"),
        ((*ORDER, "2C"), "refused.cards_too_many"),
        (ORDER, "refused.same_result"),
        ((*ORDER[:31], ORDER[0]), "refused.cards_too_few"),
    ],
)
def test_a_round_has_32_cards_each_once(cards: tuple[str, ...], refused: str) -> None:
    assert correct(settled(), tuple(map(Card.parse, cards))) == refused


def test_a_paid_round_that_is_declared_void_gives_the_score_back_that_it_was_given() -> None:
    rig = settled()
    assert rig.table.carried[:2] != (0, 0)
    assert rig.table.round is not None
    command = c.CorrectResult(round_id=rig.table.round.id, void=True, reason=REASON)
    assert rig.refused(command) is None
    assert rig.table.carried == rig.setup.game.first
    rig.collected()
    rig.deck = list(ORDER)
    rig.new_pack()
    rig.begin(**STAKES)
    told = [event.figures for event, _ in rig.events if isinstance(event, e.FiguresCarried)]
    assert told[-1] == told[0]
