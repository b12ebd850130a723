"""Ten coups with photographs of real cards, laid into the synthetic camera's picture.

The photographs lie beside a checkout and are for judging only; nothing was trained, tuned or chosen
on them. Each card must be right or asked about, and none wrong.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from studio.domain.cards import PACK
from vision.locate import order
from vision.synthetic.camera import FRAMES_TO_SETTLE

if TYPE_CHECKING:
    from tests.integration.vision.conftest import Bench

COUPS = 10
SIZE = (378, 528)
SMALLEST_PX = 60
"""A card photographed smaller than this is no print any more."""


def labelled(photos: Path) -> dict[str, list[tuple[Path, list[list[float]]]]]:
    """All whole cards with an outline, by code."""
    codes = {card.code for card in PACK}
    found = defaultdict(list)
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        image: dict[str, Any] = json.loads(line)
        for card in image["cards"]:
            if card["code"] in codes and card["visible"] == "full" and "polygon" in card:
                found[card["code"]].append((photos / image["file"], card["polygon"]))
    return dict(sorted(found.items()))


def cut_out(path: Path, polygon: list[list[float]]) -> np.ndarray | None:
    """The card within an outline, upright; None if it is too small."""
    quad = order(np.asarray(polygon, dtype=np.float64))
    if min(np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)) < SMALLEST_PX:
        return None
    image = cv2.imread(str(path))
    width, height = SIZE
    target = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return cv2.warpPerspective(image, matrix, SIZE, flags=cv2.INTER_AREA)


@pytest.mark.shared
@pytest.mark.timeout(300)
def test_ten_coups_of_photographed_cards_have_none_wrong(
    shared: Path, tmp_path: Path, open_bench: Callable[..., Bench]
) -> None:
    chance = random.Random(20)
    folder = tmp_path / "faces"
    folder.mkdir()
    for code, shots in labelled(shared / "photos").items():
        chance.shuffle(shots)
        faces = (cut_out(*shot) for shot in shots)
        face = next((each for each in faces if each is not None), None)
        if face is not None:
            cv2.imwrite(str(folder / f"{code}.png"), face)
    codes = sorted(path.stem for path in folder.iterdir())
    assert len(codes) >= 50
    chance.shuffle(codes)

    bench = open_bench(photos=folder)
    bench.camera.step(FRAMES_TO_SETTLE)
    right, asked, wrong = 0, [], []
    for coup in range(COUPS):
        zones = ["P", "B", "P", "B"] + ["P"] * (coup % 2)
        for number, zone in enumerate(zones):
            code = codes.pop()
            bench.camera.lay(zone, code, sideways=number == 4)
            seen = bench.settle(zone, zones[: number + 1].count(zone))[-1]
            if not seen.sure:
                asked.append(code)
            elif str(seen.card) == code:
                right += 1
            else:
                wrong.append((code, str(seen.card)))
        for zone in ("P", "B"):
            bench.camera.clear(zone)
            bench.settle(zone, 0)
    assert wrong == []
    assert right + len(asked) == 45
    # An eye that only ever asks is no eye.
    assert right >= 23
