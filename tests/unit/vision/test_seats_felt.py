"""The felt of blackjack: seven seats in the order in which the dealer deals, each with room."""

from __future__ import annotations

from itertools import pairwise

from vision.calibration.zones import PLANS
from vision.layout import CARD_MM
from vision.synthetic.felts import ground_of
from vision.synthetic.seats import COLUMNS, GAME, IMAGE, ROWS, SEATS
from vision.synthetic.world import World


def test_the_zones_are_those_of_the_contract_in_its_order() -> None:
    named = [zone.id for zone in ground_of(GAME).layout.zones]
    assert named == [*SEATS, "D", "BURN", "DISCARD"]
    assert set(named) == {place.id for place in PLANS[GAME]}


def test_the_first_seat_is_at_the_dealers_left_which_is_right_in_the_picture() -> None:
    ground = ground_of(GAME)
    first = [ground.places(seat)[0][0] for seat in SEATS]
    assert first == sorted(first, reverse=True)


def test_all_of_the_felt_with_its_marks_is_in_the_picture() -> None:
    layout = ground_of(GAME).layout
    points = [point for zone in layout.zones for point in zone.polygon_mm]
    for x, y in layout.to_pixels([*points, *(mark.at_mm for mark in layout.watch)]):
        assert 0 < x < IMAGE[0]
        assert 0 < y < IMAGE[1]


def test_no_zone_lies_over_another_nor_over_a_mark() -> None:
    zones = ground_of(GAME).layout.zones
    for zone in zones:
        for x, y in zone.polygon_mm:
            assert not any(other.holds(x, y) for other in zones if other is not zone)
        for mark in ground_of(GAME).layout.watch:
            assert not zone.holds(*mark.at_mm)


def test_a_seat_has_room_for_four_hands_of_four_cards_row_by_row() -> None:
    on = World(7, ground_of(GAME))
    for _ in range(ROWS * COLUMNS):
        on.lay("S4", "7H", face_up=True, sideways=False)
    spots = ground_of(GAME).places("S4")
    rows = [spots[row * COLUMNS][1] for row in range(ROWS)]
    assert all(after - before > CARD_MM[1] for before, after in pairwise(rows))


def test_the_dealers_first_two_cards_lie_side_by_side() -> None:
    one, two, three = (x for x, _ in ground_of(GAME).places("D")[:3])
    assert two - one > CARD_MM[0] + 8
    assert 0 < three - two < CARD_MM[0]


def test_a_card_that_slides_lands_in_the_seat_beside() -> None:
    other = ground_of(GAME).other
    assert (other["S1"], other["S7"], other["D"]) == ("S2", "D", "S4")
