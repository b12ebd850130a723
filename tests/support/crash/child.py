"""Processes that work a table until they are killed: one mother, forked for each.

The mother has everything loaded and nothing open, so a child costs milliseconds, not a second. It
reads one order a line, as JSON, and answers with the status with which its child ended.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from studio.live.clock import ManualClock
from studio.live.means import TableStopped
from studio.live.ports import JournalError
from studio.storage.journal import SqlJournal, open_journal
from tests.support.crash.course import Course
from tests.support.crash.doom import Courier, Doom, DoomedWallet
from tests.support.live.bench import START_US, Bench

STOPPED = 3
"""Status of a process whose table stopped because its journal failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One life of one process."""

    folder: str
    """Has the database and what the process was told."""
    seed: str
    """New in each life on the same database."""
    steps: int
    point: str = ""
    nth: int = 0
    start_us: int = START_US
    largest_file: int = 0
    """Bytes beyond which the system lets no file grow; 0: as it likes."""


def database_of(folder: Path) -> str:
    """Address of the database in a folder."""
    return f"sqlite:///{folder / 'cutcard.db'}"


def course_of(
    journal: SqlJournal,
    order: Order,
    doom: Doom,
    *,
    clock: ManualClock | None = None,
    at_point: Callable[[str], None] | None = None,
) -> Course:
    """Everything that works a table, standing on a journal."""
    folder = Path(order.folder)
    wallet = DoomedWallet(journal, doom)
    bench = Bench(
        journal,
        clock=clock or ManualClock(order.start_us),
        purse=wallet,  # type: ignore[arg-type]
        prefix=f"own-{order.seed}-",
        at_point=at_point or doom.reached,
    )
    courier = Courier(journal, folder / "received", doom)
    return Course(bench, wallet, courier, folder / "told", order.seed)


def live(order: Order) -> Doom:
    """Work until killed, or to the end of the course."""
    doom = Doom(order.point, order.nth)
    if order.largest_file:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then a write fails, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (order.largest_file, resource.RLIM_INFINITY))
    journal = open_journal(database_of(Path(order.folder)))
    course_of(journal, order, doom).run(order.steps)
    journal.database.close()
    return doom


class Mother:
    """The parent of the processes that are killed; use it as a context."""

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.crash.child"],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def let_live(self, order: Order) -> int:
        """Let a process live by this order; its end as `os.waitstatus_to_exitcode` gives it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(order)) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """Send the mother home."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)


def _bear(orders: IO[str]) -> None:
    logging.disable(logging.CRITICAL)
    for line in orders:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                live(Order(**json.loads(line)))
                status = 0
            except (JournalError, TableStopped):
                status = STOPPED
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _bear(sys.stdin)
