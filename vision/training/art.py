"""Card art in the public domain or CC0, drawn once from SVG to a cache of faces.

The folders come from the packages named in provenance.json; `rsvg-convert` draws them. Kennard's
cards are for training. Knoll's, and Spatz's that were made from Knoll's, are held out.
"""

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs import SUITS

FACE: Final = (352, 252)
"""Height and width in pixels of a face as it is drawn: 4 px a millimetre."""
TRAINED: Final = {
    "kennard-2": "package/src/images/2color",
    "kennard-4": "package/src/images/4color",
    "kennard-jumbo-2": "package/src/images/2color-bf",
    "kennard-jumbo-4": "package/src/images/4color-bf",
}
HELD_OUT: Final = {
    "knoll": "knoll/cards-svg",
    "spatz-v2": "spatz/Decks/Vertical2/svgs",
    "spatz-v4": "spatz/Decks/Vertical4/svgs",
    "spatz-h2": "spatz/Decks/Horizontal2/svgs",
    "spatz-h4": "spatz/Decks/Horizontal4/svgs",
    "spatz-av": "spatz/Decks/Accessible/Vertical/svgs",
}
_WORDS: Final = {"Ace": "A", "Jack": "J", "Queen": "Q", "King": "K", "T": "10"}
Faces = NDArray[np.uint8]


def place(name: str) -> int | None:
    """Where a file's card stands in a deck (rank times four plus suit), None if it is no card."""
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    if match := re.fullmatch(r"(club|diamond|heart|spade)(\d+|Ace|Jack|Queen|King)", name):
        suit, rank = match[1][0].upper(), match[2]
    elif match := re.fullmatch(r"(10|[2-9TJQKA])([CDHS])", name):
        rank, suit = match[1], match[2]
    else:
        return None
    return ranks.index(_WORDS.get(rank, rank)) * 4 + SUITS.index(suit)


def _draw(path: Path, target: Path) -> NDArray[np.uint8]:
    high, wide = FACE
    command = ["rsvg-convert", "-w", str(wide), "-h", str(high), "-o", str(target), str(path)]
    subprocess.run(command, check=True)  # noqa: S603
    image = cv2.imread(str(target), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise SystemExit(f"{path} was drawn to nothing: is rsvg-convert whole?")
    alpha = image[:, :, 3:].astype(np.float32) / 255
    return np.asarray(image[:, :, :3] * alpha + 255 * (1 - alpha), np.uint8)


def faces(root: Path, folder: str, cache: Path) -> Faces:
    """The 52 faces of one folder, from the cache or drawn now."""
    stored = cache / (re.sub(r"\W+", "-", folder) + ".npy")
    if stored.exists():
        return np.asarray(np.load(stored), np.uint8)
    out = np.zeros((52, *FACE, 3), np.uint8)
    seen = 0
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted((root / folder).glob("*.svg")):
            if (at := place(path.stem)) is not None:
                out[at] = _draw(path, Path(scratch) / "face.png")
                seen += 1
    if seen != 52:
        raise SystemExit(f"{root / folder} holds {seen} cards of 52: unpack it as README.md says")
    cache.mkdir(parents=True, exist_ok=True)
    np.save(stored, out)
    return out
