"""One camera's recogniser: frames in, observations out. No process, no clock, no capture.

Observations carry `at_us` 0; who owns the clock stamps them. `now_s` is any time that rises, in
seconds; a stepped camera counts frames.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

import cv2
import numpy as np

from studio.domain.observations import (
    CameraFit,
    CameraObservation,
    CameraUnfit,
    CardsSeen,
    LinkRates,
    SelfTested,
    Unfit,
    ZoneSeen,
)
from vision.felt import Learning, without_cards
from vision.health import LOST_S, Health, describe
from vision.layout import Layout
from vision.locate import Image
from vision.placed import FindsCorners
from vision.tableview import Reads, TableView

RATES_S: Final = 1.0
"""`LinkRates` are sent at most this often."""
GAP_S: Final = 0.5
"""Where no picture could be looked at for so long, a card may have been exchanged."""


class Eye:
    """Looks at the frames of one camera."""

    def __init__(  # noqa: PLR0913 - all that a camera's process was told at its start
        self,
        device: str,
        layout: Layout,
        reader: Reads,
        *,
        identity: str = "",
        empty: Image | None = None,
        known: Sequence[ZoneSeen] = (),
        first_track: int = 1,
        corners: FindsCorners | None = None,
    ) -> None:
        """Begin to look; without `corners` cards that overlap are known by history alone."""
        self._device = device
        self._corners = corners
        self.barred = ""
        """Why it may not be believed whatever it sees: it has not the deck that it must have."""
        self._known = known
        self._layout = layout
        self._reader = reader
        self._identity = identity
        self._tracks: Iterator[int] = count(first_track)
        self._learning = Learning()
        self._view: TableView | None = None
        self._health: Health | None = None
        self._unfit: Unfit | None = None
        self._fit = False
        self._zones: tuple[ZoneSeen, ...] = ()
        self._captured = self._different = self._facts = self._torn = 0
        self._rates_s = float("-inf")
        self._seen_s: float | None = None
        self._looked_s = float("-inf")
        self._waiting_s = float("inf")
        self.trouble = ""
        """Why no frames come, in a sentence, where the source is known to have said it."""
        self.empty: Image | None = None
        """The empty felt as learnt; None until then."""
        if empty is not None:
            self._begin(empty)

    def frame(self, image: Image | None, number: int, now_s: float) -> list[CameraObservation]:
        """Look at a frame (None: it was torn); what is to be reported because of it."""
        self._captured += 1
        if image is None:
            self._torn += 1
            return self.tick(now_s)
        if image.shape[1::-1] != self._layout.image:
            image = np.asarray(cv2.resize(image, self._layout.image), dtype=np.uint8)
        if self._view is None or self._health is None:
            self._learn(image, now_s)
            return self.tick(now_s)
        different = self._health.frame(image, now_s)
        reports = self._judge(now_s)
        if different:
            self._different += 1
            self._seen_s = now_s
            if self._fit and not self._health.doubtful:
                if now_s - self._looked_s > GAP_S:
                    self._view.blind()
                self._looked_s = now_s
                zones = self._view.look(image, now_s)
                if zones != self._zones:
                    self._zones = zones
                    self._facts += 1
                    reports.append(
                        CardsSeen(device=self._device, at_us=0, frame=number, zones=zones)
                    )
            else:
                # What happens while the picture is dark or shaken is not seen at all.
                self._looked_s = float("-inf")
        return reports + self._rates(now_s)

    def tick(self, now_s: float) -> list[CameraObservation]:
        """Time passed without a frame."""
        if self._health is None:
            return self._await(now_s)
        return self._judge(now_s) + self._rates(now_s)

    @property
    def seen_s(self) -> float | None:
        """When the newest different frame came; None before the first."""
        return self._seen_s

    def test(self, *, card: bool = True) -> SelfTested:
        """The self-test: frames come, the marks are where they were, and a card is read.

        `card`: whether a card must lie face up on a zone and be read surely. Which one it is, is
        not told.
        """
        read = sum(seen.sure for zone in self._zones for seen in zone.cards)
        text = f"it sees the felt and reads {read} cards"
        if self._health is None:
            text = "the empty felt has not been learnt yet"
        elif not self._fit:
            text = "it does not see" if self._unfit is None else describe(self._unfit)
        elif card and not read:
            text = "no card is read: lay one face up on a zone and test again"
        passed = self._fit and (read > 0 or not card)
        return SelfTested(device=self._device, at_us=0, passed=passed, text=text)

    def _await(self, now_s: float) -> list[CameraObservation]:
        """Tell once that a camera gives no picture from the start."""
        self._waiting_s = min(self._waiting_s, now_s)
        if self._unfit is not None or now_s - self._waiting_s < LOST_S:
            return []
        self._unfit = Unfit.LOST
        text = self._words(Unfit.LOST)
        return [CameraUnfit(device=self._device, at_us=0, why=Unfit.LOST, text=text)]

    def _learn(self, image: Image, now_s: float) -> None:
        """Average the first frames: the empty felt."""
        felt = self._learning.add(image)
        if felt is not None:
            empty = without_cards(felt, self._layout, self._reader, self._corners)
            self._begin(empty, now_s)

    def _begin(self, empty: Image, now_s: float = 0.0) -> None:
        """Start to look, knowing the empty felt."""
        self.empty = empty
        self._view = TableView(
            self._layout, self._reader, self._tracks, empty, self._known, corners=self._corners
        )
        self._health = Health(self._layout, empty, now_s)

    def _judge(self, now_s: float) -> list[CameraObservation]:
        """Tell a change of the camera's health, once."""
        if self._health is None:
            return []
        why = Unfit.DECK if self.barred else self._health.judge(now_s)
        if why is None:
            if self._fit:
                return []
            self._fit, self._unfit = True, None
            return [CameraFit(device=self._device, at_us=0, identity=self._identity)]
        if why is self._unfit:
            return []
        self._fit, self._unfit = False, why
        return [CameraUnfit(device=self._device, at_us=0, why=why, text=self._words(why))]

    def _words(self, why: Unfit) -> str:
        """What is wrong and what to do; of a lost source what the source itself says."""
        if why is Unfit.DECK:
            return self.barred
        if why is Unfit.LOST and self.trouble:
            return self.trouble
        return describe(why) if self._health is None else self._health.words(why)

    def _rates(self, now_s: float) -> list[CameraObservation]:
        """The three rungs of the camera's health, once a second. `last_us` is stamped outside."""
        if now_s - self._rates_s < RATES_S:
            return []
        self._rates_s = now_s
        return [
            LinkRates(
                device=self._device,
                at_us=0,
                bytes=self._captured,
                frames=self._different,
                facts=self._facts,
                garbage=self._torn,
                last_us=0,
            )
        ]
