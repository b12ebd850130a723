"""Lives of processes that end when they should not, and what came back after them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from studio.storage.journal import open_journal
from tests.support.crash.child import Mother, Order, course_of, database_of
from tests.support.crash.doom import Doom
from tests.support.crash.laws import check_came_back, check_journal
from tests.support.live.bench import START_US

AFTERWARDS = 40
"""Steps after a return: what came back must also go on."""
MINUTE_US = 60_000_000


@pytest.fixture(scope="session")
def mother(root: Path) -> Iterator[Mother]:
    """One process with everything loaded, from which those that are killed are forked."""
    mother = Mother(root)
    yield mother
    mother.close()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which nothing happened yet, closed."""
    made = tmp_path_factory.mktemp("empty")
    open_journal(database_of(made)).database.close()
    return made / "cutcard.db"


@pytest.fixture
def folder(tmp_path: Path, empty_database: Path) -> Iterator[Path]:
    """Where the lives of one test leave what they leave: in memory, where that can be.

    A process that is killed takes nothing out of the system's own buffers, so memory is as good as
    a disk here, and 20 lives take seconds.
    """
    memory = Path("/dev/shm")
    where = memory if memory.is_dir() else tmp_path
    with TemporaryDirectory(prefix="cutcard-", dir=where) as name:
        shutil.copy(empty_database, name)
        yield Path(name)


@pytest.fixture
def come_back(folder: Path) -> Callable[..., None]:
    """Start again on what a process left, look at every law, go on, and look again."""

    def start(seed: str, start_us: int = START_US + 10 * MINUTE_US) -> None:
        journal = open_journal(database_of(folder))
        try:
            order = Order(folder=str(folder), seed=seed, steps=0, start_us=start_us)
            course = course_of(journal, order, Doom())
            check_came_back(course, journal, folder)
            course.run(AFTERWARDS)
            check_journal(course, journal, folder)
        finally:
            journal.database.close()

    return start
