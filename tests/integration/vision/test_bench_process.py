"""The bench in a camera's real process: opened, worked at, closed, and the camera back from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from studio.domain import observations as o
from studio.live.clock import SystemClock
from studio.live.ports import BenchRefused, CameraOptions
from vision.camera import ProcessCamera
from vision.plugin import open_real
from vision.synthetic.camera import open_synthetic

PATIENCE_S = 120


class Camera:
    """A camera whose reports are kept."""

    def __init__(self, camera: ProcessCamera) -> None:
        self.camera = camera
        self.seen: list[o.Observation] = []
        self.news = threading.Event()
        camera.start(self._take)

    def _take(self, seen: o.Observation) -> None:
        self.seen.append(seen)
        self.news.set()

    def until(self, kind: type, count: int = 1) -> o.Observation:
        """Wait for so many reports of this kind; the last of them."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            found = [each for each in self.seen if isinstance(each, kind)]
            if len(found) >= count:
                return found[count - 1]
            self.news.wait(0.2)
            self.news.clear()
        raise AssertionError(f"no {kind.__name__} came: {self.seen}")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Camera]:
    """A simulated bench that has neither layout nor deck yet."""
    files = {"layout": tmp_path / "ba1.json", "deck": tmp_path / "studio.deck"}
    options = CameraOptions(source="synthetic:calibrate", game="baccarat", **files)
    opened = Camera(open_synthetic("camera", options, SystemClock()))
    yield opened
    opened.camera.stop()


def test_a_camera_works_at_its_bench_and_comes_back_from_it(bench: Camera) -> None:
    bench.until(o.DeviceOnline)
    first = bench.camera.bench("open", {"kind": "calibrate"})
    assert first["game"] == "baccarat"
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        state = bench.camera.bench("look", {})
        if state["steps"][0]["done"]:
            break
    assert state["camera"]["width"] == state["camera"]["height"] * 16 // 9
    assert (
        state["steps"][0]["figure"] == f"{state['camera']['width']} × {state['camera']['height']}"
    )
    age_us, picture = bench.camera.live() or (0, b"")
    assert picture.startswith(b"\xff\xd8")
    assert age_us > 0
    with pytest.raises(BenchRefused) as no:
        bench.camera.bench("zone", {"id": "P", "by_mm": [1, 0]})
    assert no.value.code.startswith("calibrate.")
    told = len([each for each in bench.seen if isinstance(each, o.CardsSeen)])
    bench.camera.bench("close", {})
    bench.until(o.DeviceOffline)
    after = len([each for each in bench.seen if isinstance(each, o.CardsSeen)])
    assert after == told, "what lies at the bench is no game"
    bench.until(o.DeviceOnline, 2)
    bench.until(o.CameraFit, 2)


def test_a_word_at_a_camera_that_does_not_run_says_so(tmp_path: Path) -> None:
    options = CameraOptions(source="synthetic:", game="baccarat", layout=tmp_path / "ba1.json")
    camera = open_synthetic("camera", options, SystemClock())
    with pytest.raises(BenchRefused, match="look at its cable") as no:
        camera.bench("open", {"kind": "calibrate"})
    assert no.value.code == "refused.bench_camera"


def test_a_camera_without_a_layout_runs_so_that_it_can_be_calibrated(tmp_path: Path) -> None:
    film = tmp_path / "felt.avi"
    write_film(film)
    options = CameraOptions(source=str(film), game="baccarat", layout=tmp_path / "new.json")
    opened = Camera(open_real("camera", options, SystemClock()))
    try:
        opened.until(o.DeviceOnline)
        unfit = opened.until(o.CameraUnfit)
        assert isinstance(unfit, o.CameraUnfit)
        assert unfit.why is o.Unfit.LAYOUT
        assert "not calibrated yet" in unfit.text
        assert opened.camera.bench("open", {"kind": "calibrate"})["version"] == 0
    finally:
        opened.camera.stop()


def write_film(path: Path) -> None:
    """A short film of a plain felt."""
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 360))
    rng = np.random.default_rng(1)
    for _ in range(40):
        film.write(rng.integers(40, 90, (360, 640, 3), dtype=np.uint8))
    film.release()
