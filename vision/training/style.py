"""The choices that make one procedural deck, drawn at random from a pool of parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.training import pips
from vision.training.glyphs import Font, Mask, StrokeFace, flaw, font_glyph, fonts, held_out

PX: Final = 4.0
"""Pixels a millimetre of a drawn face (252 wide for 63 mm)."""
HIGH: Final = 352
WIDE: Final = 252
Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""
_COURT_KINDS: Final = ("figure", "art", "abstract", "letter", "suit", "blank")
_FOREIGN: Final = (
    "V",
    "D",
    "R",
    "B",
    "C",
    "N",
    "P",
    "L",
    "1",
    "11",
    "12",
    "13",
    "0",
    "14",
    "E",
    "S",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What decks of one side of the split may be made from."""

    fonts: tuple[Font, ...]
    sign_fonts: tuple[Font, ...]
    shapes: tuple[str, ...]
    art: tuple[NDArray[np.uint8], ...]
    strokes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One deck: lengths in pixels of a face of 252 by 352."""

    glyphs: Mapping[str, Mask]
    suits: Mapping[str, Mask]
    inks: Mapping[str, Colour]
    paper: Colour
    rank: tuple[float, float]
    ten: float
    suit_high: float
    gap: float
    margin: tuple[float, float]
    beside: bool
    corners: int
    body: str
    pip: tuple[float, float]
    column: float
    row: float
    frame: str
    frame_ink: Colour
    court: str
    court_box: tuple[int, int]
    corner_pip: bool
    squeeze: float
    ornate: float


def parts(
    art: tuple[NDArray[np.uint8], ...], *, for_training: bool, half: int | None = None
) -> Parts:
    """The parts of one side of the split: families held out are on the other side only.

    `half` (0 or 1) takes every other of the designs that are held out: one half is for fitting
    the temperature, the other for the report.
    """
    designs = [(font, held_out(font.family)) for font in fonts()]
    if for_training:
        mine = tuple(font for font, design in designs if design is None)
    else:
        mine = tuple(
            font
            for font, design in designs
            if design is not None and (half is None or design % 2 == half)
        )
    return Parts(
        fonts=mine,
        sign_fonts=tuple(font for font in mine if font.signs),
        shapes=pips.TRAINED_SHAPES if for_training else pips.HELD_OUT_SHAPES,
        art=art,
        strokes=for_training,
    )


def _glyphs(pool: Parts, rng: np.random.Generator) -> dict[str, Mask]:
    letters = "AJQK0123456789"
    if pool.strokes and rng.random() < 0.27:
        face = StrokeFace(rng)
        drawn = {sign: flaw(face.glyph(sign), rng, 0) for sign in letters}
        backup = pool.fonts[rng.integers(len(pool.fonts))]
    else:
        families = sorted({font.family for font in pool.fonts})
        family = families[rng.integers(len(families))]
        members = [font for font in pool.fonts if font.family == family]
        backup = members[rng.integers(len(members))]
        bold = int(rng.choice([0, 0, 0, 2, 4, 6, -2]))
        drawn = {sign: flaw(font_glyph(backup.path, sign), rng, bold) for sign in letters}
        if pool.strokes and rng.random() < 0.12:
            swap = StrokeFace(rng)
            for sign in rng.choice(list("1234679JQ"), 3):
                drawn[str(sign)] = swap.glyph(str(sign))
    for sign in "VDRBCNPLEOS":
        drawn[sign] = font_glyph(backup.path, sign)
    return drawn


def _suits(pool: Parts, rng: np.random.Generator) -> dict[str, Mask]:
    if pool.sign_fonts and rng.random() < 0.38:
        families = sorted({font.family for font in pool.sign_fonts})
        family = families[rng.integers(len(families))]
        members = [font for font in pool.sign_fonts if font.family == family]
        return pips.font_suits(members[rng.integers(len(members))], rng)
    return pips.drawn_suits(str(rng.choice(pool.shapes)), rng)


def _triple(values: NDArray[np.float64]) -> Colour:
    blue, green, red = (int(v) for v in np.clip(values, 0, 255))
    return blue, green, red


def _inks(rng: np.random.Generator) -> tuple[dict[str, Colour], Colour]:
    """The inks of the four suits and the paper's colour."""
    red = _triple(np.array([rng.uniform(0, 70), rng.uniform(0, 60), rng.uniform(140, 245)]))
    grey = rng.uniform(0, 60)
    black = _triple(np.array([grey + rng.uniform(0, 30), grey, grey + rng.uniform(0, 8)]))
    paper = _triple(255 - np.abs(rng.normal(0, (9, 5, 4))))
    pick = rng.random()
    if pick < 0.06:  # tinted paper
        paper = _triple(rng.uniform(185, 255, 3))
    elif pick < 0.10:  # dark deck: light black suits
        paper = _triple(rng.uniform(10, 70, 3))
        black = _triple(rng.uniform(185, 255, 3))
        red = _triple(np.array([rng.uniform(30, 110), rng.uniform(30, 110), rng.uniform(200, 255)]))
    inks = {"C": black, "S": black, "D": red, "H": red}
    if rng.random() < 0.17:
        blue = np.array([rng.uniform(150, 255), rng.uniform(20, 130), rng.uniform(0, 60)])
        orange = np.array([rng.uniform(0, 50), rng.uniform(90, 160), rng.uniform(200, 255)])
        green = np.array([rng.uniform(0, 80), rng.uniform(90, 170), rng.uniform(0, 60)])
        inks["D"] = _triple(blue if rng.random() < 0.8 else orange)
        inks["C"] = _triple(green)
        if rng.random() < 0.15:
            inks["S"] = _triple(
                np.array([rng.uniform(80, 200), rng.uniform(0, 90), rng.uniform(0, 150)])
            )
    return inks, paper


def _index(rng: np.random.Generator) -> tuple[str, tuple[float, float]]:
    kind = str(rng.choice(["standard", "jumbo", "super"], p=[0.5, 0.42, 0.08]))
    spans = {"standard": (5.8, 10.0), "jumbo": (10.0, 18.0), "super": (18.0, 25.0)}
    high = rng.uniform(*spans[kind]) * PX
    return kind, (high, high * rng.uniform(0.48, 0.85))


def choose(pool: Parts, rng: np.random.Generator) -> Style:
    """Make up one deck."""
    kind, rank = _index(rng)
    inks, paper = _inks(rng)
    beside = bool(rng.random() < 0.16) and kind != "super"
    ratio = rng.uniform(0.5, 1.05) * (1.0 if kind == "standard" else 0.85)
    margin = (rng.uniform(1.3, 4.5) * PX, rng.uniform(1.8, 6.0) * PX)
    clear = margin[0] + rank[1] * (1 + ratio if beside else 1.0)
    pip_high = rng.uniform(8.5, 15) * PX * (1.0 if kind == "standard" else 0.85)
    column = max(rng.uniform(0.26, 0.34) * WIDE, min(clear + pip_high * 0.5, 0.39 * WIDE))
    framed = clear + rng.uniform(0, 3) * PX if rng.random() < 0.6 else rng.uniform(0.13, 0.2) * WIDE
    grey = _triple(np.full(3, rng.uniform(0, 190)))
    inset = (int(np.clip(framed, 0.1 * WIDE, 0.34 * WIDE)), int(rng.uniform(0.06, 0.13) * HIGH))
    weights = [0.22, 0.38, 0.16, 0.10, 0.07, 0.07]
    if not pool.art:
        weights = [0.62, 0.0, 0.0, 0.16, 0.12, 0.10]
    return Style(
        glyphs=_glyphs(pool, rng),
        suits=_suits(pool, rng),
        inks=inks,
        paper=paper,
        rank=rank,
        ten=rng.uniform(1.0, 1.5),
        suit_high=rank[0] * ratio,
        gap=rank[0] * rng.uniform(0.04, 0.28),
        margin=margin,
        beside=beside,
        corners=4 if rng.random() < 0.12 else 2,
        body=str(rng.choice(["pips", "one", "none", "rank"], p=[0.84, 0.08, 0.05, 0.03])),
        pip=(pip_high, rng.uniform(0.82, 1.12)),
        column=column,
        row=rng.uniform(0.13, 0.22) * HIGH,
        frame=str(rng.choice(["", "court", "all"], p=[0.35, 0.5, 0.15])),
        frame_ink=grey if rng.random() < 0.5 else inks[str(rng.choice(list("CD")))],
        court=str(rng.choice(_COURT_KINDS, p=weights)),
        court_box=inset,
        corner_pip=bool(rng.random() < 0.7),
        squeeze=rng.uniform(0.8, 1.0),
        ornate=rng.uniform(1.2, 4.2),
    )


def foreign_rank(rng: np.random.Generator) -> str:
    """An index that is none of the thirteen."""
    return str(rng.choice(_FOREIGN))
