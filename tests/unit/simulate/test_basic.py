"""Basic strategy of the simulated players, row by row of the common table."""

from __future__ import annotations

import pytest

from studio.simulate.basic import Shown, best

ALL = ("hit", "stand", "double", "split", "surrender")
FIRST = ("hit", "stand", "double", "surrender")
LATER = ("hit", "stand")


@pytest.mark.parametrize(
    ("total", "low", "up", "offered", "does"),
    [
        (5, None, 6, FIRST, "hit"),
        (9, None, 2, FIRST, "hit"),
        (9, None, 3, FIRST, "double"),
        (10, None, 9, FIRST, "double"),
        (10, None, 10, FIRST, "hit"),
        (11, None, 10, FIRST, "double"),
        (11, None, 11, FIRST, "hit"),
        (11, None, 6, LATER, "hit"),
        (12, None, 3, LATER, "hit"),
        (12, None, 4, LATER, "stand"),
        (13, None, 2, LATER, "stand"),
        (16, None, 7, LATER, "hit"),
        (16, None, 9, FIRST, "surrender"),
        (16, None, 9, LATER, "hit"),
        (17, None, 11, LATER, "stand"),
        (20, None, 5, FIRST, "stand"),
        (13, 3, 5, FIRST, "double"),
        (13, 3, 4, FIRST, "hit"),
        (17, 7, 2, FIRST, "hit"),
        (17, 7, 3, FIRST, "double"),
        (18, 8, 2, FIRST, "stand"),
        (18, 8, 6, FIRST, "double"),
        (18, 8, 6, LATER, "stand"),
        (18, 8, 9, LATER, "hit"),
        (18, 8, 11, LATER, "hit"),
        (19, 9, 6, FIRST, "stand"),
        (12, 2, 11, ALL, "split"),
        (16, None, 10, ALL, "split"),
        (16, None, 9, ALL, "split"),
        (18, None, 7, ALL, "stand"),
        (18, None, 9, ALL, "split"),
        (10, None, 5, ALL, "double"),
        (8, None, 5, ALL, "split"),
        (8, None, 7, ALL, "hit"),
        (20, None, 6, ALL, "stand"),
    ],
)
def test_a_hand_is_played_as_the_table_has_it(
    total: int, low: int | None, up: int, offered: tuple[str, ...], does: str
) -> None:
    assert best(Shown(total, low, up), offered) == does
