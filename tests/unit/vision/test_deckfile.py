"""The file of a deck: whole or not at all, its hash checked, one sentence for every damage."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from vision.deckfile import LARGEST, DeckError, DeckHead, check_deck, read_deck, write_deck

HEAD = DeckHead(
    name="studio", sha256="", made_at="2026-11-30T10:00:00+00:00", reader="abc123", finished=True
)
ARRAYS = {"whole": np.arange(6, dtype=np.float32).reshape(2, 3)}


def written(path: Path, *, finished: bool = True) -> DeckHead:
    head = DeckHead(
        name=HEAD.name, sha256="", made_at=HEAD.made_at, reader=HEAD.reader, finished=finished
    )
    return write_deck(path, head, {"codes": ["AC"]}, ARRAYS)


def test_a_deck_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "decks" / "studio.deck"
    head = written(path)
    body = read_deck(path)
    assert body.head == head
    assert body.more == {"codes": ["AC"]}
    assert np.array_equal(body.arrays["whole"], ARRAYS["whole"])
    assert [each.name for each in path.parent.iterdir()] == ["studio.deck"]


def test_anybody_can_check_the_hash_of_a_deck_without_this_program(tmp_path: Path) -> None:
    path = tmp_path / "studio.deck"
    head = written(path)
    rest = path.read_bytes().partition(b"\n")[2]
    assert hashlib.sha256(rest).hexdigest() == head.sha256
    assert head.short == f"studio ({head.sha256[:12]})"


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9, 0.999])
def test_a_deck_that_was_cut_short_is_refused(tmp_path: Path, keep: float) -> None:
    path = tmp_path / "studio.deck"
    written(path)
    body = path.read_bytes()
    path.write_bytes(body[: max(90, int(keep * len(body)))])
    with pytest.raises(DeckError, match="its hash is wrong; take it from a backup or enrol"):
        read_deck(path)


def test_a_deck_of_which_one_byte_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "studio.deck"
    written(path)
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 1
    path.write_bytes(bytes(body))
    with pytest.raises(DeckError, match="its hash is wrong"):
        read_deck(path)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "is empty; enrol the deck again"),
        (b"\x89PNG\r\n\x1a\n" + bytes(400), "is no deck file; give one made by `cutcard enrol`"),
        (b"{}", "is no deck file"),
        (b"cutcard-deck 9 00\nrest", "has format 9, this program reads 1"),
    ],
)
def test_what_is_no_deck_is_refused_in_one_sentence(
    tmp_path: Path, body: bytes, words: str
) -> None:
    path = tmp_path / "studio.deck"
    path.write_bytes(body)
    with pytest.raises(DeckError, match=words) as refused:
        read_deck(path)
    assert str(refused.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "body",
    [
        b"no json\nrest",
        b"[]\nrest",
        b'{"name": "a"}\nrest',
        b'{"name": "a", "made_at": "", "reader": "", "finished": true}\nno arrays',
    ],
)
def test_a_deck_whose_inside_is_not_one_is_refused_though_its_hash_is_right(
    tmp_path: Path, body: bytes
) -> None:
    path = tmp_path / "studio.deck"
    digest = hashlib.sha256(body).hexdigest()
    path.write_bytes(f"cutcard-deck 1 {digest}\n".encode() + body)
    with pytest.raises(DeckError, match="lacks what a deck has"):
        read_deck(path)


def test_a_missing_deck_a_folder_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="there is no such deck file; make one with"):
        read_deck(tmp_path / "none.deck")
    with pytest.raises(DeckError, match="this is a folder"):
        read_deck(tmp_path)
    huge = tmp_path / "huge.deck"
    with huge.open("wb") as out:
        out.truncate(LARGEST + 1)
    with pytest.raises(DeckError, match="this is no deck file"):
        read_deck(huge)


def test_a_deck_that_cannot_be_written_leaves_the_one_before_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "studio.deck"
    head = written(path)
    blocked = tmp_path / "studio.deck" / "below.deck"
    with pytest.raises(DeckError, match="cannot be written"):
        written(blocked)
    assert read_deck(path).head == head


def test_a_table_may_not_use_a_deck_that_is_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "studio.deck"
    written(path, finished=False)
    with pytest.raises(DeckError, match="not all cards of this deck were shown"):
        check_deck(path)
    written(path)
    assert check_deck(path).finished
