"""A settled coup that ended otherwise than was paid is put right, as often as it takes (F12)."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.table.approvals import approval_view
from studio.table.show import overlay_view
from studio.table.state import Phase
from tests.support.rig import Rig

REASON = "reason.camera_proves"
BANKER = (("P", "4C"), ("B", "9D"), ("P", "2H"), ("B", "TS"))
"""Banker wins 9 to 6."""


def settled(*cards: tuple[str, str], **stakes: int) -> Rig:
    """A table that shows the result of one coup."""
    rig = Rig().in_play()
    coup(rig, *(cards or BANKER), **(stakes or {"player": 1000, "banker": 500}))
    return rig


def coup(rig: Rig, *cards: tuple[str, str], **stakes: int) -> str:
    """Deal one more coup; its id."""
    rig.dealing(**stakes)
    for zone, code in cards:
        rig.deal(zone, code)
    assert rig.table.phase is Phase.RESULT
    assert rig.table.round is not None
    return rig.table.round.id


def collected(rig: Rig) -> None:
    """The cards are off the felt and the result was shown; the next bets are open."""
    for zone in ("P", "B"):
        rig.take(zone)
    rig.wait(8)


def cards(codes: str) -> tuple[Card, ...]:
    """Cards from their codes."""
    return tuple(Card.parse(code) for code in codes.split())


def correct(rig: Rig, codes: str = "", *, void: bool = False, number: int = 1) -> e.ResultCorrected:
    """Two people correct a coup of this shoe."""
    round_id = next(ended.id for ended in rig.table.results if ended.number == number)
    command = c.CorrectResult(
        round_id=round_id, cards=cards(codes), void=void, reason=REASON, note="seen on the picture"
    )
    found = [event for event in rig.give(command) if isinstance(event, e.ResultCorrected)]
    assert len(found) == 1
    return found[0]


def refusal(rig: Rig, codes: str = "", *, void: bool = False, round_id: str = "") -> str | None:
    """With which code a correction of the newest coup is refused."""
    meant = round_id or rig.table.results[-1].id
    command = c.CorrectResult(round_id=meant, cards=cards(codes), void=void, reason=REASON)
    return rig.refused(command)


def test_the_difference_goes_to_those_who_won_and_is_asked_back_from_those_who_lost() -> None:
    rig = settled()
    event = correct(rig, "7C 9D 2H TS")
    assert (event.old_code, event.new_code) == ("banker", "tie")
    assert event.staked == 1500
    assert (event.returned_before, event.returned) == (975, 1500)
    assert dict(zip(event.columns.bets, event.columns.amounts, strict=True)) == {"player": 1000}
    assert [(bet, amount) for _, _, bet, amount in event.debits] == [("banker", 475)]
    assert event.note == "seen on the picture"
    assert event.number == 1
    ended = rig.table.results[0]
    assert (ended.code, ended.corrected_from, ended.returned) == ("tie", "banker", 1500)
    assert ended.cards == tuple(zip("PBPB", cards("7C 9D 2H TS"), strict=True))


def test_a_coup_of_three_coups_ago_is_corrected_while_bets_are_open() -> None:
    rig = settled()
    for _ in range(2):
        collected(rig)
        rig.wait(15)
        for zone, code in BANKER:
            rig.deal(zone, code)
    collected(rig)
    assert rig.table.phase is Phase.BETTING
    window = rig.table.window
    correct(rig, "7C 9D 2H TS", number=1)
    assert [ended.code for ended in rig.table.results] == ["tie", "banker", "banker"]
    assert rig.table.window == window


def test_the_shown_result_changes_and_its_window_stays() -> None:
    rig = settled()
    window = rig.table.window
    correct(rig, "7C 9D 2H TS")
    assert rig.table.window == window
    assert rig.table.round is not None
    assert (rig.table.round.code, rig.table.round.returned) == ("tie", 1500)
    assert rig.accepted() == [("P", "7C"), ("B", "9D"), ("P", "2H"), ("B", "TS")]
    collected(rig)
    assert rig.faults() == []


def test_a_held_table_takes_a_correction_too() -> None:
    rig = settled()
    rig.give(c.CallSupervisor())
    assert correct(rig, "7C 9D 2H TS").new_code == "tie"
    assert rig.table.held


def test_a_second_correction_builds_on_the_first() -> None:
    rig = settled()
    correct(rig, "7C 9D 2H TS")
    event = correct(rig, "4C 9D 2H TS")
    assert (event.number, event.returned_before, event.returned) == (2, 1500, 975)
    assert (event.old_code, event.new_code) == ("tie", "banker")
    assert rig.table.results[0].corrected_from == "banker"
    assert len(rig.table.results[0].corrections) == 2


def test_a_coup_declared_not_played_gives_every_stake_back_and_leaves_the_roads() -> None:
    rig = settled()
    event = correct(rig, void=True)
    assert (event.new_code, event.outcome, event.returned) == ("void", "", 1500)
    assert rig.table.state == "void"
    assert rig.table.round is not None
    assert (rig.table.round.returned, rig.table.round.refunded) == (0, 1500)
    again = correct(rig, "4C 9D 2H TS")
    assert (again.old_code, again.returned) == ("void", 975)
    assert rig.table.round.id == again.round_id
    assert rig.table.state == "result"


def test_under_best_for_player_a_winner_keeps_what_was_paid_when_the_coup_is_voided() -> None:
    """F4: the larger of what was paid and all stakes, per player."""
    rig = Rig().in_play()
    rig.setup = replace(rig.setup, profile="agco-like")
    rig.betting(player=1000)
    rig.bet("bob", banker=400)
    rig.wait(15)
    for zone, code in BANKER:
        rig.deal(zone, code)
    event = correct(rig, void=True)
    assert event.returned_before == 780
    assert event.returned == 1780
    assert event.debits == ()


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ("4C 9D 2H TS", "refused.same_result"),
        ("4C 9D 2H", "refused.cards_too_few"),
        ("4C 9D 2H TS 5C", "refused.cards_too_many"),
        ("", "refused.cards_too_few"),
        ("4C 5D 2H TS", "refused.cards_too_few"),
    ],
)
def test_cards_that_do_not_end_the_coup_exactly_are_refused(codes: str, code: str) -> None:
    rig = settled()
    before = rig.table
    assert refusal(rig, codes) == code
    assert rig.table is before


def test_a_void_names_no_cards_and_is_made_once() -> None:
    rig = settled()
    assert refusal(rig, "7C 9D 2H TS", void=True) == "refused.void_has_no_cards"
    correct(rig, void=True)
    assert refusal(rig, void=True) == "refused.same_result"


def test_only_a_settled_coup_of_this_shoe_is_corrected() -> None:
    rig = settled()
    assert refusal(rig, "7C 9D 2H TS", round_id="r-0") == "refused.round_unknown"
    collected(rig)
    assert rig.table.round is not None
    open_round = rig.table.round.id
    assert refusal(rig, "7C 9D 2H TS", round_id=open_round) == "refused.round_open"
    rig.give(c.CallSupervisor())
    rig.give(c.VoidRound(fault=rig.fault(), reason=REASON, round_id=open_round))
    assert refusal(rig, "7C 9D 2H TS", round_id=open_round) == "refused.round_not_settled"


def test_a_correction_needs_a_reason_of_the_list() -> None:
    rig = settled()
    for reason in ("", "because"):
        command = c.CorrectResult(
            round_id=rig.table.results[0].id, cards=cards("7C 9D 2H TS"), reason=reason
        )
        assert rig.refused(command) == "refused.reason_missing"


def test_other_rules_or_another_version_than_the_coup_was_dealt_under_are_refused() -> None:
    rig = settled()
    dealt = rig.setup
    rig.setup = replace(dealt, rules_digest="others")
    assert refusal(rig, "7C 9D 2H TS") == "refused.other_rules"
    rig.setup = replace(dealt, game=replace(dealt.game, version="baccarat@2"))
    assert refusal(rig, "7C 9D 2H TS") == "refused.procedure_missing"


def test_the_count_of_the_shoe_is_put_right_card_by_card() -> None:
    rig = settled()
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards
    correct(rig, "7C 9D 2H TS")
    shoe = rig.table.shoe.cards
    assert shoe.gone == before.gone
    assert (shoe.gone_of(Card.parse("4C")), shoe.gone_of(Card.parse("7C"))) == (0, 1)


def test_a_card_that_the_coup_did_not_have_after_all_is_dead() -> None:
    """The reader took a natural for less, and a third card was drawn that lies outside."""
    rig = settled(("P", "4C"), ("B", "7D"), ("P", "AH"), ("B", "TS"), ("P", "5C"))
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards
    correct(rig, "7C 7D AH TS")
    shoe = rig.table.shoe.cards
    assert (shoe.gone, shoe.dealt, shoe.dead) == (before.gone, before.dealt - 1, before.dead + 1)
    collected(rig)
    assert rig.faults() == []


def test_a_card_that_the_coup_had_besides_was_counted_as_dead_before() -> None:
    """And back again: nothing is counted twice."""
    rig = settled(("P", "4C"), ("B", "7D"), ("P", "AH"), ("B", "TS"), ("P", "5C"))
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards
    correct(rig, "7C 7D AH TS")
    correct(rig, "4C 7D AH TS 5C")
    assert rig.table.shoe.cards == before


def test_a_card_that_nobody_counted_leaves_the_shoe_with_the_correction() -> None:
    """The third card was neither dealt nor dead by anybody's word: the closing count will tell."""
    rig = settled(("P", "7C"), ("B", "7D"), ("P", "AH"), ("B", "TS"))
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards
    correct(rig, "4C 7D AH TS 5C")
    shoe = rig.table.shoe.cards
    assert (shoe.gone, shoe.dealt, shoe.dead) == (before.gone + 1, before.dealt + 1, before.dead)


def test_a_card_that_was_put_aside_as_dead_is_found_in_its_coup() -> None:
    rig = settled(("P", "7C"), ("B", "7D"), ("P", "AH"), ("B", "TS"))
    rig.read("5C")
    collected(rig)
    rig.give(c.MarkDead(fault=rig.fault(), reason=REASON))
    assert rig.table.shoe is not None
    before = rig.table.shoe
    assert Card.parse("5C") in before.dead
    correct(rig, "4C 7D AH TS 5C")
    shoe = rig.table.shoe
    assert shoe.cards.gone == before.cards.gone
    assert shoe.cards.gone_of(Card.parse("5C")) == 1
    assert shoe.dead == ()


def test_a_card_that_no_count_allows_is_refused() -> None:
    rig = Rig(rules={"decks": 1}).in_play()
    coup(rig, *BANKER, player=1000)
    collected(rig)
    rig.wait(15)
    for zone, code in (("P", "7C"), ("B", "9H"), ("P", "2D"), ("B", "TD")):
        rig.deal(zone, code)
    assert rig.table.results[0].number == 1
    command = c.CorrectResult(
        round_id=rig.table.results[0].id, cards=cards("7C 9D 2H TS"), reason=REASON
    )
    assert rig.refused(command) == "refused.impossible_card"


def test_one_person_alone_corrects_nothing() -> None:
    """P5: it waits for the second, and is decided afresh then."""
    rig = settled()
    command = c.CorrectResult(
        round_id=rig.table.results[0].id, cards=cards("7C 9D 2H TS"), reason=REASON
    )
    new = rig.give(command, second=False)
    assert [type(event) for event in new] == [e.ApprovalAsked]
    assert rig.table.results[0].code == "banker"


def test_the_second_person_sees_the_cards_both_results_and_what_moves() -> None:
    """F10: the approval shows what is approved, before it is."""
    rig = settled()
    meant = rig.table.results[0].id
    command = c.CorrectResult(round_id=meant, cards=cards("7C 9D 2H TS"), reason=REASON)
    rig.give(command, second=False)
    view = approval_view(rig.table)
    assert view is not None
    assert view.act.code == "approval.CorrectResult"
    assert dict(view.act.params) == {
        "round": 1, "old": "banker", "new": "tie", "cards": "7C 9D 2H TS",
    }  # fmt: skip
    assert dict(view.effect_money.params) == {"paid": 1000, "kept": 475}
    rig.give(c.WithdrawApproval(approval=view.id))
    rig.give(c.CorrectResult(round_id=meant, void=True, reason=REASON), second=False)
    view = approval_view(rig.table)
    assert view is not None
    assert view.act.code == "approval.CorrectResult.void"
    assert dict(view.effect_money.params) == {"paid": 1000, "kept": 475}


def told_of_correction(rig: Rig) -> tuple[int, int]:
    """(coup, results since) of the correction that players are told of."""
    view = overlay_view(rig.setup, rig.table).correction
    assert view is not None
    return view.round_no, view.since


def test_players_are_told_how_many_results_came_since_a_correction() -> None:
    """So a screen that is loaded late knows whether the next result was there (FACES.md 13)."""
    rig = settled()
    collected(rig)
    rig.wait(15)  # the next coup is dealt while the first one is put right
    correct(rig, "7C 9D 2H TS")
    assert told_of_correction(rig) == (1, 0)
    for zone, code in BANKER[:2]:
        rig.deal(zone, code)
    assert told_of_correction(rig) == (1, 0)
    for zone, code in BANKER[2:]:
        rig.deal(zone, code)
    assert told_of_correction(rig) == (1, 1)
    correct(rig, "4C 9D 2H TS")
    assert told_of_correction(rig) == (1, 0)


def test_a_void_coup_is_no_next_result_after_a_correction() -> None:
    rig = settled()
    collected(rig)
    correct(rig, "7C 9D 2H TS")
    rig.wait(15)
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    rig.give(c.VoidRound(fault="", reason=REASON, round_id=rig.table.round.id))
    assert rig.table.round.state == "voided"
    assert told_of_correction(rig) == (1, 0)
