"""Three coups in a real browser: a clean one, one held and corrected, one voided (in Urdu)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as NoEffectError

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, Screen
from web.words import catalogue

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

SPEED = ("--speed", "1.5")
"""Waits shrink, pixels do not: much faster, and a busy machine is late with its evidence."""


def press(screen: Screen, button: str, effect: Locator) -> None:
    """Press a button until it shows its effect.

    A screen ignores presses for 400 ms after its layout changed (FACES.md 7); a person does not
    notice, a test is faster than that.
    """
    for _ in range(10):
        screen.page.locator(f'[data-button="{button}"]').click()
        try:
            effect.wait_for(timeout=1000)
        except NoEffectError:
            continue
        return
    raise AssertionError(f"pressing {button} had no effect")


def open_case(supervisor: Screen) -> None:
    """Open the one table of the wall once it is held, and take the hold."""
    tile = supervisor.page.get_by_role("button", name=re.compile("BA1"))
    expect(supervisor.page.locator('.tile[data-state="hold"]')).to_be_visible(timeout=60_000)
    tile.click()
    expect(supervisor.page.locator('.case[data-state="hold"]')).to_be_visible()
    press(supervisor, "take", supervisor.page.locator(".taken"))


def approve_here(supervisor: Screen, button: str) -> None:
    """Ask for what two people must agree to; the second one approves on this console."""
    press(supervisor, button, supervisor.page.locator('[data-approval="waits"]'))
    person = supervisor.demo.people["pit-boss"]
    supervisor.page.locator('.here input[name="number"]').fill(person["number"])
    supervisor.page.locator('.here input[name="pin"]').fill(person["pin"])
    supervisor.page.locator('[data-button="here.approve"]').click()
    expect(supervisor.page.locator('[data-approval="waits"]')).to_have_count(0)


def card_names(codes: list[str], lang: str = "en") -> list[str]:
    """Cards as a screen reader says them."""
    words = catalogue(lang)
    return [
        words.text(
            "card.name",
            {"rank": words.text(f"rank.{code[0]}"), "suit": words.text(f"suit.{code[1]}")},
        )
        for code in codes
    ]


def names_on_air(overlay: Screen, zone: str) -> list[str]:
    """The cards of a hand on the overlay, in order of dealing."""
    hand = overlay.page.get_by_role("region", name=overlay.words(f"zone.{zone}"))
    return [each.get_attribute("aria-label") or "" for each in hand.get_by_role("img").all()]


def test_a_clean_coup_is_followed_from_bets_to_bead(demo: Any, screen: Any, keep: Any) -> None:
    studio = demo("--by-hand", *SPEED)
    dealer = screen(studio, DEALER_SIZE)
    keep_sign_in = screen(studio, DEALER_SIZE)
    keep_sign_in.open("/")
    expect(keep_sign_in.page.get_by_label("PIN", exact=True)).to_be_visible()
    keep(keep_sign_in, "sign-in")
    overlay = screen(studio, DESK_SIZE)
    dealer.sign_in("dealer")
    overlay.open(studio.overlay)

    dealer.state("betting")
    expect(dealer.page.get_by_role("heading", level=1)).to_have_text("Bets open")
    keep(dealer, "dealer-betting")

    dealer.state("dealing")
    expect(dealer.page.get_by_role("heading", level=1)).to_contain_text(re.compile("Player|Banker"))
    keep(dealer, "dealer-dealing")

    dealer.state("result")
    band = overlay.page.locator(".res")
    expect(band).to_be_visible()
    keep(dealer, "dealer-result")
    keep(overlay, "overlay-result")
    seen = {zone: names_on_air(overlay, zone) for zone in ("P", "B")}

    coup = studio.round()
    assert coup["state"] == "settled"
    assert coup["staked"] == coup["returned"] + coup["refunded"] + coup["house"]
    for zone, names in seen.items():
        assert names == card_names([code for to, code in coup["cards"] if to == zone])
    # It stays until the felt is clear and the result has been shown for its whole time.
    expect(band).to_have_count(0, timeout=60_000)
    winner = f"result.{coup['outcome']}"
    expect(overlay.page.locator(".cnt")).to_contain_text(
        re.compile(rf"{overlay.words(winner)}\s*1")
    )


def test_a_held_coup_is_corrected_by_the_supervisor_and_ends_right(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "wrong_card@1")
    dealer = screen(studio, DEALER_SIZE)
    dealer.sign_in("dealer")
    supervisor = screen(studio, DESK_SIZE)
    supervisor.sign_in("supervisor")
    overlay = screen(studio, DESK_SIZE)
    overlay.open(studio.overlay)

    dealer.state("hold")
    expect(dealer.page.get_by_role("alert")).to_contain_text("Table held")
    expect(overlay.page.locator("[data-slate]")).to_be_visible()
    keep(dealer, "dealer-hold")
    keep(overlay, "overlay-wait")

    open_case(supervisor)
    view = supervisor.view("supervisor")
    sightings = {seen["kind"]: seen["card"] for seen in view["cases"][0]["sightings"]}
    assert sightings["shoe"] != sightings["camera"]
    supervisor.page.locator(f'[data-card="{sightings["camera"]}"]').click()
    supervisor.page.locator("[data-reason]").first.click()
    keep(supervisor, "supervisor-hold")
    approve_here(supervisor, "do.KeyInCard")
    press(supervisor, "lift", supervisor.page.locator('.tile:not([data-state="hold"])'))

    expect(dealer.page.locator('.dealer[data-state="hold"]')).to_have_count(0)
    expect(overlay.page.locator("[data-slate]")).to_have_count(0)
    coup = studio.round()
    assert coup["state"] == "settled"
    assert coup["faults"] == ["reader_mismatch"]
    assert sightings["camera"] in [code for _, code in coup["cards"]]


def test_a_void_returns_every_stake_and_says_so_in_urdu(demo: Any, screen: Any, keep: Any) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "wrong_card@1")
    dealer = screen(studio, DEALER_SIZE)
    dealer.sign_in("dealer", "ur")
    supervisor = screen(studio, DESK_SIZE)
    supervisor.sign_in("supervisor", "ur")
    overlay = screen(studio, DESK_SIZE)
    overlay.open(f"{studio.overlay}&lang=ur")
    overlay.lang = "ur"

    dealer.state("betting")
    expect(dealer.page.locator("html")).to_have_attribute("dir", "rtl")
    keep(dealer, "dealer-betting-ur")

    dealer.state("hold")
    keep(dealer, "dealer-hold-ur")
    open_case(supervisor)
    view = supervisor.view("supervisor")
    supervisor.page.keyboard.press("v")
    refunds = supervisor.page.locator(".refunds tbody tr")
    expect(refunds).to_have_count(len(view["void"]["rows"]))
    expect(supervisor.page.locator(".checks .fails")).to_have_count(0)
    supervisor.page.keyboard.press("2")
    second = supervisor.page.locator("[data-reason]").nth(1)
    expect(second).to_have_attribute("aria-checked", "true")
    keep(supervisor, "supervisor-void-ur")
    approve_here(supervisor, "void")
    dealer.state("void")
    slate = overlay.page.locator('[data-slate="void"]')
    expect(slate).to_contain_text(overlay.words("slate.void", round=view["dealer"]["round_no"]))
    keep(overlay, "overlay-void-ur")
    keep(supervisor, "supervisor-receipt-ur")
    coup = studio.round()
    assert coup["state"] == "voided"
    assert coup["refunded"] == coup["staked"] == view["void"]["returned"]
    assert coup["returned"] == coup["house"] == 0
