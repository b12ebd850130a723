"""A reader for tests that knows the demonstration deck by heart, and a table in one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from studio.domain.cards import CUT, HIDDEN, PACK, Card
from studio.domain.observations import CardsSeen, Observation, ZoneSeen
from vision.eye import Eye
from vision.layout import Layout
from vision.reader import CardKind, Reading
from vision.synthetic.deck import printed
from vision.synthetic.felt import built_in_layout
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode
from vision.synthetic.world import Laid, World


def thumbnail(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A small picture of zero mean and unit length."""
    small = cv2.resize(image, (31, 44), interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean()
    return small.ravel() / max(1e-6, float(np.linalg.norm(small)))


class PatternReader:
    """Names the printed card that a crop resembles most; sure if it resembles it well."""

    def __init__(self) -> None:
        codes = [card.code for card in PACK] + [HIDDEN]
        faces = [thumbnail(printed(code)) for code in codes]
        turned = [thumbnail(np.ascontiguousarray(printed(code)[::-1, ::-1])) for code in codes]
        self._codes = codes + codes
        self._faces = np.asarray(faces + turned)
        self.asked = 0

    def read(self, crops: Sequence[NDArray[np.uint8]]) -> list[Reading]:
        """Compare each crop with every face."""
        self.asked += len(crops)
        return [self._one(crop) for crop in crops]

    def _one(self, crop: NDArray[np.uint8]) -> Reading:
        middle = crop[40:-40, 30:-30].reshape(-1, 3).astype(float)
        if middle.std(axis=0).max() < 12:
            yellow = middle.mean(axis=0)[0] < 120
            kind = CardKind.CUT if yellow else CardKind.OTHER
            return Reading(
                kind=kind, card=None, confidence=0.99, sure=yellow, second=None, turned=False
            )
        scores = self._faces @ thumbnail(crop)
        best = int(scores.argmax())
        code = self._codes[best]
        sure = bool(scores[best] > 0.8)
        face = code not in {HIDDEN, CUT}
        return Reading(
            kind=CardKind.FACE if face else CardKind.BACK,
            card=Card.parse(code) if face else None,
            confidence=0.999 if sure else 0.6,
            sure=sure,
            second=None,
            turned=best >= len(self._codes) // 2,
        )


@dataclass
class Table:
    """A world, its scene and an eye that looks at it, without any process."""

    layout: Layout
    reader: PatternReader
    seed: int = 3
    world: World = field(init=False)
    scene: Scene = field(init=False)
    eye: Eye = field(init=False)
    reports: list[Observation] = field(default_factory=list)
    number: int = 0

    def __post_init__(self) -> None:
        self.world = World(self.seed)
        self.scene = Scene(self.layout, seed=self.seed)
        self.eye = Eye("cam", self.layout, self.reader)

    @property
    def now_s(self) -> float:
        return self.number / FRAMES_PER_SECOND

    def step(self, frames: int) -> list[Observation]:
        """Let frames pass; what was reported in them."""
        before = len(self.reports)
        for _ in range(frames):
            self.number += 1
            image = decode(encode(self.scene.frame()))
            self.reports += self.eye.frame(image, self.number, self.now_s)
        return self.reports[before:]

    def lay(self, zone: str, code: str, *, up: bool = True, sideways: bool = False) -> Laid:
        card = self.world.lay(zone, code, face_up=up, sideways=sideways)
        self.scene.put(card)
        return card

    def clear(self, zone: str) -> None:
        for card in self.world.clear(zone):
            self.scene.remove([card.key])

    def zone(self, name: str) -> ZoneSeen:
        """What was last reported of a zone."""
        seen = [each for each in self.reports if isinstance(each, CardsSeen)]
        return next(zone for zone in seen[-1].zones if zone.zone == name)

    def codes(self, name: str) -> list[str]:
        return [str(card.card) if card.card else card.look.value for card in self.zone(name).cards]


@pytest.fixture(scope="session")
def pattern_reader() -> PatternReader:
    return PatternReader()


@pytest.fixture
def layout() -> Layout:
    return built_in_layout()


@pytest.fixture
def table(layout: Layout, pattern_reader: PatternReader) -> Table:
    made = Table(layout, pattern_reader)
    made.step(5)
    return made
