"""Index corners are found anywhere and read upright; what is no index is not read."""

import json
import math
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import corners as module
from vision.corners import BOX, STRIDE, UNIT, WINDOW, Corner, Corners, apart, levels, peaks, upright
from vision.synthetic.deck import printed
from vision.training import corner_train_golden as golden
from vision.weights import MODELS, ModelsUnfit

RANKS = "A23456789TJQK"
SUITS = "CDHS"
Image = NDArray[np.uint8]


@pytest.fixture(scope="module")
def corners() -> Corners:
    return Corners()


def corner(**more: float) -> Corner:
    return Corner(**{"x": 50.0, "y": 50.0, "angle": 0.0, "high": 20.0, "score": 0.9, **more})


def felt(high: int, wide: int, seed: int = 5) -> Image:
    rng = np.random.default_rng(seed)
    grain = rng.normal((70, 110, 30), 4, (high, wide, 3))
    return np.clip(grain, 0, 255).astype(np.uint8)


def lay(table: Image, code: str, at: tuple[float, float], turn: float, wide: float) -> None:
    """Lay a card of the demonstration's deck, which no net was trained on, onto a table."""
    face = printed(code)
    scale = wide / face.shape[1]
    face = np.asarray(cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    high, wide_px = face.shape[:2]
    c, s = math.cos(turn), math.sin(turn)
    to = np.array([[c, -s, 0.0], [s, c, 0.0]])
    to[:, 2] = np.array(at) - to[:, :2] @ np.array([wide_px / 2, high / 2])
    size = (table.shape[1], table.shape[0])
    mask = cv2.warpAffine(np.full((high, wide_px), 255, np.uint8), to, size)
    cv2.copyTo(cv2.warpAffine(face, to, size), mask, table)


def likely(vote: module.IndexVote) -> float:
    """How likely the best rank and suit are, and that an index is there."""
    share = vote.there
    for logits in (vote.ranks, vote.suits):
        raised = np.exp(logits - logits.max())
        share *= float(raised.max() / raised.sum())
    return share


def named(votes: list[module.IndexVote], found: list[Corner], least: float = 0.9) -> list[str]:
    """What indices say that can be read, as codes."""
    assert len(votes) == len(found)
    return [
        RANKS[int(vote.ranks.argmax())] + SUITS[int(vote.suits.argmax())]
        for vote in votes
        if likely(vote) >= least
    ]


def test_the_nets_say_to_the_golden_picture_what_they_said_when_they_were_exported(
    corners: Corners,
) -> None:
    stored = json.loads((MODELS / "corners-golden.json").read_text(encoding="utf-8"))
    said = golden.answers(corners)
    assert stored["seed"] == golden.SEED
    for name in ("d", "j"):
        np.testing.assert_allclose(said[name], np.array(stored[name]), atol=stored["tolerance"])


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.0, -1.3])
def test_both_indices_of_a_lone_card_are_found_with_their_turn_and_read(
    corners: Corners, turn: float
) -> None:
    table = felt(240, 240)
    lay(table, "KH", (120, 120), turn, 90)
    found = corners.find(table, least=9, most=38)[:2]
    assert sorted(named(corners.read(table, found), found)) == ["KH", "KH"]
    ways = sorted((one.angle - turn) % (2 * math.pi) for one in found)
    off = [min(way, 2 * math.pi - way) for way in ways]
    assert min(off) < 0.35
    assert max(off) == pytest.approx(math.pi, abs=0.35)


def test_an_index_that_is_seen_upside_down_is_not_there(corners: Corners) -> None:
    table = felt(240, 240)
    lay(table, "6S", (120, 120), 0.0, 90)
    found = corners.find(table, least=9, most=38)[:2]
    wrong = [
        Corner(x=one.x, y=one.y, angle=one.angle + math.pi, high=one.high, score=one.score)
        for one in found
    ]
    assert named(corners.read(table, found), found) == ["6S", "6S"]
    assert named(corners.read(table, wrong), wrong, 0.5) == []


def test_the_visible_index_of_a_card_under_another_is_found(corners: Corners) -> None:
    table = felt(260, 260)
    lay(table, "QS", (110, 125), 0.0, 90)
    lay(table, "7D", (146, 140), 0.0, 90)
    found = corners.find(table, least=9, most=38)
    read = named(corners.read(table, found), found)
    assert set(read) == {"QS", "7D"}


def test_nothing_is_read_on_bare_felt_or_on_a_back(corners: Corners) -> None:
    table = felt(300, 300)
    lay(table, "XX", (150, 150), 0.4, 90)
    found = corners.find(table)
    assert named(corners.read(table, found), found, 0.5) == []


def test_a_card_in_a_picture_larger_than_a_tile_is_found_once_wherever_it_lies(
    corners: Corners,
) -> None:
    table = felt(300, 1400)
    places = [(610.0, 150.0), (700.0, 150.0), (790.0, 150.0)]
    for code, at in zip(("KH", "QS", "7D"), places, strict=True):
        lay(table, code, at, 0.0, 80)
    found = corners.find(table, least=9, most=38)
    read = named(corners.read(table, found), found)
    assert sorted(read) == ["7D", "7D", "KH", "KH", "QS", "QS"]


def test_a_large_card_is_found_at_a_coarser_level(corners: Corners) -> None:
    table = felt(700, 600)
    lay(table, "9C", (300, 350), 0.2, 300)
    found = corners.find(table, least=8, most=110)
    read = named(corners.read(table, found), found)
    assert set(read) == {"9C"}


def test_levels_meet_every_height_once_at_least() -> None:
    for least, most in ((8, 90), (9, 38), (20, 70), (30, 35)):
        scales = levels(least, most)
        assert scales[0] <= 1
        for high in np.linspace(max(least, module.FROM), most, 20):
            assert any(module.FROM * 0.99 <= high * scale <= module.TO for scale in scales)


def test_one_level_suffices_for_a_zone_of_known_cards() -> None:
    assert len(levels(12, 40)) == 1
    assert levels(8, 90)[0] == 1.0


def test_of_corners_on_top_of_each_other_the_surest_stays() -> None:
    kept = apart([corner(score=0.4), corner(x=53.0, score=0.8), corner(x=80.0, score=0.5)])
    assert [(one.x, one.score) for one in kept] == [(53.0, 0.8), (80.0, 0.5)]


def test_no_corner_leaves_none() -> None:
    assert apart([]) == []


def test_a_peak_tells_place_turn_and_height() -> None:
    answer = np.zeros((6, 10, 12), np.float32)
    answer[0] = -9
    answer[0, 4, 7] = 3
    answer[0, 4, 8] = 1
    pose = (math.cos(2.5), math.sin(2.5), math.log(30 / UNIT))
    answer[1:, 4, 7] = (0.25, -0.5, *pose)
    answer[1:, 4, 8] = (-0.75, -0.5, *pose)
    (peak,) = peaks(answer, 0.3)
    assert (peak.x, peak.y) == pytest.approx((7.25 * STRIDE, 3.5 * STRIDE), abs=0.1)
    assert (peak.angle, peak.high) == pytest.approx((2.5, 30), abs=0.1)
    assert peak.score == pytest.approx(1 / (1 + math.exp(-3)))


def test_cells_that_disagree_about_a_turn_are_heard_by_how_sure_they_are() -> None:
    answer = np.zeros((6, 9, 9), np.float32)
    answer[0] = -9
    for column, score, turn in ((4, 4.0, 0.2), (5, 2.0, 0.4), (3, -6.0, 3.0)):
        answer[0, 4, column] = score
        answer[1:, 4, column] = (4 - column, 0, math.cos(turn), math.sin(turn), 0)
    (peak,) = peaks(answer, 0.3)
    assert 0.25 < peak.angle < 0.35
    assert (peak.x, peak.y) == pytest.approx((16, 16), abs=0.1)


@pytest.mark.parametrize("high", [17.0, 34.0, 120.0])
@pytest.mark.parametrize("turn", [0.0, 1.1, -2.4])
def test_a_corner_is_cut_out_upright_whatever_its_turn_and_size(turn: float, high: float) -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    up = np.array([math.sin(turn), -math.cos(turn)])
    top, foot = np.array([200, 200]) + up * high / 2, np.array([200, 200]) - up * high / 2
    cv2.circle(picture, np.rint(top).astype(int).tolist(), int(high / 8), (0, 0, 255), -1)
    cv2.circle(picture, np.rint(foot).astype(int).tolist(), int(high / 8), (255, 0, 0), -1)
    cut = upright(picture, corner(x=200.0, y=200.0, angle=turn, high=high)).astype(float)
    assert cut.shape == (*WINDOW, 3)
    rows, columns = np.mgrid[0 : WINDOW[0], 0 : WINDOW[1]]
    red, blue = cut[..., 2], cut[..., 0]
    for ink, edge in ((red, -BOX[1] / 2), (blue, BOX[1] / 2)):
        assert (rows * ink).sum() / ink.sum() == pytest.approx(WINDOW[0] / 2 + edge, abs=1.6)
        assert (columns * ink).sum() / ink.sum() == pytest.approx(WINDOW[1] / 2, abs=1.6)


def test_a_corner_at_the_edge_of_the_picture_is_cut_out_all_the_same() -> None:
    cut = upright(felt(60, 60), corner(x=-3.0, y=70.0, high=90.0))
    assert cut.shape == (*WINDOW, 3)


def test_no_corner_gives_no_vote(corners: Corners) -> None:
    assert corners.read(felt(60, 60), []) == []


def test_more_corners_than_a_batch_are_read_in_their_order(corners: Corners) -> None:
    table = felt(240, 240)
    lay(table, "KH", (120, 120), 0.0, 90)
    here = corners.find(table, least=9, most=38)[0]
    places = [here] + [corner(x=float(k)) for k in range(module.BATCH + 3)]
    votes = corners.read(table, places)
    assert len(votes) == len(places)
    assert named(votes[:1], [here]) == ["KH"]
    assert all(vote.there < 0.5 for vote in votes[1:30])


def test_a_grey_picture_is_refused_in_one_sentence(corners: Corners) -> None:
    with pytest.raises(ValueError, match="give bytes of shape"):
        corners.find(np.zeros((60, 60), np.uint8))


@pytest.mark.parametrize("name", ["d.onnx", "j.onnx", "corners.json"])
def test_a_missing_file_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(MODELS, tmp_path / "models")
    (folder / name).unlink()
    with pytest.raises(ModelsUnfit, match="install the package again"):
        Corners(folder)


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(MODELS, tmp_path / "models")
    with (folder / "j.onnx").open("ab") as weights:
        weights.write(b"\0")
    with pytest.raises(ModelsUnfit, match="have been changed"):
        Corners(folder)


def test_all_models_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) < 2_500_000
