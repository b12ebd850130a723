"""Why a source gives no picture, asked of the source itself, over loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mjpeg import MjpegServer
from vision import trouble
from vision.trouble import explain


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    made = MjpegServer()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "answers 401: check the name and password"),
        (403, "answers 403: check the name and password"),
        (404, "answers 404: check the path"),
        (500, "answers 500: restart it"),
        (503, "answers 503: restart it"),
    ],
)
def test_a_refusal_is_said_by_its_number(camera: MjpegServer, status: int, words: str) -> None:
    camera.status = status
    assert words in explain(camera.address())


def test_a_redirection_says_to_follow_it(camera: MjpegServer) -> None:
    assert "answers 302 and points elsewhere" in explain(camera.address("/old"))


def test_a_page_and_a_single_picture_are_no_video(camera: MjpegServer) -> None:
    camera.kind = "text/html; charset=utf-8"
    assert "answers with a page (text/html): check the path" in explain(camera.address())
    camera.kind = "image/jpeg"
    assert "answers with one picture" in explain(camera.address())


def test_a_right_password_is_used_and_never_said(camera: MjpegServer) -> None:
    camera.secret = "Basic c3R1ZGlvOnMzY3JldA=="
    said = explain(camera.address(user="studio:s3cret"))
    assert "answers, but gives no picture" in said
    refused = explain(camera.address(user="studio:guess"))
    assert "answers 401" in refused
    assert not any(word in said + refused for word in ("s3cret", "guess", "studio"))


def test_nobody_there_is_said(camera: MjpegServer) -> None:
    camera.vanish()
    assert "cannot be reached (connection refused)" in explain(camera.address())


def test_silence_is_said(camera: MjpegServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trouble, "PATIENCE_S", 0.2)
    camera.mute.set()
    assert "does not answer: check the camera's power" in explain(camera.address())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"RTSP/1.0 401 Unauthorized\r\n\r\n", "answers 401: check the name and password"),
        (b"RTSP/1.0 404 Not Found\r\n\r\n", "answers 404: check the path"),
        (b"RTSP/1.0 200 OK\r\n\r\n", "answers, but gives no picture"),
        (b"SSH-2.0-what\r\n", "answers, but gives no picture"),
    ],
)
def test_an_rtsp_camera_is_asked_in_its_own_words(answer: bytes, words: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        asked: list[bytes] = []

        def once() -> None:
            wire, _ = server.accept()
            with wire:
                asked.append(wire.recv(512))
                wire.sendall(answer)

        thread = threading.Thread(target=once, daemon=True)
        thread.start()
        said = explain(f"rtsp://me:hidden@127.0.0.1:{server.getsockname()[1]}/1")
        thread.join(5)
    assert words in said
    assert "hidden" not in said
    assert b"hidden" not in asked[0]
    assert asked[0].startswith(b"DESCRIBE rtsp://127.0.0.1:")


def test_an_address_that_is_none_is_no_traceback() -> None:
    assert "cannot be reached" in explain("http://127.0.0.1:99999/x")
    assert "check the camera and its address" in explain("http:///nowhere")
    assert "gives no picture" in explain("udp://239.0.0.1:1234")


def test_a_device_that_is_not_there_and_a_file_without_pictures(tmp_path: Path) -> None:
    assert explain(99) == "/dev/video99 is not there: connect the camera, or correct `source`"
    path = tmp_path / "empty.avi"
    path.write_bytes(b"no video")
    assert explain(str(path)).startswith(f"{path} gives no picture")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "is not there" in explain(str(loop))
