"""A film of a simulated table through a codec and the eye, held against the truth of each frame."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from studio.domain.cards import HIDDEN
from studio.domain.observations import (
    CameraFit,
    CameraObservation,
    CameraUnfit,
    CardsSeen,
    SeenCard,
    ZoneSeen,
)
from vision.corners import Corners
from vision.deck import CUT, FACES, load_deck, look_at, made_of
from vision.deckfile import DeckHead
from vision.enrol import Enrolment
from vision.eye import Eye
from vision.layout import Layout
from vision.locate import rectify
from vision.reader import Reader
from vision.synthetic.designs import Design
from vision.synthetic.film import RATE, Film, Shot, Truth
from vision.synthetic.scene import Scene, decode, encode
from vision.synthetic.video import PIECE, Image, Video
from vision.synthetic.world import World
from vision.tableview import Reads

IN_THE_SCENE = ("knocked", "dark", "blur")
"""Incidents that the picture shows before it is compressed."""
TOLD_AS = {
    "stalled": "frozen",
    "lost": "lost",
    "knocked": "knocked",
    "dark": "dark",
    "blur": "blur",
}
"""What the eye must call each incident; a restart is no fault of the picture."""
KINDS = (*TOLD_AS, "restarted")
LASTS = 40
"""Frames that an incident lasts: two seconds and two thirds."""
RECENT = 15
"""A report may speak of what lay there within so many frames: the eye settles before it tells."""
NEAR_PX = 45.0
"""A report that lies so near a card is about it: half a card's width."""
AFTER = 30
"""Frames after an incident in which a card may still be unread."""


@dataclass(slots=True)
class Tally:
    """What came of a film."""

    frames: int = 0
    seconds: float = 0.0
    cards: dict[int, str] = field(default_factory=dict)
    """Code of every card that lay at rest, by its number in the film."""
    sure: set[int] = field(default_factory=set)
    doubted: set[int] = field(default_factory=set)
    """Cards that were told as unsure at some time."""
    disturbed: set[int] = field(default_factory=set)
    """Cards that lay there while something was wrong with the camera."""
    wrong: list[str] = field(default_factory=list)
    """A sentence for every sure report that is not so."""
    waited: list[int] = field(default_factory=list)
    """Frames from the first one in which a card lay at rest to the report that was sure."""
    told: list[tuple[int, str]] = field(default_factory=list)
    """(frame, reason) of each fault of the camera; an empty reason when it saw again."""
    incidents: list[tuple[int, str]] = field(default_factory=list)
    megabits: float = 0.0

    @property
    def asked(self) -> list[int]:
        """Cards that were never read surely although nothing was wrong with the camera."""
        return sorted(self.cards.keys() - self.sure - self.disturbed)

    def summary(self) -> str:
        """One line of figures."""
        waited = np.asarray(self.waited or [0])
        return (
            f"{len(self.cards)} cards: {len(self.sure)} sure, {len(self.wrong)} wrong and sure, "
            f"{len(self.asked)} asked, {len(self.doubted & self.sure)} doubted first, "
            f"{len(self.disturbed - self.sure)} taken away unread in an incident; "
            f"{self.frames} frames of MPEG-4 at {self.megabits:.1f} Mbit/s, "
            f"{len(self.incidents)} incidents; from rest to sure {np.median(waited):.0f} frames, "
            f"{np.percentile(waited, 99):.0f} in 99 of 100; {self.seconds:.0f} s"
        )


class Watched:
    """An eye that watches a film, with what happens to the camera meanwhile."""

    def __init__(
        self,
        film: Film,
        layout: Layout,
        reader: Reads,
        folder: Path,
        *,
        incidents_every: int = 0,
    ) -> None:
        """`incidents_every` frames something happens to the camera; 0: never."""
        self._film = film
        self._layout = layout
        self._reader = reader
        self._folder = folder
        self._every = incidents_every
        self._corners = Corners()
        self._eye = Eye("film", layout, reader, corners=self._corners)
        self._zones: tuple[ZoneSeen, ...] = ()
        self._recent: deque[tuple[Truth, ...]] = deque(maxlen=RECENT)
        self._rested: dict[int, int] = {}
        self._last: Image | None = None
        self.tally = Tally()

    def run(self) -> Tally:
        """Watch the film to its end."""
        began = time.monotonic()
        video = Video(self._folder, self._layout.image, RATE)
        shots = self._staged()
        while piece := list(islice(shots, PIECE)):
            images = video.piece([shot.image for shot in piece])
            for shot, image in zip(piece, images, strict=True):
                self._frame(image, shot.truth)
        self.tally.megabits = video.megabits
        self.tally.seconds = time.monotonic() - began
        return self.tally

    def incident(self, number: int) -> str:
        """What is wrong with the camera in this frame; empty if nothing is."""
        if not self._every or number < self._every or number % self._every >= LASTS:
            return ""
        return KINDS[(number // self._every - 1) % len(KINDS)]

    def _staged(self) -> Iterator[Shot]:
        """The film, with the incidents that the picture shows."""
        number = 0
        shots = self._film.shots()
        while True:
            kind = self.incident(number)
            self._film.scene.faults = {kind} if kind in IN_THE_SCENE else set()
            shot = next(shots, None)
            if shot is None:
                return
            number += 1
            yield shot

    def _frame(self, image: Image, truth: tuple[Truth, ...]) -> None:
        """One frame as it comes out of the codec."""
        number = self.tally.frames
        self.tally.frames += 1
        self._recent.append(truth)
        kind = self.incident(number)
        for card in truth:
            self.tally.cards[card.key] = card.code
            self._rested.setdefault(card.key, number)
            if self._every and (kind or self.incident(number - AFTER)):
                self.tally.disturbed.add(card.key)
        if kind and kind != self.incident(number - 1):
            self.tally.incidents.append((number, kind))
            if kind == "restarted":
                self._restart()
        if kind == "stalled" and self._last is not None:
            image = self._last
        self._last = image
        if kind == "lost":
            reports = self._eye.tick(number / RATE)
        else:
            reports = self._eye.frame(image, number, number / RATE)
        self._judge(reports, image, number)

    def _restart(self) -> None:
        """A new process for the camera, which is told what the old one knew."""
        tracks = [card.track for zone in self._zones for card in zone.cards]
        self._eye = Eye(
            "film",
            self._layout,
            self._reader,
            empty=self._eye.empty,
            known=self._zones,
            first_track=max(tracks, default=0) + 1000,
            corners=self._corners,
        )

    def _judge(self, reports: Sequence[CameraObservation], image: Image, number: int) -> None:
        """Hold what is reported against the truth."""
        for report in reports:
            match report:
                case CameraUnfit(why=why):
                    self.tally.told.append((number, why.value))
                case CameraFit():
                    self.tally.told.append((number, ""))
                case CardsSeen(zones=zones):
                    self._zones = zones
                    # While a zone moves, what was said of it last stands and is used by nobody.
                    for zone in zones:
                        for card in zone.cards if zone.settled else ():
                            self._one(zone, card, image, number)
                case _:
                    pass

    def _one(self, zone: ZoneSeen, seen: SeenCard, image: Image, number: int) -> None:
        """One card of one report."""
        if seen.card is None:
            return
        middle = np.mean(np.asarray(seen.quad, dtype=np.float64), axis=0)
        near = {
            card.key: card
            for truth in self._recent
            for card in truth
            if card.zone == zone.zone and np.hypot(*(middle - card.at)) < NEAR_PX
        }
        if not seen.sure:
            self.tally.doubted |= near.keys()
            return
        right = [card for card in near.values() if card.code == str(seen.card)]
        if not right:
            there = " or ".join(card.code for card in near.values()) or "no card"
            text = f"frame {number}, zone {zone.zone}: {seen.card} is sure, but there lay {there}"
            self._keep(text, seen, image, number)
            self.tally.wrong.append(text)
        for card in right[-1:]:
            if card.key not in self.tally.sure:
                self.tally.sure.add(card.key)
                self.tally.waited.append(number - self._rested[card.key])

    def _keep(self, text: str, seen: SeenCard, image: Image, number: int) -> None:
        """Keep a picture of what was read wrongly."""
        quad = np.asarray(seen.quad)
        x0, y0 = np.maximum(0, quad.min(axis=0) - 30)
        x1, y1 = quad.max(axis=0) + 30
        name = f"{number:06d}-{seen.card}"
        cv2.imwrite(str(self._folder / f"{name}.png"), image[y0:y1, x0:x1])
        (self._folder / f"{name}.txt").write_text(text + "\n", encoding="utf-8")


def enrol(layout: Layout, reader: Reader, design: Design, folder: Path, *, seed: int) -> None:
    """Show each card of a design to the camera once, and give the deck to the reader.

    The session is the operator's own; the light is that of an ordinary moment, not of the film.
    """
    session = Enrolment(reader, folder / "film.deck", layout=layout)
    scene, world = Scene(layout, seed=seed, design=design), World(seed)
    session.do("look", {}, decode(encode(scene.frame())))
    for code in (*FACES, HIDDEN, CUT):
        card = world.lay(
            "P",
            CUT if code == CUT else code if code != HIDDEN else "AS",
            face_up=code != HIDDEN,
            sideways=False,
        )
        scene.put(card, by_hand=False)
        picture = decode(encode(scene.frame()))
        answer = session.do("look", {"still": True}, picture)
        if answer["last"] != code:
            answer = session.do("name", {"card": code}, picture)
        scene.remove([each.key for each in world.clear("P")], by_hand=False)
    while again := [code for code, card in answer["cards"].items() if card["state"] == "again"]:
        answer = session.do("keep", {"card": again[0]}, None)
    session.do("save", {}, None)
    reader.deck = load_deck(folder / "film.deck")


def enrol_at_once(
    layout: Layout, reader: Reader, design: Design, codes: Sequence[str], *, seed: int
) -> None:
    """The same without a session, from where the cards are known to lie: in a fifth of the time."""
    scene, world = Scene(layout, seed=seed, design=design), World(seed)
    shown = []
    for code in codes:
        back = code == HIDDEN
        card = world.lay("P", "AS" if back else code, face_up=not back, sideways=False)
        scene.put(card, by_hand=False)
        picture = decode(encode(scene.frame()))
        assert picture is not None
        shown.append((code, look_at(reader, rectify(picture, scene.quad(card)))))
        scene.remove([each.key for each in world.clear("P")], by_hand=False)
    head = DeckHead(name="film", sha256="", made_at="", reader="", finished=True)
    reader.deck = made_of(head, shown)


def unnoticed(tally: Tally) -> list[str]:
    """Incidents that the eye did not call by their name, or from which it did not come back."""
    found = []
    for start, kind in tally.incidents:
        window = [(at, why) for at, why in tally.told if start <= at < start + LASTS + 2 * AFTER]
        if start + LASTS + AFTER > tally.frames:
            continue  # the film ended meanwhile
        if kind in TOLD_AS and TOLD_AS[kind] not in [why for _, why in window]:
            found.append(f"frame {start}: {kind} was told as {window}")
        elif kind in TOLD_AS and window[-1][1] != "":
            found.append(f"frame {start}: after {kind} the camera stays unfit: {window}")
    return found


def false_alarms(tally: Tally) -> list[tuple[int, str]]:
    """Faults of the camera that were told while nothing was wrong with it."""
    wrong = []
    for at, why in tally.told:
        near = [kind for start, kind in tally.incidents if start <= at < start + LASTS + AFTER]
        if why and not near:
            wrong.append((at, why))
    return wrong
