"""A round of blackjack at seats in a real browser: bets, decisions, a split, the result."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, SMALL_DESK, Screen
from tests.browser.test_coups import SPEED, card_names
from tests.browser.test_shared_hand import ON_AIR, SLOW_S, WATCH, steps_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

GAME = ("--game", "blackjack", "--sources", "shoe", "--players", "7", "--by-hand", *SPEED)
SPLITS = ("--seed", "23")
"""With this seed the first seat of the first round splits."""
SEATS = [f"S{number}" for number in range(1, 8)]
CUT_OFF = "all => all.filter(e => e.scrollWidth > e.clientWidth + 2).map(e => e.innerText)"
"""Texts of those elements that are wider than their place."""
PLACES = "all => all.map(e => e.getBoundingClientRect()).map(box => [box.top, box.left])"
"""Where elements lie, all of one moment."""


def split_hand(screen: Screen, hands: str) -> str:
    """Wait for a hand that was split; its zone."""
    found = screen.page.locator(f'{hands}[data-zone$=":2"]').first
    found.wait_for(timeout=SLOW_S * 1000)
    return str(found.get_attribute("data-zone"))


def test_a_round_at_seats_is_followed_from_bets_over_a_split_to_the_result(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*GAME, *SPLITS)
    dealer, overlay = screen(studio, DEALER_SIZE), screen(studio, DESK_SIZE)
    dealer.sign_in("dealer")
    overlay.open(studio.overlay)
    dealer.state("betting", SLOW_S)
    dealer.page.evaluate(WATCH)
    expect(dealer.page.locator(".handlane")).to_have_count(len(SEATS) + 1)

    zone = split_hand(dealer, ".handlane")
    seat = zone.partition(":")[0]
    for hand, letter in (("1", "a"), ("2", "b")):
        title = dealer.page.locator(f'.handlane[data-zone="{seat}:{hand}"] h2')
        expect(title).to_have_text(f"{seat[1:]}{letter}")
    dealer.page.locator(".handlane.due").first.wait_for()
    assert dealer.page.locator(".handlane header").evaluate_all(CUT_OFF) == []
    keep(dealer, "dealer-seats")
    overlay.page.locator(f'.blk[data-zone="{zone}"]').wait_for()
    keep(overlay, "overlay-seats")

    dealer.state("result", SLOW_S)
    overlay.page.locator(".you.res").wait_for(timeout=SLOW_S * 1000)
    shown = overlay.page.evaluate(ON_AIR)
    told = studio.round()
    while not told["round"].endswith(f"-{shown['round']}"):
        told = studio.round()
    assert told["state"] == "settled"
    assert told["staked"] == told["returned"] + told["refunded"] + told["house"]
    for place in {to for to, _ in told["cards"]}:
        cards = card_names([code for to, code in told["cards"] if to == place])
        hands = [held for to, held in shown["hands"].items() if to.partition(":")[0] == place]
        assert sorted(card for held in hands for card in held) == sorted(cards), place

    steps = steps_of(dealer)
    dealt = [to for _, kind, to in steps if kind == "deal"]
    seated = sorted({to.partition(":")[0] for to in dealt if to.startswith("S")})
    first = dealt.index(seated[0])
    assert dealt[first : first + len(seated) + 1] == [*seated, "D"]
    assert any(step == "step.seat_card" for step, _, _ in steps), steps
    assert ["step.hole_card", "turn", "D"] in steps


@pytest.mark.parametrize("lang", ["en", "ur", "ar"])
def test_the_supervisor_sees_every_hand_of_every_seat_and_its_stakes(
    demo: Any, screen: Any, keep: Any, lang: str
) -> None:
    studio = demo(*GAME, *SPLITS)
    supervisor = screen(studio, DEALER_SIZE)
    supervisor.sign_in("supervisor", lang)
    supervisor.page.locator("button.in").first.click(timeout=SLOW_S * 1000)
    pane = supervisor.page.locator(".case.calm")
    zone = split_hand(supervisor, ".mirror .handlane")
    seat = supervisor.words("zone." + zone.partition(":")[0])
    split = supervisor.words("bet.split.on", lane=seat)
    expect(pane.locator(".bets tbody")).to_contain_text(split)
    for width, height in (DEALER_SIZE, SMALL_DESK, DESK_SIZE):
        supervisor.page.set_viewport_size({"width": width, "height": height})
        for part in ("header", "footer"):
            cut_off = pane.locator(f".mirror .handlane {part}").evaluate_all(CUT_OFF)
            assert cut_off == [], (width, part)
        rows = pane.locator(".mirror .handlane").evaluate_all(PLACES)
        assert rows == sorted(rows), "hands lie from left to right in every language"
