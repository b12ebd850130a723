"""Designs held out of the training before the readers: rows that need its extra and its art.

`vision.training` draws these decks; it is in a checkout only, not in the package, and wants its
extra (`pip install -e '.[training]'`). It is asked for by name when a measurement begins, so that
nothing that runs depends on it.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.corners import Corners
from vision.judging.bench import jpeg_of
from vision.judging.units import Failed, Outcome, Unit
from vision.reader import CardKind, Reader, Reading

CALIBRATED: Final = "calibrated"
ENROLLED: Final = "enrolled"
ENROLLED_HARD: Final = "enrolled, all faults"
OTHER_DECK: Final = "other deck"
STRANGE: Final = "no face"
FOUND: Final = "visible indices"
WIDTHS: Final = (64, 90, 126)
SEED: Final = 4_000_000
"""Seeds from here on are of no training and no fitting."""
TURNS: Final = 10
"""Faces of each design in one piece of the row that is not enrolled."""
SCENES: Final = 12
"""Scenes of each kind and width in one piece of the row of indices."""
STRANGERS: Final = 150
INDEX_WIDTHS: Final = (90, 120)
"""Widths of cards at which an index must be found: 64 pixels and more."""


def lacking(art: Path | None) -> str:
    """Why these rows cannot be measured here, in a sentence; empty if they can."""
    if art is None:
        return "needs the art of the training: say where it is with --art"
    if not art.is_dir():
        return f"needs the art of the training: {art} is no folder"
    try:
        import_module("vision.training.families")
    except ImportError as error:
        return f"needs a checkout and its training extra ({error.name} is missing)"
    return ""


def units(art: Path, work: Path, readings: int, enrolled: int) -> list[Unit]:
    """Pieces of all rows: about so many readings not enrolled, and so many enrolled."""
    where = {"art": str(art), "work": str(work)}
    designs = len(_held(where["work"], where["art"], 2).decks)
    pieces = [
        Unit(f"calibrated {at}", calibrated, {**where, "at": at})
        for at in range(max(1, round(readings / (TURNS * 104))))
    ]
    turns, left = divmod(max(1, round(enrolled / 104)), designs)
    # Designs evenly spread, so that a short measurement has of all families.
    few = np.linspace(0, designs - 1, left).astype(int).tolist() if left else []
    rounds = [(at, turn) for turn in range(turns) for at in range(designs)]
    rounds += [(at, turns) for at in few]
    pieces += [
        Unit(f"enrolled {at} {turn}", enrolled_design, {**where, "at": at, "turn": turn})
        for at, turn in rounds
    ]
    pieces += [
        Unit(f"indices {at}", indices, {**where, "at": at})
        for at in range(max(1, round(readings / 2000)))
    ]
    return [*pieces, Unit("strangers", strangers, where)]


@cache
def _held(work: str, art: str, each: int) -> Any:
    """Held-out designs of the report's half, so many of each family."""
    return import_module("vision.training.families").held(Path(work), Path(art), 1, each)


def calibrated(art: str, work: str, at: int) -> list[Outcome]:
    """A calibrated table in a studio's light, the deck not enrolled."""
    evaluate = import_module("vision.training.evaluate")
    reader, held = Reader(), _held(work, art, 5)
    # Half of the designs in each piece, so that a short measurement has all within two.
    half = type(held)(
        decks=held.decks[at % 2 :: 2],
        families=held.families[at % 2 :: 2],
        designs=held.designs[at % 2 :: 2],
    )
    tally = _Tally()
    shots = evaluate.faces(half, SEED + at, TURNS * len(half.decks), "studio", WIDTHS)
    for shown in shots:
        (reading,) = reader.read([shown.crop])
        tally.face(CALIBRATED, shown.design, shown.truth, reading, shown.crop)
    return tally.outcomes()


def enrolled_design(art: str, work: str, at: int, turn: int) -> list[Outcome]:
    """One design shown once, then read; then another deck, backs, cut cards and jokers."""
    own = import_module("vision.training.enrolled")
    reader, held = Reader(), _held(work, art, 2)
    rng = np.random.default_rng((SEED, at, turn))
    shelf = own.Bench(held.decks[at], rng)
    other = own.Bench(held.decks[(at + len(held.decks) // 2) % len(held.decks)], rng)
    reader.deck = shelf.enrol(reader)
    tally, design = _Tally(), str(held.designs[at])
    for grade, row in (("studio", ENROLLED), ("studio", ENROLLED), ("hard", ENROLLED_HARD)):
        for truth, crop in shelf.faces(grade):
            tally.face(row, design, truth, reader.read([crop])[0], crop)
    for truth, crop in other.faces("studio"):
        tally.face(OTHER_DECK, design, truth, reader.read([crop])[0], crop)
    for _, kind, crop in shelf.plain():
        tally.plain(design, kind, reader.read([crop])[0], crop)
    return tally.outcomes()


def strangers(art: str, work: str) -> list[Outcome]:
    """Backs, cut cards and what is no card, nothing enrolled."""
    samples = import_module("vision.training.samples")
    reader, made = Reader(), _held(work, art, 5).source(SEED)
    tally, drawn = _Tally(), 0
    while drawn < STRANGERS:
        crop, label = made.sample(80.0)
        if int(label[2]) != samples.FACE:
            drawn += 1
            kind = list(CardKind)[int(label[2])]
            tally.plain(f"shelf {int(label[6])}", kind, reader.read([crop])[0], crop)
    return tally.outcomes()


def indices(art: str, work: str, at: int) -> list[Outcome]:
    """How many visible indices of cards on and beside each other are found."""
    judge = import_module("vision.training.corner_train_judge")
    corners = Corners()
    made = judge.maker(Path(art), Path(work) / "corner-art", 1, SEED + at)
    out = []
    for width in INDEX_WIDTHS:
        for layout in judge.ROWS:
            row = judge.Row()
            for _ in range(SCENES):
                looked = judge.look(corners, made.scene(judge.WIDTHS[width], layout, float(width)))
                row.add(looked, corners.temperature)
            out.append(
                Outcome(
                    row=FOUND, design=f"{layout} {at}", cards=row.visible, right=row.found, wrong=0
                )
            )
    return out


class _Tally:
    """Counts readings by row and design."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], list[int]] = {}
        self._failed: dict[tuple[str, str], list[Failed]] = {}

    def face(self, row: str, design: str, truth: int, reading: Reading, crop: Any) -> None:
        """Count a face by its place among the readers' 52."""
        code = import_module("vision.prototypes").FACES[truth]
        said = str(reading.card) if reading.kind is CardKind.FACE else reading.kind.value
        self._add(row, design, code, said, reading, crop)

    def plain(self, design: str, kind: CardKind, reading: Reading, crop: Any) -> None:
        """Count what is no face: wrong only if it is a card and sure, right if it is not."""
        face = reading.kind is CardKind.FACE and reading.sure
        said = str(reading.card) if face else kind.value
        self._add(STRANGE, design, kind.value, said, reading, crop, sure=True)

    def _add(
        self,
        row: str,
        design: str,
        truth: str,
        said: str,
        reading: Reading,
        crop: Any,
        *,
        sure: bool | None = None,
    ) -> None:
        """Count one reading."""
        is_sure = reading.sure if sure is None else sure
        counts = self._counts.setdefault((row, design), [0, 0, 0])
        right, wrong = is_sure and said == truth, is_sure and said != truth
        counts[0] += 1
        counts[1] += right
        counts[2] += wrong
        if right or (row == OTHER_DECK and not wrong):
            return
        failed = Failed(
            verdict="wrong" if wrong else "unsure", truth=truth, said=said,
            confidence=round(reading.confidence, 4), jpeg=jpeg_of(np.asarray(crop, np.uint8)),
        )  # fmt: skip
        self._failed.setdefault((row, design), []).append(failed)

    def outcomes(self) -> list[Outcome]:
        """What was counted."""
        return [
            Outcome(
                row=row, design=design, cards=cards, right=right, wrong=wrong,
                failed=tuple(self._failed.get((row, design), ())),
            )
            for (row, design), (cards, right, wrong) in self._counts.items()
        ]  # fmt: skip
