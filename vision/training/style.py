"""The choices that make one procedural deck, drawn at random from a pool of parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.training import bends, pips
from vision.training.glyphs import (
    FITTING,
    Font,
    Mask,
    StrokeFace,
    flaw,
    font_glyph,
    fonts,
    held_out,
)

PX: Final = 4.0
"""Pixels a millimetre of a drawn face (252 wide for 63 mm)."""
HIGH: Final = 352
WIDE: Final = 252
Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""
_COURT_KINDS: Final = ("figure", "art", "abstract", "letter", "suit", "blank", "collage")
_BODIES: Final = ("pips", "one", "none", "rank")
"""What stands in the middle of a number card: its pips, one large one, nothing, its rank."""
_ODDER: Final = (0.74, 0.1, 0.1, 0.06)
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


TRAINED_LAYOUTS: Final = ("stack", "stack", "stack", "above", "left", "sunk", "flush")
"""Index layouts of training: suit below the rank, above it, before it, beside its foot, and both
flush on one side."""
HELD_OUT_LAYOUTS: Final = ("stagger", "apart", "large", "small")
"""Index layouts that training never sees: suit out to one side, far below, too large, too small."""
HELD_OUT_COURTS: Final = ("emblem", "portrait", "art")
"""Court sets that training never sees; its art is other art."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What decks of one side of the split may be made from."""

    fonts: tuple[Font, ...]
    sign_fonts: tuple[Font, ...]
    shapes: tuple[str, ...]
    art: tuple[NDArray[np.uint8], ...]
    strokes: bool
    """Whether letters may be drawn by strokes too."""
    courts: tuple[str, ...] = ()
    """Court sets to choose from; none: those of training."""
    layouts: tuple[str, ...] = ("stack",)
    """Index layouts to choose from."""
    wild: bool = False
    """Whether a deck may go beyond what decks are usually like (`bends`, `wild`); training only."""


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
    odd_courts: bool
    """Whether jacks, queens and kings may have each other's borrowed pictures."""
    odd_pips: bool
    """Whether the pips sit elsewhere than usual."""
    court_box: tuple[int, int]
    corner_pip: bool
    squeeze: float
    ornate: float
    panel: Colour | None
    """Paper of the window in the middle that pips and courts stand in; None without one."""
    codes: str
    """Where a shoe's code is printed: "", "ends" or "sides"."""
    layout: str
    """How rank and suit stand: "stack", or one that is held out (see HELD_OUT_LAYOUTS)."""


def parts(
    art: tuple[NDArray[np.uint8], ...], *, for_training: bool, half: int | None = None
) -> Parts:
    """The parts of one side of the split: families held out are on the other side only.

    `half` takes part of the designs that are held out: 0 those for fitting the decision, 1 those
    for the report.
    """
    designs = [(font, held_out(font.family)) for font in fonts()]
    if for_training:
        mine = tuple(font for font, design in designs if design is None)
    else:
        mine = tuple(
            font
            for font, design in designs
            if design is not None and (half is None or half == int(design % FITTING > 0))
        )
    return Parts(
        fonts=mine,
        sign_fonts=tuple(font for font in mine if font.signs),
        shapes=pips.TRAINED_SHAPES if for_training else pips.HELD_OUT_SHAPES,
        art=art,
        strokes=for_training,
        courts=() if for_training else HELD_OUT_COURTS if art else HELD_OUT_COURTS[:2],
        layouts=TRAINED_LAYOUTS if for_training else HELD_OUT_LAYOUTS,
        wild=for_training,
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
    if pool.wild and rng.random() < 0.3:
        drawn = {sign: bends.bent(mask, rng) for sign, mask in drawn.items()}
    if pool.wild and rng.random() < bends.HOLLOW:
        drawn = {sign: bends.hollow(mask, rng) for sign, mask in drawn.items()}
    for sign in "VDRBCNPLEOS":
        drawn[sign] = font_glyph(backup.path, sign)
    return drawn


def _suits(pool: Parts, rng: np.random.Generator) -> dict[str, Mask]:
    """The four suits, in training bent or hollow now and then."""
    suits = _plain_suits(pool, rng)
    if pool.wild and rng.random() < 0.4:
        suits = {code: bends.bent(mask, rng, 0.05) for code, mask in suits.items()}
    if pool.wild and rng.random() < bends.HOLLOW:
        suits = {code: bends.hollow(mask, rng) for code, mask in suits.items()}
    return suits


def _plain_suits(pool: Parts, rng: np.random.Generator) -> dict[str, Mask]:
    if pool.sign_fonts and rng.random() < 0.38:
        families = sorted({font.family for font in pool.sign_fonts})
        family = families[rng.integers(len(families))]
        members = [font for font in pool.sign_fonts if font.family == family]
        return pips.font_suits(members[rng.integers(len(members))], rng)
    return pips.drawn_suits(str(rng.choice(pool.shapes)), rng)


def _triple(values: NDArray[np.float64]) -> Colour:
    blue, green, red = (int(v) for v in np.clip(values, 0, 255))
    return blue, green, red


def _inks(rng: np.random.Generator, dark: float = 0.04) -> tuple[dict[str, Colour], Colour]:
    """The inks of the four suits and the paper's colour; such a share of decks is dark."""
    red = _triple(np.array([rng.uniform(0, 70), rng.uniform(0, 60), rng.uniform(140, 245)]))
    grey = rng.uniform(0, 60)
    black = _triple(np.array([grey + rng.uniform(0, 30), grey, grey + rng.uniform(0, 8)]))
    paper = _triple(255 - np.abs(rng.normal(0, (9, 5, 4))))
    pick = rng.random()
    if pick < 0.06:  # tinted paper
        paper = _triple(rng.uniform(185, 255, 3))
    elif pick < 0.06 + dark:  # dark deck: light black suits
        paper = _triple(rng.uniform(10, 70, 3))
        black = _triple(rng.uniform(185, 255, 3))
        red = _triple(np.array([rng.uniform(30, 110), rng.uniform(30, 110), rng.uniform(200, 255)]))
    inks = {"C": black, "S": black, "D": red, "H": red}
    if rng.random() < 0.2:
        inks |= _four_colours(rng)
    return _printable(inks, paper), paper


def _hue(rng: np.random.Generator, name: str) -> Colour:
    spans = {
        "blue": ((150, 255), (20, 130), (0, 60)),
        "green": ((0, 80), (90, 170), (0, 60)),
        "orange": ((0, 50), (90, 175), (200, 255)),
        "purple": ((80, 200), (0, 90), (60, 160)),
        "pink": ((120, 220), (60, 140), (200, 255)),
        "brown": ((10, 50), (40, 90), (90, 150)),
        "grey": ((90, 150), (90, 150), (90, 150)),
    }
    low, high = np.array(spans[name], np.float64).T
    return _triple(rng.uniform(low, high))


def _four_colours(rng: np.random.Generator) -> dict[str, Colour]:
    """Blue diamonds and green clubs as in most such decks, or something else."""
    pick = rng.random()
    if pick < 0.5:
        return {"D": _hue(rng, "blue"), "C": _hue(rng, "green")}
    if pick < 0.65:
        return {"D": _hue(rng, "orange"), "C": _hue(rng, str(rng.choice(["green", "blue"])))}
    if pick < 0.75:
        return {"S": _hue(rng, str(rng.choice(["blue", "green", "purple"])))}
    names = ["blue", "green", "orange", "purple", "pink", "brown", "grey"]
    taken = rng.choice(names, 4, replace=False)
    count = int(rng.integers(1, 5))
    suits = rng.choice(list("CDHS"), count, replace=False)
    return {str(suit): _hue(rng, str(name)) for suit, name in zip(suits, taken, strict=False)}


def _printable(inks: dict[str, Colour], paper: Colour) -> dict[str, Colour]:
    """The inks, made lighter or darker until they stand out from the paper."""
    weights = np.array((0.11, 0.59, 0.3))
    ground = float(weights @ paper)
    out = {}
    for suit, ink in inks.items():
        tone = np.array(ink, np.float64)
        goal = 255.0 if ground < 120 else 0.0
        for _ in range(8):
            if abs(float(weights @ tone) - ground) > 75:
                break
            tone += (goal - tone) * 0.2
        out[suit] = _triple(tone)
    return out


def _index(rng: np.random.Generator) -> tuple[str, tuple[float, float]]:
    kind = str(rng.choice(["standard", "jumbo", "super"], p=[0.5, 0.42, 0.08]))
    spans = {"standard": (5.8, 10.0), "jumbo": (10.0, 18.0), "super": (18.0, 25.0)}
    high = rng.uniform(*spans[kind]) * PX
    return kind, (high, high * rng.uniform(0.38 if kind == "jumbo" else 0.46, 0.86))


def _panel(kind: str, paper: Colour, rng: np.random.Generator) -> Colour | None:
    """The window's paper: jumbo decks often have one, tinted or as the rest."""
    if rng.random() > {"standard": 0.08, "jumbo": 0.45, "super": 0.6}[kind]:
        return None
    if rng.random() < 0.5:
        return paper
    tint = rng.uniform(150, 256, 3) if rng.random() < 0.7 else rng.uniform(215, 256, 3)
    return _triple(np.asarray(tint))


def _fitting(rank: tuple[float, float], needs: tuple[float, float]) -> tuple[float, float]:
    """The rank's height and width, made smaller until an index of so many of them fits."""
    share = min(1.0, 0.47 * WIDE / (rank[1] * needs[0]), 0.46 * HIGH / (rank[0] * needs[1]))
    return rank[0] * share, rank[1] * share


def _ratio(kind: str, layout: str, rng: np.random.Generator, *, any_size: bool = False) -> float:
    """Height of the index's suit in heights of its rank."""
    if any_size:
        return rng.uniform(0.47, 1.1)
    if layout == "large":
        return rng.uniform(1.12, 1.35)
    if layout == "small":
        return rng.uniform(0.36, 0.46)
    return rng.uniform(0.5, 1.05) * (1.0 if kind == "standard" else 0.85)


def _within(
    inset: tuple[int, int], pip_high: float, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Height of the pips in a window, and their first column and row."""
    pip_high = min(pip_high, (HIGH - 2 * inset[1]) / rng.uniform(4.6, 6.5))
    column = inset[0] + pip_high * rng.uniform(0.55, 1.0)
    return pip_high, column, inset[1] + pip_high * rng.uniform(0.6, 1.0)


def _gap(pool: Parts, layout: str, rng: np.random.Generator) -> float:
    """Way between the index's rank and its suit in heights of the rank."""
    if pool.wild:
        return rng.uniform(0.0, 0.34)
    return rng.uniform(0.36, 0.6) if layout == "apart" else rng.uniform(0.04, 0.28)


def _inset(kind: str, clear: float, *, panel: bool, rng: np.random.Generator) -> tuple[int, int]:
    """How far a court or a window stays from the edges of the card."""
    if panel:
        wide = min(clear + rng.uniform(0.5, 4) * PX, 0.36 * WIDE)
        return int(max(wide, 0.12 * WIDE)), int(rng.uniform(0.08, 0.27) * HIGH)
    framed = clear + rng.uniform(0, 3) * PX if rng.random() < 0.6 else rng.uniform(0.13, 0.2) * WIDE
    high = rng.uniform(0.06, 0.2 if kind != "standard" and rng.random() < 0.4 else 0.13)
    return int(np.clip(framed, 0.1 * WIDE, 0.34 * WIDE)), int(high * HIGH)


def _court(pool: Parts, rng: np.random.Generator) -> str:
    if pool.courts:
        return str(rng.choice(pool.courts))
    weights = [0.22, 0.38, 0.16, 0.10, 0.07, 0.07, 0.0]
    if pool.wild:
        weights = [0.17, 0.34, 0.11, 0.08, 0.06, 0.06, 0.18]
    if not pool.art:
        weights = [0.62, 0.0, 0.0, 0.16, 0.12, 0.10, 0.0]
    return str(rng.choice(_COURT_KINDS, p=weights))


def choose(pool: Parts, rng: np.random.Generator) -> Style:
    """Make up one deck."""
    kind, rank = _index(rng)
    inks, paper = _inks(rng, 0.09 if pool.wild else 0.04)
    layout = str(rng.choice(pool.layouts))
    beside = bool(rng.random() < 0.16) and kind != "super" and layout == "stack"
    beside |= layout in ("left", "sunk")
    ratio = _ratio(kind, layout, rng, any_size=pool.wild and rng.random() < 0.5)
    gap = _gap(pool, layout, rng)
    margin = (rng.uniform(1.3, 4.5) * PX, rng.uniform(1.8, 6.0) * PX)
    rank = _fitting(rank, (1 + ratio if beside else 1.0, 1.0 if beside else 1 + gap + ratio))
    clear = margin[0] + rank[1] * (1 + ratio if beside else 1.0)
    panel = _panel(kind, paper, rng)
    inset = _inset(kind, clear, panel=panel is not None, rng=rng)
    pip_high = rng.uniform(8.5, 15) * PX * (1.0 if kind == "standard" else 0.85)
    column = max(rng.uniform(0.26, 0.34) * WIDE, min(clear + pip_high * 0.5, 0.39 * WIDE))
    row = rng.uniform(0.13, 0.22) * HIGH
    if panel is not None:
        pip_high, column, row = _within(inset, pip_high, rng)
    grey = _triple(np.full(3, rng.uniform(0, 190)))
    four = rng.random() < 0.14 and margin[0] + rank[1] * (1.2 + ratio) < 0.42 * WIDE
    return Style(
        glyphs=_glyphs(pool, rng),
        suits=_suits(pool, rng),
        inks=inks,
        paper=paper,
        rank=rank,
        ten=rng.uniform(1.0, 1.5),
        suit_high=rank[0] * ratio,
        gap=rank[0] * gap,
        margin=margin,
        beside=beside,
        corners=4 if four else 2,
        body=str(rng.choice(_BODIES, p=_ODDER if pool.wild else [0.84, 0.08, 0.05, 0.03])),
        pip=(pip_high, rng.uniform(0.82, 1.12)),
        column=column,
        row=row,
        frame=str(rng.choice(["", "court", "all"], p=[0.35, 0.5, 0.15])),
        frame_ink=grey if rng.random() < 0.5 else inks[str(rng.choice(list("CD")))],
        court=_court(pool, rng),
        odd_courts=pool.wild and bool(rng.random() < 0.12),
        odd_pips=pool.wild and bool(rng.random() < 0.1),
        court_box=inset,
        corner_pip=bool(rng.random() < 0.7),
        squeeze=rng.uniform(0.8, 1.0),
        ornate=rng.uniform(1.2, 4.2),
        panel=panel,
        codes=str(rng.choice(["", "ends", "sides"], p=[0.9, 0.06, 0.04])),
        layout=layout,
    )


def foreign_rank(rng: np.random.Generator) -> str:
    """An index that is none of the thirteen."""
    return str(rng.choice(_FOREIGN))
