"""The lens against the truth of a simulated camera, and what spoils a view of the board."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.calibration.boards import board, dictionary
from vision.calibration.detect import (
    BoardView,
    find_board,
    find_markers,
    judge_picture,
)
from vision.calibration.lens import FoundLens, coverage, judge, missing, solve
from vision.calibration.words import Sentence
from vision.locate import Image
from vision.synthetic.bench import (
    BOARD_AT,
    IMAGE,
    LENS,
    BenchScene,
    board_plane,
    draw_board,
    seen,
)


@pytest.fixture(scope="module")
def scene() -> BenchScene:
    return BenchScene(seed=4)


@pytest.fixture(scope="module")
def views(scene: BenchScene) -> list[BoardView]:
    found = []
    for place in range(len(BOARD_AT)):
        scene.hold_board(place)
        view = find_board(scene.frame())
        assert isinstance(view, BoardView)
        found.append(view)
    return found


@pytest.fixture(scope="module")
def found(views: list[BoardView]) -> FoundLens:
    return solve(views, IMAGE)


def noisy(image: Image, seed: int = 1) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), dtype=np.uint8)


# -- the lens ------------------------------------------------------------------------------------


def test_sixteen_views_give_focus_centre_and_bend_of_the_lens(found: FoundLens) -> None:
    assert found.rms_px < 0.25
    assert found.lens.matrix[0] == pytest.approx(LENS.matrix[0], rel=0.003)
    assert found.lens.matrix[2] == pytest.approx(LENS.matrix[2], abs=3)
    assert found.lens.distortion[0] == pytest.approx(LENS.distortion[0], abs=0.004)
    assert found.lens.distortion[4] == 0


def test_what_of_the_picture_is_missing_is_said_in_words(views: list[BoardView]) -> None:
    gaps = missing(coverage(views[:3], IMAGE))
    assert gaps == ["upper right", "right", "lower left", "bottom", "lower right"]
    good, sentence = judge(views[:3], IMAGE, None)
    assert not good
    assert sentence.text == f"3 of 10 views. Still missing: {', '.join(gaps)}."
    assert not missing(coverage(views, IMAGE))


def test_views_of_a_board_that_is_not_tilted_are_not_enough(scene: BenchScene) -> None:
    flat = []
    for x in (0.24, 0.5, 0.76):
        for y in (0.27, 0.5, 0.73):
            plane = board_plane(scene.view, x, y, 620, 0, 0)
            view = find_board(noisy(seen(scene.view, draw_board(), plane)))
            assert isinstance(view, BoardView)
            flat += [view, view] if (x, y) == (0.5, 0.5) else [view]
    good, sentence = judge(flat, IMAGE, solve(flat, IMAGE))
    assert not good
    assert sentence.code == "lens_tilt"


def test_a_bent_board_is_refused_by_its_error(views: list[BoardView]) -> None:
    bent = [
        replace(view, corners=view.corners + np.column_stack([
            6 * np.sin(np.asarray(view.numbers) % 8 / 7 * np.pi), np.zeros(len(view.numbers))
        ]) * (1 + number % 3))
        for number, view in enumerate(views)
    ]  # fmt: skip
    good, sentence = judge(bent, IMAGE, solve(bent, IMAGE))
    assert not good
    assert sentence.code == "lens_bad"


# -- what spoils a view of the board ---------------------------------------------------------------


def shown(scene: BenchScene, place: int = 0) -> Image:
    scene.hold_board(place)
    return scene.frame()


def code_of(image: Image) -> str:
    view = find_board(image)
    return view.code if isinstance(view, Sentence) else "found"


def test_a_mirrored_picture_is_told_for_board_and_markers(scene: BenchScene) -> None:
    assert code_of(np.ascontiguousarray(shown(scene)[:, ::-1])) == "board_mirrored"
    scene.show(None)
    scene.follow({"step": "plane"})
    turned = find_markers(np.ascontiguousarray(scene.frame()[:, ::-1]))
    assert isinstance(turned, Sentence)
    assert turned.code == "plane_mirrored"


def test_half_a_board_is_a_view_and_a_corner_of_it_is_not(scene: BenchScene) -> None:
    image = shown(scene)
    half, corner = image.copy(), image.copy()
    half[:, 860:] = 90
    corner[:, 560:] = 90
    view = find_board(half)
    assert isinstance(view, BoardView)
    assert 16 <= len(view.numbers) <= 30
    assert code_of(corner) in {"board_part", "board_none"}


def test_two_boards_are_told(scene: BenchScene) -> None:
    one = seen(scene.view, draw_board(), board_plane(scene.view, 0.25, 0.5, 700, 0, 0))
    both = seen(scene.view, draw_board(), board_plane(scene.view, 0.75, 0.5, 700, 0, 0), one)
    assert code_of(noisy(both)) == "board_two"


@pytest.mark.parametrize("first", [0, 20])
def test_a_board_of_another_pattern_is_told(scene: BenchScene, first: int) -> None:
    words = np.arange(first, first + 17)
    other = cv2.aruco.CharucoBoard((7, 5), 36.0, 27.0, dictionary(), words)
    drawn = cv2.cvtColor(other.generateImage((630, 450), marginSize=0), cv2.COLOR_GRAY2BGR)
    flat = np.full((525, 742, 3), 240, dtype=np.uint8)
    flat[37:487, 56:686] = drawn
    plane = board_plane(scene.view, 0.5, 0.5, 600, 8, 6)
    assert code_of(noisy(seen(scene.view, flat, plane))) in {"board_other", "board_part"}


def test_a_blurred_board_is_no_view(scene: BenchScene) -> None:
    assert code_of(np.asarray(cv2.GaussianBlur(shown(scene), (0, 0), 9.0))) in {
        "board_none",
        "board_part",
    }


def test_a_picture_without_a_board_says_so(scene: BenchScene) -> None:
    scene.show("7H")
    assert code_of(scene.frame()) == "board_none"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda image: (image * 0.1).astype(np.uint8), "camera_dark"),
        (
            lambda image: np.clip(image.astype(int) * 6 + 90, 0, 255).astype(np.uint8),
            "camera_burnt",
        ),
        (lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 12.0)), "camera_blurred"),
        (lambda image: np.asarray(cv2.resize(image, (640, 360))), "camera_small"),
        (lambda image: image, "camera_good"),
    ],
)
def test_a_picture_is_judged_before_anything_is_measured_by_it(
    scene: BenchScene, spoil: object, code: str
) -> None:
    scene.follow({"step": "plane"})
    assert callable(spoil)
    assert judge_picture(spoil(scene.frame())).code == code


def test_the_board_of_any_square_gives_the_same_lens(views: list[BoardView]) -> None:
    assert board(42.0).getSquareLength() == 42.0
    numbers = np.asarray(views[0].numbers, dtype=np.int32).reshape(-1, 1)
    corners: NDArray[np.float32] = views[0].corners.astype(np.float32).reshape(-1, 1, 2)
    assert len(board(42.0).matchImagePoints(list(corners), numbers)[0]) == len(numbers)
