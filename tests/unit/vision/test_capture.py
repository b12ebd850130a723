"""Understanding sources, files and streams as cameras, and opening them again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.mjpeg import MjpegServer, picture
from vision import capture as capture_module
from vision import trouble
from vision.capture import (
    PROVEN_S,
    RETRY_S,
    TORN_IN_A_ROW,
    Capture,
    Shot,
    Source,
    SourceError,
    hide_secret,
    look,
    parse_source,
)
from vision.tuning import wanted_of


def video(path: Path, frames: int = 12) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (64, 48))
    for number in range(frames):
        writer.write(np.full((48, 64, 3), 10 * number, dtype=np.uint8))
    writer.release()
    return path


def take(capture: Capture, count: int, after: int = 0, seconds: float = 20.0) -> list[Shot]:
    """So many new frames of a running capture."""
    shots: list[Shot] = []
    for _ in range(count):
        shot = capture.newer(shots[-1].number if shots else after, wait_s=seconds)
        assert shot is not None, capture.trouble
        shots.append(shot)
    return shots


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    made = MjpegServer()
    yield made
    made.close()


@pytest.fixture
def capturing() -> Iterator[Callable[..., Capture]]:
    """Starts captures and stops them after the test."""
    running: list[Capture] = []

    def begin(source: str, **given: Any) -> Capture:
        running.append(Capture(source, **given))
        running[-1].start()
        return running[-1]

    yield begin
    for capture in running:
        capture.stop()


class Pauses:
    """A pause that ends when the test says so; how long each would have been is kept."""

    def __init__(self) -> None:
        self.lengths: list[float] = []
        self._gate = threading.Condition()
        self._open = 0
        self._free = threading.Event()

    def __call__(self, seconds: float) -> None:
        with self._gate:
            self.lengths.append(seconds)
            self._gate.notify_all()
            self._gate.wait_for(lambda: self._open >= len(self.lengths), 20)
        if self._free.is_set():
            threading.Event().wait(0.01)

    def reached(self, count: int) -> None:
        with self._gate:
            assert self._gate.wait_for(lambda: len(self.lengths) >= count, 20), self.lengths

    def end(self, count: int = 1) -> None:
        with self._gate:
            self._open += count
            self._gate.notify_all()

    def free(self) -> None:
        """From now on each pause ends at once."""
        self._free.set()
        self.end(1_000_000)


def test_a_number_and_a_device_are_cameras() -> None:
    assert (parse_source("0").target, parse_source("0").backend) == (0, cv2.CAP_V4L2)
    named = "/dev/v4l/by-id/usb-Maker_Cam_8A21-video-index0"
    assert (parse_source(named).target, parse_source(named).backend) == (named, cv2.CAP_V4L2)


@pytest.mark.parametrize("scheme", ["http", "https", "rtsp", "RTSP", "udp"])
def test_an_address_is_a_stream_with_limits(scheme: str) -> None:
    source = parse_source(f"{scheme}://studio:secret@camera/1")
    assert source.backend == cv2.CAP_FFMPEG
    assert cv2.CAP_PROP_OPEN_TIMEOUT_MSEC in source.settings
    assert cv2.CAP_PROP_READ_TIMEOUT_MSEC in source.settings
    assert source.name == f"stream {scheme}://camera/1"


def test_a_source_that_is_nothing_is_refused_in_words() -> None:
    with pytest.raises(SourceError, match="is no index, device, address or file that exists"):
        parse_source("tabel.mp4")


def test_a_password_is_hidden_and_an_address_without_one_stays() -> None:
    assert hide_secret("http://a:b@c/d?e=f@g") == "http://c/d?e=f@g"
    assert hide_secret("http://c/d") == "http://c/d"


# -- files -----------------------------------------------------------------------------------------


def test_a_file_is_played_frame_by_frame_and_again_when_it_ends(
    tmp_path: Path, capturing: Callable[..., Capture]
) -> None:
    capture = capturing(str(video(tmp_path / "table.avi")))
    shots = take(capture, 14)
    assert {shot.image.shape for shot in shots} == {(48, 64, 3)}
    numbers = [shot.number for shot in shots]
    assert numbers == sorted(set(numbers))
    assert not capture.hung(shots[-1].taken_s + 1, 1000)


def test_a_source_without_frames_gives_none_and_says_why(
    tmp_path: Path, capturing: Callable[..., Capture]
) -> None:
    path = tmp_path / "empty.avi"
    path.write_bytes(b"no video")
    pauses = Pauses()
    capture = capturing(str(path), pause=pauses)
    pauses.reached(1)
    assert capture.newer(0, wait_s=0) is None
    assert capture.trouble.startswith(f"{path} gives no picture")
    pauses.free()
    with pytest.raises(OSError, match="gives no picture: check that it is connected"):
        look(str(path))


def test_looking_at_a_file_says_its_size(tmp_path: Path) -> None:
    path = video(tmp_path / "table.avi")
    assert look(str(path)) == f"file {path} gives pictures of 64 × 48 as MJPG"


def test_looking_says_what_was_refused_and_which_setting_is_none(tmp_path: Path) -> None:
    path = video(tmp_path / "table.avi")
    assert look(str(path), {"exposure": 80}).endswith(
        "; exposure cannot be set through a stream or file: set it in the camera itself"
    )
    with pytest.raises(OSError, match="exposure: give a number"):
        look(str(path), {"exposure": "bright"})


# -- streams over loopback -------------------------------------------------------------------------


def test_a_stream_gives_different_frames_with_rising_instants(
    camera: MjpegServer, capturing: Callable[..., Capture]
) -> None:
    shots = take(capturing(camera.address()), 10)
    assert len({shot.image.tobytes() for shot in shots}) == 10
    assert all(a.taken_s < b.taken_s for a, b in pairwise(shots))


def test_a_redirection_is_followed(camera: MjpegServer, capturing: Callable[..., Capture]) -> None:
    take(capturing(camera.address("/old")), 3)
    assert camera.requests[:2] == ["/old", "/table.mjpg"]


def test_a_name_and_a_password_are_given_to_the_camera_and_to_nobody_else(
    camera: MjpegServer, capturing: Callable[..., Capture]
) -> None:
    camera.secret = "Basic c3R1ZGlvOnMzY3JldA=="
    capture = capturing(camera.address(user="studio:s3cret"))
    take(capture, 3)
    assert "s3cret" not in capture.model


@pytest.mark.parametrize("status", [401, 404, 500])
def test_a_refusing_camera_is_explained_and_asked_again(
    camera: MjpegServer, capturing: Callable[..., Capture], status: int
) -> None:
    camera.status = status
    pauses = Pauses()
    capture = capturing(camera.address(), pause=pauses)
    pauses.reached(1)
    assert f"answers {status}" in capture.trouble
    camera.status = 200
    pauses.free()
    take(capture, 3)
    assert capture.trouble == ""


def test_a_stream_that_breaks_in_the_middle_of_a_frame_goes_on_with_the_next_connection(
    camera: MjpegServer, capturing: Callable[..., Capture]
) -> None:
    pauses = Pauses()
    capture = capturing(camera.address(), pause=pauses)
    last = take(capture, 3)[-1].number
    camera.hanging_up.set()
    pauses.reached(1)
    camera.hanging_up.clear()
    pauses.free()
    last = max(last, getattr(capture.newer(0, wait_s=0), "number", 0))
    (shot,) = take(capture, 1, after=last)
    assert shot.image.shape == (48, 64, 3)
    assert len(camera.requests) == 2


def test_a_camera_that_lost_its_power_is_found_again_after_a_minute(
    camera: MjpegServer, capturing: Callable[..., Capture]
) -> None:
    """The minute passes by hand: each wait ends when the test says so."""
    pauses = Pauses()
    capture = capturing(camera.address(), pause=pauses)
    take(capture, 3)
    camera.vanish()
    tries = 0
    while sum(pauses.lengths) < 60:
        tries += 1
        pauses.reached(tries)
        pauses.end()
    pauses.reached(tries + 1)
    assert "cannot be reached (connection refused)" in capture.trouble
    assert max(pauses.lengths) == RETRY_S[-1]
    assert pauses.lengths == sorted(pauses.lengths)
    last = getattr(capture.newer(0, wait_s=0), "number", 0)
    camera.come_back()
    pauses.free()
    assert take(capture, 1, after=last)
    assert capture.trouble == ""


def test_a_stream_that_stalls_gives_nothing_and_goes_on_when_it_does(
    camera: MjpegServer, capturing: Callable[..., Capture]
) -> None:
    capture = capturing(camera.address())
    take(capture, 3)
    camera.stalled.set()
    # What is under way still comes; then nothing does.
    last = getattr(capture.newer(0, wait_s=0), "number", 0)
    while (shot := capture.newer(last, wait_s=0.3)) is not None:
        last = shot.number
    camera.stalled.clear()
    assert take(capture, 2, after=last)


def test_halves_of_pictures_are_no_pictures(
    camera: MjpegServer, capturing: Callable[..., Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture_module, "READ_MS", 300)
    monkeypatch.setattr(capture_module, "OPEN_MS", 300)
    pauses = Pauses()
    capture = capturing(camera.address(), pause=pauses)
    take(capture, 3)
    camera.truncating.set()
    pauses.reached(1)
    last = getattr(capture.newer(0, wait_s=0), "number", 0)
    pauses.end()
    pauses.reached(2)
    assert capture.newer(last, wait_s=0) is None
    assert "gives no picture that can be decoded" in capture.trouble
    camera.truncating.clear()
    pauses.free()
    assert take(capture, 3, after=last)


def test_a_mute_camera_is_given_up_and_explained(
    camera: MjpegServer, capturing: Callable[..., Capture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture_module, "OPEN_MS", 300)
    monkeypatch.setattr(trouble, "PATIENCE_S", 0.2)
    camera.mute.set()
    pauses = Pauses()
    capture = capturing(camera.address(), pause=pauses)
    pauses.reached(1)
    assert "does not answer: check the camera's power" in capture.trouble
    camera.mute.clear()
    pauses.free()
    assert take(capture, 3)


def test_another_size_in_the_middle_of_a_stream_comes_in_the_first_ones(
    camera: MjpegServer, capturing: Callable[..., Capture]
) -> None:
    """The decoder scales it; if its shape differs too, the felt's marks show that."""
    capture = capturing(camera.address())
    last = take(capture, 3)[-1].number
    camera.pictures = [picture(number, (96, 72)) for number in range(200)]
    sent = camera.sent
    while camera.sent < sent + 20:
        (shot,) = take(capture, 1, after=last)
        last = shot.number
        assert shot.image.shape == (48, 64, 3)
    assert len(camera.requests) == 1


# -- scripted devices ------------------------------------------------------------------------------


class Scripted:
    """A capture device that gives what the script says: a picture, None (torn), or its end."""

    def __init__(self, script: Sequence[object], stamp_ms: float = 0.0) -> None:
        self.script = list(script)
        self.stamp_ms = stamp_ms
        self.released = False
        self.settings: dict[int, float] = {}

    def isOpened(self) -> bool:  # noqa: N802
        return bool(self.script)

    def grab(self) -> bool:
        return bool(self.script)

    def retrieve(self) -> tuple[bool, Any]:
        image = self.script.pop(0)
        return image is not None, image

    def set(self, prop: int, value: float) -> bool:
        self.settings[prop] = value
        return True

    def get(self, prop: int) -> float:
        return self.stamp_ms if prop == cv2.CAP_PROP_POS_MSEC else self.settings.get(prop, 0.0)

    def release(self) -> None:
        self.released = True


GREY = np.full((4, 4, 3), 90, dtype=np.uint8)


class Machine:
    """Opens one scripted device after the other; its clock and its pauses are moved by hand."""

    def __init__(self, *devices: Scripted) -> None:
        self.devices = list(devices)
        self.opened: list[Scripted] = []
        self.pauses = Pauses()
        self.now_s = 100.0

    def open(self, source: Source) -> Scripted:
        self.opened.append(self.devices.pop(0) if self.devices else Scripted(()))
        return self.opened[-1]

    def now(self) -> float:
        return self.now_s

    def capture(self, wanted: Any = None) -> Capture:
        made = Capture("/dev/video99", wanted, opener=self.open, now=self.now, pause=self.pauses)
        made.start()
        return made


def test_waits_grow_to_a_ceiling_and_every_device_is_released() -> None:
    machine = Machine()
    capture = machine.capture()
    for tries in range(1, 9):
        machine.pauses.reached(tries)
        machine.pauses.end()
    machine.pauses.reached(9)
    assert tuple(machine.pauses.lengths[:9]) == RETRY_S + (RETRY_S[-1],) * 4
    assert all(device.released for device in machine.opened)
    assert capture.trouble.startswith("/dev/video99 is not there")
    capture._stopping.set()
    machine.pauses.free()
    capture.stop()


def test_a_source_that_gives_one_frame_and_breaks_is_not_hammered() -> None:
    machine = Machine(*(Scripted([GREY]) for _ in range(9)))
    capture = machine.capture()
    for tries in range(1, 5):
        machine.pauses.reached(tries)
        machine.pauses.end()
    machine.pauses.reached(5)
    assert tuple(machine.pauses.lengths[:5]) == RETRY_S
    capture._stopping.set()
    machine.pauses.free()
    capture.stop()


def test_torn_frames_are_counted_and_many_in_a_row_open_the_source_again() -> None:
    machine = Machine(Scripted([GREY, None, GREY]), Scripted([None] * (TORN_IN_A_ROW + 50)))
    capture = machine.capture()
    machine.pauses.reached(1)
    assert capture.torn == 1
    assert getattr(capture.newer(0, wait_s=0), "number", 0) == 2
    machine.pauses.end()
    machine.pauses.reached(2)
    assert capture.torn == 1 + TORN_IN_A_ROW
    capture._stopping.set()
    machine.pauses.free()
    capture.stop()


@pytest.mark.parametrize(
    ("stamp_ms", "taken_s"), [(99_960.0, 99.96), (100_500.0, 100.0), (4_000.0, 100.0), (0.0, 100.0)]
)
def test_a_drivers_stamp_is_believed_only_where_it_can_be_true(
    stamp_ms: float, taken_s: float
) -> None:
    machine = Machine(Scripted([GREY], stamp_ms))
    capture = machine.capture()
    machine.pauses.reached(1)
    shot = capture.newer(0, wait_s=0)
    assert shot is not None
    assert shot.taken_s == pytest.approx(taken_s)
    capture._stopping.set()
    machine.pauses.free()
    capture.stop()


def test_a_camera_is_set_again_whenever_it_is_opened_again() -> None:
    machine = Machine(Scripted([GREY]), Scripted([GREY]))
    capture = machine.capture(wanted_of({"exposure": 80}, (640, 480)))
    machine.pauses.reached(1)
    machine.pauses.end()
    machine.pauses.reached(2)
    for device in machine.opened[:2]:
        assert device.settings[cv2.CAP_PROP_EXPOSURE] == 80.0
        assert device.settings[cv2.CAP_PROP_FRAME_WIDTH] == 640.0
    assert capture.model == "camera /dev/video99"
    capture._stopping.set()
    machine.pauses.free()
    capture.stop()


def test_a_source_that_ran_long_is_opened_again_at_once() -> None:
    machine = Machine(*(Scripted([GREY]) for _ in range(4)))

    class Long(Scripted):
        def retrieve(self) -> tuple[bool, Any]:
            machine.now_s += PROVEN_S
            return super().retrieve()

    machine.devices.append(Long([GREY]))
    capture = machine.capture()
    for tries in range(1, 6):
        machine.pauses.reached(tries)
        machine.pauses.end()
    machine.pauses.reached(6)
    assert machine.pauses.lengths[3:6] == [RETRY_S[3], RETRY_S[4], RETRY_S[0]]
    capture._stopping.set()
    machine.pauses.free()
    capture.stop()
