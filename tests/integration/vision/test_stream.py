"""A network camera over loopback: motion JPEG that stalls, ends and comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from studio.domain.observations import (
    CameraFit,
    CameraUnfit,
    DeviceOffline,
    DeviceOnline,
    Observation,
    Unfit,
)
from studio.live.ports import CameraOptions
from tests.integration.vision.conftest import RealClock
from vision.layout import Layout, save_layout
from vision.plugin import CAMERAS
from vision.synthetic.felt import built_in_layout
from vision.synthetic.scene import Scene, encode


class Stream:
    """A server that sends rendered frames, holds its breath and hangs up as the test says."""

    def __init__(self) -> None:
        scene = Scene(built_in_layout(), seed=2)
        self.bodies = [encode(scene.frame()) for _ in range(12)]
        self.stalled = threading.Event()
        self.closing = threading.Event()
        self.requests = 0
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                stream.requests += 1
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                number = 0
                try:
                    while not stream.closing.wait(0.06):
                        if stream.stalled.is_set():
                            continue
                        body = stream.bodies[number % len(stream.bodies)]
                        number += 1
                        self.wfile.write(
                            b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: "
                            + str(len(body)).encode()
                            + b"\r\n\r\n"
                            + body
                            + b"\r\n"
                        )
                except OSError:
                    return

            def log_message(self, *args: object) -> None:
                """Keep the test's output clean."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/table.mjpg"

    def close(self) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def stream() -> Iterator[Stream]:
    made = Stream()
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

    def wait(self, kind: type, count: int, seconds: float = 25.0) -> None:
        with self.news:
            done = self.news.wait_for(lambda: self.count(kind) >= count, seconds)
        assert done, self.reports


def layout_file(folder: Path) -> Path:
    layout: Layout = built_in_layout()
    path = folder / "ba1.json"
    save_layout(layout, path)
    return path


def test_a_stream_that_stalls_is_told_and_so_is_its_return(stream: Stream, tmp_path: Path) -> None:
    kind = next(each for each in CAMERAS if each.name == "opencv")
    options = CameraOptions(source=stream.address, game="baccarat", layout=layout_file(tmp_path))
    camera = kind.open("cam", options, RealClock())
    heard = Heard()
    camera.start(heard.take)
    try:
        heard.wait(DeviceOnline, 1)
        heard.wait(CameraFit, 1)
        stream.stalled.set()
        heard.wait(CameraUnfit, 1)
        why = next(each.why for each in heard.reports if isinstance(each, CameraUnfit))
        assert why in {Unfit.LOST, Unfit.FROZEN}
        stream.stalled.clear()
        heard.wait(CameraFit, 2)
        assert (camera.picture() or b"").startswith(b"\xff\xd8")
    finally:
        camera.stop()


def test_pictures_of_another_shape_than_the_layouts_are_refused_in_words(
    stream: Stream, tmp_path: Path
) -> None:
    square = replace(built_in_layout(), image=(720, 720))
    save_layout(square, tmp_path / "square.json")
    kind = next(each for each in CAMERAS if each.name == "opencv")
    options = CameraOptions(source=stream.address, game="baccarat", layout=tmp_path / "square.json")
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


def test_check_says_what_a_stream_shows_and_hides_its_password(stream: Stream) -> None:
    kind = next(each for each in CAMERAS if each.name == "opencv")
    said = kind.look(stream.address.replace("//", "//studio:secret@"), {})
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
