"""A round of Baloot in a real browser: bidding, a closed round, projects, kaboot; and a qayd."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as NoEffectError

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, SMALL_DESK, Screen
from tests.browser.stacked_baloot import FACE
from tests.browser.test_coups import approve_here, press
from tests.browser.ways import KEYS, in_sight, settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

PROGRAM = ("tests.browser.stacked_baloot",)
GAME = ("--game", "baloot", "--sources", "shoe", "--players", "12", "--seed", "2", "--speed", "8")
SLOW_MS = 120_000
WATCH = """() => {
  window.seen = new Set();
  const look = () => document.querySelectorAll('.pc').forEach((card) => {
    window.seen.add(card.getAttribute('aria-label'));
  });
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
  look();
}"""  # noqa: E501
"""From now on the page remembers the name of every card that it draws."""
CUT_OFF = "all => all.filter(e => e.scrollWidth > e.clientWidth + 2).map(e => e.innerText)"
"""Texts of those elements that are wider than their place."""


def seat(screen: Screen, number: int) -> str:
    """What a seat is called, the first one by 1."""
    return screen.words("board.seat", number=number)


def at_console(screen: Screen, lang: str = "en") -> None:
    """A supervisor stands at the dealer's console: the simulated dealer keeps its table."""
    screen.sign_in("supervisor", lang)
    screen.open("/dealer/bl1")


def asked(screen: Screen, step: str) -> Locator:
    """The next step of the console, once it is this question."""
    found = screen.page.locator(f'.next[data-step="step.{step}"]')
    found.wait_for(timeout=SLOW_MS)
    return found


def say(screen: Screen, number: int, word: str) -> None:
    """Enter what a seat says, by its button."""
    asking = screen.page.locator(f'.bseat.asked[data-seat="{number}"]')
    asking.wait_for(timeout=SLOW_MS)
    button = in_sight(screen.page.locator(f'[data-button="choose.{number}.{word}"]'))
    for _ in range(10):  # a press right after the question has come does not count
        try:
            button.click(timeout=1000)
            button.wait_for(state="detached", timeout=2000)
        except NoEffectError:
            if button.count():
                continue
        return
    raise AssertionError(f"nothing came of saying {word}")


def seen(screen: Screen) -> set[str]:
    """Names of all cards that a page has drawn since it was watched."""
    return set(screen.page.evaluate("() => [...window.seen]"))


def test_a_closed_round_is_bid_raised_announced_and_swept(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo("--quiet", *GAME, program=PROGRAM)
    dealer, overlay = screen(studio, DEALER_SIZE), screen(studio, DESK_SIZE)
    at_console(dealer)
    overlay.open(studio.overlay)
    for page in (dealer.page, overlay.page):
        page.locator(".felt.board, .bband").wait_for(timeout=SLOW_MS)
        page.evaluate(WATCH)

    bidding = asked(dealer, "bidding")
    expect(bidding).to_contain_text(dealer.words("step.bidding", seat=seat(dealer, 1)))
    keep(dealer, "dealer-baloot-bidding")
    overlay.page.locator(".airseat.asked").wait_for()
    keep(overlay, "overlay-baloot-bidding")
    face = {"card back", "nine of spades"}
    assert FACE == "9S"
    assert seen(dealer) <= {*face, "face-down card"}
    assert seen(overlay) <= face
    say(dealer, 0, "hokum")
    for number in (1, 2, 3):
        say(dealer, number, "pass")
    say(dealer, 0, "hokum")
    asked(dealer, "raise")
    expect(dealer.page.locator(".crow")).to_contain_text(dealer.words("suit.name.S"))
    say(dealer, 1, "double")
    say(dealer, 0, "pass")

    closed = dealer.words("call.closed")
    dealer.page.locator('.next[data-step="step.turn_card"]').wait_for(timeout=SLOW_MS)
    expect(dealer.page.locator(".crow")).to_contain_text(closed)
    expect(dealer.page.locator(".bseat.due .rackplace.due .pc")).to_have_count(1)
    expect(overlay.page.locator(".bplay")).to_contain_text(closed)
    hundred = overlay.page.locator('.airseat[data-seat="0"]')
    expect(hundred).to_contain_text(overlay.words("project.hundred"))
    dealer.page.locator(".lasttrick").wait_for(timeout=SLOW_MS)
    shown = dealer.page.locator(".announced .projectcards").first.locator(".pc")
    expect(shown).to_have_count(6, timeout=SLOW_MS)
    assert dealer.page.locator(".bseat header").evaluate_all(CUT_OFF) == []
    keep(dealer, "dealer-baloot")
    expect(overlay.page.locator(".airseat .pc")).to_have_count(3, timeout=SLOW_MS)
    keep(overlay, "overlay-baloot")

    over = overlay.page.locator(".over")
    over.wait_for(timeout=SLOW_MS)
    expect(over).to_contain_text(overlay.words("board.ended.kaboot"))
    keep(overlay, "overlay-baloot-kaboot")
    told = studio.round()
    assert told["state"] == "settled"
    assert told["outcome"] == "kaboot"
    assert told["staked"] == told["returned"] + told["refunded"] + told["house"]


@pytest.mark.parametrize("lang", ["ur"])
def test_a_qayd_stops_the_play_and_is_decided_by_two_people(
    demo: Any, screen: Any, keep: Any, lang: str
) -> None:
    # Slower: the round must still be played when three screens are there and somebody calls.
    studio = demo(*GAME, "--speed", "3", "--by-hand", program=PROGRAM)
    dealer, overlay = screen(studio, DEALER_SIZE), screen(studio, DESK_SIZE)
    supervisor = screen(studio, SMALL_DESK)
    at_console(dealer, lang)
    supervisor.sign_in("supervisor", lang)
    overlay.lang = lang
    overlay.open(studio.overlay + f"&lang={lang}")
    dealer.page.locator(".lasttrick").wait_for(timeout=SLOW_MS)
    assert dealer.page.evaluate("document.documentElement.dir") == "rtl"
    press(dealer, "qayd", dealer.page.locator('[data-button="qayd.2"]'))
    settled(dealer)
    in_sight(dealer.page.locator('[data-button="qayd.2"]')).click()
    dealer.state("hold")
    overlay.page.locator(".slate").wait_for()

    supervisor.page.locator('.tile[data-state="hold"] .in').click(timeout=SLOW_MS)
    case = supervisor.page.locator(".case.judged")
    case.wait_for()
    press(supervisor, "take", supervisor.page.locator(".taken"))
    assert case.locator(".trickrows tbody tr").count() >= 1
    expect(case.locator(".saidby tbody tr")).to_have_count(4)
    verdict = in_sight(case.locator('[data-verdict="1"]'))
    verdict.click()
    expect(verdict).to_have_attribute("aria-checked", "true")
    expect(case.locator(".opt.on em")).to_contain_text(supervisor.words("side.0"))
    in_sight(case.locator('[data-reason="reason.dealing_error"]')).click()
    keep(supervisor, "supervisor-qayd-ur")
    approve_here(supervisor, "do.DecideQayd")
    KEYS.lift(supervisor)
    told = studio.round()
    assert (told["outcome"], told["state"]) == ("qayd", "settled")
    overlay.page.locator(".over").wait_for(timeout=SLOW_MS)
    expect(overlay.page.locator(".over .how")).to_have_text(overlay.words("board.ended.qayd"))
