"""Identifiers are never given twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from studio.live.ids import SequentialIds, TimeSortedIds


def test_identifiers_of_a_studio_sort_in_order_of_creation() -> None:
    ids = TimeSortedIds()
    given = [ids.new() for _ in range(2_000)]
    assert given == sorted(given)
    assert len(set(given)) == len(given)


def test_counted_identifiers_are_the_same_each_time() -> None:
    ids = SequentialIds("r-")
    assert [ids.new() for _ in range(3)] == ["r-1", "r-2", "r-3"]


def test_counting_may_go_on_from_a_number() -> None:
    assert SequentialIds("r-", start=41).new() == "r-41"


def test_two_threads_never_get_the_same_number() -> None:
    ids = SequentialIds("n")
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda _: ids.new(), range(2_000)))
    assert len(set(given)) == 2_000
