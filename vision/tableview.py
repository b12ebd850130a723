"""One camera's view of one table, frame by frame: the chain from pixels to settled zones.

Gate, locate, read, settle. Where nothing changed nothing but the gate runs.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from studio.domain.observations import ZoneSeen
from vision.layout import Layout
from vision.light import Light
from vision.locate import Image, window
from vision.pile import FindsCorners
from vision.prints import shrink
from vision.zoneview import Ask, Reads, Turn, ZoneView, vote_of

__all__ = ["Reads", "TableView", "shrink", "vote_of"]

CORNER_ZONES: Final = 1
"""Index corners are looked for in so many zones of one frame; the others wait for their turn."""
READINGS: Final = 7
"""Crops that are read in one frame; each takes about two milliseconds."""


class TableView:
    """All zones of one camera."""

    def __init__(
        self,
        layout: Layout,
        reader: Reads,
        tracks: Iterator[int],
        empty: Image,
        known: Sequence[ZoneSeen] = (),
        *,
        corners: FindsCorners | None = None,
    ) -> None:
        """Begin with what an earlier eye said lies there; without `corners` heaps stay unknown."""
        self._reader = reader
        self._empty = empty
        self._corners = corners
        self._next = self._turn = 0
        self._idle = [ZoneSeen(zone=zone.id, settled=True) for zone in layout.zones]
        self._zones = {
            number: ZoneView(layout, window(layout, zone), tracks, corners)
            for number, zone in enumerate(layout.zones)
            if zone.slots
        }
        for zone in self._zones.values():
            zone.remember(known)
        self._light = Light(layout, empty)

    def look(self, frame: Image, now_s: float) -> tuple[ZoneSeen, ...]:
        """Look at one frame that differs from the one before; what all zones hold now."""
        gains = self._light.gains(frame)
        granted = self._granted()
        asked: list[Ask] = []
        turns = {}
        for number, zone in self._zones.items():
            corners = self._corners if number in granted else None
            turns[number] = turn = Turn(self._empty, float(gains[number]), now_s, corners)
            asked += zone.look(frame, turn)
        chosen = self._first(asked)
        readings = self._reader.read([ask.crop for ask in chosen])
        # Of an enrolled deck its prototypes have the last word, whatever else is seen of a card.
        own = getattr(self._reader, "deck", None) is not None
        for ask, reading in zip(chosen, readings, strict=True):
            ask.thing.vote(ask.vote(reading, own_deck=own), now_s, strict=own)
        for number, zone in self._zones.items():
            zone.conclude(turns[number])
        return tuple(
            self._zones[number].book.seen() if number in self._zones else idle
            for number, idle in enumerate(self._idle)
        )

    def blind(self) -> None:
        """Frames passed in which nothing could be seen; each card must be confirmed."""
        for zone in self._zones.values():
            zone.blind()

    def _first(self, asked: Sequence[Ask]) -> Sequence[Ask]:
        """So many of what is to be read as one frame has time for, in turn; the rest asks again."""
        if len(asked) <= READINGS:
            return asked
        self._turn += READINGS
        start = self._turn % len(asked)
        return [*asked[start:], *asked[:start]][:READINGS]

    def _granted(self) -> frozenset[int]:
        """Zones that may look for index corners in this frame, in turn."""
        if self._corners is None:
            return frozenset()
        waiting = [number for number, zone in self._zones.items() if zone.wants_corners]
        later = [number for number in waiting if number >= self._next]
        chosen = (later + [number for number in waiting if number < self._next])[:CORNER_ZONES]
        if chosen:
            self._next = chosen[-1] + 1
        return frozenset(chosen)
