"""A whole calibration, word by word, on a simulated table whose truth is known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.calibration.session import Calibration
from vision.calibration.words import CalibrationRefused
from vision.calibration.work import LaidCard
from vision.layout import Layout, load_layout
from vision.locate import Image
from vision.synthetic.bench import FELT_MM, MARKS_AT, BenchScene


def cards_in_all_zones(image: Image, layout: Layout) -> list[LaidCard]:
    """A reader for which a card of the right size lies in each zone; it looks at no pixel."""
    assert image.shape[1::-1] == layout.image
    cards = []
    for zone in layout.zones:
        x, y = np.mean(zone.polygon_mm, axis=0)
        corners = [(x - 31.5, y - 44), (x + 31.5, y - 44), (x + 31.5, y + 44), (x - 31.5, y + 44)]
        quad = tuple((float(u), float(v)) for u, v in layout.to_pixels(corners))
        cards.append(LaidCard("7H", True, zone.id, quad))
    return cards


class Hands:
    """Somebody who does what the calibration says."""

    def __init__(self, file: Path | None, game: str = "baccarat", seed: int = 0) -> None:
        self.scene = BenchScene(seed=seed)
        self.calibration = Calibration(game, file, cards_in_all_zones)

    def do(self, word: str, **given: Any) -> dict[str, Any]:
        answer = self.calibration.do(word, given, self.scene.frame())
        json.dumps(answer)
        if "step" in answer:
            self.scene.follow(answer)
        return answer

    def show_the_board(self, most: int = 60) -> dict[str, Any]:
        answer = self.do("step", step="lens")
        for _ in range(most):
            if step(answer, "lens")["done"]:
                break
            answer = self.do("look")
        return answer

    def lay_the_markers(self) -> dict[str, Any]:
        answer = self.do("step", step="plane")
        for _ in range(3):
            answer = self.do("look")
        return answer


def step(answer: dict[str, Any], name: str) -> dict[str, Any]:
    row: dict[str, Any] = next(each for each in answer["steps"] if each["id"] == name)
    return row


def told(answer: dict[str, Any], name: str) -> str:
    return str(step(answer, name)["sentence"]["text"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layouts")


@pytest.fixture(scope="module")
def measured(folder: Path) -> tuple[Hands, dict[str, Any], dict[str, Any]]:
    """Somebody who has measured the lens and the plane, and what was said of each."""
    hands = Hands(folder / "ba1.json")
    lens = hands.show_the_board()
    return hands, lens, hands.lay_the_markers()


@pytest.fixture
def at_zones(
    measured: tuple[Hands, dict[str, Any], dict[str, Any]],
) -> Iterator[Hands]:
    """The same, with the zones laid out; all that a test changes is taken back."""
    hands = measured[0]
    work, past = hands.calibration._work, list(hands.calibration._past)
    hands.do("step", step="zones")
    yield hands
    hands.calibration._work, hands.calibration._past = work, past


def test_the_board_held_in_all_parts_of_the_picture_gives_the_lens(
    measured: tuple[Hands, dict[str, Any], dict[str, Any]],
) -> None:
    hands, lens, _ = measured
    assert step(lens, "lens")["done"]
    assert lens["lens"]["rms_px"] < 0.3
    assert "all corners of the picture" in told(lens, "lens")
    found, truth = hands.calibration.work.lens, hands.scene.view.lens
    assert found is not None
    assert found.matrix[0] == pytest.approx(truth.matrix[0], rel=0.004)
    assert found.distortion[0] == pytest.approx(truth.distortion[0], abs=0.006)


def test_markers_that_lie_anywhere_give_the_plane_to_a_quarter_of_a_millimetre(
    measured: tuple[Hands, dict[str, Any], dict[str, Any]],
) -> None:
    hands, _, plane = measured
    assert step(plane, "plane")["done"]
    assert len(plane["plane"]["markers"]) == len(MARKS_AT)
    assert plane["plane"]["residual_mm"] < 0.3
    layout, truth = hands.calibration.work.layout(), hands.scene.view.layout()
    assert layout is not None
    across = [(x, y) for x in np.linspace(40, FELT_MM[0] - 40, 9)
              for y in np.linspace(40, FELT_MM[1] - 40, 6)]  # fmt: skip
    found = layout.to_mm(truth.to_pixels(across))
    pairs = [(a, b) for a in range(0, 54, 5) for b in range(a + 3, 54, 7)]
    errors = [
        abs(np.hypot(*(found[a] - found[b])) - np.hypot(*np.subtract(across[a], across[b])))
        for a, b in pairs
    ]
    assert np.mean(errors) < 0.25
    assert np.max(errors) < 0.8


def test_zones_are_laid_out_in_the_middle_with_the_size_of_cards_in_them(at_zones: Hands) -> None:
    answer = at_zones.do("look")
    assert [zone["id"] for zone in answer["zones"]] == ["P", "B", "BURN", "DISCARD"]
    assert all(zone["fault"] is None and not zone["placed"] for zone in answer["zones"])
    assert answer["zones"][0]["size_mm"] == [350, 120]
    assert 66 < answer["zones"][0]["card_px"] < 80
    assert told(answer, "zones") == "Drag the corners of P until the printed box fits."
    assert answer["verdict"]["word"] == "almost"
    assert [each["text"] for each in answer["save"]["missing"]] == ["4 to place", "3 to try"]


def test_a_corner_is_dragged_to_a_pixel_and_moved_by_millimetres(at_zones: Hands) -> None:
    before = at_zones.do("look")["zones"][1]
    answer = at_zones.do("zone", id="B", handle=2, to_px=[1100.0, 320.0])
    zone = answer["zones"][1]
    assert zone["handles_px"][2] == pytest.approx([1100.0, 320.0], abs=0.3)
    assert zone["handles_px"][0] == before["handles_px"][0]
    assert zone["placed"]
    assert zone["chosen"]
    there = zone["polygon_mm"][2]
    moved = at_zones.do("zone", id="B", handle=2, by_mm=[-1, 10])["zones"][1]["polygon_mm"][2]
    assert moved == pytest.approx([there[0] - 1, there[1] + 10], abs=0.02)


def test_the_middle_of_a_side_takes_both_its_corners_along(at_zones: Hands) -> None:
    before = at_zones.do("look")["zones"][0]["polygon_mm"]
    after = at_zones.do("zone", id="P", handle=7, by_mm=[-8, 0])["zones"][0]["polygon_mm"]
    assert after == [[before[0][0] - 8, before[0][1]], before[1], before[2],
                     [before[3][0] - 8, before[3][1]]]  # fmt: skip


def test_a_change_is_taken_back(at_zones: Hands) -> None:
    before = at_zones.do("look")["zones"]
    at_zones.do("zone", id="P", by_mm=[30, 5])
    assert at_zones.do("undo")["zones"] == before


def test_the_plan_is_turned_for_a_dealer_at_the_lower_edge(at_zones: Hands) -> None:
    before = {zone["id"]: zone["polygon_mm"] for zone in at_zones.do("look")["zones"]}
    answer = at_zones.do("plan", turn_deg=180)
    after = {zone["id"]: zone["polygon_mm"] for zone in answer["zones"]}
    assert after["P"][0][0] > before["B"][0][0] - 280
    assert after["P"][0][0] > after["B"][0][0]
    assert after["P"][0][1] > before["P"][0][1]
    # Corners still begin at the upper left.
    assert after["P"][0] == [min(x for x, _ in after["P"]), min(y for _, y in after["P"])]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"id": "P", "by_mm": [-400, 0]}, "P reaches out of the picture: move it in"),
        ({"id": "P", "by_mm": [120, 0]}, "P and B overlap: move them apart."),
        ({"id": "P", "handle": 0, "by_mm": [380, 0]}, "The sides of P cross"),
        ({"id": "DISCARD", "handle": 2, "by_mm": [-105, 0]}, "The sides of DISCARD cross"),
        ({"id": "P", "handle": 5, "by_mm": [-300, 0]}, "P is too small for 4 cards"),
    ],
)
def test_a_zone_that_cannot_work_says_why_and_is_not_kept(
    at_zones: Hands, given: dict[str, Any], says: str
) -> None:
    at_zones.do("place")
    answer = at_zones.do("zone", **given)
    zone = next(each for each in answer["zones"] if each["id"] == given["id"])
    assert zone["fault"]["text"].startswith(says)
    assert told(answer, "zones").startswith(says)
    assert answer["verdict"]["word"] == "bad"
    with pytest.raises(CalibrationRefused, match=r"Not kept yet: \d to mend"):
        at_zones.do("save", untried=True)


def test_a_layout_is_kept_once_each_zone_is_placed_and_tried(at_zones: Hands, folder: Path) -> None:
    at_zones.do("place")
    with pytest.raises(CalibrationRefused, match="Not kept yet: 3 to try"):
        at_zones.do("save")
    answer = at_zones.do("step", step="try")
    assert step(answer, "try")["done"]
    assert answer["verdict"]["word"] == "good"
    assert answer["save"] == {"allowed": True, "version": 1, "missing": []}
    kept = at_zones.do("save")["saved"]
    # For who did not get the answer in time.
    assert at_zones.do("state")["saved"] == kept
    assert kept["version"] == 1
    layout = load_layout(folder / "ba1.json")
    assert layout.revision == 1
    assert layout.lens == at_zones.calibration.work.lens
    assert {zone.id: zone.slots for zone in layout.zones} == {
        "P": 4,
        "B": 4,
        "BURN": 12,
        "DISCARD": 0,
    }
    assert len(layout.watch) >= 2
    assert [marker.number for marker in layout.markers] == list(MARKS_AT)


def test_markers_that_were_hidden_when_zones_were_due_are_looked_for_again() -> None:
    hands = Hands(None)
    hands.show_the_board()
    hands.lay_the_markers()
    dark = np.zeros_like(hands.scene.frame())
    hands.calibration.do("look", {}, dark)
    answer = hands.calibration.do("step", {"step": "zones"}, dark)
    assert answer["zones"] == []
    answer = hands.do("look")
    assert {zone["id"] for zone in answer["zones"]} == {"P", "B", "BURN", "DISCARD"}
