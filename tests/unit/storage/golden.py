"""One event of each kind, made from its type hints, for the golden file.

``python -m tests.unit.storage.golden`` adds to the file what it does not hold yet. A line is never
changed once its release is out: a changed shape takes the next version and brings an upcaster.
"""

from __future__ import annotations

import json
import sys
from dataclasses import fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from studio.domain import events
from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.envelope import Sealed, canonical
from studio.storage.codec import default_codec

FILE = Path(__file__).with_name("golden-events.jsonl")
SEVEN = Card.parse("7H")
COLUMNS = Columns(("b1", "b2"), ("amina", "bilal"), ("banker", "tie"), (1_000, 250))
PLAIN: dict[Any, Any] = {
    str: "text",
    int: 7,
    bool: True,
    Card: SEVEN,
    Sealed: Sealed(SEVEN, "salt"),
    Columns: COLUMNS,
}


def sample(hint: Any) -> Any:
    """A value of a type, always the same; every optional part is there."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return sample(next(kind for kind in get_args(hint) if kind is not NoneType))
    if origin is tuple:
        kinds = [kind for kind in get_args(hint) if kind is not Ellipsis]
        return tuple(sample(kind) for kind in kinds)
    if issubclass(hint, StrEnum):
        return next(iter(hint))
    assert isinstance(hint, type)
    assert is_dataclass(hint), hint
    hints = get_type_hints(hint)
    values = {field.name: sample(hints[field.name]) for field in fields(hint)}
    if "columns" in values:
        values["packed"] = COLUMNS.packed("kind", "key")
    return hint(**values)


def lines() -> list[dict[str, Any]]:
    """One line for each event of this release."""
    found = []
    for cls in get_args(events.Event):
        encoded = default_codec().encode(sample(cls))
        found.append(
            {
                "name": encoded.name,
                "version": encoded.version,
                "body": encoded.body,
                "columns": encoded.attachment.text() if encoded.attachment else None,
            }
        )
    return found


def kept() -> list[dict[str, Any]]:
    """The lines of the golden file."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Add what is new."""
    known = kept() if FILE.exists() and "--afresh" not in sys.argv else []
    names = {(line["name"], line["version"]) for line in known}
    new = [line for line in lines() if (line["name"], line["version"]) not in names]
    text = "".join(f"{canonical(line)}\n" for line in [*known, *new])
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
