"""The felt of Baloot: four racks in the seats' places, the face-up card and the trick."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from vision.calibration.zones import PLANS, WANTED_PX, card_px
from vision.layout import CARD_MM
from vision.synthetic.felts import ground_of
from vision.synthetic.racks import GAME, IMAGE, RACKS, SLOTS, TRICK
from vision.synthetic.scene import Scene
from vision.synthetic.world import SHIFT_MM, TURN_DEGREES, World


def world() -> World:
    return World(7, ground_of(GAME))


def test_the_zones_are_those_of_the_contract_in_its_order() -> None:
    named = [zone.id for zone in ground_of(GAME).layout.zones]
    assert named == ["H0", "H1", "H2", "H3", "FACE", "T0", "T1", "T2", "T3"]
    assert named == [place.id for place in PLANS[GAME]]


@pytest.mark.parametrize("zones", [RACKS, TRICK])
def test_seats_follow_each_other_to_the_right_from_the_one_nearest_to_the_dealer(
    zones: tuple[str, ...],
) -> None:
    """Counter-clockwise as the picture is seen: below, right, above, left (RULES.md 4.1)."""
    at = {name: np.mean(ground_of(GAME).places(name), axis=0) for name in zones}
    below, right, above, left = (at[name] for name in zones)
    assert above[1] < min(right[1], left[1]) <= max(right[1], left[1]) < below[1]
    assert left[0] < below[0] == above[0] < right[0]


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


def test_a_card_is_wide_enough_to_be_read_wherever_it_lies() -> None:
    layout = ground_of(GAME).layout
    assert all(card_px(layout, zone) > WANTED_PX for zone in layout.zones)


def test_the_cards_of_the_whole_pack_lie_apart_however_they_are_turned() -> None:
    """In the worst case: as far towards each other as a hand lays them, turned against another."""
    turn = np.radians(TURN_DEGREES)
    wide = CARD_MM[0] * np.cos(turn) + CARD_MM[1] * np.sin(turn) + 2 * SHIFT_MM
    high = CARD_MM[1] * np.cos(turn) + CARD_MM[0] * np.sin(turn) + 2 * SHIFT_MM
    ground = ground_of(GAME)
    spots = [spot for zone in (*RACKS, *TRICK, "FACE") for spot in ground.places(zone)]
    assert len(spots) == 4 * SLOTS + 5
    for (x, y), (u, v) in combinations(spots, 2):
        assert abs(x - u) > wide or abs(y - v) > high


def test_a_card_that_leaves_a_rack_leaves_the_others_at_their_places() -> None:
    on = world()
    for _ in range(SLOTS):
        on.lay("H1", "7H", face_up=False, sideways=False)
    gone = on.take("H1", 2)
    assert gone.place == 2
    assert [card.place for card in on.in_zone("H1")] == [0, 1, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(("due", "lands"), [("H3", "FACE"), ("T0", "FACE"), ("FACE", "T2")])
def test_a_card_that_slides_lands_in_the_middle_of_the_felt(due: str, lands: str) -> None:
    on = world()
    on.faults.add("wrong_zone")
    assert on.lay(due, "7H", face_up=True, sideways=False).zone == lands


def test_the_hand_comes_from_below_and_leaves_the_racks_above_alone() -> None:
    scene = Scene(ground_of(GAME).layout, seed=1)
    scene.held = tuple(scene.layout.to_pixels([(625.0, 520.0)])[0])
    felt, hand = scene._clean.astype(int), scene.frame().astype(int)
    changed = (np.abs(hand - felt).max(axis=2) > 40).mean(axis=1)
    assert changed[: IMAGE[1] // 3].max() < 0.01
    assert changed[-IMAGE[1] // 6 :].min() > 0.01


def test_cards_beside_one_that_is_taken_away_are_not_printed_twice() -> None:
    """A second print threw a second shadow, by which a card looked changed to the eye."""
    on, scene = world(), Scene(ground_of(GAME).layout, seed=1)
    for _ in range(3):
        scene.put(on.lay("H2", "7H", face_up=False, sideways=False), by_hand=False)
    scene.remove([on.take("H2", 1).key], by_hand=False)
    anew = Scene(ground_of(GAME).layout, seed=1)
    for card in on.in_zone("H2"):
        anew.put(card, by_hand=False)
    assert np.abs(scene._clean.astype(int) - anew._clean.astype(int)).max() <= 1
