"""The wheel: what is in it, what is not, and that it runs away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built as anybody would build it."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet",
        "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(root),
    ]  # fmt: skip
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("cutcard-*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    """The names of all files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_has_the_four_packages_and_no_tests(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"studio", "vision", "hardware", "web"}


@pytest.mark.parametrize(
    ("folder", "ending"),
    [
        ("studio/storage/migrations/", ".py"),
        ("vision/models/", ".onnx"),
        ("vision/models/", ".json"),
        ("web/static/", ".js"),
        ("web/static/", ".css"),
        ("web/static/.vite/", "manifest.json"),
        ("web/templates/", ".html"),
        ("web/messages/", "en.json"),
        ("web/messages/", "ur.json"),
    ],
)
def test_the_wheel_carries_what_is_not_python(folder: str, ending: str, names: set[str]) -> None:
    assert any(name.startswith(folder) and name.endswith(ending) for name in names)


@pytest.mark.parametrize("folder", ["vision/training/", "web/ui/", "tests/", "tools/"])
def test_the_wheel_leaves_out_what_a_studio_does_not_need(folder: str, names: set[str]) -> None:
    assert not [name for name in names if name.startswith(folder)]


def test_the_installed_wheel_runs_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """The command answers, and what answers is the wheel and not this checkout."""
    target = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    environment = {**os.environ, "PYTHONPATH": str(target)}
    script = "import studio, vision, hardware, web; print(studio.__file__, web.__file__)"
    for command, expected in (
        (["-c", script], str(target)),
        (["-m", "studio", "--help"], "journal"),
        (["-m", "studio", "demo", "--help"], "--headless"),
    ):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path, env=environment, check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
