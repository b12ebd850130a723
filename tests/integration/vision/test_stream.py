"""A network camera over loopback: motion JPEG that stalls, ends and comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.domain.observations import (
    CameraFit,
    CameraUnfit,
    CardsSeen,
    DeviceOffline,
    DeviceOnline,
    Observation,
    Unfit,
)
from studio.live.ports import CameraOptions
from tests.integration.vision.conftest import RealClock
from tests.support.mjpeg import MjpegServer
from vision.capture import IN_PART
from vision.health import REPEATED
from vision.layout import Layout, save_layout
from vision.plugin import CAMERAS
from vision.synthetic.felt import built_in_layout
from vision.synthetic.scene import Scene, encode


@pytest.fixture(scope="module")
def pictures() -> list[bytes]:
    """Frames of an empty felt, more than a camera may repeat."""
    scene = Scene(built_in_layout(), seed=2)
    return [encode(scene.frame()) for _ in range(REPEATED + 16)]


@pytest.fixture
def stream(pictures: list[bytes]) -> Iterator[MjpegServer]:
    made = MjpegServer(pictures, every_s=0.06)
    yield made
    made.close()


class Heard:
    """What a camera reported, to be waited for."""

    def __init__(self) -> None:
        self.reports: list[Observation] = []
        self.news = threading.Condition()

    def take(self, observation: Observation) -> None:
        with self.news:
            self.reports.append(observation)
            self.news.notify_all()

    def count(self, kind: type) -> int:
        return sum(isinstance(each, kind) for each in self.reports)

    def of(self, kind: type) -> list[Any]:
        return [each for each in self.reports if isinstance(each, kind)]

    def unfit(self, why: Unfit, text: str, seconds: float = 25.0) -> None:
        """Wait until this fault was told in words that end so."""

        def so() -> bool:
            told = self.of(CameraUnfit)
            return any(each.why is why and each.text.endswith(text) for each in told)

        with self.news:
            assert self.news.wait_for(so, seconds), self.reports[-5:]

    def wait(self, kind: type, count: int, seconds: float = 25.0) -> None:
        with self.news:
            done = self.news.wait_for(lambda: self.count(kind) >= count, seconds)
        assert done, self.reports


def layout_file(folder: Path) -> Path:
    layout: Layout = built_in_layout()
    path = folder / "ba1.json"
    save_layout(layout, path)
    return path


@pytest.fixture
def watched(stream: MjpegServer, tmp_path: Path) -> Iterator[tuple[MjpegServer, Heard]]:
    """A camera on the stream, and what it reports."""
    kind = next(each for each in CAMERAS if each.name == "opencv")
    options = CameraOptions(source=stream.address(), game="baccarat", layout=layout_file(tmp_path))
    camera = kind.open("cam", options, RealClock())
    heard = Heard()
    stream.status = 404
    camera.start(heard.take)
    yield stream, heard
    camera.stop()


def test_a_stream_is_there_once_it_gives_pictures_and_every_trouble_is_told_and_ends(
    watched: tuple[MjpegServer, Heard],
) -> None:
    stream, heard = watched
    heard.wait(DeviceOffline, 1)
    (refused,) = heard.of(DeviceOffline)
    assert "answers 404: check the path" in refused.reason
    assert heard.count(DeviceOnline) == 0
    stream.status = 200
    heard.wait(DeviceOnline, 1)
    heard.wait(CameraFit, 1)

    stream.stalled.set()
    heard.wait(CameraUnfit, 1)
    stream.stalled.clear()
    heard.wait(CameraFit, 2)

    stream.stuck = 5
    heard.wait(CameraUnfit, 2)
    assert heard.of(CameraUnfit)[-1].why is Unfit.FROZEN
    stream.stuck = None
    heard.wait(CameraFit, 3)

    stream.vanish()
    heard.wait(CameraUnfit, 3)
    assert heard.of(CameraUnfit)[-1].why is Unfit.LOST
    stream.come_back()
    heard.wait(CameraFit, 4)

    # Half a picture has an older one, or nothing, below: it is none.
    stream.truncating.set()
    heard.unfit(Unfit.LOST, IN_PART)
    fit = heard.count(CameraFit)
    stream.truncating.clear()
    heard.wait(CameraFit, fit + 1)
    assert all(zone.settled for zone in heard.of(CardsSeen)[-1].zones)

    told = [each for each in heard.of(CardsSeen) for zone in each.zones if zone.cards]
    assert told == []
    assert heard.count(DeviceOnline) == 1


def test_pictures_of_another_shape_than_the_layouts_are_refused_in_words(
    stream: MjpegServer, tmp_path: Path
) -> None:
    square = replace(built_in_layout(), image=(720, 720))
    save_layout(square, tmp_path / "square.json")
    kind = next(each for each in CAMERAS if each.name == "opencv")
    options = CameraOptions(
        source=stream.address(), game="baccarat", layout=tmp_path / "square.json"
    )
    camera = kind.open("cam", options, RealClock())
    heard = Heard()
    camera.start(heard.take)
    try:
        heard.wait(DeviceOffline, 1)
    finally:
        camera.stop()
    (reason,) = {each.reason for each in heard.reports if isinstance(each, DeviceOffline)}
    assert reason.startswith("the camera gives pictures of 1280 × 720, but its layout is for 720")


def test_a_source_that_is_none_is_told_once_however_often_it_is_tried(tmp_path: Path) -> None:
    kind = next(each for each in CAMERAS if each.name == "opencv")
    options = CameraOptions(
        source="no-such-file.mp4", game="baccarat", layout=layout_file(tmp_path)
    )
    camera = kind.open("cam", options, RealClock())
    heard = Heard()
    camera.start(heard.take)
    try:
        heard.wait(DeviceOffline, 1)
    finally:
        camera.stop()
    assert heard.count(DeviceOffline) == 1
    assert heard.count(DeviceOnline) == 0


def test_check_says_what_a_stream_shows_and_hides_its_password(stream: MjpegServer) -> None:
    kind = next(each for each in CAMERAS if each.name == "opencv")
    said = kind.look(stream.address(user="studio:secret"), {})
    assert said.endswith("gives pictures of 1280 × 720 as MJPG")
    assert "secret" not in said


def test_check_says_what_to_do_about_a_source_that_is_none() -> None:
    kind = next(each for each in CAMERAS if each.name == "opencv")
    with pytest.raises(OSError, match="correct `source`"):
        kind.look("no-such-file.mp4", {})
    with pytest.raises(OSError, match="/dev/video99 is not there: connect the camera"):
        kind.look("/dev/video99", {})


def test_a_real_camera_without_a_layout_is_refused_in_words() -> None:
    kind = next(each for each in CAMERAS if each.name == "opencv")
    with pytest.raises(ValueError, match="has no layout: set `layout`"):
        kind.open("cam", CameraOptions(source="0", game="baccarat"), RealClock())
