"""What an enrolled deck decides, and its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.domain.cards import CUT, HIDDEN
from tests.support.shown import STRANGER, PatternedReader, card
from vision import prototypes
from vision.deck import JOKER, DeckError, EnrolledDeck, load_deck, look_at, made_of, save_deck
from vision.deckfile import DeckHead, read_deck, write_deck
from vision.prototypes import FACES, Look
from vision.reader import CardKind, Crop, Reading
from vision.variations import variations

FEW = 8
"""Variations of each view in these tests."""
HEAD = DeckHead(
    name="studio", sha256="", made_at="2026-11-30T10:00:00+00:00", reader="", finished=True
)


@pytest.fixture(scope="module", autouse=True)
def few_variations() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(prototypes, "variations", lambda crop: variations(crop, FEW))
        yield


@pytest.fixture(scope="module")
def reader() -> PatternedReader:
    return PatternedReader()


@pytest.fixture(scope="module")
def looks(reader: PatternedReader) -> dict[str, Look]:
    return {code: look_at(reader, card(code)) for code in (*FACES, HIDDEN, CUT)}


def deck_of(
    looks: dict[str, Look], reader: PatternedReader, *, finished: bool = True
) -> EnrolledDeck:
    head = replace(HEAD, reader=reader.version, finished=finished)
    return made_of(head, list(looks.items()))


def seen(crop: Crop, seed: int = 3) -> Crop:
    """Another view of the same."""
    return variations(crop, 3, seed)[2]


def read(reader: PatternedReader, deck: EnrolledDeck, *crops: Crop) -> list[Reading]:
    """What the reader says with a deck."""
    reader.deck = deck
    try:
        return reader.read(list(crops))
    finally:
        reader.deck = None


def test_each_card_of_the_deck_is_sure_in_another_view(
    reader: PatternedReader, looks: dict[str, Look]
) -> None:
    codes = ["AC", "7H", "TS", "KD"]
    readings = read(reader, deck_of(looks, reader), *(seen(card(code)) for code in codes))
    assert [(str(each.card), each.sure) for each in readings] == [(code, True) for code in codes]
    assert all(each.kind is CardKind.FACE and each.confidence > 0.9 for each in readings)


def test_the_back_and_the_cut_card_are_told_by_their_own_look(
    reader: PatternedReader, looks: dict[str, Look]
) -> None:
    back, cut = read(reader, deck_of(looks, reader), seen(card(HIDDEN)), seen(card(CUT)))
    assert (back.kind, back.sure, back.card) == (CardKind.BACK, True, None)
    assert (cut.kind, cut.sure, cut.card) == (CardKind.CUT, True, None)


def test_a_card_that_the_general_reader_takes_for_another_one_is_not_sure(
    looks: dict[str, Look],
) -> None:
    misled = PatternedReader(taken_for={"5D": "5H"})
    (reading,) = read(misled, deck_of(looks, misled), seen(card("5D")))
    assert not reading.sure
    assert {str(reading.card), str(reading.second)} == {"5D", "5H"}


def test_a_card_that_looked_odd_already_when_it_was_shown_is_told_by_the_deck(
    looks: dict[str, Look],
) -> None:
    misled = PatternedReader(taken_for={"5D": "5H"})
    deck = deck_of({**looks, "5D": look_at(misled, card("5D"))}, misled)
    assert deck.odd("5D")
    assert not deck.odd("5H")
    diamond, heart = read(misled, deck, seen(card("5D")), seen(card("5H")))
    assert (str(diamond.card), diamond.sure) == ("5D", True)
    assert (str(heart.card), heart.sure) == ("5H", True)


def test_a_card_in_no_prototypes_reach_is_never_sure(
    reader: PatternedReader, looks: dict[str, Look]
) -> None:
    some = {code: look for code, look in looks.items() if code != "9S"}
    stranger = np.ascontiguousarray(card(STRANGER))
    missing, other = read(reader, deck_of(some, reader), seen(card("9S")), seen(stranger))
    assert not missing.sure
    assert not other.sure
    assert other.kind is not CardKind.FACE


def test_the_deck_gives_sureness_where_the_general_reader_only_supposes(
    looks: dict[str, Look],
) -> None:
    doubting = PatternedReader(unsure=["8C"])
    alone = doubting.read([seen(card("8C"))])[0]
    assert (str(alone.card), alone.sure) == ("8C", False)
    (reading,) = read(doubting, deck_of(looks, doubting), seen(card("8C")))
    assert (str(reading.card), reading.sure) == ("8C", True)


def test_two_cards_that_look_nearly_the_same_are_asked_about(
    looks: dict[str, Look],
) -> None:
    doubting = PatternedReader(unsure=["QH", "QD"])
    twins = {**looks, "QD": look_at(doubting, card("QH"))}
    (reading,) = read(doubting, deck_of(twins, doubting), seen(card("QH")))
    assert not reading.sure


def test_a_joker_that_was_shown_is_no_card_even_if_the_reader_takes_it_for_one(
    looks: dict[str, Look],
) -> None:
    misled = PatternedReader(taken_for={STRANGER: "JC"})
    joker = np.ascontiguousarray(card(STRANGER))
    deck = deck_of({**looks, JOKER: look_at(misled, joker)}, misled)
    (reading,) = read(misled, deck, seen(joker))
    assert not (reading.sure and reading.kind is CardKind.FACE)


def test_a_burnt_out_view_of_a_card_is_not_sure(
    reader: PatternedReader, looks: dict[str, Look]
) -> None:
    glare = card("4S").astype(np.int16)
    glare[20:150, 15:110] += 235
    burnt: NDArray[np.uint8] = np.clip(glare, 0, 255).astype(np.uint8)
    (reading,) = read(reader, deck_of(looks, reader), burnt)
    assert not reading.sure


def test_a_deck_comes_back_from_its_file_and_decides_the_same(
    reader: PatternedReader, looks: dict[str, Look], tmp_path: Path
) -> None:
    path = tmp_path / "studio.deck"
    kept = save_deck(deck_of(looks, reader), path)
    again = load_deck(path, reader)
    assert again.sha256 == kept.sha256 == read_deck(path).head.sha256
    assert again.name == "studio"
    crops = [seen(card("3D")), seen(card(HIDDEN))]
    assert read(reader, again, *crops) == read(reader, kept, *crops)


def test_a_deck_of_other_weights_is_made_anew_from_its_pictures(
    reader: PatternedReader, looks: dict[str, Look], tmp_path: Path
) -> None:
    path = tmp_path / "studio.deck"
    few = {code: looks[code] for code in ("AC", "2C", HIDDEN)}
    old = deck_of(few, reader, finished=False)
    old = replace(old, head=replace(old.head, reader="of-yesterday"), said=old.said * 0)
    save_deck(old, path)
    anew = load_deck(path, reader, unfinished=True)
    assert anew.head.reader == reader.version
    assert float(anew.said.sum()) > 0
    (reading,) = read(reader, anew, seen(card("2C")))
    assert str(reading.card) == "2C"


def test_an_unfinished_deck_is_not_used_unless_it_is_asked_for(
    reader: PatternedReader, looks: dict[str, Look], tmp_path: Path
) -> None:
    path = tmp_path / "studio.deck"
    save_deck(deck_of({"AC": looks["AC"]}, reader, finished=False), path)
    with pytest.raises(DeckError, match="not all cards of this deck were shown"):
        load_deck(path, reader)
    assert load_deck(path, reader, unfinished=True).prototypes.codes == ("AC",)


@pytest.mark.parametrize("harm", ["codes", "shape", "nan", "views", "faces"])
def test_a_deck_file_whose_parts_do_not_fit_is_refused(
    reader: PatternedReader, looks: dict[str, Look], tmp_path: Path, harm: str
) -> None:
    path = tmp_path / "studio.deck"
    save_deck(deck_of({"AC": looks["AC"], "2C": looks["2C"]}, reader, finished=False), path)
    body = read_deck(path)
    arrays, more, head = dict(body.arrays), dict(body.more), body.head
    if harm == "codes":
        more["codes"] = ["AC", "nonsense"]
    elif harm == "shape":
        arrays["whole"] = arrays["whole"][:1]
    elif harm == "nan":
        arrays["index"] = arrays["index"] * np.nan
    elif harm == "views":
        del arrays["view-001"]
    else:
        head = replace(head, finished=True)
    write_deck(path, head, more, arrays)
    with pytest.raises(DeckError, match="lacks what a deck has; enrol it again"):
        load_deck(path, unfinished=True)


def test_variations_are_the_same_for_the_same_seed_and_half_are_upside_down() -> None:
    crop = np.ascontiguousarray(card("7H"))
    one, other = variations(crop, 6), variations(crop, 6)
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    assert np.array_equal(one[0], crop)
    assert np.array_equal(one[1], crop[::-1, ::-1])
    assert not np.array_equal(one[2], variations(crop, 6, 8)[2])
