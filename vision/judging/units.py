"""Long measurements in pieces: each piece is done once, in some processes, and kept in a file.

What was begun and ended goes on where it was: a piece that stands in the file is not done again.
The file is for one set of weights; with others all is measured anew.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """One reading that was not right and sure, with its picture."""

    verdict: str
    """``wrong``, ``unsure`` or ``missed``."""
    truth: str
    said: str
    confidence: float
    jpeg: str
    """The picture in base 64; empty where none is kept, as of what is held out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one piece in one row of the table, for one design."""

    row: str
    design: str
    cards: int
    right: int
    """Right and sure; of a row that counts what was found, found."""
    wrong: int
    """Wrong and sure."""
    failed: tuple[Failed, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work: `key` is its own for ever, `work` gives its outcomes from `given`."""

    key: str
    work: Callable[..., list[Outcome]]
    given: Mapping[str, Any]


def measured(units: Sequence[Unit], log: Path, version: str, jobs: int) -> list[Outcome]:
    """The outcomes of all units, of which those in the log are taken from there.

    Raises:
        OSError: if the log cannot be written.
    """
    known = _known(log, version)
    left = [unit for unit in units if unit.key not in known]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress,
        log.open("a", encoding="utf-8") as out,
    ):
        out.write("\n")  # a line that was cut off in the middle ends here
        task = progress.add_task("pieces", total=len(units), completed=len(units) - len(left))
        if left:
            with get_context("spawn").Pool(min(jobs, len(left)), _start) as pool:
                for unit, outcomes in pool.imap_unordered(_one, left):
                    line = {"key": unit, "weights": version, "outcomes": outcomes}
                    out.write(json.dumps(line) + "\n")
                    out.flush()
                    known[unit] = outcomes
                    progress.update(task, advance=1, description=unit)
    return [_outcome(each) for unit in units for each in known[unit.key]]


def _known(log: Path, version: str) -> dict[str, list[dict[str, Any]]]:
    """What the log has of these weights; a line that was cut off in the middle is none."""
    if not log.is_file():
        return {}
    found = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry["weights"] == version:
            found[str(entry["key"])] = list(entry["outcomes"])
    return found


def _outcome(stored: Mapping[str, Any]) -> Outcome:
    """An outcome as it was."""
    failed = tuple(Failed(**each) for each in stored["failed"])
    return Outcome(**{**stored, "failed": failed})


def _start() -> None:
    """One thread for each process, as in a camera's own."""
    cv2.setNumThreads(1)


def _one(unit: Unit) -> tuple[str, list[dict[str, Any]]]:
    """Do one piece."""
    return unit.key, [asdict(each) for each in unit.work(**unit.given)]
