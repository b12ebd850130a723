"""A round of the shared hand that was paid is corrected hand by hand; decisions follow policy."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESK_SIZE, SMALL_DESK, Screen
from tests.browser.ways import TOUCH, in_sight, settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

GAME = ("--game", "boundless-blackjack", "--sources", "shoe", "--players", "400", "--speed", "3")


def other_suit(code: str) -> str:
    """A card of the same rank that no side bet of this test is about."""
    return code[0] + {"S": "C", "C": "S", "H": "D", "D": "H"}[code[1]]


def begin(desk: Screen) -> None:
    """The supervisor chooses the first round of the shoe to correct it."""
    desk.page.locator(".tile .in").tap()
    settled(desk)
    in_sight(desk.page.locator('[data-button="correct"]')).tap()
    settled(desk)
    desk.page.locator('[data-round="1"]').tap()
    settled(desk)


def say_it_was(desk: Screen, place: str, code: str) -> None:
    """One card of the round was another one, and a person asks for that."""
    in_sight(desk.page.locator(f'[data-place="{place}"]')).tap()
    in_sight(desk.page.locator(f'[data-rank="{code[0]}"]')).tap()
    in_sight(desk.page.locator(f'.cardpad [data-suit="{code[1]}"]')).tap()
    TOUCH.reason(desk, "reason.camera_proves")
    in_sight(desk.page.locator('[data-button="correct.ask"]')).tap()


def cards_of(told: dict[str, Any], zone: str) -> list[str]:
    """The cards of a hand in the record of a round."""
    return [code for to, code in told["cards"] if to == zone]


@pytest.mark.parametrize("lang", ["en", "ur"])
def test_the_hole_card_of_a_paid_round_is_put_right_and_a_card_players_saw_voids_it(
    demo: Any, screen: Any, lang: str
) -> None:
    studio = demo(*GAME, "--by-hand", "--seed", "11")
    desk: Screen = screen(studio, SMALL_DESK, touch=True)
    desk.sign_in("supervisor", lang)
    overlay: Screen = screen(studio, DESK_SIZE)
    overlay.open(f"{studio.overlay}&lang={lang}")
    told = studio.round()
    assert told["state"] == "settled"

    begin(desk)
    expect(desk.page.locator('[data-policy="void"]')).to_be_visible()
    past = next(each for each in desk.view("supervisor", "bb1")["past"] if each["round_no"] == 1)
    hole = next(code for n, (zone, code) in enumerate(past["cards"]) if (n, zone) == (3, "D"))
    say_it_was(desk, "D2", other_suit(hole))
    waits = desk.page.locator('[data-approval="waits"]')
    expect(waits).to_be_visible()
    if lang == "ur":
        for line in waits.locator("p, h2, li").all():
            fits = line.evaluate("e => e.scrollWidth <= e.clientWidth + 2")
            assert fits, line.inner_text()
    settled(desk)
    TOUCH.second(desk, studio.people["pit-boss"])
    expect(overlay.page.locator(".corr")).to_be_visible()
    past = next(each for each in desk.view("supervisor", "bb1")["past"] if each["round_no"] == 1)
    assert (past["corrected"], past["returned"]) == (True, told["returned"])
    assert [code for _, code in past["cards"]][3] == other_suit(hole)

    desk.page.locator('[data-round="1"]').tap()
    settled(desk)
    say_it_was(desk, "M1", other_suit(cards_of(told, "M")[0]))
    expect(waits).to_contain_text(desk.words("past.void") if lang == "ur" else "not played")
    settled(desk)
    TOUCH.second(desk, studio.people["pit-boss"])
    expect(overlay.page.locator(".corr")).to_contain_text(desk.words("air.corrected.void"))
    past = next(each for each in desk.view("supervisor", "bb1")["past"] if each["round_no"] == 1)
    assert (past["code"], past["returned"]) == ("void", told["staked"])
