"""Files that are no pictures, or odd ones: read, or refused with one sentence."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from vision.commands import see_command
from vision.pictures import dimensions, read_picture


def jpeg(width: int = 90, height: int = 60) -> bytes:
    """A picture whose left half is bright."""
    image = np.zeros((height, width, 3), dtype=np.uint8)
    image[:, : width // 2] = (40, 160, 240)
    return bytes(cv2.imencode(".jpg", image)[1].tobytes())


def with_turn(body: bytes, turn: int) -> bytes:
    """The JPEG with an EXIF orientation."""
    tags = b"II*\0" + struct.pack("<IH", 8, 1) + struct.pack("<HHIHH", 0x0112, 3, 1, turn, 0)
    exif = b"Exif\0\0" + tags + struct.pack("<I", 0)
    return body[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + body[2:]


def png(width: int, height: int, *chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of these chunks after its header."""
    head = (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    out = b"\x89PNG\r\n\x1a\n"
    for name, body in (head, *chunks, (b"IEND", b"")):
        out += struct.pack(">I", len(body)) + name + body
        out += struct.pack(">I", zlib.crc32(name + body))
    return out


REFUSED = {
    "empty.jpg": (b"", "the file is empty: copy it again"),
    "words.png": (b"no picture at all", "give JPEG, PNG, MP4 or similar"),
    "cut.jpg": (jpeg()[:-400], "the JPEG is cut off: copy it again"),
    "huge.png": (png(40_000, 30_000), "40000 × 30000 pixels: give a picture of at most 120"),
    "film.png": (png(9, 9, (b"acTL", b"\0\0\0\2\0\0\0\0")), "an animation: give its frames"),
    "film.gif": (b"GIF89a" + bytes(20), "a GIF: give its frames as PNG or the film as MP4"),
    "dot.png": (bytes(cv2.imencode(".png", np.zeros((2, 2), np.uint8))[1].tobytes()), "too small"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_read_has_one_sentence(name: str, tmp_path: Path) -> None:
    body, words = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(body)
    read = read_picture(path)
    assert isinstance(read, str)
    assert words in read


def test_a_missing_file_has_one_sentence(tmp_path: Path) -> None:
    read = read_picture(tmp_path / "none.jpg")
    assert isinstance(read, str)
    assert "the file cannot be read" in read


@pytest.mark.parametrize("kind", ["grey", "deep", "clear"])
def test_other_kinds_of_png_become_three_colours_of_eight_bits(kind: str, tmp_path: Path) -> None:
    images: dict[str, NDArray[Any]] = {
        "grey": np.full((20, 30), 128, dtype=np.uint8),
        "deep": np.full((20, 30, 3), 128 * 257, dtype=np.uint16),
        "clear": np.full((20, 30, 4), 128, dtype=np.uint8),
    }
    path = tmp_path / "a.png"
    path.write_bytes(cv2.imencode(".png", images[kind])[1].tobytes())
    read = read_picture(path)
    assert not isinstance(read, str)
    assert read.shape == (20, 30, 3)
    assert read.dtype == np.uint8
    assert abs(int(read[10, 10, 0]) - 128) <= 1


def test_a_photograph_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(with_turn(jpeg(), 6))
    read = read_picture(path)
    assert not isinstance(read, str)
    assert read.shape == (90, 60, 3)
    # What was on the left is above.
    assert read[:30].mean() > 100 > read[60:].mean()


def test_the_size_is_known_before_anything_is_decoded() -> None:
    assert dimensions(jpeg(123, 45)) == (123, 45)
    assert dimensions(with_turn(jpeg(123, 45), 6)) == (123, 45)
    assert dimensions(png(7, 9)) == (7, 9)
    assert dimensions(b"BM") == (0, 0)


def test_each_bad_file_of_a_folder_is_told_and_the_good_one_is_read(tmp_path: Path) -> None:
    for name, (body, _) in REFUSED.items():
        (tmp_path / name).write_bytes(body)
    (tmp_path / "good.jpg").write_bytes(jpeg())
    done = CliRunner().invoke(see_command, [str(tmp_path)])
    assert done.exit_code == 1
    assert f"{tmp_path / 'good.jpg'}: no card found" in done.stdout
    told = [line for line in done.stderr.splitlines() if line.startswith(str(tmp_path))]
    assert len(told) == len(REFUSED)


def test_a_folder_without_pictures_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(see_command, [str(tmp_path)])
    assert done.exit_code == 1
    assert "no picture or video is in this folder" in done.stderr
