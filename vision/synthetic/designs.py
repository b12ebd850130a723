"""How a synthetic deck looks: that of the demonstration, and others drawn from a seed.

All are drawn by this package alone; none has a part in training the reader. Lengths are in
millimetres on a card of 63 by 88, colours are blue, green, red.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from studio.domain.cards import Suit

Colour = tuple[int, int, int]
OWN_LETTERS: Final = -1
"""The strokes of `glyphs`; other letters are those of OpenCV's fonts by their numbers."""
LETTERS: Final = (OWN_LETTERS, 0, 2, 3, 4)
"""Own strokes, and the fonts simplex, duplex, complex and triplex."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Everything that makes one deck differ from another."""

    seed: int = 0
    letters: int = OWN_LETTERS
    rank_mm: tuple[float, float] = (6.6, 10.4)
    """Width and height of the index letter: a clear casino print."""
    rank_at: tuple[float, float] = (6.6, 9.6)
    """Middle of the index letter from the corner of the card."""
    stroke_mm: float = 1.35
    slant: float = 0.0
    """How far the letter's top leans to the right, as a share of its height."""
    ten: float = 1.34
    """Width of the ten beside that of other ranks."""
    suit_mm: float = 8.6
    suit_at: tuple[float, float] = (6.8, 20.6)
    narrow: float = 1.0
    """Width of a suit sign beside its height."""
    pip_mm: float = 11.6
    court_pip_mm: float = 9.6
    court_pip_at: tuple[float, float] = (18.9, 17.4)
    columns: tuple[float, float, float] = (19.2, 31.5, 43.8)
    top: float = 15.5
    """Middle of the first row of pips."""
    ace_mm: float = 17.0
    spade_mm: float = 25.0
    ringed: bool = True
    """Whether the ace of spades stands in a ring."""
    paper: Colour = (243, 246, 247)
    black: Colour = (38, 32, 30)
    red: Colour = (46, 28, 196)
    blue: Colour = (148, 84, 32)
    gold: Colour = (48, 178, 232)
    diamonds: Colour | None = None
    """Of a four-colour deck; None: red."""
    clubs: Colour | None = None
    """Of a four-colour deck; None: black."""
    cut: Colour = (30, 200, 246)
    frame: bool = True
    """Whether a line runs around the court figures."""

    def ink(self, suit: Suit) -> Colour:
        """The colour of a suit."""
        match suit:
            case Suit.DIAMONDS:
                return self.diamonds or self.red
            case Suit.CLUBS:
                return self.clubs or self.black
            case Suit.HEARTS:
                return self.red
            case _:
                return self.black


DEMONSTRATION: Final = Design()
"""The deck of the synthetic camera unless it is told otherwise."""


def drawn(seed: int) -> Design:
    """The design of a seed: letters, proportions, inks and paper vary as those of real decks do."""
    rng = np.random.default_rng((seed, 77))
    letters = int(rng.choice(LETTERS))
    jumbo = rng.random() < 0.45
    high = rng.uniform(12.0, 15.5) if jumbo else rng.uniform(8.2, 11.5)
    wide = high * rng.uniform(0.56, 0.74)
    side, top = rng.uniform(2.2, 3.2), rng.uniform(2.8, 4.6)
    suit = high * rng.uniform(0.66, 0.9)
    ten = float(rng.uniform(1.2, 1.4))
    middle = side + max(wide, suit) / 2
    inner = min(22.5, middle + max(wide * ten, suit) / 2 + rng.uniform(5.5, 7.0))
    four = rng.random() < 0.15
    tint = rng.uniform(0, 16)
    dark = rng.integers(15, 60)
    return Design(
        seed=seed,
        letters=letters,
        rank_mm=(float(wide), float(high)),
        rank_at=(float(max(middle, side + wide * ten / 2)), float(top + high / 2)),
        stroke_mm=float(high * rng.uniform(0.1, 0.17)),
        slant=float(rng.choice((0.0, 0.0, rng.uniform(0.0, 0.16)))),
        ten=ten,
        suit_mm=float(suit),
        suit_at=(float(middle), float(top + high + rng.uniform(1.0, 2.2) + suit / 2)),
        narrow=float(rng.uniform(0.86, 1.06)),
        pip_mm=float(rng.uniform(9.4, 12.4)),
        court_pip_mm=float(rng.uniform(6.5, 8.0)),
        court_pip_at=(float(inner + 3.5), float(rng.uniform(17.5, 19.5))),
        columns=(float(inner), 31.5, float(63.0 - inner)),
        top=float(rng.uniform(14.5, 17.5)),
        ace_mm=float(rng.uniform(13, 22)),
        spade_mm=float(rng.uniform(18, 30)),
        ringed=bool(rng.random() < 0.5),
        paper=(int(246 - tint), int(248 - tint * 0.4), int(250 - tint * 0.2)),
        black=(int(dark), int(dark), int(dark * 0.9)),
        red=(int(rng.integers(20, 75)), int(rng.integers(15, 60)), int(rng.integers(170, 225))),
        blue=tuple(int(v) for v in rng.integers((90, 40, 20), (190, 120, 90))),  # type: ignore[arg-type]
        gold=tuple(int(v) for v in rng.integers((20, 140, 200), (90, 200, 250))),  # type: ignore[arg-type]
        diamonds=(190, 90, 20) if four else None,
        clubs=(40, 120, 20) if four else None,
        frame=bool(rng.random() < 0.7),
    )
