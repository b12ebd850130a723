"""Which card a printed code stands for: the studio's own table, a CSV file.

``code,card`` where a code is only the value, ``code,card,serial`` where each physical card has its
own. A code that is not in the table is an unreadable card, never a guess.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from hardware.errors import SettingError
from studio.domain.cards import CUT, PACK, Card

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ*"
"""Characters of codes, and the check character's one more: 37 is a prime."""
_MOST: Final = 64
"""Longest code in characters."""


class Kind(StrEnum):
    """What a code names."""

    VALUE = "value"
    """A value: all sevens of hearts have the same code."""
    UNIQUE = "unique"
    """One physical card."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a code stands for: `card` is None for the cut card."""

    card: Card | None
    serial: str = ""


CodeTable = dict[str, Named]
"""Codes to what they stand for."""


def read_codes(path: Path, kind: Kind) -> CodeTable:
    """Read a table of codes.

    Raises:
        SettingError: one sentence with the file, the line and what to write there.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as trouble:
        why = getattr(trouble, "strerror", None) or "it is not text in UTF-8"
        raise SettingError(f"the table of codes {path} cannot be read: {why}") from trouble
    rows = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    columns = ("code", "card", "serial") if kind is Kind.UNIQUE else ("code", "card")
    for name in columns:
        if name not in (rows.fieldnames or ()):
            raise SettingError(
                f"the table of codes {path} has no column {name!r}: its first line must be "
                f"{','.join(columns)}"
            )
    table: CodeTable = {}
    serials: set[str] = set()
    try:
        for row in rows:
            where = f"{path}, line {rows.line_num}"
            code, named = _row(where, row, kind)
            if code in table:
                raise SettingError(f"{where}: the code {code!r} stands twice: take one out")
            if named.serial and named.serial in serials:
                raise SettingError(f"{where}: the serial {named.serial!r} stands twice")
            serials.add(named.serial)
            table[code] = named
    except csv.Error as trouble:
        raise SettingError(f"{path}, line {rows.line_num}: {trouble}") from trouble
    if not any(named.card for named in table.values()):
        raise SettingError(f"the table of codes {path} names no card: add a line for each code")
    return table


def _row(where: str, row: dict[str, str | None], kind: Kind) -> tuple[str, Named]:
    code, card, serial = ((row.get(name) or "").strip() for name in ("code", "card", "serial"))
    if not code or len(code) > _MOST or not code.isascii() or not code.isprintable():
        raise SettingError(f"{where}: {code!r} is no code: write 1 to {_MOST} plain characters")
    if card == CUT:
        return code, Named(None, serial)
    try:
        parsed = Card.parse(card)
    except ValueError:
        raise SettingError(
            f"{where}: {card!r} is no card: write rank and suit as 7H, or CUT"
        ) from None
    if kind is Kind.UNIQUE and not serial:
        raise SettingError(f"{where}: the serial is missing: each card has one of its own")
    return code, Named(parsed, serial if kind is Kind.UNIQUE else "")


def example(kind: Kind, packs: int = 8) -> Iterator[tuple[str, str, str]]:
    """Rows (code, card, serial) of a table to print codes from: every card and the cut card.

    Each code ends with a check character, so that one wrong character makes no other code.
    """
    copies = packs if kind is Kind.UNIQUE else 1
    for pack in range(1, copies + 1):
        for card in PACK:
            middle = f"{card.code}{pack:02d}" if kind is Kind.UNIQUE else card.code
            serial = f"{pack:02d}-{card.code}" if kind is Kind.UNIQUE else ""
            yield f"CC{middle}{_check(middle)}", card.code, serial
    yield f"CC{CUT}{_check(CUT)}", CUT, "CUT" if kind is Kind.UNIQUE else ""


def as_csv(rows: Iterable[tuple[str, str, str]], kind: Kind) -> str:
    """Write rows as the file that `read_codes` reads."""
    width = 3 if kind is Kind.UNIQUE else 2
    lines = [("code", "card", "serial"), *rows]
    return "".join(",".join(line[:width]) + "\n" for line in lines)


def example_table(kind: Kind, packs: int = 8) -> CodeTable:
    """The example as a table."""
    return {
        code: Named(None if card == CUT else Card.parse(card), serial)
        for code, card, serial in example(kind, packs)
    }


def _check(text: str) -> str:
    """A check character that finds each single wrong character and each swap of neighbours."""
    total = sum((at + 1) * _ALPHABET.index(each) for at, each in enumerate(text))
    return _ALPHABET[total % len(_ALPHABET)]
