"""One camera's view of one table, frame by frame: the chain from pixels to settled zones.

Gate, locate, read, settle. Where nothing changed nothing but the gate runs.
"""

from collections.abc import Iterator, Sequence

from studio.domain.observations import ZoneSeen
from vision.layout import Layout
from vision.light import Light
from vision.locate import Image, window
from vision.placed import FindsCorners
from vision.prints import shrink
from vision.turn import READ_MS, Budget, Turn
from vision.votes import Ask, Reads, vote_of
from vision.zoneview import ZoneView

__all__ = ["Reads", "TableView", "shrink", "vote_of"]


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
        self._looked_s = float("-inf")
        self._idle = [ZoneSeen(zone=zone.id, settled=True) for zone in layout.zones]
        self._zones = {
            number: ZoneView(layout, window(layout, zone), tracks, corners)
            for number, zone in enumerate(layout.zones)
            if zone.slots
        }
        for zone in self._zones.values():
            zone.remember(known)
        self._order = list(self._zones)
        """Numbers of the zones, those first that had to wait."""
        self._light = Light(layout, empty)

    def look(self, frame: Image, now_s: float) -> tuple[ZoneSeen, ...]:
        """Look at one frame that differs from the one before; what all zones hold now."""
        gains = self._light.gains(frame)
        budget = Budget(now_s - self._looked_s)
        self._looked_s = now_s
        asked: list[Ask] = []
        turns = {}
        for number in self._order:
            turns[number] = turn = Turn(self._empty, float(gains[number]), now_s, budget)
            asked += self._zones[number].look(frame, turn)
        # One that waits goes first; the others take turns.
        self._order = [*self._order[1:], *self._order[:1]]
        self._order.sort(key=lambda number: not self._zones[number].waits)
        chosen = _first(asked, budget)
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


def _first(asked: Sequence[Ask], budget: Budget) -> list[Ask]:
    """So many of what is to be read as one frame has time for; the rest asks again.

    What was read longest ago, or never, comes first.
    """
    chosen: list[Ask] = []
    for ask in sorted(asked, key=lambda ask: (not ask.paid, ask.thing.read_s)):
        if ask.paid or budget.take(READ_MS) or not chosen:
            chosen.append(ask)
    return chosen
