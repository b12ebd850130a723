"""Rules read from a configuration, a case or a journal, typed and checked; and written again."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any

from studio.games.paytable import Odds, PayTable


def plain(rules: Any, *, pairs: bool = False) -> dict[str, Any]:
    """All rules by their public names, JSON-ready, no floats: what the readers below read.

    `rules` is the dataclass of a game's rules. With `pairs` odds are two numbers even where one
    would do, as CONTRACTS.md 6 has `blackjack_pays`.
    """
    written: dict[str, Any] = {}
    for field in fields(rules):
        value = getattr(rules, field.name)
        match value:
            case Odds() if pairs:
                written[field.name] = [value.win, value.stake]
            case Odds() | PayTable():
                written[field.name] = value.plain()
            case StrEnum():
                written[field.name] = value.value
            case _:
                written[field.name] = value
    return written


def known_only(game: str, given: Mapping[str, Any], names: Collection[str]) -> None:
    """Refuse a rule that the game does not have.

    Raises:
        ValueError: one sentence with the strange name and all names that exist.
    """
    for name in given:
        if name not in names:
            raise ValueError(
                f"{game} has no rule {name!r}; its rules are {', '.join(sorted(names))}"
            )


def whole(rule: str, value: object, least: int, most: int) -> int:
    """Read a whole number from `least` to `most`.

    Raises:
        ValueError: one sentence with the rule, what was given and what is allowed.
    """
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise ValueError(f"{rule} is {value!r}, but it must be a whole number from {least} to {most}")


def one_of(rule: str, value: object, allowed: Collection[int] | Collection[str]) -> Any:
    """Read one of a few values, of the same type.

    Raises:
        ValueError: one sentence with the rule, what was given and what is allowed.
    """
    for candidate in allowed:
        if value == candidate and not isinstance(value, bool | float):
            return candidate
    choices = " or ".join(str(candidate) for candidate in allowed)
    raise ValueError(f"{rule} is {value!r}, but it must be {choices}")


def flag(rule: str, value: object) -> bool:
    """Read true or false.

    Raises:
        ValueError: one sentence with the rule, what was given and what is allowed.
    """
    if isinstance(value, bool):
        return value
    raise ValueError(f"{rule} is {value!r}, but it must be true or false")
