"""`cutcard play`: scripted rounds through the ordinary table, one line a case (CONTRACTS.md 5)."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any, Final

import click

from studio.scripted.baloot import play_baloot
from studio.scripted.bench import CaseError
from studio.scripted.coup import play_burn, play_coup
from studio.scripted.round import play_round
from studio.scripted.seats import play_seats

KINDS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "coup": play_coup,
    "burn": play_burn,
    "round": play_round,
    "classic": play_seats,
    "baloot_round": play_baloot,
}
"""Kinds of case that are played, by the games that exist."""
UNIT: Final = frozenset(
    {"cut", "score", "legal", "trick", "projects", "detect", "sun_double", "kawesh"}
)
"""Kinds that are for unit tests."""
MANY: Final = 100
"""Fewer cases than this are played by one process: another one takes longer to begin."""
CHUNK: Final = 8
"""Cases that a process takes at a time."""
MOST_WORKERS: Final = 8


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def answer(text: str) -> dict[str, Any]:
    """Play the case of one line; the answer has a result, an error or why it is skipped."""
    try:
        case = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as wrong:
        return {"id": None, "error": f"this line is not JSON: {wrong}"}
    if not isinstance(case, dict):
        return {"id": None, "error": "a case must be a JSON object"}
    told: dict[str, Any] = {"id": case.get("id")}
    kind = case.get("kind")
    if not isinstance(kind, str):
        return {**told, "error": "the field 'kind' must be text"}
    if kind in UNIT:
        return {**told, "skipped": "unit test"}
    if kind not in KINDS:
        known = ", ".join(KINDS)
        return {**told, "error": f"kind {kind!r} is not played; the kinds are: {known}"}
    try:
        return {**told, "result": KINDS[kind](case), "expect": case.get("expect")}
    except CaseError as wrong:
        return {**told, "error": str(wrong)}


def differences(expected: Any, found: Any, where: str = "") -> Iterator[dict[str, Any]]:
    """Say where a result differs from what a case expects; extra fields are no difference."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            at = f"{where}.{name}" if where else name
            if name not in found:
                yield {"field": at, "expected": value, "found": None}
            else:
                yield from differences(value, found[name], at)
    elif expected != found or type(expected) is not type(found):
        yield {"field": where, "expected": expected, "found": found}


def lines_of(files: Iterable[str]) -> Iterator[str]:
    """All lines of these files in order; ``-`` is standard input; empty lines are no cases."""
    for name in files:
        if name == "-":
            yield from (line for line in sys.stdin if line.strip())
            continue
        try:
            with Path(name).open(encoding="utf-8") as file:
                yield from (line for line in file if line.strip())
        except (OSError, UnicodeDecodeError) as wrong:
            raise click.UsageError(f"{name} cannot be read: {wrong}") from None


def answers(files: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Play all cases of these files, in order; many of them on all processors of the machine.

    Cases of standard input are answered one by one: who writes them may wait for each answer.
    """
    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    if "-" in files or workers == 1 or "fork" not in get_all_start_methods():
        yield from map(answer, lines_of(files))
        return
    lines = list(lines_of(files))
    if len(lines) < MANY:
        yield from map(answer, lines)
        return
    with get_context("fork").Pool(workers) as pool:
        yield from pool.imap(answer, lines, chunksize=CHUNK)


@click.command("play", epilog="Example: cutcard play --check cases/baccarat.jsonl")
@click.option("--check", is_flag=True, help="Compare with `expect`; print only differences.")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
def command(*, check: bool, files: tuple[str, ...]) -> None:
    """Play scripted rounds through the same table that deals live; - reads standard input."""
    bad = played = 0
    for told in answers(files):
        expected = told.pop("expect", None)
        played += "result" in told
        failed = "error" in told
        if check and "result" in told and expected is not None:
            found = list(differences(expected, told.pop("result")))
            failed = bool(found)
            told["differences"] = found
        bad += failed
        if not check or failed:
            click.echo(json.dumps(told, ensure_ascii=False, separators=(",", ":")))
    click.echo(f"{played} played, {bad} failed", err=True)
    sys.exit(1 if bad else 0)


COMMAND = command
