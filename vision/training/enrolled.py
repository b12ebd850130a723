"""How often the reader is right, asks and is wrong with an enrolled deck of a held-out design.

The rows of VISION.md 3 for a calibrated table whose deck was enrolled from one view of each card.
Usage: python -m vision.training.enrolled --art ART --work WORK [--designs 24] [--jobs 1]
       [--rounds 1] [--half 1]
"""

import argparse
import multiprocessing as mp
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import CUT
from vision.deck import ALIKE, EnrolledDeck, look_at, made_of
from vision.deckfile import DeckHead
from vision.prototypes import BACK, FACES
from vision.reader import CardKind, Reader, Reading
from vision.training import backs, decks, families
from vision.training.camera import Noise, shoot
from vision.training.evaluate import GRADES, HEAD, Row, Shown

Picture = NDArray[np.uint8]
SHOWN_PX: Final = 90.0
"""Width of a card when it is shown to be enrolled."""
WIDTHS: Final = (64.0, 90.0, 126.0)
OTHER: Final = "other deck"
UNLIKE: Final = "studio, designs without look-alikes"
_SEED: Final = 78
GROUNDS: Final = 12
"""Tables on which the cards of one design lie."""


@dataclass(slots=True)
class Rows:
    """What came of all designs."""

    rows: dict[str, Row] = field(default_factory=dict)
    alike: dict[str, int] = field(default_factory=dict)
    """How many pairs of each design looked too much alike at enrolment."""
    odd: dict[str, int] = field(default_factory=dict)
    """How many cards of each design the general reader takes for others."""
    plain: dict[str, list[int]] = field(default_factory=dict)
    """Of the back, the cut card and what is no card: shown, named rightly and sure, taken for a
    card and sure."""

    def add(self, name: str, shown: Shown, reading: Reading) -> None:
        """Count one face."""
        self.rows.setdefault(name, Row()).add(shown, reading)

    def count(self, what: str, reading: Reading, kind: CardKind) -> None:
        """Count something that is no face."""
        tally = self.plain.setdefault(what, [0, 0, 0])
        tally[0] += 1
        tally[1] += reading.sure and reading.kind is kind
        tally[2] += reading.sure and reading.kind is CardKind.FACE

    def join(self, other: "Rows") -> None:
        """Count those of other designs too."""
        for name, row in other.rows.items():
            self.rows.setdefault(name, Row()).join(row)
        self.alike |= other.alike
        self.odd |= other.odd
        for what, tally in other.plain.items():
            mine = self.plain.get(what, [0, 0, 0])
            self.plain[what] = [a + b for a, b in zip(mine, tally, strict=True)]

    def text(self) -> str:
        """The tables."""
        lines = [HEAD, *(row.line(name) for name, row in self.rows.items()), ""]
        lines += ["| what | shown | named rightly and sure | a card and sure |", "| -- " * 4 + "|"]
        lines += [
            f"| {what} | {n} | {good} | {bad} |" for what, (n, good, bad) in self.plain.items()
        ]
        some = [f"{name}: {count}" for name, count in self.alike.items() if count]
        lines += ["", f"Pairs too much alike at enrolment: {', '.join(some) or 'none'}."]
        some = [f"{name}: {count}" for name, count in self.odd.items() if count]
        lines += [f"Cards that the reader takes for others: {', '.join(some) or 'none'}."]
        wrong = [f"{name}: {what} × {n}" for name, row in self.rows.items()
                 for what, n in row.errors.items()]  # fmt: skip
        return "\n".join([*lines, f"Wrong and sure: {'; '.join(wrong) or 'none'}."])


def enrolled_rows(
    reader: Reader,
    work: Path,
    root: Path,
    *,
    designs: int = 24,
    share: tuple[int, int] = (0, 1),
    rounds: int = 1,
    half: int = 1,
) -> Rows:
    """Enrol so many held-out designs, each card from one calm view, and read each again.

    Each card is read `rounds` times in a studio's light and once with all faults of the training,
    in a fresh scene, 64 to 126 pixels wide; then cards of another design are shown to the deck.
    About ten seconds a design and one more for each round on one core. `root` holds the art, `work`
    its cache; `share` takes the first one of so many shares of the designs, or another; `half` 0
    takes the designs for fitting.
    """
    held = families.held(work, root, half, 2)
    rng = np.random.default_rng((_SEED, share[0]))
    places = np.linspace(0, len(held.decks) - 1, designs).astype(int)[share[0] :: share[1]]
    out = Rows()
    for at in dict.fromkeys(places.tolist()):
        shelf = Bench(held.decks[at], rng)
        deck = shelf.enrol(reader)
        name, family = held.designs[at], held.families[at]
        out.alike[name] = int(np.triu(deck.between[:52, :52] < ALIKE, 1).sum())
        out.odd[name] = sum(deck.odd(code) for code in FACES)
        other = Bench(held.decks[(at + len(held.decks) // 2) % len(held.decks)], rng)
        reader.deck = deck
        try:
            for grade in ("studio",) * rounds + ("hard",):
                for truth, crop in shelf.faces(grade):
                    shown = Shown(crop=crop, truth=truth, family=family, design=name)
                    reading = reader.read([crop])[0]
                    out.add(grade, shown, reading)
                    if grade == "studio" and not out.alike[name]:
                        out.add(UNLIKE, shown, reading)
            for truth, crop in other.faces("studio"):
                shown = Shown(crop=crop, truth=truth, family=family, design=name)
                out.add(OTHER, shown, reader.read([crop])[0])
            for what, kind, crop in shelf.plain():
                out.count(what, reader.read([crop])[0], kind)
        finally:
            reader.deck = None
    return out


class Bench:
    """One design before the simulated camera."""

    def __init__(self, deck: decks.Deck, rng: np.random.Generator) -> None:
        self._grounds = [backs.ground(rng) for _ in range(GROUNDS)]
        self._noise = Noise(rng)
        self._deck = deck
        self._rng = rng
        cut = backs.cut_card(rng)
        size = decks.KEPT[::-1]
        self._cut = np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)

    def _face(self, code: str) -> Picture:
        """The printed card."""
        at = "A23456789TJQK".index(code[0]) * 4 + "CDHS".index(code[1])
        return np.asarray(self._deck.faces[at], np.uint8)

    def _crop(self, picture: Picture, grade: str, width: float) -> Picture:
        """One photograph of it, either way up."""
        near = [*self._deck.faces[self._rng.integers(0, 52, 3)], self._deck.back]
        ground = self._grounds[self._rng.integers(GROUNDS)]
        crop, _ = shoot(picture, near, ground, self._noise, GRADES[grade], self._rng, width)
        way = 1 if self._rng.random() < 0.5 else -1
        return np.ascontiguousarray(crop[::way, ::way])

    def enrol(self, reader: Reader) -> EnrolledDeck:
        """Show each card once."""
        head = DeckHead(name="", sha256="", made_at="", reader=reader.version, finished=True)
        things = [(code, self._face(code)) for code in FACES]
        things += [(BACK, np.asarray(self._deck.back, np.uint8)), (CUT, self._cut)]
        return made_of(
            head,
            [(code, look_at(reader, self._crop(one, "calm", SHOWN_PX))) for code, one in things],
        )

    def faces(self, grade: str) -> Iterator[tuple[int, Picture]]:
        """Each card once more: its place among the 52, and a photograph."""
        for truth, code in enumerate(FACES):
            width = float(WIDTHS[self._rng.integers(len(WIDTHS))])
            yield truth, self._crop(self._face(code), grade, width)

    def plain(self) -> Iterator[tuple[str, CardKind, Picture]]:
        """The back and the cut card several times, and the deck's jokers and adverts."""
        for _ in range(4):
            back = np.asarray(self._deck.back, np.uint8)
            yield "back", CardKind.BACK, self._crop(back, "studio", SHOWN_PX)
            yield "cut card", CardKind.CUT, self._crop(self._cut, "studio", SHOWN_PX)
        for one in self._deck.others:
            picture = np.asarray(one, np.uint8)
            yield "no card", CardKind.OTHER, self._crop(picture, "studio", SHOWN_PX)


def _part(given: argparse.Namespace, at: int) -> Rows:
    """The share of one process."""
    cv2.setNumThreads(1)
    return enrolled_rows(
        Reader(), given.work, given.art, designs=given.designs, share=(at, given.jobs),
        rounds=given.rounds, half=given.half,
    )  # fmt: skip


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--designs", type=int, default=24)
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the work")
    parser.add_argument("--rounds", type=int, default=1, help="readings of each card in a studio")
    parser.add_argument("--half", type=int, choices=(0, 1), default=1, help="0: for fitting")
    given = parser.parse_args()
    with mp.get_context("fork").Pool(given.jobs) as pool:
        parts = pool.starmap(_part, [(given, at) for at in range(given.jobs)])
    rows = Rows()
    for part in parts:
        rows.join(part)
    print(rows.text())


if __name__ == "__main__":
    main()
