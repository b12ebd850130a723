"""The studio comes back on a clock that was set, and its clock is set while it runs."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.storage.journal import open_journal
from tests.support.crash.child import Mother, Order, course_of, database_of
from tests.support.crash.doom import Doom
from tests.support.crash.laws import check_journal
from tests.support.live.bench import START_US

HOUR_US = 3_600_000_000


@pytest.mark.parametrize("hours", [-1, 1, 25])
def test_a_killed_table_comes_back_on_a_clock_that_was_set(
    mother: Mother, come_back: Callable[..., None], folder: Path, hours: int
) -> None:
    order = Order(
        folder=str(folder), seed=f"clock-{hours}", steps=5000, point="after_commit", nth=60
    )
    assert mother.let_live(order) == -signal.SIGKILL
    come_back("second", START_US + hours * HOUR_US)


def test_a_clock_that_is_set_again_and_again_changes_no_law(folder: Path) -> None:
    journal = open_journal(database_of(folder))
    course = course_of(journal, Order(folder=str(folder), seed="steps", steps=0), Doom())
    for number in range(90):
        course.step()
        step_us = HOUR_US if number % 2 else -HOUR_US
        course.bench.clock.set_wall(course.bench.clock.now_us() + step_us)
    check_journal(course, journal, folder)
    journal.database.close()
