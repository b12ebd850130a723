"""One zone frame by frame: what moves, what lies there, and what is to be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.observations import Look, ZoneSeen
from vision.assemble import assemble, index_of
from vision.layout import Layout
from vision.locate import Found, Image, Sight, Window, locate, rectify, rounded
from vision.pile import FindsCorners, Known, Placed, take_apart
from vision.plan import Plan
from vision.prints import Small, same, shrink
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
    """How a thing looked when it was last read, and how it lies."""

    placed: Placed
    small: Small | None
    """None of what is not read whole."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a zone may use in this frame."""

    empty: Image
    gain: float
    """How bright the light is here, compared with when the felt was empty."""
    now_s: float
    corners: FindsCorners | None
    """None while it is another zone's turn to look for index corners."""


class ZoneView:
    """The pixels of one zone and its book."""

    def __init__(self, layout: Layout, where: Window, tracks: Iterator[int]) -> None:
        self.layout = layout
        self.where = where
        self.book = ZoneBook(where.zone.id, tracks)
        self.wants_corners = False
        """A heap lies here that only its index corners can explain."""
        self._plan: Plan | None = None
        self._before: Image | None = None
        self._stable: Image | None = None
        self._looked: Image | None = None
        """The view of which `_last` was found."""
        self._last: list[Placed] = []
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

    def look(self, frame: Image, turn: Turn) -> list[tuple[Thing, Image]]:
        """Look at one frame; the crops that are to be read in it."""
        window = self.where.cut(frame)
        view = np.ascontiguousarray(window[::COARSE, ::COARSE, 1])
        before, self._before = self._before, view
        if before is None or differ(view, before, 1.0):
            return self._moves(turn)
        changed = self._stable is None or differ(view, self._stable, turn.gain)
        if not changed and not self.busy:
            return self._read_again(frame, turn)
        if not changed and not self.book.open:
            self.book.same()
            return []
        placed = self._find(frame, view, turn)
        return self._moves(turn) if placed is None else self._rest(placed, frame, turn)

    def conclude(self, turn: Turn) -> None:
        """Decide after the readings of a frame, and remember the view once all is decided."""
        rested = turn.now_s - self._moved_s >= CALM_S - 1e-6
        if not self.book.moving:
            self.book.decide(rested=rested)
            if not self.book.open and rested and self._before is not None:
                # Kept as in even light, so that a drift of the lamp is no change.
                self._stable = scaled(self._before, 1 / turn.gain)

    def _moves(self, turn: Turn) -> list[tuple[Thing, Image]]:
        """The zone moves, or something reaches into it: what was last stable stands."""
        self._moved_s = turn.now_s
        self._looked = None
        self.book.move()
        return []

    def _find(self, frame: Image, view: Image, turn: Turn) -> list[Placed] | None:
        """What lies here; None if something covers the zone or the search has to wait."""
        if self._looked is not None and not differ(view, self._looked, 1.0):
            return self._last
        sight = locate(self.layout, self.where, frame, turn.empty, turn.gain)
        if sight.covered:
            return None
        placed: list[Placed] = []
        self.wants_corners = False
        for found in sight.things:
            placed += self._taken_apart(found, sight, frame, turn)
        self._looked, self._last = view, placed
        return placed

    def _taken_apart(self, found: Found, sight: Sight, frame: Image, turn: Turn) -> list[Placed]:
        """A separate card as it is, a heap card by card."""
        alone = Placed(quad=found.quad, card_shaped=found.card_shaped)
        if found.card_shaped or not found.heap:
            return [alone]
        if self._plan is None:
            self._plan = Plan(self.layout, self.where)
        known = [
            Known(thing.track, kept.placed.quad, kept.small, kept.placed.hidden)
            for thing in self.book.things
            if (kept := self._prints.get(thing.track)) is not None and kept.small is not None
        ]
        view = self.where.cut(frame)
        parts = take_apart(self._plan, view, sight.mask_of(found), known, turn.corners)
        whole = all(part.card_shaped for part in parts)
        self.wants_corners |= not whole and turn.corners is None
        return parts or [alone]

    def _rest(
        self, placed: Sequence[Placed], frame: Image, turn: Turn
    ) -> list[tuple[Thing, Image]]:
        """Tell the book what lies here; cut out what is new or looks different."""
        outlines = []
        for each in placed:
            x, y = self.layout.to_mm(each.quad).mean(axis=0)
            outlines.append(
                Outline(
                    x=float(x),
                    y=float(y),
                    quad=rounded(each.quad),
                    card_shaped=each.card_shaped,
                    track=each.track,
                )
            )
        things = self.book.rest(outlines)
        self._prints = {
            thing.track: self._prints[thing.track]
            for thing in self.book.things
            # Also of what is missing: if something lies there again, it is compared.
            if thing.track in self._prints
        }
        wanted = []
        for thing, each in zip(things, placed, strict=True):
            if each.covered:
                self._covered(thing, each, frame, turn)
                continue
            if not each.card_shaped:
                self._prints[thing.track] = Print(each, None)
                if thing.wants(turn.now_s):
                    thing.vote(UNSEEN, turn.now_s)
                continue
            crop = rectify(frame, each.quad)
            self._compare(thing, each, crop, frame)
            if thing.wants(turn.now_s):
                wanted.append((thing, crop))
        return wanted

    def _covered(self, thing: Thing, placed: Placed, frame: Image, turn: Turn) -> None:
        """A card that lies under another one: what was read of it stands, it is not read whole."""
        known = self._prints.get(thing.track)
        small = None if known is None or not placed.track else known.small
        self._prints[thing.track] = Print(placed, small)
        if thing.settled and (thing.said is None or thing.said.sure):
            return
        if thing.wants(turn.now_s):
            thing.vote(self._by_indices(placed, frame, turn), turn.now_s)

    def _by_indices(self, placed: Placed, frame: Image, turn: Turn) -> Vote:
        """What the index corners of a covered card say; unsure if there is nothing to read."""
        if not placed.indices or turn.corners is None or self._plan is None:
            return UNSEEN
        votes = turn.corners.read(self.where.cut(frame), placed.indices)
        told = (
            index_of(corner, vote, turn.corners.temperature)
            for corner, vote in zip(placed.indices, votes, strict=True)
        )
        seen = [index for index in told if index is not None]
        cards = assemble([], seen, size=self._plan.card_px)
        if len(cards) != 1:
            return UNSEEN
        return Vote(
            look=Look.FACE, card=cards[0].card, confidence=cards[0].confidence, sure=cards[0].sure
        )

    def _compare(self, thing: Thing, placed: Placed, crop: Image, frame: Image) -> None:
        """Notice that a thing looks different from when it was read, and then read it anew."""
        known = self._prints.get(thing.track)
        if known is None or known.small is None:
            if known is not None:
                thing.forget()
            self._prints[thing.track] = Print(placed, shrink(crop))
            return
        # First where it lay: two measurements of one poor edge may differ, the pixels do not.
        if same(known.small, shrink(rectify(frame, known.placed.quad))):
            return
        small = shrink(crop)
        if same(known.small, small):
            self._prints[thing.track] = Print(placed, known.small)
        else:
            thing.forget()
            self._prints[thing.track] = Print(placed, small)

    def _read_again(self, frame: Image, turn: Turn) -> list[tuple[Thing, Image]]:
        """Cards that are not sure yet are read again from time to time."""
        wanted = []
        for thing in self.book.things:
            known = self._prints.get(thing.track)
            if known is None or not known.placed.card_shaped or not thing.wants(turn.now_s):
                continue
            if known.placed.covered:
                thing.vote(self._by_indices(known.placed, frame, turn), turn.now_s)
            else:
                wanted.append((thing, rectify(frame, known.placed.quad)))
        return wanted


def differ(one: Image, other: Image, gain: float) -> bool:
    """Whether two gate views differ in more than noise; `other` is brightened by `gain` first."""
    if gain != 1.0:
        other = scaled(other, gain)
    _, far = cv2.threshold(cv2.absdiff(one, other), CHANGED, 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(far) >= CHANGED_COUNT


def scaled(view: Image, gain: float) -> Image:
    """A view as it would be in other light."""
    return np.asarray(cv2.convertScaleAbs(view, alpha=gain), dtype=np.uint8)
