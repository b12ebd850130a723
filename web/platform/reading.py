"""Reads what a platform sends: bodies with nothing missing and nothing extra, and numbers in range.

What is wrong is told with its place, never with its value.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from web.guard import Refused

MOST_ENTRIES: Final = 5_000
"""Entries of one batch (CONTRACTS.md 8)."""
MOST_BYTES: Final = 2 * 1024 * 1024
"""Bytes of one body: 5,000 entries with the longest ids fit."""
LONGEST: Final = 100
"""Characters of an id."""
LARGEST: Final = 2**53 - 1
"""Largest number that every JSON reader keeps exactly."""

NOTHING_UNSAID: Final[Mapping[str, Any]] = {}


def malformed(sentence: str) -> Refused:
    """A request that cannot be read."""
    return Refused(400, "refused.malformed", sentence)


def read_body(
    body: bytes, *, needs: Mapping[str, type], unsaid: Mapping[str, Any] = NOTHING_UNSAID
) -> dict[str, Any]:
    """The JSON object of a body with exactly these fields, of these types; raises Refused.

    A field in `unsaid` may be left out, and means what stands there.
    """
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise malformed("The body is not JSON: send one JSON object in UTF-8.") from None
    told = {**unsaid, **given} if isinstance(given, dict) else given
    return fields_of(told, "the body", needs)


def fields_of(given: Any, where: str, needs: Mapping[str, type]) -> dict[str, Any]:
    """A JSON object with exactly these fields, of these types; raises Refused."""
    if not isinstance(given, dict):
        raise malformed(f"{where} must be a JSON object.")
    if given.keys() != needs.keys():
        missing = [name for name in needs if name not in given]
        if missing:
            raise malformed(f"{where} needs the field {missing[0]}.")
        raise malformed(f"{where} takes only the fields {', '.join(needs)}.")
    for name, kind in needs.items():
        if type(given[name]) is not kind:
            raise malformed(f"{where}: {name} must be {SPOKEN[kind]}.")
    return given


SPOKEN: Final[dict[type, str]] = {str: "text", int: "a whole number", list: "a list"}


def entries_of(
    given: list[Any], name: str, needs: Mapping[str, type], *, may: str = ""
) -> list[dict[str, Any]]:
    """The entries of a batch, at least one and at most 5,000; raises Refused.

    `may` names one more field that an entry may have; what is in it is not looked at.
    """
    _right_size(given, name)
    for at, entry in enumerate(given):
        where = f"{name}[{at}]"
        known = isinstance(entry, dict) and may in entry
        rest = {key: value for key, value in entry.items() if key != may} if known else entry
        fields_of(rest, where, needs)
        for field, kind in needs.items():
            if kind is str and (field != "lane" or entry[field]):
                id_of(entry[field], f"{where}.{field}")
            elif kind is int and not 0 < entry[field] <= LARGEST:
                raise malformed(f"{where}: {field} must be above 0 and at most {LARGEST}.")
    return given


ON: Final = (0, 1, "yes", "no")
"""What a bet can be on, where its name alone does not say it."""


def bet_of(entry: Mapping[str, Any], where: str) -> str:
    """The name of the bet of an entry, ``round:0``, or ``round`` with what it is on.

    ``{"bet": "round", "on": 0}`` is the same as ``{"bet": "round:0"}``. Raises Refused.
    """
    name = str(entry["bet"])
    if "on" not in entry:
        return name
    on = entry["on"]
    if isinstance(on, bool) or on not in ON:
        raise malformed(f'{where}.on must be 0, 1, "yes" or "no".')
    return f"{name}:{on}"


def names_of(given: list[Any], name: str) -> list[str]:
    """A batch of ids alone; raises Refused."""
    _right_size(given, name)
    for at, each in enumerate(given):
        if type(each) is not str:
            raise malformed(f"{name}[{at}] must be text.")
        id_of(each, f"{name}[{at}]")
    return given


def _right_size(given: list[Any], name: str) -> None:
    if len(given) > MOST_ENTRIES:
        raise Refused(
            413,
            "refused.batch_too_large",
            f"A batch holds at most {MOST_ENTRIES:,} entries: send them in several batches.",
        )
    if not given:
        raise Refused(422, "refused.batch_empty", f"{name} is empty: send at least one entry.")


def id_of(value: str, where: str) -> str:
    """A text that may stand in a record: printable and not too long; raises Refused."""
    if not 0 < len(value) <= LONGEST or not value.isprintable():
        raise malformed(f"{where} must be 1 to {LONGEST} printable characters.")
    return value


def number_of(text: str, name: str, *, least: int = 0, most: int = LARGEST) -> int:
    """A whole number of a query; raises Refused."""
    if not (text.isascii() and text.isdigit() and len(text) <= 16):  # noqa: PLR2004
        raise malformed(f"{name} must be a whole number from {least} to {most}.")
    number = int(text)
    if not least <= number <= most:
        raise malformed(f"{name} must be a whole number from {least} to {most}.")
    return number
