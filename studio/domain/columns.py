"""Packed columns of bets: what travels beside an event instead of inside it.

A batch may hold thousands of bets. The event names its count, total and digest; the columns are
stored in the same transaction (DESIGN.md 6). A field of type `Columns` is therefore never part of
an event's body.

A round may hold millions. So rows are kept as the text that is hashed and stored, a few dozen bytes
each, once: columns made of others share it, and what reads them unpacks a part at a time.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, compress
from typing import Any, Final, overload

from studio.domain.envelope import Attachment, Packed
from studio.domain.values import replace

PART: Final = 5_000
"""Rows that are unpacked at a time: as many as a batch has at most."""
FEW: Final = 16
"""So many ids are looked for in the text; more are compared with the unpacked ones."""
Row = tuple[str, str, str, int]
"""Id, player, kind of bet, minor units."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that were packed together: each column as canonical JSON without its brackets."""

    ids: bytes
    players: bytes
    bets: bytes
    amounts: bytes
    count: int
    total: int
    least: int
    """The smallest amount."""

    @staticmethod
    def of(
        ids: Sequence[str], players: Sequence[str], bets: Sequence[str], amounts: Sequence[int]
    ) -> "Part":
        """Pack rows, one at least."""
        return Part(
            _written(ids),
            _written(players),
            _written(bets),
            _written(amounts),
            len(ids),
            sum(amounts),
            min(amounts),
        )

    def rows(self) -> Iterator[Row]:
        """The rows again."""
        columns = map(_read, (self.ids, self.players, self.bets, self.amounts))
        return zip(*columns, strict=True)

    def has_some(self, ids: Collection[str]) -> bool:
        """Whether any row has one of these ids; a yes may be wrong where they are few."""
        if len(ids) <= FEW:
            return any(_written((each,)) in self.ids for each in ids)
        return not frozenset(ids).isdisjoint(_read(self.ids))


class Column(Sequence[Any]):
    """One column, unpacked as it is read; equal to any sequence of the same values."""

    __slots__ = ("_name", "_parts")

    def __init__(self, parts: tuple[Part, ...], name: str) -> None:
        """Read from these parts."""
        self._parts, self._name = parts, name

    def __len__(self) -> int:
        """Rows."""
        return sum(part.count for part in self._parts)

    def __iter__(self) -> Iterator[Any]:
        """All values, in order."""
        for part in self._parts:
            yield from _read(getattr(part, self._name))

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, at: int | slice) -> Any:
        """One value or some; all are unpacked for it."""
        return tuple(self)[at]

    def __eq__(self, other: object) -> bool:
        """Whether the other holds the same values."""
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        """The same for the same values."""
        return hash(tuple(self))


class _Stored(Mapping[str, Sequence[str | int]]):
    """Columns by name, whose text as a whole need not be written once more."""

    __slots__ = ("_columns", "parts")

    def __init__(self, parts: tuple[Part, ...]) -> None:
        """Name the columns of these parts."""
        self.parts = parts
        self._columns = {name: Column(parts, of) for name, of in STORED}

    def __getitem__(self, name: str) -> Column:
        """A column."""
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._columns)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    def text(self) -> str:
        """All as canonical JSON."""
        return b"".join(_pieces(self.parts)).decode()


STORED: Final = (("amount", "amounts"), ("bet", "bets"), ("id", "ids"), ("player", "players"))
"""Names of the columns as they are stored, in order of canonical JSON, and here."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Columns:
    """Bets by column: equal index, same bet. `amounts` in whole minor units."""

    parts: tuple[Part, ...]
    """The rows as they are kept; how they are parted means nothing."""

    def __init__(
        self,
        ids: Sequence[str] = (),
        players: Sequence[str] = (),
        bets: Sequence[str] = (),
        amounts: Sequence[int] = (),
    ) -> None:
        """Pack columns.

        Raises:
            ValueError: for columns of different length.
        """
        lengths = tuple(map(len, (ids, players, bets, amounts)))
        if len(set(lengths)) > 1:
            raise ValueError(f"columns of bets differ in length: {lengths}")
        given = (ids, players, bets, amounts)
        parts = tuple(
            Part.of(*(column[first : first + PART] for column in given))  # type: ignore[arg-type]
            for first in range(0, len(ids), PART)
        )
        object.__setattr__(self, "parts", parts)

    @staticmethod
    def made_of(parts: Iterable[Part]) -> "Columns":
        """Give columns of parts that are packed already; they are shared, not copied."""
        columns = Columns()
        object.__setattr__(columns, "parts", tuple(parts))
        return columns

    @staticmethod
    def joined(some: Iterable["Columns"]) -> "Columns":
        """Put columns behind each other."""
        return Columns.made_of(part for columns in some for part in columns.parts)

    def __eq__(self, other: object) -> bool:
        """Whether the rows are the same, however they are parted."""
        if not isinstance(other, Columns):
            return NotImplemented
        if self.parts == other.parts:
            return True
        return (self.count, self.total) == (other.count, other.total) and all(
            _whole(self.parts, of) == _whole(other.parts, of) for _, of in STORED
        )

    def __hash__(self) -> int:
        """The same for the same rows."""
        return hash((self.count, self.total))

    def __repr__(self) -> str:
        """The columns; of many rows only how many there are."""
        if self.count > FEW:
            return f"<Columns of {self.count} rows, {self.total} in all>"
        return f"Columns({self.ids!r}, {self.players!r}, {self.bets!r}, {self.amounts!r})"

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the bets."""
        return tuple(Column(self.parts, "ids"))

    @property
    def players(self) -> tuple[str, ...]:
        """Who has each."""
        return tuple(Column(self.parts, "players"))

    @property
    def bets(self) -> tuple[str, ...]:
        """The kind of each."""
        return tuple(Column(self.parts, "bets"))

    @property
    def amounts(self) -> tuple[int, ...]:
        """Minor units of each."""
        return tuple(Column(self.parts, "amounts"))

    @property
    def count(self) -> int:
        """How many entries there are."""
        return sum(part.count for part in self.parts)

    @property
    def total(self) -> int:
        """Sum of all amounts, minor units."""
        return sum(part.total for part in self.parts)

    @property
    def least(self) -> int:
        """The smallest amount, minor units; 0 if there is none."""
        return min((part.least for part in self.parts), default=0)

    def rows(self) -> Iterator[Row]:
        """Each entry: id, player, kind of bet, minor units."""
        for part in self.parts:
            yield from part.rows()

    def players_of(self, bet: str) -> Iterator[str]:
        """Who has bets of a kind, in order, once for each."""
        return chain.from_iterable(_players_of(part, bet) for part in self.parts)

    def due(self) -> Iterator[tuple[str, int]]:
        """Each player and amount where it is not 0, in order, once for each entry."""
        for part in self.parts:
            amounts = _read(part.amounts)
            yield from compress(zip(_read(part.players), amounts, strict=True), amounts)

    def same_bets(self, others: Sequence["Columns"]) -> bool:
        """Whether these are the same ids, in order, as all of the others behind each other."""
        parts = [part for other in others for part in other.parts]
        shared = [part.ids for part in self.parts] == [part.ids for part in parts]
        return shared or _whole(self.parts, "ids") == _whole(parts, "ids")

    def attachment(self, kind: str, key: str) -> Attachment:
        """Give what is stored beside the event that names these columns."""
        return Attachment(kind=kind, key=key, columns=_Stored(self.parts))

    def packed(self, kind: str, key: str) -> Packed:
        """Give what the event itself says of them: count, total, digest."""
        digest = sha256()
        for piece in _pieces(self.parts):
            digest.update(piece)
        totals = (("amount", self.total),)
        return Packed(
            kind=kind, key=key, count=self.count, totals=totals, digest=digest.hexdigest()
        )

    @staticmethod
    def of(attachment: Attachment) -> "Columns":
        """Read columns back from what was stored."""
        columns = attachment.columns
        if isinstance(columns, _Stored):
            return Columns.made_of(columns.parts)
        return Columns(
            tuple(str(v) for v in columns["id"]),
            tuple(str(v) for v in columns["player"]),
            tuple(str(v) for v in columns["bet"]),
            tuple(int(v) for v in columns["amount"]),
        )

    def without(self, ids: Collection[str]) -> "Columns":
        """Give the columns less the entries with these ids."""
        ids = frozenset(ids)
        kept = [part if not part.has_some(ids) else _less(part, ids) for part in self.parts]
        if all(new is old for new, old in zip(kept, self.parts, strict=True)):
            return self
        return Columns.made_of(part for part in kept if part is not None)

    def only(self, ids: Collection[str]) -> tuple[Row, ...]:
        """Give the entries with these ids."""
        ids = frozenset(ids)
        found = (part for part in self.parts if part.has_some(ids))
        return tuple(chain.from_iterable(_only(part, ids) for part in found))

    def parted(self, kinds: Callable[[str], bool]) -> tuple["Columns", "Columns"]:
        """Give the entries whose kind of bet is one of these, and all others; each in order."""
        ours: list[Part] = []
        others: list[Part] = []
        for part in self.parts:
            bets = _read(part.bets)
            ours_is = {bet: kinds(bet) for bet in set(bets)}
            found = list(map(ours_is.__getitem__, bets))
            if all(found) or not any(found):
                (ours if found[0] else others).append(part)
                continue
            ours.append(_picked(part, found))
            others.append(_picked(part, [not each for each in found]))
        return Columns.made_of(ours), Columns.made_of(others)

    def with_amounts(self, amounts: Callable[[int, int], Sequence[int]]) -> "Columns":
        """Give the same bets with other amounts; `amounts` gives those from an index to another."""
        parts: list[Part] = []
        first = 0
        for part in self.parts:
            some = amounts(first, first + part.count)
            first += part.count
            text = _written(some)
            parts.append(replace(part, amounts=text, total=sum(some), least=min(some)))
        return Columns.made_of(parts)


def _players_of(part: Part, bet: str) -> Iterable[str]:
    kinds = _read(part.bets)
    return compress(_read(part.players), map(bet.__eq__, kinds)) if bet in kinds else ()


def _only(part: Part, ids: frozenset[str]) -> Iterator[Row]:
    wanted = [each in ids for each in _read(part.ids)]
    given = (part.ids, part.players, part.bets, part.amounts)
    return zip(*(compress(_read(column), wanted) for column in given), strict=True)


def _less(part: Part, ids: frozenset[str]) -> Part | None:
    """A part without these ids: itself if it has none of them, None if nothing is left."""
    kept = [each not in ids for each in _read(part.ids)]
    if all(kept):
        return part
    return _picked(part, kept) if any(kept) else None


def _picked(part: Part, which: Sequence[bool]) -> Part:
    """Some rows of a part, one at least."""
    given = (part.ids, part.players, part.bets, part.amounts)
    return Part.of(*(list(compress(_read(column), which)) for column in given))


def _pieces(parts: Sequence[Part]) -> Iterator[bytes]:
    """The columns as canonical JSON, piece by piece."""
    opening = b"{"
    for name, of in STORED:
        yield opening + f'"{name}":['.encode()
        for place, part in enumerate(parts):
            if place:
                yield b","
            yield getattr(part, of)
        opening = b"],"
    yield b"]}"


def _whole(parts: Sequence[Part], of: str) -> bytes:
    """A column as canonical JSON without its brackets."""
    return b",".join(getattr(part, of) for part in parts)


def _written(values: Sequence[str | int]) -> bytes:
    return json.dumps(list(values), separators=(",", ":"))[1:-1].encode()


def _read(text: bytes) -> list[Any]:
    found: list[Any] = json.loads(b"[" + text + b"]")
    return found
