"""Renders the small pictures that guard the readings in the tests, with the demonstration deck.

Usage: `python -m vision.judging.own FOLDER`. The same call makes the same pictures.
"""

import json
from pathlib import Path
from typing import Final

import click
import cv2
import numpy as np

from vision.judging.scenes import Ground, Lie, Setting, picture
from vision.synthetic.deck import printed

SIZE: Final = (640, 480)
PICTURES: Final[dict[str, tuple[int, tuple[str, ...], Setting]]] = {
    "felt": (
        3,
        ("7H", "KS", "2C", "TD", "AC"),
        Setting(size=SIZE, width_px=84, tilt=0.1),
    ),
    "light-ground": (
        5,
        ("9S", "4D", "QH"),
        Setting(size=SIZE, width_px=96, ground=Ground.LIGHT, tilt=0.1),
    ),
    "touching": (
        7,
        ("5D", "8C", "JH", "3S"),
        Setting(size=SIZE, width_px=92, lie=Lie.TOUCHING, tilt=0.05),
    ),
    "shadow": (
        8,
        ("6H", "TC", "2D"),
        Setting(size=SIZE, width_px=100, ground=Ground.WOOD, shadow=0.5, tilt=0.1),
    ),
    "oblique": (
        11,
        ("QS", "8H", "5C"),
        Setting(size=SIZE, width_px=110, ground=Ground.DARK, lie=Lie.ROW, tilt=0.4),
    ),
    "fan": (
        14,
        ("AH", "9D", "6C", "KD"),
        Setting(size=SIZE, width_px=120, lie=Lie.FAN, tilt=0.05),
    ),
    "clutter": (
        16,
        ("3D", "7S"),
        Setting(size=SIZE, width_px=90, ground=Ground.CLUTTER, tilt=0.1),
    ),
}
"""Name, seed, cards and setting of each."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def main(folder: Path) -> None:
    """Write the pictures and what lies in them into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    told = {}
    for name, (seed, codes, setting) in PICTURES.items():
        made = picture(printed, codes, setting, np.random.default_rng(seed))
        path = folder / f"{name}.jpg"
        cv2.imwrite(str(path), made.image, [cv2.IMWRITE_JPEG_QUALITY, 80])
        told[path.name] = [
            {"code": card.code, "whole": card.whole, "quad": np.round(card.quad, 1).tolist()}
            for card in made.cards
        ]
    text = json.dumps(told, indent=1)
    (folder / "labels.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
