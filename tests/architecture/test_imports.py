"""The walls and floors of docs/decisions and CONTRIBUTING.md, read from the source text.

import-linter (pyproject.toml) follows indirect imports; these tests hold the allow-lists, which
need no graph and also see an import that is made inside a function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("studio", "vision", "hardware", "web")

EDGES_MAY_SEE = {
    "studio.domain.observations",
    "studio.domain.cards",
    "studio.live.ports",
    "studio.settings",
}
"""What cameras and wires may know of the studio."""

STUDIO_SEEN_BY = {
    "vision": EDGES_MAY_SEE,
    "hardware": EDGES_MAY_SEE,
    "web": {
        "studio.live.service",
        "studio.live.accounts",
        "studio.table.views",
        "studio.domain.commands",
        "studio.settings",
    },
}

ONLY_IN = {
    "alembic": "studio.storage",
    "cv2": "vision",
    "engineio": "web",
    "flask": "web",
    "flask_limiter": "web",
    "flask_socketio": "web",
    "gunicorn": "web",
    "onnx": "vision.training",
    "onnxscript": "vision.training",
    "serial": "hardware",
    "simple_websocket": "web",
    "socketio": "web",
    "sqlalchemy": "studio.storage",
    "sqlmodel": "studio.storage",
    "torch": "vision.training",
    "werkzeug": "web",
}
"""Third-party packages that one room of the house keeps to itself."""

PURE = ("studio.domain", "studio.games", "studio.table", "studio.odds")
IMPURE = {
    "asyncio",
    "logging",
    "multiprocessing",
    "os",
    "random",
    "secrets",
    "socket",
    "structlog",
    "subprocess",
    "threading",
    "time",
    "uuid",
    "uuid_utils",
}
"""Clocks, chance, threads and logs: the rules have none of them."""


def within(module: str, package: str) -> bool:
    """Whether a module is that package or lies in it."""
    return module == package or module.startswith(f"{package}.")


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(tree: ast.Module, module: str, *, package: bool) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything that a module imports, wherever it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                kept = parts[: len(parts) - node.level + (1 if package else 0)]
                base = ".".join([*kept, base] if base else kept)
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def all_imports() -> list[tuple[str, str, str]]:
    """Where, by whom and what: every import in the four packages."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.is_relative_to(ROOT / "web/ui"):
                continue
            module = module_name(path)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for line, name in imported_names(tree, module, package=path.stem == "__init__"):
                found.append((f"{path.relative_to(ROOT)}:{line}", module, name))
    return found


@pytest.fixture(scope="module")
def imports() -> list[tuple[str, str, str]]:
    """Every import in the four packages, read once."""
    return all_imports()


def test_the_core_imports_none_of_the_edges(imports: list[tuple[str, str, str]]) -> None:
    """`studio` finds drivers, cameras and faces by entry point and imports none."""
    edges = ("vision", "hardware", "web")
    wrong = [
        f"{where} imports {name}"
        for where, module, name in imports
        if within(module, "studio") and any(within(name, edge) for edge in edges)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_edges_do_not_import_each_other(imports: list[tuple[str, str, str]]) -> None:
    edges = ("vision", "hardware", "web")
    wrong = [
        f"{where} imports {name}"
        for where, module, name in imports
        for edge in edges
        if within(module, edge) and any(within(name, other) for other in edges if other != edge)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_edges_see_only_what_of_the_studio_they_may(
    imports: list[tuple[str, str, str]],
) -> None:
    wrong = [
        f"{where} imports {name}"
        for where, module, name in imports
        for edge, allowed in STUDIO_SEEN_BY.items()
        if within(module, edge)
        and within(name, "studio")
        and not any(within(name, each) for each in allowed)
    ]
    assert not wrong, "\n".join(wrong)


def test_each_third_party_package_stays_in_its_room(
    imports: list[tuple[str, str, str]],
) -> None:
    wrong = [
        f"{where} imports {name}, which only {ONLY_IN[name.split('.')[0]]} may"
        for where, module, name in imports
        if name.split(".")[0] in ONLY_IN and not within(module, ONLY_IN[name.split(".")[0]])
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_read_no_clock_no_chance_and_write_no_log(
    imports: list[tuple[str, str, str]],
) -> None:
    wrong = [
        f"{where} imports {name}"
        for where, module, name in imports
        if any(within(module, pure) for pure in PURE) and name.split(".")[0] in IMPURE
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_never_ask_what_time_it_is() -> None:
    """`datetime` is a value in the rules; only `live` may ask the clock."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} asks the clock"
        for pure in PURE
        for path in sorted((ROOT / pure.replace(".", "/")).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today"}
    ]
    assert not wrong, "\n".join(wrong)


def test_training_is_imported_by_nothing_that_runs(imports: list[tuple[str, str, str]]) -> None:
    wrong = [
        f"{where} imports {name}"
        for where, module, name in imports
        if within(name, "vision.training") and not within(module, "vision.training")
    ]
    assert not wrong, "\n".join(wrong)


def test_a_relative_import_is_read_as_the_module_it_means() -> None:
    tree = ast.parse("from . import cards\nfrom ..live import ports\nfrom .cards import Card\n")
    names = [name for _, name in imported_names(tree, "studio.domain.shoe", package=False)]
    assert names == ["studio.domain.cards", "studio.live.ports", "studio.domain.cards.Card"]
