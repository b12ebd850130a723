"""The disk is full, or slow, or somebody else holds the database: the table stops or waits."""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from studio.domain.commands import CallSupervisor
from studio.live.clock import ManualClock
from studio.live.means import TableStopped
from studio.live.ports import JournalError
from studio.simulate.machine import Machine
from studio.storage import database
from studio.storage.journal import SqlJournal, open_journal
from tests.support.crash.child import STOPPED, Mother, Order, course_of, database_of
from tests.support.crash.course import Course
from tests.support.crash.doom import Doom
from tests.support.crash.laws import check_journal
from tests.support.live.bench import DEALER, SUPERVISOR

ComeBack = Callable[..., None]


@contextmanager
def running(folder: Path, seed: str, journal: SqlJournal | None = None) -> Iterator[Course]:
    """A table that is worked in this process."""
    opened = journal or open_journal(database_of(folder))
    try:
        yield course_of(opened, Order(folder=str(folder), seed=seed, steps=0), Doom())
    finally:
        opened.database.close()


def to_the_end(course: Course) -> None:
    """Go on until the journal fails."""
    with pytest.raises((JournalError, TableStopped)):
        course.run(5000)


@pytest.mark.parametrize("room", [0, 1, 2, 5, 11])
def test_a_database_that_cannot_grow_stops_the_table_and_loses_nothing(
    folder: Path, come_back: ComeBack, room: int
) -> None:
    with running(folder, f"full-{room}") as course:
        course.run(60 + room)
        journal: SqlJournal = course.bench.journal
        with journal.database.writer.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + room}")
        to_the_end(course)
        failed = course.bench.runner.failure
        if failed is not None:
            assert "database or disk is full" in str(failed)
            assert "database or disk is full" in course.bench.runner.trouble
    come_back("second")


@pytest.mark.parametrize("largest", [400_000, 700_000, 1_000_000])
def test_a_file_that_may_not_grow_stops_the_table_and_loses_nothing(
    mother: Mother, folder: Path, come_back: ComeBack, largest: int
) -> None:
    order = Order(folder=str(folder), seed=f"limit-{largest}", steps=5000, largest_file=largest)
    assert mother.let_live(order) == STOPPED
    come_back("second")


class Faulty:
    """A journal whose nth append fails, before anything is written or after all of it was."""

    def __init__(self, journal: SqlJournal, nth: int, *, after: bool) -> None:
        self._journal = journal
        self._left = nth
        self._after = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def append(self, *args: Any, **more: Any) -> int:
        self._left -= 1
        failure = OSError(errno.ENOSPC, "No space left on device")
        if self._left == 0 and not self._after:
            raise failure
        version = self._journal.append(*args, **more)
        if self._left == 0:
            raise failure
        return version


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("nth", [25, 70])
def test_a_disk_that_says_no_is_believed_and_what_it_kept_all_the_same_is_found_again(
    folder: Path, come_back: ComeBack, nth: int, *, after: bool
) -> None:
    journal = open_journal(database_of(folder))
    faulty: Any = Faulty(journal, nth, after=after)
    with running(folder, f"says-no-{nth}", faulty) as course:
        to_the_end(course)
        assert "No space left on device" in course.bench.runner.trouble
        answer = course.bench.ask(CallSupervisor(), SUPERVISOR)
        assert answer.code == "refused.table_stopped"
    come_back("second")


# -- late answers ---------------------------------------------------------------------------------


@contextmanager
def locked(file: Path) -> Iterator[Callable[[], None]]:
    """Somebody else writes for a while; call what is given to let go."""
    with closing(sqlite3.connect(file, check_same_thread=False, timeout=10)) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        yield lambda: other.execute("ROLLBACK").close()


def test_a_database_that_is_busy_for_a_second_is_waited_for(
    folder: Path, come_back: ComeBack
) -> None:
    with running(folder, "busy") as course:
        course.run(60)
        for _ in range(2):
            with locked(folder / "cutcard.db") as let_go:
                later = threading.Timer(1.0, let_go)
                later.start()
                course.ask(CallSupervisor(), DEALER)
                later.join()
            course.run(10)
        assert course.bench.runner.failure is None
        check_journal(course, course.bench.journal, folder)
    come_back("second")


def test_a_database_that_stays_busy_stops_the_table_and_loses_nothing(
    folder: Path, come_back: ComeBack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_S", 0.2)
    with running(folder, "too-busy") as course:
        course.run(60)
        with locked(folder / "cutcard.db") as let_go:
            to_the_end(course)
            let_go()
        failed = course.bench.runner.failure
        assert failed is None or "database is locked" in str(failed)
    come_back("second")


@pytest.mark.parametrize("late_s", [0.5, 4.0])
def test_commits_that_take_seconds_change_no_law(
    folder: Path, come_back: ComeBack, late_s: float
) -> None:
    journal = open_journal(database_of(folder))
    clock = ManualClock(Order(folder="", seed="", steps=0).start_us)
    machine = Machine(clock)
    order = Order(folder=str(folder), seed=f"late-{late_s}", steps=0)
    course = course_of(journal, order, Doom(), clock=clock, at_point=machine.at_point)
    machine.slow_disk(late_s)
    course.run(120)
    assert course.bench.runner.failure is None
    check_journal(course, journal, folder)
    journal.database.close()
    come_back("second", clock.now_us())
