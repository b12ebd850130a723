"""`cutcard calibrate` from the command line: prints, folders, the bench, and wrong calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from vision.calibration import store
from vision.calibration.command import COMMANDS
from vision.calibration.work import LaidCard
from vision.layout import Layout, Zone, load_layout
from vision.locate import Image
from vision.synthetic.bench import FELT_MM, MARKS_AT, BenchScene

CLICKS = ((150, 150), (530, 140), (910, 150), (905, 500), (530, 520), (150, 500))


def call(*arguments: object) -> Result:
    return CliRunner().invoke(COMMANDS[0], [str(each) for each in arguments])


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an engineer has photographed: the board in 11 places, then the felt with markers."""
    folder = tmp_path_factory.mktemp("pictures")
    scene = BenchScene(seed=8)
    for place in range(11):
        scene.hold_board(place)
        cv2.imwrite(str(folder / f"board-{place:02d}.png"), scene.frame())
    scene.follow({"step": "plane"})
    cv2.imwrite(str(folder / "felt.png"), scene.frame())
    return folder


@pytest.fixture(scope="module")
def calibrated(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    file = tmp_path_factory.mktemp("layouts") / "ba1.json"
    done = call("--camera", pictures, "--layout", file, "--game", "baccarat")
    return file, done


def test_a_folder_of_pictures_gives_a_layout(calibrated: tuple[Path, Result]) -> None:
    file, done = calibrated
    assert done.exit_code == 0, done.output
    layout = load_layout(file)
    assert layout.revision == 1
    assert layout.lens is not None
    assert layout.residual_mm < 0.5
    assert [marker.number for marker in layout.markers] == list(MARKS_AT)


def test_residuals_zones_and_verdict_are_printed(calibrated: tuple[Path, Result]) -> None:
    lines = calibrated[1].stdout.splitlines()
    assert lines[0].startswith("lens    1")
    assert "of 1.00 px." in lines[0]
    assert sum(line.startswith("plane      ") and line.endswith(" mm") for line in lines) == 6
    assert any("P  350 × 120 mm, a card is 7" in line and line.endswith("good") for line in lines)
    assert lines[-1] == "Kept as version 1 of ba1.json."


def test_what_to_do_is_told_on_standard_error(calibrated: tuple[Path, Result]) -> None:
    told = calibrated[1].stderr
    assert "1 of 10 views. Still missing: upper left" in told
    assert "views of the board, all corners of the picture." in told


def test_a_second_calibration_keeps_the_lens_and_the_old_version(
    calibrated: tuple[Path, Result], pictures: Path, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    file.write_bytes(calibrated[0].read_bytes())
    before = file.read_bytes()
    done = call("--camera", pictures / "felt.png", "--layout", file, "--json")
    assert done.exit_code == 0, done.output
    line = json.loads(done.stdout)
    assert line["lens"] == {"views": 0, "rms_px": None, "kept": True, "skipped": False}
    assert line["saved"]["version"] == 2
    assert line["plane"]["residual_mm"] < 0.5
    assert set(line["plane"]["beside_mm"]) == {str(number) for number in MARKS_AT}
    assert line["zones"]["P"]["fault"] is None
    assert file.with_name("ba1.v1.json").read_bytes() == before
    assert call("--layout", file, "--versions").stdout.startswith(f"{file}: version 2 is in force")
    back = call("--layout", file, "--take-back", "1")
    assert back.stdout == f"Version 1 is in force again, as version 3 of {file}.\n"


def test_clicked_points_from_a_file_give_the_plane_without_a_lens_only_where_it_fits(
    pictures: Path, tmp_path: Path
) -> None:
    there = BenchScene().view.layout().to_pixels(CLICKS)
    points = [
        {"name": f"p{number}", "px": [float(x), float(y)], "mm": list(at)}
        for number, ((x, y), at) in enumerate(zip(there, CLICKS, strict=True), 1)
    ]
    places = {str(number): list(at) for number, at in MARKS_AT.items()}
    (tmp_path / "points.json").write_text(json.dumps({"points": points, "places": places}))
    arguments = ["--camera", pictures / "felt.png", "--layout", tmp_path / "ba1.json"]
    arguments += ["--game", "baccarat", "--points", tmp_path / "points.json"]
    done = call(*arguments, "--no-lens")
    assert done.exit_code == 1
    assert "Not kept: " in done.stdout
    assert "the lens bends the picture, so measure the lens" in done.stdout
    assert not (tmp_path / "ba1.json").exists()


def test_a_lens_by_itself_is_kept_and_found_again(pictures: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "ba1.json"
    done = call("--camera", pictures, "--layout", file, "--game", "baccarat", "--lens-only")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == "Kept as ba1.lens.json."
    assert not file.exists()
    assert store.kept_lens(file) is not None
    done = call("--camera", pictures / "felt.png", "--layout", file, "--game", "baccarat")
    assert done.exit_code == 0, done.output
    assert "lens    Kept as it was measured before" in done.stdout
    assert load_layout(file).lens is not None


def test_zones_from_a_file_go_where_it_says(pictures: Path, calibrated: tuple[Path, Result],
                                            tmp_path: Path) -> None:  # fmt: skip
    file = tmp_path / "ba1.json"
    file.write_bytes(calibrated[0].read_bytes())
    zones = {"P": [[140, 140], [470, 140], [470, 262], [140, 262]]}
    (tmp_path / "zones.json").write_text(json.dumps(zones))
    arguments = ["--camera", pictures / "felt.png", "--layout", file]
    done = call(*arguments, "--zones", tmp_path / "zones.json")
    assert done.exit_code == 0, done.output
    assert load_layout(file).zone("P").polygon_mm == (
        (140, 140),
        (470, 140),
        (470, 262),
        (140, 262),
    )
    zones["P"][0] = [-300, 140]
    (tmp_path / "zones.json").write_text(json.dumps(zones))
    done = call(*arguments, "--zones", tmp_path / "zones.json")
    assert done.exit_code == 1
    assert "Not kept: P reaches out of the picture" in done.stdout
    (tmp_path / "zones.json").write_text(json.dumps({"Q": zones["P"]}))
    done = call(*arguments, "--zones", tmp_path / "zones.json")
    assert done.exit_code == 1
    assert "There is no zone Q: there are P B BURN DISCARD." in done.stderr


def test_all_zones_are_moved_and_turned_together(
    pictures: Path, calibrated: tuple[Path, Result], tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    file.write_bytes(calibrated[0].read_bytes())
    before = load_layout(file).zone("B").polygon_mm
    done = call("--camera", pictures / "felt.png", "--layout", file, "--move", "3", "12.5")
    assert done.exit_code == 0, done.output
    after = np.asarray(load_layout(file).zone("B").polygon_mm)
    assert after - np.asarray(before) == pytest.approx(np.full((4, 2), (3, 12.5)), abs=0.02)
    done = call("--camera", pictures / "felt.png", "--layout", file, "--turn", "180")
    assert done.exit_code == 0, done.output
    assert load_layout(file).zone("P").polygon_mm[0][0] > after[0][0]


def test_pictures_without_a_board_say_what_is_missing(pictures: Path, tmp_path: Path) -> None:
    file = tmp_path / "ba1.json"
    done = call("--camera", pictures / "felt.png", "--layout", file, "--game", "baccarat")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1].startswith("Not kept: Hold the printed board")
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give --layout FILE, or --print board or markers"),
        (["--layout", "a.json"], "give --camera"),
        (["--layout", "a.json", "--camera", "."], "a.json is new: give --game"),
        (["--layout", "a.json", "--camera", ".", "--game", "poker"], "no zones for poker"),
        (["--layout", "a.json", "--camera", ".", "--game", "baloot"], "holds no pictures"),
        (
            ["--layout", "a.json", "--camera", "nowhere", "--game", "baloot"],
            "'nowhere' is no index",
        ),
        (
            ["--layout", "a.json", "--camera", "synthetic:", "--game", "baloot"],
            "needs no calibration: synthetic:calibrate is a table to practise",
        ),
        (
            ["--layout", "a.json", "--camera", ".", "--no-lens", "--lens-only"],
            "--no-lens leaves nothing of the lens to measure",
        ),
        (
            ["--layout", "a.json", "--camera", ".", "--game", "baloot", "--points", "none"],
            "none: cannot be read",
        ),
        (["--print", "markers", "--out", "a.doc"], "end the name in .pdf or .svg"),
        (["--print", "money"], "'money' is not one of 'board', 'markers'"),
    ],
)
def test_a_wrong_call_gets_one_sentence_and_2(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*arguments)
    assert done.exit_code == 2, done.output
    assert says in " ".join(done.stderr.split())
    assert "Traceback" not in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{", "line 1 is not JSON"),
        ("[]", "must be an object"),
        ('{"pionts": []}', "pionts is not known: it may have points places distances"),
    ],
)
def test_a_file_of_points_that_cannot_be_used_says_why(
    body: str, says: str, pictures: Path, tmp_path: Path
) -> None:
    (tmp_path / "points.json").write_text(body)
    done = call("--camera", pictures, "--layout", tmp_path / "a.json", "--game", "baccarat",
                "--points", tmp_path / "points.json")  # fmt: skip
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.split())


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "board.png").write_bytes(b"no picture")
    done = call("--camera", tmp_path, "--layout", tmp_path / "a.json", "--game", "baccarat")
    assert done.exit_code == 1
    assert "board.png: not a picture" in done.stderr


@pytest.mark.parametrize(("ending", "files"), [("pdf", 1), ("svg", 2)])
def test_markers_are_printed_to_a_file(ending: str, files: int, tmp_path: Path) -> None:
    done = call("--print", "markers", "--out", tmp_path / f"m.{ending}", "--paper", "letter")
    assert done.exit_code == 0, done.output
    made = sorted(each.name for each in tmp_path.iterdir())
    assert made == (["m.pdf"] if ending == "pdf" else ["m-1.svg", "m-2.svg"])
    assert len(done.stdout.splitlines()) == files
    assert "print at 100 % and measure its line of 100 mm" in done.stdout


def test_a_print_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    done = call("--print", "board", "--out", tmp_path / "no" / "board.pdf")
    assert done.exit_code == 1
    assert "cannot be written (no such file or directory)" in done.stderr


def _card(layout: Layout, zone: Zone) -> tuple[tuple[float, float], ...]:
    """Outline of a card in the middle of a zone, in pixels."""
    corners = np.asarray([(-31.5, -44), (31.5, -44), (31.5, 44), (-31.5, 44)])
    there = layout.to_pixels(corners + np.mean(zone.polygon_mm, axis=0))
    return tuple((float(x), float(y)) for x, y in there)


def test_the_bench_calibrates_and_tries_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a reader that sees a card where the bench's hands lay one."""
    seen: list[Any] = []

    def in_all_zones(image: Image, layout: Layout) -> list[LaidCard]:
        return [
            LaidCard("7H", sure=True, zone=zone.id, quad=_card(layout, zone))
            for zone in layout.zones
            if zone.slots
        ]

    def cards_by(reader: object) -> object:
        seen.append(reader)
        return in_all_zones

    monkeypatch.setattr("vision.calibration.look.cards_by", cards_by)
    file = tmp_path / "ba1.json"
    done = call("--camera", "synthetic:calibrate", "--layout", file, "--game", "baccarat", "--try")
    assert done.exit_code == 0, done.output
    assert len(seen) == 1
    assert "try     A card was read in each zone." in done.stdout
    truth = BenchScene().view.layout()
    layout = load_layout(file)
    across = [(0, 0), FELT_MM]
    apart = np.diff(layout.to_mm(truth.to_pixels(across)), axis=0)
    assert np.hypot(*apart[0]) == pytest.approx(np.hypot(*FELT_MM), abs=3)


def test_zones_and_markers_are_drawn_over_the_picture(
    calibrated: tuple[Path, Result], pictures: Path, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    file.write_bytes(calibrated[0].read_bytes())
    arguments = ["--camera", pictures / "felt.png", "--layout", file, "--draw"]
    done = call(*arguments, tmp_path / "drawn.png")
    assert done.exit_code == 0, done.output
    drawn = cv2.imread(str(tmp_path / "drawn.png"))
    plain = cv2.imread(str(pictures / "felt.png"))
    assert drawn is not None
    assert plain is not None
    layout = load_layout(file)
    for zone in layout.zones:
        for x, y in np.rint(layout.to_pixels(zone.polygon_mm)).astype(int):
            assert drawn[y, x].min() > 180
    assert (drawn != plain).any(axis=2).mean() < 0.05
    done = call(*arguments, tmp_path / "drawn.gif")
    assert done.exit_code == 1
    assert "--draw must be a file that ends in .png or .jpg" in done.stderr
    done = call(*arguments, tmp_path / "none" / "drawn.png")
    assert done.exit_code == 1
    assert "drawn.png cannot be written (no such file or directory)" in done.stderr
