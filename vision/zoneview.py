"""One zone frame by frame: what moves, what lies there, and what is to be read."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from studio.domain.cards import Card
from studio.domain.observations import Look, ZoneSeen
from vision.assemble import Physical, assemble, index_of
from vision.corners import Corner
from vision.doubt import Shown, Touched, named, shown
from vision.layout import Layout
from vision.locate import Found, Image, Quad, Sight, Window, locate, rectify, rounded
from vision.pile import taking_apart
from vision.placed import FindsCorners, Known, Placed
from vision.plan import Plan
from vision.prints import Small, same, shrink
from vision.settle import AGAINST, UNSEEN, Outline, Thing, Vote, ZoneBook
from vision.turn import INDEX_MS, LOCATE_MS, READ_MS, SHOWN_MS, Turn
from vision.twofold import covered_part, filled
from vision.votes import INDEX_WITH_WHOLE, Ask

COARSE: Final = 3
"""The gate looks at each third pixel in x and y, in green only."""
CHANGED: Final = 26
"""A gate pixel that differs by so much has changed; noise and compression stay below."""
CHANGED_COUNT: Final = 6
"""So many changed gate pixels are a change: about half of one pip."""
CALM_S: Final = 0.1
"""A zone is at rest when nothing moved for so long."""
INDEX_CONFIRMS: Final = 0.7
"""The index of a covered card confirms what was said of it from this confidence on."""


@dataclass(slots=True)
class Print:
    """How a thing looked when it was last read, and how it lies."""

    placed: Placed
    small: Small | None
    """None of what is not read whole."""
    shown: tuple[Shown, ...] = ()
    """Indices that show on it, as they were read once it was sure."""
    of: Card | None = None
    """Which card it was sure to be then."""


class ZoneView:
    """The pixels of one zone and its book."""

    def __init__(
        self,
        layout: Layout,
        where: Window,
        tracks: Iterator[int],
        corners: FindsCorners | None = None,
    ) -> None:
        """Begin empty; `corners` reads again what was found when it was the zone's turn."""
        self.corners = corners
        self.layout = layout
        self.where = where
        self.book = ZoneBook(where.zone.id, tracks)
        self._work: Generator[float, None, list[Placed] | None] | None = None
        """What was begun in an earlier frame and is gone on with in the next."""
        self._due_ms = 0.0
        """What its next step costs."""
        self._plan: Plan | None = None
        self._before: Image | None = None
        self._stable: Image | None = None
        self._looked: Image | None = None
        """The view of which `_last` was found."""
        self._last: list[Placed] = []
        self._stood: list[Placed] | None = None
        """What was found in the stable view."""
        self._compared: list[Placed] | None = None
        """What was compared with how it looked before; once for each time that it is found."""
        self._touched = Touched()
        self._moved_s = float("-inf")
        self._prints: dict[int, Print] = {}

    @property
    def waits(self) -> bool:
        """Whether a frame had no time left for what is to be found here."""
        return self._work is not None

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

    def look(self, frame: Image, turn: Turn) -> list[Ask]:
        """Look at one frame; the crops that are to be read in it."""
        window = self.where.cut(frame)
        view = np.ascontiguousarray(window[::COARSE, ::COARSE, 1])
        before, self._before = self._before, view
        if before is None or differ(view, before, 1.0):
            return self._moves(view, before, turn)
        changed = self._stable is None or differ(view, self._stable, turn.gain)
        if not changed and not self.busy and not self._touched:
            return self._read_again(frame, turn)
        self._doubt()
        if not changed:
            self._work = None
        if not changed and not self.book.open:
            self.book.same()
            return []
        placed = self._stands(view) if not changed else None
        if placed is None:
            placed = self._find(frame, view, turn)
        if self.waits:
            # Nothing is said of a zone before there was time to look into it.
            self.book.move()
            return []
        if placed is None:
            return self._moves(view, before, turn)
        return self._rest(placed, frame, turn)

    def conclude(self, turn: Turn) -> None:
        """Decide after the readings of a frame, and remember the view once all is decided."""
        rested = turn.now_s - self._moved_s >= CALM_S - 1e-6
        if not self.book.moving:
            self.book.decide(rested=rested)
            if not self.book.open and rested and self._before is not None:
                # Kept as in even light, so that a drift of the lamp is no change.
                self._stable = scaled(self._before, 1 / turn.gain)
                self._stood = self._last if self._looked is not None else self._stood

    def blind(self) -> None:
        """Frames passed in which nothing could be seen: what lies here may have been exchanged."""
        self._touched.everywhere()

    def _stands(self, view: Image) -> list[Placed] | None:
        """What was found in the stable view, which this one equals."""
        if self._looked is None and self._stood is not None:
            self._looked, self._last = view, self._stood
        return None if self._looked is None else self._last

    def _doubt(self) -> None:
        """What something was over is no longer known to be what it was."""
        if self._touched:
            offset = np.asarray((self.where.x0, self.where.y0), dtype=np.float64)
            for thing in self.book.things:
                quad = np.asarray(thing.outline.quad, dtype=np.float64)
                if self._touched.holds((quad - offset) / COARSE):
                    thing.doubt()
            self._touched.clear()

    def _moves(self, view: Image, before: Image | None, turn: Turn) -> list[Ask]:
        """The zone moves, or something reaches into it: what was last stable stands."""
        self._moved_s = turn.now_s
        self._work = None
        if self._stable is not None:
            self._touched.note(view, scaled(self._stable, turn.gain), CHANGED)
        elif before is not None:
            self._touched.note(view, before, CHANGED)
        self._looked = None
        self.book.move()
        return []

    def _find(self, frame: Image, view: Image, turn: Turn) -> list[Placed] | None:
        """What lies here; None if something covers the zone, or if it `waits` for more time."""
        if self._work is None:
            if self._looked is not None and not differ(view, self._looked, 1.0):
                return self._last
            self._work, self._due_ms = self._searching(frame, view, turn), LOCATE_MS
        while turn.budget.take(self._due_ms):
            try:
                self._due_ms = next(self._work)
            except StopIteration as done:
                self._work = None
                found: list[Placed] | None = done.value
                return found
        return None

    def _searching(
        self, frame: Image, view: Image, turn: Turn
    ) -> Generator[float, None, list[Placed] | None]:
        """Find what lies in a still frame; yields what each next step costs."""
        sight = locate(self.layout, self.where, frame, turn.empty, turn.gain)
        if sight.covered:
            return None
        placed: list[Placed] = []
        for found in sight.things:
            placed += yield from self._taken_apart(found, sight, frame)
        self._looked, self._last = view, placed
        return placed

    def _taken_apart(
        self, found: Found, sight: Sight, frame: Image
    ) -> Generator[float, None, list[Placed]]:
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
        steps = taking_apart(self._plan, view, sight.mask_of(found), known, self.corners)
        parts = yield from steps
        return parts or [alone]

    def _rest(self, placed: list[Placed], frame: Image, turn: Turn) -> list[Ask]:
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
        for number, (thing, each) in enumerate(zip(things, placed, strict=True)):
            if each.changed:
                thing.forget()
                self._prints.pop(thing.track, None)
                placed[number] = replace(each, changed=False)
            if each.covered:
                wanted += self._covered(thing, each, frame, turn)
                continue
            if not each.card_shaped:
                self._prints[thing.track] = Print(each, None)
                if thing.wants(turn.now_s):
                    thing.vote(UNSEEN, turn.now_s)
                continue
            if self._compared is not placed or thing.track not in self._prints:
                self._compare(thing, each, rectify(frame, each.quad), frame)
            if thing.wants(turn.now_s):
                wanted.append(Ask(thing, rectify(frame, each.quad)))
        self._compared = placed
        return wanted

    def _covered(self, thing: Thing, placed: Placed, frame: Image, turn: Turn) -> list[Ask]:
        """A card that lies under another one: what was read of it stands, it is only compared."""
        known = self._prints.get(thing.track)
        small = None if known is None or not placed.track else known.small
        found_anew = not placed.track and (known is None or known.placed is not placed)
        kept = Print(placed, small) if known is None else known
        self._prints[thing.track] = replace(kept, placed=placed, small=small)
        if found_anew and thing.settled and not self._still_named(thing, placed, frame):
            # Nothing compared it with what was read here: another card may lie in its place.
            thing.forget()
        if thing.doubted and thing.wants(turn.now_s) and turn.budget.take(SHOWN_MS):
            self._confirm(thing, placed, frame, turn)
        if thing.settled and (thing.said is None or thing.said.sure):
            return []
        return self._ask_covered(thing, placed, frame, turn)

    def _confirm(self, thing: Thing, placed: Placed, frame: Image, turn: Turn) -> None:
        """Read the index that shows on a covered card over which something was.

        It must say what it said when the card was whole, or what was said of the card. Another
        card that it names takes away what was said; so does one that names none well, time and
        again, and one that could be read before, lies free and cannot be found. Where none shows
        the card is only compared.
        """
        known, said = self._prints[thing.track], thing.said
        if self.corners is None or said is None:
            thing.trust()
            return
        before = known.shown if known.of == said.card else ()
        found = self._shown(placed, frame, before)
        wanted = {said.card, *(one.index.card for one in before)}
        other = [index for index in named(found, AGAINST) if index.card not in wanted]
        same = [one for one in found if one.index.card in wanted]
        if other:
            best = max(other, key=lambda index: index.confidence)
            vote = Vote(look=Look.FACE, card=best.card, confidence=best.confidence)
            self._prints[thing.track] = replace(known, shown=tuple(found), of=best.card)
        elif named(same, INDEX_CONFIRMS):
            if not before:
                self._prints[thing.track] = replace(known, shown=tuple(same), of=said.card)
            thing.trust()
            return
        elif said.look is not Look.FACE or not (found or _one_free(before, placed)):
            thing.trust()
            return
        else:
            vote = UNSEEN
        thing.vote(vote, turn.now_s)

    def _take_indices(self, frame: Image, turn: Turn) -> None:
        """Keep what the indices of a card say that is whole and sure, while nothing else is done.

        The reader of indices may always take one for another in an odd design: what counts later
        is whether it says the same.
        """
        for thing in self.book.things:
            known, said = self._prints.get(thing.track), thing.said
            if known is None or said is None or not said.sure or said.card is None:
                continue
            if known.of == said.card or known.placed.covered or known.small is None:
                continue
            if not turn.budget.take(SHOWN_MS):
                return
            found = self._shown(known.placed, frame)
            self._prints[thing.track] = replace(known, shown=tuple(found), of=said.card)
            return

    def _still_named(self, thing: Thing, placed: Placed, frame: Image) -> bool:
        """Whether the corners of a covered card name what was said of it before."""
        index = self._by_indices(placed.indices, frame)
        return (
            index is not None
            and thing.said is not None
            and index.card == thing.said.card
            and index.confidence >= INDEX_WITH_WHOLE
        )

    def _ask_covered(self, thing: Thing, placed: Placed, frame: Image, turn: Turn) -> list[Ask]:
        """Read a covered card by its index corners, and by what can be seen of the rest."""
        if not thing.wants(turn.now_s):
            return []
        known = self._prints[thing.track]
        search = not (placed.indices or known.shown)
        # Its indices are not read before there is time to read the rest of it too.
        if not turn.budget.take(READ_MS + (SHOWN_MS if search else INDEX_MS)):
            return []
        if search:
            known = replace(known, shown=tuple(self._shown(placed, frame)))
            self._prints[thing.track] = known
        corners = placed.indices or tuple(one.corner for one in known.shown)
        by_index = self._by_indices(corners, frame)
        if by_index is None:
            thing.vote(UNSEEN, turn.now_s)
            return []
        quad, others = self._among(placed)
        hidden = covered_part(quad, placed, corners, others)
        return [Ask(thing, filled(rectify(frame, placed.quad), hidden), by_index, paid=True)]

    def _shown(self, placed: Placed, frame: Image, before: Sequence[Shown] = ()) -> list[Shown]:
        """The indices that show on a covered card."""
        if self.corners is None:
            return []
        quad, others = self._among(placed)
        corners = [other for other, _ in others]
        return shown(self.where.cut(frame), quad, placed.hidden, self.corners, before, corners)

    def _among(self, placed: Placed) -> tuple[Quad, list[tuple[Quad, Placed]]]:
        """A card's corners in pixels of the zone's window, and the other cards here with theirs."""
        offset = (self.where.x0, self.where.y0)
        quad = placed.quad - offset
        others = [(each.quad - offset, each) for each in self._last if each.card_shaped]
        return quad, [each for each in others if np.abs(each[0] - quad).max() > 1.0]

    def _by_indices(self, corners: Sequence[Corner], frame: Image) -> Physical | None:
        """What the index corners of a covered card say; None if there is nothing to read."""
        if not corners or self.corners is None or self._plan is None:
            return None
        votes = self.corners.read(self.where.cut(frame), corners)
        told = (
            index_of(corner, vote, self.corners.temperature)
            for corner, vote in zip(corners, votes, strict=True)
        )
        seen = [index for index in told if index is not None]
        cards = assemble([], seen, size=self._plan.card_px)
        if not cards:
            return None
        best = max(cards, key=lambda card: (card.sure, card.confidence))
        if any(other.card != best.card and other.confidence >= AGAINST for other in cards):
            return replace(best, sure=False, confidence=min(best.confidence, 0.4))
        return best

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
        # It was moved, or is another card: those of one rank and colour look alike this small, so
        # that even what looks the same is read anew.
        thing.forget()
        self._prints[thing.track] = Print(placed, shrink(crop))

    def _read_again(self, frame: Image, turn: Turn) -> list[Ask]:
        """Cards that are not sure yet are read again from time to time."""
        self._take_indices(frame, turn)
        wanted = []
        for thing in self.book.things:
            known = self._prints.get(thing.track)
            if known is None or not known.placed.card_shaped or not thing.wants(turn.now_s):
                continue
            if known.placed.covered:
                wanted += self._ask_covered(thing, known.placed, frame, turn)
            else:
                wanted.append(Ask(thing, rectify(frame, known.placed.quad)))
        return wanted


def _one_free(before: Sequence[Shown], placed: Placed) -> bool:
    """Whether one of the indices that a card had lies free."""
    return any(one.free(placed.hidden) for one in before)


def differ(one: Image, other: Image, gain: float) -> bool:
    """Whether two gate views differ in more than noise; `other` is brightened by `gain` first."""
    if gain != 1.0:
        other = scaled(other, gain)
    _, far = cv2.threshold(cv2.absdiff(one, other), CHANGED, 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(far) >= CHANGED_COUNT


def scaled(view: Image, gain: float) -> Image:
    """A view as it would be in other light."""
    return np.asarray(cv2.convertScaleAbs(view, alpha=gain), dtype=np.uint8)
