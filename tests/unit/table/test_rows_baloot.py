"""Mishaps at a table of Baloot, each played to a right end: money, score, dealer and 32 cards."""

import re
from functools import cache
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.envelope import Actor, ActorKind, Recorded
from studio.domain.faults import FaultCode
from studio.table import coverage
from studio.table.options import options
from studio.table.profiles import PROFILES, rows_of
from studio.table.row import Void
from studio.table.state import Phase
from studio.table.story import journal_lines
from tests.support.baloot_rig import ORDER, PASSED, BalootRig
from tests.support.row_play import REASON, answer, noted, row

SHOE = ("shoe",)
CAMERA = ("camera",)
BOTH = ("shoe", "camera")
SEEN = [BOTH, CAMERA]
STAKES = {"round_0": 1000, "kaboot_no": 500}
_NAMED = re.compile(r"^def test_(bl[0-9]+)_", re.MULTILINE)
PLAYED = {
    name
    for path in Path(__file__).parent.glob("test_*.py")
    for name in _NAMED.findall(path.read_text(encoding="utf-8"))
}
"""Rows of Baloot that a test is named after."""


def table(sources: tuple[str, ...] = BOTH, profile: str = "house") -> BalootRig:
    """A round is open with bets on it, and the first card is due."""
    return BalootRig(sources=sources, profile=profile).opened(**STAKES)


def journal_says(rig: BalootRig) -> object:
    """The words under which the journal tells the newest answer to a fault."""
    at, event = next(
        (at, event) for event, at in reversed(rig.events) if isinstance(event, e.FaultAnswered)
    )
    person = Actor(ActorKind.PERSON, "2001", "supervisor")
    record = Recorded(version=1, at_us=at, actor=person, command_id="a", event=event)
    (line,) = journal_lines([record])
    return dict(line.message.params)["repair"]


def first(rig: BalootRig) -> tuple[str, str]:
    """The row of the fault and the policy's own answer."""
    assert rig.table.hold is not None
    shown = options(rig.setup, rig.table, rig.table.hold.faults[0])
    return row(rig).row, next((option.command for option in shown if option.first), "")


def voided(rig: BalootRig) -> BalootRig:
    """Void the open round: every stake goes back, the score stands and the same dealer deals."""
    assert rig.table.round is not None
    before = rig.table.carried or rig.setup.game.first
    command = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(command) is None
    assert rig.table.round.state == "voided"
    assert rig.paid() == {"round:0": 1000, "kaboot:no": 500}
    rig.collected()
    assert (rig.faults(), rig.table.phase) == ([], Phase.IDLE)
    assert told(rig) == ("balanced" if rig.setup.uses_shoe else "unverified")
    rig.deck = list(ORDER)
    rig.new_pack()
    rig.begin(**STAKES)
    assert carried(rig) == before
    return rig


def carried(rig: BalootRig) -> tuple[int, ...]:
    """The figures that the newest round was told."""
    return next(
        event.figures for event, _ in reversed(rig.events) if isinstance(event, e.FiguresCarried)
    )


def told(rig: BalootRig) -> str:
    """What the newest closing count said."""
    return next(
        event.balance for event, _ in reversed(rig.events) if isinstance(event, e.ShoeEnded)
    )


def lifted(rig: BalootRig) -> BalootRig:
    """Lift the hold; nothing is wrong any more."""
    rig.lift()
    assert rig.faults() == []
    return rig


@cache
def plain() -> tuple[str, dict[str, int], tuple[int, ...]]:
    """How the round ends without a mishap."""
    rig = table(SHOE).until("")
    assert rig.table.round is not None
    return rig.table.round.code, rig.paid(), rig.table.carried


def ends_as_it_would_have(rig: BalootRig) -> None:
    """The round goes on to its end as it does without a mishap, and all cards are there."""
    code, paid, figures = plain()
    rig.until("")
    assert rig.table.round is not None
    assert (rig.table.round.code, rig.paid()) == (code, paid)
    assert rig.table.carried == figures
    rig.collected()
    assert (rig.faults(), told(rig)) == ([], "balanced")


# -- the list itself ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [f"BL{n}" for n in range(1, 11)])
def test_each_row_of_baloot_is_answered_and_played(number: str) -> None:
    assert number in coverage.answered(coverage.BALOOT)
    assert number.lower() in PLAYED


@pytest.mark.parametrize("game", [name for name in coverage.GAMES if name != coverage.BALOOT])
def test_no_row_of_baloot_is_told_of_another_game(game: str) -> None:
    rows = [each for each in rows_of("house") if each.row.startswith("BL") and each.when.games]
    assert rows
    assert not any(coverage.happens(each, game) for each in rows)


@pytest.mark.parametrize("profile", PROFILES)
def test_no_profile_lets_a_pack_of_32_go_on_with_a_card_missing(profile: str) -> None:
    rig = BalootRig(sources=CAMERA, profile=profile)
    rig.online()
    rig.give(c.OpenTable())
    rig.new_pack()
    rig.give(c.OpenBets())
    rig.bet("ann", **{"round:0": 1000})
    rig.lay("H0", "KH")
    assert (row(rig).row, row(rig).void) == ("BL6", Void.ONLY)


# -- a card that is shown -------------------------------------------------------------------------


@pytest.mark.parametrize("sources", SEEN)
@pytest.mark.parametrize("at", ["first_packets", "second_packets", "last_packets"])
def test_bl1_an_ace_that_is_shown_while_dealing_is_dealt_anew_by_the_same_dealer(
    sources: tuple[str, ...], at: str
) -> None:
    rig = table(sources).until(at)
    ace = next(code for code in rig.deck if code[0] == "A")
    rig.deck.remove(ace)
    rig.dealt(rig.due, ace, shows=ace)
    rig.wait(6)
    assert rig.faults() == [FaultCode.WRONG_FACE]
    assert first(rig) == ("BL1", "VoidRound")
    for refused in (c.AcceptAsDealt, c.RescanRound, c.AcknowledgeFault):
        assert answer(rig, refused) == "refused.void_only"
    assert voided(rig).table.phase is Phase.DEALING


@pytest.mark.parametrize("sources", SEEN)
def test_bl1_an_ace_that_is_turned_over_in_its_rack_while_dealing_ends_the_deal(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources).until("second_packets")
    index = next(at for at, code in rig.racks.items() if code == "AH")
    rig.flip(index, "AH")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert first(rig) == ("BL1", "VoidRound")
    voided(rig)


@pytest.mark.parametrize("sources", SEEN)
def test_bl2_any_other_card_that_is_shown_stays_with_its_seat(sources: tuple[str, ...]) -> None:
    rig = table(sources)
    rig.dealt(rig.due, rig.deck.pop(0), shows="KH")
    rig.wait(6)
    assert first(rig) == ("BL2", "AcceptAsDealt")
    assert answer(rig) is None
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_bl2_a_card_that_is_shown_may_be_turned_face_down_again(sources: tuple[str, ...]) -> None:
    rig = table(sources)
    rig.dealt(rig.due, rig.deck.pop(0), shows="KH")
    rig.wait(6)
    shown = rig.felt["H0"].pop()
    rig.tracks = shown.track - 1
    rig.lay("H0", "XX")
    assert answer(rig, c.RescanRound) is None
    assert journal_says(rig) == "turned_down"
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
@pytest.mark.parametrize("step", ["bidding", "raise", "play", "turn_card"])
def test_bl2_a_card_of_a_rack_that_is_seen_before_its_turn_stays_with_its_seat(
    sources: tuple[str, ...], step: str
) -> None:
    rig = table(sources).until(step)
    index = next(at for at, code in rig.racks.items() if code == "AH")
    rig.flip(index, "AH")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert first(rig) == ("BL2", "AcceptAsDealt")
    assert answer(rig) is None
    ends_as_it_would_have(lifted(rig))


# -- a card in another place ----------------------------------------------------------------------


@pytest.mark.parametrize("sources", SEEN)
@pytest.mark.parametrize("step", ["first_packets", "second_packets", "last_packets"])
def test_bl3_a_packet_at_another_seat_is_moved_to_its_own(
    sources: tuple[str, ...], step: str
) -> None:
    rig = table(sources).until(step)
    now = rig.due
    other = "H2" if now.to != "H2" else "H3"
    rig.dealt(now, rig.deck.pop(0), to=other)
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    assert first(rig) == ("BL3", "AssignCard")
    assert answer(rig, c.BurnCard) == "refused.changes_order"
    assert answer(rig) is None
    rig.felt[other].pop()
    rig.lay(now.to, "XX")
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_bl4_a_card_that_is_turned_out_of_turn_goes_back_to_its_rack(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources).until("turn_card", seat=0)
    early = rig.index_of(1, 2)
    rig.lift_from(early)
    rig.lay("T1", rig.racks[early])
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    assert first(rig) == ("BL4", "RescanRound")
    rig.felt["T1"].clear()
    rig.lay("H1", "XX")
    assert answer(rig) is None
    assert journal_says(rig) == "put_back"
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_bl4_the_due_card_that_lies_before_another_seat_is_moved(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources).until("turn_card", seat=0)
    now = rig.due
    rig.moved(now, to="T3")
    rig.wait(6)
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    assert answer(rig, c.AssignCard) is None
    rig.felt["T3"].clear()
    rig.lay("T0", rig.racks[now.index])
    ends_as_it_would_have(lifted(rig))


@pytest.mark.parametrize("sources", SEEN)
def test_bl5_another_card_of_the_rack_goes_back_and_the_chosen_one_is_turned(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources).until("turn_card", seat=0)
    wrong = next(
        slot.index
        for slot in rig.board().seats[0].rack
        if slot.look == "back" and slot.index != rig.due.index
    )
    rig.lift_from(wrong)
    rig.lay("T0", rig.racks[wrong])
    rig.wait(6)
    assert rig.faults() == [FaultCode.WRONG_CARD]
    assert first(rig) == ("BL5", "RescanRound")
    rig.felt["T0"].clear()
    rig.lay("H0", "XX")
    assert answer(rig) is None
    ends_as_it_would_have(lifted(rig))


# -- 32 cards, no more and no fewer ---------------------------------------------------------------


def test_b3_a_card_that_is_drawn_while_seats_bid_is_the_first_of_the_last_packets() -> None:
    rig = table(SHOE).until("bidding")
    rig.read(rig.deck[0])
    assert (rig.table.held, noted(rig)) == (False, "B3")
    rig.until("take_face")
    code = rig.deck.pop(0)
    rig.give(c.ConfirmStep())
    assert rig.table.play is not None
    rig.racks[rig.table.play.places[-1].index] = code
    assert rig.table.play.places[-1].card is not None
    assert (rig.table.play.places[-1].to, rig.table.play.places[-1].card.code) == ("H0", code)
    ends_as_it_would_have(rig)


@pytest.mark.parametrize("sources", SEEN)
def test_bl6_a_card_that_all_saw_while_seats_bid_belongs_to_nobody_and_ends_the_deal(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources).until("bidding")
    if "shoe" in sources:
        rig.read(rig.deck[0])
    rig.lay("H0", rig.deck[0])
    rig.wait(6)
    assert first(rig) == ("BL6", "VoidRound")
    voided(rig)


@pytest.mark.parametrize("sources", [SHOE, BOTH])
def test_bl6_a_card_beyond_the_32_says_that_the_pack_was_not_right(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources).until("play", seat=2)
    rig.read("7S")
    assert rig.faults()[0] is FaultCode.CARD_OUT_OF_PHASE
    assert first(rig) == ("BL6", "VoidRound")
    assert rig.table.round is not None
    command = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(command) is None
    assert rig.paid() == {"round:0": 1000, "kaboot:no": 500}
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]
    assert answer(rig, c.AcknowledgeFault) is None
    lifted(rig).collected(remain=0)
    assert rig.faults() == [FaultCode.COUNT_MISMATCH]
    assert answer(rig, c.AcknowledgeFault) is None
    lifted(rig)
    rig.new_pack()
    assert rig.table.phase is Phase.IDLE


def test_bl7_a_card_that_comes_after_the_round_is_counted_with_the_rest() -> None:
    rig = table(SHOE)
    rig.says = PASSED
    rig.until("")
    assert rig.paid() == {"round:0": 1000, "kaboot:no": 500}
    rig.read(rig.deck[0])
    assert first(rig) == ("BL7", "MarkDead")
    assert answer(rig, c.UseAsNextCard) == "refused.shuffled_first"
    assert answer(rig) is None
    lifted(rig).collected(remain=10)
    assert told(rig) == "balanced"
    rig.deck = list(ORDER)
    rig.new_pack()
    rig.begin(**STAKES)
    assert carried(rig) == (0, 0, 0, 1, 1)


def test_bl8_a_shoe_that_is_empty_too_early_ends_the_deal() -> None:
    rig = table(SHOE).until("last_packets", seat=3)
    rig.give(
        o.DeviceFault(device="shoe", at_us=rig.at_us, code=o.DeviceFaultCode.EMPTY, text="no card")
    )
    assert rig.faults() == [FaultCode.SHOE_EMPTY]
    assert first(rig) == ("BL8", "VoidRound")
    assert answer(rig, c.ShuffleDiscards) == "refused.no_discards"
    assert rig.table.round is not None
    command = c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(command) is None
    assert rig.paid() == {"round:0": 1000, "kaboot:no": 500}


def test_c9_what_is_left_after_a_round_nobody_bought_is_11_cards() -> None:
    rig = table(SHOE)
    rig.says = PASSED
    rig.until("").collected(remain=10)
    assert rig.faults() == [FaultCode.COUNT_MISMATCH]
    assert rig.refused(c.StartShoe()) == "refused.table_held"
    assert answer(rig) is None
    lifted(rig).new_pack()
    assert rig.table.phase is Phase.IDLE


def test_a_void_in_the_middle_of_a_game_leaves_score_and_dealer_as_they_were() -> None:
    rig = table(SHOE)
    rig.until("").collected()
    score = rig.table.carried
    assert score[:2] != (0, 0)
    rig.deck = list(ORDER)
    rig.new_pack()
    rig.begin(**STAKES)
    rig.until("play", seat=3)
    rig.give(c.CallSupervisor())
    assert voided(rig).table.carried == score


def test_a_game_that_is_stopped_goes_on_from_its_score_when_the_table_opens_again() -> None:
    rig = table(SHOE)
    rig.until("").collected()
    score = rig.table.carried
    rig.give(c.CloseTable())
    assert rig.table.phase is Phase.CLOSED
    rig.give(c.OpenTable())
    rig.deck = list(ORDER)
    rig.new_pack()
    rig.begin()
    assert carried(rig) == score


# -- before the round and between two --------------------------------------------------------------


def test_b1_a_card_before_the_close_that_nobody_saw_is_the_first_card() -> None:
    rig = BalootRig(sources=SHOE)
    rig.online()
    rig.give(c.OpenTable())
    rig.new_pack()
    rig.give(c.OpenBets())
    rig.bet("ann", **{"round:0": 1000, "kaboot:no": 500})
    rig.racks[1] = rig.deck.pop(0)
    rig.read(rig.racks[1])
    assert (rig.table.held, noted(rig)) == (False, "B1")
    rig.give(c.CloseBets())
    assert rig.accepted() == [("H0", "KH")]
    ends_as_it_would_have(rig)


def test_v8_a_card_between_two_rounds_is_dead_and_the_pack_is_shuffled_again() -> None:
    rig = BalootRig(sources=SHOE)
    rig.online()
    rig.give(c.OpenTable())
    rig.new_pack()
    rig.read(rig.deck[0])
    assert row(rig).row == "V8"
    assert answer(rig) is None
    lifted(rig)
    rig.give(c.EndShoe())
    rig.give(c.EnterCount(31))
    assert (told(rig), rig.table.phase) == ("balanced", Phase.IDLE)
    rig.new_pack()
    rig.begin(**STAKES)
    ends_as_it_would_have(rig)


def test_f5_after_a_stop_in_the_middle_of_a_trick_the_felt_is_entered_with_the_racks_as_backs() -> (
    None
):
    rig = table(SHOE).until("turn_card", seat=2)
    rig.restart()
    assert rig.faults() == [FaultCode.RECOVERED]
    assert answer(rig, c.AcknowledgeFault) == "refused.felt_unchecked"
    lies: dict[str, list[str]] = {zone: [] for zone in ("H0", "H1", "H2", "H3", "T0", "T1", "T2")}
    for place in rig.table.play.places if rig.table.play else ():
        lies[place.to].append(place.card.code if place.face == "up" and place.card else "XX")
    assert lies["T0"] == ["7S"]
    assert lies["H3"] == ["XX"] * 8
    felt = tuple(
        c.FeltZone(zone=zone, cards=tuple(None if x == "XX" else Card.parse(x) for x in codes))
        for zone, codes in lies.items()
    )
    assert answer(rig, c.RescanRound, felt=felt) is None
    ends_as_it_would_have(lifted(rig))
