"""Money: whole minor units of one currency, written and read exactly, without floating point."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

MOST: Final = 10**15
"""Largest amount in minor units, either sign: what every database and browser holds exactly."""

# ISO 4217: every currency has two decimals but these (the units of account CLF and UYW, which have
# four, are not money that lies on a table).
_NO_DECIMALS: Final = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE_DECIMALS: Final = "BHD IQD JOD KWD LYD OMR TND"
_CODE: Final = re.compile(r"[A-Z]{3}")
_AMOUNT: Final = re.compile(r"(-?)([0-9]{1,16})(?:\.([0-9]+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency by its ISO 4217 code, and how many decimals its amounts have: 0, 2 or 3."""

    code: str
    decimals: int

    @staticmethod
    def named(code: str) -> "Currency":
        """Give the currency of a code such as ``EUR``.

        Raises:
            ValueError: one sentence, if the code is not three capital letters.
        """
        if not _CODE.fullmatch(code):
            raise ValueError(f"{code!r} is not a currency: write three capital letters, as EUR")
        if code in _NO_DECIMALS:
            return Currency(code, 0)
        return Currency(code, 3 if code in _THREE_DECIMALS else 2)

    def write(self, amount: int) -> str:
        """Give the form of records, without grouping: 123450 of EUR is ``1234.50``."""
        whole, part = divmod(abs(minor_units(amount)), 10**self.decimals)
        sign = "-" if amount < 0 else ""
        return f"{sign}{whole}.{part:0{self.decimals}d}" if self.decimals else f"{sign}{whole}"

    def write_with_code(self, amount: int) -> str:
        """Give the form of records with its currency: ``1234.50 EUR``."""
        return f"{self.write(amount)} {self.code}"

    def read(self, text: str) -> int:
        """Read ``1234.50`` or ``1234`` into minor units.

        Raises:
            ValueError: one sentence, if it is no amount, has too many decimals or is too large.
        """
        matched = _AMOUNT.fullmatch(text)
        example = self.write(123_456)
        if matched is None:
            raise ValueError(f"{text!r} is not an amount of {self.code}: write it as {example}")
        sign, whole, part = matched.group(1), matched.group(2), matched.group(3) or ""
        if len(part) > self.decimals:
            raise ValueError(
                f"{text!r} has {len(part)} decimals, but {self.code} has {self.decimals}: "
                f"write it as {example}"
            )
        amount = int(whole + part.ljust(self.decimals, "0"))
        return minor_units(-amount if sign else amount)


def minor_units(amount: object) -> int:
    """Check that an amount is a whole number of minor units within `MOST`.

    Raises:
        ValueError: one sentence, if it is not (a fraction, a text, true) or too large.
    """
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise ValueError(
            f"{amount!r} is not an amount: amounts are whole minor units, as 1250 for 12.50"
        )
    if abs(amount) > MOST:
        raise ValueError(f"{amount} is more than any amount may be, {MOST} minor units")
    return amount


def total(amounts: Iterable[int]) -> int:
    """Add amounts of one currency exactly.

    Raises:
        ValueError: if one of them, or the sum, is not an amount.
    """
    return minor_units(sum(minor_units(amount) for amount in amounts))
