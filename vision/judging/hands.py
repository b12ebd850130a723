"""Hands dealt card upon card, and hands first seen as they lie, before the synthetic camera.

Decks drawn from a seed by `vision.synthetic`, which has no part in training; the deck is not
enrolled. What is *visible* is an index at a card's upper left that no later card covers.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from studio.domain.cards import PACK
from vision.corners import Corners
from vision.judging.bench import BOXES, HEAPS, Bench, counted
from vision.judging.units import Outcome, Unit
from vision.reader import Reader
from vision.synthetic.designs import drawn
from vision.synthetic.world import Laid

DEALT: Final = "dealt"
FIRST_SIGHT: Final = "first sight"
STEPS_MM: Final = ((17.0, 22.0), (14.0, 16.0), (22.0, 0.0))
"""From one card of a hand to the next: a blackjack hand, a tight one, a row that is spread."""
MOST: Final = 5
"""Cards of the longest hand that stays in its box."""
FIRST_MM: Final = (36.0, 62.0)
"""Where in its box a hand's first card has its middle: a row of five ends as far from the right
side as it begins from the left."""
CARDS_A_UNIT: Final = 100


def units(readings: int) -> list[Unit]:
    """Designs in turn, each a table of dealt hands and one of hands that lie there at once."""
    return [
        Unit(f"hands {seed}", hands, {"seed": seed})
        for seed in range(20, 20 + max(1, round(readings / CARDS_A_UNIT)))
    ]


def hands(seed: int) -> list[Outcome]:
    """Fourteen hands of one design in both ways."""
    reader, corners = Reader(), Corners()
    rng = np.random.default_rng(seed)
    bench = Bench(reader, corners, seed, design=drawn(seed))
    design = f"drawn {seed}"
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        bench.start(folder)
        dealt = bench.deal(_turns(_table(bench, rng)), folder)
        bench.clear(folder)
        cards = [card for hand in _table(bench, rng) for card in hand]
        at_once = bench.lay(cards, folder, HEAPS)
    return [
        counted(DEALT, design, dealt, shown=True),
        counted(FIRST_SIGHT, design, at_once, shown=True),
    ]


def _table(bench: Bench, rng: np.random.Generator) -> list[list[Laid]]:
    """A hand for each box, no card twice in one of them."""
    out = []
    for box in range(BOXES):
        codes = [PACK[at].code for at in rng.permutation(len(PACK))[: rng.integers(2, MOST + 1)]]
        step = STEPS_MM[rng.integers(len(STEPS_MM))]
        lean = float(rng.normal(0, 3))
        out.append(
            [
                bench.place(
                    box,
                    code,
                    FIRST_MM[0] + step[0] * at,
                    FIRST_MM[1] + step[1] * at,
                    lean + float(rng.normal(0, 2)),
                )
                for at, code in enumerate(codes)
            ]
        )
    return out


def _turns(table: list[list[Laid]]) -> list[list[Laid]]:
    """First one card to each hand, then the second to each, and so on."""
    return [[hand[at] for hand in table if len(hand) > at] for at in range(MOST)]
