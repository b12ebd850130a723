"""Corners and outlines put together: what belongs to one card, and what is sure."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from studio.domain.cards import Card
from vision.assemble import (
    By,
    Indexed,
    Outlined,
    Physical,
    assemble,
    at_its_place,
    axes,
    facing,
    groups,
)
from vision.reader import CardKind, Reading

PX = 2.0
"""Pixels a millimetre in these tests."""
CARD = np.asarray([(0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0)])
HIGH_MM = 17.0
AT_MM = (7.0, 13.0)
"""Middle of an index from its corner of the card."""


def card_quad(x: float = 300.0, y: float = 300.0, turn: float = 0.0) -> np.ndarray:
    return (CARD - (31.5, 44.0)) * PX @ axes(turn) + (x, y)


def index(
    code: str = "7H",
    *,
    x: float = 300.0,
    y: float = 300.0,
    turn: float = 0.0,
    other: bool = False,
    sure: float = 0.995,
) -> Indexed:
    """The upper or the other index of a card with its middle at (x, y)."""
    off = (np.asarray(AT_MM) - (31.5, 44.0)) * PX * (-1 if other else 1)
    at = off @ axes(turn) + (x, y)
    return Indexed(
        x=float(at[0]),
        y=float(at[1]),
        angle=turn + (math.pi if other else 0.0),
        high=HIGH_MM * PX,
        card=Card.parse(code),
        confidence=sure,
        there=0.9999,
    )


def reading(code: str = "7H", *, sure: bool = True, confidence: float = 0.998) -> Reading:
    return Reading(
        kind=CardKind.FACE,
        card=Card.parse(code),
        confidence=confidence,
        sure=sure,
        second=None,
        turned=False,
    )


def plain(kind: CardKind) -> Reading:
    return replace(reading(), kind=kind, card=None)


def names(told: tuple[Physical, ...]) -> list[tuple[str, bool, str]]:
    return [(str(one.card), one.sure, one.by.value) for one in told]


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, 3.1, -1.2])
@pytest.mark.parametrize("size", [None, (63 * PX, 88 * PX)])
def test_the_two_indices_of_a_card_are_one_card_by_index_and_sure(
    turn: float, size: tuple[float, float] | None
) -> None:
    pair = [index(turn=turn), index(turn=turn, other=True)]
    (told,) = assemble([], pair, size=size)
    assert names((told,)) == [("7H", True, "index")]
    assert told.indices == (0, 1)


def test_one_index_alone_is_told_and_never_sure() -> None:
    assert names(assemble([], [index(sure=0.9999)])) == [("7H", False, "index")]


def test_two_indices_that_lie_as_those_of_one_card_and_differ_are_two_cards_to_ask_about() -> None:
    told = assemble([], [index("7H"), index("7D", other=True)])
    assert sorted(names(told)) == [("7D", False, "index"), ("7H", False, "index")]


def test_a_doubtful_second_index_does_not_make_a_card_sure() -> None:
    told = assemble([], [index(), index(other=True, sure=0.8)])
    assert names(told) == [("7H", False, "index")]


def test_two_cards_of_one_code_side_by_side_stay_two_cards() -> None:
    corners = [index(x=200), index(x=200, other=True), index(x=340), index(x=340, other=True)]
    assert names(assemble([], corners)) == [("7H", True, "index")] * 2


def test_equal_indices_that_stand_the_same_way_up_are_not_one_card() -> None:
    assert facing(index(), index(x=380, y=400)) is None
    assert len(groups([index(), index(x=380, y=400)])) == 2


def test_an_index_of_a_known_card_size_must_lie_where_that_size_says() -> None:
    one, two = index(), index(other=True)
    assert facing(one, two, size=(63 * PX, 88 * PX)) is not None
    assert facing(one, two, size=(63 * PX * 1.4, 88 * PX * 1.4)) is None


def test_a_card_with_an_outline_takes_its_indices_and_is_told_once() -> None:
    whole = Outlined(card_quad(turn=0.4), reading())
    told = assemble([whole], [index(turn=0.4), index(turn=0.4, other=True)])
    assert names(told) == [("7H", True, "whole")]


def test_an_index_that_names_another_card_takes_the_sureness_of_the_outline_away() -> None:
    told = assemble([Outlined(card_quad(), reading("7H"))], [index("7D")])
    assert names(told) == [("7H", False, "whole")]


@pytest.mark.parametrize(
    ("whole", "against", "stays"),
    [(0.9999, 0.9, True), (0.9999, 0.995, False), (0.9995, 0.8, True), (0.992, 0.7, False)],
)
def test_a_reading_stays_sure_if_the_odds_after_a_contradiction_are_still_99_to_1(
    whole: float, against: float, *, stays: bool
) -> None:
    outlined = Outlined(card_quad(), reading("7H", confidence=whole))
    (told,) = assemble([outlined], [index("7D", sure=against)])
    assert (told.card, told.sure) == (Card.parse("7H"), stays)


def test_other_indices_of_the_card_outweigh_one_that_is_misread_but_only_so_far() -> None:
    outlined = Outlined(card_quad(), reading("7H", confidence=0.995))
    four = [index(sure=0.97), index(other=True, sure=0.97), index("7D", sure=0.9)]
    assert names(assemble([outlined], four[2:])) == [("7H", False, "whole")]
    assert names(assemble([outlined], four)) == [("7H", True, "whole")]
    assert [one.sure for one in assemble([outlined], [*four[:2], index("7D", sure=0.9999)])] == [
        False
    ]


def test_a_strange_index_amid_a_card_is_another_card_and_makes_both_to_ask_about() -> None:
    amid = index("KS", x=340.0, y=360.0)
    told = assemble([Outlined(card_quad(), reading("7H"))], [amid])
    assert names(told) == [("7H", False, "whole"), ("KS", False, "index")]


def test_a_faint_strange_index_amid_a_card_is_its_picture() -> None:
    amid = index("KS", x=340.0, y=360.0, sure=0.3)
    told = assemble([Outlined(card_quad(), reading("7H"))], [amid])
    assert names(told) == [("7H", True, "whole")]


def test_a_doubtful_outline_becomes_sure_by_two_indices_of_the_same_card() -> None:
    doubtful = Outlined(card_quad(), reading(sure=False, confidence=0.9))
    told = assemble([doubtful], [index(), index(other=True)])
    assert names(told) == [("7H", True, "whole")]
    assert names(assemble([doubtful], [index()])) == [("7H", False, "whole")]


def test_a_confident_outline_of_another_card_is_not_overruled_by_two_indices() -> None:
    believed = Outlined(card_quad(), reading("7D", sure=False, confidence=0.9))
    told = assemble([believed], [index(), index(other=True)])
    assert [one.sure for one in told] == [False]


def test_an_outline_that_says_little_leaves_the_word_to_two_indices() -> None:
    vague = Outlined(card_quad(), reading("7D", sure=False, confidence=0.2))
    told = assemble([vague], [index(), index(other=True)])
    assert names(told) == [("7H", True, "whole")]


def test_a_back_with_an_index_on_it_is_a_card_to_ask_about() -> None:
    (told,) = assemble([Outlined(card_quad(), plain(CardKind.BACK))], [index()])
    assert (told.kind, told.sure, told.by) == (CardKind.FACE, False, By.WHOLE)


@pytest.mark.parametrize("turn", [0.0, 1.3, 3.0])
def test_an_index_belongs_to_a_corner_of_its_card_either_way_up(turn: float) -> None:
    quad = card_quad(turn=turn)
    assert at_its_place(quad, index(turn=turn))
    assert at_its_place(quad, index(turn=turn, other=True))
    # Upside down in its corner it is a nine for a six.
    assert not at_its_place(quad, replace(index(turn=turn), angle=turn + math.pi))
    assert not at_its_place(quad, index(turn=turn, x=335.0, y=350.0))


def test_an_outline_beyond_which_its_cards_other_index_lies_is_part_of_a_card() -> None:
    """Cut from the upper part of a covered card and its neighbour's edge."""
    part = card_quad()
    part[2:, 1] -= 40
    both = [index(), index(other=True)]
    (cut, *_) = assemble([Outlined(part, reading())], both)
    assert (cut.card, cut.sure) == (Card.parse("7H"), False)
    (whole,) = assemble([Outlined(card_quad(), reading())], both)
    assert whole.sure


def test_another_card_of_the_same_name_beside_a_whole_one_takes_nothing_away() -> None:
    both = [index(), index(other=True), index(x=300 + 70 * PX), index(x=300 + 70 * PX, other=True)]
    told = assemble(
        [Outlined(card_quad(), reading()), Outlined(card_quad(300 + 70 * PX), reading())], both
    )
    assert [one.sure for one in told] == [True, True]
