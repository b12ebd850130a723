"""Health: what a camera is said to suffer from, and when."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.domain.observations import Unfit
from vision.health import FROZEN_S, LOST_S, Health, describe
from vision.layout import Layout
from vision.locate import Image
from vision.synthetic.scene import FRAMES_PER_SECOND, Scene, decode, encode


class Watch:
    """A scene whose frames are judged at their pace."""

    def __init__(self, layout: Layout) -> None:
        self.scene = Scene(layout, seed=4)
        self.health = Health(layout, self.frame(), 0.0)
        self.number = 0

    @property
    def now_s(self) -> float:
        return self.number / FRAMES_PER_SECOND

    def frame(self) -> Image:
        image = decode(encode(self.scene.frame()))
        assert image is not None
        return image

    def pass_frames(self, count: int, image: Image | None = None) -> list[Unfit | None]:
        said = []
        for _ in range(count):
            self.number += 1
            self.health.frame(self.frame() if image is None else image, self.now_s)
            said.append(self.health.judge(self.now_s))
        return said


@pytest.fixture
def watch(layout: Layout) -> Watch:
    return Watch(layout)


def test_a_quiet_table_is_fit(watch: Watch) -> None:
    assert set(watch.pass_frames(60)) == {None}


@pytest.mark.parametrize(
    ("fault", "why"),
    [("dark", Unfit.DARK), ("blur", Unfit.BLUR), ("knocked", Unfit.KNOCKED)],
)
def test_a_fault_in_the_picture_is_told_when_it_lasts_and_so_is_its_end(
    watch: Watch, fault: str, why: Unfit
) -> None:
    watch.scene.faults.add(fault)
    said = watch.pass_frames(20)
    assert said[0] is None
    assert said[-1] is why
    watch.scene.faults.clear()
    assert watch.pass_frames(20)[-1] is None


def test_one_broken_frame_is_no_fault(watch: Watch) -> None:
    for _ in range(5):
        watch.pass_frames(5)
        watch.scene.faults.add("blur")
        assert watch.pass_frames(1) == [None]
        watch.scene.faults.clear()
    assert watch.pass_frames(5)[-1] is None


def test_equal_frames_are_a_frozen_camera_however_often_they_come(watch: Watch) -> None:
    image = watch.frame()
    said = watch.pass_frames(40, image)
    limit = int(FROZEN_S * FRAMES_PER_SECOND)
    assert set(said[:limit]) == {None}
    assert set(said[limit + 2 :]) == {Unfit.FROZEN}


def test_no_frame_at_all_is_a_lost_camera(watch: Watch) -> None:
    watch.pass_frames(3)
    assert watch.health.judge(watch.now_s + LOST_S / 2) is None
    assert watch.health.judge(watch.now_s + LOST_S) is Unfit.LOST


def test_an_arm_over_some_marks_is_no_knock(watch: Watch) -> None:
    watch.scene.hold("B")
    assert set(watch.pass_frames(40)) == {None}


def test_a_camera_that_looks_somewhere_else_was_knocked(watch: Watch) -> None:
    watch.scene._clean = np.ascontiguousarray(watch.scene._clean[::-1])
    assert watch.pass_frames(30)[-1] is Unfit.KNOCKED


def test_each_fault_has_a_sentence_that_says_what_to_do() -> None:
    for why in (Unfit.LOST, Unfit.FROZEN, Unfit.DARK, Unfit.BLUR, Unfit.GLARE, Unfit.KNOCKED):
        assert ": " in describe(why)


def test_the_last_few_frames_again_and_again_are_a_frozen_camera(watch: Watch) -> None:
    """Opencv issue 25846: a driver may give its last frames in turn for ever."""
    images = [watch.frame() for _ in range(6)]
    said = []
    for at in range(60):
        said += watch.pass_frames(1, images[at % len(images)])
    assert said[5] is None
    assert said[-1] is Unfit.FROZEN
    assert watch.pass_frames(6)[-1] is None


def test_light_into_the_lens_is_glare(watch: Watch) -> None:
    burnt = np.clip(watch.frame().astype(np.int32) + 230, 0, 255).astype(np.uint8)
    noise = np.random.default_rng(0)
    said = []
    for _ in range(12):
        speck = noise.integers(0, 3, burnt.shape, dtype=np.uint8)
        said += watch.pass_frames(1, np.maximum(burnt, 4) - speck)
    assert said[0] is None
    assert said[-1] is Unfit.GLARE


def test_many_burnt_out_cards_in_the_zones_are_no_glare(watch: Watch, layout: Layout) -> None:
    said = []
    for _ in range(12):
        image = watch.frame()
        for zone in layout.zones:
            (x0, y0), *_, (x1, y1) = np.rint(layout.to_pixels(zone.polygon_mm)[[0, 2]]).astype(int)
            image[min(y0, y1) : max(y0, y1), min(x0, x1) : max(x0, x1)] = 255
        said += watch.pass_frames(1, image)
    assert Unfit.GLARE not in said


def test_a_knock_says_how_far_the_felt_moved(watch: Watch) -> None:
    watch.scene.faults.add("knocked")
    assert watch.pass_frames(20)[-1] is Unfit.KNOCKED
    words = watch.health.words(Unfit.KNOCKED)
    assert words.startswith(describe(Unfit.KNOCKED))
    assert "mm" in words


def test_a_layout_without_marks_is_watched_all_the_same(layout: Layout) -> None:
    blind = Watch(replace(layout, watch=()))
    assert set(blind.pass_frames(20)) == {None}
    blind.scene.faults.add("blur")
    assert blind.pass_frames(20)[-1] is Unfit.BLUR
