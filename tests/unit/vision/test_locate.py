"""Locating separate cards on rendered frames, measured against where they were laid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.domain.cards import CUT, PACK
from vision.layout import Layout
from vision.locate import (
    Image,
    Sight,
    card_sized,
    locate,
    order,
    rectify,
    refine,
    window,
)
from vision.synthetic.deck import printed
from vision.synthetic.scene import Scene, decode, encode
from vision.synthetic.world import World


class Felt:
    """A felt with cards, seen in one zone."""

    def __init__(self, layout: Layout, zone: str, seed: int = 9) -> None:
        self.layout = layout
        self.zone = zone
        self.world = World(seed)
        self.scene = Scene(layout, seed=seed)
        self.empty = self.frame()

    def frame(self) -> Image:
        image = decode(encode(self.scene.frame()))
        assert image is not None
        return image

    def lay(self, code: str, *, sideways: bool = False, up: bool = True) -> None:
        card = self.world.lay(self.zone, code, face_up=up, sideways=sideways)
        self.scene.put(card, by_hand=False)

    def look(self) -> Sight:
        where = window(self.layout, self.layout.zone(self.zone))
        return locate(self.layout, where, self.frame(), self.empty, 1.0)

    def true_quads(self) -> list[np.ndarray]:
        return [order(self.scene.quad(card)) for card in self.world.in_zone(self.zone)]


def test_an_empty_zone_holds_nothing(layout: Layout) -> None:
    sight = Felt(layout, "P").look()
    assert sight == Sight(covered=False, things=())


@pytest.mark.parametrize("zone", ["P", "B", "BURN"])
def test_corners_are_found_to_one_pixel(layout: Layout, zone: str) -> None:
    felt = Felt(layout, zone)
    places = layout.zone(zone).slots
    for number in range(places):
        felt.lay(PACK[number * 4].code, sideways=zone != "BURN" and number == places - 1)
    things = felt.look().things
    assert len(things) == places
    for true in felt.true_quads():
        nearest = min(things, key=lambda t: float(np.abs(t.quad.mean(0) - true.mean(0)).sum()))
        assert nearest.card_shaped
        worst = min(
            np.hypot(*(np.roll(true, way, axis=0) - nearest.quad).T).max() for way in (0, 2)
        )
        assert worst < 1.0


def test_a_court_card_is_found_by_its_edge_and_not_by_its_inner_frame(layout: Layout) -> None:
    felt = Felt(layout, "B")
    for code in ("KS", "QD", "JH"):
        felt.lay(code)
    assert [thing.card_shaped for thing in felt.look().things] == [True] * 3


def test_backs_and_the_cut_card_have_a_cards_shape(layout: Layout) -> None:
    felt = Felt(layout, "BURN")
    felt.lay("KS", up=False)
    felt.lay("CUT")
    assert [thing.card_shaped for thing in felt.look().things] == [True] * 2


@pytest.mark.parametrize(("x", "y", "degrees"), [(42.0, 99.4, 180.2), (41.7, 98.7, 0.1)])
def test_a_line_on_the_felt_beside_an_edge_is_no_edge(
    layout: Layout, x: float, y: float, degrees: float
) -> None:
    """The line of a zone along the side of a dark card is brighter than the card's own edge."""
    felt = Felt(layout, "P")
    felt.scene.put(
        replace(felt.world.lay("P", CUT, face_up=True, sideways=False), x=x, y=y, degrees=degrees),
        by_hand=False,
    )
    [found] = felt.look().things
    assert found.card_shaped


def test_a_shadow_is_not_a_thing(layout: Layout) -> None:
    felt = Felt(layout, "P")
    felt.scene._clean = (felt.scene._clean * 0.62).astype(np.uint8)
    assert felt.look() == Sight(covered=False, things=())


def test_a_brighter_lamp_is_not_a_thing(layout: Layout) -> None:
    felt = Felt(layout, "P")
    felt.scene._clean = np.clip(felt.scene._clean * 1.2, 0, 255).astype(np.uint8)
    where = window(layout, layout.zone("P"))
    assert not locate(layout, where, felt.frame(), felt.empty, 1.2).things


def test_a_hand_covers_the_zone(layout: Layout) -> None:
    felt = Felt(layout, "P")
    felt.lay("9C")
    felt.scene.hold("P")
    assert felt.look().covered


def test_a_chip_has_no_cards_shape(layout: Layout) -> None:
    felt = Felt(layout, "P")
    x, y = layout.to_pixels([(124.0, 100.0)])[0]
    rows, columns = np.ogrid[: layout.image[1], : layout.image[0]]
    felt.scene._clean[(rows - y) ** 2 + (columns - x) ** 2 < 29**2] = (40, 40, 220)
    assert [thing.card_shaped for thing in felt.look().things] == [False]


def test_two_cards_that_touch_are_not_taken_for_one(layout: Layout) -> None:
    felt = Felt(layout, "P")
    corners = np.rint(layout.to_pixels([(90, 56), (216, 144)])).astype(int)
    (x0, y0), (x1, y1) = corners
    felt.scene._clean[y0:y1, x0:x1] = 240
    assert [thing.card_shaped for thing in felt.look().things] == [False]


def test_a_sleeve_makes_a_card_too_large(layout: Layout) -> None:
    quad = layout.to_pixels([(100, 50), (163, 50), (163, 138), (100, 138)])
    sleeve = layout.to_pixels([(98, 47), (165.5, 47), (165.5, 141), (98, 141)])
    assert card_sized(layout, order(quad), 0.06)
    assert not card_sized(layout, order(sleeve), 0.06)


def test_a_rectified_card_is_upright_and_sharp(layout: Layout) -> None:
    felt = Felt(layout, "P")
    felt.lay("7H", sideways=True)
    crop = rectify(felt.frame(), felt.look().things[0].quad)
    assert crop.shape == (176, 126, 3)
    face = printed("7H")[::1, ::1].astype(float)
    rows = np.linspace(0, face.shape[0] - 1, 176).round().astype(int)
    columns = np.linspace(0, face.shape[1] - 1, 126).round().astype(int)
    small = face[rows][:, columns]
    alike = max(
        float(np.corrcoef(crop.ravel(), way.ravel())[0, 1]) for way in (small, small[::-1, ::-1])
    )
    assert alike > 0.8


def test_corners_are_put_in_one_order_whatever_the_order_they_come_in() -> None:
    quad = np.asarray([(10.0, 10.0), (73.0, 12.0), (71.0, 98.0), (8.0, 96.0)])
    for way in range(4):
        assert np.allclose(order(np.roll(quad, way, axis=0)), quad)
        assert np.allclose(order(np.roll(quad[::-1], way, axis=0)), quad)


def test_an_outline_outside_of_the_picture_cannot_be_refined() -> None:
    quad = np.asarray([(500.0, 500.0), (563.0, 500.0), (563.0, 588.0), (500.0, 588.0)])
    assert refine(np.zeros((50, 50, 3), dtype=np.uint8), quad) is None
    assert not rectify(np.zeros((50, 50, 3), dtype=np.uint8), quad).any()
