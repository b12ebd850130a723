"""The numbers of judged photographs as Markdown: three numbers together, with bounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.judging.bounds import at_most, by_design, wilson
from vision.judging.photos import HELD_OUT, NOT_CORE, Judged

CORE: Final = "public core"
PIATNIK: Final = "piatnik-4index-rectified"
HEAD: Final = (
    "| set | pictures | cards | right and sure | 95 % | wrong and sure | 95 %, at most "
    "| unsure | missed | CPU ms, median | CPU ms, p95 |\n"
    "| -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- |"
)


@dataclass(slots=True)
class Tally:
    """Counts of some photographs."""

    pictures: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    strangers: int = 0
    ms: list[float] = field(default_factory=list)
    designs: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Right and sure, and cards, of each deck design."""

    def add(self, judged: Judged) -> None:
        """Count one photograph."""
        self.pictures += 1
        self.cards += judged.cards
        self.right += judged.right
        self.wrong += judged.count("wrong")
        self.unsure += judged.count("unsure")
        self.missed += judged.count("missed")
        self.strangers += judged.strangers
        self.ms.append(judged.ms)
        right, cards = self.designs.get(judged.photo.deck, (0, 0))
        self.designs[judged.photo.deck] = (right + judged.right, cards + judged.cards)

    @property
    def share(self) -> float:
        """Right and sure, 0 to 1."""
        return self.right / self.cards if self.cards else 0.0

    def row(self, name: str) -> str:
        """One line of the table."""
        low, high = wilson(self.right, self.cards)
        bounds = f"{100 * low:.1f}–{100 * high:.1f}"
        clustered = by_design(self.designs)
        if clustered is not None:
            bounds += f"; by design {100 * clustered[0]:.1f}–{100 * clustered[1]:.1f}"
        ms = np.asarray(self.ms)
        return (
            f"| {name} | {self.pictures} | {self.cards} | {self.right} ({100 * self.share:.1f} %) "
            f"| {bounds} | {self.wrong} | {100 * at_most(self.wrong, self.cards):.2f} % "
            f"| {self.unsure} | {self.missed} "
            f"| {np.median(ms):.0f} | {np.quantile(ms, 0.95):.0f} |"
        )


def tallies(judged: Sequence[Judged]) -> dict[str, Tally]:
    """The core, then each set by name."""
    out: dict[str, Tally] = {}
    core = [one for one in judged if one.photo.set not in NOT_CORE]
    if core:
        out[CORE] = Tally()
        for one in core:
            out[CORE].add(one)
    for one in sorted(judged, key=lambda each: each.photo.set):
        out.setdefault(one.photo.set, Tally()).add(one)
    return out


def table(counted: dict[str, Tally]) -> str:
    """The table of sets."""
    return "\n".join([HEAD, *(tally.row(name) for name, tally in counted.items())])


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One row of the table of VISION.md 3."""

    what: str
    must: str
    measured: str
    bound: str = ""
    """What the count can bound, 95 %."""
    met: bool | None = None
    """None where it was not measured."""


def verdicts(judged: Sequence[Judged]) -> list[Line]:
    """The rows of VISION.md 3 that photographs can answer, each met or not."""
    counted = tallies(judged)
    lines = []
    for name, least in ((CORE, 0.93), (PIATNIK, 0.98)):
        tally = counted.get(name)
        if tally is not None:
            lines.append(_shares(name, least, tally))
    apart = Tally()
    for one in judged:
        if one.photo.set in HELD_OUT and one.photo.set not in NOT_CORE:
            apart.add(one)
    if apart.cards:
        what = "the core's sets held out while building, overlapping and cut-off cards included"
        lines.append(_shares(what, 0.9, apart))
    strangers = sum(one.strangers for one in judged)
    if strangers:
        said = sum(
            failure.verdict == "wrong" and len(failure.truth) != 2
            for one in judged
            if one.strangers
            for failure in one.failures
        )
        lines.append(
            Line(
                what="jokers, backs and piles in the photographs",
                must="0 read as a card and sure",
                measured=f"{said} of {strangers}",
                bound=f"at most {100 * at_most(said, strangers):.0f} %",
                met=not said,
            )
        )
    return lines


def _shares(what: str, least: float, tally: Tally) -> Line:
    """The row of some sets of photographs."""
    low, high = by_design(tally.designs) or wilson(tally.right, tally.cards)
    return Line(
        what=what,
        must=f"≥ {100 * least:.0f} % right and sure, 0 wrong and sure",
        measured=f"{tally.right} of {tally.cards}, {100 * tally.share:.1f} %, {tally.wrong} wrong",
        bound=f"{100 * low:.1f}–{100 * high:.1f} %; "
        f"wrong at most {100 * at_most(tally.wrong, tally.cards):.2g} %",
        met=tally.share >= least and not tally.wrong,
    )


def verdict_table(lines: Sequence[Line]) -> str:
    """Rows of VISION.md 3 as Markdown."""
    out = ["| what | must | measured | 95 % | met |", "| -- | -- | -- | -- | -- |"]
    words = {True: "yes", False: "no", None: "not measured"}
    out += [
        f"| {one.what} | {one.must} | {one.measured} | {one.bound} | {words[one.met]} |"
        for one in lines
    ]
    return "\n".join(out)
