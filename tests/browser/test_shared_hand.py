"""A round of the shared hand in a real browser: bets, decisions, lanes, hole card, result."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, Screen
from tests.browser.test_coups import SPEED, card_names

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

GAME = ("--game", "boundless-blackjack", "--sources", "shoe", "--players", "400", *SPEED)
SLOW_S = 200
"""A busy machine deals a whole round within this."""

WATCH = """() => {
  window.told = [];
  const look = () => {
    const next = document.querySelector('.next, .band');
    const due = document.querySelector('.handlane.due');
    const ring = document.querySelector('.you .ring') ? 'ring' : '';
    const hole = document.querySelectorAll('.blk[data-zone="D"] .pc')[1];
    const now = [
      next?.dataset.step ?? next?.dataset.state ?? '',
      next?.dataset.kind ?? ring,
      due?.dataset.zone ?? hole?.getAttribute('aria-label') ?? '',
    ];
    const last = window.told.at(-1);
    if (!last || last.join() !== now.join()) window.told.push(now);
  };
  const all = {subtree: true, childList: true, attributes: true};
  new MutationObserver(look).observe(document.body, all);
  look();
}"""
"""Notes each step of the console with the lane that it marks; on air each state and hole card."""

ON_AIR = """() => ({
  round: Number(document.querySelector('.bug').textContent.match(/\\d+/)[0]),
  won: document.querySelector('.you.res .won').textContent,
  hands: Object.fromEntries([...document.querySelectorAll('.band .blk[data-zone]')].map((block) => [
    block.dataset.zone,
    [...block.querySelectorAll('.pc:not(.ghost)')].map((card) => card.getAttribute('aria-label')),
  ])),
})"""
"""Round, result and cards of the overlay, all of one moment."""


def steps_of(dealer: Screen) -> list[list[str]]:
    """What a screen has shown since it was watched."""
    steps: list[list[str]] = dealer.page.evaluate("window.told")
    return steps


def test_a_round_is_followed_from_bets_over_decisions_and_lanes_to_the_result(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*GAME, "--by-hand", "--seed", "11")
    dealer, overlay = screen(studio, DEALER_SIZE), screen(studio, DESK_SIZE)
    dealer.sign_in("dealer")
    overlay.open(studio.overlay)

    overlay.page.locator(".band").wait_for(timeout=SLOW_S * 1000)
    overlay.page.evaluate(WATCH)
    dealer.state("betting", SLOW_S)
    dealer.page.evaluate(WATCH)
    dealer.state("decision", SLOW_S)
    expect(dealer.page.locator(".next .countdown")).to_be_visible()

    dealer.state("result", SLOW_S)
    overlay.page.locator(".you.res").wait_for(timeout=SLOW_S * 1000)
    shown = overlay.page.evaluate(ON_AIR)
    told = studio.round()
    while not told["round"].endswith(f"-{shown['round']}"):
        told = studio.round()
    assert told["state"] == "settled"
    assert told["staked"] == told["returned"] + told["refunded"] + told["house"]
    for zone in {zone for zone, _ in told["cards"]}:
        cards = card_names([code for to, code in told["cards"] if to == zone])
        assert shown["hands"][zone] == cards
    assert re.search(r"BJ" if told["outcome"] == "dealer_blackjack" else r"\d", shown["won"])
    on_air = steps_of(overlay)
    assert ["betting", "ring"] in [each[:2] for each in on_air]
    holes = {hole for state, ring, hole in on_air if (state, ring) == ("decision", "ring")}
    assert holes == {overlay.words("card.back")}

    steps = steps_of(dealer)
    asked = [zone for _, kind, zone in steps if kind == "deal"]
    first = asked.index("M")
    assert asked[first : first + 4] == ["M", "D", "M", "D"]
    wave: list[str] = []
    for step, kind, zone in steps[steps.index(["step.first_four", "deal", "D"]) :]:
        if kind == "deal" and step == "step.lane_card":
            wave.append(zone)
        elif kind == "wait":
            wave.clear()
        assert wave == sorted(set(wave), key="MLR".index), steps
    assert ["step.hole_card", "turn", "D"] in steps


@pytest.mark.parametrize("lang", ["ur", "ar"])
def test_from_right_to_left_the_words_turn_and_the_felt_does_not(
    demo: Any, screen: Any, keep: Any, lang: str
) -> None:
    studio = demo(*GAME, "--by-hand", "--seed", "11")
    dealer = screen(studio, DEALER_SIZE)
    dealer.sign_in("dealer", lang)
    overlay = screen(studio, DESK_SIZE)
    overlay.open(f"{studio.overlay}&lang={lang}")
    dealer.state("decision", SLOW_S)
    assert dealer.page.evaluate("document.documentElement.dir") == "rtl"
    lanes = dealer.page.locator(".handlane")
    zones = [each.get_attribute("data-zone") for each in lanes.all()]
    places = [(each.bounding_box() or {})["x"] for each in lanes.all()]
    assert zones == ["D", "L", "M", "R"]
    assert places == sorted(places)
    for line in dealer.page.locator(".say > *, .handlane header, .handlane footer").all():
        fits = line.evaluate("e => e.scrollWidth <= e.clientWidth + 2")
        assert fits, line.inner_text()
    overlay.page.locator(".you h2").wait_for(timeout=SLOW_S * 1000)
    assert overlay.page.evaluate("document.documentElement.dir") == "rtl"
    figures = "٠١٢٣٤٥٦٧٨٩" if lang == "ar" else "0123456789"
    shown = "".join(overlay.page.locator(".bug, .ring").all_inner_texts())
    assert {each for each in shown if each.isdigit()} <= set(figures), shown
    assert any(each in figures for each in shown), shown


def test_the_supervisor_sees_the_crowd_the_lanes_and_every_kind_of_stake(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo(*GAME, "--by-hand", "--seed", "11")
    supervisor = screen(studio, DESK_SIZE)
    supervisor.sign_in("supervisor")
    tile = supervisor.page.locator('.tile[data-state="decision"]')
    tile.wait_for(timeout=SLOW_S * 1000)
    expect(tile.locator(".countdown")).to_be_visible()
    tile.locator("button.in").click()
    pane = supervisor.page.locator(".case.calm")
    expect(pane.locator(".mirror .handlane")).to_have_count(4)
    expect(pane.locator(".bets tbody tr").first).to_contain_text(supervisor.words("bet.main"))
    counts = [
        int(each.replace(",", ""))
        for each in pane.locator(".bets tbody td:nth-child(2)").all_inner_texts()
    ]
    total = pane.locator(".bets tfoot td").first.inner_text().replace(",", "")
    assert sum(counts) == int(total)
