"""A card that is in dispute is nowhere in what a dealer is shown (FACES.md 11)."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import pytest

from studio.domain.cards import Card
from studio.domain.events import CardDead
from studio.domain.faults import FaultCode
from studio.table.casework import supervisor_view
from studio.table.show import dealer_view
from studio.table.views import Message
from tests.support.rig import Rig

FIRST = ("P", "4C")


def due() -> Rig:
    """Player has a card and Banker's first is due."""
    rig = Rig().in_play().dealing(player=1000)
    rig.deal(*FIRST)
    return rig


def shown(rig: Rig) -> str:
    """All that the dealer's console is told, as text."""
    return json.dumps(asdict(dealer_view(rig.setup, rig.table, rig.at_us)), default=str)


def mismatch(rig: Rig) -> None:
    rig.read("9D")
    rig.lay("B", "8H")
    rig.wait(6)


def unsure(rig: Rig) -> None:
    rig.read("9D")
    rig.lay("B", "8H", sure=False)
    rig.wait(12)


def unreadable(rig: Rig) -> None:
    rig.lay("B", "8H")
    rig.read("??")


@pytest.mark.parametrize(
    ("befalls", "code"),
    [
        (mismatch, FaultCode.READER_MISMATCH),
        (unsure, FaultCode.UNSURE_CARD),
        (unreadable, FaultCode.UNREADABLE_CARD),
    ],
)
def test_a_card_in_dispute_is_named_to_the_supervisor_and_not_to_the_dealer(
    befalls: Callable[[Rig], None], code: FaultCode
) -> None:
    rig = due()
    befalls(rig)
    assert rig.faults() == [code]
    told = shown(rig)
    assert "8H" not in told
    assert "9D" not in told
    note = dealer_view(rig.setup, rig.table, rig.at_us).hold
    assert note is not None
    assert note.seen == Message("seen.unsure", (("zone", "B"),))
    assert note.due == Message("due.card", (("zone", "B"), ("face", "up")))
    sightings = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0].sightings
    assert "8H" in [sight.card for sight in sightings]


def test_a_card_that_was_put_in_place_of_another_is_not_named_to_the_dealer() -> None:
    rig = due()
    other = replace(rig.felt["P"][0], card=Card.parse("8H"))
    rig.felt["P"] = [other]
    rig.show()
    rig.wait(6)
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert "8H" not in shown(rig)
    case = supervisor_view(rig.setup, rig.table, rig.at_us).cases[0]
    assert [sight.card for sight in case.sightings] == ["8H"]


def test_a_card_that_the_shoe_cannot_hold_is_not_named_to_the_dealer() -> None:
    rig = due()
    for _ in range(rig.setup.rules.decks):
        rig.record(CardDead(fate="dead", card=Card.parse("8H")))
    rig.deal("B", "8H")
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    assert "8H" not in shown(rig)


def test_a_card_in_a_wrong_place_is_named_for_nobody_doubts_which_it_is() -> None:
    rig = due()
    rig.deal("P", "8H")
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    note = dealer_view(rig.setup, rig.table, rig.at_us).hold
    assert note is not None
    assert note.do == Message("hold.do.leave_card", (("card", "8H"), ("zone", "P")))


def test_a_card_in_a_wrong_place_of_which_the_readers_tell_different_things_is_not_named() -> None:
    rig = due()
    rig.read("9D")
    rig.lay("P", "8H")
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    told = shown(rig)
    assert "8H" not in told
    assert "9D" not in told
