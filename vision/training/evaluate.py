"""How often the exported reader is right, asks and is wrong on designs it was not trained on."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import CARDS, CardKind, Limits, Reader, Votes, fuse
from vision.training import ring, samples, style
from vision.training.camera import Fault

WIDTHS: Final = (48, 64, 90, 126)
DECKS: Final = 150
"""Procedural designs of each half."""
_ART_HALVES: Final = (("spatz-h2", "spatz-h4", "spatz-av"), ("knoll", "spatz-v2", "spatz-v4"))
TEMPERATURES: Final = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.3, 2.6, 3.0, 3.5)
WEIGHTS: Final = (0.4, 0.6, 0.8, 1.0, 1.25)
Drawn = tuple[NDArray[np.uint8], NDArray[np.int16], str]
"""A crop, its labels as in samples.LABELS and the family of its design."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Votes for labelled samples: labels as in samples.LABELS, and the family of each."""

    votes: Votes
    labels: NDArray[np.int16]
    families: list[str]

    @property
    def truth(self) -> NDArray[np.int64]:
        """Place of the true card among the reader's 52; -1 where it is no face."""
        order = {(str(c.rank), str(c.suit)): k for k, c in enumerate(CARDS)}
        ranks = "A23456789TJQK"
        return np.array(
            [order[ranks[r], "CDHS"[s]] if r >= 0 else -1 for r, s in self.labels[:, :2]]
        )


def source(work: Path, root: Path, half: int, seed: int) -> tuple[samples.Source, list[str]]:
    """Held-out designs of one half and the names of their families."""
    known = ring.held_out_art(root, work / "art")
    names = _ART_HALVES[half]
    pool = style.parts((), for_training=False, half=half)
    made = samples.Source(pool, seed, DECKS, [known[name] for name in names])
    return made, [*names, *(["procedural"] * DECKS)]


def judge(reader: Reader, drawn: Iterator[Drawn]) -> Judged:
    """Let the reader vote on samples."""
    votes, labels, families = [], [], []
    for crop, label, family in drawn:
        votes.append(reader.votes([crop]))
        labels.append(label)
        families.append(family)
    together = Votes(
        w=np.concatenate([vote.w for vote in votes]),
        i=np.concatenate([vote.i for vote in votes]),
        w_hidden=np.concatenate([vote.w_hidden for vote in votes]),
        i_hidden=np.concatenate([vote.i_hidden for vote in votes]),
    )
    return Judged(together, np.stack(labels), families)


def faces(
    made: samples.Source, names: list[str], width: float, count: int, *, calm: bool
) -> Iterator[Drawn]:
    """Face-up cards: a third of art, the rest procedural."""
    rng = np.random.default_rng(int(width) * 7 + count)
    art = len(names) - DECKS
    fault = made.calm if calm else Fault()
    for _ in range(count):
        at = int(rng.integers(art)) if rng.random() < 0.33 else art + int(rng.integers(DECKS))
        crop, label = made.face_of(at, width, fault)
        yield crop, label, names[at]


@dataclass(slots=True)
class Tally:
    """Counts of one row of the report."""

    cards: int = 0
    top: int = 0
    whole: int = 0
    sure: int = 0
    wrong: int = 0

    def row(self, name: str) -> str:
        """One line of a table: shares in per cent, wrong ones as a count."""
        share = 100 / max(1, self.cards)
        return (
            f"| {name} | {self.cards} | {self.whole * share:.1f} | {self.top * share:.1f} "
            f"| {self.sure * share:.1f} | {self.wrong} "
            f"| {(self.cards - self.sure - self.wrong) * share:.1f} |"
        )


HEAD: Final = (
    "| set | cards | W alone right % | fused right % | right and sure % | wrong and sure "
    "| asked % |\n"
    "| -- | -- | -- | -- | -- | -- | -- |"
)


def tallies(reader: Reader, judged: Judged) -> dict[str, Tally]:
    """Count by family of design."""
    out: dict[str, Tally] = defaultdict(Tally)
    fused = reader.fused(judged.votes)
    best = fused.cards.argmax(axis=1)
    for at, truth in enumerate(judged.truth):
        reading = reader.decide(fused, at)
        for name in ("all", judged.families[at]):
            tally = out[name]
            tally.cards += 1
            tally.top += int(best[at] == truth)
            tally.whole += int(fused.w_best[at] == truth)
            right = reading.card == CARDS[truth] and reading.kind is CardKind.FACE
            tally.sure += int(reading.sure and right)
            tally.wrong += int(reading.sure and not right)
    return out


def fit(reader: Reader, judged: Judged) -> Limits:
    """Temperature and weight at which the true cards are likeliest, other limits as they are."""
    truth = judged.truth
    seen = truth >= 0
    best, least = reader.limits, float("inf")
    for weight in WEIGHTS:
        for temperature in TEMPERATURES:
            cards = fuse(judged.votes, temperature, weight).cards[seen, truth[seen]]
            loss = float(-np.log(np.maximum(cards, 1e-9)).mean())
            if loss < least:
                best, least = replace(best, temperature=temperature, whole=weight), loss
    print(f"fitted temperature {best.temperature}, weight of W {best.whole}: loss {least:.4f}")
    return best


def fit_kinds(reader: Reader, made: samples.Source, limits: Limits, count: int) -> Limits:
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


def report(reader: Reader, work: Path, root: Path, count: int) -> str:
    """The tables of the report half."""
    made, names = source(work, root, 1, 77)
    lines = [HEAD]
    for calm in (True, False):
        for width in WIDTHS:
            judged = judge(reader, faces(made, names, width, count, calm=calm))
            found = tallies(reader, judged)
            label = f"{'calm' if calm else 'hard'} {width} px"
            lines += [tally.row(f"{label}, {name}") for name, tally in found.items()]
    return "\n".join([*lines, "", strangers(reader, made, count)])


def calibrated(reader: Reader, work: Path, root: Path, count: int) -> Limits:
    """Limits fitted on the other half."""
    cv2.setNumThreads(1)
    made, names = source(work, root, 0, 55)
    drawn = (sample for width in WIDTHS for sample in faces(made, names, width, count, calm=False))
    limits = fit(reader, judge(reader, drawn))
    return fit_kinds(reader, made, limits, count)
