"""Reads what a screen or a script asks for: a name and plain values become a typed command.

Unknown names, unknown fields, missing fields and wrong types are refused with one sentence.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from studio.domain import commands as c
from studio.domain.cards import Card

MALFORMED: Final = "refused.malformed"
INTERNAL: Final = frozenset({"Tick", "BeginDay", "SetUpCamera"})
"""Commands that only the studio itself gives."""
LONGEST_TEXT: Final = 500
"""Characters of a text that a person enters, as a reason."""

COMMANDS: Final[dict[str, type]] = {
    kind.__name__: kind for kind in get_args(c.Command) if kind.__name__ not in INTERNAL
}
"""Every command that may be asked from outside, by its name."""
_SPOKEN: Final = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    Card: "a card, as 7H",
}


def read_command(name: str, args: Mapping[str, Any]) -> c.Command:
    """Make the command of this name from plain values.

    Raises:
        Rejected: with one sentence that says what to change.
    """
    kind = COMMANDS.get(name)
    if kind is None:
        raise c.Rejected(MALFORMED, f"there is no command {str(name)[:40]!r}")
    return _read(kind, name, args)  # type: ignore[no-any-return]


def _read(kind: type, name: str, args: Any) -> Any:
    if not isinstance(args, Mapping):
        raise c.Rejected(MALFORMED, f"{name} takes its values by name")
    wanted = {each.name: each for each in fields(kind)}
    unknown = sorted(str(key)[:40] for key in args if key not in wanted)
    if unknown:
        allowed = ", ".join(wanted) or "no values"
        raise c.Rejected(MALFORMED, f"{name} does not take {unknown[0]!r}; it takes {allowed}")
    missing = [each.name for each in wanted.values() if each.name not in args and _must(each)]
    if missing:
        raise c.Rejected(MALFORMED, f"{name} needs {missing[0]!r}")
    hints = _hints(kind)
    values = {key: _value(hints[key], f"{name}.{key}", given) for key, given in args.items()}
    return kind(**values)


def _must(each: "Field[Any]") -> bool:
    return each.default is MISSING and each.default_factory is MISSING


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(hint: Any, where: str, given: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        inner = [each for each in get_args(hint) if each is not NoneType]
        return None if given is None else _value(inner[0], where, given)
    if origin is tuple:
        if not isinstance(given, list | tuple):
            raise c.Rejected(MALFORMED, f"{where} must be a list")
        inner_hint = get_args(hint)[0]
        return tuple(_value(inner_hint, where, each) for each in given)
    if hint is Card:
        return _card(where, given)
    if hint in (str, int, bool):
        if not isinstance(given, hint) or (isinstance(given, bool) and hint is not bool):
            raise c.Rejected(MALFORMED, f"{where} must be {_SPOKEN[hint]}")
        if isinstance(given, str) and len(given) > LONGEST_TEXT:
            raise c.Rejected(MALFORMED, f"{where} is longer than {LONGEST_TEXT} characters")
        return given
    return _read(hint, where, given)


def _card(where: str, given: Any) -> Card:
    if not isinstance(given, str):
        raise c.Rejected(MALFORMED, f"{where} must be {_SPOKEN[Card]}")
    try:
        return Card.parse(given)
    except ValueError as wrong:
        raise c.Rejected("refused.not_a_card", f"{where}: {str(wrong)[:120]}") from None
