"""Layout files: what they hold, and the sentence that each mistake gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.layout import (
    Layout,
    LayoutError,
    Lens,
    Zone,
    distort,
    layout_body,
    load_layout,
    parse_layout,
    save_layout,
    undistort,
)

WIDE = Lens((1000.0, 0, 640, 0, 1000, 360, 0, 0, 1), (-0.09, 0.01, 0.0004, -0.0003, 0.0))


def test_a_saved_layout_is_loaded_as_it_was(layout: Layout, tmp_path: Path) -> None:
    path = tmp_path / "ba1.json"
    save_layout(layout, path)
    assert load_layout(path) == layout


def test_the_file_has_the_fields_of_the_contract(layout: Layout) -> None:
    assert set(layout_body(layout)) == {
        "version",
        "game",
        "card_mm",
        "image",
        "lens",
        "plane",
        "residual_mm",
        "zones",
        "watch",
    }


def test_the_baccarat_felt_has_its_four_zones(layout: Layout) -> None:
    assert {zone.id: zone.slots for zone in layout.zones} == {
        "P": 4,
        "B": 4,
        "BURN": 12,
        "DISCARD": 0,
    }


def test_millimetres_become_pixels_and_back(layout: Layout) -> None:
    points = np.asarray([(0.0, 0.0), (426.0, 240.0), (850.0, 470.0)])
    assert np.allclose(layout.to_mm(layout.to_pixels(points)), points, atol=1e-6)


def test_a_lens_is_undone_to_a_hundredth_of_a_pixel() -> None:
    points = np.asarray([(0.0, 0.0), (640.0, 360.0), (1279.0, 719.0), (100.0, 600.0)])
    assert np.allclose(undistort(WIDE, distort(WIDE, points)), points, atol=0.01)


def test_a_lens_bends_the_corners_and_not_the_middle(layout: Layout) -> None:
    body = layout_body(layout)
    body["lens"] = {"K": list(WIDE.matrix), "dist": list(WIDE.distortion)}
    bent = parse_layout(body)
    middle, corner = layout.to_mm([(640.0, 360.0)]), (0.0, 0.0)
    assert np.allclose(bent.to_pixels(middle), (640.0, 360.0), atol=0.01)
    moved = bent.to_pixels([corner]) - layout.to_pixels([corner])
    assert np.abs(moved).max() > 5
    assert np.allclose(bent.to_mm(bent.to_pixels([corner])), [corner], atol=0.05)


def test_a_zone_holds_what_lies_within_its_outline() -> None:
    zone = Zone("P", ((0, 0), (10, 0), (10, 10), (5, 3), (0, 10)), 1)
    assert zone.holds(1, 5)
    assert not zone.holds(5, 8)
    assert not zone.holds(11, 5)


def test_asking_for_an_unknown_zone_names_those_there_are(layout: Layout) -> None:
    with pytest.raises(LayoutError, match="no zone 'D' in this layout: it has P B BURN DISCARD"):
        layout.zone("D")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("version", 2, "version: this program reads layout version 1"),
        ("image", [1280], "image: must be 2 numbers"),
        ("image", [1280, 0], "image: width and height"),
        ("card_mm", [88, 63], "card_mm: give width and height"),
        ("plane", [1, 2, 3], "plane: must be 9 numbers"),
        ("plane", [0] * 9, "plane: this matrix maps the felt to a line"),
        ("plane", ["1"] * 9, "plane: must be 9 numbers"),
        ("residual_mm", 1.5, "residual_mm: 1.5 is not within 0 to 1.0; calibrate again"),
        ("game", "", "game: name the game"),
        ("zones", [], "zones: give at least one zone"),
        ("zones", [{"id": "P", "slots": -1, "polygon_mm": []}], "slots: must be a whole number"),
        ("zones", [{"id": "P", "slots": 1, "polygon_mm": [[0, 0]]}], "at least three corners"),
        ("zones", [{"slots": 1}], "zones[0].id: name the zone"),
        ("watch", 7, "watch: must be a list"),
        ("watch", [{"at_mm": [1, 1], "size_mm": 1}], "size_mm: must be from 5 to 100"),
        ("lens", {"K": [0] * 9, "dist": [0] * 5}, "focal lengths must be positive"),
        ("lens", 3, "lens: must be an object"),
        ("colour", "green", "colour: not a field of a layout"),
    ],
)
def test_each_mistake_gets_one_sentence(layout: Layout, field: str, value: Any, says: str) -> None:
    body = layout_body(layout)
    body[field] = value
    with pytest.raises(LayoutError) as caught:
        parse_layout(json.loads(json.dumps(body)))
    assert says in str(caught.value)


def test_a_zone_named_twice_is_refused(layout: Layout) -> None:
    body = layout_body(layout)
    body["zones"][1]["id"] = "P"
    with pytest.raises(LayoutError, match="P is there twice"):
        parse_layout(body)


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="no such layout file; make one with"):
        load_layout(tmp_path / "none.json")


def test_a_file_that_is_no_json_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "torn.json"
    path.write_text('{\n"version": 1,\n', encoding="utf-8")
    with pytest.raises(LayoutError, match=r"torn\.json: line 3 is not JSON"):
        load_layout(path)
