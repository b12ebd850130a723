"""Dealers change places at the table itself, and the wall of two tables."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import TimeoutError as NoEffectError
from playwright.sync_api import expect

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, Screen
from tests.browser.ways import settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

QUICK = ("--by-hand", "--sources", "shoe", "--speed", "2")


def take_seat(dealer: Screen) -> None:
    """Between two coups; one that has begun meanwhile is waited for."""
    for _ in range(4):
        dealer.state("result")
        settled(dealer)
        dealer.page.locator('[data-button="relief"]').tap(force=True)
        relieve = dealer.page.locator('[data-button="relieve"]')
        try:
            relieve.wait_for(timeout=2_000)
            settled(dealer)
            relieve.tap(force=True)
            relieve.wait_for(state="detached", timeout=3_000)
        except NoEffectError:
            dealer.page.keyboard.press("Escape")
            continue
        return
    raise AssertionError("the seat was not taken")


def test_a_dealer_takes_the_seat_leaves_it_and_the_other_one_goes_on(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*QUICK)
    dealer: Screen = screen(studio, DEALER_SIZE, touch=True)
    dealer.sign_in("dealer")
    seat = dealer.page.locator(".seat")
    expect(seat).to_contain_text("Sim Dealer")
    take_seat(dealer)
    expect(seat).to_have_attribute("data-seat", "own")
    expect(seat).to_contain_text("Imran S.")
    desk: Screen = screen(studio, DESK_SIZE)
    desk.sign_in("supervisor")
    expect(desk.page.locator(".tile")).to_contain_text("Imran S.")
    # An open coup is dealt to its end; then the one who sits here is waited for.
    confirm = dealer.page.locator('[data-button="confirm"]:not([aria-disabled])')
    expect(confirm).to_be_visible(timeout=60_000)
    before = dealer.view("dealer")["round_id"]
    settled(dealer)
    dealer.page.keyboard.press("q")
    expect(dealer.page.locator('[data-relief="leave"]')).to_contain_text("Imran S.")
    keep(dealer, "dealer-leaves")
    settled(dealer)
    dealer.page.locator('[data-button="leave"]').tap()
    expect(dealer.page.get_by_label(dealer.words("signin.number"))).to_be_visible()
    expect(desk.page.locator(".tile")).not_to_contain_text("Imran S.")
    # The simulated dealer takes the cards away, sits down by that, and deals the next coup.
    expect(desk.page.locator(".tile")).to_contain_text("Sim Dealer", timeout=30_000)
    lines = [studio.round(60)]
    while lines[-1]["round"] <= before:
        lines.append(studio.round(60))
    assert {line["state"] for line in lines} == {"settled"}


def test_the_wall_of_two_tables_shows_both_and_the_held_one_first_in_sight(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*QUICK, "--tables", "2", "--fault", "unreadable@1")
    desk: Screen = screen(studio, DESK_SIZE)
    desk.sign_in("supervisor")
    tiles = desk.page.locator(".tile")
    expect(tiles).to_have_count(2)
    held = desk.page.locator('.tile[data-state="hold"]')
    expect(held).to_have_count(1, timeout=40_000)
    expect(held).to_have_attribute("data-table", "ba1")
    settled(desk)
    keep(desk, "wall-held")
    other = desk.page.locator('[data-table="ba2"]')
    expect(other).not_to_have_attribute("data-state", "hold")
    # The other table goes on meanwhile.
    assert "-ba2-" in studio.round(60)["round"]
    desk.page.keyboard.press("n")
    expect(desk.page.get_by_role("heading", level=1)).to_contain_text("BA1")
