"""Families of designs that were held out: no font, suits, courts or index layout of training.

A family is one design of letters (with all its weights and clones) with suits, courts and an
index layout of its own; its designs differ in size, colours, frames and proportions.
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from vision.training import art, decks, pips, style
from vision.training.glyphs import HELD_OUT, held_out
from vision.training.samples import Source

EACH: Final = 5
"""Designs of a family."""
_SUITS: Final = ("angular", "swan", "signs")
_ART: Final = (("spatz-h2", "spatz-h4", "spatz-av"), ("knoll", "spatz-v2", "spatz-v4"))
"""Designs of art: for fitting, for the report."""


@dataclass(frozen=True, slots=True)
class Held:
    """Decks of one side of what was held out, each with the name of its family and its own."""

    decks: tuple[decks.Deck, ...]
    families: tuple[str, ...]
    designs: tuple[str, ...]

    def source(self, seed: int) -> Source:
        """An endless source of samples of these decks only."""
        empty = style.Parts(fonts=(), sign_fonts=(), shapes=(), art=(), strokes=False)
        return Source(empty, seed, 0, (), self.decks)


def _pool(whole: style.Parts, group: int) -> style.Parts:
    """The parts of one family."""
    fonts = tuple(font for font in whole.fonts if held_out(font.family) == group)
    suits = _SUITS[group % len(_SUITS)]
    signs = whole.sign_fonts if suits == "signs" else ()
    shapes = pips.HELD_OUT_SHAPES if suits == "signs" else (suits,)
    return replace(
        whole,
        fonts=fonts,
        sign_fonts=signs,
        shapes=shapes,
        courts=(style.HELD_OUT_COURTS[(group // 3) % 3],),
        layouts=(style.HELD_OUT_LAYOUTS[(group // 2) % 4],),
    )


@cache
def held(work: Path, root: Path, half: int, each: int = EACH) -> Held:
    """What was held out: half 0 for fitting the decision, half 1 for the report."""
    faces = {name: art.faces(root, folder, work / "art") for name, folder in art.HELD_OUT.items()}
    borrowed = tuple(faces[name] for name in _ART[half])
    whole = style.parts(borrowed, for_training=False, half=half)
    groups = sorted({k for font in whole.fonts if (k := held_out(font.family)) is not None})
    made, families, designs = [], [], []
    for group in groups:
        pool = _pool(whole, group)
        for k in range(each):
            made.append(decks.make(pool, 7_000_003 + 1000 * group + k))
            families.append(HELD_OUT[group][0])
            designs.append(f"{HELD_OUT[group][0]} {k + 1}")
    for k, name in enumerate(_ART[half]):
        made.append(decks.of_art(faces[name], k))
        families.append(name.split("-")[0])
        designs.append(name)
    return Held(tuple(made), tuple(families), tuple(designs))
