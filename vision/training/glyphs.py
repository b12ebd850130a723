"""Index characters: from fonts, and from strokes drawn with a random brush.

Everything is a mask: one channel, 0 to 255, cut to its ink. Fonts are split by family, so that a
family held out never appears in training in any weight or width.
"""

import subprocess
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]
Line = list[tuple[float, float]]

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "CDHS"
SUIT_SIGNS: Final = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
# fmt: off
HELD_OUT: Final = (
    ("bebas",),
    ("cabin",),
    ("c059", "tex gyre schola"),
    ("urw gothic", "tex gyre adventor"),
    ("open sans", "noto sans"),
    ("gillius",),
    ("junicode",),
    ("solothurn",),
    ("universalis",),
    ("ocra",),
    ("lato", "carlito"),
    ("mononoki",),
    ("vollkorn",),
    ("quicksand",),
    ("essays1743",),
    ("im fell",),
    ("gfs didot",),
    ("play",),
    ("agave",), ("allerta",), ("amiri",), ("anonymous pro",), ("arapey",), ("averia",),
    ("b612",), ("berenika",), ("cardo",), ("caslon",), ("century catalogue",), ("clear sans",),
    ("cmu", "latin modern"), ("comic neue",), ("elstob",), ("eurofurence",), ("fantasque",),
    ("fanwood",), ("gemunu",), ("hermit",), ("inconsolata",), ("kinnari",), ("league spartan",),
    ("manrope",), ("mona",), ("nanum",), ("osifont",), ("osp",), ("oxygen",), ("pt ",),
    ("quattrocento",), ("rasa", "yrsa"), ("roadgeek",), ("routed gothic",), ("sora",),
    ("tiresias",), ("umpush",),
)
"""Designs of letters that training never sees: starts of family names, clones together."""
# fmt: on
FITTING: Final = 4
"""Every so many-th of them is for fitting the decision, the others are for the report."""
# fmt: off
_UNFIT: Final = (
    "symbol", "dingbat", "emoji", "math", "music", "icon", "awesome", "barcode", "ocr-b",
    "script", "chancery", "handwriting", "isabella", "atari", "cursor", "lobster", "leckerli",
    "kristi", "rufscript", "ecolier", "sketch", "hairline", "thin", "extralight", "blackout",
    "braille", "humor", "radisnoir", "steve", "joan", "delphine", "penguin", "winks", "balker",
    "bleed", "domestic", "z003", "chorus", "d050", "cmex", "cmsy", "cmmi", "msam", "msbm",
    "jsmath", "wasy", "stixint", "stixsiz", "stixvar", "stixnonu", "aenigma", "ldco",
    "fifthhorseman", "futhark", "klingon", "greatvibes", "aoyagi", "fette", "tnua", "gotico",
    "okolaks", "quran", "murmure", "compagnon", "havana", "mirage", "stick", "millimetre",
    "engadget", "ubuntu-title", "unifur", "classical", "cupola", "initials",
    "libertine_i", "biolinum_k", "dustin", "beteckna", "induni", "joscelyn", "euljirooraeorae",
    "euljiro10",
)
# fmt: on
_SIZE: Final = 150
_LATIN_NOTO: Final = (
    "notosans-",
    "notoserif-",
    "notosansdisplay-",
    "notoserifdisplay-",
    "notosansmono-",
)


@dataclass(frozen=True, slots=True)
class Font:
    """One font file of one family; `signs` tells whether it draws the four suits."""

    path: str
    family: str
    signs: bool


def held_out(family: str) -> int | None:
    """Which of the designs of HELD_OUT a family has; None if it may be trained on."""
    name = family.replace("\\", "").strip().lower()
    return next((k for k, group in enumerate(HELD_OUT) if name.startswith(group)), None)


@cache
def fonts() -> tuple[Font, ...]:
    """All installed fonts that draw the index characters, in a fixed order.

    Fonts under a licence with copyleft and without an exception for what is printed with them
    are left out.
    """
    out = subprocess.run(
        ["fc-list", ":", "file", "family"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, Font] = {}
    for line in out.splitlines():
        path, _, family = line.partition(": ")
        family = family.split(",")[0]
        if _usable_name(path) and (signs := _draws(path)) is not None:
            found[path] = Font(path, family, signs)
    return tuple(found[path] for path in sorted(found))


def _usable_name(path: str) -> bool:
    name = Path(path).name.lower()
    if not path.startswith("/usr/share/") or not name.endswith((".ttf", ".otf")):
        return False
    if any(word in path.lower() for word in _UNFIT):
        return False
    if name.startswith("noto") and not name.startswith(_LATIN_NOTO):
        return False
    return "ital" not in name and "obli" not in name and not name[:-4].endswith(("-i", "it"))


def _draws(path: str) -> bool | None:
    """Whether the suits are drawn too; None if the index characters are not."""
    try:
        font = ImageFont.truetype(path, 40)
        missing = bytes(font.getmask("\u0378"))
        letters = [font.getmask(sign) for sign in "AJQK0123456789"]
        if any(one.getbbox() is None or bytes(one) == missing for one in letters):
            return None
        signs = [bytes(font.getmask(sign)) for sign in SUIT_SIGNS.values()]
        return len(set(signs)) == 4 and bytes(font.getmask("\u0378")) not in signs
    except (OSError, ValueError):
        return None


@cache
def loaded(path: str) -> ImageFont.FreeTypeFont:
    """The font at the size all masks are drawn with."""
    return ImageFont.truetype(path, _SIZE)


def trim(mask: Mask) -> Mask:
    """Cut a mask to its ink; an empty one stays one pixel."""
    rows = np.flatnonzero(mask.max(axis=1) > 40)
    cols = np.flatnonzero(mask.max(axis=0) > 40)
    if rows.size == 0:
        return np.zeros((1, 1), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


def font_glyph(path: str, text: str) -> Mask:
    """One character of a font as a mask."""
    font = loaded(path)
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    image = Image.new("L", (right - left + 16, bottom - top + 16), 0)
    ImageDraw.Draw(image).text((8 - left, 8 - top), text, fill=255, font=font)
    return trim(np.asarray(image))


def _arc(
    c: tuple[float, float], r: tuple[float, float], start: float, end: float, power: float = 1.0
) -> Line:
    """Part of an ellipse; of a rounded box where `power` is well below 1."""
    turn = np.radians(np.linspace(start, end, 20 if power > 0.9 else 36))
    x, y = np.cos(turn), np.sin(turn)
    x, y = np.sign(x) * np.abs(x) ** power, np.sign(y) * np.abs(y) ** power
    return [(c[0] + r[0] * float(a), c[1] + r[1] * float(b)) for a, b in zip(x, y, strict=True)]


def _curve(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> Line:
    return [
        (
            (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * b[0] + t * t * c[0],
            (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * b[1] + t * t * c[1],
        )
        for t in np.linspace(0, 1, 14)
    ]


def _low_strokes(text: str, rng: np.random.Generator, power: float) -> list[Line]:
    """Skeletons of 1 to 5 and 0 in the unit square."""
    arc = partial(_arc, power=power)
    pick = rng.random()
    if text == "0":
        return [arc((0.5, 0.5), (0.5, 0.5), 0, 360)]
    if text == "1":
        lines: list[Line] = [[(0.5, 0), (0.5, 1)]]
        if pick < 0.6:
            lines.append([(0.5, 0), (rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.25))])
        return [*lines, [(0.15, 1), (0.85, 1)]] if rng.random() < 0.4 else lines
    if text == "2":
        end = rng.uniform(10, 40)
        top = arc((0.5, 0.29), (0.46, 0.29), rng.uniform(170, 210), 360 + end)
        bow = (rng.uniform(0.3, 0.6), rng.uniform(0.62, 0.8))
        return [top + _curve(top[-1], bow, (0.02, 1)), [(0.02, 1), (1, 1)]]
    if text == "3":
        low = arc((0.45, 0.7), (0.52, 0.3), rng.uniform(-110, -80), rng.uniform(130, 170))
        if pick < 0.4:
            return [[(0.04, 0), (0.92, 0), (rng.uniform(0.3, 0.5), 0.41)], low]
        return [arc((0.46, 0.24), (0.44, 0.24), rng.uniform(180, 215), 450), low]
    if text == "4":
        bar = rng.uniform(0.6, 0.74)
        x = rng.uniform(0.64, 0.8)
        if pick < 0.2:
            return [[(0.2, 0), (0.03, bar), (1, bar)], [(x, 0.3), (x, 1)]]
        return [[(x, 1), (x, 0), (0.0, bar), (1, bar)]]
    x = rng.uniform(0.05, 0.16)
    bowl = arc((0.45, 0.67), (0.53, 0.33), rng.uniform(-140, -110), rng.uniform(130, 165))
    return [[(0.92, 0), (x + 0.05, 0), (x, rng.uniform(0.4, 0.5))], bowl]


def _high_strokes(text: str, rng: np.random.Generator, power: float) -> list[Line]:
    """Skeletons of 6 to 9, A, J, Q and K in the unit square."""
    arc = partial(_arc, power=power)
    pick = rng.random()
    if text in "69":
        y = rng.uniform(0.62, 0.7)
        bowl = arc((0.5, y), (0.48, 1 - y), 0, 360)
        top = (rng.uniform(0.6, 0.92), rng.uniform(0.0, 0.08))
        stem = [top, (0.06, y - 0.08)] if pick < 0.25 else _curve(top, (0.02, 0.05), (0.02, y))
        lines = [bowl, stem]
        return [[(1 - a, 1 - b) for a, b in line] for line in lines] if text == "9" else lines
    if text == "7":
        bend = (rng.uniform(0.35, 0.7), rng.uniform(0.4, 0.6))
        lines = [[(0, 0), (1, 0)], _curve((1, 0), bend, (rng.uniform(0.2, 0.45), 1))]
        return [*lines, [(0.3, 0.5), (0.85, 0.5)]] if pick < 0.12 else lines
    if text == "8":
        r = rng.uniform(0.36, 0.46)
        return [arc((0.5, 0.25), (r, 0.25), 0, 360), arc((0.5, 0.75), (0.5, 0.25), 0, 360)]
    if text == "A":
        bar = rng.uniform(0.55, 0.76)
        flat = rng.uniform(0, 0.12) if pick < 0.3 else 0.0
        side = bar * (0.5 - flat)
        legs: list[Line] = [[(0, 1), (0.5 - flat, 0), (0.5 + flat, 0), (1, 1)]]
        return [*legs, [(0.5 - flat - side, bar), (0.5 + flat + side, bar)]]
    if text == "J":
        x = rng.uniform(0.6, 0.9)
        y = rng.uniform(0.66, 0.8)
        hook = arc((x / 2, y), (x / 2, 1 - y), 0, rng.uniform(130, 190))
        lines = [[(x, 0), *hook]]
        return [*lines, [(x - rng.uniform(0.2, 0.45), 0), (1, 0)]] if pick < 0.5 else lines
    if text == "Q":
        return [arc((0.5, 0.5), (0.5, 0.5), 0, 360), _tail(rng)]
    joint = rng.uniform(0.5, 0.66)
    knee = rng.uniform(0.25, 0.45)
    arm: Line = [(0.95, 0), (0.06, joint)]
    at = (0.95 - knee * 1.6, joint * (knee * 1.6) / 0.89)
    return [[(0.06, 0), (0.06, 1)], arm, [at, (1, 1)]]


def _tail(rng: np.random.Generator) -> Line:
    """The tail of a Q: across the ring, within it, a bar across its foot or a flourish below."""
    pick = rng.random()
    if pick < 0.5:
        return [(rng.uniform(0.45, 0.65), rng.uniform(0.62, 0.8)), (1, rng.uniform(0.96, 1.1))]
    if pick < 0.7:
        return [(rng.uniform(0.4, 0.6), rng.uniform(0.55, 0.7)), (rng.uniform(0.6, 0.85), 0.98)]
    if pick < 0.82:
        y = rng.uniform(0.78, 0.95)
        return [(rng.uniform(0.2, 0.4), y), (rng.uniform(0.85, 1.05), y + rng.uniform(0, 0.12))]
    return _curve((rng.uniform(0.3, 0.5), 1.0), (0.6, rng.uniform(1.0, 1.15)), (1.1, 1.08))


def _brush(rng: np.random.Generator, weight: float, contrast: float) -> Mask:
    wide = max(3, int(weight))
    high = max(3, int(weight * contrast))
    shape = cv2.MORPH_RECT if rng.random() < 0.4 else cv2.MORPH_ELLIPSE
    return np.asarray(cv2.getStructuringElement(shape, (wide, high)), np.uint8)


class StrokeFace:
    """A made-up face: one brush, one width and one kind of serif for all its characters."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._width = int(rng.uniform(62, 125))
        self._weight = rng.uniform(6, 34) * min(1.0, self._width / 80)
        self._brush = _brush(rng, self._weight, rng.choice([1.0, 1.0, rng.uniform(0.4, 1.2)]))
        self._serif = rng.uniform(0.1, 0.24) if rng.random() < 0.45 else 0.0
        self._power = rng.uniform(0.28, 0.7) if rng.random() < 0.35 else 1.0

    def glyph(self, text: str) -> Mask:
        """One character, `0` to `9`, `A`, `J`, `Q` or `K`, as a mask."""
        low = text in "012345"
        draw = _low_strokes if low else _high_strokes
        lines = draw(text, self._rng, self._power)
        high, pad = 130, 30
        width = self._width * (0.7 if text == "1" else 1.0)
        canvas = np.zeros((high + 2 * pad, int(width) + 2 * pad), np.uint8)
        scale = np.array([width, high])
        for line in lines:
            points = np.asarray(line) * scale + pad
            cv2.polylines(canvas, [np.rint(points).astype(np.int32)], isClosed=False, color=255)
        if self._serif and text in "AKJ147":
            self._add_serifs(canvas, lines, scale, pad)
        return trim(np.asarray(cv2.dilate(canvas, self._brush), np.uint8))

    def _add_serifs(
        self, canvas: Mask, lines: list[Line], scale: NDArray[np.float64], pad: int
    ) -> None:
        reach = self._serif * scale[0]
        ends = [end for line in lines for end in (line[0], line[-1])]
        for x, y in ends:
            if y in (0, 1):
                at = np.rint(np.array([x, y]) * scale + pad)
                start = (int(at[0] - reach), int(at[1]))
                cv2.line(canvas, start, (int(at[0] + reach), int(at[1])), 255, 1)


def flaw(mask: Mask, rng: np.random.Generator, bold: int) -> Mask:
    """Thicken (bold > 0) or thin (bold < 0) a glyph by so many pixels of 150 and slant it a bit."""
    out = cv2.copyMakeBorder(mask, 14, 14, 14, 14, cv2.BORDER_CONSTANT, value=0)
    if bold:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(bold) * 2 + 1,) * 2)
        worn = cv2.dilate(out, kernel) if bold > 0 else cv2.erode(out, kernel)
        out = worn if int((worn > 128).sum()) > 0.4 * int((mask > 128).sum()) else out
    if rng.random() < 0.1:
        lean = rng.uniform(-0.12, 0.12)
        high, wide = out.shape
        shear = np.array([[1, lean, -lean * high / 2], [0, 1, 0]])
        out = cv2.warpAffine(out, shear, (wide, high))
    return trim(np.asarray(out, np.uint8))
