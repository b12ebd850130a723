"""What was dealt is compared with what is expected, by a test that says what it is."""

import math

import pytest

from studio.domain.cards import Card
from studio.odds.observed import ChiSquare, End, chi_square, ends, tail

KNOWN = [
    # Abramowitz and Stegun, table 26.8: percentage points of chi-square.
    (3.84146, 1, 0.05),
    (10.828, 1, 0.001),
    (5.99147, 2, 0.05),
    (13.816, 2, 0.001),
    (7.81473, 3, 0.05),
    (9.48773, 4, 0.05),
    (16.9190, 9, 0.05),
    (18.3070, 10, 0.05),
    (0.0, 1, 1.0),
    (0.0, 2, 1.0),
]


def lay(text: str) -> list[tuple[str, Card | None]]:
    """Read ``P:4H B:XX`` as cards in order of dealing."""
    pairs = (word.split(":") for word in text.split())
    return [(zone, None if code == "XX" else Card.parse(code)) for zone, code in pairs]


@pytest.mark.parametrize(("statistic", "freedom", "chance"), KNOWN)
def test_the_tail_of_chi_square_is_that_of_the_tables(
    statistic: float, freedom: int, chance: float
) -> None:
    assert tail(statistic, freedom) == pytest.approx(chance, rel=5e-4)


def test_no_degree_of_freedom_is_no_test() -> None:
    with pytest.raises(ValueError, match="degrees of freedom"):
        tail(1.0, 0)


def test_the_statistic_is_pearsons() -> None:
    # (60 - 50)² / 50 + (40 - 50)² / 50 = 4
    found = chi_square((60, 0, 40), (0.5, 0.0, 0.5))
    assert found is not None
    assert (found.statistic, found.freedom, found.sample) == (4.0, 1, 100)
    assert found.chance == pytest.approx(0.0455, abs=1e-4)


def test_three_ends_have_two_degrees_of_freedom() -> None:
    found = chi_square((46, 10, 44), (0.45, 0.1, 0.45))
    assert found is not None
    assert found.freedom == 2
    assert found.statistic == pytest.approx(2 / 45)


def test_too_few_rounds_say_nothing() -> None:
    assert chi_square((1, 0, 39), (0.1, 0.0, 0.9)) is None
    assert chi_square((5, 0, 45), (0.1, 0.0, 0.9)) is not None
    assert chi_square((0, 0, 0), (0.1, 0.0, 0.9)) is None


def test_what_cannot_come_and_came_is_no_chance() -> None:
    assert chi_square((50, 1, 50), (0.5, 0.0, 0.5)) == ChiSquare(
        statistic=math.inf, freedom=1, sample=101, chance=0.0
    )


def test_a_coup_of_baccarat_decides_all_twelve_bets() -> None:
    found = ends("baccarat", {}, lay("P:4H B:3H P:TS B:6C"))
    assert len(found) == 12
    assert found["banker"] is End.WIN
    assert found["player"] is End.LOSE
    assert found["small"] is End.WIN
    tie = ends("baccarat", {}, lay("P:4H B:4D P:4S B:4C"))
    assert (tie["tie"], tie["player"], tie["either_pair"]) == (End.WIN, End.PUSH, End.WIN)


def test_boundless_is_judged_by_its_first_three_cards_and_insurance() -> None:
    found = ends("boundless-blackjack", {}, lay("M:7S D:AS M:7H D:KD M:5C"))
    assert found["pair"] is End.WIN
    assert found["insurance"] is End.WIN
    assert "main" not in found
    assert "bust_bonus" not in found


def test_without_an_ace_or_with_an_unknown_hole_card_insurance_is_not_judged() -> None:
    assert "insurance" not in ends("blackjack", {}, lay("1:7S D:KS 1:7H D:AD"))
    assert "insurance" not in ends("blackjack", {}, lay("1:7S D:AS 1:7H D:XX"))
    assert ends("blackjack", {}, lay("1:7S D:AS 1:7H D:9D")) == {"insurance": End.LOSE}


def test_without_a_look_in_secret_the_dealer_may_not_draw_and_nothing_is_judged() -> None:
    rules = {"hole_card": "none_all_lost"}
    assert ends("blackjack", rules, lay("1:7S D:AS 1:7H D:9D")) == {}


def test_a_voided_deal_of_too_few_cards_is_not_judged() -> None:
    assert ends("baccarat", {}, lay("P:4H B:3H P:TS")) == {}
    assert ends("boundless-blackjack", {}, lay("M:7S D:9S")) == {}
