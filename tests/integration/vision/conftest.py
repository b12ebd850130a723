"""A synthetic camera in its own process, stepped by the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from studio.domain.observations import CardsSeen, Observation, SeenCard, ZoneSeen
from studio.live.ports import CameraOptions
from vision.plugin import CAMERAS
from vision.synthetic.camera import FRAMES_TO_ASK, FRAMES_TO_SETTLE, SyntheticCamera


class RealClock:
    """The machine's own clock."""

    def now_us(self) -> int:
        return time.time_ns() // 1000

    def monotonic_us(self) -> int:
        return time.monotonic_ns() // 1000

    def wait(self, seconds: float, interrupt: Callable[[], bool] = lambda: False) -> None:
        threading.Event().wait(seconds)


class Bench:
    """One camera, and all that it reported."""

    def __init__(self, camera: SyntheticCamera) -> None:
        self.camera = camera
        self.reports: list[Observation] = []
        self.news = threading.Condition()
        camera.start(self.take)

    def take(self, observation: Observation) -> None:
        with self.news:
            self.reports.append(observation)
            self.news.notify_all()

    def of(self, kind: type) -> list[Any]:
        return [each for each in self.reports if isinstance(each, kind)]

    def wait_for(self, what: Callable[[], bool], seconds: float = 20.0) -> None:
        with self.news:
            assert self.news.wait_for(what, seconds), self.reports[-5:]

    def zone(self, name: str) -> ZoneSeen:
        seen: CardsSeen = self.of(CardsSeen)[-1]
        return next(zone for zone in seen.zones if zone.zone == name)

    def settle(self, zone: str, count: int) -> list[SeenCard]:
        """Step until a zone is settled with so many cards."""
        self.camera.step(FRAMES_TO_SETTLE)
        for _ in range(FRAMES_TO_ASK):
            seen = self.zone(zone)
            if seen.settled and len(seen.cards) == count:
                break
            self.camera.step(1)
        seen = self.zone(zone)
        assert seen.settled
        assert len(seen.cards) == count
        return list(seen.cards)


@pytest.fixture
def open_bench() -> Iterator[Callable[..., Bench]]:
    """Opens synthetic cameras and stops them after the test."""
    benches: list[Bench] = []

    def open_one(
        *, stepped: bool = True, seed: int = 5, laid: Sequence[str] = (), **options: Any
    ) -> Bench:
        kind = next(each for each in CAMERAS if each.name == "synthetic")
        wanted = CameraOptions(
            source="synthetic:", game="baccarat", stepped=stepped, seed=seed, options=options
        )
        camera = kind.open("cam", wanted, RealClock())
        assert isinstance(camera, SyntheticCamera)
        for code in laid:
            camera.lay("P", code)
        benches.append(Bench(camera))
        return benches[-1]

    yield open_one
    for bench in benches:
        bench.camera.stop()
