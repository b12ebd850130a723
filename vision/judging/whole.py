"""The rows of VISION.md 3 that a simulated camera can answer, from the outcomes of all pieces."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from vision.judging import hands, held_out, pasted
from vision.judging.bounds import at_most, by_design, wilson
from vision.judging.tables import Line
from vision.judging.units import Failed, Outcome


@dataclass(slots=True)
class Sum:
    """All outcomes of one row."""

    cards: int = 0
    right: int = 0
    wrong: int = 0
    designs: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Right, and cards, of each design."""
    wrongs: dict[str, int] = field(default_factory=dict)
    """Wrong and sure, of each design that has any."""
    failed: list[tuple[str, Failed]] = field(default_factory=list)
    """Design and failure."""

    @property
    def share(self) -> float:
        """Right and sure, 0 to 1."""
        return self.right / self.cards if self.cards else 0.0

    def add(self, outcome: Outcome) -> None:
        """Add one piece."""
        self.cards += outcome.cards
        self.right += outcome.right
        self.wrong += outcome.wrong
        right, cards = self.designs.get(outcome.design, (0, 0))
        self.designs[outcome.design] = (right + outcome.right, cards + outcome.cards)
        if outcome.wrong:
            self.wrongs[outcome.design] = self.wrongs.get(outcome.design, 0) + outcome.wrong
        self.failed += [(outcome.design, each) for each in outcome.failed]

    def bound(self) -> str:
        """What so many readings can bound: the share by design, the wrong ones from above."""
        low, high = by_design(self.designs) or wilson(self.right, self.cards)
        most = 100 * at_most(self.wrong, self.cards)
        return f"{100 * low:.1f}–{100 * high:.1f} %; wrong at most {most:.2g} %"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: which outcomes it sums, and when it is met."""

    name: str
    what: str
    must: str
    met: Callable[[Sum], bool]
    plain: bool = False
    """Whether only the wrong ones are asked for."""
    found: bool = False
    """Whether it counts what was found, not what was sure."""


def _sure(least: float, wrong: float = 0.0) -> Callable[[Sum], bool]:
    """Met from such a share on, with no more than such a share wrong and sure."""
    return lambda one: one.share >= least and one.wrong <= wrong * one.cards


ROWS: Final = (
    Row(
        name=held_out.CALIBRATED,
        what="calibrated table, designs held out, not enrolled",
        must="≥ 90 % sure, wrong and sure ≤ 1 in 1,000",
        met=_sure(0.9, 0.001),
    ),
    Row(
        name=held_out.ENROLLED,
        what="the same, enrolled",
        must="≥ 99.5 % sure, 0 wrong and sure in 100,000",
        met=lambda one: one.share >= 0.995 and not one.wrong and one.cards >= 100_000,
    ),
    Row(
        name=held_out.ENROLLED_HARD,
        what="enrolled, with all faults of the training's camera (no row of VISION.md)",
        must="0 wrong and sure",
        met=_sure(0.0),
    ),
    Row(
        name=held_out.OTHER_DECK,
        what="cards of another deck before an enrolled one (no row of VISION.md)",
        must="0 wrong and sure",
        met=_sure(0.0),
        plain=True,
    ),
    Row(
        name=pasted.ROW,
        what="photographs pasted into the camera, enrolled from one other photograph of each card",
        must="≥ 98 % sure, 0 wrong and sure",
        met=_sure(0.98),
    ),
    Row(
        name=held_out.FOUND,
        what="overlap and fans: visible indices found, cards 90 and 120 pixels wide",
        must="≥ 97 %",
        met=_sure(0.97),
        found=True,
    ),
    Row(
        name=hands.FIRST_SIGHT,
        what="hands of two to five cards, each on the one before, first seen as they lie",
        must="≥ 70 % sure, 0 wrong and sure",
        met=_sure(0.7),
    ),
    Row(
        name=hands.DEALT,
        what="the same hands, dealt card by card",
        must="≥ 95 % sure, 0 wrong and sure",
        met=_sure(0.95),
    ),
    Row(
        name=held_out.STRANGE,
        what="backs, cut cards, jokers, adverts and scraps before the readers",
        must="0 read as a card and sure",
        met=_sure(0.0),
        plain=True,
    ),
)
"""In the order of VISION.md 3."""


COSTS: Final = (
    Line(
        what="a whole table at 1080p: a frame, and a card's way to its report",
        must="≤ 16.7 ms p99 at 60 frames/s; ≤ 8 frames",
        measured="by `python -m benchmarks.eye`, on a quiet machine",
    ),
    Line(
        what="start and memory",
        must="≤ 1 s to ready; ≤ 400 MB for a camera",
        measured="by `python -m benchmarks.eye`, on a quiet machine",
    ),
)
"""Rows of time and memory, which want the machine for themselves."""


def sums(outcomes: Sequence[Outcome]) -> dict[str, Sum]:
    """The outcomes of each row, in the table's order."""
    out = {row.name: Sum() for row in ROWS}
    for outcome in outcomes:
        out[outcome.row].add(outcome)
    return {name: one for name, one in out.items() if one.cards}


def lines(counted: dict[str, Sum], skipped: dict[str, str]) -> list[Line]:
    """The rows; of those that were not measured `skipped` says why."""
    told = [
        Line(what=row.what, must=row.must, measured=skipped.get(row.name, "not asked for"))
        if row.name not in counted
        else _line(row, counted[row.name])
        for row in ROWS
    ]
    return [*told, *COSTS]


def _line(row: Row, one: Sum) -> Line:
    """A row that was measured."""
    said = f"{one.right} of {one.cards:,}, {100 * one.share:.1f} %"
    if row.plain:
        said = f"{one.wrong} of {one.cards:,} a wrong card and sure"
        bound = f"at most {100 * at_most(one.wrong, one.cards):.2g} %"
    elif row.found:
        low, high = wilson(one.right, one.cards)
        bound = f"{100 * low:.1f}–{100 * high:.1f} %"
    else:
        said += f", {one.wrong} wrong"
        bound = one.bound()
    said += f" ({len(one.designs)} designs)" if not row.found else ""
    return Line(what=row.what, must=row.must, measured=said, bound=bound, met=row.met(one))


def by_name(counted: dict[str, Sum]) -> str:
    """The designs of which something was wrong and sure, row by row, as Markdown."""
    out = [
        f"- {name}, {design}: {wrong} of {one.designs[design][1]}"
        for name, one in counted.items()
        for design, wrong in sorted(one.wrongs.items(), key=lambda each: -each[1])
    ]
    return "Wrong and sure, by design:\n\n" + "\n".join(out or ["none"])
