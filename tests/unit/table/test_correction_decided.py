"""A settled round in which players decided is put right: what stands, what goes back, and by whom.

Under the profile ``house`` a round in which players decided by what was not so is declared not
played; ``nj-like`` lets decisions stand; ``agco-like`` gives each player the larger of the two.
"""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import Fault, FaultCode, Sighting
from studio.domain.shoe import Fate
from studio.table.approvals import approval_view
from studio.table.evolve import fold
from studio.table.results import past_views, result_views
from studio.table.review import review
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Phase
from tests.support.past import past_of
from tests.support.shared import SharedRig

REASON = "reason.camera_proves"


def table(profile: str = "house", **mains: int) -> SharedRig:
    """A round is open under a profile, and its bets are closed."""
    rig = SharedRig()
    rig.setup = replace(rig.setup, profile=profile)
    return rig.seated(**(mains or {"ann": 1000, "bob": 500}))


def doubled(profile: str = "house") -> SharedRig:
    """8S 8C against 6D TC: ann doubles with a 2, bob stands; the dealer draws a 2 to 18."""
    rig = table(profile)
    rig.cards("8S 6D 8C TC")
    rig.answer("ann M double", "bob M stand")
    rig.cards("2D")
    rig.turn_hole()
    rig.cards("2H")
    return rig


def told(codes: str) -> tuple[Card, ...]:
    """Cards from their codes."""
    return tuple(Card.parse(code) for code in codes.split())


def ask(rig: SharedRig, codes: str = "", *, void: bool = False) -> c.CorrectResult:
    """The correction of the newest round."""
    return c.CorrectResult(
        round_id=rig.table.results[-1].id, cards=told(codes), void=void, reason=REASON
    )


def correct(rig: SharedRig, codes: str = "", *, void: bool = False) -> e.ResultCorrected:
    """Two people correct the newest round; the fact of it is read back as it was written."""
    new = rig.give(ask(rig, codes, void=void))
    event = next(each for each in new if isinstance(each, e.ResultCorrected))
    assert fold(type(rig.table)(), rig.events) == rig.table
    shown = dealer_view(rig.setup, rig.table, rig.at_us)  # the inputs that it is made from fit
    assert shown.hands == () or shown.phase == "result"
    return event


def back(rig: SharedRig) -> dict[tuple[str, str], int]:
    """What has gone back so far for each (player, bet)."""
    past = past_of(rig.events, rig.table.results[-1].id)
    assert past is not None
    columns = past.back
    return dict(zip(zip(columns.players, columns.bets, strict=True), columns.amounts, strict=True))


def test_what_no_player_could_see_is_put_right_and_all_decisions_stand() -> None:
    """The hole card was a nine: with 15 the dealer drew to 17, and loses to 18."""
    rig = doubled()
    assert back(rig) == {("ann", "main"): 1000, ("ann", "double:M"): 1000, ("bob", "main"): 0}
    event = correct(rig, "8S 6D 8C 9C 2D 2H")
    assert (event.policy, event.old_code, event.new_code) == ("", "dealer_18", "dealer_17")
    assert back(rig) == {("ann", "main"): 2000, ("ann", "double:M"): 2000, ("bob", "main"): 0}
    assert event.columns.total == 2000
    assert event.debits == ()


def test_the_shown_round_has_its_true_cards_and_result() -> None:
    rig = doubled()
    correct(rig, "8S 6D 8C 9C 2D 2H")
    view = overlay_view(rig.setup, rig.table)
    dealer = next(hand for hand in view.hands if hand.zone == "D")
    assert [card.card for card in dealer.cards] == ["6D", "9C", "2H"]
    assert dealer.total == 17
    assert result_views(rig.table)[-1].code == "dealer_17"
    assert view.correction is not None
    assert (view.correction.old_code, view.correction.new_code) == ("dealer_18", "dealer_17")


def test_a_card_that_the_dealer_should_not_have_drawn_is_taken_away() -> None:
    """The hole card was an ace: with a soft 17 the dealer stands, and the draw lies outside."""
    rig = doubled()
    assert rig.refused(ask(rig, "8S 6D 8C AC 2D 2H")) == "refused.cards_too_many"
    event = correct(rig, "8S 6D 8C AC 2D")
    assert event.new_code == "dealer_17"
    shoe = rig.table.shoe
    assert shoe is not None
    assert told("2H")[0] in shoe.dead


def test_a_card_that_the_dealer_should_have_drawn_is_due() -> None:
    rig = doubled()
    assert rig.refused(ask(rig, "8S 6D 8C 7C 2D 2H")) == "refused.cards_too_few"
    assert correct(rig, "8S 6D 8C 7C 2D 2H 5C").new_code == "dealer_20"


def test_by_the_house_a_round_decided_by_a_wrong_card_is_declared_not_played() -> None:
    rig = doubled()
    event = correct(rig, "8S 6D 7C TC 2D 2H")
    assert (event.policy, event.new_code, event.outcome) == ("void", "void", "")
    assert event.cards == told("8S 6D 7C TC 2D 2H")
    assert back(rig) == {("ann", "main"): 1000, ("ann", "double:M"): 1000, ("bob", "main"): 500}
    assert rig.table.state == "void"
    assert rig.refused(ask(rig, "8S 6D 7C TC 2D 2H")) == "refused.decided_by_it"


def test_the_second_person_is_told_that_it_becomes_a_void() -> None:
    rig = doubled()
    rig.give(ask(rig, "8S 6D 7C TC 2D 2H"), second=False)
    view = approval_view(rig.table)
    assert view is not None
    assert view.act.code == "approval.CorrectResult.decided"
    assert dict(view.act.params)["cards"] == "8S 6D 7C TC 2D 2H"
    assert view.effect_money.params == (("paid", 500), ("kept", 0))


def test_where_decisions_stand_as_locked_the_true_cards_pay_them() -> None:
    """7 + 8 + 2 is 17 against 18: the double loses."""
    rig = doubled("nj-like")
    event = correct(rig, "8S 6D 7C TC 2D 2H")
    assert (event.policy, event.new_code) == ("stand_as_locked", "dealer_18")
    assert back(rig) == {("ann", "main"): 0, ("ann", "double:M"): 0, ("bob", "main"): 0}
    assert sum(amount for *_, amount in event.debits) == 2000


def test_best_for_player_is_the_larger_of_the_true_result_and_all_stakes() -> None:
    """7 + 8 + 2 loses: the stakes; 9 + 8 + 2 wins 19 to 18: the win, and the stake of who stood."""
    rig = doubled("agco-like")
    event = correct(rig, "8S 6D 7C TC 2D 2H")
    assert (event.policy, event.new_code, event.rows) == ("best_for_player", "dealer_18", ())
    assert back(rig) == {("ann", "main"): 1000, ("ann", "double:M"): 1000, ("bob", "main"): 500}
    correct(rig, "8S 6D 9C TC 2D 2H")
    assert back(rig) == {("ann", "main"): 2000, ("ann", "double:M"): 2000, ("bob", "main"): 500}


@pytest.mark.parametrize("profile", ["house", "nj-like", "agco-like"])
def test_a_correction_taken_back_leaves_everything_as_it_was_paid(profile: str) -> None:
    rig = doubled(profile)
    paid, outcome = back(rig), rig.table.results[-1].outcome
    shoe = rig.table.shoe
    for codes in ("8S 6D 7C TC 2D 2H", "8S 6D 8C 9C 2D 2H"):
        correct(rig, codes)
        event = correct(rig, "8S 6D 8C TC 2D 2H")
        assert (event.policy, back(rig)) == ("", paid)
        assert rig.table.results[-1].outcome == outcome
        assert rig.table.shoe == shoe


def split(profile: str) -> SharedRig:
    """8S 8C: ann splits and stands on 8 + T and 8 + 9, bob stands on 16, cat hits a 2 to 18."""
    rig = table(profile, ann=1000, bob=500, cat=200)
    rig.cards("8S 6D 8C TC")
    rig.answer("ann M split", "bob M stand", "cat M hit")
    rig.cards("2D TH 9H")
    rig.answer("ann L stand", "ann R stand", "cat M stand")
    rig.turn_hole()
    rig.cards("2H")
    return rig


def test_a_split_of_what_was_no_pair_goes_back_and_all_other_hands_stand() -> None:
    """8 + 9 is no pair: ann's stakes go back; 17 loses to 18 and 19 wins."""
    rig = split("nj-like")
    paid = {("ann", "main"): 1000, ("ann", "split"): 0, ("bob", "main"): 0, ("cat", "main"): 200}
    assert back(rig) == paid
    assert rig.refused(ask(rig, "8S 6D 9C TC 2D TH 9H 2H")) == "refused.cards_too_many"
    event = correct(rig, "8S 6D 9C TC 2D 2H")
    assert event.policy == "stand_as_locked"
    assert back(rig) == {**paid, ("ann", "split"): 1000, ("cat", "main"): 400}
    assert [[choice.actions for choice in each] for each in event.choices] == [
        [(("M", "stand"),), (("M", "hit"),)],
        [(("M", "stand"),)],
    ]
    correct(rig, "8S 6D 8C TC 2D TH 9H 2H")
    assert back(rig) == paid


def test_a_split_of_what_was_no_pair_voids_the_round_by_the_house() -> None:
    rig = split("house")
    assert correct(rig, "8S 6D 9C TC 2D 2H").new_code == "void"
    assert sum(back(rig).values()) == 2700


def test_a_hand_that_was_over_takes_no_more_and_a_hand_nobody_was_asked_about_goes_back() -> None:
    """T + 5: ann hits a 6 and is over on 21, bob stands; truly it was a five."""
    rig = table("nj-like")
    rig.cards("TS 6D 5C TC")
    rig.answer("ann M hit", "bob M stand")
    rig.cards("6H")
    rig.turn_hole()
    rig.cards("2H")
    assert back(rig) == {("ann", "main"): 2000, ("bob", "main"): 0}
    event = correct(rig, "TS 6D 5C TC 5H 2H")
    assert event.policy == "stand_as_locked"
    assert back(rig) == {("ann", "main"): 1000, ("bob", "main"): 0}
    correct(rig, "TS 6D 5C TC 6H 2H")
    assert back(rig) == {("ann", "main"): 2000, ("bob", "main"): 0}


def test_of_two_split_hands_only_the_one_nobody_was_asked_about_goes_back() -> None:
    """T + A is 21 on L, and nobody is asked; truly it was T + 7. R has 19 whatever lies on L."""
    rig = table("nj-like", ann=1000)
    rig.cards("TS 6D KC TC")
    rig.answer("ann M split")
    rig.cards("AH 9H")
    rig.answer("ann R stand")
    rig.turn_hole()
    rig.cards("2H")
    assert back(rig) == {("ann", "main"): 2000, ("ann", "split"): 2000}
    assert correct(rig, "TS 6D KC TC 7H 9H 2H").policy == "stand_as_locked"
    assert back(rig) == {("ann", "main"): 1000, ("ann", "split"): 2000}


def test_a_stand_on_what_was_twenty_one_by_itself_is_paid_as_such() -> None:
    rig = table("nj-like", ann=1000)
    rig.cards("TS 6D 5C TC")
    rig.answer("ann M hit")
    rig.cards("5H")
    rig.answer("ann M stand")
    rig.turn_hole()
    rig.cards("5D")
    assert back(rig) == {("ann", "main"): 0}
    correct(rig, "TS 6D 5C TC 6H 5D")
    assert back(rig) == {("ann", "main"): 1000}


NATURAL = "8S AD 8C TC"


def peeked_wrong(profile: str) -> SharedRig:
    """An ace: ann insures, the look says no, she doubles; the hole card was a nine, and wins."""
    rig = table(profile)
    rig.cards("8S AD 8C 9C")
    rig.answer("ann - insure", "bob - decline")
    rig.wait(2)
    rig.answer("ann M double", "bob M stand")
    rig.cards("2D")
    rig.turn_hole()
    return rig


def test_a_natural_that_the_look_missed_ends_the_round_before_all_decisions() -> None:
    """Where decisions stand: insurance pays 2:1, the hands lose, the double was never possible."""
    rig = peeked_wrong("nj-like")
    assert back(rig)[("ann", "insurance")] == 0
    assert rig.refused(ask(rig, f"{NATURAL} 2D")) == "refused.cards_too_many"
    event = correct(rig, NATURAL)
    assert (event.policy, event.new_code) == ("stand_as_locked", "dealer_blackjack")
    assert back(rig) == {
        ("ann", "main"): 0,
        ("ann", "insurance"): 1500,
        ("ann", "double:M"): 1000,
        ("bob", "main"): 0,
    }
    assert event.course == ("stakes", *["card"] * 3, "hidden", "decided", "natural", "turned")


def test_a_natural_that_the_look_missed_voids_the_round_by_the_house() -> None:
    """What was seen was so, but nobody would have decided anything."""
    rig = peeked_wrong("house")
    event = correct(rig, NATURAL)
    assert (event.policy, event.new_code) == ("void", "void")
    assert sum(back(rig).values()) == 3000


def test_insurance_against_what_was_no_ace_goes_back() -> None:
    rig = peeked_wrong("nj-like")
    correct(rig, "8S 9D 8C 9C 2D")
    assert back(rig)[("ann", "insurance")] == 500


def test_without_insurance_having_been_offered_everybody_had_none() -> None:
    rig = doubled("nj-like")
    event = correct(rig, "8S AD 8C 6C 2D")
    assert event.policy == "stand_as_locked"
    assert event.course[5:8] == ("decided", "no_natural", "decided")
    assert back(rig) == {("ann", "main"): 2000, ("ann", "double:M"): 2000, ("bob", "main"): 0}


def test_side_bets_alone_are_corrected_without_any_policy() -> None:
    rig = SharedRig()
    rig.in_play().give(c.OpenBets())
    rig.bet("ann", bust_bonus=100, pair=100)
    rig.give(c.CloseBets())
    rig.cards("8S 6D 8C TC")
    rig.turn_hole()
    rig.cards("9D")
    assert sum(rig.paid().values()) == 1300
    event = correct(rig, "8S 6D 9C TC 5D")
    assert (event.policy, event.new_code, event.returned) == ("", "dealer_21", 0)


def test_a_round_under_a_dealers_ten_is_corrected_by_what_lies_there() -> None:
    """The up card was a nine, not a ten: nobody had to look, and nobody had decided anything."""
    rig = table(ann=1000)
    rig.cards("AS TD TC TH")
    rig.wait(2)
    rig.turn_hole()
    event = correct(rig, "AS 9D TC TH")
    assert (event.policy, event.new_code) == ("", "dealer_19")
    assert event.course == ("stakes", *["card"] * 3, "hidden", "turned")
    assert back(rig) == {("ann", "main"): 2500}


def test_a_card_of_a_lane_that_nobody_had_seen_is_told_by_its_zone() -> None:
    """Ann hit once, says the journal of a table that was wrong: told by zones, order is found."""
    rig = table("nj-like", ann=1000)
    rig.cards("2S 6D 3C TC")
    rig.answer("ann M hit")
    rig.cards("4H")
    rig.answer("ann M hit")
    rig.cards("9H")
    rig.answer("ann M stand")
    rig.turn_hole()
    rig.cards("5D")
    assert back(rig) == {("ann", "main"): 0}
    codes, zones = "6D TC 5C 2S 3C 5H 9H", ("D", "D", "D", "M", "M", "M", "M")
    command = replace(ask(rig, codes), zones=zones)
    event = next(x for x in rig.give(command) if isinstance(x, e.ResultCorrected))
    assert event.cards == told("2S 6D 3C TC 5H 9H 5C")
    assert rig.refused(replace(command, zones=zones[1:])) == "refused.malformed"
    lost = ("L", *zones[1:])
    assert rig.refused(replace(command, zones=lost)) == "refused.cards_too_few"


def test_a_round_of_this_shoe_is_offered_for_correction() -> None:
    rig = doubled()
    row = past_views(rig.setup, rig.table)[0]
    assert row.enabled
    assert [zone for zone, _ in row.cards] == ["M", "D", "M", "D", "M", "D"]


def test_a_card_more_often_than_it_was_loaded_is_refused() -> None:
    rig = doubled()
    nines = "8S 6D 8C 9C 2D 2H"
    shoe = rig.table.shoe
    assert shoe is not None
    for _ in range(8):
        shoe = replace(shoe, cards=shoe.cards.take(told("9C")[0], Fate.DEALT))
    rig.table = replace(rig.table, shoe=shoe)
    assert rig.refused(ask(rig, nines)) == "refused.impossible_card"


def test_where_decisions_stood_once_a_later_correction_of_the_hole_card_needs_no_policy() -> None:
    """The pair was none, which was found before the hole card was turned; then that was wrong."""
    rig = table("nj-like")
    rig.cards("8S 6D 8C TC")
    rig.answer("ann M stand", "bob M stand")
    rig.give(c.CallSupervisor())
    seven = c.CorrectCard(fault=rig.fault(), reason=REASON, index=3, card=told("7C")[0])
    rig.give(seven)
    rig.lift()
    rig.turn_hole()
    rig.cards("2H")
    event = correct(rig, "8S 6D 7C 9C 2H")
    assert (event.policy, event.new_code) == ("", "dealer_17")


def test_where_decisions_stood_once_the_card_that_players_saw_needs_no_policy_again() -> None:
    """The eight was said to be a seven after they chose; truly it was the eight they had seen."""
    rig = table("nj-like")
    rig.cards("8S 6D 8C TC")
    rig.answer("ann M stand", "bob M stand")
    rig.give(c.CallSupervisor())
    rig.give(c.CorrectCard(fault=rig.fault(), reason=REASON, index=3, card=told("7C")[0]))
    rig.lift()
    rig.turn_hole()
    rig.cards("2H")
    assert correct(rig, "8S 6D 8C TC 2H").policy == ""
    assert correct(rig, "8S 6D 9C TC 2H").policy == "stand_as_locked"


def test_a_card_too_many_names_the_rounds_in_which_it_was_dealt() -> None:
    rig = doubled()
    fault = Fault(
        id="1",
        code=FaultCode.IMPOSSIBLE_CARD,
        at_us=0,
        sightings=(Sighting(source="shoe", card=told("TC")[0]),),
    )
    line = review(rig.table, fault)[0]
    assert dict(line.params) == {"round": 1, "card": "TC", "n": 4, "zone": "D"}


@pytest.mark.parametrize("codes", ["8S 6D 9C TC 2D 2H", "8S 6D 8C TC 2D TH 9H 3H"])
def test_a_camera_that_sees_the_cards_of_a_corrected_round_raises_nothing(codes: str) -> None:
    """What lies outside the round after the correction is left alone until it is collected."""
    rig = SharedRig(sources=("shoe", "camera"))
    rig.setup = replace(rig.setup, profile="nj-like")
    rig.seated(ann=1000, bob=500, cat=200)
    rig.cards("8S 6D 8C TC")
    rig.answer("ann M split", "bob M stand", "cat M hit")
    rig.cards("2D TH 9H")
    rig.answer("ann L stand", "ann R stand", "cat M stand")
    rig.turn_hole("TC")
    rig.cards("2H")
    correct(rig, codes)
    rig.show()
    rig.wait(1)
    assert rig.faults() == []
    for zone in ("M", "L", "R", "D"):
        while rig.felt[zone]:
            rig.felt[zone].pop()
        rig.show()
    rig.wait(10)
    assert rig.faults() == []
    assert rig.table.phase is not Phase.RESULT
