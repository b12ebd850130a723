"""A card of Baloot that lies open where it should not: it is found, goes back, and counts once."""

from functools import cache

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from tests.support.baloot_rig import BalootRig
from tests.support.row_play import answer, row

SEEN = [("shoe", "camera"), ("camera",)]
STAKES = {"round_0": 1000, "kaboot_no": 500}


def table(sources: tuple[str, ...]) -> BalootRig:
    """A round is open with bets on it, and the first card is due."""
    return BalootRig(sources=sources).opened(**STAKES)


def first(rig: BalootRig) -> tuple[str, str]:
    """The row of the fault and the policy's own answer."""
    return row(rig).row, row(rig).repairs[0]


def lifted(rig: BalootRig) -> BalootRig:
    """Lift the hold; nothing is wrong any more."""
    rig.lift()
    assert rig.faults() == []
    return rig


@cache
def plain() -> tuple[dict[str, int], tuple[int, ...]]:
    """How the round ends without a mishap."""
    rig = table(("shoe",)).until("")
    return rig.paid(), rig.table.carried


def ends_as_it_would_have(rig: BalootRig) -> None:
    """The round goes on to its end as it does without a mishap, and all cards are there."""
    rig.until("")
    assert (rig.paid(), rig.table.carried) == plain()
    rig.collected()
    ended = [event.balance for event, _ in rig.events if isinstance(event, e.ShoeEnded)]
    assert (rig.faults(), ended[-1:]) == ([], ["balanced"])


@pytest.mark.parametrize("sources", SEEN)
@pytest.mark.parametrize("at", ["play", "turn_card"])
def test_bl2_a_card_that_is_lifted_and_laid_back_open_is_that_card_and_counts_once(
    sources: tuple[str, ...], at: str
) -> None:
    rig = table(sources).until(at, seat=0)
    shown = rig.index_of(2, 3)
    rig.lift_from(shown)
    rig.show()
    rig.lay("H2", rig.racks[shown])
    rig.wait(6)
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert first(rig) == ("BL2", "AcceptAsDealt")
    assert answer(rig) is None
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
@pytest.mark.parametrize("at", ["bidding", "play", "turn_card"])
def test_bl2_once_no_card_is_dealt_it_is_not_told_that_an_ace_shows(
    sources: tuple[str, ...], at: str
) -> None:
    """DESIGN.md 7: no fault carries what is sealed; only a deal that is given up says why."""
    rig = table(sources).until(at, seat=0)
    ace = next(at for at, code in rig.racks.items() if code == "AC")
    rig.flip(ace, "AC")
    rig.wait(6)
    assert first(rig) == ("BL2", "AcceptAsDealt")
    assert rig.table.hold is not None
    assert rig.table.hold.faults[0].text == "shown_early before its turn"


@pytest.mark.parametrize("sources", SEEN)
@pytest.mark.parametrize("at", ["play", "turn_card"])
def test_bl4_a_card_that_is_laid_open_in_another_rack_goes_back_and_counts_once(
    sources: tuple[str, ...], at: str
) -> None:
    rig = table(sources).until(at, seat=0)
    early = rig.index_of(1, 2)
    rig.lift_from(early)
    rig.lay("H2", rig.racks[early])
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    assert first(rig) == ("BL4", "RescanRound")
    assert answer(rig, c.MarkDead) == "refused.not_by_policy"
    rig.felt["H2"].pop()
    rig.lay("H1", "XX")
    assert answer(rig) is None
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_bl4_a_card_of_another_seat_in_the_due_place_goes_back(sources: tuple[str, ...]) -> None:
    rig = table(sources).until("turn_card", seat=0)
    other = rig.index_of(1, 2)
    rig.lift_from(other)
    rig.lay("T0", rig.racks[other])
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    assert first(rig) == ("BL4", "RescanRound")
    rig.felt["T0"].clear()
    rig.lay("H1", "XX")
    assert answer(rig) is None
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_b14_a_rack_that_is_collected_and_laid_back_card_by_card_is_the_same_rack(
    sources: tuple[str, ...],
) -> None:
    """The open card of its buyer lies among seven that nobody may know."""
    rig = table(sources).until("play", seat=0)
    slots = rig.board().seats[0].rack
    assert [slot.look for slot in slots].count("face") == 1
    rig.felt["H0"].clear()
    rig.show()
    assert rig.faults() == [FaultCode.CARD_VANISHED]
    for slot in slots:
        rig.lay("H0", slot.card or "XX")
    assert answer(rig, c.RestoreCollected) is None
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("at", ["take_face", "turn_card"])
def test_c15_a_card_that_the_camera_takes_for_another_where_it_is_turned_is_what_a_person_reads(
    at: str,
) -> None:
    """The shoe named it; the camera is sure of a card that lies before another seat."""
    rig = table(SEEN[0]).until(at)
    now = rig.due
    rig.moved(now, shows=rig.card_of(3, 2))
    rig.wait(6)
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    true = Card.parse(rig.racks[now.index])
    assert answer(rig, c.CorrectCard, index=now.index, card=true) == "refused.same_card"
    assert answer(rig, c.KeyInCard, card=true) is None
    ends_as_it_would_have(lifted(rig))


def test_c15_a_card_beside_the_one_that_is_turned_is_not_keyed_in_for_it() -> None:
    rig = table(SEEN[0]).until("turn_card", seat=1)
    assert rig.table.play is not None
    lies = next(place for place in rig.table.play.places if place.to == "T0")
    rig.flip(lies.index, "AC")
    rig.wait(6)
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    due = Card.parse(rig.racks[rig.due.index])
    assert answer(rig, c.KeyInCard, card=due) == "refused.not_by_policy"
    assert answer(rig, c.AcceptAsDealt) is None
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_v10_a_turned_card_whose_old_place_still_looks_full_is_never_dead(
    sources: tuple[str, ...],
) -> None:
    """One pack: what lies in the trick was dealt, so to count it as dead would make 33 cards."""
    rig = table(sources).until("turn_card", seat=0)
    now = rig.due
    rig.lay(now.to, rig.racks[now.index])
    rig.wait(8)
    assert rig.faults() == [FaultCode.CARD_FROM_NOWHERE]
    assert answer(rig, c.MarkDead) == "refused.not_by_policy"
    rig.lift_from(now.index)
    rig.show()
    assert answer(rig, c.RescanRound) is None
    ends_as_it_would_have(lifted(rig))
