"""What a person sees when something is missing: scripts, the studio, a right."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

QUICK = ("--by-hand", "--sources", "shoe")
"""Without the camera's process a studio starts in two seconds."""


def test_a_studio_that_fell_silent_is_told_and_comes_back_by_itself(demo: Any, screen: Any) -> None:
    studio = demo(*QUICK)
    dealer = screen(studio, DEALER_SIZE)
    dealer.sign_in("dealer")
    overlay = screen(studio, DESK_SIZE)
    overlay.open(studio.overlay)
    dealer.state("betting")
    studio.freeze()
    band = dealer.page.get_by_role("alert").filter(has_text="No signal from the studio")
    expect(band).to_be_visible(timeout=15_000)
    expect(band).to_contain_text("Do not deal.")
    expect(overlay.page.locator('[data-slate="silence"]')).to_be_visible(timeout=15_000)
    studio.thaw()
    expect(band).to_have_count(0, timeout=15_000)
    expect(overlay.page.locator('[data-slate="silence"]')).to_have_count(0, timeout=15_000)
    for each in (dealer, overlay):
        each.complaints.clear()


def test_a_browser_without_scripts_can_sign_in_and_is_told_what_it_lacks(
    demo: Any, browser: Browser
) -> None:
    studio = demo(*QUICK)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(studio.address)
    person = studio.people["dealer"]
    page.get_by_label("Staff number").fill(person["number"])
    page.get_by_label("PIN", exact=True).fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Number and PIN do not fit: try again.")
    page.get_by_label("Staff number").fill(person["number"])
    page.get_by_label("PIN", exact=True).fill(person["pin"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/dealer/ba1")
    expect(page.locator("noscript p")).to_contain_text("This console needs JavaScript")
    page.goto(f"{studio.address}/status")
    expect(page.get_by_role("heading", level=1)).to_have_text("Studio One")
    context.close()


def test_signing_out_ends_the_console_at_once(demo: Any, screen: Any) -> None:
    studio = demo(*QUICK)
    dealer = screen(studio, DEALER_SIZE)
    dealer.sign_in("dealer")
    dealer.state("betting")
    dealer.context.request.post(
        f"{studio.address}/api/ui/sign-out", headers={"Origin": studio.address}
    )
    told = dealer.page.get_by_role("alert").filter(has_text="You are signed out: sign in again")
    expect(told).to_be_visible()
    dealer.page.get_by_role("link", name="Sign in").click()
    expect(dealer.page.get_by_role("heading", name="Touch your badge here")).to_be_visible()


def test_an_overlay_with_a_wrong_token_stays_transparent(demo: Any, screen: Any) -> None:
    studio = demo(*QUICK)
    overlay = screen(studio, DESK_SIZE)
    overlay.open("/overlay/ba1?token=wrong")
    expect(overlay.page.locator("#app")).to_have_text("")
    told = " ".join(overlay.complaints)
    assert "not valid" in told or "403" in told
    overlay.complaints.clear()


def test_the_rules_are_read_in_both_languages(demo: Any, screen: Any, keep: Any) -> None:
    studio = demo(*QUICK)
    reader = screen(studio, DEALER_SIZE)
    reader.open("/rules/ba1?lang=ur")
    expect(reader.page.locator("html")).to_have_attribute("dir", "rtl")
    expect(reader.page.locator('section[lang="en"]')).to_contain_text("The higher total wins.")
    assert "rule." not in reader.page.inner_text("main")
    keep(reader, "rules-ur")
