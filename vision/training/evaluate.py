"""How often the exported reader is right, asks and is wrong on families it was not trained on.

The rows of VISION.md 3 for a calibrated table that is not enrolled are `calibrated`; the report
that is kept in docs/vision is `report`. The decision's limits are fitted on one part of what was
held out (`fitted`), everything told is measured on the other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.judging.bounds import at_most, by_design
from vision.reader import CARDS, CardKind, Limits, Reader, Reading, Votes, fuse
from vision.training import families, samples
from vision.training.camera import Fault

WIDTHS: Final = (48, 64, 90, 126)
TEMPERATURES: Final = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.3, 2.6, 3.0, 3.5, 4.0)
WEIGHTS: Final = (0.6, 0.8, 1.0, 1.25, 1.5)
GRADES: Final = {
    "calm": Fault(covered=0.0, calm=True),
    "studio": Fault(covered=0.0, studio=True),
    "hard": Fault(),
}
"""What the camera does: next to nothing wrong, as in a studio, all faults of the training."""
_CODES: Final = tuple(str(card) for card in CARDS)
_ORDER: Final = {code: at for at, code in enumerate(_CODES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One face that was shown: the crop, its place among the reader's 52, whose it is."""

    crop: NDArray[np.uint8]
    truth: int
    family: str
    design: str


@dataclass(slots=True)
class Row:
    """Counts of one row: three numbers together, and each design's."""

    cards: int = 0
    top: int = 0
    right: int = 0
    wrong: int = 0
    designs: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Right and sure, and cards, of each design."""
    errors: Counter[str] = field(default_factory=Counter)
    """Design, card and what it was taken for, of each card that was wrong and sure."""
    taken: Counter[str] = field(default_factory=Counter)
    """Which card was likeliest where that was another one."""

    def add(self, shown: Shown, reading: Reading) -> None:
        """Count one reading."""
        code = _CODES[shown.truth]
        said = str(reading.card) if reading.kind is CardKind.FACE else reading.kind.value
        right, sure = said == code, reading.sure
        self.cards += 1
        self.top += right
        self.right += right and sure
        self.wrong += sure and not right
        if sure and not right:
            self.errors[f"{shown.design}: {code} as {said}"] += 1
        if not right:
            self.taken[f"{code} {said}"] += 1
        good, cards = self.designs.get(shown.design, (0, 0))
        self.designs[shown.design] = (good + (right and sure), cards + 1)

    def join(self, other: "Row") -> None:
        """Count another row's cards too, of other designs."""
        self.cards += other.cards
        self.top += other.top
        self.right += other.right
        self.wrong += other.wrong
        self.designs |= other.designs
        self.errors.update(other.errors)
        self.taken.update(other.taken)

    def line(self, name: str) -> str:
        """One line of a table."""
        share = 100 / max(1, self.cards)
        bounds = by_design(self.designs)
        spread = "" if bounds is None else f"{100 * bounds[0]:.1f}–{100 * bounds[1]:.1f}"
        asked = self.cards - self.right - self.wrong
        return (
            f"| {name} | {self.cards} | {len(self.designs)} | {self.top * share:.1f} "
            f"| {self.right * share:.1f} | {spread} | {self.wrong} "
            f"| {100 * at_most(self.wrong, self.cards):.2f} | {asked * share:.1f} |"
        )


HEAD: Final = (
    "| set | cards | designs | likeliest right % | right and sure % | 95 %, by design "
    "| wrong and sure | at most % | asked % |\n| -- | -- | -- | -- | -- | -- | -- | -- | -- |"
)


def faces(
    held: families.Held, seed: int, count: int, grade: str, widths: Sequence[int]
) -> Iterator[Shown]:
    """So many faces of all designs in turn, each in a fresh scene of its own."""
    source = held.source(seed)
    rng = np.random.default_rng(seed)
    for k in range(count):
        at = k % len(held.decks)
        width = float(widths[rng.integers(len(widths))])
        crop, label = source.face_of(at, width, GRADES[grade])
        truth = _ORDER["A23456789TJQK"[label[0]] + "CDHS"[label[1]]]
        yield Shown(crop=crop, truth=truth, family=held.families[at], design=held.designs[at])


def calibrated(reader: Reader, work: Path, root: Path, count: int, seed: int = 77) -> Row:
    """The row "calibrated table, not enrolled": cards 64 to 126 pixels wide in a studio's light.

    Designs and families are those of the report; `root` holds the art and `work` its cache.
    """
    row = Row()
    held = families.held(work, root, 1)
    for shown in faces(held, seed, count, "studio", (64, 90, 126)):
        row.add(shown, reader.read([shown.crop])[0])
    return row


def _mean_votes(reader: Reader, crops: Sequence[NDArray[np.uint8]]) -> Votes:
    """Both looks at once, averaged: what a doubtful card is decided by."""
    looks = [(reader.votes([crop]), reader.votes([crop], again=True)) for crop in crops]

    def mean(name: str) -> NDArray[np.float32]:
        pairs = [(getattr(one, name) + getattr(other, name)) / 2 for one, other in looks]
        return np.concatenate(pairs).astype(np.float32)

    return Votes(w=mean("w"), i=mean("i"), w_hidden=mean("w_hidden"), i_hidden=mean("i_hidden"))


def fitted(reader: Reader, work: Path, root: Path, count: int) -> Limits:
    """Limits at which the true cards, and the true kinds, of the fitting part are likeliest."""
    cv2.setNumThreads(1)
    held = families.held(work, root, 0, 8)
    shown = [
        one
        for k, grade in enumerate(("studio", "hard"))
        for one in faces(held, 55 + k, count // 2, grade, WIDTHS)
    ]
    votes = _mean_votes(reader, [one.crop for one in shown])
    truth = np.array([one.truth for one in shown])
    rows = np.arange(len(truth))

    def losses(temperature: float, weight: float) -> tuple[float, float]:
        """Of the ranks and of the suits, which do not depend on each other."""
        cards = fuse(votes, temperature, weight).cards.reshape(-1, 13, 4)
        ranks, suits = cards.sum(axis=2)[rows, truth // 4], cards.sum(axis=1)[rows, truth % 4]
        rank, suit = (-float(np.log(np.maximum(p, 1e-9)).mean()) for p in (ranks, suits))
        return rank, suit

    best = []
    for weight in WEIGHTS:
        table = [losses(temperature, weight) for temperature in TEMPERATURES]
        rank, suit = (min(range(len(table)), key=lambda k: table[k][part]) for part in (0, 1))
        best.append((table[rank][0] + table[suit][1], weight, rank, suit))
    least, weight, rank, suit = min(best)
    limits = replace(
        reader.limits,
        temperature=TEMPERATURES[rank],
        suits=TEMPERATURES[suit],
        whole=weight,
    )
    print(f"fitted {limits}: loss {least:.4f}")
    return _fitted_kinds(reader, held.source(56), limits, count // 3)


def _fitted_kinds(reader: Reader, made: samples.Source, limits: Limits, count: int) -> Limits:
    """The kinds' temperature at which the true kinds are likeliest, in the mix of training."""
    drawn = [made.sample() for _ in range(count)]
    logits = np.concatenate([reader.votes([crop]).w for crop, _ in drawn])
    labels = np.array([label[2] for _, label in drawn])
    losses = []
    for temperature in TEMPERATURES:
        scaled = logits[:, 17:21].astype(np.float64) / temperature
        scaled -= scaled.max(axis=1, keepdims=True)
        logs = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        losses.append(-float(logs[np.arange(count), labels].mean()))
    best = TEMPERATURES[int(np.argmin(losses))]
    print(f"fitted temperature of the kinds {best}: loss {min(losses):.4f}")
    return replace(limits, kinds=best)


def strangers(reader: Reader, made: samples.Source, count: int) -> str:
    """Backs, cut cards and what is no card: how they are taken."""
    names = ["face", "back", "cut card", "no readable card"]
    table = np.zeros((4, 4), np.int64)
    drawn = 0
    while drawn < count:
        crop, label = made.sample(80.0)
        if (kind := int(label[2])) == samples.FACE:
            continue
        drawn += 1
        reading = reader.read([crop])[0]
        table[kind, 0] += 1
        table[kind, 1] += int(reading.kind is list(CardKind)[kind] and reading.sure)
        table[kind, 2] += int(reading.kind is CardKind.FACE and reading.sure)
        table[kind, 3] += int(
            reading.sure and reading.kind not in (CardKind.FACE, list(CardKind)[kind])
        )
    rows = [
        f"| {name} | {n} | {good} | {card} | {other} |"
        for name, (n, good, card, other) in zip(names[1:], table[1:].tolist(), strict=True)
    ]
    head = "| what | shown | named rightly and sure | a card and sure | another thing and sure |"
    return "\n".join([head, "| -- | -- | -- | -- | -- |", *rows])


def _confusions(taken: Counter[str]) -> str:
    """What cards are taken for, ranks and suits by themselves, the most frequent first."""
    ranks: Counter[str] = Counter()
    suits: Counter[str] = Counter()
    for pair, count in taken.items():
        truth, said = pair.split()
        if len(said) != 2:
            ranks[f"{truth[0]} as {said}"] += count
        elif truth[0] != said[0]:
            ranks[f"{truth[0]} as {said[0]}"] += count
        if len(said) == 2 and truth[1] != said[1]:
            suits[f"{truth[1]} as {said[1]}"] += count
    lines = ["| taken for another (likeliest, sure or not) | times |", "| -- | -- |"]
    for table in (ranks.most_common(14), suits.most_common(8)):
        lines += [f"| {name} | {count} |" for name, count in table]
    return "\n".join(lines)


def report(reader: Reader, work: Path, root: Path, count: int) -> str:
    """All tables of the report part, `count` cards a row of grade and width."""
    cv2.setNumThreads(1)
    held = families.held(work, root, 1)
    row = calibrated(reader, work, root, 7 * count)
    lines, whole = [HEAD, row.line("calibrated table, not enrolled")], Row()
    whole.errors.update(row.errors)
    groups: dict[str, Row] = defaultdict(Row)
    for g, grade in enumerate(GRADES):
        for width in WIDTHS:
            row = Row()
            for shown in faces(held, 1000 * g + width, count, grade, (width,)):
                reading = reader.read([shown.crop])[0]
                row.add(shown, reading)
                whole.add(shown, reading)
                if grade != "hard" and width > 48:
                    groups[shown.family].add(shown, reading)
            lines.append(row.line(f"{grade} {width} px"))
    lines += ["", "By family (calm and studio, 64 px and more):", "", HEAD]
    lines += [groups[name].line(name) for name in sorted(groups)]
    lines += ["", "Wrong and sure, by design:", ""]
    lines += [f"- {name} ({n})" for name, n in sorted(whole.errors.items())] or ["none"]
    lines += ["", _confusions(whole.taken), "", strangers(reader, held.source(78), count)]
    return "\n".join(lines)
