"""The first process of a running studio is killed alone: all else ends, and it starts again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from websocket import create_connection

from studio.live.lease import Lease
from tests.integration.studio.test_run import CONFIG, PATIENCE_S, Running

EYE = CONFIG.replace('sources = ["shoe"]', 'sources = ["shoe", "camera"]') + (
    '[tables.ba1.camera]\nsource = "synthetic:"\n'
)


def under(process: int) -> set[int]:
    """Every process below this one, as the system tells it now."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents[int(status.parent.name)] = int(fields[1])
    found, new = set(), {process}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


def lives(process: int) -> bool:
    """Whether it runs; one that has ended and is not buried yet does not."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in {"Z", "X"}


def gives_way(process: int) -> bool:
    """Whether it gives way to us: what works out figures does so first of all."""
    try:
        return os.getpriority(os.PRIO_PROCESS, process) > os.getpriority(os.PRIO_PROCESS, 0)
    except ProcessLookupError:
        return False


@pytest.mark.timeout(120)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_a_killed_studio_leaves_no_process_behind_and_is_started_again_at_once(
    tmp_path: Path, root: Path
) -> None:
    """With a camera's process that works and a screen that is open, which would keep it."""
    config = tmp_path / "config.toml"
    config.write_text(EYE)
    first = Running(config, root)
    address = first.until(r"runs at (http://\S+)").group(1)
    screen = create_connection(
        address.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket", timeout=20
    )
    family = under(first.process.pid)
    until = time.monotonic() + PATIENCE_S
    while len(family) < 2 and time.monotonic() < until:
        threading.Event().wait(0.05)
        family = under(first.process.pid)
    try:
        os.kill(first.process.pid, signal.SIGKILL)
        again = Running(config, root)
        try:
            assert "studio started" in again.until("studio started|another studio").group(0)
            while any(map(lives, family)) and time.monotonic() < until:
                threading.Event().wait(0.05)
            assert not any(map(lives, family))
        finally:
            again.process.terminate()
            again.process.wait(PATIENCE_S)
    finally:
        for process in filter(lives, family):
            os.kill(process, signal.SIGKILL)
        first.process.wait(PATIENCE_S)
        screen.close()


def test_no_child_inherits_the_lock_of_a_database(tmp_path: Path) -> None:
    lease = Lease(tmp_path / "cutcard.db")
    child = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False
    )
    try:
        lease.release()
        # The system lets a parent go on a moment before it closes what a child does not inherit.
        Lease(tmp_path / "cutcard.db", patience_s=5.0).release()
    finally:
        child.communicate(b"\n", timeout=PATIENCE_S)


@pytest.mark.timeout(120)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_what_works_out_figures_ends_with_the_studio_that_was_killed(root: Path) -> None:
    """It would go on for as long as its work takes, and end in a page of its own inner troubles."""
    script = "import signal; from studio.live.exact import in_process; in_process(signal.pause)"
    guarded = f"if __name__ == '__main__': {script}"
    studio = subprocess.Popen(
        [sys.executable, "-c", guarded], cwd=root, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + PATIENCE_S
    family: set[int] = set()
    try:
        while not any(map(gives_way, family)) and time.monotonic() < until:
            threading.Event().wait(0.05)
            family = under(studio.pid)
        assert any(map(gives_way, family))
        studio.kill()
        while any(map(lives, family)) and time.monotonic() < until:
            threading.Event().wait(0.05)
        assert not any(map(lives, family))
        assert studio.communicate(timeout=PATIENCE_S)[1] == ""
    finally:
        for process in filter(lives, family | {studio.pid}):
            os.kill(process, signal.SIGKILL)
