"""Pictures of which only the upper part arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.support.mjpeg import MjpegServer
from vision.halves import BAND, Halves

if TYPE_CHECKING:
    from vision.locate import Image

RNG = np.random.default_rng(3)


def noisy(level: int = 90) -> Image:
    """A picture of a sensor: no two are equal."""
    made = np.clip(RNG.normal(level, 6, (96, 128, 3)), 0, 255).astype(np.uint8)
    made[40:60] = 200
    return made


def cut(whole: Image, below: Image) -> Image:
    """The upper half of one and the lower half of another."""
    return np.concatenate([whole[:48], below[48:]])


def test_pictures_that_differ_everywhere_are_whole() -> None:
    halves = Halves()
    assert not any(halves.half(noisy()) for _ in range(40))


def test_the_lower_part_of_an_earlier_picture_is_noticed() -> None:
    halves, before = Halves(), [noisy() for _ in range(3)]
    assert not any(halves.half(each) for each in before)
    # A decoder writes into a few pictures by turns.
    assert [halves.half(cut(noisy(), before[at % 3])) for at in range(4)] == [True] * 4
    assert not halves.half(noisy())


def test_a_picture_that_is_repeated_as_a_whole_is_frozen_and_not_cut() -> None:
    halves, frame = Halves(), noisy()
    assert not any(halves.half(frame) for _ in range(5))


@pytest.mark.parametrize("colour", [(0, 135, 0), (128, 128, 128)])
def test_a_memory_that_was_never_written_is_noticed_from_the_first_picture(
    colour: tuple[int, int, int],
) -> None:
    frame = noisy()
    frame[48:] = colour
    assert Halves().half(frame)


def test_a_black_bar_below_is_part_of_every_picture_and_no_fault() -> None:
    halves = Halves()
    for _ in range(5):
        frame = noisy()
        frame[-BAND:] = 0
        assert not halves.half(frame)


def test_a_lower_edge_that_goes_flat_is_noticed_where_there_was_something() -> None:
    halves = Halves()
    assert not halves.half(noisy())
    frame = noisy()
    frame[-BAND:] = 16
    assert halves.half(frame)


def test_half_a_jpeg_through_the_decoder_of_a_stream_is_noticed_and_a_whole_one_is_not() -> None:
    pictures = [bytes(cv2.imencode(".jpg", noisy(90 + at))[1]) for at in range(30)]
    server = MjpegServer(pictures, every_s=0.005)
    device = cv2.VideoCapture(server.address(), cv2.CAP_FFMPEG)
    halves = Halves()

    def after(change: bool) -> list[bool]:
        """What is said of pictures once those that were under way are through."""
        (server.truncating.set if change else server.truncating.clear)()
        for _ in range(25):
            done, image = device.read()
            assert done
            halves.half(np.asarray(image, np.uint8))
        return [halves.half(np.asarray(device.read()[1], np.uint8)) for _ in range(8)]

    try:
        assert not any(after(change=False))
        assert all(after(change=True))
        assert not any(after(change=False))
    finally:
        device.release()
        server.close()
