"""The plane against the truth of a simulated table, and what spoils it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.calibration.boards import MARKER_MM, marker_corners
from vision.calibration.detect import (
    MarkerView,
    find_markers,
    refine_click,
)
from vision.calibration.lens import FoundLens
from vision.calibration.plane import aligned, fit, marker, point
from vision.calibration.words import Sentence
from vision.calibration.work import Click, LensBy, Work, measure, plane_sentence
from vision.layout import MAX_RESIDUAL_MM, Layout, Lens, Marker
from vision.locate import Image
from vision.synthetic.bench import (
    FELT_MM,
    IMAGE,
    LENS,
    MARKS_AT,
    MARKS_TURN,
    BenchScene,
    View,
    draw_card,
    draw_felt,
    draw_marker,
    over,
    seen,
)

TABLE_MM = (1400.0, 800.0)
"""The table of the feasibility study."""
WIDE = (1920, 1080)
WIDE_LENS = replace(LENS, matrix=(1514.0, 0, 968, 0, 1514, 533, 0, 0, 1))
EIGHT = {
    1: (90.0, 90.0),
    2: (500.0, 80.0),
    3: (900.0, 80.0),
    4: (1310.0, 90.0),
    5: (1300.0, 710.0),
    6: (900.0, 720.0),
    7: (500.0, 720.0),
    8: (100.0, 710.0),
}


@pytest.fixture(scope="module")
def scene() -> BenchScene:
    return BenchScene(seed=4)


@pytest.fixture(scope="module")
def found() -> FoundLens:
    """The lens, known as well as views of the board give it."""
    return FoundLens(LENS, 0.1, 0.001)


@pytest.fixture(scope="module")
def table() -> tuple[View, Image]:
    """A tilted table of 1.4 × 0.8 m with eight markers, through a barrel-shaped lens."""
    view = over(TABLE_MM, WIDE, WIDE_LENS, tilt=24.0, away_mm=1330)
    flat = draw_felt(TABLE_MM)
    for number, at_mm in EIGHT.items():
        draw_marker(flat, number, at_mm, 3.0 * (number % 3 - 1))
    return view, noisy(seen(view, flat, np.asarray(view.plane).reshape(3, 3)))


def noisy(image: Image, seed: int = 1) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), dtype=np.uint8)


def markers_of(image: Image) -> tuple[MarkerView, ...]:
    markers = find_markers(image)
    assert isinstance(markers, tuple)
    return markers


def error_mm(
    view: View, matrix: tuple[float, ...], lens: Lens | None, size: tuple[float, float]
) -> tuple[float, float]:
    """Mean and worst error over the felt."""
    grid = np.asarray([(x, y) for x in np.linspace(30, size[0] - 30, 12)
                       for y in np.linspace(30, size[1] - 30, 8)])  # fmt: skip
    layout = Layout(game="x", image=view.image, plane=matrix, zones=(), lens=lens)
    beside = layout.to_mm(view.layout().to_pixels(grid)) - grid
    errors = np.hypot(beside[:, 0], beside[:, 1])
    return float(errors.mean()), float(errors.max())


def work_of(markers: tuple[MarkerView, ...], lens: Lens | None, **more: object) -> Work:
    by = LensBy.SKIPPED if lens is None else LensBy.KEPT
    base = Work(game="baccarat", size=IMAGE, lens=lens, lens_by=by, markers=markers)
    work = replace(base, **more)  # type: ignore[arg-type]
    plane, moved, fault = measure(work)
    return replace(work, plane=plane, moved=moved, plane_fault=fault)


def places_of(at: dict[int, tuple[float, float]]) -> tuple[tuple[str, tuple[float, float]], ...]:
    return tuple((str(number), place) for number, place in at.items())


# -- the plane against the truth -------------------------------------------------------------------


@pytest.mark.parametrize("count", [4, 8])
@pytest.mark.parametrize("places", [True, False])
def test_with_a_lens_the_felt_is_known_to_a_quarter_of_a_millimetre(
    table: tuple[View, Image], count: int, *, places: bool
) -> None:
    """VISION.md wants 0.6 mm on average; without places up to where the plan begins."""
    view, image = table
    known = {str(number): at for number, at in EIGHT.items()} if places else {}
    markers = markers_of(image)
    assert len(markers) == len(EIGHT)
    kept = [each for each in markers if count == 8 or each.number in {1, 4, 5, 8}]
    things = [marker(each.number, each.corners, known, MARKER_MM) for each in kept]
    plane = fit(things, WIDE_LENS)
    if not places:
        there = {each.name: EIGHT[int(each.name)] for each in plane.things}
        plane, beside, _ = aligned(plane, there)
        assert beside < 0.8
    mean, worst = error_mm(view, plane.matrix, WIDE_LENS, TABLE_MM)
    assert mean <= 0.25
    assert worst <= 0.8
    assert plane.worst.error_mm < 0.2 * MAX_RESIDUAL_MM


def test_the_corners_of_a_marker_are_found_to_a_tenth_of_a_pixel(
    marks: tuple[MarkerView, ...], scene: BenchScene
) -> None:
    """Also without the draw towards the middle that softness gives a corner by itself."""
    drawn_in = []
    for each in marks:
        lean = np.radians(MARKS_TURN[each.number])
        spin = np.asarray([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
        true = scene.view.layout().to_pixels(marker_corners() @ spin + MARKS_AT[each.number])
        assert np.abs(each.corners - true).max() < 0.2
        sizes = [np.hypot(*(quad[2] - quad[0])) for quad in (each.corners, true)]
        drawn_in.append(sizes[1] - sizes[0])
    assert abs(np.mean(drawn_in)) < 0.05


@pytest.mark.parametrize("count", [4, 6, 8])
def test_without_a_lens_model_the_residual_refuses_barrel_distortion(
    table: tuple[View, Image], count: int
) -> None:
    _, image = table
    kept = {4: (1, 4, 5, 8), 6: (1, 2, 4, 5, 7, 8), 8: tuple(EIGHT)}[count]
    markers = tuple(each for each in markers_of(image) if each.number in kept)
    work = work_of(markers, None, size=WIDE, places=places_of(EIGHT))
    assert work.plane is not None
    assert work.plane.worst.error_mm > MAX_RESIDUAL_MM
    assert plane_sentence(work).code in {"plane_bad_lens", "plane_bad"}
    assert work.plane_fault is not None


def test_without_a_lens_model_markers_need_places() -> None:
    scene = BenchScene(seed=9)
    work = work_of(markers_of(scene.frame()), None)
    assert plane_sentence(work).code == "plane_places"
    assert work.plane is None


@pytest.fixture(scope="module")
def marks(scene: BenchScene) -> tuple[MarkerView, ...]:
    scene.follow({"step": "plane"})
    return markers_of(scene.frame())


def lifted(marks: tuple[MarkerView, ...], number: int, px: float) -> tuple[MarkerView, ...]:
    """One corner of a marker bent up from the felt: it lies beside its place in the picture."""
    shift = np.zeros((4, 2))
    shift[2] = (px, -px)
    return tuple(
        replace(each, corners=each.corners + shift) if each.number == number else each
        for each in marks
    )


@pytest.mark.parametrize("places", [False, True])
@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_bent_marker_is_named_and_the_plane_refused(
    marks: tuple[MarkerView, ...], found: FoundLens, number: int, *, places: bool
) -> None:
    given = places_of(MARKS_AT) if places else ()
    work = work_of(lifted(marks, number, 5.0), found.lens, places=given)
    assert work.plane_fault is not None
    assert work.plane_fault.code == "plane_bad"
    assert work.plane_fault.values["worst"] == str(number)


def test_a_marker_given_in_a_wrong_place_is_named(
    marks: tuple[MarkerView, ...], found: FoundLens
) -> None:
    wrong = {**MARKS_AT, 2: (MARKS_AT[2][0] + 12, MARKS_AT[2][1])}
    work = work_of(marks, found.lens, places=places_of(wrong))
    assert work.plane_fault is not None
    assert work.plane_fault.values["worst"] == "2"


def test_two_exchanged_places_are_named(marks: tuple[MarkerView, ...], found: FoundLens) -> None:
    wrong = {**MARKS_AT, 2: MARKS_AT[5], 5: MARKS_AT[2]}
    work = work_of(marks, found.lens, places=places_of(wrong))
    assert work.plane_fault is not None
    assert work.plane_fault.text == "2 and 5 seem to be exchanged."


def test_distances_by_the_tape_are_compared_with_the_picture(
    marks: tuple[MarkerView, ...], found: FoundLens
) -> None:
    true = float(np.hypot(*np.subtract(MARKS_AT[1], MARKS_AT[4])))
    good = work_of(marks, found.lens, distances=(("1", "4", true),))
    assert good.plane_fault is None
    wrong = work_of(marks, found.lens, distances=(("1", "4", true - 30),))
    assert wrong.plane_fault is not None
    assert wrong.plane_fault.code == "plane_distances"


@pytest.mark.parametrize(("share", "told"), [(0.99, True), (1.01, True), (0.997, False)])
def test_sheets_printed_at_99_in_100_are_shown_by_one_distance_and_at_997_in_1000_are_not(
    marks: tuple[MarkerView, ...], found: FoundLens, share: float, *, told: bool
) -> None:
    true = float(np.hypot(*np.subtract(MARKS_AT[1], MARKS_AT[4])))
    work = work_of(marks, found.lens, distances=(("1", "4", share * true),))
    assert (work.plane_fault is not None) is told


def test_markers_in_their_old_places_keep_the_old_plan(
    marks: tuple[MarkerView, ...], found: FoundLens, scene: BenchScene
) -> None:
    old = tuple(Marker(number, at) for number, at in MARKS_AT.items())
    work = work_of(marks, found.lens, old=old)
    assert work.plane is not None
    assert work.plane_fault is None
    mean, worst = error_mm(scene.view, work.plane.matrix, found.lens, FELT_MM)
    assert mean < 1.0
    assert worst < 2.0


def test_a_marker_that_was_moved_since_is_named(
    marks: tuple[MarkerView, ...], found: FoundLens
) -> None:
    old = tuple(
        Marker(number, (at[0] + (25 if number == 4 else 0), at[1]))
        for number, at in MARKS_AT.items()
    )
    work = work_of(marks, found.lens, old=old)
    assert work.plane_fault is not None
    assert work.plane_fault.code == "plane_moved"
    assert work.plane_fault.values["worst"] == "4"


# -- clicked points --------------------------------------------------------------------------------

CLICKS = ((150, 150), (530, 140), (910, 150), (905, 500), (530, 520), (150, 500))


def clicks(scene: BenchScene, count: int = 6, off: float = 0.6) -> tuple[Click, ...]:
    """Points clicked within half a pixel or so of where they are."""
    rng = np.random.default_rng(2)
    there = scene.view.layout().to_pixels(CLICKS[:count])
    return tuple(
        Click(f"p{number + 1}", (float(x + dx), float(y + dy)), (float(a), float(b)))
        for number, ((x, y), (a, b), (dx, dy)) in enumerate(
            zip(there, CLICKS, rng.uniform(-off, off, (count, 2)), strict=False)
        )
    )


def test_six_clicked_points_give_the_plane(scene: BenchScene, found: FoundLens) -> None:
    work = work_of((), found.lens, clicks=clicks(scene))
    assert work.plane is not None
    assert work.plane_fault is None
    assert error_mm(scene.view, work.plane.matrix, found.lens, FELT_MM)[0] < 1.0


def test_four_points_cannot_show_their_own_error(scene: BenchScene, found: FoundLens) -> None:
    corners = tuple(clicks(scene)[at] for at in (0, 2, 3, 5))
    assert plane_sentence(work_of((), found.lens, clicks=corners)).code == "plane_four"


def test_points_in_a_line_are_refused(scene: BenchScene, found: FoundLens) -> None:
    there = scene.view.layout().to_pixels([(x, 300) for x in range(100, 1000, 150)])
    line = tuple(
        Click(str(number), (float(x), float(y)), (100.0 + 150 * number, 300.0))
        for number, (x, y) in enumerate(there)
    )
    assert plane_sentence(work_of((), found.lens, clicks=line)).code == "plane_line"


def test_points_clicked_in_the_wrong_order_are_named(scene: BenchScene, found: FoundLens) -> None:
    good = list(clicks(scene))
    good[1], good[4] = replace(good[1], px=good[4].px), replace(good[4], px=good[1].px)
    work = work_of((), found.lens, clicks=tuple(good))
    assert work.plane_fault is not None
    assert work.plane_fault.text == "p2 and p5 seem to be exchanged."


def test_points_that_go_round_the_wrong_way_are_refused(
    scene: BenchScene, found: FoundLens
) -> None:
    wrong = tuple(replace(each, mm=(1060 - each.mm[0], each.mm[1])) for each in clicks(scene))
    work = work_of((), found.lens, clicks=wrong)
    assert work.plane is None
    assert work.plane_fault is not None
    assert work.plane_fault.code == "plane_turned"


def test_one_point_clicked_wrong_is_named(scene: BenchScene, found: FoundLens) -> None:
    wrong = list(clicks(scene))
    wrong[3] = replace(wrong[3], px=(wrong[3].px[0] + 25, wrong[3].px[1]))
    work = work_of((), found.lens, clicks=tuple(wrong))
    assert work.plane_fault is not None
    assert work.plane_fault.values["worst"] == "p4"


def test_a_click_goes_to_the_corner_of_the_print_under_it() -> None:
    image = np.full((200, 200, 3), 60, dtype=np.uint8)
    image[:90, :120] = 200
    x, y = refine_click(image, (122.4, 87.2))
    assert (x, y) == pytest.approx((119.5, 89.5), abs=0.3)
    assert refine_click(image, (2.0, 2.0)) == (2.0, 2.0)
    assert refine_click(image, (40.0, 150.0)) == (40.0, 150.0)


# -- markers in the picture ------------------------------------------------------------------------


def test_the_same_marker_twice_is_told() -> None:
    view = over(FELT_MM)
    flat = draw_felt(FELT_MM)
    for at in ((100, 100), (500, 100), (900, 500), (100, 500)):
        draw_marker(flat, 3, at, 0)
    found = find_markers(noisy(seen(view, flat, np.asarray(view.plane).reshape(3, 3))))
    assert isinstance(found, Sentence)
    assert found.text == "Marker 3 is in the picture twice: take one away."


def test_a_covered_marker_is_left_out_and_the_rest_suffices(found: FoundLens) -> None:
    view = over(FELT_MM)
    flat = draw_felt(FELT_MM)
    for number, at_mm in MARKS_AT.items():
        draw_marker(flat, number, at_mm, MARKS_TURN[number])
    draw_card(flat, "XX", (MARKS_AT[2][0] + 20, MARKS_AT[2][1] + 10), 20.0)
    image = noisy(seen(view, flat, np.asarray(view.plane).reshape(3, 3)))
    markers = markers_of(image)
    assert [each.number for each in markers] == [1, 3, 4, 5, 6]
    assert work_of(markers, found.lens).plane_fault is None


def test_three_markers_are_too_few_and_markers_in_a_corner_too_close(
    marks: tuple[MarkerView, ...], found: FoundLens
) -> None:
    few = work_of(marks[:3], found.lens)
    assert plane_sentence(few).text.startswith("3 of 4 markers are seen")
    middles = np.asarray([(150, 150), (260, 150), (150, 250), (260, 250)])
    close = tuple(
        MarkerView(number, marker_corners(80.0) + middle)
        for number, middle in enumerate(middles, 1)
    )
    assert plane_sentence(work_of(close, found.lens)).code == "plane_narrow"


def test_a_point_alone_has_its_place(found: FoundLens, scene: BenchScene) -> None:
    plane = fit([point(each.name, each.px, each.mm) for each in clicks(scene)], found.lens)
    assert [each.at_mm for each in plane.things] == [(float(x), float(y)) for x, y in CLICKS]
    assert plane.spare == 4
