"""Catalogues, the build's manifest, and what a screen may send."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from studio.table.views import Message
from web import words
from web.bucket import Bucket
from web.build import Build, NoBuildError
from web.messages import UnreadableError, read_command, read_delay
from web.words import Catalogue, catalogue, catalogues, read

NEEDED = folder if (folder := words.folder()) else None


@pytest.mark.parametrize("lang", ["ar", "ur"])
def test_every_language_has_the_messages_of_the_english_one(lang: str) -> None:
    """A language is offered only where every message is worded."""
    assert NEEDED is not None, "the catalogues are missing"
    english, other = (set(read(NEEDED / f"{each}.json").texts) for each in ("en", lang))
    assert sorted(english ^ other) == []
    assert list(catalogues())[:1] == ["en"]
    assert lang in catalogues()


def test_a_translation_fills_in_the_same_places() -> None:
    assert NEEDED is not None, "the catalogues are missing"
    texts = {lang: read(NEEDED / f"{lang}.json").texts for lang in catalogues()}

    def places(text: Any) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text if isinstance(text, str) else text["other"]))

    wrong = [
        f"{lang} {code}"
        for lang, each in texts.items()
        for code, text in each.items()
        if code in texts["en"] and places(text) - {"count"} != places(texts["en"][code]) - {"count"}
    ]
    assert wrong == []


@pytest.mark.parametrize("lang", ["ar", "ur"])
def test_what_is_offered_as_a_translation_is_one(lang: str) -> None:
    """Facts' names, as ``round.voided``, and codes stay as they are; sentences do not.

    A text of places alone, as ``{rank} {suit}``, has no word of its own in any script.
    """
    english, other = catalogue("en").texts, catalogue(lang).texts

    def bare(text: Any) -> str:
        whole = text if isinstance(text, str) else " ".join(text.values())
        return re.sub(r"\{\w+\}|\b[a-z]+\.[a-z]+\b", "", whole)

    left = [
        code
        for code, text in other.items()
        if re.search("[a-z]{2}", bare(english[code]))
        and not re.search("[\u0600-\u06ff]", bare(text))
        and not re.fullmatch(r"(\{\w+\}\s?)+", str(text))
    ]
    assert left == []


def test_the_arabic_texts_are_written_with_the_letters_of_arabic() -> None:
    """Letters that only Urdu has would show a text that was taken from the wrong catalogue."""
    every = {
        code: json.dumps(text, ensure_ascii=False) for code, text in catalogue("ar").texts.items()
    }
    assert [code for code, text in every.items() if re.search("[کگیہےٹڈپچڑںھۂ]", text)] == []


def test_what_is_set_apart_from_the_line_is_closed_again() -> None:
    """An isolate that is left open would carry its direction to the end of the line."""
    assert [
        f"{each.lang} {code}"
        for each in catalogues().values()
        for code, text in each.texts.items()
        for form in ([text] if isinstance(text, str) else text.values())
        if form.count("\u2066") != form.count("\u2069")
    ] == []


def test_every_refusal_of_the_web_is_worded() -> None:
    """The codes are read from the sources, so that a new one cannot be forgotten."""
    sources = Path(words.__file__).parent
    found = {
        code
        for path in sources.glob("*.py")
        for code in re.findall(r'"(refused\.[a-z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert len(found) > 10
    assert sorted(found - set(catalogue("en").texts)) == []


def test_a_message_is_filled_in_and_its_plural_chosen() -> None:
    urdu = Catalogue("ur", {"a": {"one": "ایک {count}", "other": "کئی {count}"}, "b": "{x} {y}"})
    assert urdu.say(Message("a", (("count", 1),))) == "ایک 1"
    assert urdu.say(Message("a", (("count", 5),))) == "کئی 5"
    assert urdu.text("b", {"x": 1}) == "1 {y}"
    assert urdu.text("nothing.known") == "nothing.known"
    assert urdu.dir == "rtl"
    assert urdu.name == "اردو"


def test_arabic_has_its_own_plural_forms() -> None:
    arabic = Catalogue("ar", {"a": {"two": "two", "few": "few", "other": "other"}})
    assert [arabic.text("a", {"count": n}) for n in (2, 3, 100)] == ["two", "few", "other"]


@pytest.mark.parametrize("wrong", ["[]", '{"a": 1}', '{"a": {"one": 2}}'])
def test_a_catalogue_of_another_form_is_refused(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "en.json").write_text(wrong)
    with pytest.raises(ValueError, match=r"en\.json"):
        read(tmp_path / "en.json")


def test_an_incomplete_language_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en.json").write_text('{"a": "a", "b": "b"}')
    (tmp_path / "ur.json").write_text('{"a": "ا"}')
    (tmp_path / "hi.json").write_text('{"a": "अ", "b": "ब"}')
    monkeypatch.setattr(words, "PLACES", (tmp_path,))
    catalogues.cache_clear()
    try:
        assert list(catalogues()) == ["en", "hi"]
        assert catalogue("ur").lang == "en"
    finally:
        catalogues.cache_clear()


def test_a_new_build_is_served_without_a_restart(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    build = Build(manifest)
    with pytest.raises(NoBuildError, match="make ui"):
        build.files("src/dealer.tsx")
    manifest.write_text(json.dumps({"src/dealer.tsx": {"file": "assets/d-1.js"}}))
    first = build.files("src/dealer.tsx")
    assert first.script == "/static/assets/d-1.js"
    manifest.unlink()
    manifest.write_text(json.dumps({"src/dealer.tsx": {"file": "assets/d-22.js"}}))
    build._read_at = 0
    assert build.files("src/dealer.tsx").script == "/static/assets/d-22.js"
    assert build.files("src/dealer.tsx").build != first.build


def test_a_torn_manifest_is_no_build(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"src/dea')
    with pytest.raises(NoBuildError, match="make ui"):
        Build(tmp_path / "manifest.json").files("src/dealer.tsx")


def test_a_bucket_lets_a_burst_through_and_then_a_rate() -> None:
    now = [0.0]
    bucket = Bucket(3, 2.0, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.4
    assert not bucket.take()
    now[0] = 0.5
    assert bucket.take()
    now[0] = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_a_command_names_every_field_that_is_too_much() -> None:
    with pytest.raises(UnreadableError, match="Leave out what is not asked for: card, gain"):
        read_command({"command_id": "abcdefgh", "gain": 9, "card": "7H"})


@pytest.mark.parametrize(
    ("value", "ms"),
    [("500", 500), (549, 500), ("-5", 0), ("1e9", 0), ("٣", 0), ("9999999", 0), (None, 0)],
)
def test_a_delay_is_a_plain_number_in_steps_or_nothing(value: Any, ms: int) -> None:
    assert read_delay(value) == ms
