"""`cutcard enrol` from a folder of pictures: what it says, keeps and answers with."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

import vision.reader
from studio.domain.cards import CUT
from tests.support.shown import STRANGER, PatternedReader, card, picture
from vision import prototypes
from vision.deck import look_at, made_of, save_deck
from vision.deckfile import DeckHead, read_deck
from vision.enrol_command import enrol
from vision.prototypes import BACK, FACES
from vision.variations import variations

FEW = 4


@pytest.fixture(autouse=True)
def patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prototypes, "variations", lambda crop: variations(crop, FEW))
    monkeypatch.setattr(vision.reader, "Reader", PatternedReader)


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    folder = tmp_path / "photographs"
    folder.mkdir()
    for number, code in enumerate(("7H", "8S", STRANGER)):
        cv2.imwrite(str(folder / f"shot-{number}.png"), picture(code))
    return folder


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(enrol, [str(word) for word in words])


def test_an_unfinished_deck_is_kept_and_the_same_command_goes_on(
    photographs: Path, tmp_path: Path
) -> None:
    file = tmp_path / "decks" / "studio.deck"
    first = call("--camera", photographs, "--deck", file, "--no-cut")
    assert first.exit_code == 1, first.output
    assert "Not finished: 50 cards missing, the back missing." in first.output
    assert "7♥ is in" in first.output
    assert "no card that can be read" in first.output
    part = file.with_name("studio.deck.part")
    assert f"What was shown is kept in {part}: the same command goes on." in first.output
    assert not file.exists()
    for old in photographs.iterdir():
        old.unlink()
    cv2.imwrite(str(photographs / "a.png"), picture(BACK))
    second = call("--camera", photographs, "--deck", file, "--json")
    assert second.exit_code == 1
    answer = json.loads(second.stdout)
    assert (answer["count"], answer["save"]["text"]) == (2, "50 cards missing")
    assert (answer["back"]["state"], answer["cut"]["state"]) == ("in", "absent")


def test_a_picture_named_after_its_card_is_that_card(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    cv2.imwrite(str(folder / "JOKER.png"), picture(STRANGER))
    result = call("--camera", folder, "--deck", tmp_path / "studio.deck", "--json")
    answer = json.loads(result.stdout)
    assert (answer["jokers"]["state"], answer["count"]) == ("in", 0)


def test_the_last_card_saves_the_deck_and_a_finished_one_is_not_overwritten(
    tmp_path: Path,
) -> None:
    file = tmp_path / "studio.deck"
    reader = PatternedReader()
    head = DeckHead(name="studio", sha256="", made_at="", reader=reader.version, finished=False)
    codes = [code for code in (*FACES, BACK, CUT) if code != "2C"]
    looks = [(code, look_at(reader, card(code))) for code in codes]
    save_deck(made_of(head, looks), file.with_name("studio.deck.part"))
    shot = tmp_path / "last.png"
    cv2.imwrite(str(shot), picture("2C"))
    done = call("--camera", shot, "--deck", file, "--name", "green felt")
    assert done.exit_code == 0, done.output
    digest = read_deck(file).head.sha256
    assert f"Saved {file}: green felt, {digest[:12]}." in done.output
    refused = call("--camera", shot, "--deck", file)
    assert refused.exit_code == 2
    assert "is a finished deck: give --again" in refused.output
    assert read_deck(file).head.sha256 == digest
    anew = call("--camera", shot, "--deck", file, "--again")
    assert anew.exit_code == 1
    assert read_deck(file).head.sha256 == digest


@pytest.mark.parametrize(
    ("camera", "sentence"),
    [
        ("nowhere.mp4", "is no index, device, address or file that exists"),
        ("empty", "holds no pictures: give JPEG or PNG files"),
        ("text.mp4", "this is no film that can be read"),
    ],
)
def test_a_source_that_cannot_be_used_is_a_wrong_call(
    tmp_path: Path, camera: str, sentence: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("not a film")
    result = call("--camera", tmp_path / camera, "--deck", tmp_path / "studio.deck")
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_a_missing_layout_and_a_broken_picture_are_one_sentence(
    photographs: Path, tmp_path: Path
) -> None:
    missing = call(
        "--camera", photographs, "--deck", tmp_path / "a.deck", "--layout", tmp_path / "none.json"
    )
    assert missing.exit_code == 2
    assert "there is no such layout file" in " ".join(missing.output.split())
    (photographs / "zz.jpg").write_bytes(b"\xff\xd8\xff broken")
    broken = call("--camera", photographs, "--deck", tmp_path / "a.deck")
    assert broken.exit_code == 1
    assert "zz.jpg" in broken.output
    assert "Traceback" not in broken.output
