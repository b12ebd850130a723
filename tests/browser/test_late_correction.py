"""A coup that was paid and really ended otherwise is put right, and players are told of it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK_SIZE, SMALL_DESK, Screen
from tests.browser.ways import TOUCH, in_sight, settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

QUICK = ("--by-hand", "--sources", "shoe", "--speed", "3")
TRUE = "2S"
"""Player's third card, as the picture shows it: Banker wins 5 to 2, and Player was paid 9 to 5."""


def test_a_paid_coup_is_put_right_by_two_people_and_every_overlay_tells_it(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*QUICK)
    desk: Screen = screen(studio, SMALL_DESK, touch=True)
    desk.sign_in("supervisor")
    overlay: Screen = screen(studio, DESK_SIZE)
    overlay.open(studio.overlay)
    assert studio.round()["outcome"] == "player"

    desk.page.locator(".tile .in").tap()
    settled(desk)
    in_sight(desk.page.locator('[data-button="correct"]')).tap()
    settled(desk)
    desk.page.locator('[data-round="1"]').tap()
    settled(desk)
    in_sight(desk.page.locator('[data-place="P3"]')).tap()
    in_sight(desk.page.locator(f'[data-rank="{TRUE[0]}"]')).tap()
    in_sight(desk.page.locator(f'.cardpad [data-suit="{TRUE[1]}"]')).tap()
    change = desk.page.locator(".change")
    expect(change).to_contain_text("9 – 5")
    expect(change).to_contain_text("5")
    TOUCH.reason(desk, "reason.camera_proves")
    keep(desk, "supervisor-correct")
    in_sight(desk.page.locator('[data-button="correct.ask"]')).tap()
    expect(desk.page.locator('[data-approval="waits"]')).to_contain_text("not the same person")
    expect(overlay.page.locator(".corr")).to_have_count(0)
    settled(desk)
    TOUCH.second(desk, studio.people["pit-boss"])

    told = overlay.page.locator(".corr")
    expect(told).to_contain_text("1")
    expect(told).to_contain_text("5 – 2")
    expect(overlay.page.locator(".framed").first).to_be_visible()
    keep(overlay, "overlay-corrected")
    late: Screen = screen(studio, DESK_SIZE)
    late.open(studio.overlay)
    expect(late.page.locator(".corr")).to_contain_text("5 – 2")
    past = desk.view("supervisor")["past"]
    assert [(each["code"], each["corrected"]) for each in past if each["round_no"] == 1] == [
        ("banker", True)
    ]
    desk.page.keyboard.press("Escape")
    # By key: the strip with its button gives way to what became of the approval for a while.
    desk.page.keyboard.press("r")
    expect(desk.page.locator(".shoe .framed")).to_have_count(1)
    roads = desk.view("supervisor")["dealer"]["roads"]
    assert roads["bead"][0][0] == roads["big"][0][0] == "B"
    assert roads["corrected"] == [[0, 0]]
    expect(overlay.page.locator(".rd .framed")).to_have_count(1)
