"""Running procedures from their inputs, and the procedures of a shoe."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.cards import PACK, Card
from studio.games.procedure import (
    Clear,
    Confirm,
    Confirmed,
    Count,
    Counted,
    Deal,
    Dealt,
    Facing,
    InputMismatch,
    fits,
    run,
)
from studio.games.registry import game
from studio.games.shoe import ShoeStep, burn_value, end_shoe, new_shoe

GAME = game("baccarat")
RULES = GAME.rules({})
SEVEN = Card.parse("7H")


def test_a_procedure_says_what_is_due_before_any_input() -> None:
    standing = run(lambda: GAME.round(RULES), [])
    assert standing.due == Deal("P", Facing.UP, "first_four")
    assert (standing.asked, standing.outcome) == ((), None)


def test_an_input_of_another_kind_is_named_with_its_place() -> None:
    with pytest.raises(InputMismatch) as caught:
        run(lambda: GAME.round(RULES), [Dealt(SEVEN), Confirmed()])
    assert caught.value.index == 1
    assert caught.value.due == Deal("B", Facing.UP, "first_four")


def test_an_input_after_the_end_is_named_with_its_place() -> None:
    natural = [Dealt(Card.parse(code)) for code in ("9C", "7D", "TC", "TD")]
    with pytest.raises(InputMismatch) as caught:
        run(lambda: GAME.round(RULES), [*natural, Dealt(SEVEN)])
    assert (caught.value.index, caught.value.due) == (4, None)


def test_a_card_due_face_up_is_answered_by_a_known_card_only() -> None:
    up, down = (Deal("P", face, "any") for face in (Facing.UP, Facing.DOWN))
    assert fits(up, Dealt(SEVEN))
    assert not fits(up, Dealt(None))
    assert fits(down, Dealt(None))
    assert fits(down, Dealt(SEVEN))


def test_each_request_is_answered_by_its_own_kind_of_input() -> None:
    assert fits(Confirm("shuffle"), Confirmed())
    assert fits(Clear(("BURN",), "burn_cleared"), Confirmed())
    assert fits(Count("remainder", most=416), Counted(416))
    assert not fits(Count("remainder", most=416), Counted(417))
    assert not fits(Count("remainder"), Confirmed())
    assert not fits(None, Confirmed())


def test_a_shoe_cannot_be_loaded_before_it_was_shuffled_and_cut() -> None:
    steps = [run(lambda: new_shoe(RULES), [Confirmed()] * done).due for done in range(3)]
    assert [step.step for step in steps if isinstance(step, Confirm)] == [
        ShoeStep.SHUFFLE,
        ShoeStep.CUT,
        ShoeStep.LOAD,
    ]


def test_the_burn_of_unknown_backs_ends_with_the_dealer_clearing_them() -> None:
    ace = Dealt(Card.parse("AS"))
    inputs = [Confirmed(), Confirmed(), Confirmed(), ace, Dealt(None)]
    assert run(lambda: new_shoe(RULES), inputs).due == Clear(("BURN",), ShoeStep.BURN_CLEARED)


def test_the_closing_count_is_the_outcome_of_the_end_of_a_shoe() -> None:
    standing = run(lambda: end_shoe(RULES), [Counted(16)])
    assert standing.outcome == 16
    assert standing.asked == (Count(ShoeStep.REMAINDER, least=0, most=416),)


@given(st.sampled_from(PACK))
def test_a_burn_takes_from_one_to_ten_cards_face_down(shown: Card) -> None:
    assert 1 <= burn_value(shown) <= 10
