"""What screens see of a shared hand: lanes, windows, shares, cut-offs, the look and the turn."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.table.show import dealer_view, hand_views, overlay_view, tile_view
from studio.table.state import Phase
from studio.table.views import DealerView, HandView, OverlayView, to_json
from tests.support.shared import SharedRig

CROWD = {f"p{n}": 1000 for n in range(24)}


def split_eights() -> SharedRig:
    """Eights of 24 players: 3 split, 20 hit, 1 stands; the cards of the wave are due."""
    rig = SharedRig().seated(**CROWD)
    rig.cards("8S 6D 8C TC")
    rig.answer(
        *(f"p{n} M split" for n in range(3)),
        *(f"p{n} M hit" for n in range(3, 23)),
        "p23 M stand",
    )
    assert rig.table.phase is Phase.DEALING
    return rig


def dealer(rig: SharedRig) -> DealerView:
    """The dealer's view."""
    return dealer_view(rig.setup, rig.table, rig.at_us)


def air(rig: SharedRig) -> OverlayView:
    """The players' view."""
    return overlay_view(rig.setup, rig.table)


def lane(view: DealerView | OverlayView, zone: str) -> HandView:
    """One hand of a view."""
    return next(hand for hand in view.hands if hand.zone == zone)


def test_hands_come_as_they_lie_before_the_dealer() -> None:
    rig = SharedRig().seated(ann=1000)
    assert [hand.zone for hand in dealer(rig).hands] == ["D", "L", "M", "R"]


def test_lanes_say_whose_card_is_next_who_takes_it_and_who_stood() -> None:
    view = dealer(split_eights())
    told = {h.zone: (h.state, h.taking, h.stood) for h in view.hands}
    assert told == {
        "D": ("", 0, 0),
        "L": ("then", 3, 0),
        "M": ("next", 20, 1),
        "R": ("then", 3, 0),
    }
    assert (view.seated, view.takers, view.wave) == (24, 23, 1)


def test_a_split_hand_shows_the_image_of_a_card_that_lies_on_m() -> None:
    rig = split_eights()
    rig.cards("2H 4D")
    left = lane(dealer(rig), "L")
    assert [(card.card, card.mark) for card in left.cards] == [("8S", "ghost"), ("4D", "")]
    assert left.total == 12


def test_a_soft_hand_has_both_of_its_totals() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("AS 9D 6C TC")
    shared = lane(dealer(rig), "M")
    assert (shared.low, shared.total) == (7, 17)


@pytest.mark.parametrize("sources", [("shoe",), ("camera",), ("shoe", "camera")])
def test_the_dealers_total_is_that_of_the_open_card(sources: tuple[str, ...]) -> None:
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards("8S 6D 9C TC")
    for view in (dealer(rig), air(rig)):
        hand = lane(view, "D")
        assert hand.total == 6
        assert [card.look for card in hand.cards] == ["face", "back"]
        assert "TC" not in str(to_json(view))


def test_a_window_tells_how_many_have_answered_of_those_who_are_asked() -> None:
    rig = SharedRig().seated(ann=1000, bob=1000)
    rig.cards("8S 6D 9C TC")
    rig.answer("ann M stand")
    for view in (dealer(rig), air(rig), tile_view(rig.setup, rig.table)):
        assert view.window is not None
        seen = view.window
        assert (seen.kind, seen.number, seen.asked, seen.answered) == ("decision", 1, 2, 1)
    assert dealer(rig).step.code == "step.wait_decisions"


def test_insurance_has_a_window_of_its_own() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S AD 9C 5C")
    view = dealer(rig)
    assert view.window is not None
    assert (view.window.kind, view.step.code) == ("insurance", "step.wait_insurance")
    assert view.shares[0].rows == (("insure", 0), ("decline", 0))


def test_shares_count_each_choice_and_are_on_air_from_twenty_answers_on() -> None:
    rig = SharedRig().seated(**CROWD)
    rig.cards("8S 6D 8C TC")
    rig.answer(*(f"p{n} M hit" for n in range(19)))
    assert dealer(rig).shares[0].rows[:2] == (("hit", 19), ("stand", 0))
    assert air(rig).shares == ()
    rig.answer("p20 M stand")
    rows = dict(air(rig).shares[0].rows)
    assert (rows["hit"], rows["stand"]) == (19, 1)


@pytest.mark.parametrize(("wanted", "during", "later"), [
    ("live", True, False), ("after", False, True), ("off", False, False),
])  # fmt: skip
def test_the_house_says_when_players_see_how_all_chose(
    wanted: str, during: bool, later: bool
) -> None:
    rig = SharedRig().seated(**CROWD)
    rig.setup = replace(rig.setup, shares=wanted)
    rig.cards("8S 6D 8C TC")
    rig.answer(*(f"p{n} M hit" for n in range(23)))
    assert bool(air(rig).shares) is during
    rig.answer("p23 M stand")
    assert bool(air(rig).shares) is later
    if later:
        assert dict(air(rig).shares[0].rows) == {"hit": 23, "stand": 1}


def test_the_end_of_side_bets_is_told_by_the_rounds_that_still_take_them() -> None:
    rig = SharedRig(rules={"pair_rounds": 1, "side_bet_rounds": 3}).in_play()
    rig.give(c.OpenBets())
    assert air(rig).cutoffs == (
        ("pair", 1, 0), ("bust_bonus", 3, 2), ("lucky_trio", 3, 2), ("poker_trio", 3, 2),
    )  # fmt: skip


@pytest.mark.parametrize(("sources", "kind"), [(("shoe",), "wait"), (("camera",), "peek")])
def test_the_dealer_is_asked_to_look_only_where_nobody_else_knows(
    sources: tuple[str, ...], kind: str
) -> None:
    rig = SharedRig(sources=sources).seated(ann=1000)
    rig.cards("8S KD 9C 9H")
    view = dealer(rig)
    assert view.step.kind == kind
    assert [b.enabled for b in view.buttons if b.command == "answer_peek"] == [kind == "peek"]
    assert view.window is None, "the time until it is told is nobody's countdown"


@pytest.mark.parametrize("natural", [True, False])
def test_once_the_dealer_has_looked_the_screen_is_the_same_whatever_was_seen(natural: bool) -> None:
    rig = SharedRig(sources=("camera",)).seated(ann=1000)
    rig.cards("8S KD 9C 9H")
    rig.give(c.AnswerPeek(natural=natural))
    view = dealer(rig)
    assert (view.step.kind, view.step.code) == ("wait", "step.wait_peek")
    other = SharedRig(sources=("camera",)).seated(ann=1000)
    other.cards("8S KD 9C 9H")
    other.give(c.AnswerPeek(natural=not natural))
    assert to_json(view) == to_json(dealer(other))
    assert to_json(air(rig)) == to_json(air(other))


def test_the_hole_card_is_turned_and_confirmed_where_there_is_only_a_shoe() -> None:
    rig = SharedRig().seated(ann=1000)
    rig.cards("8S 6D 9C TC")
    rig.answer("ann M stand")
    view = dealer(rig)
    assert (view.step.kind, view.step.code, view.step.to) == ("turn", "step.hole_card", "D")
    assert view.step.pace_us == rig.setup.times.pace
    main = next(button for button in view.buttons if button.main)
    assert (main.command, main.enabled) == ("confirm", True)
    rig.turn_hole()
    assert lane(dealer(rig), "D").state == "next"
    rig.cards("KH")
    assert (lane(dealer(rig), "D").state, lane(dealer(rig), "D").total) == ("bust", 26)
    shown = air(rig).result
    assert shown is not None
    assert (shown.code, shown.marks) == ("dealer_bust", ("bust_bonus_3",))


def test_a_camera_sees_the_card_turned_and_nobody_confirms_it() -> None:
    rig = SharedRig(sources=("shoe", "camera")).seated(ann=1000)
    rig.cards("8S 6D 9C TC")
    rig.answer("ann M stand")
    view = dealer(rig)
    assert view.step.kind == "turn"
    assert not any(button.main for button in view.buttons)


def test_nothing_of_the_hand_is_on_air_while_the_table_is_held() -> None:
    rig = split_eights()
    rig.give(c.CallSupervisor())
    view = air(rig)
    assert (view.hands, view.shares) == ((), ())


def test_burned_cards_are_no_hand_of_the_players() -> None:
    rig = SharedRig()
    assert all(hand.zone != "BURN" for hand in hand_views(rig.setup, rig.table, on_air=True))
