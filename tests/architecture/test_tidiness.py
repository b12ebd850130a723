"""Sizes of files and functions, and what must never be written into a tracked file."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

MAX_LINES = 500
MAX_FUNCTION_LINES = 50

LONGER_FILES: dict[str, str] = {
    "web/ui/fixtures/make.py": "the views of one example after another",
}
"""Files over 500 lines, each with its reason."""

LONGER_FUNCTIONS: dict[str, str] = {
    "studio/table/evolve.py:_apply": "one arm per event",
    "studio/table/evolve_sensed.py:sensed": "one arm per event",
    "studio/table/story.py:_told": "one arm per event",
    "studio/storage/migrations/versions/0001_first.py:make_journal": "the columns of the journal",
}
"""Functions over 50 lines as `file:name`, each with its reason."""

CODE = {".py", ".ts", ".tsx", ".css", ".js", ".html"}

# With brackets in the words, so that this file does not hold what it looks for.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.])/(?:wor[k]|roo[t]|hom[e]/\w+|User[s])/"),
    "the host of a package registry": re.compile(
        r"pyp[i]\.org|pythonhoste[d]|registry\.npmj[s]|npmj[s]\.(?:org|com)|debia[n]\.org"
    ),
    "something left for later": re.compile(r"\b(?:TOD[O]|FIXM[E])\b"),
}


def tracked_files() -> list[Path]:
    """What git tracks and what still exists, as paths from the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """What git tracks, listed once."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout, so nothing says which files are the project's")
    return tracked_files()


def text_of(path: Path) -> str | None:
    """The text of a file, or None if it holds bytes that are no text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def test_no_source_file_has_more_than_500_lines_without_a_reason(tracked: list[Path]) -> None:
    wrong = []
    for path in tracked:
        if path.suffix in CODE and str(path) not in LONGER_FILES:
            lines = len((text_of(path) or "").splitlines())
            if lines > MAX_LINES:
                wrong.append(f"{path} has {lines} lines")
    assert not wrong, "\n".join(wrong)


def test_no_function_has_more_than_50_lines_without_a_reason(tracked: list[Path]) -> None:
    """Counted from `def` to the last line, docstring not counted."""
    wrong = []
    for path in tracked:
        if path.suffix != ".py" or path.parts[0] == "tests":
            continue
        for node in ast.walk(ast.parse(text_of(path) or "")):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = function_lines(node)
                if lines > MAX_FUNCTION_LINES and f"{path}:{node.name}" not in LONGER_FUNCTIONS:
                    wrong.append(f"{path}:{node.lineno} {node.name} has {lines} lines")
    assert not wrong, "\n".join(wrong)


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The length of a function without its docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_names(what: str, tracked: list[Path]) -> None:
    """Machine paths, registry hosts and things left for later have no place in the project."""
    wrong = []
    for path in tracked:
        if path == Path("LICENSE"):
            continue
        for number, line in enumerate((text_of(path) or "").splitlines(), 1):
            if FORBIDDEN[what].search(line):
                wrong.append(f"{path}:{number} names {what}: {line.strip()[:100]}")
    assert not wrong, "\n".join(wrong)


def test_listed_exceptions_still_need_to_be_exceptions(tracked: list[Path]) -> None:
    """A file that became short again leaves the list."""
    for name in LONGER_FILES:
        path = Path(name)
        if path in tracked:
            assert len((text_of(path) or "").splitlines()) > MAX_LINES, name
