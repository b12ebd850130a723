"""The shoe as an inventory: counts that never claim more than was seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.cards import PACK, Card
from studio.domain.shoe import CutSeen, Fate, Shoe, Verdict

KING = Card.parse("KS")
SEVEN = Card.parse("7H")


def dealt_out(shoe: Shoe, cards: list[Card | None]) -> Shoe:
    for card in cards:
        shoe = shoe.take(card)
    return shoe


def test_a_fresh_shoe_holds_everything() -> None:
    shoe = Shoe.loaded(8)
    assert (shoe.size, shoe.gone, shoe.left) == (416, 0, 416)
    assert all(shoe.may_hold(card) for card in PACK)


def test_a_ninth_king_of_spades_is_impossible_in_eight_packs() -> None:
    shoe = dealt_out(Shoe.loaded(8), [KING] * 7)
    assert shoe.may_hold(KING)
    shoe = shoe.take(KING, Fate.BURNED)
    assert not shoe.may_hold(KING)
    assert shoe.gone_of(KING) == 8
    assert shoe.may_hold(Card.parse("KH"))


def test_an_unknown_back_is_gone_in_total_and_counts_for_no_card() -> None:
    shoe = Shoe.loaded(1).take(None, Fate.BURNED)
    assert (shoe.gone, shoe.left, shoe.unknown, shoe.burned) == (1, 51, 1, 1)
    assert sum(shoe.seen) == 0


def test_a_turned_back_becomes_the_card_it_is() -> None:
    shoe = Shoe.loaded(1).take(None).identify(SEVEN)
    assert (shoe.gone, shoe.unknown, shoe.gone_of(SEVEN)) == (1, 0, 1)
    with pytest.raises(ValueError, match="every card that is gone is known"):
        shoe.identify(SEVEN)


def test_a_correction_moves_the_count_and_not_the_total() -> None:
    shoe = Shoe.loaded(8).take(KING).correct(KING, SEVEN)
    assert (shoe.gone, shoe.gone_of(KING), shoe.gone_of(SEVEN)) == (1, 0, 1)
    assert Shoe.loaded(8).take(None).correct(None, SEVEN).gone_of(SEVEN) == 1
    with pytest.raises(ValueError, match="no KS is known to be gone"):
        shoe.correct(KING, SEVEN)


def test_a_correction_of_a_card_to_itself_changes_nothing() -> None:
    shoe = Shoe.loaded(8).take(KING)
    assert shoe.correct(KING, KING) == shoe


def test_dealt_cards_outside_a_corrected_round_become_dead() -> None:
    shoe = dealt_out(Shoe.loaded(8), [KING, SEVEN]).move(1, Fate.DEALT, Fate.DEAD)
    assert (shoe.dealt, shoe.dead, shoe.gone) == (1, 1, 2)
    with pytest.raises(ValueError, match="fewer than 2 cards are dealt"):
        shoe.move(2, Fate.DEALT, Fate.DEAD)


def test_what_is_put_back_was_never_gone() -> None:
    shoe = Shoe.loaded(8).take(KING)
    assert shoe.take(SEVEN, Fate.DEAD).put_back(SEVEN, Fate.DEAD) == shoe
    assert shoe.take(None).put_back(None, Fate.DEALT) == shoe
    with pytest.raises(ValueError, match="no card is burned"):
        shoe.put_back(KING, Fate.BURNED)


def test_the_shoe_remembers_when_the_cut_card_came_out() -> None:
    shoe = Shoe.loaded(8).cut_card_out(70, 3)
    assert shoe.cut == CutSeen(round_no=70, cards=3)
    assert shoe.gone == 0


def test_a_cut_card_is_overdue_once_more_cards_are_gone_than_lay_before_it() -> None:
    shoe = dealt_out(Shoe.loaded(1), list(PACK[:36]))
    assert not shoe.cut_card_overdue(16)
    late = shoe.take(PACK[36])
    assert late.cut_card_overdue(16)
    assert not late.cut_card_out(1, 1).cut_card_overdue(16)


def test_a_shoe_entered_in_its_middle_has_unknown_cards_gone() -> None:
    shoe = Shoe.loaded(8, unknown_gone=100)
    assert (shoe.left, shoe.unknown, shoe.dealt) == (316, 100, 100)
    assert shoe.balance(316).verdict is Verdict.UNVERIFIED


def test_a_shoe_whose_cards_were_all_seen_balances() -> None:
    shoe = dealt_out(Shoe.loaded(1), list(PACK[:40]))
    balance = shoe.balance(12)
    assert (balance.verdict, balance.difference, balance.unknown) == (Verdict.BALANCED, 0, 0)


def test_unseen_cards_leave_a_balance_unverified_and_say_how_many() -> None:
    shoe = dealt_out(Shoe.loaded(1), [*PACK[:30], None, None])
    balance = shoe.balance(20)
    assert (balance.verdict, balance.unknown) == (Verdict.UNVERIFIED, 2)


def test_scanning_the_remainder_tells_what_the_unseen_cards_were() -> None:
    shoe = dealt_out(Shoe.loaded(1), [*PACK[:30], None, None])
    assert shoe.balance(20, PACK[32:]).verdict is Verdict.BALANCED
    assert shoe.balance(20, PACK[32:]).unknown == 0


@pytest.mark.parametrize(("remaining", "difference"), [(11, -1), (13, 1)])
def test_a_wrong_total_is_a_mismatch(remaining: int, difference: int) -> None:
    balance = dealt_out(Shoe.loaded(1), list(PACK[:40])).balance(remaining)
    assert (balance.verdict, balance.difference) == (Verdict.MISMATCH, difference)


def test_a_swapped_card_is_a_mismatch_though_the_total_is_right() -> None:
    shoe = dealt_out(Shoe.loaded(1), list(PACK[:50]))
    balance = shoe.balance(2, [PACK[50], PACK[0]])
    assert balance.verdict is Verdict.MISMATCH
    assert balance.too_many == ((PACK[0], 1),)
    assert balance.missing == ((PACK[51], 1),)


def test_a_scan_of_another_length_than_the_count_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cards were counted, but 1 were scanned"):
        Shoe.loaded(1).balance(2, [KING])


cards_or_backs = st.one_of(st.none(), st.sampled_from(PACK))


@given(st.lists(st.tuples(cards_or_backs, st.sampled_from(Fate)), max_size=120))
def test_every_card_is_counted_once_whatever_becomes_of_it(
    taken: list[tuple[Card | None, Fate]],
) -> None:
    shoe = Shoe.loaded(8)
    for card, fate in taken:
        shoe = shoe.take(card, fate)
    assert shoe.gone == shoe.dealt + shoe.burned + shoe.dead == len(taken)
    assert sum(shoe.seen) + shoe.unknown == shoe.gone
    assert shoe.gone + shoe.left == shoe.size
    balance = shoe.balance(shoe.left)
    assert balance.difference == 0
    if balance.verdict is not Verdict.MISMATCH:
        assert (balance.verdict is Verdict.BALANCED) == (shoe.unknown == 0)


@given(st.permutations(list(PACK) * 2), st.integers(0, 104))
def test_a_whole_shoe_dealt_and_scanned_always_balances(order: list[Card], cut: int) -> None:
    shoe = Shoe.loaded(2)
    for card in order[:cut]:
        assert shoe.may_hold(card)
        shoe = shoe.take(card)
    assert shoe.balance(104 - cut, order[cut:]).verdict is Verdict.BALANCED
