"""Understanding sources, and playing a file as a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture import Capture, SourceError, hide_secret, look, parse_source


def video(path: Path, frames: int = 12) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (64, 48))
    for number in range(frames):
        writer.write(np.full((48, 64, 3), 10 * number, dtype=np.uint8))
    writer.release()
    return path


def test_a_number_and_a_device_are_cameras() -> None:
    assert (parse_source("0").target, parse_source("0").backend) == (0, cv2.CAP_V4L2)
    assert parse_source("/dev/video2").target == "/dev/video2"


def test_an_address_is_a_stream_with_limits() -> None:
    source = parse_source("rtsp://studio:secret@camera/1")
    assert source.backend == cv2.CAP_FFMPEG
    assert cv2.CAP_PROP_OPEN_TIMEOUT_MSEC in source.settings
    assert source.name == "stream rtsp://camera/1"


def test_a_source_that_is_nothing_is_refused_in_words() -> None:
    with pytest.raises(SourceError, match="is no index, device, address or file that exists"):
        parse_source("tabel.mp4")


def test_a_password_is_hidden_and_an_address_without_one_stays() -> None:
    assert hide_secret("http://a:b@c/d?e=f@g") == "http://c/d?e=f@g"
    assert hide_secret("http://c/d") == "http://c/d"


def test_a_file_is_played_frame_by_frame_and_again_when_it_ends(tmp_path: Path) -> None:
    capture = Capture(str(video(tmp_path / "table.avi")))
    capture.start()
    numbers: list[int] = []
    try:
        while len(numbers) < 14:
            shot = capture.newer(numbers[-1] if numbers else 0, wait_s=5.0)
            assert shot is not None
            assert shot.image.shape == (48, 64, 3)
            numbers.append(shot.number)
    finally:
        capture.stop()
    assert numbers == sorted(set(numbers))
    assert not capture.hung(shot.taken_s + 1, 1000)


def test_a_source_without_frames_gives_none(tmp_path: Path) -> None:
    path = tmp_path / "empty.avi"
    path.write_bytes(b"no video")
    capture = Capture(str(path))
    capture.start()
    try:
        assert capture.newer(0, wait_s=0.2) is None
    finally:
        capture.stop()
    with pytest.raises(OSError, match="gives no picture: check that it is connected"):
        look(str(path))


def test_looking_at_a_file_says_its_size(tmp_path: Path) -> None:
    path = video(tmp_path / "table.avi")
    assert look(str(path)) == f"file {path} gives pictures of 64 × 48"
