"""The reader of whole cards sees a card's own other half where others lie on it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.corners import Corner
from vision.locate import CROP, Quad
from vision.placed import Placed
from vision.twofold import Flags, covered_part, filled

HIGH, WIDE = CROP


def quad(x: float, y: float) -> Quad:
    """A card as large as its crop, its upper left there in pixels of the window."""
    return np.asarray([(x, y), (x + WIDE, y), (x + WIDE, y + HIGH), (x, y + HIGH)], np.float64)


def index_of(card: Quad) -> Corner:
    """The index at a card's upper left."""
    x, y = card[0] + (13.0, 25.0)
    return Corner(x=float(x), y=float(y), angle=0.0, high=28.0, score=0.9)


LOWER, UPPER = quad(100, 100), quad(134, 144)
"""As in a hand: the second card leaves the index of the first one free."""


def hidden(card: Quad, other: Quad, *, seen: bool = True, of_other: bool = True) -> Flags:
    """What is covered of a card beside another one, if the index of each is `seen`."""
    own = [index_of(card)] if seen else []
    others = (index_of(other),) if of_other else ()
    return covered_part(
        card,
        Placed(quad=card, indices=tuple(own)),
        own,
        [(other, Placed(quad=other, indices=others))],
    )


def test_a_card_whose_index_shows_on_another_one_lies_on_top_of_it() -> None:
    assert not hidden(UPPER, LOWER).any()
    under = hidden(LOWER, UPPER)
    assert under[60:, 50:].all()
    assert not under[:40].any()
    assert not under[:, :30].any()


@pytest.mark.parametrize("of_other", [False, True])
def test_where_no_index_tells_the_order_neither_card_is_believed_to_lie_free(
    *, of_other: bool
) -> None:
    aside = quad(100 + WIDE - 10, 100)
    assert hidden(LOWER, aside, of_other=of_other)[:, -8:].all()
    assert hidden(aside, LOWER, of_other=of_other)[:, :8].all()


def test_two_cards_that_each_seem_to_lie_on_the_other_are_both_hidden() -> None:
    near = quad(101, 101)
    assert hidden(LOWER, near).mean() > 0.9
    assert hidden(near, LOWER).mean() > 0.9


def test_what_lies_on_a_known_card_is_known() -> None:
    cells = np.zeros((29, 21), dtype=np.bool_)
    cells[:10, :10] = True
    placed = Placed(quad=LOWER, track=4, hidden=cells)
    under = covered_part(LOWER, placed, [], [(UPPER, Placed(quad=UPPER))])
    assert under[:58, :58].all()
    assert not under[70:, 70:].any()


def test_hidden_pixels_are_those_of_the_other_half_and_the_rest_stays_as_it_is() -> None:
    crop = np.arange(HIGH * WIDE, dtype=np.uint32).astype(np.uint8).reshape(HIGH, WIDE, 1)
    crop = np.repeat(crop, 3, axis=2)
    covered = np.zeros(CROP, dtype=np.bool_)
    covered[100:, 60:] = True
    told = filled(crop, covered)
    assert (told[100:, 60:] == crop[::-1, ::-1][100:, 60:]).all()
    assert (told[:100] == crop[:100]).all()
    assert (told[:, :60] == crop[:, :60]).all()


def test_what_is_hidden_at_both_ends_stays_as_it_is() -> None:
    crop = np.random.default_rng(3).integers(0, 256, (HIGH, WIDE, 3)).astype(np.uint8)
    covered = np.zeros(CROP, dtype=np.bool_)
    covered[70:-70, 40:-40] = True
    assert (filled(crop, covered) == crop).all()
