"""Packed columns of bets: what travels beside an event instead of inside it.

A batch may hold thousands of bets. The event names its count, total and digest; the columns are
stored in the same transaction (DESIGN.md 6). A field of type `Columns` is therefore never part of
an event's body.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from studio.domain.envelope import Attachment, Packed


@dataclass(frozen=True, slots=True)
class Columns:
    """Bets by column: equal index, same bet. `amounts` in whole minor units."""

    ids: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self.ids)

    @property
    def total(self) -> int:
        """Sum of all amounts, minor units."""
        return sum(self.amounts)

    def attachment(self, kind: str, key: str) -> Attachment:
        """Give what is stored beside the event that names these columns."""
        columns: dict[str, Sequence[str | int]] = {
            "id": self.ids,
            "player": self.players,
            "bet": self.bets,
            "amount": self.amounts,
        }
        return Attachment(kind=kind, key=key, columns=columns)

    def packed(self, kind: str, key: str) -> Packed:
        """Give what the event itself says of them: count, total, digest."""
        return self.attachment(kind, key).packed("amount")

    @staticmethod
    def of(attachment: Attachment) -> "Columns":
        """Read columns back from what was stored."""
        columns = attachment.columns
        return Columns(
            tuple(str(v) for v in columns["id"]),
            tuple(str(v) for v in columns["player"]),
            tuple(str(v) for v in columns["bet"]),
            tuple(int(v) for v in columns["amount"]),
        )

    def without(self, ids: frozenset[str]) -> "Columns":
        """Give the columns less the entries with these ids."""
        keep = [n for n, entry in enumerate(self.ids) if entry not in ids]
        if len(keep) == self.count:
            return self
        return Columns(
            tuple(self.ids[n] for n in keep),
            tuple(self.players[n] for n in keep),
            tuple(self.bets[n] for n in keep),
            tuple(self.amounts[n] for n in keep),
        )


@dataclass(frozen=True, slots=True)
class Written:
    """The text of some columns but their amounts, as it is hashed: kept to be hashed again."""

    ids: bytes
    players: bytes
    bets: bytes

    @staticmethod
    def of(columns: Columns) -> "Written":
        """Write the columns down."""
        return Written(_inner(columns.ids), _inner(columns.players), _inner(columns.bets))


def packed_again(kind: str, key: str, amounts: Sequence[int], parts: Sequence[Written]) -> Packed:
    """Give what `Columns.packed` gives for these parts put together, with other amounts."""
    found = sha256(b'{"amount":[' + _inner(amounts))
    columns = ([p.bets for p in parts], [p.ids for p in parts], [p.players for p in parts])
    for name, texts in zip(("bet", "id", "player"), columns, strict=True):
        found.update(f'],"{name}":['.encode())
        some = [text for text in texts if text]
        for place, text in enumerate(some):
            if place:
                found.update(b",")
            found.update(text)
    found.update(b"]}")
    return Packed(
        kind=kind,
        key=key,
        count=len(amounts),
        totals=(("amount", sum(amounts)),),
        digest=found.hexdigest(),
    )


def _inner(values: Sequence[str | int]) -> bytes:
    """A column as canonical JSON without its brackets."""
    return json.dumps(list(values), separators=(",", ":"))[1:-1].encode()
