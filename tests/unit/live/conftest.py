"""What tests of live time share: a clock that is moved by hand, counted ids, a database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.live.clock import ManualClock
from studio.storage.database import Database, open_database


@pytest.fixture
def clock() -> ManualClock:
    """A clock that is moved by hand."""
    return ManualClock()


@pytest.fixture(scope="session")
def fresh_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of this release, closed."""
    path = tmp_path_factory.mktemp("fresh") / "cutcard.db"
    open_database(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def database(fresh_database: Path, tmp_path: Path) -> Iterator[Database]:
    """A database of this test's own."""
    path = tmp_path / "cutcard.db"
    shutil.copy(fresh_database, path)
    with open_database(f"sqlite:///{path}") as opened:
        yield opened
