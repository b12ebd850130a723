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
FORGET = """() => {
  if (document.querySelector('.pc') !== null) return false;
  window.seen.clear();
  return true;
}"""
"""Once no card is on the page: forget what was drawn before."""
SHOWN = {"seven of spades", "eight of spades", "seven of hearts", "eight of hearts"}
"""Four of the five cards that seat 2 shows."""
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
    enter(screen, number, word)


def enter(screen: Screen, number: int, word: str) -> None:
    """Press the button of a word, also of one that a seat says out of turn."""
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


def shows_its_hand(dealer: Screen, overlay: Screen) -> None:
    """Seat 3 shows its first five cards out of turn, and the same dealer deals again."""
    asked(dealer, "bidding")
    for number in range(4):
        expect(dealer.page.locator(f'[data-button="choose.{number}.kawesh"]')).to_be_visible()
    assert not seen(dealer) & SHOWN
    enter(dealer, 2, "kawesh")
    over = overlay.page.locator(".over")
    over.wait_for(timeout=SLOW_MS)
    expect(over).to_contain_text(overlay.words("board.ended.kawesh"))
    drawn = "names => names.every((name) => window.seen.has(name))"
    dealer.page.wait_for_function(drawn, arg=sorted(SHOWN), timeout=SLOW_MS)


def buys_doubled(dealer: Screen) -> None:
    """Seat 1 buys hokum and takes the turned card; seat 2 doubles it."""
    say(dealer, 0, "hokum")
    for number in (1, 2, 3):
        say(dealer, number, "pass")
    say(dealer, 0, "hokum")
    asked(dealer, "raise")
    taken = dealer.page.locator('.bseat[data-seat="0"] [data-place="6"] .pc')
    expect(taken).to_have_attribute("aria-label", "nine of spades")
    expect(dealer.page.locator(".crow")).to_contain_text(dealer.words("suit.name.S"))
    say(dealer, 1, "double")
    say(dealer, 0, "pass")


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

    shows_its_hand(dealer, overlay)
    told = studio.round()
    assert (told["outcome"], told["house"]) == ("kawesh", 0)
    for page in (dealer.page, overlay.page):
        page.wait_for_function(FORGET, timeout=SLOW_MS)

    bidding = asked(dealer, "bidding")
    expect(bidding).to_contain_text(dealer.words("step.bidding", seat=seat(dealer, 1)))
    keep(dealer, "dealer-baloot-bidding")
    overlay.page.locator(".airseat.asked").wait_for()
    keep(overlay, "overlay-baloot-bidding")
    face = {"card back", "nine of spades"}
    assert FACE == "9S"
    assert seen(dealer) <= {*face, "face-down card"}
    assert seen(overlay) <= face
    buys_doubled(dealer)
    assert seen(dealer) <= {*face, "face-down card"}

    closed = dealer.words("call.closed")
    dealer.page.locator('.next[data-step="step.turn_card"]').wait_for(timeout=SLOW_MS)
    expect(dealer.page.locator(".crow")).to_contain_text(closed)
    expect(dealer.page.locator(".bseat.due .rackplace.due .pc")).to_have_count(1)
    expect(overlay.page.locator(".bplay")).to_contain_text(closed)
    overlay.page.locator(".airseat .pc").first.wait_for(timeout=SLOW_MS)
    keep(overlay, "overlay-baloot")
    hundred = overlay.page.locator('.airseat[data-seat="0"]')
    expect(hundred).to_contain_text(overlay.words("project.hundred"))
    dealer.page.locator(".lasttrick").wait_for(timeout=SLOW_MS)
    shown = dealer.page.locator(".announced .projectcards").first.locator(".pc")
    expect(shown).to_have_count(6, timeout=SLOW_MS)
    assert dealer.page.locator(".bseat header").evaluate_all(CUT_OFF) == []
    keep(dealer, "dealer-baloot")

    over = overlay.page.locator(".over")
    over.wait_for(timeout=SLOW_MS)
    expect(over).to_contain_text(overlay.words("board.ended.kaboot"))
    keep(overlay, "overlay-baloot-kaboot")
    told = studio.round()
    assert told["state"] == "settled"
    assert told["outcome"] == "kaboot"
    assert told["staked"] == told["returned"] + told["refunded"] + told["house"]


def offers_qayd(supervisor: Screen) -> None:
    """The page of the table lets a supervisor call for each seat, and go back."""
    supervisor.page.locator('.tile[data-table="bl1"] .in').click()
    press(supervisor, "qayd", supervisor.page.locator('[data-button="qayd.3"]'))
    press(supervisor, "qayd.back", supervisor.page.locator('[data-button="qayd"]'))
    supervisor.page.keyboard.press("Escape")


@pytest.mark.parametrize(
    "sources", ["shoe", pytest.param("shoe,camera", marks=pytest.mark.soak)], ids=["shoe", "both"]
)
@pytest.mark.parametrize("lang", ["ur"])
def test_a_qayd_stops_the_play_and_is_decided_by_two_people(
    demo: Any, screen: Any, keep: Any, lang: str, sources: str
) -> None:
    # Slower: the round must still be played when three screens are there and somebody calls.
    slower = ("--speed", "3", "--sources", sources, "--by-hand")
    studio = demo(*GAME, *slower, program=PROGRAM)
    dealer, overlay = screen(studio, DEALER_SIZE), screen(studio, DESK_SIZE)
    supervisor = screen(studio, SMALL_DESK)
    at_console(dealer, lang)
    supervisor.sign_in("supervisor", lang)
    overlay.lang = lang
    overlay.open(studio.overlay + f"&lang={lang}")
    dealer.page.locator(".lasttrick").wait_for(timeout=SLOW_MS)
    assert dealer.page.evaluate("document.documentElement.dir") == "rtl"
    expect(dealer.page.locator(".bar .rungs")).to_have_count(len(sources.split(",")))
    offers_qayd(supervisor)
    press(dealer, "qayd", dealer.page.locator('[data-button="qayd.2"]'))
    settled(dealer)
    in_sight(dealer.page.locator('[data-button="qayd.2"]')).click()
    dealer.state("hold")
    overlay.page.locator(".slate").wait_for()
    expect(dealer.page.locator(".cmp .why")).to_contain_text(dealer.words("hold.qayd.why", seat=3))
    expect(dealer.page.locator(".cmp .ne")).to_have_count(0)

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
