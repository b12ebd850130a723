"""Frozen values made quickly: a table makes dozens of them for each input.

A frozen class that `dataclasses` wrote sets each field by a look-up of its name. Here each is set
through its slot, by a function written for the class, as `dataclasses` writes its own. Nothing else
is different: a value is as frozen as before, once it is made.
"""

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

V = TypeVar("V")
Replacer = Callable[[Any, dict[str, Any]], Any]
_MISSING: Final = dataclasses.MISSING


def quick(kind: type[V]) -> type[V]:
    """A frozen dataclass with slots whose values are made quickly; stands above ``@dataclass``.

    Raises:
        TypeError: for a class without slots, or one that computes fields of its own.
    """
    fields, setters = dataclasses.fields(kind), _setters(kind)  # type: ignore[arg-type]  # is one
    if setters is None:
        raise TypeError(f"{kind.__name__} must have slots, and fields that are given alone")
    known: dict[str, Any] = {f"set_{name}": setter for name, setter in setters.items()}
    known["missing"] = _MISSING
    arguments, lines, named = ["self"], [], False
    for each in fields:
        if each.kw_only and not named:
            arguments.append("*")
            named = True
        arguments.append(_argument(each, known))
        if each.default_factory is not _MISSING:
            lines.append(f"    if {each.name} is missing: {each.name} = new_{each.name}()")
        lines.append(f"    set_{each.name}(self, {each.name})")
    made = _written("__init__", ", ".join(arguments), lines, known)
    made.__annotations__ = kind.__init__.__annotations__
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    kind.__init__ = made  # type: ignore[method-assign]  # that is what this is for
    return kind


def _argument(each: "dataclasses.Field[Any]", known: dict[str, Any]) -> str:
    """How a field stands among the arguments; what it is without one goes into `known`."""
    if each.default_factory is not _MISSING:
        known[f"new_{each.name}"] = each.default_factory
        return f"{each.name}=missing"
    if each.default is _MISSING:
        return each.name
    known[f"default_{each.name}"] = each.default
    return f"{each.name}=default_{each.name}"


def _setters(kind: type) -> dict[str, Callable[[Any, Any], None]] | None:
    """What sets each field; None for a class that is not made by its fields and slots alone."""
    fields = dataclasses.fields(kind)
    setters = {it.name: getattr(getattr(kind, it.name, None), "__set__", None) for it in fields}
    if hasattr(kind, "__post_init__") or not all(it.init for it in fields):
        return None
    return setters if all(setters.values()) else None  # type: ignore[return-value]  # none is None


def _written(
    name: str, arguments: str, lines: list[str], known: Mapping[str, Any]
) -> Callable[..., Any]:
    """A function of these lines, which sees what is `known`."""
    found = dict(known)
    source = "\n".join((f"def {name}({arguments}):", *lines))
    exec(source, found)  # noqa: S102  names of our own fields, and nothing else
    function: Callable[..., Any] = found[name]
    return function


def _replaced(value: V, /, **changes: Any) -> V:
    """The same value with other fields, as `dataclasses.replace` gives it.

    Raises:
        TypeError: for a field that it does not have.
    """
    kind: type = type(value)
    replaced: V = _replacer(kind)(value, changes)
    return replaced


if TYPE_CHECKING:  # so that mypy compares the name and the type of each field
    from dataclasses import replace
else:
    replace = _replaced
__all__ = ["quick", "replace"]


@cache
def _replacer(kind: type) -> Replacer:
    """How a value of this kind is made from another one."""
    setters = _setters(kind)
    if setters is None:
        return lambda value, changes: dataclasses.replace(value, **changes)
    lines = [
        "    made = new(kind)",
        *(f"    set_{name}(made, value.{name})" for name in setters),
        "    for name in changes:",
        "        setters[name](made, changes[name])",
        "    return made",
    ]
    known: dict[str, Any] = {f"set_{name}": setter for name, setter in setters.items()}
    known |= {"new": object.__new__, "kind": kind, "setters": _Fields(setters)}
    return _written("replaced", "value, changes", lines, known)


class _Fields(dict[str, Any]):
    """What sets each field of a class, by its name."""

    def __missing__(self, name: str) -> None:
        """There is no such field.

        Raises:
            TypeError: as a call with an unknown argument does.
        """
        raise TypeError(f"there is no field {name!r} to replace")
