"""Labelled photographs and how one is judged (CONTRACTS.md 4).

Per picture, as multisets of codes: *right* is sure and there, *wrong* is sure and not there (a
joker, a back or a second naming of one card read as a card is wrong), *asked* is the rest of what
is there. Outlines serve to show a failure only, never to count it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.see import Seen, SeenOne

NOT_CORE: Final = ("piatnik-4index-rectified", "red-cloth-backs-overlay")
"""Crops that are rectified already, and frames with text drawn over the cards."""
HELD_OUT: Final = (
    "wood-and-carpet-phone",
    "mixed-cloths-webcam",
    "red-cloth-hard-shadow",
    "red-cloth-backs-overlay",
    "black-leather-phone",
    "geaxgx-singles",
)
"""Sets of which only the numbers are looked at, so that they stay a fair test."""


class PhotosUnfit(ValueError):  # noqa: N818  # a state of the files, told in one sentence
    """The folder holds no labels that can be used."""


@dataclass(frozen=True, slots=True)
class Label:
    """One thing in a photograph: a code of two signs for a card, a word for anything else."""

    code: str
    outline: NDArray[np.float64] | None
    whole: bool = True
    """Whether all of it can be seen."""

    @property
    def is_card(self) -> bool:
        """Whether it is one of the 52."""
        return len(self.code) == 2


@dataclass(frozen=True, slots=True)
class Photo:
    """A labelled photograph."""

    path: Path
    set: str
    deck: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """One card that was not read, or one that was read wrongly."""

    photo: Photo
    verdict: str
    """``wrong``, ``unsure`` (found and asked about) or ``missed`` (not found)."""
    truth: str
    """The code that is there; empty where it is not known which was meant."""
    said: SeenOne | None
    outline: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One photograph against its labels."""

    photo: Photo
    cards: int
    right: int
    strangers: int
    """Jokers, backs and piles in it."""
    failures: tuple[Failure, ...]
    ms: float

    def count(self, verdict: str) -> int:
        """How many failures of one kind."""
        return sum(failure.verdict == verdict for failure in self.failures)


def load(folder: Path, sets: Sequence[str] = ()) -> list[Photo]:
    """The labelled photographs of a folder, of some of its sets or of all.

    Raises:
        PhotosUnfit: if there are no labels, or none of those sets.
    """
    try:
        lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
        entries: list[dict[str, Any]] = [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        text = f"{folder}: labels.jsonl cannot be read ({error}); give the folder of photographs"
        raise PhotosUnfit(text) from None
    photos = []
    for entry in entries:
        name = str(entry["file"]).split("/")[0]
        if sets and name not in sets:
            continue
        labels = tuple(
            Label(str(card["code"]), _outline(card), card.get("visible") != "corner")
            for card in entry["cards"]
        )
        photos.append(Photo(folder / entry["file"], name, str(entry["deck"]), labels))
    if not photos:
        raise PhotosUnfit(f"{folder}: holds none of the sets {', '.join(sets)}")
    return photos


def judge(photo: Photo, seen: Seen, ms: float) -> Judged:
    """Judge what was seen in a photograph."""
    left = [label for label in photo.labels if label.is_card]
    cards = len(left)
    failures = []
    for one in (card for card in seen.cards if card.sure):
        there = [label for label in left if label.code == one.card]
        if there:
            left.remove(max(there, key=lambda label: shared(label.outline, quad_of(one))))
            continue
        under = _beneath(photo.labels, one)
        failures.append(Failure(photo, "wrong", under.code if under else "", one, quad_of(one)))
    right = cards - len(left)
    doubtful = [card for card in seen.cards if not card.sure]
    # Cards without an outline are matched by code, so that each is shown once.
    for label in sorted(left, key=lambda each: each.outline is None):
        near = max(doubtful, key=lambda each: _alike(label, each), default=None)
        if near is not None and _alike(label, near) < 0.3:
            near = None
        if near is not None:
            doubtful.remove(near)
        outline = label.outline if near is None else quad_of(near)
        verdict = "missed" if near is None else "unsure"
        failures.append(Failure(photo, verdict, label.code, near, outline))
    return Judged(
        photo=photo,
        cards=cards,
        right=right,
        strangers=len(photo.labels) - cards,
        failures=tuple(failures),
        ms=ms,
    )


def surplus(photo: Photo, seen: Seen) -> int:
    """How many entries a picture has beyond its cards: asked about though nothing is there."""
    codes = Counter(label.code for label in photo.labels)
    return max(0, len(seen.cards) - codes.total())


def quad_of(one: SeenOne) -> NDArray[np.float64]:
    """The outline of an entry as an array."""
    return np.asarray(one.quad, dtype=np.float64)


def shared(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> float:
    """The part of the smaller of two outlines that both cover, 0 to 1."""
    if one is None or other is None:
        return 0.0
    hulls = [cv2.convexHull(each.astype(np.float32)) for each in (one, other)]
    least = min(cv2.contourArea(hull) for hull in hulls)
    common, _ = cv2.intersectConvexConvex(hulls[0], hulls[1])
    return float(common) / least if least > 0 else 0.0


def _outline(card: dict[str, Any]) -> NDArray[np.float64] | None:
    polygon = card.get("polygon") or ()
    return np.asarray(polygon, dtype=np.float64) if len(polygon) == 4 else None


def _alike(label: Label, one: SeenOne) -> float:
    """How well an entry that is not sure fits a label: by place, or by its likeliest card."""
    if label.outline is not None:
        return shared(label.outline, quad_of(one))
    return 0.5 if one.likely == label.code else 0.0


def _beneath(labels: Sequence[Label], one: SeenOne) -> Label | None:
    """The label at the place of an entry."""
    best = max(labels, key=lambda label: shared(label.outline, quad_of(one)), default=None)
    return best if best is not None and shared(best.outline, quad_of(one)) > 0.3 else None
