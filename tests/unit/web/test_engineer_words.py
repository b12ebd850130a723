"""What calibration and enrolment say is worded by the catalogues, and in English alike."""

from __future__ import annotations

import re

import pytest

from vision import enrol_words
from vision.calibration.words import PARTS, TEXTS
from web.words import catalogue, catalogues

PLACES = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("code", TEXTS)
def test_a_sentence_of_calibration_is_the_same_on_the_page_and_the_command_line(code: str) -> None:
    assert catalogue("en").text(f"calibrate.{code}") == TEXTS[code]
    for lang in catalogues():
        worded = catalogue(lang).text(f"calibrate.{code}")
        assert set(PLACES.findall(worded)) == set(PLACES.findall(TEXTS[code])), lang


def test_each_part_of_a_picture_has_a_name_in_every_language() -> None:
    codes = [f"calibrate.part.{part.replace(' ', '_')}" for row in PARTS for part in row]
    for lang in catalogues():
        assert [code for code in codes if not catalogue(lang).knows(code)] == []


@pytest.mark.parametrize("code", enrol_words._TEXTS)
def test_a_sentence_of_enrolment_has_its_words(code: str) -> None:
    for lang in catalogues():
        assert catalogue(lang).knows(f"enrol.say.{code}"), lang


@pytest.mark.parametrize("code", enrol_words.REFUSALS)
def test_a_refusal_of_enrolment_is_worded_in_every_language(code: str) -> None:
    # What is missing and which words there are stands on the page already, in its language.
    places = set(PLACES.findall(enrol_words.REFUSALS[code])) - {"what", "word", "words"}
    for lang in catalogues():
        worded = catalogue(lang).text(f"enrol.refused.{code}")
        assert catalogue(lang).knows(f"enrol.refused.{code}"), lang
        assert set(PLACES.findall(worded)) == places, lang
