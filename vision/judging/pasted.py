"""Photographs of real cards laid into the synthetic camera, their deck enrolled from other ones.

A deck counts if some of its cards were photographed whole more than once: one photograph of each
card is shown to the camera, as an operator would, and all others of it are read. Each photograph
brings its own light, shadow and sharpness, on top of those of the table.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
import numpy as np

from vision.corners import Corners
from vision.deck import EnrolledDeck, look_at, made_of
from vision.deckfile import DeckHead
from vision.judging.bench import BOXES, Bench, Said, counted
from vision.judging.photos import HELD_OUT, load
from vision.judging.units import Outcome, Unit
from vision.locate import Image, order, rectify
from vision.reader import Reader
from vision.synthetic.boxes import BOX_MM
from vision.synthetic.deck import TEXTURE, finish

ROW: Final = "pasted"
SMALLEST_PX: Final = 64.0
"""A photograph of a narrower card is no print any more: the table would show it larger than it
was taken."""
FEWEST: Final = 8
"""A deck of which fewer cards were photographed twice is left out."""

Views = Mapping[str, Sequence[Image]]
"""Faces by code: all photographs of a card, in the order of the labels."""


def decks(photos: Path) -> dict[str, int]:
    """Set and deck of each deck that counts, with its readings in one pass."""
    found = {}
    for key, cards in _labelled(photos).items():
        many = {code: len(views) for code, views in cards.items() if len(views) > 1}
        if len(many) >= FEWEST:
            found[key] = sum(many.values()) - len(many)
    return found


def units(photos: Path, readings: int) -> list[Unit]:
    """Passes over all decks in turn, the deck enrolled from other photographs each time.

    At least one pass of each, else as many as make so many readings.
    """
    counts = decks(photos)
    passes = max(1, round(readings / max(1, sum(counts.values()))))
    return [
        Unit(f"pasted {deck} {at}", pasted, {"photos": str(photos), "deck": deck, "at": at})
        for at in range(passes)
        for deck in counts
    ]


def pasted(photos: str, deck: str, at: int) -> list[Outcome]:
    """One pass over a deck: enrol it from the photographs of number `at`, read all others."""
    views = _views(Path(photos), deck)
    reader, corners = Reader(), Corners()
    learnt = {code: shots[at % len(shots)] for code, shots in views.items()}
    rest = {
        f"{code}#{number}": shot
        for code, shots in views.items()
        for number, shot in enumerate(shots)
        if number != at % len(shots)
    }
    keys = list(np.random.default_rng(at).permutation(sorted(rest)))
    said: list[Said] = []
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        reader.deck = enrolled(reader, learnt, 1000 + at, folder)
        bench = Bench(reader, corners, 100 + at, faces=rest)
        bench.start(folder)
        for first in range(0, len(keys), BOXES):
            few = enumerate(keys[first : first + BOXES])
            said += bench.lay([bench.anyhow(box, str(key)) for box, key in few], folder)
            bench.clear(folder)
    shown = deck.split("/", maxsplit=1)[0] not in HELD_OUT
    return [counted(ROW, deck, said, shown=shown)]


def enrolled(reader: Reader, faces: Mapping[str, Image], seed: int, folder: Path) -> EnrolledDeck:
    """A deck of which each face was shown once, alone in a box, and cut out where the eye saw it.

    Where the eye did not see it, its true outline is used, as if it had been drawn by hand.
    """
    bench = Bench(reader, None, seed, faces=faces)
    bench.start(folder)
    shown = []
    codes = sorted(faces)
    for first in range(0, len(codes), BOXES):
        cards = [
            bench.place(box, code, BOX_MM[0] / 2, BOX_MM[1] / 2, 0.0)
            for box, code in enumerate(codes[first : first + BOXES])
        ]
        for card, said in zip(cards, bench.lay(cards, folder), strict=True):
            quad = bench.scene.quad(card)
            if said.last is not None and said.last.quad:
                quad = np.asarray(said.last.quad, np.float64)
            shown.append((card.code, look_at(reader, rectify(bench.image, quad))))
        bench.clear(folder)
    head = DeckHead(name="photographs", sha256="", made_at="", reader=reader.version, finished=True)
    return made_of(head, shown)


def _labelled(photos: Path) -> dict[str, dict[str, list[tuple[Path, np.ndarray]]]]:
    """Whole cards with an outline that is large enough, by set and deck and by code."""
    found: dict[str, dict[str, list[tuple[Path, np.ndarray]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for photo in load(photos):
        for label in photo.labels:
            if not (label.is_card and label.whole) or label.outline is None:
                continue
            quad = order(label.outline)
            if np.hypot(*(np.roll(quad, -1, axis=0) - quad).T).min() >= SMALLEST_PX:
                found[f"{photo.set}/{photo.deck}"][label.code].append((photo.path, quad))
    return {deck: dict(cards) for deck, cards in sorted(found.items())}


def _views(photos: Path, deck: str) -> dict[str, list[Image]]:
    """The faces of a deck, cut out and straightened."""
    wide, high = TEXTURE[0] * 2, TEXTURE[1] * 2
    target = np.asarray([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
    out: dict[str, list[Image]] = {}
    pictures: dict[Path, Image] = {}
    for code, shots in _labelled(photos)[deck].items():
        for path, quad in shots:
            if path not in pictures:
                image = cv2.imread(str(path))
                if image is None:
                    raise RuntimeError(f"{path}: this photograph cannot be read")
                pictures[path] = np.asarray(image, np.uint8)
            to = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
            face = cv2.warpPerspective(pictures[path], to, (wide, high), flags=cv2.INTER_AREA)
            out.setdefault(code, []).append(finish(np.asarray(face, np.uint8)))
    return out
