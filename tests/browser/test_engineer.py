"""An engineer calibrates a camera and shows it a deck, by the words of the two pages alone.

Simulated hands hold the board and lay the cards as the pages ask for them. What the engineer does
beside that is counted.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import SMALL_DESK, Screen
from tests.browser.ways import in_sight
from vision.calibration.zones import plan
from vision.deck import load_deck
from vision.layout import save_layout
from vision.synthetic.bench import BenchScene

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

STUDIO = ("tests.browser.bench_studio",)
MOST_TO_CALIBRATE = 8
MOST_TO_ENROL = 4
"""Twelve actions in all, beside showing the board and the cards."""
SLOW_MS = 300_000
"""A loaded machine reads slowly; a quiet one needs a second for each card."""


class Engineer:
    """An engineer at the screen, whose actions are counted."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.actions = 0
        screen.page.set_default_timeout(SLOW_MS)
        screen.sign_in("engineer", screen.lang)

    def go(self, view: str) -> None:
        """From the start page to one of the two."""
        self.press(self.screen.page.locator(f'a[href="/engineer/ba1/{view}"]'))

    def press(self, what: Locator | str) -> None:
        """One action: a button or a link, whole in sight."""
        found = self.button(what) if isinstance(what, str) else what
        expect(found).to_have_count(1, timeout=SLOW_MS)
        expect(found).not_to_have_attribute("aria-disabled", "true", timeout=SLOW_MS)
        in_sight(found).click()
        self.actions += 1

    def button(self, name: str) -> Locator:
        """A button of the page by its own name."""
        return self.screen.page.locator(f'[data-button="{name}"]')

    def step(self, step: str) -> None:
        """Wait until the page is at a step."""
        expect(self.screen.page.locator(f'.eng[data-step="{step}"]')).to_be_visible(timeout=SLOW_MS)


def test_an_engineer_calibrates_a_camera_by_the_words_of_its_page(
    demo: Any, screen: Any, keep: Any, tmp_path: Path
) -> None:
    studio = demo("--folder", str(tmp_path), program=STUDIO)
    desk: Screen = screen(studio, SMALL_DESK)
    engineer = Engineer(desk)
    engineer.go("calibrate")
    for step in ("lens", "plane", "zones"):
        engineer.press("next")
        engineer.step(step)
    zones_follow_hand_and_keys(desk)
    keep(desk, "engineer-calibrate")
    engineer.press("place.all")
    engineer.press("next")
    engineer.step("try")
    expect(desk.page.locator(".verdict.good")).to_be_visible(timeout=SLOW_MS)
    expect(desk.page.locator('.step[data-step="plane"] .figure')).to_contain_text("mm")
    engineer.press("save")
    expect(engineer.button("save")).to_contain_text("Version 1 is kept", timeout=SLOW_MS)
    layout = json.loads((tmp_path / "ba1.json").read_text("utf-8"))
    assert {zone["id"] for zone in layout["zones"]} == {"P", "B", "BURN", "DISCARD"}
    assert 0 < layout["residual_mm"] < 0.5
    engineer.press("leave")
    assert engineer.actions <= MOST_TO_CALIBRATE
    journal_tells_who_and_what(studio, screen, "ba1.json version 1")


def test_an_engineer_shows_a_deck_by_the_words_of_its_page(
    demo: Any, screen: Any, keep: Any, tmp_path: Path
) -> None:
    bench = replace(BenchScene().view.layout(), zones=plan("baccarat", (430.0, 250.0)))
    save_layout(bench, tmp_path / "ba1.json")
    studio = demo("--folder", str(tmp_path), program=STUDIO)
    desk: Screen = screen(studio, SMALL_DESK)
    engineer = Engineer(desk)
    engineer.go("enrol")
    count = desk.page.locator(".prog > b")
    expect(count).to_have_text(re.compile("^4[0-9]$"), timeout=SLOW_MS)
    keep(desk, "engineer-enrol")
    expect(count).to_have_text("52", timeout=SLOW_MS)
    engineer.press("save")
    expect(engineer.button("save")).to_contain_text("saved", timeout=SLOW_MS)
    assert load_deck(tmp_path / "studio.deck").head.finished
    engineer.press("leave")
    assert engineer.actions <= MOST_TO_ENROL
    journal_tells_who_and_what(studio, screen, "studio.deck")


def zones_follow_hand_and_keys(desk: Screen) -> None:
    """A side by keys, a corner by the mouse, and both taken back."""
    page = desk.page
    zone = page.locator('[data-zone="P"] .area')
    found = re.fullmatch(r"Zone Player, (\d+) by (\d+) mm", zone.get_attribute("aria-label") or "")
    assert found is not None
    wide, high = int(found[1]), int(found[2])

    def measures(more_mm: int) -> None:
        label = f"Zone Player, {wide + more_mm} by {high} mm"
        expect(zone).to_have_attribute("aria-label", label, timeout=SLOW_MS)

    page.locator('[data-handle="5"]').focus()
    page.keyboard.press("ArrowRight")
    measures(1)
    page.keyboard.press("Shift+ArrowRight")
    measures(11)
    page.locator('[data-button="undo"]').click()
    measures(1)
    page.locator('[data-button="undo"]').click()
    measures(0)
    box = page.locator('[data-handle="0"]').bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 20, box["y"] + 4, steps=4)
    page.mouse.up()
    expect(zone).not_to_have_attribute("aria-label", found[0], timeout=SLOW_MS)
    page.locator('[data-button="undo"]').click()
    measures(0)


def journal_tells_who_and_what(studio: Any, screen: Any, kept: str) -> None:
    """What was kept stands in the table's journal, with the engineer's name."""
    lead: Screen = screen(studio, SMALL_DESK)
    lead.sign_in("supervisor")
    lines = lead.view("supervisor")["journal"]
    told = [each for each in lines if each["message"]["params"].get("what") == "setup_kept"]
    assert len(told) == 1, kept
    assert "Ravi T." in told[0]["actor"]


def test_the_pages_stand_in_urdu_from_right_to_left_and_the_picture_does_not(
    demo: Any, screen: Any, keep: Any, tmp_path: Path
) -> None:
    studio = demo("--folder", str(tmp_path), program=STUDIO)
    desk: Screen = screen(studio, SMALL_DESK)
    desk.lang = "ur"
    engineer = Engineer(desk)
    engineer.go("calibrate")
    engineer.press("next")
    engineer.step("lens")
    expect(desk.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(desk.page.locator(".live")).to_have_attribute("dir", "ltr")
    expect(desk.page.locator('.step[data-step="lens"] p').first).to_contain_text(
        "منظر", timeout=SLOW_MS
    )
    steps, picture = desk.page.locator(".steps").bounding_box(), desk.page.locator(".live")
    shown = picture.bounding_box()
    assert steps is not None
    assert shown is not None
    assert steps["x"] + steps["width"] <= shown["x"]
    keep(desk, "engineer-calibrate-ur")
    engineer.press("leave")
