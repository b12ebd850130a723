"""What is imported is declared, and what is declared is needed."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("studio", "vision", "hardware", "web")
OUR_OWN = {*PACKAGES, "tests", "tools", "benchmarks", "conftest", "docs"}
DISTRIBUTIONS = packages_distributions()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

NEEDED_WITHOUT_IMPORT = {
    "simple-websocket": "Flask-SocketIO speaks WebSocket with it",
    "tzdata": "time zones on machines that have none",
}
"""Dependencies that no line of ours imports, each with its reason."""
ARRIVES_WITH = {
    "jinja2": "flask",
    "markupsafe": "flask",
    "pydantic-core": "pydantic",
    "python-engineio": "flask-socketio",
    "python-socketio": "flask-socketio",
    "werkzeug": "flask",
}
"""Imported by us, and installed with another dependency of ours, which decides its version."""


def plain(name: str) -> str:
    """A distribution's name as the index spells it, from a requirement or from metadata."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~;\[ ]", name)[0]).lower()


RUNTIME = {plain(each) for each in PROJECT["project"]["dependencies"]}
DEVELOPMENT = {plain(each) for each in PROJECT["dependency-groups"]["dev"]}
TRAINING = {plain(each) for each in PROJECT["project"]["optional-dependencies"]["training"]}


@cache
def imports_of(folders: tuple[str, ...]) -> dict[str, str]:
    """Top-level names of other people's packages that are imported, and one place of each."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.is_relative_to(ROOT / "web/ui"):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                    names = [node.module]
                for name in names:
                    top = name.split(".")[0]
                    if top not in sys.stdlib_module_names and top not in OUR_OWN:
                        training = "training" in path.parts
                        key = f"training:{top}" if training else top
                        found.setdefault(key, str(path.relative_to(ROOT)))
    return found


def undeclared(found: dict[str, str], declared: set[str]) -> list[str]:
    """Imports whose distribution is not declared, in words."""
    wrong = []
    for key, place in sorted(found.items()):
        training = key.startswith("training:")
        name = key.removeprefix("training:")
        known = declared | (TRAINING if training else set())
        # Not installed here: only training may need what this environment does not have.
        candidates = {plain(each) for each in DISTRIBUTIONS.get(name, [name])}
        candidates |= {ARRIVES_WITH[each] for each in candidates if each in ARRIVES_WITH}
        if name == "PIL":
            candidates.add("pillow")
        # Which of OpenCV's two packages is installed depends on the machine.
        if candidates.isdisjoint(known) and name != "cv2":
            wrong.append(f"{place} imports {name}, which pyproject.toml does not declare")
    return wrong


def test_what_runs_imports_only_what_is_declared() -> None:
    wrong = undeclared(imports_of(PACKAGES), RUNTIME)
    assert not wrong, "\n".join(wrong)


def test_what_tests_and_tools_import_is_declared() -> None:
    wrong = undeclared(imports_of(("tests", "tools", "benchmarks")), RUNTIME | DEVELOPMENT)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("dependency", sorted(RUNTIME))
def test_a_declared_dependency_is_needed(dependency: str) -> None:
    imported = {
        plain(each)
        for key in imports_of(PACKAGES)
        for each in DISTRIBUTIONS.get(key.removeprefix("training:"), [])
    }
    imported |= {ARRIVES_WITH[each] for each in imported if each in ARRIVES_WITH}
    if any("opencv" in each for each in imported):
        imported.add("opencv-python")
    assert dependency in imported or dependency in NEEDED_WITHOUT_IMPORT


@pytest.mark.parametrize("requirement", PROJECT["project"]["dependencies"])
def test_a_dependency_has_an_upper_limit(requirement: str) -> None:
    assert "<" in requirement or plain(requirement) == "tzdata"
