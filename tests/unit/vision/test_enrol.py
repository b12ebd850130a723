"""Enrolment as a session: what is shown, said, asked, kept and saved."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studio.domain.cards import CUT, HIDDEN
from tests.support.shown import STRANGER, PatternedReader, card, picture
from vision import prototypes
from vision.deck import JOKER, load_deck, look_at, made_of, save_deck
from vision.deckfile import DeckHead, read_deck
from vision.enrol import Enrolment
from vision.enrol_words import EnrolRefused
from vision.prototypes import FACES
from vision.variations import variations

FEW = 4
STILL = {"still": True}


@pytest.fixture(scope="module", autouse=True)
def few_variations() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(prototypes, "variations", lambda crop: variations(crop, FEW))
        yield


@pytest.fixture(scope="module")
def reader() -> PatternedReader:
    return PatternedReader()


@pytest.fixture(scope="module")
def whole(reader: PatternedReader, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An unfinished deck in which all but the king of spades was shown."""
    path = tmp_path_factory.mktemp("decks") / "most.deck"
    head = DeckHead(name="most", sha256="", made_at="", reader=reader.version, finished=False)
    codes = [code for code in (*FACES, HIDDEN, CUT) if code != "KS"]
    save_deck(made_of(head, [(code, look_at(reader, card(code))) for code in codes]), path)
    return path


@pytest.fixture
def session(reader: PatternedReader, tmp_path: Path) -> Enrolment:
    return begun(reader, tmp_path)


def begun(reader: PatternedReader, folder: Path) -> Enrolment:
    now = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
    return Enrolment(reader, folder / "studio.deck", now=lambda: now)


def show(session: Enrolment, *codes: str, **how: Any) -> dict[str, Any]:
    return session.do("look", STILL, picture(*codes, **how))


def test_a_card_is_in_once_it_rests_in_two_different_frames(session: Enrolment) -> None:
    empty = session.do("look", {}, picture())
    assert (empty["say"]["code"], empty["count"], empty["quad"]) == ("show", 0, None)
    moving = session.do("look", {}, picture("7H"))
    assert (moving["say"]["code"], moving["count"]) == ("moving", 0)
    assert len(moving["quad"]) == 4
    same_frame = session.do("look", {}, picture("7H"))
    assert same_frame["say"]["code"] == "moving"
    other = picture("7H")
    other[::5, ::5] ^= 1
    rests = session.do("look", {}, other)
    assert (rests["say"]["code"], rests["say"]["card"], rests["count"]) == ("in", "7H", 1)
    assert rests["cards"]["7H"]["state"] == "in"
    assert rests["cards"]["8H"]["state"] == "missing"
    assert rests["say"]["text"] == "7♥ is in. Show the next card."
    assert rests["size"] == [300, 240]


def test_what_is_in_stays_said_while_the_card_lies_and_after_it_is_taken(
    session: Enrolment,
) -> None:
    show(session, "7H")
    lying = show(session, "7H", x=3.0)
    assert (lying["say"]["code"], lying["count"]) == ("in", 1)
    gone = show(session)
    assert (gone["say"]["code"], gone["say"]["card"]) == ("in", "7H")


def test_a_card_that_is_shown_twice_is_a_sentence_and_no_error(session: Enrolment) -> None:
    show(session, "7H")
    show(session, "8S", turn=-30.0)
    again = show(session, "7H", x=4.0)
    assert (again["say"]["code"], again["say"]["card"]) == ("known", "7H")
    assert again["count"] == 2


def test_a_card_upside_down_is_the_same_card(session: Enrolment) -> None:
    show(session, "7H", turn=0.0)
    show(session)
    turned = show(session, "7H", turn=180.0)
    assert (turned["say"]["code"], turned["say"]["card"]) == ("known", "7H")


def test_two_cards_in_view_are_not_taken(session: Enrolment) -> None:
    both = show(session, "7H", "8S")
    assert (both["say"]["code"], both["count"], both["ask"]) == ("two", 0, None)


def test_a_card_that_is_too_small_is_not_taken(session: Enrolment) -> None:
    small = show(session, "7H", wide=40.0)
    assert (small["say"]["code"], small["count"]) == ("small", 0)
    assert small["say"]["px"] in range(37, 44)


def test_no_picture_is_said(session: Enrolment) -> None:
    assert session.do("look", {}, None)["say"]["code"] == "dark"


def test_back_and_cut_card_are_taken_and_a_second_view_is_one_more(session: Enrolment) -> None:
    assert show(session, HIDDEN)["say"]["code"] == "in"
    show(session)
    answer = show(session, HIDDEN, turn=-25.0)
    assert answer["say"]["code"] == "view"
    assert (answer["back"]["state"], answer["back"]["views"]) == ("in", 2)
    assert show(session, CUT)["cut"]["state"] == "in"
    assert answer["save"]["lacks"] == [CUT]


def test_a_doubtful_card_is_asked_and_taken_when_it_is_named(tmp_path: Path) -> None:
    session = begun(PatternedReader(unsure=["QC"]), tmp_path)
    asked = show(session, "QC")
    assert (asked["say"]["code"], asked["count"]) == ("doubt", 0)
    assert asked["ask"]["best"] == "QC"
    named = session.do("name", {"card": "QC"}, None)
    assert (named["say"]["code"], named["count"], named["ask"]) == ("in", 1, None)


def test_a_card_that_the_reader_takes_for_another_is_named_and_told_to_be_odd(
    tmp_path: Path,
) -> None:
    session = begun(PatternedReader(taken_for={"5D": "5H"}), tmp_path)
    show(session, "5H")
    conflict = show(session, "5D")
    assert (conflict["say"]["code"], conflict["say"]["card"]) == ("conflict", "5H")
    assert conflict["count"] == 1
    odd = session.do("name", {"card": "5D"}, None)
    assert (odd["say"]["code"], odd["say"]["best"], odd["count"]) == ("odd", "5H", 2)
    assert odd["cards"]["5D"]["taken_for"] == "5H"
    assert odd["cards"]["5H"]["taken_for"] == ""


def test_a_stranger_is_no_card_until_it_is_named_a_joker(session: Enrolment) -> None:
    show(session)
    answer = show(session, STRANGER)
    assert answer["say"]["code"] == "stranger"
    joker = session.do("name", {"card": JOKER}, None)
    assert (joker["jokers"]["state"], joker["count"]) == ("in", 0)


def test_two_cards_that_look_alike_are_shown_again_or_kept(tmp_path: Path) -> None:
    twins = PatternedReader(taken_for={"QH": "QH"})
    session = begun(twins, tmp_path)
    for code in ("AC", "9S", "QH"):
        show(session, code)
    session.do("look", STILL, picture("QH", turn=9.0))
    alike = session.do("name", {"card": "QD"}, None)
    assert alike["say"]["code"] == "alike"
    assert set(alike["say"]["cards"]) == {"QD", "QH"}
    assert alike["cards"]["QH"] == {
        "state": "again", "why": "alike", "alike": ["QD"], "taken_for": ""
    }  # fmt: skip
    assert alike["hint"]["code"] == "alike"
    assert (alike["save"]["again"], alike["count"]) == (2, 2)
    kept = session.do("keep", {"card": "QD"}, None)
    assert (kept["say"]["code"], kept["save"]["again"], kept["hint"]) == ("kept", 0, None)


def test_forgetting_a_card_and_starting_again(session: Enrolment) -> None:
    show(session, "7H")
    forgotten = session.do("forget", {"card": "7H"}, None)
    assert (forgotten["say"]["code"], forgotten["count"]) == ("forgotten", 0)
    show(session)
    assert show(session, "7H")["count"] == 1
    begun_anew = session.do("again", {}, None)
    assert (begun_anew["say"]["code"], begun_anew["count"]) == ("begun", 0)
    assert begun_anew["changed"] is False


@pytest.mark.parametrize(
    ("word", "given", "sentence"),
    [
        ("sing", {}, "enrolment knows no word 'sing'"),
        ("name", {"card": "7H"}, "no card lies there at rest"),
        ("name", {"card": "1Z"}, "card: give a card as 7H"),
        ("name", {"card": 7}, "card: give a card as 7H"),
        ("keep", {"card": "7H"}, "does not have to be shown again"),
        ("forget", {"card": "7H"}, "was not shown: nothing to forget"),
        ("absent", {"card": "7H"}, "a deck has 7♥"),
        ("store", {}, "nothing was shown yet"),
        ("save", {}, "cannot be saved yet: 52 cards missing, the back missing"),
        ("save", {"name": " "}, "name: give the deck a name"),
        ("save", {"name": "x" * 61}, "name: give the deck a name"),
        ("resume", {}, "there is no such deck file"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence_and_changes_nothing(
    session: Enrolment, word: str, given: dict[str, Any], sentence: str
) -> None:
    before = session.answer()
    with pytest.raises(EnrolRefused, match=sentence):
        session.do(word, given, None)
    assert session.answer() == before


def test_an_unfinished_deck_is_kept_and_gone_on_with(
    reader: PatternedReader, tmp_path: Path
) -> None:
    session = begun(reader, tmp_path)
    show(session, "7H")
    session.do("absent", {"card": CUT}, None)
    assert session.do("store", {}, None)["changed"] is False
    part = tmp_path / "studio.deck.part"
    assert not read_deck(part).head.finished
    again = begun(reader, tmp_path)
    answer = again.do("resume", {}, None)
    while answer["say"]["code"] == "resuming":
        answer = again.do("look", {}, picture())
    assert (answer["count"], answer["cards"]["7H"]["state"]) == (1, "in")
    assert answer["cut"]["state"] == "absent"


def test_the_last_card_finishes_the_deck_and_it_can_be_read_with(
    reader: PatternedReader, whole: Path, tmp_path: Path
) -> None:
    (tmp_path / "studio.deck.part").write_bytes(whole.read_bytes())
    session = begun(reader, tmp_path)
    answer = session.do("resume", {}, None)
    looks = 0
    while answer["say"]["code"] == "resuming":
        answer = session.do("look", {}, None)
        looks += 1
    assert looks > 2
    assert answer["save"]["text"] == "1 card missing"
    answer = show(session, "KS")
    assert (answer["count"], answer["save"]["allowed"]) == (52, True)
    saved = session.do("save", {"name": "our own"}, None)
    assert saved["say"]["code"] == "saved"
    assert saved["saved"]["sha256"] == read_deck(tmp_path / "studio.deck").head.sha256
    assert saved["saved"]["made_at"] == "2026-11-30T10:00:00+00:00"
    assert not (tmp_path / "studio.deck.part").exists()
    deck = load_deck(tmp_path / "studio.deck", reader)
    assert (deck.name, set(deck.prototypes.codes)) == ("our own", {*FACES, HIDDEN, CUT})
    reader.deck = deck
    try:
        (reading,) = reader.read([variations(np.ascontiguousarray(card("KS")), 3, 5)[2]])
    finally:
        reader.deck = None
    assert (str(reading.card), reading.sure) == ("KS", True)


def test_a_refusal_has_a_code_and_the_codes_of_its_cards(session: Enrolment) -> None:
    with pytest.raises(EnrolRefused) as no:
        session.do("forget", {"card": "TH"}, None)
    assert str(no.value) == "10♥ was not shown: nothing to forget"
    assert (no.value.sentence.code, no.value.sentence.values) == (
        "refused.not_shown",
        {"card": "TH"},
    )


def test_a_save_that_fails_is_refused_and_nothing_is_lost(
    reader: PatternedReader, whole: Path, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    session = begun(reader, blocked)
    show(session, "7H")
    with pytest.raises(EnrolRefused, match="cannot be written"):
        session.do("store", {}, None)
    assert session.answer()["count"] == 1
