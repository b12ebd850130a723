"""Labelled samples for training and validation, drawn from a rolling pool of decks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import backs, decks
from vision.training.camera import CROP, Fault, Noise, shoot
from vision.training.style import Parts

FACE, BACK, CUT, OTHER = range(4)
LABELS: Final = 7
"""Rank (0-12), suit (0-3), kind, first and second index seen (1 yes, 0 no, -1 do not ask),
turned (1, 0, -1 for a card that looks the same), deck."""
Picture = NDArray[np.uint8]
STUDIO: Final = 0.35
"""Share of the training's samples in a studio's light, of cards about as wide as on a table."""
_STUDIO_PX: Final = (np.log(54), np.log(140))
_CUTS: Final = 60
_GROUNDS: Final = 150


def _skewed(rank: int, suit: int) -> bool:
    """Whether a card of an ordinary deck looks different upside down."""
    return rank == 6 or (suit != 1 and rank in (0, 2, 4, 5, 7, 8))


@dataclass(slots=True)
class Shelf:
    """One deck in use and its number."""

    deck: decks.Deck
    number: int


class Source:
    """An endless source of samples; the same seed gives the same stream."""

    def __init__(
        self,
        pool: Parts,
        seed: int,
        size: int,
        art: Sequence[decks.Deck],
        made: Sequence[decks.Deck] = (),
    ) -> None:
        """`size` decks of the pool are in use at a time, always beside those of art and `made`."""
        self._rng = np.random.default_rng(seed)
        self._pool = pool
        self._seed = seed
        self._made = 0
        self._size = size
        self._shelves = [Shelf(deck, -1 - k) for k, deck in enumerate(art)]
        self._noise = Noise(self._rng)
        self._cuts = [self._small(backs.cut_card(self._rng)) for _ in range(_CUTS)]
        self._grounds = [backs.ground(self._rng) for _ in range(_GROUNDS)]
        self._shelves += [Shelf(deck, 1 + k) for k, deck in enumerate(made)]
        self._art = len(self._shelves)
        while len(self._shelves) < size + self._art:
            self._shelves.append(self._new())

    @staticmethod
    def _small(picture: Picture) -> Picture:
        out = cv2.resize(picture, decks.KEPT[::-1], interpolation=cv2.INTER_AREA)
        return np.asarray(out, np.uint8)

    def _new(self) -> Shelf:
        self._made += 1
        number = self._seed * 1_000_003 + self._made
        return Shelf(decks.make(self._pool, number), self._made)

    def renew(self) -> None:
        """Put a new deck, a new ground and a new cut card in the place of old ones."""
        if self._size:
            at = self._art + int(self._rng.integers(self._size))
            self._shelves[at] = self._new()
        self._grounds[self._rng.integers(_GROUNDS)] = backs.ground(self._rng)
        self._cuts[self._rng.integers(_CUTS)] = self._small(backs.cut_card(self._rng))

    @property
    def decks_made(self) -> int:
        """How many procedural decks there have been."""
        return self._made

    @property
    def calm(self) -> Fault:
        """A camera with next to no faults."""
        return Fault(covered=0.0, calm=True)

    def face_of(self, at: int, width: float, fault: Fault) -> tuple[Picture, NDArray[np.int16]]:
        """Any card of the deck on shelf `at`, of so many pixels' width, with these faults."""
        rank, suit = int(self._rng.integers(13)), int(self._rng.integers(4))
        return self._face(self._shelves[at], rank, suit, width, fault)

    def sample(
        self, width: float = 0.0, *, faces_only: bool = False
    ) -> tuple[Picture, NDArray[np.int16]]:
        """One crop and its seven labels (see LABELS)."""
        rng = self._rng
        shelf = self._shelves[rng.integers(len(self._shelves))]
        deck = shelf.deck
        pick = 1.0 if faces_only else rng.random()
        studio = self._pool.wild and bool(rng.random() < STUDIO)
        if studio and not width:
            width = float(np.exp(rng.uniform(*_STUDIO_PX)))
        if pick < 0.05:
            return self._plain(deck.back, BACK, shelf, width)
        if pick < 0.09:
            return self._plain(self._cuts[rng.integers(_CUTS)], CUT, shelf, width)
        if pick < 0.15 and shelf.number > 0:
            return self._plain(deck.others[rng.integers(decks.OTHERS)], OTHER, shelf, width)
        if pick < 0.20:
            return self._misplaced(shelf, width)
        if pick < 0.225:
            return self._scrap(shelf)
        rank, suit = int(rng.integers(13)), int(rng.integers(4))
        fault = Fault(covered=0.0, studio=True) if studio else Fault()
        return self._face(shelf, rank, suit, width, fault)

    def _ground(self) -> Picture:
        return self._grounds[self._rng.integers(_GROUNDS)]

    def _shoot(
        self, card: Picture, deck: decks.Deck, fault: Fault, width: float
    ) -> tuple[Picture, NDArray[np.bool_]]:
        near = [*deck.faces[self._rng.integers(0, 52, 3)], deck.back]
        return shoot(card, near, self._ground(), self._noise, fault, self._rng, width)

    def _face(
        self, shelf: Shelf, rank: int, suit: int, width: float, fault: Fault
    ) -> tuple[Picture, NDArray[np.int16]]:
        card = shelf.deck.faces[rank * 4 + suit]
        crop, hidden = self._shoot(card, shelf.deck, fault, width)
        seen = [int(not value) for value in hidden]
        turned = bool(self._rng.random() < 0.5)
        if turned:
            crop = np.ascontiguousarray(crop[::-1, ::-1])
            seen.reverse()
        way = int(turned) if _skewed(rank, suit) else -1
        return crop, np.array([rank, suit, FACE, *seen, way, shelf.number], np.int16)

    def _plain(
        self, card: Picture, kind: int, shelf: Shelf, width: float
    ) -> tuple[Picture, NDArray[np.int16]]:
        crop, _ = self._shoot(card, shelf.deck, Fault(), width)
        if self._rng.random() < 0.5:
            crop = np.ascontiguousarray(crop[::-1, ::-1])
        return crop, np.array([-1, -1, kind, 0, 0, -1, shelf.number], np.int16)

    def _misplaced(self, shelf: Shelf, width: float) -> tuple[Picture, NDArray[np.int16]]:
        """A card cut sideways, beside its place or at the wrong size: none of it may be read."""
        rng = self._rng
        kind = int(rng.integers(4))
        way = rng.choice([-1.0, 1.0], 2)
        shift = rng.uniform(0.2, 0.6, 2) * way if kind == 1 else (0.0, 0.0)
        scale = 1.0
        if kind == 2:
            scale = float(rng.uniform(0.4, 0.75) if rng.random() < 0.5 else rng.uniform(1.3, 1.9))
        sideways = kind == 0 or (kind == 3 and rng.random() < 0.5)
        if kind == 3:
            shift = (float(way[0] * rng.uniform(0.15, 0.5)), 0.0)
        moved = (float(shift[0]), float(shift[1]))
        fault = Fault(shift=moved, scale=scale, sideways=sideways)
        card = shelf.deck.faces[rng.integers(52)]
        crop, _ = self._shoot(card, shelf.deck, fault, width)
        seen = 0 if sideways else -1
        return crop, np.array([-1, -1, OTHER, seen, seen, -1, shelf.number], np.int16)

    def _scrap(self, shelf: Shelf) -> tuple[Picture, NDArray[np.int16]]:
        """A piece of table with nothing on it, a hand, or flat colour."""
        rng, ground = self._rng, self._ground()
        high, wide = (int(v * rng.uniform(0.5, 1.9)) for v in CROP)
        y, x = int(rng.integers(420 - high)), int(rng.integers(420 - wide))
        crop = np.asarray(cv2.resize(ground[y : y + high, x : x + wide], CROP[::-1]), np.uint8)
        if rng.random() < 0.35:
            tone = rng.uniform((60, 80, 110), (190, 200, 240))
            for _ in range(int(rng.integers(1, 5))):
                ends = [tuple(int(v) for v in rng.integers(-40, 200, 2)) for _ in range(2)]
                cv2.line(crop, ends[0], ends[1], tone.tolist(), int(rng.integers(10, 60)))
        crop = self._noise.add(crop, rng.uniform(0.5, 9), rng)
        return crop, np.array([-1, -1, OTHER, 0, 0, -1, shelf.number], np.int16)
