"""A process that is killed while it writes leaves whole commits and nothing else."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from studio.domain.events import TableClosed, TableOpened
from studio.storage.database import open_database
from studio.storage.journal import SqlJournal
from studio.storage.verify import verify
from tests.support.crash.child import database_of

WRITER = """
import sys
from studio.domain.envelope import Actor, ActorKind, Envelope
from studio.domain.events import TableClosed, TableOpened
from studio.storage.journal import open_journal

journal = open_journal(sys.argv[1])
actor = Actor(ActorKind.SYSTEM, "writer")
version = 0
while True:
    envelope = Envelope(command_id=f"c{version}", actor=actor, at_us=version)
    version = journal.append("table/ba1/day", version, envelope, (TableOpened(), TableClosed()))
    print(version, flush=True)
"""


@pytest.mark.parametrize("commits", [1, 40])
def test_what_was_told_to_be_written_is_there_after_a_kill(
    folder: Path, root: Path, commits: int
) -> None:
    url = database_of(folder)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True, cwd=root
    ) as writer:
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(commits)][-1]
        writer.send_signal(signal.SIGKILL)
        told = max([told, *map(int, writer.stdout.read().split())])
    report = verify(url)
    assert report.ok, report.lines()
    assert report.facts >= told
    with open_database(url) as database:
        facts = [fact.event for fact in SqlJournal(database).read("table/ba1/day")]
    assert len(facts) % 2 == 0, "a commit is whole or not there"
    assert facts == [TableOpened(), TableClosed()] * (len(facts) // 2)
