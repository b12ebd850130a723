"""What every test may use: where things are, what is missing, how hard Hypothesis looks."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
"""The root of the checkout."""
SHARED = ROOT.parent / "shared"
"""Worked rounds and photographs, which lie beside a checkout and are not part of it."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
"""The browser of the machine; browser tests download none."""

# `make test` looks at the same examples each time, so that a red run is about the change that
# was made; `make soak` looks for new ones, a hundred times as many.
settings.register_profile(
    "test",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    stateful_step_count=40,
    print_blob=True,
)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=6000,
    stateful_step_count=120,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("soak" if os.environ.get("CUTCARD_SOAK") else "test")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip by name, with the reason, what this machine cannot run."""
    missing = {
        "browser": (CHROMIUM is None, "no Chromium here: install the package chromium"),
        "shared": (not SHARED.is_dir(), "the folder shared/ does not lie beside the checkout"),
    }
    for item in items:
        for marker, (absent, reason) in missing.items():
            if absent and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with worked rounds and photographs; use it with the marker `shared`."""
    if not SHARED.is_dir():
        pytest.skip("the folder shared/ does not lie beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the machine's Chromium; use it with the marker `browser`."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install the package chromium")
    return CHROMIUM


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """What a test sets up of the logs must not be another test's."""
    level = logging.getLogger().level
    yield
    logging.getLogger().setLevel(level)
