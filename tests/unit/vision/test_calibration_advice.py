"""What `cutcard check` says of a layout: large enough or not, and what to change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from studio.cli import cli
from vision.layout import Layout, Lens, save_layout
from vision.plugin import look_layout
from vision.synthetic.felt import built_in_layout


def said(layout: Layout, tmp_path: Path, game: str = "baccarat") -> list[tuple[str, str]]:
    save_layout(layout, tmp_path / "ba1.json")
    return list(look_layout(tmp_path / "ba1.json", game))


def smaller(layout: Layout, share: float) -> Layout:
    """The same felt in a smaller part of the picture."""
    return replace(
        layout, plane=tuple(each * share for each in layout.plane[:6]) + layout.plane[6:]
    )


@pytest.fixture
def whole() -> Layout:
    lens = Lens((1500.0, 0, 640, 0, 1500, 360, 0, 0, 1), (0.0, 0.0, 0.0, 0.0, 0.0))
    return replace(smaller(built_in_layout(), 0.98), lens=lens, revision=3, residual_mm=0.21)


def test_a_good_layout_is_one_line_with_its_figures(whole: Layout, tmp_path: Path) -> None:
    (level, words), *rest = said(whole, tmp_path)
    assert level == "ok"
    assert words.startswith("ba1.json version 3: a card is at least 8")
    assert words.endswith("64 are needed; it was measured to 0.21 of 1.00 mm")
    assert rest == []


def test_small_cards_are_told_with_what_to_change(whole: Layout, tmp_path: Path) -> None:
    lines = said(smaller(whole, 0.65), tmp_path)
    small = [(level, words) for level, words in lines if "px wide in P" in words]
    assert len(small) == 1
    assert small[0][0] == "warning"
    assert "64 are needed: move the camera" in small[0][1]


def test_cards_that_nobody_could_read_stand_in_the_way(whole: Layout, tmp_path: Path) -> None:
    levels = {level for level, words in said(smaller(whole, 0.4), tmp_path) if "in P," in words}
    assert levels == {"wrong"}


def test_a_missing_lens_and_too_few_features_are_warnings(whole: Layout, tmp_path: Path) -> None:
    lines = said(replace(whole, lens=None, watch=whole.watch[:1]), tmp_path)
    warned = [words for level, words in lines if level == "warning"]
    assert [words.split(":")[0] for words in warned] == [
        "no lens model",
        "1 fixed features are watched, two are needed to notice a knocked camera",
    ]


def test_the_layout_of_another_game_stands_in_the_way(whole: Layout, tmp_path: Path) -> None:
    [(level, words)] = said(whole, tmp_path, "baloot")
    assert level == "wrong"
    assert words.endswith("is for baccarat, but the table deals baloot: calibrate for baloot")


def test_a_damaged_layout_stands_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "ba1.json").write_text("{", encoding="utf-8")
    [(level, words)] = look_layout(tmp_path / "ba1.json", "baccarat")
    assert level == "wrong"
    assert "is not JSON" in words


def test_cutcard_check_says_it_for_a_table(whole: Layout, tmp_path: Path) -> None:
    save_layout(smaller(whole, 0.65), tmp_path / "ba1.json")
    config = tmp_path / "config.toml"
    config.write_text(
        '[studio]\ndatabase = "sqlite:///c.db"\n[web]\nbind = "127.0.0.1:0"\n'
        '[tables.ba1]\ngame = "baccarat"\nsources = ["camera"]\n'
        "limits = { player = [100, 500000] }\n"
        '[tables.ba1.camera]\nsource = "synthetic:"\nlayout = "ba1.json"\n'
    )
    done = CliRunner().invoke(cli, ["check", "--config", str(config)], prog_name="cutcard")
    assert done.exit_code == 0, done.output
    assert "ok       table ba1, camera: ba1.json version 3: a card is at least 5" in done.stdout
    assert "warning  table ba1, camera: A card is 5" in done.stdout
    save_layout(replace(whole, game="baloot"), tmp_path / "ba1.json")
    done = CliRunner().invoke(cli, ["check", "--config", str(config)], prog_name="cutcard")
    assert done.exit_code == 1
    assert "WRONG    table ba1, camera:" in done.stdout
