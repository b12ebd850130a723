"""`cutcard run` as people start it: a process with the web, ended by a signal."""

from __future__ import annotations

import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

CONFIG = """
[studio]
database = "sqlite:///cutcard.db"
[web]
bind = "127.0.0.1:0"
[tables.ba1]
game = "baccarat"
sources = ["shoe"]
limits = { player = [100, 500000] }
[tables.ba1.shoe]
url = "sim:"
"""
PATIENCE_S = 60.0


class Running:
    """A started `cutcard run`; reads what it says."""

    def __init__(self, config: Path, root: Path) -> None:
        command = [sys.executable, "-m", "studio", "run", "--config", str(config)]
        self.process = subprocess.Popen(
            command, cwd=root, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._said: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._said.put(line)
        self._said.put(None)

    def until(self, pattern: str) -> re.Match[str]:
        """The first line with this in it."""
        heard = []
        while (line := self._said.get(timeout=PATIENCE_S)) is not None:
            heard.append(line)
            found = re.search(pattern, line)
            if found is not None:
                return found
        raise AssertionError("".join(heard))


@pytest.fixture
def running(tmp_path: Path, root: Path) -> Iterator[Running]:
    config = tmp_path / "config.toml"
    config.write_text(CONFIG)
    started = Running(config, root)
    yield started
    if started.process.poll() is None:
        started.process.kill()
    started.process.wait(PATIENCE_S)
    for stream in (started.process.stdout, started.process.stderr):
        assert stream is not None
        stream.close()


def test_a_studio_serves_refuses_a_second_one_and_ends_in_order(
    running: Running, tmp_path: Path, root: Path
) -> None:
    address = running.until(r"runs at (http://\S+)").group(1)
    assert "people add" in running.until(r"Nobody can sign in yet.*").group(0)
    with urlopen(f"{address}/health/live", timeout=PATIENCE_S) as answer:
        assert answer.status == 200
    with urlopen(f"{address}/rules/ba1", timeout=PATIENCE_S) as answer:
        assert b"ba1" in answer.read()
    second = Running(tmp_path / "config.toml", root)
    assert "another studio runs" in second.until("another studio runs.*").group(0)
    assert second.process.wait(PATIENCE_S) == 2
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(PATIENCE_S) == 0
    assert running.process.stdout is not None
    assert running.process.stdout.read() == ""
