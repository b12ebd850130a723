"""The plans of the four games, what is wrong with a zone, and the words that are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision.calibration import zones as felt
from vision.calibration.session import Calibration
from vision.calibration.words import PARTS, TEXTS, CalibrationRefused, Sentence
from vision.calibration.work import LensBy, Step, Work
from vision.layout import Layout, Zone
from vision.synthetic.bench import over

CONTRACT = {
    "baccarat": "P B BURN DISCARD",
    "boundless-blackjack": "M L R D BURN DISCARD",
    "blackjack": "S1 S2 S3 S4 S5 S6 S7 D BURN DISCARD",
    "baloot": "H0 H1 H2 H3 FACE T0 T1 T2 T3",
}
"""Zones by game, from CONTRACTS.md 10."""
LARGE = over((1400.0, 1000.0), (2560, 1440), tilt=0.0, away_mm=1200)


def layout_of(game: str) -> Layout:
    """The plan of a game on a table that is large enough, seen from straight above."""
    scale = 1.4
    plane = (scale, 0, 200.0, 0, scale, 60.0, 0, 0, 1)
    zones = felt.plan(game, (750.0, 480.0))
    return Layout(game=game, image=(2560, 1440), plane=plane, zones=zones)


@pytest.mark.parametrize("game", list(CONTRACT))
def test_each_game_has_the_zones_of_the_contract_and_none_overlap(game: str) -> None:
    layout = layout_of(game)
    assert [zone.id for zone in layout.zones] == CONTRACT[game].split()
    assert {zone.id: felt.fault(layout, zone) for zone in layout.zones} == dict.fromkeys(
        CONTRACT[game].split()
    )


@pytest.mark.parametrize("game", list(CONTRACT))
def test_every_zone_has_room_for_a_card_and_the_rack_is_not_read(game: str) -> None:
    for zone in layout_of(game).zones:
        wide, high = felt.size_mm(zone)
        assert min(wide, high) >= 63
        assert max(wide, high) >= 88
        assert (zone.slots == 0) == (zone.id == "DISCARD")


def test_the_first_seat_is_at_the_dealers_left() -> None:
    """The dealer stands at the upper edge and looks down, so it is right in the picture."""
    zones = {zone.id: np.mean(zone.polygon_mm, axis=0) for zone in layout_of("blackjack").zones}
    across = [zones[f"S{seat}"][0] for seat in range(1, 8)]
    assert across == sorted(across, reverse=True)
    assert all(zones[f"S{seat}"][1] > zones["D"][1] for seat in range(1, 8))


def test_a_card_is_as_wide_as_the_plane_says_where_it_is_narrowest() -> None:
    zone = Zone("P", ((0, 0), (300, 0), (300, 120), (0, 120)), 3)
    flat = Layout(game="x", image=(1280, 720), plane=(1.2, 0, 5, 0, 1.2, 5, 0, 0, 1), zones=(zone,))
    assert felt.card_px(flat, zone) == pytest.approx(1.2 * 63, abs=0.01)
    tilted = replace(flat, plane=(1.2, 0, 5, 0, 0.9, 5, 0, 0, 1))
    assert felt.card_px(tilted, zone) == pytest.approx(0.9 * 63, abs=0.01)


def test_cards_that_are_too_small_say_how_much_closer_or_how_many_pixels() -> None:
    zone = Zone("P", ((50, 50), (350, 50), (350, 170), (50, 170)), 3)
    plane = (0.8, 0, 5, 0, 0.8, 5, 0, 0, 1)
    layout = Layout(game="x", image=(1280, 720), plane=plane, zones=(zone,))
    fault = felt.fault(layout, zone)
    assert fault is not None
    assert fault.text == (
        "A card is 50 px wide in P, 64 are needed: move the camera 22 % closer, or set it to"
        " 1632 × 928."
    )
    # Where it is done as it says, it suffices.
    closer = replace(layout, plane=tuple(each / (1 - 0.22) for each in plane[:6]) + plane[6:])
    assert felt.too_small(closer, zone) is None
    assert felt.too_small(layout, replace(zone, slots=0)) is not None
    assert felt.fault(layout, replace(zone, slots=0)) is None


def test_every_sentence_can_be_said_and_says_something() -> None:
    """Each code has a text whose names are filled from its values."""
    for code, text in TEXTS.items():
        names = {part.split("}")[0] for part in text.split("{")[1:]}
        said = Sentence(code, dict.fromkeys(names, "X")).text
        assert "{" not in said
        assert said
    assert len({word for row in PARTS for word in row}) == 9


def begun(**more: Any) -> Calibration:
    """A calibration whose plane is measured."""
    calibration = Calibration("baccarat")
    flat = layout_of("baccarat")
    calibration._work = replace(  # a plane without pictures, for words that need one
        Work(game="baccarat", size=flat.image, lens_by=LensBy.SKIPPED), **more
    )
    return calibration


@pytest.mark.parametrize(
    ("word", "given", "says"),
    [
        ("dance", {}, "There is no such word: dance"),
        ("step", {"step": "sideways"}, "step must be camera or lens"),
        ("step", {}, "step must be camera or lens"),
        ("step", {"step": []}, "step must be camera or lens"),
        ("print", {"what": {}}, "what must be markers or board"),
        ("zone", {"id": "P", "by_mm": [1, 1]}, "Measure the plane of the felt first"),
        ("place", {}, "Measure the plane of the felt first"),
        ("plan", {"turn_deg": 180}, "Measure the plane of the felt first"),
        ("plane", {}, "No picture has come yet"),
        ("undo", {}, "There is nothing to take back"),
        ("save", {}, "Not kept yet: the lens"),
        ("keep_lens", {}, "The lens is not measured yet: Hold the printed board"),
        ("take_back", {"version": "six"}, "version must be a number"),
        ("take_back", {"version": 6}, "No layout file is configured"),
        ("print", {"what": "money"}, "what must be markers or board"),
        ("print", {"paper": "a9"}, "paper must be a4 or a3 or letter"),
    ],
)
def test_a_word_that_cannot_be_done_is_refused_with_what_to_do(
    word: str, given: dict[str, Any], says: str
) -> None:
    calibration = Calibration("baccarat")
    before = calibration.work
    with pytest.raises(CalibrationRefused) as refused:
        calibration.do(word, given, None)
    assert str(refused.value).startswith(says)
    assert refused.value.sentence.code in TEXTS
    assert calibration.work is before


@pytest.mark.parametrize(
    "given",
    [
        {"points": {}},
        {"points": [{"name": "a"}]},
        {"points": [{"name": "", "px": [1, 1], "mm": [1, 1]}]},
        {"points": [{"name": "a", "px": [1], "mm": [1, 1]}]},
        {"points": [{"name": "a", "px": [1, True], "mm": [1, 1]}]},
        {"points": [{"name": "a", "px": [1, 1], "mm": [float("nan"), 1]}]},
        {"points": [{"name": "a", "px": [5, 5], "mm": [1, 1]}] * 2},
        {"points": [{"name": "a", "px": [5000, 5], "mm": [1, 1]}]},
        {"places": [1, 2]},
        {"places": {"1": [1]}},
        {"distances": [["1", "1", 500]]},
        {"distances": [["1", "2", -5]]},
        {"distances": [["1", "2"]]},
        {"distances": 7},
    ],
)
def test_values_that_do_not_fit_get_one_sentence_and_change_nothing(given: dict[str, Any]) -> None:
    calibration = begun()
    frame = np.full((1440, 2560, 3), 120, dtype=np.uint8)
    calibration.do("look", {}, frame)
    before = calibration.work
    with pytest.raises(CalibrationRefused):
        calibration.do("plane", given, frame)
    assert calibration.work is before


def test_a_picture_of_another_size_is_refused_until_the_lens_is_measured_again() -> None:
    calibration = Calibration("baccarat")
    calibration.do("look", {}, np.full((900, 1600, 3), 120, dtype=np.uint8))
    small = np.full((720, 1280, 3), 120, dtype=np.uint8)
    with pytest.raises(CalibrationRefused, match="The picture is 1280 × 720, the lens was"):
        calibration.do("look", {}, small)
    answer = calibration.do("lens_again", {}, small)
    assert answer["steps"][0]["figure"] == "1280 × 720"


def test_the_steps_stand_in_their_order() -> None:
    answer = Calibration("baccarat").do("look", {}, None)
    assert [each["id"] for each in answer["steps"]] == [each.value for each in Step]
    assert answer["verdict"]["word"] == "begin"
    assert answer["save"]["allowed"] is False
