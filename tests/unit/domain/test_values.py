"""Values that are made quickly are the values that `dataclasses` makes."""

import dataclasses

import pytest

from studio.domain.values import quick, replace
from studio.table.state import Play, Script, Table


@quick
@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """Two fields, one of them made anew for each value."""

    left: int
    right: list[int] = dataclasses.field(default_factory=list)
    name: str = dataclasses.field(default="", kw_only=True)


def test_a_quick_value_is_what_its_fields_say() -> None:
    one = Pair(1)
    assert one == Pair(left=1, right=[], name="")
    assert one.right is not Pair(1).right
    assert Pair(1, [2], name="a") != one
    assert repr(Pair(1, [2], name="a")).endswith("Pair(left=1, right=[2], name='a')")


def test_a_quick_value_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Pair(1).left = 2  # type: ignore[misc]  # that is what is refused


def test_a_quick_value_takes_no_field_that_it_has_not() -> None:
    with pytest.raises(TypeError):
        Pair(1, other=2)  # type: ignore[call-arg]  # that is what is refused
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]  # that is what is refused
    with pytest.raises(TypeError):
        Pair(1, [], "third")  # type: ignore[call-arg]  # that is what is refused


def test_a_class_without_slots_is_refused() -> None:
    class Plain:
        left: int

    with pytest.raises(TypeError, match="must have slots"):
        quick(dataclasses.dataclass(Plain))


def test_a_replaced_value_is_that_of_dataclasses() -> None:
    table = Table(day="2026-01-01", play=Play(script=Script.ROUND))
    found = replace(table, version=3, play=None)
    assert found == dataclasses.replace(table, version=3, play=None)
    assert (table.version, table.day, found.day) == (0, "2026-01-01", "2026-01-01")


def test_an_unknown_field_is_not_replaced() -> None:
    with pytest.raises(TypeError, match="no field 'colour'"):
        replace(Table(), colour="red")  # type: ignore[call-arg]  # that is what is refused
