"""Judge the committed reader on labelled photographs of real cards, cut along their outlines.

For judging only: nothing here may be used to train, to fit the temperature or to choose a limit.
Usage: python -m vision.training.judge ../shared/photos
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import CROP, CardKind, Reader

NOT_CORE: Final = ("piatnik-4index-rectified", "red-cloth-backs-overlay")
_CLEAR: Final = 150.0
"""A card wider than this in pixels is made smaller first, as a camera would see it."""


@dataclass(slots=True)
class Row:
    """Counts of one set."""

    cards: int = 0
    right: int = 0
    top: int = 0
    wrong: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        """One row of the table."""
        share = 100 / max(1, self.cards)
        asked = self.cards - self.right - len(self.wrong)
        return (
            f"| {name} | {self.cards} | {self.top} ({self.top * share:.1f} %) "
            f"| {self.right} ({self.right * share:.1f} %) | {len(self.wrong)} "
            f"| {asked} ({asked * share:.1f} %) |"
        )


def upright(polygon: list[list[float]]) -> NDArray[np.float32]:
    """The outline clockwise from a corner such that the longer sides stand upright."""
    quad = np.array(polygon, np.float32)
    ahead = np.roll(quad, -1, axis=0)
    if float((quad[:, 0] * ahead[:, 1] - quad[:, 1] * ahead[:, 0]).sum()) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return np.roll(quad, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else quad


def cut(image: NDArray[np.uint8], polygon: list[list[float]]) -> NDArray[np.uint8]:
    """The card's crop."""
    quad = upright(polygon)
    width = float(np.linalg.norm(quad[1] - quad[0]))
    if width > _CLEAR:
        scale = _CLEAR / width
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        quad = quad * np.float32(scale)
    high, wide = CROP
    target = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    to = cv2.getPerspectiveTransform(np.ascontiguousarray(quad, np.float32), target)
    return np.asarray(cv2.warpPerspective(image, to, (wide, high)), np.uint8)


def labelled(photos: Path) -> Iterator[tuple[str, dict[str, Any], NDArray[np.uint8]]]:
    """Every labelled card with an outline: its set, its label, its crop."""
    with (photos / "labels.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            image = cv2.imread(str(photos / entry["file"]))
            if image is None:
                raise SystemExit(f"{photos / entry['file']} cannot be read: is the folder whole?")
            for card in entry["cards"]:
                if len(card.get("polygon", ())) == 4:  # else cut off or without an outline
                    name = entry["file"].split("/")[0]
                    yield (
                        name,
                        {**card, "file": entry["file"]},
                        cut(np.asarray(image, np.uint8), card["polygon"]),
                    )


def judge(photos: Path) -> str:
    """The table, and every card that was wrong and sure."""
    reader = Reader()
    rows: dict[str, Row] = defaultdict(Row)
    strange: dict[str, Row] = defaultdict(Row)
    for name, card, crop in labelled(photos):
        reading = reader.read([crop])[0]
        code = str(card["code"])
        known = reading.kind is CardKind.FACE and reading.card is not None
        said = str(reading.card) if known else reading.kind.value
        group = "part covered" if card["visible"] == "corner" else name
        keys = [group] if group == "part covered" or name in NOT_CORE else [group, "core, all"]
        table = strange if len(code) != 2 else rows
        for key in keys if table is rows else [code]:
            row = table[key]
            row.cards += 1
            row.top += int(said == code)
            if reading.sure and known and said != code:
                row.wrong.append(f"{card['file']}: {code} read as {said}, {reading.confidence:.4f}")
            elif reading.sure and said in (code, code.lower()):
                row.right += 1
    head = (
        "| set | cards | likeliest right | right and sure | wrong and sure | asked |\n"
        "| -- | -- | -- | -- | -- | -- |"
    )
    lines = [head, *(rows[name].line(name) for name in sorted(rows))]
    lines += ["", head, *(strange[name].line(name) for name in sorted(strange))]
    wrong = sorted({text for row in (*rows.values(), *strange.values()) for text in row.wrong})
    return "\n".join([*lines, "", "Wrong and sure:", *(wrong or ["none"])])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.judge", description=__doc__)
    parser.add_argument("photos", type=Path)
    print(judge(parser.parse_args().photos))


if __name__ == "__main__":
    main()
