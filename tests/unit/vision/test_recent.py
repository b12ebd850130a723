"""The ring of small pictures that a camera's process keeps for evidence."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import recent
from vision.recent import EVERY_S, KEPT, WIDTH, Recent, small


def frame(shade: int = 90, width: int = 1280, height: int = 720) -> np.ndarray:
    return np.full((height, width, 3), shade % 256, dtype=np.uint8)


def test_at_most_five_pictures_a_second_are_kept_however_fast_frames_come() -> None:
    ring = Recent()
    kept = [number for number in range(160) if ring.add(frame(), number, number / 16)]
    assert 45 <= len(kept) <= 51
    assert kept[0] == 0


def test_pictures_are_small_and_show_what_the_frame_showed() -> None:
    ring = Recent()
    image = frame(60)
    image[100:300, 200:500] = (10, 20, 240)
    assert ring.add(image, 7, 0.0)
    ((number, jpeg),) = ring.of([7, 8])
    shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert number == 7
    assert shown.shape == (540, 960, 3)
    assert np.abs(shown[150, 250].astype(int) - (10, 20, 240)).max() < 12


def test_a_narrow_picture_keeps_its_width() -> None:
    jpeg = small(frame(width=640, height=480))
    assert jpeg is not None
    assert cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape[1] == 640 < WIDTH


def test_only_the_newest_pictures_are_kept() -> None:
    ring = Recent()
    for number in range(KEPT + 20):
        assert ring.add(frame(number), number, number * EVERY_S * 1.01)
    numbers = [number for number, _ in ring.of(range(KEPT + 20))]
    assert numbers == list(range(20, KEPT + 20))


def test_the_ring_never_holds_more_bytes_than_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = Recent()
    noise = np.random.default_rng(1).integers(0, 256, (540, 960, 3), dtype=np.uint8)
    one = len(small(noise) or b"")
    monkeypatch.setattr(recent, "MOST_BYTES", one * 3 + 100)
    for number in range(10):
        ring.add(noise, number, float(number))
    kept = ring.of(range(10))
    assert [number for number, _ in kept] == [7, 8, 9]
    assert sum(len(jpeg) for _, jpeg in kept) <= one * 3 + 100
