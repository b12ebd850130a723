"""A crop laid beside the pictures of a deck, and what an enrolled deck makes of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.shown import STRANGER, PatternedReader, card
from vision import deck as decks
from vision import prototypes
from vision.deck import JOKER, EnrolledDeck, load_deck, look_at, made_of, save_deck, told
from vision.deckfile import DeckHead
from vision.likeness import Likeness, Pictures
from vision.prototypes import FACES, Look
from vision.reader import Crop, Reading
from vision.variations import variations

FEW = 8
"""Variations of each view in these tests."""
RIVALS = ("7D", "9S", "KC")


@pytest.fixture(scope="module", autouse=True)
def few_variations() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(prototypes, "variations", lambda crop: variations(crop, FEW))
        yield


@pytest.fixture(scope="module")
def doubting() -> PatternedReader:
    return PatternedReader(unsure=FACES)


@pytest.fixture(scope="module")
def looks(doubting: PatternedReader) -> dict[str, Look]:
    return {code: look_at(doubting, card(code, twin=True)) for code in FACES}


def deck_of(looks: dict[str, Look], reader: PatternedReader) -> EnrolledDeck:
    made_at = "2026-11-30T10:00:00+00:00"
    head = DeckHead(name="", sha256="", made_at=made_at, reader=reader.version, finished=True)
    return made_of(head, list(looks.items()))


def seen(crop: Crop, seed: int = 3) -> Crop:
    """Another view of the same, upside down or not."""
    return variations(crop, 4, seed)[2 + seed % 2]


def pictures(*, twin: bool = False) -> Pictures:
    return Pictures(lambda code: card(code, twin=twin) if code in FACES else None)


def asked(
    crop: Crop, claimed: str = "7H", *, twin: bool = False, rivals: Sequence[str] = RIVALS
) -> Likeness:
    like = pictures(twin=twin).compared(crop, claimed, rivals)
    assert like is not None
    return like


@pytest.fixture
def open_to_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck whose prototypes never suffice: what is sure is so by its pictures."""
    monkeypatch.setattr(decks, "clear", lambda _: False)
    monkeypatch.setattr(decks, "strong", lambda _: False)


def read(reader: PatternedReader, deck: EnrolledDeck, crop: Crop) -> Reading:
    reader.deck = deck
    try:
        return reader.read([crop])[0]
    finally:
        reader.deck = None


@pytest.mark.parametrize("seed", range(6))
def test_a_card_lies_at_its_own_picture_either_way_up_and_in_any_light(seed: int) -> None:
    like = asked(seen(card("7H"), seed))
    assert told(like, alike=True)
    assert like.margin > 0.3


@pytest.mark.parametrize("seed", range(6))
def test_a_rivals_card_lies_on_the_rivals_side(seed: int) -> None:
    like = asked(seen(card("9S"), seed))
    assert like.margin < 0
    assert not told(like, alike=False)


def test_twins_that_differ_in_one_place_are_told_by_that_place() -> None:
    heart = asked(seen(card("QH")), "QH", twin=True, rivals=("QD",))
    diamond = asked(seen(card("QD", twin=True)), "QH", twin=True, rivals=("QD",))
    assert heart.margin > 0.3
    assert diamond.margin < -0.3


def test_two_pictures_of_one_card_tell_nothing() -> None:
    rng = np.random.default_rng(4)

    def grainy(sigma: float) -> Crop:
        noise = rng.normal(0, sigma, (176, 126, 3))
        return np.asarray(np.clip(card("QH") + noise, 0, 255), np.uint8)

    two = {"QH": grainy(2), "QD": grainy(9)}
    like = Pictures(two.get).compared(grainy(4), "QH", ("QD",))
    assert like is not None
    assert not told(like, alike=False)


def test_a_card_of_another_deck_is_like_no_picture() -> None:
    for code in (STRANGER, "XX"):
        assert not told(asked(seen(card(code))), alike=False)


def test_a_dark_or_blurred_view_is_not_told_from_a_twin() -> None:
    black = np.zeros((176, 126, 3), np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(card("QH"), (0, 0), 25), np.uint8)
    for crop in (black, blurred):
        like = asked(crop, "QH", twin=True, rivals=("QD",))
        assert not told(like, alike=True)


def test_without_a_rival_or_a_picture_nothing_is_said() -> None:
    assert pictures().compared(card("7H"), "7H", ()) is None
    assert pictures().compared(card("7H"), "7H", (JOKER,)) is None
    assert Pictures(lambda _: None).compared(card("7H"), "7H", RIVALS) is None


@pytest.mark.usefixtures("open_to_pictures")
def test_what_prototypes_leave_open_is_sure_by_the_decks_pictures(
    doubting: PatternedReader, looks: dict[str, Look]
) -> None:
    reading = read(doubting, deck_of(looks, doubting), seen(card("8C")))
    assert (str(reading.card), reading.sure) == ("8C", True)


@pytest.mark.usefixtures("open_to_pictures")
def test_a_deck_without_pictures_has_no_third_witness(
    doubting: PatternedReader, looks: dict[str, Look], tmp_path: Path
) -> None:
    deck = deck_of(looks, doubting)
    bare = replace(deck, views=())
    broken = replace(deck, views=tuple((code, b"no picture") for code in FACES))
    save_deck(broken, tmp_path / "broken.deck")
    for one in (bare, broken, load_deck(tmp_path / "broken.deck")):
        assert not read(doubting, one, seen(card("8C"))).sure


@pytest.mark.usefixtures("open_to_pictures")
def test_pictures_do_not_outvote_a_general_reader_that_names_another_card(
    looks: dict[str, Look],
) -> None:
    misled = PatternedReader(taken_for={"5D": "5H"}, unsure=FACES)
    assert not read(misled, deck_of(looks, misled), seen(card("5D"))).sure


@pytest.mark.usefixtures("open_to_pictures")
def test_a_joker_near_a_card_is_asked_about(doubting: PatternedReader) -> None:
    alike = cv2.addWeighted(card("JC"), 0.9, card(STRANGER), 0.1, 0)
    some = {code: look_at(doubting, card(code)) for code in ("JC", "7H", "9S")}
    deck = deck_of({**some, JOKER: look_at(doubting, np.asarray(alike, np.uint8))}, doubting)
    assert not read(doubting, deck, seen(card("JC"))).sure


@pytest.mark.usefixtures("open_to_pictures")
def test_a_stranger_stays_unsure_with_all_pictures(
    doubting: PatternedReader, looks: dict[str, Look]
) -> None:
    assert not read(doubting, deck_of(looks, doubting), seen(card(STRANGER))).sure
