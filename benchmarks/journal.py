"""How fast the journal is: commits with full durability, columns, reading a day, checking it.

Run it from the root of the checkout: ``python benchmarks/journal.py [--folder DIR]``. The folder
should lie on the disk that the studio will use; commits are as fast as that disk can flush. Beside
each figure stands what it is compared with: for commits the same rows written by the driver alone.
"""

import argparse
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from studio.domain import events as e
from studio.domain.cards import PACK
from studio.domain.columns import Columns
from studio.domain.envelope import Actor, ActorKind, Envelope
from studio.storage.journal import SqlJournal, open_journal
from studio.storage.verify import verify
from studio.table.evolve import fold
from studio.table.state import Table
from tests.support.rig import Rig

ACTOR = Actor(ActorKind.DEVICE, "shoe")
STREAM = "table/ba1/2026-11-30"
DAY_STREAM = "table/ba3/2026-11-30"
COMMITS = 1_000
DAY = 30_000
"""Events of one table and day: about 1,000 coups of 30."""
BATCH = 5_000
"""Bets in the largest batch that is taken."""


def main() -> None:
    """Measure, and print one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=None, help="where to write, default: here")
    folder = parser.parse_args().folder or Path.cwd()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        url = f"sqlite:///{place}/bench.db"
        journal = open_journal(url)
        tell(measure_commits(journal))
        tell(measure_driver(Path(place)))
        tell(measure_columns(journal))
        fill_day(journal)
        facts, figures = measure_reading(journal)
        tell(figures)
        tell(measure_fold(facts))
        journal.database.close()
        tell(measure_verify(url))


def tell(figures: dict[str, object]) -> None:
    """Print one measurement."""
    print(json.dumps(figures))


def pair(number: int) -> tuple[e.Event, ...]:
    """What a card leaves in the journal when shoe and camera agree on it."""
    card = PACK[number % 52]
    return (
        e.ShoeRead(device="shoe", boot="9F3A12C4", sequence=number, status="read", card=card),
        e.CardDealt(
            index=number % 6,
            to="P",
            face="up",
            step="first_four",
            sideways=False,
            card=card,
            sources=("shoe", "camera"),
            read=("9F3A12C4", number),
            track=("P", number),
        ),
    )


def real_coups() -> list[e.Event]:
    """The facts of twelve coups that a table with both sources decided."""
    rig = Rig()
    rig.in_play().dealing(player=1_000)
    for number in range(12):
        for zone, code in (("P", "9H"), ("B", "2C"), ("P", "KD"), ("B", "5S")):
            rig.deal(zone, f"{code[0]}{'CDHS'[number % 4]}")
        rig.wait(9)
        for zone in "PB":
            rig.take(zone)
        rig.bet("ann", player=1_000)
        rig.wait(15)
    return [event for event, _ in rig.events]


def envelope(number: int) -> Envelope:
    """An envelope for one commit."""
    return Envelope(command_id=f"c{number}", actor=ACTOR, at_us=number)


def timed(times: int, act: Callable[[int], object]) -> list[float]:
    """Give the milliseconds of each call, sorted."""
    taken = []
    for number in range(times):
        begun = time.perf_counter()
        act(number)
        taken.append((time.perf_counter() - begun) * 1000)
    return sorted(taken)


def spread(what: str, taken: list[float]) -> dict[str, object]:
    """Give count a second, median and 99th percentile in milliseconds."""
    return {
        "what": what,
        "per_second": round(1000 / statistics.fmean(taken)),
        "p50_ms": round(taken[len(taken) // 2], 3),
        "p99_ms": round(taken[int(len(taken) * 0.99)], 3),
    }


def measure_commits(journal: SqlJournal) -> dict[str, object]:
    """Two events a commit, each flushed to the disk."""

    def append(number: int) -> None:
        journal.append(STREAM, number * 2, envelope(number), pair(number))

    return spread("journal: commits of two events", timed(COMMITS, append))


def measure_driver(place: Path) -> dict[str, object]:
    """The same rows by the driver alone: what the disk allows."""
    raw = sqlite3.connect(place / "raw.db", isolation_level=None)
    for statement in (
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "CREATE TABLE t (a, b)",
    ):
        raw.execute(statement)

    def write(number: int) -> None:
        raw.execute("BEGIN IMMEDIATE")
        raw.executemany("INSERT INTO t VALUES (?, ?)", [(number, "x" * 500)] * 2)
        raw.execute("COMMIT")

    taken = timed(COMMITS, write)
    raw.close()
    return spread("driver alone: commits of two rows", taken)


def measure_columns(journal: SqlJournal) -> dict[str, object]:
    """A batch of 5,000 bets as one event and one row of columns."""
    numbers = range(BATCH)
    columns = Columns(
        tuple(f"b{n}" for n in numbers),
        tuple(f"player-{n}" for n in numbers),
        ("banker",) * BATCH,
        tuple(100 + n for n in numbers),
    )
    event = e.BetsPlaced(
        round_id="r1", batch="x", packed=columns.packed("bets", "x"), columns=columns
    )
    stream = "table/ba2/2026-11-30"
    taken = timed(20, lambda n: journal.append(stream, n, envelope(n), (event,)))
    return spread("journal: batches of 5,000 bets", taken)


def fill_day(journal: SqlJournal) -> None:
    """Write a whole day of real coups, again and again the same twelve."""
    events, version = real_coups(), 0
    while version < DAY:
        version = journal.append(DAY_STREAM, version, envelope(version), events)


def measure_reading(journal: SqlJournal) -> tuple[list[tuple[e.Event, int]], dict[str, object]]:
    """Read and decode a whole day, columns and secrets too, as a start does."""
    begun = time.perf_counter()
    facts = [(fact.event, fact.at_us) for fact in journal.read(DAY_STREAM, secrets=True)]
    return facts, rate("journal: reading and decoding a day", len(facts), begun)


def measure_fold(facts: list[tuple[e.Event, int]]) -> dict[str, object]:
    """Bring a table from nothing to the end of that day."""
    begun = time.perf_counter()
    fold(Table(), facts)
    return rate("table: fold of a decoded day", len(facts), begun)


def rate(what: str, count: int, begun: float) -> dict[str, object]:
    """Give events a second since an instant."""
    taken = time.perf_counter() - begun
    return {
        "what": what,
        "events": count,
        "per_second": round(count / taken),
        "s": round(taken, 3),
    }


def measure_verify(url: str) -> dict[str, object]:
    """Check chain, seals and columns of the same day."""
    begun = time.perf_counter()
    report = verify(url)
    figures = rate("journal verify", report.facts, begun)
    # The same coups again and again are the same rounds again and again, and it says so.
    assert all("was opened before" in each or "had ended" in each for each in report.problems)
    return figures


if __name__ == "__main__":
    main()
