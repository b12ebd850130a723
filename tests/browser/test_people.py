"""Who deals, who answers for a table, and who may change it when: as the screens tell it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, Screen
from tests.browser.ways import settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

QUICK = ("--by-hand", "--sources", "shoe")
"""Without the camera's process a studio starts in two seconds."""


def test_a_dealer_is_told_that_places_change_between_coups_only(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*QUICK)
    dealer: Screen = screen(studio, DEALER_SIZE, touch=True)
    dealer.sign_in("dealer")
    dealer.state("betting")
    seat = dealer.page.locator(".seat")
    expect(seat).to_have_attribute("data-seat", "other")
    expect(seat).to_contain_text("Sim Dealer")
    relief = dealer.page.locator('[data-button="relief"]')
    expect(relief).to_contain_text("Dealers change between coups only")
    relief.tap(force=True)
    expect(dealer.page.locator("[data-relief]")).to_have_count(0)
    dealer.state("result")
    settled(dealer)
    relief.tap()
    panel = dealer.page.locator('[data-relief="take"]')
    expect(panel).to_contain_text("Take this table?")
    expect(panel).to_contain_text("Imran S.")
    keep(dealer, "dealer-relief")
    dealer.page.locator('[data-button="relief.back"]').tap()
    expect(panel).to_have_count(0)


def test_two_supervisors_claim_tables_on_the_wall_and_see_each_other(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*QUICK, "--tables", "2")
    desk: Screen = screen(studio, DESK_SIZE)
    desk.sign_in("supervisor")
    boss: Screen = screen(studio, DESK_SIZE)
    boss.sign_in("pit-boss")
    expect(desk.page.locator(".tile")).to_have_count(2)
    desk.page.locator('[data-button="claim.ba1"]').click()
    expect(desk.page.locator('[data-table="ba1"] .claim')).to_contain_text("You answer")
    tile = boss.page.locator('[data-table="ba1"] .claim')
    expect(tile).to_contain_text("Amina K. answers")
    keep(boss, "wall")
    boss.page.locator('[data-button="claim.ba1"]').click()
    expect(desk.page.locator('[data-table="ba1"] .claim')).to_contain_text("Lena P. answers")
    boss.page.locator('[data-button="release.ba1"]').click()
    expect(tile).to_have_attribute("data-claim", "nobody")
    # A table is opened by T and its place on the wall.
    desk.page.keyboard.press("t")
    desk.page.keyboard.press("2")
    expect(desk.page.get_by_role("heading", level=1)).to_contain_text("BA2")
    desk.page.keyboard.press("d")
    expect(desk.page.locator(".drawer.devices")).to_contain_text("Shoe")
    desk.page.keyboard.press("j")
    expect(desk.page.locator(".drawer.journal")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator(".drawer")).to_have_count(0)
    desk.page.keyboard.press("Escape")
    expect(desk.page.locator(".wall.whole")).to_be_visible()
