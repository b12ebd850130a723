"""A database per test, copied from one that was made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.storage.database import Database, open_database


@pytest.fixture(scope="session")
def fresh_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of this release, closed."""
    path = tmp_path_factory.mktemp("fresh") / "cutcard.db"
    open_database(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def url(fresh_database: Path, tmp_path: Path) -> str:
    """The address of a database of this test's own."""
    path = tmp_path / "cutcard.db"
    shutil.copy(fresh_database, path)
    return f"sqlite:///{path}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """That database, open."""
    with open_database(url) as opened:
        yield opened
