"""Amounts are whole minor units, written and read exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.money import MOST, Currency, minor_units, total


@pytest.mark.parametrize(
    ("code", "amount", "text"),
    [
        ("EUR", 123_450, "1234.50"),
        ("EUR", 5, "0.05"),
        ("EUR", -5, "-0.05"),
        ("EUR", 0, "0.00"),
        ("JPY", 1234, "1234"),
        ("KWD", 1234, "1.234"),
        ("KWD", -1, "-0.001"),
    ],
)
def test_an_amount_is_written_with_the_decimals_of_its_currency(
    code: str, amount: int, text: str
) -> None:
    currency = Currency.named(code)
    assert currency.write(amount) == text
    assert currency.write_with_code(amount) == f"{text} {code}"


@given(st.sampled_from(["EUR", "JPY", "BHD"]), st.integers(-MOST, MOST))
def test_what_was_written_is_read_back_exactly(code: str, amount: int) -> None:
    currency = Currency.named(code)
    assert currency.read(currency.write(amount)) == amount


def test_missing_decimals_are_noughts() -> None:
    euro = Currency.named("EUR")
    assert [euro.read(text) for text in ("12", "12.5", "12.50", "-0.5")] == [1200, 1250, 1250, -50]


@pytest.mark.parametrize(
    ("code", "text", "sentence"),
    [
        ("EUR", "12,50", "'12,50' is not an amount of EUR: write it as 1234.56"),
        ("EUR", "", "'' is not an amount of EUR: write it as 1234.56"),
        ("EUR", "1e3", "'1e3' is not an amount of EUR: write it as 1234.56"),
        ("EUR", "١٢", "'١٢' is not an amount of EUR: write it as 1234.56"),
        ("EUR", "1.234", "'1.234' has 3 decimals, but EUR has 2: write it as 1234.56"),
        ("JPY", "1.0", "'1.0' has 1 decimals, but JPY has 0: write it as 123456"),
        ("EUR", "9999999999999999", "999999999999999900 is more than any amount may be"),
    ],
)
def test_what_is_no_amount_is_refused_in_one_sentence(code: str, text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the sentence is compared below
        Currency.named(code).read(text)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("code", ["eur", "EURO", "", "E1R", "EUR\n"])
def test_what_is_no_currency_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="write three capital letters, as EUR"):
        Currency.named(code)


@pytest.mark.parametrize("amount", [1.0, "1", True, None, MOST + 1, -MOST - 1])
def test_a_fraction_a_text_and_too_much_are_no_amounts(amount: object) -> None:
    with pytest.raises(ValueError, match="amount"):
        minor_units(amount)


@given(st.lists(st.integers(0, 10**9), max_size=50))
def test_a_total_is_exact(amounts: list[int]) -> None:
    assert total(amounts) == sum(amounts)


def test_a_total_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="more than any amount may be"):
        total([MOST, 1])
