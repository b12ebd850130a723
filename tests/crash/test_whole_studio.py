"""`cutcard run` as a process: copied while it runs, killed, started again, and put back."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.storage.journal import open_journal
from studio.storage.verify import verify
from tests.integration.studio.test_run import CONFIG, PATIENCE_S, Running
from tests.support.live.bench import Bench

EPOCH = r"studio started, epoch (\w+)"


class InItsOwnGroup(Running):
    """A studio whose processes can be ended all at once, as when the power fails."""

    def kill(self) -> None:
        """End the server and its worker without a word to either."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE_S)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def start(config: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> InItsOwnGroup:
    popen = subprocess.Popen
    with monkeypatch.context() as patch:
        patch.setattr(
            subprocess, "Popen", lambda *args, **more: popen(*args, start_new_session=True, **more)
        )
        return InItsOwnGroup(config, root)


def cutcard(root: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "studio", *map(str, words)]
    return subprocess.run(
        command, cwd=root, check=False, capture_output=True, text=True, timeout=PATIENCE_S
    )


def facts(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT * FROM journal ORDER BY position").fetchall()


def test_a_studio_is_backed_up_while_it_runs_killed_and_put_back(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, file, copy = (tmp_path / name for name in ("config.toml", "cutcard.db", "copy.db"))
    config.write_text(CONFIG)
    journal = open_journal(f"sqlite:///{file}")
    bench = Bench(journal)
    bench.open_shoe()
    bench.coup("9S 2D")
    journal.database.close()

    first = start(config, root, monkeypatch)
    epoch = first.until(EPOCH).group(1)
    made = cutcard(root, "backup", copy, "--config", config)
    assert made.returncode == 0, made.stderr
    under = cutcard(root, "restore", copy, "--config", config)
    assert under.returncode == 2
    assert "another studio runs" in under.stderr
    first.kill()
    assert verify(f"sqlite:///{file}").ok

    second = start(config, root, monkeypatch)
    assert second.until(EPOCH).group(1) != epoch
    second.kill()
    journal = open_journal(f"sqlite:///{file}")
    after = Bench(journal, prefix="after-")
    assert after.table.held
    assert after.table.round is not None
    assert [place.card.code for place in after.table.play.places if place.card] == ["9S", "2D"]  # type: ignore[union-attr]
    after.do(c.CallSupervisor())
    journal.database.close()

    back = cutcard(root, "restore", copy, "--config", config)
    assert back.returncode == 0, back.stderr
    assert facts(file) == facts(copy)
    assert verify(f"sqlite:///{file}").ok
