"""A camera with a deck of its own: what it reads with, and when nothing may be dealt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from studio.domain.observations import CameraUnfit, CardsSeen, Unfit
from tests.support.shown import PatternedReader, card
from vision import prototypes
from vision.deck import look_at, made_of, save_deck
from vision.deckfile import DeckHead
from vision.own_deck import own_deck
from vision.plugin import CAMERAS
from vision.prototypes import FACES
from vision.variations import variations

if TYPE_CHECKING:
    from tests.unit.vision.conftest import Table


@pytest.fixture
def deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished deck; all cards look like one, which is enough for what is tested here."""
    monkeypatch.setattr(prototypes, "variations", lambda crop: variations(crop, 4))
    reader = PatternedReader()
    look = look_at(reader, card("AC"))
    head = DeckHead(
        name="studio", sha256="", made_at="2026-11-30T10:00:00+00:00", reader=reader.version,
        finished=True,
    )  # fmt: skip
    path = tmp_path / "studio.deck"
    save_deck(made_of(head, [(code, look) for code in FACES]), path)
    return path


def test_a_camera_names_its_deck_and_hash_beside_its_weights(deck: Path) -> None:
    reader = PatternedReader()
    own = own_deck(str(deck), reader, needed=True)
    assert own.deck is not None
    assert own.barred == ""
    assert own.reads == f"reader {reader.version}, deck studio ({own.deck.sha256[:12]})"


def test_without_a_deck_any_deck_is_read_unless_the_table_asks_for_one(tmp_path: Path) -> None:
    reader = PatternedReader()
    assert own_deck("", reader, needed=False).barred == ""
    missing = str(tmp_path / "none.deck")
    free = own_deck(missing, reader, needed=False)
    assert (free.deck, free.barred, free.reads) == (None, "", f"reader {reader.version}")
    barred = own_deck(missing, reader, needed=True)
    assert barred.barred.startswith("no deck is enrolled, and this table deals only with one")


@pytest.mark.parametrize("needed", [True, False])
def test_a_damaged_deck_always_bars_the_camera(deck: Path, *, needed: bool) -> None:
    deck.write_bytes(deck.read_bytes()[:-5])
    own = own_deck(str(deck), PatternedReader(), needed=needed)
    assert own.deck is None
    assert "its hash is wrong" in own.barred


def test_a_barred_eye_says_why_once_and_tells_no_card(table: Table) -> None:
    table.eye.barred = "no deck is enrolled"
    before = len(table.reports)
    table.lay("P", "7H")
    table.step(30)
    told = table.reports[before:]
    unfit = [each for each in told if isinstance(each, CameraUnfit)]
    assert [(each.why, each.text) for each in unfit] == [(Unfit.DECK, "no deck is enrolled")]
    assert not [each for each in told if isinstance(each, CardsSeen)]


def test_check_says_what_a_deck_file_is(deck: Path, tmp_path: Path) -> None:
    for kind in CAMERAS:
        words = kind.look_deck(deck)
        assert words.startswith("deck studio (")
        assert words.endswith("enrolled on 2026-11-30")
        with pytest.raises(ValueError, match="there is no such deck file"):
            kind.look_deck(tmp_path / "none.deck")
