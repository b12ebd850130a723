"""`cutcard run` with a network camera that is refused, plays, stalls and plays again."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.integration.studio.test_run import PATIENCE_S, Running
from tests.support.mjpeg import MjpegServer
from vision.health import REPEATED
from vision.layout import save_layout
from vision.synthetic.felt import built_in_layout
from vision.synthetic.scene import Scene, encode

CONFIG = """
[studio]
database = "sqlite:///cutcard.db"
[web]
bind = "127.0.0.1:0"
[tables.ba1]
game = "baccarat"
sources = ["shoe", "camera"]
limits = {{ player = [100, 500000] }}
[tables.ba1.shoe]
url = "sim:"
[tables.ba1.camera]
source = "{source}"
layout = "ba1.json"
exposure = 80
"""


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    scene = Scene(built_in_layout(), seed=2)
    pictures = [encode(scene.frame()) for _ in range(REPEATED + 16)]
    made = MjpegServer(pictures, every_s=0.06)
    made.status = 404
    yield made
    made.close()


@pytest.fixture
def running(
    camera: MjpegServer, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Running]:
    monkeypatch.setenv("CUTCARD_CAMERA_BA1", camera.address(user="studio:s3cret"))
    save_layout(built_in_layout(), tmp_path / "ba1.json")
    config = tmp_path / "config.toml"
    config.write_text(CONFIG.format(source=camera.address()))
    started = Running(config, root)
    yield started
    if started.process.poll() is None:
        started.process.kill()
    started.process.wait(PATIENCE_S)
    for stream in (started.process.stdout, started.process.stderr):
        assert stream is not None
        stream.close()


def findings(address: str) -> str:
    """What stands in the way of dealing, by the studio's own word."""
    try:
        with urlopen(f"{address}/health/ready", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())
    except HTTPError as refused:
        with refused:
            return refused.read().decode()


def wait_until(address: str, words: str, *, there: bool = True) -> str:
    """Wait until the studio says these words, or no longer says them."""
    until = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    said = findings(address)
    while (words in said) is not there:
        assert time.monotonic() < until, said
        pause.wait(0.1)
        said = findings(address)
    return said


def test_a_camera_that_is_refused_plays_stalls_and_plays_again_is_told_each_time(
    running: Running, camera: MjpegServer
) -> None:
    address = running.until(r"runs at (http://\S+)").group(1)
    assert "s3cret" not in wait_until(address, "the camera does not answer")
    camera.status = 200
    wait_until(address, "camera", there=False)
    camera.stalled.set()
    wait_until(address, "camera")
    camera.stalled.clear()
    wait_until(address, "camera", there=False)
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(PATIENCE_S) == 0
