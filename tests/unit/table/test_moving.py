"""A card of a rack is laid open: what the camera must see, and what else may have happened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.advance import next_deadline
from studio.table.state import Phase
from tests.support.tricks import TrickRig, lifted, turned

HAND = ("7H", "AH", "KS", "7C", "AC")
"""Dealt to the seats in turn; the last is turned."""
SOURCES = [("camera",), ("shoe", "camera")]


def choice(seat: int, window: int, option: str) -> c.ChooseForSeat:
    return c.ChooseForSeat(seat=seat, window=window, option=option)


def due_card(sources: tuple[str, ...], option: str = "1") -> TrickRig:
    """Seat 0 has chosen a place of its rack; the dealer is to turn that card."""
    rig = TrickRig(sources).loaded().dealt(*HAND)
    rig.give(choice(0, 1, "pass"))
    rig.give(choice(0, 2, option))
    return rig


@pytest.mark.parametrize("sources", SOURCES)
def test_a_card_counts_once_it_lies_there_and_its_place_is_empty(sources: tuple[str, ...]) -> None:
    rig = due_card(sources)
    lifted(rig, "H0", 0)
    assert rig.show()[1:] == []
    rig.lay("T0", "7H")
    assert rig.accepted()[0] == ("T0", "7H")
    assert rig.faults() == []


@pytest.mark.parametrize("sources", SOURCES)
def test_a_whole_round_is_played_with_a_camera(sources: tuple[str, ...]) -> None:
    rig = due_card(sources)
    turned(rig, "H0", 0, "T0", "7H")
    rig.give(choice(1, 3, "1"))
    turned(rig, "H1", 0, "T1", "AH")
    rig.felt["T0"].clear()
    rig.take("T1")
    rig.give(choice(0, 4, "2"))
    turned(rig, "H0", 0, "T0", "KS")
    rig.give(choice(1, 5, "2"))
    turned(rig, "H1", 0, "T1", "7C")
    rig.felt["T0"].clear()
    rig.take("T1")
    assert rig.faults() == []
    assert rig.table.phase is Phase.RESULT
    rig.take("FACE")
    assert rig.table.round is not None
    assert rig.table.round.collected


def test_the_dealers_word_is_not_enough_where_a_camera_watches() -> None:
    assert due_card(("camera",)).refused(c.ConfirmStep()) == "refused.card_unseen"


def test_the_open_card_goes_to_a_rack_and_is_not_missed_where_it_lay() -> None:
    rig = TrickRig(("shoe", "camera")).loaded().dealt(*HAND)
    rig.give(choice(0, 1, "take"))
    lifted(rig, "FACE", 0)
    rig.show()
    assert rig.faults() == []
    rig.lay("H0", "AC")
    assert rig.accepted()[-1] == ("H0", "AC")


@pytest.mark.parametrize("sources", SOURCES)
def test_another_card_of_the_rack_is_told_and_may_be_put_back(sources: tuple[str, ...]) -> None:
    rig = due_card(sources)
    turned(rig, "H0", 1, "T0", "KS")
    assert rig.faults() == [FaultCode.WRONG_CARD]
    rig.felt["T0"].clear()
    rig.lay("H0", "XX")
    assert rig.table.play is not None
    assert rig.table.play.places[2].track == ("H0", rig.tracks)


def test_a_card_of_no_rack_is_a_substituted_one() -> None:
    rig = due_card(("shoe", "camera"))
    turned(rig, "H0", 0, "T0", "AS")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


def test_a_card_that_comes_out_of_no_rack_is_told() -> None:
    rig = due_card(("camera",))
    rig.lay("T0", "7H")
    assert rig.faults() == []
    rig.wait(5)
    assert rig.faults() == [FaultCode.CARD_FROM_NOWHERE]


@pytest.mark.parametrize("sources", SOURCES)
def test_a_card_of_another_seat_in_the_due_place_is_told(sources: tuple[str, ...]) -> None:
    rig = due_card(sources)
    turned(rig, "H1", 0, "T0", "AH")
    assert rig.faults() == [FaultCode.DEAL_ORDER]


def test_a_card_on_another_seats_place_is_told() -> None:
    rig = due_card(("camera",))
    turned(rig, "H0", 0, "T1", "7H")
    assert rig.faults() == [FaultCode.DEAL_ORDER]


def test_a_card_that_is_turned_while_its_seat_is_asked_is_told_and_not_parked() -> None:
    rig = TrickRig(("shoe", "camera")).loaded().dealt(*HAND)
    turned(rig, "H1", 0, "T1", "AH")
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    assert rig.table.sensing.parked == ()


@pytest.mark.parametrize(
    ("chosen", "zone", "at", "card", "code"),
    [(False, "H1", 0, "AH", FaultCode.DEAL_ORDER), (True, "H0", 1, "KS", FaultCode.WRONG_CARD)],
)
def test_a_void_counts_no_card_of_a_rack_a_second_time(
    chosen: bool, zone: str, at: int, card: str, code: FaultCode
) -> None:
    rig = TrickRig(("shoe", "camera")).loaded().dealt(*HAND)
    rig.give(choice(0, 1, "pass"))
    if chosen:
        rig.give(choice(0, 2, "1"))
    turned(rig, zone, at, "T0", card)
    assert rig.faults() == [code]
    assert rig.table.round is not None
    current = rig.table.round.id
    rig.give(c.VoidRound(fault=rig.fault(), reason="reason.dealing_error", round_id=current))
    assert rig.faults() == []
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.gone_of(Card.parse(card)) == 1


def test_a_card_that_nobody_turns_is_called_late() -> None:
    rig = due_card(("camera",))
    deadline = next_deadline(rig.setup, rig.table, rig.at_us)
    assert deadline is not None
    assert deadline <= rig.at_us + 30_000_000
    rig.wait(29)
    assert rig.faults() == []
    rig.wait(1)
    assert rig.faults() == [FaultCode.CARD_DUE_LATE]


@pytest.mark.parametrize(
    ("shows", "code"), [("XX", FaultCode.WRONG_FACE), ("??", FaultCode.UNSURE_CARD)]
)
def test_a_card_that_is_not_read_for_sure_is_never_used(shows: str, code: FaultCode) -> None:
    rig = due_card(("shoe", "camera"))
    turned(rig, "H0", 0, "T0", shows)
    assert rig.faults() == []
    rig.wait(5)
    assert rig.faults() == [code]
    assert rig.accepted()[0] == ("H0", "7H")


def test_a_person_cannot_name_another_card_than_the_shoe_read() -> None:
    rig = due_card(("shoe", "camera"))
    turned(rig, "H0", 0, "T0", "??")
    rig.wait(5)
    key = c.KeyInCard(fault=rig.fault(), card=Card.parse("KC"), reason="reason.other")
    assert rig.refused(key) == "refused.hidden_differs"
    assert rig.refused(replace(key, card=Card.parse("7H"))) is None
    assert rig.accepted()[0] == ("T0", "7H")


def test_two_cards_in_the_due_place_are_told() -> None:
    rig = due_card(("camera",))
    lifted(rig, "H0", 0)
    lifted(rig, "H0", 0)
    rig.tracks += 1
    card = Card.parse("KS")
    seen = o.SeenCard(track=rig.tracks, look=o.Look.FACE, card=card, sure=True)
    rig.felt["T0"].append(seen)
    rig.lay("T0", "7H")
    assert rig.faults() == [FaultCode.TWO_AT_ONCE]


def test_a_card_that_is_lifted_and_laid_back_is_the_same_one() -> None:
    rig = due_card(("shoe", "camera"))
    lifted(rig, "H0", 1)
    rig.show()
    rig.lay("H0", "XX")
    assert rig.faults() == []
    turned(rig, "H0", 0, "T0", "7H")
    assert rig.accepted()[0] == ("T0", "7H")


def test_a_packet_may_come_to_rest_at_once() -> None:
    rig = TrickRig(("camera",)).loaded()
    rig.dealing(any=100)
    rig.lay("H0", "XX")
    rig.tracks += 1
    rig.felt["H1"].append(o.SeenCard(track=rig.tracks, look=o.Look.BACK))
    rig.lay("H1", "XX")
    assert rig.faults() == [FaultCode.TWO_AT_ONCE]  # this game deals one at a time


def test_no_fact_names_a_card_that_lies_face_down_in_a_rack() -> None:
    rig = due_card(("shoe", "camera"))
    lifted(rig, "H1", 0)
    rig.lay("H1", "AH")  # lifted, and its face is to be seen
    seen = [event for event, _ in rig.events if isinstance(event, e.FeltSeen)][-1]
    named = [card.card for zone in seen.zones if zone.zone == "H1" for card in zone.cards]
    assert named == [None, None]
