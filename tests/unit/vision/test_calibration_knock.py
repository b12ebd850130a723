"""A knocked camera: which features are watched, and how far and which way it was knocked."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.calibration.knock import WANTED, Watch, features, scale
from vision.layout import Layout, Zone
from vision.locate import Image
from vision.synthetic.bench import FELT_MM, MARKS_AT, BenchScene

ZONE = Zone("P", ((128, 136), (478, 136), (478, 256), (128, 256)), 4)


@pytest.fixture(scope="module")
def empty() -> Image:
    scene = BenchScene(seed=6)
    scene.show(None)
    return scene.frame()


@pytest.fixture(scope="module")
def layout(empty: Image) -> Layout:
    scene = BenchScene(seed=6)
    bare = replace(scene.view.layout(), zones=(ZONE,))
    hull = np.asarray([(0, 0), (FELT_MM[0], 0), FELT_MM, (0, FELT_MM[1])], dtype=np.float64)
    return replace(bare, watch=features(empty, bare, (), hull))


def knocked(image: Image, dx: float, dy: float, degrees: float = 0.0, seed: int = 3) -> Image:
    """The same picture after the camera was moved, with another noise."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    matrix[:, 2] += np.asarray((dx, dy))
    moved = cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(seed).normal(0, 2.0, moved.shape)
    return np.asarray(np.clip(moved + noise, 0, 255), dtype=np.uint8)


def test_features_are_chosen_on_the_print_apart_from_each_other_and_from_zones(
    layout: Layout,
) -> None:
    assert len(layout.watch) >= 4
    places = [np.asarray(mark.at_mm) for mark in layout.watch]
    assert not any(ZONE.holds(x, y) for x, y in places)
    apart = [np.hypot(*(a - b)) for n, a in enumerate(places) for b in places[:n]]
    assert min(apart) > 60


def test_features_are_not_chosen_on_markers_that_will_be_taken_away(empty: Image) -> None:
    scene = BenchScene(seed=6)
    marked = scene.frame()
    bare = replace(scene.view.layout(), zones=(ZONE,))
    quads = [
        bare.to_pixels(np.asarray([(-50, -50), (50, -50), (50, 50), (-50, 50)]) + at)
        for at in MARKS_AT.values()
    ]
    hull = np.asarray([(0, 0), (FELT_MM[0], 0), FELT_MM, (0, FELT_MM[1])], dtype=np.float64)
    chosen = features(marked, bare, quads, hull)
    assert len(chosen) >= WANTED
    for mark in chosen:
        assert min(np.hypot(*np.subtract(mark.at_mm, at)) for at in MARKS_AT.values()) > 50
    found = Watch(replace(bare, watch=chosen), marked).look(empty)
    assert found.seen == len(chosen)
    assert found.worst_mm < 1


def test_a_felt_without_print_has_nothing_to_watch() -> None:
    plain = np.full((900, 1600, 3), (60, 96, 30), dtype=np.uint8)
    bare = replace(BenchScene().view.layout(), zones=(ZONE,))
    assert features(plain, bare) == ()
    shift = Watch(bare, plain).look(plain)
    assert not shift.known
    assert shift.text == "0 of 0 fixed features of the felt are seen"


def test_a_camera_at_rest_is_where_it_was(layout: Layout, empty: Image) -> None:
    shift = Watch(layout, empty).look(knocked(empty, 0, 0))
    assert shift.seen == shift.of == len(layout.watch)
    assert shift.worst_mm < 0.3
    assert shift.text == "the felt lies where it was, within 1 mm"


@pytest.mark.parametrize(
    ("dx", "dy", "way"),
    [
        (4, 0, "to the right"),
        (3, 3, "down and to the right"),
        (0, 5, "down"),
        (-6, 6, "down and to the left"),
        (-9, 0, "to the left"),
        (-8, -8, "up and to the left"),
        (0, -14, "up"),
        (15, -15, "up and to the right"),
        (24, 0, "to the right"),
    ],
)
def test_a_knock_is_told_with_how_far_and_which_way(
    layout: Layout, empty: Image, dx: float, dy: float, way: str
) -> None:
    shift = Watch(layout, empty).look(knocked(empty, dx, dy))
    per_mm = scale(layout)
    assert shift.seen >= WANTED
    assert (shift.x_mm, shift.y_mm) == pytest.approx((dx / per_mm, dy / per_mm), abs=0.4)
    assert f"mm {way} in the picture" in shift.text


def test_half_a_millimetre_can_be_told_from_rest(layout: Layout, empty: Image) -> None:
    per_mm = scale(layout)
    shift = Watch(layout, empty).look(knocked(empty, 0.5 * per_mm, 0))
    assert shift.x_mm == pytest.approx(0.5, abs=0.15)


def test_a_turn_is_told(layout: Layout, empty: Image) -> None:
    shift = Watch(layout, empty).look(knocked(empty, 3, 2, degrees=0.8))
    assert shift.turn_deg == pytest.approx(0.8, abs=0.15)
    assert "and turned by 0.8°" in shift.text or "and turned by 0.7°" in shift.text


def test_a_hand_over_one_feature_changes_nothing(layout: Layout, empty: Image) -> None:
    watch = Watch(layout, empty)
    x, y = layout.to_pixels([layout.watch[0].at_mm])[0]
    covered = empty.copy()
    cv2.circle(covered, (round(float(x)), round(float(y))), 60, (128, 160, 206), -1)
    shift = watch.look(covered)
    assert shift.seen == shift.of - 1
    assert shift.worst_mm < 0.5


def test_a_camera_that_looks_elsewhere_sees_no_feature(layout: Layout, empty: Image) -> None:
    shift = Watch(layout, empty).look(np.ascontiguousarray(empty[::-1, ::-1]))
    assert not shift.known


def test_the_light_may_change_without_a_knock(layout: Layout, empty: Image) -> None:
    dim = np.asarray(empty * 0.55, dtype=np.uint8)
    assert Watch(layout, empty).look(dim).worst_mm < 0.3
