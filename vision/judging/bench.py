"""A table of fourteen boxes before an eye, through a video codec: what is told of each card.

1080p, cards 91 pixels wide, lamps that change, shadows that pass, hands that lay the cards, noise,
MPEG-4. Nothing here is trained or drawn by `vision.training`.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from studio.domain.observations import CardsSeen, SeenCard, ZoneSeen
from vision.corners import Corners
from vision.eye import Eye
from vision.judging.units import Failed, Outcome
from vision.locate import Image
from vision.synthetic.boxes import COLUMNS, ROWS, boxes_layout
from vision.synthetic.designs import DEMONSTRATION, Design
from vision.synthetic.scene import Scene
from vision.synthetic.video import Video
from vision.synthetic.weather import Weather
from vision.synthetic.world import Laid
from vision.tableview import Reads

RATE: Final = 15.0
BOXES: Final = COLUMNS * ROWS
PIECE: Final = 20
"""Frames that are compressed together: from cards that are laid to the last report of them."""
HEAPS: Final = 3 * PIECE
"""Frames for cards on each other in all boxes: the eye looks for indices in one box a frame."""
CLEARED: Final = 10
"""Frames after the cards were taken away."""
HANDS: Final = 4
"""Frames in which hands lay cards; what a zone says in them may be of before."""
NEAR: Final = 0.7
"""A report is about a card if its middle lies within so much of a card's width of the card's."""
JPEG: Final = (cv2.IMWRITE_JPEG_QUALITY, 75)


@dataclass(frozen=True, slots=True)
class Said:
    """What was told of one card that was laid, and its picture."""

    code: str
    last: SeenCard | None
    """What its zone said when it last rested; None if it said nothing."""
    wrong: SeenCard | None
    """A wrong card that was sure at any time."""
    picture: Image

    @property
    def verdict(self) -> str:
        """``right``, ``wrong``, ``unsure`` or ``missed``."""
        if self.wrong is not None:
            return "wrong"
        if self.last is None:
            return "missed"
        return "right" if self.last.sure else "unsure"


class Bench:
    """The table, its camera and its eye."""

    def __init__(
        self,
        reader: Reads,
        corners: Corners | None,
        seed: int,
        *,
        faces: Mapping[str, Image] | None = None,
        design: Design = DEMONSTRATION,
    ) -> None:
        """With `faces` cards are laid by its keys, of which the code stands before ``#``."""
        self.layout = boxes_layout()
        self._rng = np.random.default_rng(seed)
        weather = Weather(seed, self.layout.image, RATE)
        gloss = float(self._rng.uniform(0, 0.2))
        self.scene = Scene(
            self.layout, seed=seed, photos=faces, design=design, weather=weather, gloss=gloss
        )
        self._eye = Eye("judged", self.layout, reader, corners=corners)
        self._frames = 0
        self._keys = 0
        self._zones: dict[str, ZoneSeen] = {}
        self.image: Image = self.scene.frame()

    def place(self, box: int, code: str, x_mm: float, y_mm: float, turn: float) -> Laid:
        """A card that lies in a box, its middle there, turned clockwise by so many degrees."""
        left, top = np.min(self.layout.zones[box].polygon_mm, axis=0)
        self._keys += 1
        return Laid(
            key=self._keys, zone=self.layout.zones[box].id, place=0, code=code, face_up=True,
            x=float(left) + x_mm, y=float(top) + y_mm, degrees=turn,
        )  # fmt: skip

    def anyhow(self, box: int, code: str) -> Laid:
        """A card that lies anyhow in the middle of a box."""
        x, y = self._rng.uniform((58, 70), (102, 220))
        turn = self._rng.normal(0, 8) + self._rng.choice((0.0, 180.0))
        if self._rng.random() < 0.15:
            turn += 90
        return self.place(box, code, float(x), float(y), float(turn))

    def start(self, folder: Path) -> None:
        """Let the eye learn the empty felt."""
        self._look(folder, CLEARED)

    def lay(self, cards: Sequence[Laid], folder: Path, frames: int = PIECE) -> list[Said]:
        """Lay cards by hand and hear what is told of each in so many frames."""
        for card in cards:
            self.scene.put(card)
        return self._heard(folder, frames)

    def deal(self, dealt: Sequence[Sequence[Laid]], folder: Path) -> list[Said]:
        """Lay cards in turns, one upon the other; what is told of all in the end, or wrong ever."""
        wrong: dict[int, Said] = {}
        heard: list[Said] = []
        for cards in dealt:
            heard = self.lay(cards, folder, HEAPS)
            for key, said in zip(self.scene.cards, heard, strict=True):
                if said.wrong is not None:
                    wrong[key.key] = said
        return [
            wrong.get(card.key, said) for card, said in zip(self.scene.cards, heard, strict=True)
        ]

    def clear(self, folder: Path) -> None:
        """Take all cards away and let the eye see that."""
        self.scene.remove([card.key for card in self.scene.cards])
        self._look(folder, CLEARED)

    def _look(self, folder: Path, frames: int) -> list[list[ZoneSeen]]:
        """Film so many frames; the zones as told at each, those that rest."""
        taken = [self.scene.frame() for _ in range(frames)]
        told = []
        for image in Video(folder, self.layout.image, RATE).piece(taken):
            self._frames += 1
            self.image = image
            for report in self._eye.frame(image, self._frames, self._frames / RATE):
                if isinstance(report, CardsSeen):
                    self._zones = {zone.zone: zone for zone in report.zones}
            told.append([zone for zone in self._zones.values() if zone.settled])
        return told

    def _heard(self, folder: Path, frames: int) -> list[Said]:
        """What is told of each card that lies there."""
        told = self._look(folder, frames)[HANDS:]
        laid = self.scene.cards
        middles = self.layout.to_pixels([(card.x, card.y) for card in laid])
        size = self.scene.quad(laid[0])
        near = float(np.hypot(*(size[1] - size[0]))) * NEAR
        last: dict[int, SeenCard] = {}
        wrong: dict[int, SeenCard] = {}
        for zones in told:
            for zone in zones:
                left = [at for at, card in enumerate(laid) if card.zone == zone.zone]
                # What a zone said at rest stands until it rests again, as at a table.
                for number in left:
                    last.pop(number, None)
                for seen in sorted(zone.cards, key=lambda each: not each.sure):
                    at = _about(seen, middles, left, near, laid)
                    if at is None and seen.sure and left:
                        at = left[0]
                        wrong[at] = seen
                    elif at is not None:
                        left.remove(at)
                        last[at] = seen
                        if (
                            seen.sure
                            and seen.card is not None
                            and str(seen.card) != named(laid[at])
                        ):
                            wrong[at] = seen
        return [
            Said(named(card), last.get(at), wrong.get(at), self._picture(card))
            for at, card in enumerate(laid)
        ]

    def _picture(self, card: Laid) -> Image:
        """The place of a card in the last frame."""
        quad = self.scene.quad(card)
        low = np.maximum(quad.min(axis=0).astype(int) - 12, 0)
        high = quad.max(axis=0).astype(int) + 12
        return self.image[low[1] : high[1], low[0] : high[0]].copy()


def named(card: Laid) -> str:
    """The code of a card whose key has more to say."""
    return card.code.partition("#")[0]


def _about(
    seen: SeenCard,
    middles: np.ndarray,
    left: Sequence[int],
    near: float,
    laid: Sequence[Laid],
) -> int | None:
    """Which of the cards left in a zone a report is about: the same card, else the nearest."""
    middle = np.mean(np.asarray(seen.quad, dtype=np.float64), axis=0)
    away = {at: float(np.hypot(*(middles[at] - middle))) for at in left}
    close = [at for at in left if away[at] < near]
    same = [at for at in close if seen.card is not None and str(seen.card) == named(laid[at])]
    return min(same or close, key=away.__getitem__, default=None)


def counted(row: str, design: str, said: Sequence[Said], *, shown: bool) -> Outcome:
    """The outcome of what was told; with pictures if it may be shown."""
    failed = tuple(
        failure(each.verdict, each.code, each.wrong or each.last, each.picture if shown else None)
        for each in said
        if each.verdict != "right"
    )
    return Outcome(
        row=row, design=design, cards=len(said), failed=failed,
        right=sum(each.verdict == "right" for each in said),
        wrong=sum(each.verdict == "wrong" for each in said),
    )  # fmt: skip


def failure(verdict: str, truth: str, said: SeenCard | None, picture: Image | None) -> Failed:
    """A failure as it is kept."""
    card = "" if said is None or said.card is None else str(said.card)
    confidence = 0.0 if said is None else said.confidence_milli / 1000
    return Failed(
        verdict=verdict, truth=truth, said=card, confidence=confidence,
        jpeg="" if picture is None else jpeg_of(picture),
    )  # fmt: skip


def jpeg_of(picture: Image) -> str:
    """A picture as JPEG in base 64."""
    _, body = cv2.imencode(".jpg", picture, JPEG)
    return base64.b64encode(body.tobytes()).decode("ascii")
