"""Versions of layout files: written whole, kept, taken back, and safe when they cannot be."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from vision.calibration import store
from vision.calibration.lens import FoundLens
from vision.calibration.session import Calibration
from vision.calibration.words import CalibrationRefused, say
from vision.calibration.work import LensBy
from vision.layout import Layout, Lens, Marker, load_layout, save_layout

LENS = Lens((1262.0, 0, 812, 0, 1262, 441, 0, 0, 1), (-0.08, 0.012, 0.0006, -0.0004, 0.0))


def test_each_kept_layout_is_the_next_version_and_the_old_one_stays_beside_it(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "layouts" / "ba1.json"
    kept = [store.keep(replace(layout, residual_mm=each / 10), file) for each in (1, 2, 3)]
    assert [each.version for each in kept] == [1, 2, 3]
    assert load_layout(file).residual_mm == 0.3
    assert load_layout(file.with_name("ba1.v1.json")).residual_mm == 0.1
    assert load_layout(file.with_name("ba1.v2.json")).residual_mm == 0.2
    assert store.versions(file) == (1, 2, 3)
    assert {each.name for each in file.parent.iterdir()} == {
        "ba1.json",
        "ba1.v1.json",
        "ba1.v2.json",
    }


def test_a_layout_with_revision_and_markers_is_loaded_as_it_was(
    layout: Layout, tmp_path: Path
) -> None:
    whole = replace(layout, revision=7, markers=(Marker(1, (60.5, 61.25)), Marker(12, (9.0, 8.0))))
    save_layout(whole, tmp_path / "a.json")
    assert load_layout(tmp_path / "a.json") == whole


def test_an_old_version_is_taken_back_as_the_next_one(layout: Layout, tmp_path: Path) -> None:
    file = tmp_path / "ba1.json"
    for residual in (0.1, 0.2, 0.3):
        store.keep(replace(layout, residual_mm=residual), file)
    kept = store.take_back(file, 1)
    assert kept.version == 4
    assert load_layout(file).residual_mm == 0.1
    assert load_layout(file).revision == 4
    assert load_layout(file.with_name("ba1.v3.json")).residual_mm == 0.3


def test_a_version_that_is_not_there_is_refused_with_those_that_are(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    with pytest.raises(CalibrationRefused, match="There is no version 2: there are none"):
        store.take_back(file, 2)
    store.keep(layout, file)
    with pytest.raises(CalibrationRefused, match="There is no version 2: there are 1"):
        store.take_back(file, 2)


def test_a_version_of_another_game_is_not_taken_back_and_the_one_in_force_stays(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(replace(layout, game="blackjack"), file)
    store.keep(layout, file)
    before = file.read_bytes()
    with pytest.raises(CalibrationRefused, match=r"ba1\.v1\.json is for blackjack, not for"):
        Calibration(layout.game, file).do("take_back", {"version": 1}, None)
    assert file.read_bytes() == before


@pytest.mark.parametrize("turn", [10**400, float("nan"), float("inf"), "1", True])
def test_a_number_that_is_none_is_refused_and_ends_no_session(
    layout: Layout, tmp_path: Path, turn: object
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(layout, file)
    with pytest.raises(CalibrationRefused, match="turn_deg must be a number within"):
        Calibration(layout.game, file).do("plan", {"turn_deg": turn}, None)


def test_a_layout_made_by_hand_is_set_aside_as_version_0(layout: Layout, tmp_path: Path) -> None:
    file = tmp_path / "ba1.json"
    save_layout(layout, file)
    assert store.keep(layout, file).version == 1
    assert load_layout(file.with_name("ba1.v0.json")) == layout


def test_a_damaged_file_is_set_aside_and_never_lost(layout: Layout, tmp_path: Path) -> None:
    file = tmp_path / "ba1.json"
    file.write_text('{"version": 1, "gam', encoding="utf-8")
    calibration = Calibration("baccarat", file)
    answer = calibration.do("look", {}, None)
    assert "cannot be used and is set aside" in answer["warnings"][0]["text"]
    store.keep(layout, file)
    assert load_layout(file).revision == 1
    assert file.with_name("ba1.before-v1.json").read_text(encoding="utf-8").endswith('"gam')


def test_what_cannot_be_written_is_said_and_the_old_file_stays(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(layout, file)
    before = file.read_bytes()
    # A folder stands where the old version would go, which not even root can write over.
    (tmp_path / "ba1.v1.json").mkdir()
    with pytest.raises(CalibrationRefused, match=r"cannot be written \(is a directory\)"):
        store.keep(replace(layout, residual_mm=0.5), file)
    assert file.read_bytes() == before
    (tmp_path / "plain").write_text("", encoding="utf-8")
    with pytest.raises(CalibrationRefused, match=r"cannot be written \(file exists\)"):
        store.keep(layout, tmp_path / "plain" / "ba1.json")


def test_a_file_that_was_changed_by_hand_under_its_number_is_not_lost(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(layout, file)
    store.keep(layout, file)
    save_layout(replace(layout, revision=1, residual_mm=0.7), file)
    assert store.keep(layout, file).version == 2
    assert load_layout(tmp_path / "ba1.before-v2.json").residual_mm == 0.7
    assert load_layout(tmp_path / "ba1.v1.json").residual_mm == 0.0


def test_a_write_that_fails_half_way_leaves_the_file_as_it_was(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(layout, file)
    before = file.read_bytes()

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.layout.os.fsync", full)
    with pytest.raises(CalibrationRefused, match=r"cannot be written \(no space left on device\)"):
        store.keep(replace(layout, residual_mm=0.5), file)
    assert file.read_bytes() == before
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


def test_a_lens_of_its_own_counts_until_a_layout_is_kept_with_it(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    assert store.kept_lens(file) is None
    store.keep_lens(file, LENS, (1600, 900), 0.2)
    assert store.kept_lens(file) == (LENS, (1600, 900))
    begun = Calibration("baccarat", file).work
    assert (begun.lens, begun.lens_by, begun.size) == (LENS, LensBy.FILE, (1600, 900))
    store.keep(replace(layout, lens=LENS), file)
    assert store.kept_lens(file) is None
    assert Calibration("baccarat", file).work.lens_by is LensBy.KEPT


def test_a_lens_that_is_kept_by_itself_is_named_by_its_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ba1.json"
    session = Calibration("baccarat", file)
    found = FoundLens(LENS, rms_px=0.2, focus_spread=0.001)
    session._work = replace(
        session.work, lens=LENS, lens_by=LensBy.VIEWS, size=(1600, 900), found=found
    )
    monkeypatch.setattr("vision.calibration.lens.judge", lambda *_: (True, say("board_none")))
    saved = session.do("keep_lens", {}, None)["saved"]
    body = (tmp_path / "ba1.lens.json").read_bytes()
    assert (saved["file"], saved["sha256"]) == ("ba1.lens.json", hashlib.sha256(body).hexdigest())


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        '{"image": [1], "lens": {}}',
        '{"image": [1600, 900], "lens": {"K": [1], "dist": []}}',
    ],
)
def test_a_lens_file_that_cannot_be_read_does_not_count(tmp_path: Path, body: str) -> None:
    store.lens_file(tmp_path / "ba1.json").write_text(body, encoding="utf-8")
    assert store.kept_lens(tmp_path / "ba1.json") is None


def test_a_new_calibration_begins_with_what_the_layout_in_force_knows(
    layout: Layout, tmp_path: Path
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(replace(layout, lens=LENS, markers=(Marker(1, (60.0, 60.0)),)), file)
    work = Calibration("baccarat", file).work
    assert (work.lens, work.lens_by, work.version) == (LENS, LensBy.KEPT, 1)
    assert work.zones == layout.zones
    assert not work.placed
    assert work.plane is None
    assert [each.number for each in work.old] == [1]


def test_the_layout_of_another_game_is_refused(layout: Layout, tmp_path: Path) -> None:
    file = tmp_path / "ba1.json"
    store.keep(layout, file)
    with pytest.raises(CalibrationRefused, match="is for baccarat, not for baloot"):
        Calibration("baloot", file)
    with pytest.raises(CalibrationRefused, match="no zones for poker: there are baccarat"):
        Calibration("poker", None)
