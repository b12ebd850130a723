"""How often corners of designs that were not trained on are found, read and refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import Corner, Corners, IndexVote
from vision.training import scenes, scenes_decks, style
from vision.training.scenes import ANGLE, HIGH, RANK, SHARE, STATE, SUIT, X, Y

DECKS: Final = 80
"""Procedural designs of each half."""
ART_HALVES: Final = (("spatz-h2", "spatz-h4", "spatz-av"), ("knoll", "spatz-v2", "spatz-v4"))
ROWS: Final = ("stack", "fan", "row", "heap")
WIDTHS: Final = {60: 224, 90: 320, 120: 400}
"""Width of a card and side of the scene, in pixels."""
TEMPERATURES: Final = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.3, 2.6, 3.0, 3.5)
SCORES: Final = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
SPURIOUS: Final = 4.0
"""So many corners a scene may be found where none is; J refuses nearly all of them."""
_SURE: Final = (0.9, 0.99)


def maker(root: Path, cache: Path, half: int, seed: int) -> scenes.Maker:
    """Scenes of one half of the held-out designs: art, and procedural decks of held-out parts."""
    known = scenes_decks.art_decks(root, cache, for_training=False)
    mine = [deck for deck in known if deck.family in ART_HALVES[half]]
    pool = style.parts((), for_training=False, half=half)
    return scenes.Maker(pool, seed, DECKS, mine * 8)


@dataclass(frozen=True, slots=True)
class Met:
    """A corner that was found, what J said of it, and the mark it lies on (None: on none)."""

    corner: Corner
    vote: IndexVote
    mark: NDArray[np.float32] | None


@dataclass(slots=True)
class Looked:
    """One scene looked at."""

    visible: int
    met: list[Met] = field(default_factory=list)


def look(corners: Corners, scene: scenes.Scene, low: float = 7.0, top: float = 120.0) -> Looked:
    """Find and read the corners of one scene and pair them with its marks."""
    found = corners.find(scene.picture, least=low, most=top)
    votes = corners.read(scene.picture, found)
    marks = scene.marks
    out = Looked(int((marks[:, STATE] == scenes.VISIBLE).sum()))
    taken: set[int] = set()
    for corner, vote in zip(found, votes, strict=True):
        mark = None
        if len(marks):
            away = np.hypot(marks[:, X] - corner.x, marks[:, Y] - corner.y) / marks[:, HIGH]
            fit = np.where(marks[:, STATE] == scenes.HIDDEN, away + 0.1, away)
            best = int(fit.argmin())
            if away[best] < 0.4 and marks[best, SHARE] > 0.1 and best not in taken:
                taken.add(best)
                mark = marks[best]
        out.met.append(Met(corner, vote, mark))
    return out


def shares(vote: IndexVote, temperature: float) -> tuple[int, int, float]:
    """The likeliest rank and suit, and how likely both together with an index being there."""
    likely = vote.there
    best = []
    for logits in (vote.ranks, vote.suits):
        raised = np.exp((logits - logits.max()) / temperature)
        best.append(int(raised.argmax()))
        likely *= float(raised.max() / raised.sum())
    return best[0], best[1], likely


@dataclass(slots=True)
class Row:
    """Counts of one row of the table."""

    scenes: int = 0
    visible: int = 0
    found: int = 0
    right: int = 0
    kept: list[int] = field(default_factory=lambda: [0, 0])
    wrong: list[int] = field(default_factory=lambda: [0, 0])
    turns: list[float] = field(default_factory=list)
    spurious: int = 0
    sure_spurious: int = 0
    strange: int = 0
    """Sure at 0.9 on a foreign index or on one that is part covered, and not its card."""

    def add(self, looked: Looked, temperature: float) -> None:
        """Count one scene."""
        self.scenes += 1
        self.visible += looked.visible
        for met in looked.met:
            rank, suit, likely = shares(met.vote, temperature)
            if met.mark is None:
                self.spurious += 1
                self.sure_spurious += int(likely >= _SURE[0])
                continue
            right = rank == int(met.mark[RANK]) and suit == int(met.mark[SUIT])
            if met.mark[STATE] != scenes.VISIBLE:
                self.strange += int(not right and likely >= _SURE[0])
                continue
            self.found += 1
            self.right += int(right)
            turn = met.corner.angle - float(met.mark[ANGLE])
            self.turns.append(abs(float(np.degrees((turn + np.pi) % (2 * np.pi) - np.pi))))
            for at, limit in enumerate(_SURE):
                self.kept[at] += int(likely >= limit and right)
                self.wrong[at] += int(likely >= limit and not right)

    def line(self, name: str) -> str:
        """One line of the table."""
        visible, found = max(1, self.visible), max(1, self.found)
        turn = float(np.median(self.turns)) if self.turns else 0.0
        return (
            f"| {name} | {self.visible} | {100 * self.found / visible:.1f} "
            f"| {100 * self.right / found:.1f} | {100 * self.kept[0] / found:.1f} / "
            f"{self.wrong[0]} | {100 * self.kept[1] / found:.1f} / {self.wrong[1]} | {turn:.1f} "
            f"| {self.spurious / self.scenes:.2f} | {self.sure_spurious} | {self.strange} |"
        )


HEAD: Final = (
    "| scenes | visible indices | found % | right % of found | sure at 0.9: right % / wrong "
    "| sure at 0.99: right % / wrong | angle off, median ° | spurious a scene "
    "| spurious and sure | part covered or foreign, sure and wrong |\n"
    "| -- | -- | -- | -- | -- | -- | -- | -- | -- | -- |"
)


def report(corners: Corners, made: scenes.Maker, count: int) -> str:
    """The table of so many scenes a row."""
    lines, whole = [HEAD], Row()
    for width, side in WIDTHS.items():
        for layout in ROWS:
            row = Row()
            for _ in range(count):
                looked = look(corners, made.scene(side, layout, float(width)))
                row.add(looked, corners.temperature)
                whole.add(looked, corners.temperature)
            lines.append(row.line(f"{layout}, cards {width} px wide"))
    return "\n".join([*lines, whole.line("all")])


def _drawn(made: scenes.Maker, count: int) -> Iterator[scenes.Scene]:
    for at in range(count):
        width = list(WIDTHS)[at % len(WIDTHS)]
        yield made.scene(WIDTHS[width], width=float(width))


def fitted(corners: Corners, made: scenes.Maker, count: int) -> dict[str, float]:
    """The limit of D's score and J's temperature on designs not trained on.

    `corners` must have been loaded with a score limit of the least of SCORES.
    """
    looked = [look(corners, scene) for scene in _drawn(made, count)]
    score = SCORES[-1]
    for limit in reversed(SCORES):
        odd = [m for one in looked for m in one.met if m.mark is None and m.corner.score >= limit]
        found = sum(
            m.mark is not None and m.mark[STATE] == scenes.VISIBLE and m.corner.score >= limit
            for one in looked for m in one.met
        )  # fmt: skip
        visible = sum(one.visible for one in looked)
        print(f"score {limit}: found {100 * found / visible:.1f} %, odd {len(odd) / count:.2f}")
        if len(odd) / count <= SPURIOUS:
            score = limit
    met = [(m.vote, m.mark) for one in looked for m in one.met if m.mark is not None]
    known = [(vote, mark) for vote, mark in met if mark[STATE] == scenes.VISIBLE]
    losses = []
    for temperature in TEMPERATURES:
        total = 0.0
        for vote, mark in known:
            for logits, column in ((vote.ranks, RANK), (vote.suits, SUIT)):
                scaled = (logits - logits.max()) / temperature
                total += float(np.log(np.exp(scaled).sum()) - scaled[int(mark[column])])
        losses.append(total / max(1, len(known)))
    best = TEMPERATURES[int(np.argmin(losses))]
    print(f"fitted temperature {best}: loss {min(losses):.4f} of {len(known)} indices")
    return {"score": score, "temperature": best}


def speed(corners: Corners, turns: int = 20) -> dict[str, float]:
    """Median milliseconds of one thread's time: a zone, 320 by 320, a photograph, 32 readings."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    picture = np.asarray(cv2.blur(rng.integers(0, 256, (960, 1280, 3), np.uint8), (5, 5)), np.uint8)
    places = [Corner(x=300.0, y=200.0, angle=0.3, high=20.0, score=1.0)] * 32
    tasks = {
        "zone 240x240, one level": lambda: corners.find(picture[:240, :240], least=9, most=38),
        "320x320, one level": lambda: corners.find(picture[:320, :320], least=9, most=38),
        "1280x960, all levels": lambda: corners.find(picture),
        "read 32 corners": lambda: corners.read(picture, places),
    }
    out = {}
    for name, task in tasks.items():
        task()
        spent = []
        for _ in range(turns):
            start = cv2.getTickCount()
            task()
            spent.append((cv2.getTickCount() - start) / cv2.getTickFrequency() * 1000)
        out[name] = round(float(np.median(spent)), 2)
    return out
