"""A camera's own process and the studio's own deck: it names it, or says why nothing is dealt."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from studio.domain.observations import CameraFit, CameraUnfit, DeviceOnline, Unfit
from studio.live.ports import CameraOptions
from tests.integration.vision.conftest import RealClock
from vision.deck import look_at, made_of, save_deck
from vision.deckfile import DeckHead
from vision.plugin import CAMERAS
from vision.prototypes import FACES
from vision.reader import Reader
from vision.synthetic.deck import printed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studio.domain.observations import Observation
    from studio.live.ports import Camera


class Heard:
    """What a camera reported, and a way to wait for it."""

    def __init__(self) -> None:
        self.reports: list[Observation] = []
        self._news = threading.Condition()

    def report(self, seen: Observation) -> None:
        with self._news:
            self.reports.append(seen)
            self._news.notify_all()

    def first(self, kind: type) -> Observation:
        """The first report of a kind, after waiting for it."""

        def there() -> Observation | None:
            return next((each for each in self.reports if isinstance(each, kind)), None)

        with self._news:
            assert self._news.wait_for(lambda: there() is not None, 60), self.reports
        found = there()
        assert found is not None
        return found


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def cameras() -> Iterator[list[Camera]]:
    started: list[Camera] = []
    yield started
    for camera in started:
        camera.stop()


def start(cameras: list[Camera], heard: Heard, deck: Path, *, needs: bool) -> None:
    kind = next(each for each in CAMERAS if each.name == "synthetic")
    options = CameraOptions(source="synthetic:", game="baccarat", deck=deck, needs_deck=needs)
    camera = kind.open("cam", options, RealClock())
    cameras.append(camera)
    camera.start(heard.report)


def test_a_camera_without_the_deck_that_it_must_have_runs_and_says_why_nothing_is_dealt(
    cameras: list[Camera], heard: Heard, tmp_path: Path
) -> None:
    start(cameras, heard, tmp_path / "none.deck", needs=True)
    online, unfit = heard.first(DeviceOnline), heard.first(CameraUnfit)
    assert isinstance(online, DeviceOnline)
    assert online.firmware.startswith("1 reader ")
    assert isinstance(unfit, CameraUnfit)
    assert unfit.why is Unfit.DECK
    assert unfit.text.startswith("no deck is enrolled, and this table deals only with one")
    assert not [each for each in heard.reports if isinstance(each, CameraFit)]


def test_a_camera_names_the_deck_that_it_reads_with_when_it_comes_up(
    cameras: list[Camera], heard: Heard, tmp_path: Path
) -> None:
    reader = Reader()
    crop = np.asarray(cv2.resize(printed("7H"), (126, 176)), np.uint8)
    look = look_at(reader, crop)
    head = DeckHead(
        name="our own", sha256="", made_at="2026-11-30T10:00:00+00:00", reader=reader.version,
        finished=True,
    )  # fmt: skip
    kept = save_deck(made_of(head, [(code, look) for code in FACES]), tmp_path / "studio.deck")
    start(cameras, heard, tmp_path / "studio.deck", needs=True)
    online = heard.first(DeviceOnline)
    assert isinstance(online, DeviceOnline)
    assert online.firmware == f"1 reader {reader.version}, deck our own ({kept.sha256[:12]})"
    assert isinstance(heard.first(CameraFit), CameraFit)
