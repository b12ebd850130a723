"""Reading of rules from a configuration, a case or a journal: typed and checked."""

from collections.abc import Collection, Mapping
from typing import Any


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
