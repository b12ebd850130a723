"""Packed columns: the same rows come back, are hashed as ever, and are shared, not copied."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.columns import FEW, PART, Columns
from studio.domain.envelope import Attachment

NAMES = st.text(max_size=6) | st.sampled_from(['"', '","', "\\", '\\"', "ä", "a,b", "[]", "٣"])
ROWS = st.lists(st.tuples(NAMES, NAMES, NAMES, st.integers(0, 2**70)), max_size=40)


def columns_of(rows: list[tuple[str, str, str, int]]) -> Columns:
    return Columns(*map(tuple, zip(*rows, strict=True))) if rows else Columns()


def many(count: int) -> Columns:
    return Columns(
        tuple(f"b{n}" for n in range(count)),
        tuple(f"p{n}" for n in range(count)),
        ("main",) * count,
        tuple(range(count)),
    )


@given(ROWS)
def test_the_rows_come_back_and_the_digest_is_that_of_their_canonical_json(
    rows: list[tuple[str, str, str, int]],
) -> None:
    columns = columns_of(rows)
    assert list(columns.rows()) == rows
    plain: dict[str, list[str | int]] = {
        "amount": [row[3] for row in rows],
        "bet": [row[2] for row in rows],
        "id": [row[0] for row in rows],
        "player": [row[1] for row in rows],
    }
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    assert columns.attachment("bets", "k").text() == text
    packed = columns.packed("bets", "k")
    assert packed.digest == sha256(text.encode()).hexdigest()
    assert packed == Attachment("bets", "k", plain).packed("amount")
    assert packed == columns.attachment("bets", "k").packed("amount")
    assert Columns.of(Attachment("bets", "k", json.loads(text))) == columns
    assert (columns.count, columns.total) == (len(rows), sum(row[3] for row in rows))
    assert columns.least == min((row[3] for row in rows), default=0)


@given(ROWS, st.lists(NAMES, max_size=2 * FEW))
def test_what_is_left_out_and_what_is_picked_are_all_rows_in_order(
    rows: list[tuple[str, str, str, int]], ids: list[str]
) -> None:
    columns = columns_of(rows)
    assert list(columns.without(ids).rows()) == [row for row in rows if row[0] not in ids]
    assert list(columns.only(ids)) == [row for row in rows if row[0] in ids]
    if not any(row[0] in ids for row in rows):
        assert columns.without(ids) is columns


@given(ROWS, st.integers(0, 40), st.integers(0, 40))
def test_how_rows_are_parted_means_nothing(
    rows: list[tuple[str, str, str, int]], first: int, second: int
) -> None:
    whole, (one, two) = columns_of(rows), sorted((first, second))
    parts = [columns_of(some) for some in (rows[:one], rows[one:two], rows[two:])]
    joined = Columns.joined(parts)
    assert joined == whole
    assert hash(joined) == hash(whole)
    assert joined.packed("bets", "k") == whole.packed("bets", "k")
    assert whole.same_bets(parts)
    if rows:
        assert not whole.same_bets([columns_of(rows[:-1])])
        assert not whole.same_bets([*parts, columns_of(rows[:1])])
        assert columns_of(rows[:-1]) != whole


def test_a_crowd_is_kept_in_parts_and_columns_made_of_others_share_their_text() -> None:
    columns = many(2 * PART + 1)
    assert [part.count for part in columns.parts] == [PART, PART, 1]
    paid = columns.with_amounts(lambda first, last: range(first + 1, last + 1))
    assert paid.amounts == tuple(range(1, 2 * PART + 2))
    assert all(a.ids is b.ids for a, b in zip(paid.parts, columns.parts, strict=True))
    less = columns.without({"b0", f"b{2 * PART}"})
    assert less.parts[1] is columns.parts[1]
    assert less.ids == columns.ids[1:-1]
    assert (less.count, less.total) == (2 * PART - 1, columns.total - 2 * PART)
    assert repr(columns) == f"<Columns of {columns.count} rows, {columns.total} in all>"


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        Columns(("a", "b"), ("p",), ("main", "main"), (1, 2))


def test_columns_are_not_changed_and_are_equal_to_no_other_thing() -> None:
    columns = Columns(("a",), ("p",), ("main",), (1,))
    with pytest.raises(AttributeError):
        columns.parts = ()  # type: ignore[misc]
    assert columns != (("a",), ("p",), ("main",), (1,))
    assert repr(columns) == "Columns(('a',), ('p',), ('main',), (1,))"
    assert columns != Columns(("a",), ("p",), ("main",), (2,))
    assert columns != Columns(("a",), ("p",), ("tie",), (1,))
