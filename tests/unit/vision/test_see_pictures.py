"""The trained eye on small pictures of our own: `python -m vision.judging.own` made them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.outlines import alike
from vision.pictures import read_picture
from vision.see import See, Seen

FOLDER = Path(__file__).parent / "pictures"
LABELS: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "labels.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def looked() -> dict[str, Seen]:
    """What the eye sees in each picture."""
    cv2.setNumThreads(1)
    look = See.loaded()
    seen = {}
    for name in LABELS:
        image = read_picture(FOLDER / name)
        assert not isinstance(image, str)
        seen[name] = look.at(image)
    return seen


@pytest.mark.parametrize("name", LABELS)
def test_no_card_of_a_picture_is_named_wrongly_or_twice(name: str, looked: dict[str, Seen]) -> None:
    there = Counter(card["code"] for card in LABELS[name])
    said = Counter(card.card for card in looked[name].cards if card.sure)
    assert not said - there


@pytest.mark.parametrize("name", LABELS)
def test_the_outline_of_a_whole_card_lies_on_the_card(name: str, looked: dict[str, Seen]) -> None:
    quads = {card["code"]: np.asarray(card["quad"]) for card in LABELS[name] if card["whole"]}
    whole = [card for card in looked[name].cards if card.card in quads and card.by == "whole"]
    assert whole
    for card in whole:
        # Within about a fortieth of the card's width on each side.
        assert alike(np.asarray(card.quad), quads[card.card]) > 0.9


def test_nearly_all_whole_cards_of_the_pictures_are_sure(looked: dict[str, Seen]) -> None:
    wanted = [(name, card["code"]) for name in LABELS for card in LABELS[name] if card["whole"]]
    missed = [
        (name, code)
        for name, code in wanted
        if not any(card.card == code for card in looked[name].cards if card.sure)
    ]
    assert len(wanted) == 21
    assert len(missed) <= 2, missed


def test_of_a_fan_each_card_is_told_once_by_outline_or_index(looked: dict[str, Seen]) -> None:
    likely = Counter(card.likely for card in looked["fan.jpg"].cards)
    assert max(likely.values()) == 1
    assert len(set(likely) & {"AH", "9D", "6C", "KD"}) >= 3
