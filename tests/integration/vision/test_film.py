"""A simulated table filmed through a real codec: the eye is never surely wrong, and hardly asks.

A dealer deals by a script that knows nothing of the eye. Lamps change, people throw shadows, hands
reach in, cards shine; the film is compressed as MPEG-4 at 720p and 15 frames a second. The deck was
drawn by `vision.synthetic` from a seed, has no part in training, and was shown to the camera once.

`make soak` deals 2,000 cards, or as many as the environment's CUTCARD_SOAK_CARDS says, and tells
the figures. Prints that were read wrongly are kept as pictures in the folder that a failure names.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2
import pytest

from studio.domain.cards import CUT, HIDDEN
from tests.support.filmed import Tally, Watched, enrol, enrol_at_once, false_alarms, unnoticed
from vision.deck import FACES
from vision.layout import Layout
from vision.reader import Reader
from vision.synthetic.designs import drawn
from vision.synthetic.felt import built_in_layout
from vision.synthetic.film import Film

CARDS = int(os.environ.get("CUTCARD_SOAK_CARDS", "2000"))
SHORT = 54
MOST_ASKED = 0.005
"""Of all cards (VISION.md 3: at least 99.5 in 100 sure)."""


@pytest.fixture
def layout() -> Layout:
    return built_in_layout()


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """As in a camera's own process."""
    cv2.setNumThreads(1)


def tell(capsys: pytest.CaptureFixture[str], tally: Tally) -> None:
    """The figures of a long run are for people to read, whether it passes or not."""
    with capsys.disabled():
        sys.stdout.write(f"\n{tally.summary()}\n")


def check(tally: Tally, cards: int, folder: Path) -> None:
    """All were dealt, none is wrong, and what happened to the camera was told by its name."""
    assert len(tally.cards) == cards
    assert tally.wrong == [], f"pictures in {folder}: {tally.wrong[:5]}; {tally.summary()}"
    assert unnoticed(tally) == []
    assert false_alarms(tally) == []


@pytest.mark.timeout(600)
def test_a_short_film_with_all_that_can_happen_to_a_camera_has_no_wrong_card(
    layout: Layout, tmp_path: Path
) -> None:
    design, reader = drawn(3), Reader()
    enrol_at_once(layout, reader, design, (*FACES, HIDDEN, CUT), seed=3)
    film = Film(layout, seed=3, cards=SHORT, design=design)
    tally = Watched(film, layout, reader, tmp_path, incidents_every=125).run()
    check(tally, SHORT, tmp_path)
    assert len(tally.incidents) >= 5
    # An eye that only ever asks is no eye.
    assert len(tally.sure) >= SHORT // 2
    assert len(tally.asked) <= 1


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_a_long_film_has_no_wrong_card_and_asks_about_one_in_two_hundred_at_most(
    layout: Layout, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design, reader = drawn(3), Reader()
    enrol(layout, reader, design, tmp_path, seed=3)
    film = Film(layout, seed=3, cards=CARDS, design=design)
    tally = Watched(film, layout, reader, tmp_path).run()
    tell(capsys, tally)
    check(tally, CARDS, tmp_path)
    assert len(tally.asked) <= MOST_ASKED * CARDS, tally.summary()


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_a_long_film_in_which_the_camera_fails_again_and_again_has_faults_and_no_wrong_card(
    layout: Layout, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stalled, lost, knocked, dark, out of focus and started anew, by turns every 15 seconds."""
    design, reader = drawn(11), Reader()
    enrol(layout, reader, design, tmp_path, seed=11)
    film = Film(layout, seed=11, cards=CARDS, design=design)
    tally = Watched(film, layout, reader, tmp_path, incidents_every=220).run()
    tell(capsys, tally)
    check(tally, CARDS, tmp_path)
    assert len(tally.incidents) >= CARDS // 20
    assert len(tally.asked) <= MOST_ASKED * CARDS, tally.summary()
