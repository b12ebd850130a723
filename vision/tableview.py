"""One camera's view of one table, frame by frame: the chain from pixels to settled zones.

Gate, locate, read, settle. Where nothing changed nothing but the gate runs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.observations import Look, ZoneSeen
from vision.layout import Layout
from vision.locate import Found, Image, Window, locate, rectify, rounded, window
from vision.reader import CardKind, Reading
from vision.settle import UNSEEN, Outline, Thing, Vote, ZoneBook

COARSE: Final = 3
"""The gate looks at each third pixel in x and y, in green only."""
CHANGED: Final = 26
"""A gate pixel that differs by so much has changed; noise and compression stay below."""
CHANGED_COUNT: Final = 6
"""So many changed gate pixels are a change: about half of one pip."""
CALM_S: Final = 0.1
"""A zone is at rest when nothing moved for so long."""
SAME_PRINT: Final = 36.0
"""A card's small picture that differs by so much somewhere is read again."""
SMALL: Final = (21, 29)
"""Size of that small picture."""
BRIGHTNESS_STEP: Final = 12
"""The light is measured at each twelfth pixel outside the zones."""

LOOKS: Final = {
    CardKind.FACE: Look.FACE,
    CardKind.BACK: Look.BACK,
    CardKind.CUT: Look.CUT,
    CardKind.OTHER: Look.UNKNOWN,
}


class Reads(Protocol):
    """What the view wants of a reader."""

    def read(self, crops: Sequence[NDArray[np.uint8]]) -> list[Reading]:
        """Read rectified cards."""


def vote_of(reading: Reading) -> Vote:
    """A reading as the settling understands it; an unsure face keeps its best guess."""
    known = reading.kind is CardKind.FACE
    return Vote(
        look=LOOKS[reading.kind],
        card=reading.card if known else None,
        confidence=reading.confidence,
        sure=reading.sure and reading.kind is not CardKind.OTHER,
        second=reading.second if known else None,
    )


@dataclass(slots=True)
class Print:
    """How a thing looked when it was last read."""

    found: Found
    small: NDArray[np.float32] | None


class ZoneView:
    """The pixels of one zone and its book."""

    def __init__(self, layout: Layout, where: Window, tracks: Iterator[int]) -> None:
        self.layout = layout
        self.where = where
        self.book = ZoneBook(where.zone.id, tracks)
        self._before: NDArray[np.int16] | None = None
        self._stable: NDArray[np.int16] | None = None
        self._moved_s = float("-inf")
        self._prints: dict[int, Print] = {}

    @property
    def busy(self) -> bool:
        """Whether the zone moves or waits for a decision."""
        return self.book.moving or self.book.open

    def remember(self, known: Sequence[ZoneSeen]) -> None:
        """Take over what an earlier eye said lies in this zone."""
        for zone in known:
            if zone.zone == self.where.zone.id:
                for card in zone.cards:
                    x, y = self.layout.to_mm(card.quad).mean(axis=0)
                    outline = Outline(x=float(x), y=float(y), quad=card.quad, card_shaped=True)
                    self.book.remember(outline, card)

    def look(
        self, frame: Image, empty: Image, gain: float, now_s: float
    ) -> list[tuple[Thing, Image]]:
        """Look at one frame; the crops that are to be read in it."""
        view = self.where.cut(frame)[::COARSE, ::COARSE, 1].astype(np.int16)
        before, self._before = self._before, view
        if before is None or _differ(view, before, 1.0):
            self._moved_s = now_s
            self.book.move()
            return []
        changed = self._stable is None or _differ(view, self._stable, gain)
        if not changed and not self.busy:
            return self._read_again(frame, now_s)
        if not changed and not self.book.open:
            self.book.same()
            return []
        sight = locate(self.layout, self.where, frame, empty, gain)
        if sight.covered:
            self._moved_s = now_s
            self.book.move()
            return []
        return self._rest(sight.things, frame, now_s)

    def conclude(self, now_s: float, gain: float) -> None:
        """Decide after the readings of a frame, and remember the view once all is decided."""
        rested = now_s - self._moved_s >= CALM_S - 1e-6
        if not self.book.moving:
            self.book.decide(rested=rested)
            if not self.book.open and rested and self._before is not None:
                # Kept as in even light, so that a drift of the lamp is no change.
                self._stable = (self._before / gain).astype(np.int16)

    def _rest(
        self, found: Sequence[Found], frame: Image, now_s: float
    ) -> list[tuple[Thing, Image]]:
        """Tell the book what lies here; cut out what is new or looks different."""
        outlines = [
            Outline(x=each.x, y=each.y, quad=rounded(each.quad), card_shaped=each.card_shaped)
            for each in found
        ]
        things = self.book.rest(outlines)
        self._prints = {
            thing.track: self._prints[thing.track]
            for thing in self.book.things
            if thing.track in self._prints and not thing.missing
        }
        wanted = []
        for thing, each in zip(things, found, strict=True):
            if not each.card_shaped:
                self._prints[thing.track] = Print(each, None)
                if thing.wants(now_s):
                    thing.vote(UNSEEN, now_s)
                continue
            crop = rectify(frame, each.quad)
            self._compare(thing, each, crop, frame)
            if thing.wants(now_s):
                wanted.append((thing, crop))
        return wanted

    def _compare(self, thing: Thing, found: Found, crop: Image, frame: Image) -> None:
        """Notice that a thing looks different from when it was read, and then read it anew."""
        known = self._prints.get(thing.track)
        if known is None or known.small is None:
            if known is not None:
                thing.forget()
            self._prints[thing.track] = Print(found, shrink(crop))
            return
        # First where it lay: two measurements of one poor edge may differ, the pixels do not.
        if _same(known.small, shrink(rectify(frame, known.found.quad))):
            return
        small = shrink(crop)
        if _same(known.small, small):
            self._prints[thing.track] = Print(found, known.small)
        else:
            thing.forget()
            self._prints[thing.track] = Print(found, small)

    def _read_again(self, frame: Image, now_s: float) -> list[tuple[Thing, Image]]:
        """Cards that are not sure yet are read again from time to time."""
        wanted = []
        for thing in self.book.things:
            known = self._prints.get(thing.track)
            if known is not None and known.found.card_shaped and thing.wants(now_s):
                wanted.append((thing, rectify(frame, known.found.quad)))
        return wanted


def _differ(one: NDArray[np.int16], other: NDArray[np.int16], gain: float) -> bool:
    """Whether two gate views differ in more than noise."""
    if gain != 1.0:
        other = (other * gain).astype(np.int16)
    return int(np.count_nonzero(np.abs(one - other) > CHANGED)) >= CHANGED_COUNT


def shrink(crop: Image) -> NDArray[np.float32]:
    """A small grey picture of a card, in even light."""
    grey = cv2.resize(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), SMALL, interpolation=cv2.INTER_AREA)
    small = np.asarray(grey, dtype=np.float32)
    return np.asarray(small * (200.0 / max(20.0, float(np.percentile(small, 80)))), np.float32)


def _same(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two small pictures show the same print; their rims are left out."""
    return float(np.abs(one - other)[1:-1, 1:-1].max()) < SAME_PRINT


class TableView:
    """All zones of one camera."""

    def __init__(
        self,
        layout: Layout,
        reader: Reads,
        tracks: Iterator[int],
        empty: Image,
        known: Sequence[ZoneSeen] = (),
    ) -> None:
        self._reader = reader
        self._empty = empty
        self._idle = [ZoneSeen(zone=zone.id, settled=True) for zone in layout.zones]
        self._zones = {
            number: ZoneView(layout, window(layout, zone), tracks)
            for number, zone in enumerate(layout.zones)
            if zone.slots
        }
        for zone in self._zones.values():
            zone.remember(known)
        self._lamp = _lamp_points(layout)
        self._lit = self._brightness(empty)

    def look(self, frame: Image, now_s: float) -> tuple[ZoneSeen, ...]:
        """Look at one frame that differs from the one before; what all zones hold now."""
        gain = float(np.clip(np.median(self._brightness(frame) / self._lit), 0.4, 2.5))
        work = {
            number: zone.look(frame, self._empty, gain, now_s)
            for number, zone in self._zones.items()
        }
        asked = [each for wanted in work.values() for each in wanted]
        for (thing, _), reading in zip(
            asked, self._reader.read([crop for _, crop in asked]), strict=True
        ):
            thing.vote(vote_of(reading), now_s)
        for zone in self._zones.values():
            zone.conclude(now_s, gain)
        return tuple(
            self._zones[number].book.seen() if number in self._zones else idle
            for number, idle in enumerate(self._idle)
        )

    def _brightness(self, image: Image) -> NDArray[np.float32]:
        """Green at the points where the light is measured, never 0."""
        rows, columns = self._lamp
        green = image[rows, columns, 1].astype(np.float32)
        return np.asarray(np.maximum(green, np.float32(1.0)), dtype=np.float32)


def _lamp_points(layout: Layout) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of points outside all zones."""
    mask = np.ones((layout.image[1], layout.image[0]), dtype=np.uint8)
    for zone in layout.zones:
        corners = np.rint(layout.to_pixels(zone.polygon_mm)).astype(np.int32)
        cv2.fillPoly(mask, [corners], (0,))
    rows, columns = np.nonzero(mask[::BRIGHTNESS_STEP, ::BRIGHTNESS_STEP])
    return rows * BRIGHTNESS_STEP, columns * BRIGHTNESS_STEP
