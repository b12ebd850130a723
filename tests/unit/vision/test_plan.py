"""The plan of a zone: there and back, and a card of known size fitted to faint edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vision.layout import CARD_MM, Layout
from vision.locate import window
from vision.plan import Plan, Pose, fit
from vision.synthetic.scene import Scene, decode, encode
from vision.synthetic.world import Laid


@pytest.fixture
def plan(layout: Layout) -> Plan:
    return Plan(layout, window(layout, layout.zone("P")))


@pytest.mark.parametrize("degrees", [0.0, 3.0, 90.0, 179.0, -120.0])
def test_a_pose_comes_back_from_its_corners(plan: Plan, degrees: float) -> None:
    pose = Pose(170.0, 95.0, math.radians(degrees))
    back = plan.pose(plan.quad(pose))
    assert (back.x, back.y) == pytest.approx((170.0, 95.0), abs=1e-6)
    assert math.remainder(back.turn - pose.turn, 2 * math.pi) == pytest.approx(0.0, abs=1e-6)


def test_a_card_in_the_plan_has_its_size(plan: Plan) -> None:
    mask = plan.mask([Pose(170.0, 95.0, 0.3)])
    area = np.count_nonzero(mask) / plan.scale**2
    assert area == pytest.approx(CARD_MM[0] * CARD_MM[1], rel=0.02)


def test_turns_are_those_of_the_felt(plan: Plan, layout: Layout) -> None:
    start, end = plan.in_window(layout.to_pixels([(170.0, 90.0), (180.0, 95.0)]))
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    turn = plan.turn_at(float(start[0]), float(start[1]), angle)
    assert turn == pytest.approx(math.atan2(5, 10), abs=0.01)


def test_a_card_on_a_card_is_fitted_to_a_millimetre(plan: Plan, layout: Layout) -> None:
    """White on white: what is seen of its sides is a faint shadow."""
    chance = np.random.default_rng(4)
    for seed in range(6):
        scene = Scene(layout, seed=seed)
        top = Pose(186.0, 92.0, math.radians(float(chance.uniform(-9, 9))))
        cards = ((1, "7H", 168.0, 90.0, 0.0), (2, "KS", top.x, top.y, math.degrees(top.turn)))
        for key, code, x, y, degrees in cards:
            laid = Laid(
                key=key, zone="P", place=key, code=code, face_up=True, x=x, y=y, degrees=degrees
            )
            scene.put(laid, by_hand=False)
        image = decode(encode(scene.frame()))
        assert image is not None
        flat = plan.flat(window(layout, layout.zone("P")).cut(image))
        grey = flat.max(axis=2).astype(np.float32)
        off = chance.uniform(-2, 2, 2)
        near = Pose(top.x + off[0], top.y + off[1], top.turn + float(chance.uniform(-0.05, 0.05)))
        found = fit(plan, grey, near)
        apart = plan.quad(found.pose) - plan.quad(top)
        assert np.hypot(*apart.T).max() / plan.scale < 1.5
        assert found.mean > 0.5
