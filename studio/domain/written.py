"""A command as text and back: canonical JSON by field, cards by code."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from studio.domain import commands as c
from studio.domain.cards import HIDDEN, Card
from studio.domain.envelope import canonical

KINDS: Final[dict[str, type]] = {kind.__name__: kind for kind in get_args(c.Command)}
"""Every command by its name."""


def plain(value: Any) -> Any:
    """The plain form of a command or a part of it: text, whole numbers, lists and objects."""
    if isinstance(value, Card):
        return value.code
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def written(command: c.Command) -> str:
    """A command as canonical JSON by field."""
    return canonical(plain(command))


def without_card(command: c.CorrectCard | c.KeyInCard) -> str:
    """A command as canonical JSON without the card that it names."""
    return canonical({**plain(command), "card": HIDDEN})


def without_felt(command: c.RescanRound) -> str:
    """A command as canonical JSON with how many cards each zone has, not which."""
    felt = [{"zone": it.zone, "cards": [HIDDEN] * len(it.cards)} for it in command.felt]
    return canonical({**plain(command), "felt": felt})


def with_card(body: str, card: Card | None) -> str:
    """The same with the card again, as `written` writes it; unchanged if nobody may know it."""
    return body if card is None else canonical({**json.loads(body), "card": card.code})


def read_back(name: str, body: str) -> c.Command:
    """Give the command that `written` wrote; fields that it did not know keep their defaults.

    Raises:
        ValueError: for a name or a body that is none of ours.
    """
    kind = KINDS.get(name)
    if kind is None:
        raise ValueError(f"there is no command {name[:40]!r}")
    found = json.loads(body)
    if not isinstance(found, dict):
        raise ValueError(f"the body of {name} is no object")
    command: c.Command = _made(kind, found)
    return command


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _made(kind: type, values: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    try:
        return kind(**{name: _value(hints[name], given) for name, given in values.items()})
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"this is no {kind.__name__}: {wrong}") from None


def _value(hint: Any, given: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        inner = next(each for each in get_args(hint) if each is not NoneType)
        return None if given is None else _value(inner, given)
    if origin is tuple:
        return tuple(_value(get_args(hint)[0], each) for each in given)
    if hint is Card:
        return Card.parse(given)
    return _made(hint, given) if isinstance(hint, type) and is_dataclass(hint) else given
