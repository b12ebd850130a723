"""The felt of the shared hand: where cards land on it, and where the next one goes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vision.layout import CARD_MM, LayoutError
from vision.synthetic.felts import GAMES, ground_of
from vision.synthetic.lanes import GAME, IMAGE, MOST
from vision.synthetic.world import World

HANDS = ("M", "L", "R", "D")


def world() -> World:
    return World(7, ground_of(GAME))


def lay(on: World, zone: str, count: int) -> list[int]:
    return [on.lay(zone, "7H", face_up=True, sideways=False).place for _ in range(count)]


def test_the_zones_are_those_of_the_contract_in_its_order() -> None:
    assert [zone.id for zone in ground_of(GAME).layout.zones] == [*HANDS, "BURN", "DISCARD"]


@pytest.mark.parametrize("game", GAMES)
def test_every_card_that_there_is_room_for_lies_wholly_in_its_zone(game: str) -> None:
    ground = ground_of(game)
    for zone in ground.layout.zones:
        assert len(ground.places(zone.id)) == zone.slots
        for x, y in ground.places(zone.id):
            for side in (-1, 1):
                assert zone.holds(x + side * CARD_MM[0] / 2, y + side * CARD_MM[1] / 2)


def test_all_of_the_felt_with_its_marks_is_in_the_picture() -> None:
    layout = ground_of(GAME).layout
    points = [point for zone in layout.zones for point in zone.polygon_mm]
    for x, y in layout.to_pixels([*points, *(mark.at_mm for mark in layout.watch)]):
        assert 0 < x < IMAGE[0]
        assert 0 < y < IMAGE[1]


@pytest.mark.parametrize("zone", HANDS)
def test_a_hand_of_eight_and_more_fits(zone: str) -> None:
    on = world()
    assert lay(on, zone, MOST) == list(range(MOST))
    with pytest.raises(ValueError, match=f"zone {zone} has no free place: clear it first"):
        lay(on, zone, 1)


@pytest.mark.parametrize("zone", ["M", "D"])
def test_the_first_two_cards_lie_side_by_side_and_the_next_on_the_second(zone: str) -> None:
    spots = [x for x, _ in ground_of(GAME).places(zone)]
    assert spots[1] - spots[0] > CARD_MM[0] + 8
    assert all(0 < after - before < CARD_MM[0] for before, after in pairwise(spots[1:]))


def test_a_gap_is_filled_only_where_nothing_lies_over_it() -> None:
    on = world()
    lay(on, "M", 4)
    on.take("M", 2)
    assert lay(on, "M", 1) == [4]  # place 3 lies over the gap at 2
    on.take("M", 0)
    assert lay(on, "M", 1) == [0]  # nothing lies over the first place


def test_a_hidden_card_is_turned_where_it_lies() -> None:
    on = world()
    lay(on, "D", 1)
    down = on.lay("D", "KS", face_up=False, sideways=False)
    turned = on.turn("D", 1)
    assert (down.shows, turned.shows, turned.place) == ("XX", "KS", down.place)
    assert abs(turned.x - down.x) <= 1


def test_a_card_that_slides_lands_in_the_hand_across() -> None:
    on = world()
    on.faults.add("wrong_zone")
    assert on.lay("L", "7H", face_up=True, sideways=False).zone == "R"
    assert on.lay("L", "7H", face_up=True, sideways=False).zone == "L"


def test_a_zone_of_another_felt_is_refused_in_words() -> None:
    with pytest.raises(LayoutError, match="there is no zone 'P' on this felt: it has M L R D"):
        world().lay("P", "7H", face_up=True, sideways=False)
