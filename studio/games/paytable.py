"""Odds as whole numbers, and small tables of them, as rules print them: 11:1, 0.54:1.

No floating point anywhere: a bet that pays 0.54:1 pays 27 for 50.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, Final

from studio.games.spec import Pay

MOST: Final = 100_000
"""Neither number of the odds may be larger; nobody pays 100,000 to 1."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What a winning bet wins: `win` for each `stake`, the stake itself not counted."""

    win: int
    stake: int = 1

    @property
    def pay(self) -> Pay:
        """What goes back for the stake, the stake included."""
        return Pay(self.win + self.stake, self.stake)

    def plain(self) -> int | list[int]:
        """Give the form of rules and journals: 11, or [27, 50]."""
        return self.win if self.stake == 1 else [self.win, self.stake]

    def __str__(self) -> str:
        """Give the form that players read: ``11:1``, ``0.54:1``, or ``1:3`` if no decimals do."""
        for places in range(4):
            scaled, rest = divmod(self.win * 10**places, self.stake)
            if rest == 0:
                digits = f"{scaled:0{places + 1}d}"
                return f"{digits[:-places]}.{digits[-places:]}:1" if places else f"{digits}:1"
        return f"{self.win}:{self.stake}"


@dataclass(frozen=True, slots=True)
class PayTable:
    """Odds by the name of what is paid, in the order in which they are printed."""

    rows: tuple[tuple[str, Odds], ...]

    def __getitem__(self, name: str) -> Odds:
        """Give the odds of one row; KeyError if the table has none of that name."""
        for row, odds in self.rows:
            if row == name:
                return odds
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the rows, in order."""
        return tuple(name for name, _ in self.rows)

    def plain(self) -> dict[str, Any]:
        """Give the form of rules and journals: ``{"two_cards": 12, "three_cards": 20}``."""
        return {name: odds.plain() for name, odds in self.rows}


def read_odds(rule: str, value: object) -> Odds:
    """Read 11 or [27, 50].

    Raises:
        ValueError: one sentence with the rule, what was given and what is allowed.
    """
    match value:
        case bool():
            pass
        case int() if 1 <= value <= MOST:
            return Odds(value)
        case [int(win), int(stake)] if _whole(win) and _whole(stake):
            shared = gcd(win, stake)
            return Odds(win // shared, stake // shared)
    raise ValueError(
        f"{rule} is {value!r}, but odds are a whole number as 11 (for 11:1) or a pair of whole "
        f"numbers as [27, 50] (for 0.54:1), each from 1 to {MOST}"
    )


def read_table(rule: str, value: object, default: PayTable) -> PayTable:
    """Read a table of odds: some or all rows by name, all rows in order, or one for all rows.

    Rows that a mapping does not name keep the default.

    Raises:
        ValueError: one sentence with the rule, what was given and what is allowed.
    """
    names = default.names
    if isinstance(value, Mapping):
        strange = [name for name in value if name not in names]
        if strange:
            raise ValueError(f"{rule} has no row {strange[0]!r}; its rows are {', '.join(names)}")
        return PayTable(
            tuple(
                (name, read_odds(f"{rule}.{name}", value[name]) if name in value else odds)
                for name, odds in default.rows
            )
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) != len(names):
            raise ValueError(
                f"{rule} has {len(value)} entries, but it takes {len(names)}: {', '.join(names)}"
            )
        return PayTable(
            tuple(
                (name, read_odds(f"{rule}.{name}", entry))
                for name, entry in zip(names, value, strict=True)
            )
        )
    flat = read_odds(rule, value)
    return PayTable(tuple((name, flat) for name in names))


def _whole(number: int) -> bool:
    """Whether a part of a pair is a whole number in range (`True` is none)."""
    return not isinstance(number, bool) and 1 <= number <= MOST
