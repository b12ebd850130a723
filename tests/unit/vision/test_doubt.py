"""Which indices are a card's own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.corners import Corner, IndexVote
from vision.doubt import shown
from vision.locate import Image
from vision.placed import nothing_hidden

CARD = np.asarray([(60, 60), (150, 60), (150, 186), (60, 186)], dtype=np.float64)


class OneIndex:
    """Finds the seven of clubs, upright, at one place of the window."""

    temperature = 1.0

    def __init__(self, x: float, y: float) -> None:
        self.at = (x, y)

    def find(self, image: Image, *, least: float = 8, most: float = 90) -> list[Corner]:
        # The part that is looked at begins four pixels beside the card.
        x, y = self.at[0] - CARD[0, 0] + 4, self.at[1] - CARD[0, 1] + 4
        return [Corner(x=float(x), y=float(y), angle=0.0, high=20.0, score=0.9)]

    def read(self, image: Image, corners: Sequence[Corner]) -> list[IndexVote]:
        ranks, suits = np.zeros(13, np.float32), np.zeros(4, np.float32)
        ranks[6] = suits[0] = 12.0
        vote = IndexVote(ranks=ranks, suits=suits, there=0.99, hidden=np.zeros(80, np.float32))
        return [vote for _ in corners]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("x", "own"), [(70.0, True), (50.0, False), (44.0, False)])
def test_an_index_beside_a_card_is_not_the_cards_own(x: float, *, own: bool) -> None:
    view = np.full((250, 220, 3), 200, dtype=np.uint8)
    found = shown(view, CARD, nothing_hidden(), OneIndex(x, 75.0))
    assert bool(found) is own
