"""From frames to facts: what lies in a zone, once it is at rest and agreed upon.

Pure bookkeeping without pixels. Readings of several frames are averaged, never added: frames show
that a card is at rest and may contradict each other, but ten looks at one print are no more
evidence than one. Nothing new is said from a single frame.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from studio.domain.cards import Card
from studio.domain.observations import Look, SeenCard, ZoneSeen

WINDOW: Final = 6
"""Readings of one thing that are averaged."""
AGREE: Final = 2
"""So many sure readings must agree before a card is sure."""
SHARE: Final = 0.66
"""And they must be this part of the window."""
UNSURE_AFTER: Final = 5
"""Readings before a thing is given out as unsure."""
QUICK: Final = 3
"""The first readings follow frame by frame; later ones wait `AGAIN_S`."""
AGAIN_S: Final = 0.2
PATIENT_S: Final = 1.0
"""Time between readings of a card that has long been unsure."""
PATIENT_AFTER: Final = 20
GONE_AFTER: Final = 2
"""Looks in which a thing must be missing before it is gone."""
SAME_PLACE_MM: Final = 18.0
"""A thing that lies within this distance of an earlier one is the same."""
ROW_MM: Final = 44.0
"""Half the length of a card: what lies further below begins another row of slots."""
STILL_MM: Final = 2.5
"""A thing that shifted by less has not moved."""
CONFIRMS: Final = 0.9
"""A reading that is not sure confirms the card that was said from this confidence on."""
AGAINST: Final = 0.6
"""A reading of another card with so much takes the sureness of what was said away."""
DOUBTS: Final = 5
"""Readings that say neither before a card that was out of sight is read as if it had just come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One reading of one thing in one frame."""

    look: Look
    card: Card | None = None
    confidence: float = 0.0
    sure: bool = False
    second: Card | None = None


UNSEEN: Final = Vote(look=Look.UNKNOWN)
"""What is said of a thing that has no card's shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Where one thing lies in one frame."""

    x: float
    y: float
    """Middle in millimetres on the felt."""
    quad: tuple[tuple[int, int], ...]
    card_shaped: bool
    track: int = 0
    """Of the thing that it is known to be; 0 where only its place can tell."""


@dataclass(slots=True)
class Thing:
    """One thing in a zone, followed while it lies there."""

    track: int
    outline: Outline
    votes: deque[Vote] = field(default_factory=lambda: deque(maxlen=WINDOW))
    count: int = 0
    """Readings since it came or changed its appearance."""
    next_s: float = 0.0
    read_s: float = float("-inf")
    """When it was last read."""
    missing: int = 0
    said: SeenCard | None = None
    """What is given out about it; None until something is agreed."""
    settled: bool = False
    lay: bool = False
    """It lay here already when nothing was missing: it is not what went elsewhere meanwhile."""
    doubted: bool = False
    """Something lay or reached over it: another card may lie in its place, however alike."""
    tries: int = 0
    """Readings since it is doubted."""

    def forget(self) -> None:
        """Its appearance changed: read it anew. What was said stands until then."""
        self.votes.clear()
        self.count = 0
        self.next_s = 0.0
        self.settled = False
        self.doubted = False

    def doubt(self) -> None:
        """It was out of sight: what was surely said of it must be confirmed by a new reading."""
        if not self.settled:
            self.forget()
        elif self.said is None or not self.said.sure:
            self.votes.clear()
        else:
            self.doubted, self.tries, self.next_s = True, 0, 0.0

    def trust(self) -> None:
        """It is what it was: it was read again, or nothing of it can be read."""
        self.doubted = False

    def vote(self, vote: Vote, now_s: float, *, strict: bool = False) -> None:
        """Take one more reading; with `strict` only a sure one confirms what was said."""
        self.read_s = now_s
        if self.doubted and not self._refuted(vote, now_s, strict=strict):
            return
        self.votes.append(vote)
        self.count += 1
        wait = AGAIN_S if self.count < PATIENT_AFTER else PATIENT_S
        self.next_s = now_s if self.count < QUICK else now_s + wait

    def _refuted(self, vote: Vote, now_s: float, *, strict: bool) -> bool:
        """Whether a reading of a doubted card has it read as if it had just come."""
        told = self.said
        same = told is not None and (told.look, told.card) == (vote.look, vote.card)
        if same and (vote.sure or (vote.confidence >= CONFIRMS and not strict)):
            self.trust()
            return False
        self.tries += 1
        self.next_s = now_s if self.tries < QUICK else now_s + AGAIN_S
        named = vote.look is not Look.UNKNOWN and (vote.sure or vote.confidence >= AGAINST)
        if self.tries < DOUBTS and (same or not named):
            return False
        self.forget()
        return True

    def decide(self, *, rested: bool) -> None:
        """Say what the readings agree on, as soon as they do."""
        verdict = judge(self.votes)
        if verdict is None or not rested:
            return
        if not verdict.sure and self.count < UNSURE_AFTER:
            return
        self.settled = True
        told = self.said
        if told is not None and (told.look, told.card, told.sure) == (
            verdict.look,
            verdict.card,
            verdict.sure,
        ):
            return
        self.said = SeenCard(
            track=self.track,
            look=verdict.look,
            card=verdict.card,
            sure=verdict.sure,
            confidence_milli=min(999, int(1000 * verdict.confidence)),
            second=verdict.second,
            quad=self.outline.quad,
        )

    def wants(self, now_s: float) -> bool:
        """Whether it should be read in this frame."""
        sure = self.settled and self.said is not None and self.said.sure
        return (self.doubted or not sure) and now_s >= self.next_s


def judge(votes: Sequence[Vote]) -> Vote | None:
    """What some readings of one thing agree on, with the mean confidence; None without any."""
    if not votes:
        return None
    counts = Counter((vote.look, vote.card) for vote in votes)
    weight: dict[tuple[Look, Card | None], float] = dict.fromkeys(counts, 0.0)
    for vote in votes:
        weight[vote.look, vote.card] += vote.confidence
    winner = max(counts, key=lambda key: (weight[key], counts[key]))
    mine = [vote for vote in votes if (vote.look, vote.card) == winner]
    seconds = [vote.second for vote in mine if vote.second is not None]
    contradicted = any(vote.sure and (vote.look, vote.card) != winner for vote in votes)
    sure = (
        sum(vote.sure for vote in mine) >= AGREE
        and len(mine) >= SHARE * len(votes)
        and mine[-1] is votes[-1]
        and mine[-1].sure
        and not contradicted
    )
    return Vote(
        look=winner[0],
        card=winner[1],
        confidence=weight[winner] / len(votes),
        sure=sure,
        second=seconds[-1] if seconds else None,
    )


def by_slots(outlines: Sequence[Outline]) -> list[int]:
    """Numbers of the outlines in the order of a zone's slots: row by row, each left to right.

    So `layout.Zone` counts slots. The rows begin at the upper edge of the felt's plan; a row is
    what lies less than `ROW_MM` below its uppermost card.
    """
    rows: list[list[int]] = []
    for number in sorted(range(len(outlines)), key=lambda at: outlines[at].y):
        if rows and outlines[number].y - outlines[rows[-1][0]].y < ROW_MM:
            rows[-1].append(number)
        else:
            rows.append([number])
    return [number for row in rows for number in sorted(row, key=lambda at: outlines[at].x)]


@dataclass(slots=True)
class ZoneBook:
    """What is known of one zone."""

    zone: str
    tracks: Iterator[int]
    things: list[Thing] = field(default_factory=list)
    moving: bool = False

    def remember(self, outline: Outline, said: SeenCard) -> None:
        """Take over what an earlier eye said lies here; it is read anew and keeps its track."""
        self.things.append(Thing(said.track, outline, said=said, lay=True))

    def move(self) -> None:
        """The zone moves or is covered; what was last stable stands."""
        self.moving = True

    def rest(self, outlines: Sequence[Outline]) -> list[Thing]:
        """The zone is still and holds these; one thing for each, in the same order."""
        self.moving = False
        matched = self._match(outlines)
        for thing in self.things:
            thing.missing = 0 if thing in matched.values() else thing.missing + 1
        # What was never told and is gone was no thing.
        self.things = [t for t in self.things if t.said is not None or t.missing < GONE_AFTER]
        for number, thing_here in matched.items():
            self._shift(thing_here, outlines[number])
        # What came at once came in an order that nobody saw: it is told as the slots are dealt.
        for number in by_slots(outlines):
            if number not in matched:
                matched[number] = Thing(next(self.tracks), outlines[number])
                self.things.append(matched[number])
        return [matched[number] for number in range(len(outlines))]

    def same(self) -> None:
        """The zone is still and looks as it did when it was last looked at."""
        self.moving = False

    def decide(self, *, rested: bool) -> None:
        """Settle what can be settled, and recognise a moved card as the same one."""
        for thing in self.things:
            if not thing.settled or (thing.said is not None and not thing.said.sure):
                thing.decide(rested=rested)
        if rested:
            self._adopt()
        # What is gone stays in the book until all that came is known, as it may be among it, and
        # is not gone before the zone has come to rest.
        if rested and all(thing.settled or thing.missing for thing in self.things):
            self.things = [thing for thing in self.things if thing.missing < GONE_AFTER]
        if not self.open:
            for thing in self.things:
                thing.lay = True

    @property
    def open(self) -> bool:
        """Whether something is not agreed on yet, so that the next frame must be looked at."""
        return any(thing.doubted or not thing.settled or thing.missing for thing in self.things)

    def seen(self) -> ZoneSeen:
        """What is given out about the zone."""
        cards = tuple(thing.said for thing in self.things if thing.said is not None)
        return ZoneSeen(zone=self.zone, settled=not (self.moving or self.open), cards=cards)

    def _match(self, outlines: Sequence[Outline]) -> dict[int, Thing]:
        """The nearest earlier thing of each outline, each used once, nearest pairs first."""
        pairs = sorted(
            (distance, number, index)
            for number, outline in enumerate(outlines)
            for index, thing in enumerate(self.things)
            if (distance := _distance(outline, thing.outline)) <= SAME_PLACE_MM
        )
        tracks = {thing.track: index for index, thing in enumerate(self.things)}
        matched: dict[int, Thing] = {}
        used: set[int] = set()
        for number, outline in enumerate(outlines):
            if outline.track in tracks:
                matched[number] = self.things[tracks[outline.track]]
                used.add(tracks[outline.track])
        for _, number, index in pairs:
            if number not in matched and index not in used:
                matched[number] = self.things[index]
                used.add(index)
        return matched

    @staticmethod
    def _shift(thing: Thing, outline: Outline) -> None:
        """Follow a thing to where it lies now; a tremble of the outline is not told."""
        reshaped = outline.card_shaped != thing.outline.card_shaped
        if reshaped or _distance(outline, thing.outline) > STILL_MM:
            thing.outline = outline
            if thing.said is not None:
                thing.said = replace(thing.said, quad=outline.quad)
        if reshaped:
            thing.forget()

    def _adopt(self) -> None:
        """A sure card that came while the same one went is that card, moved: it keeps its track."""
        for old in [thing for thing in self.things if thing.missing >= GONE_AFTER]:
            for new in self.things:
                moved = (
                    new.said is not None
                    and old.said is not None
                    and new.said.sure
                    and not new.lay
                    and new.track > old.track
                    and not new.missing
                    and new.said.card is not None
                    and new.said.card == old.said.card
                )
                if moved and new.said is not None:
                    new.track = old.track
                    new.said = replace(new.said, track=old.track)
                    self.things.remove(old)
                    # Order of arrival: it takes the place of the one that it is.
                    self.things.sort(key=lambda thing: thing.track)
                    break


def _distance(one: Outline, other: Outline) -> float:
    """Between the middles, in millimetres."""
    return float(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5)
