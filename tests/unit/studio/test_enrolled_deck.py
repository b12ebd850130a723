"""A table that deals only with the studio's own deck: its key, and what `cutcard check` says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.checking import findings, understood
from studio.settings import Settings, SettingsError, parse


def values(tmp_path: Path, **table: Any) -> dict[str, Any]:
    """A small configuration with a camera that names a deck."""
    camera = {"source": "synthetic:", "deck": str(tmp_path / "studio.deck")}
    return {
        "studio": {"database": f"sqlite:///{tmp_path / 'studio.db'}"},
        "web": {"bind": "127.0.0.1:0"},
        "tables": {
            "ba1": {
                "game": "baccarat",
                "sources": ["camera"],
                "limits": {"player": [100, 5000]},
                "camera": camera,
                **table,
            }
        },
    }


def settings(tmp_path: Path, **table: Any) -> Settings:
    return parse(values(tmp_path, **table), tmp_path / "studio.toml", {})


def about_deck(given: Settings) -> tuple[str, str]:
    """Level and words of what is said about the deck's file."""
    (found,) = [each for each in findings(given) if each.words.startswith("deck")]
    return found.level, found.words


def test_a_table_that_wants_an_enrolled_deck_must_name_it(tmp_path: Path) -> None:
    wrong = values(tmp_path, enrolled_deck=True)
    del wrong["tables"]["ba1"]["camera"]["deck"]
    with pytest.raises(SettingsError) as caught:
        parse(wrong, tmp_path / "studio.toml", {})
    (problem,) = caught.value.problems
    assert "enrolled_deck is true, but the camera names no deck" in problem


@pytest.mark.parametrize("key", ["deck", "layout"])
def test_two_tables_may_not_share_what_is_set_up_at_their_cameras(tmp_path: Path, key: str) -> None:
    wrong = values(tmp_path)
    one = wrong["tables"]["ba1"]
    one["camera"] = {"source": "synthetic:", key: "kept/own"}
    # The same file, written in another way.
    camera = {"source": "synthetic:", key: str(tmp_path / "kept" / ".." / "kept" / "own")}
    wrong["tables"]["ba2"] = {**one, "camera": camera}
    with pytest.raises(SettingsError) as caught:
        parse(wrong, tmp_path / "studio.toml", {})
    (problem,) = caught.value.problems
    assert problem.startswith(f"[tables.ba2.camera] {key}: ")
    assert problem.endswith("name a file of its own")
    camera[key] = "kept/other"
    assert set(parse(wrong, tmp_path / "studio.toml", {}).tables) == {"ba1", "ba2"}


def test_check_says_that_the_table_deals_only_with_its_own_deck(tmp_path: Path) -> None:
    sentence = "Table ba1: cards are dealt only with the studio's own enrolled deck."
    assert sentence in list(understood(settings(tmp_path, enrolled_deck=True)))
    assert sentence not in list(understood(settings(tmp_path)))


def test_check_warns_of_a_deck_that_was_not_shown_yet(tmp_path: Path) -> None:
    level, words = about_deck(settings(tmp_path))
    assert level == "warning"
    assert words.endswith("until then cards are read as any deck's")


def test_a_deck_that_was_not_shown_is_wrong_where_the_table_wants_one(tmp_path: Path) -> None:
    level, words = about_deck(settings(tmp_path, enrolled_deck=True))
    assert level == "wrong"
    assert words.endswith("until then this table does not deal")


def test_check_refuses_a_file_that_is_no_deck(tmp_path: Path) -> None:
    (tmp_path / "studio.deck").write_bytes(b"\x89PNG something else")
    given = settings(tmp_path)
    (found,) = [each for each in findings(given) if "no deck file" in each.words]
    assert found.level == "wrong"
