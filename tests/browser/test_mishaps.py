"""Five mishaps, each ended by a person who follows the screens alone, by keys or by touch."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DEALER_SIZE, DESK_SIZE, SMALL_DESK, Screen
from tests.browser.crooked_pack import KING
from tests.browser.ways import KEYS, TOUCH, Way, in_sight, settled, told

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

SPEED = ("--speed", "1.5")
BY_BOTH = pytest.mark.parametrize("way", [KEYS, TOUCH], ids=["keys", "touch"])
SECOND_CARD = "TH"
"""What lies on Banker after two cards of the first seed; a person sees it in the pictures."""


def goes_on(screen: Screen) -> None:
    """The table is not held any more."""
    expect(screen.page.locator('.tile[data-state="hold"]')).to_have_count(0)


def approved(screen: Screen, dealer: Screen | None = None) -> None:
    """The second person's word is told, and nothing waits any more."""
    expect(screen.page.locator('[data-approval="waits"]')).to_have_count(0)
    if dealer is not None:
        expect(dealer.page.locator(".dealer.held")).to_be_visible()


@BY_BOTH
def test_a_card_that_the_shoe_could_not_read_is_keyed_in_by_two_people(
    demo: Any, screen: Any, keep: Any, way: Way
) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "unreadable@1")
    desk: Screen = screen(studio, SMALL_DESK, touch=way.touch)
    desk.sign_in("supervisor")
    way.open_hold(desk)
    assert told(desk)["code"] == "unreadable_card"
    frame = desk.page.locator(".frames .at img")
    expect(frame).to_be_visible()
    way.choose(desk, "KeyInCard")
    way.card(desk, SECOND_CARD)
    way.reason(desk, "reason.camera_proves")
    way.act(desk)
    waits = desk.page.locator('[data-approval="waits"]')
    expect(waits).to_contain_text("Amina K. asks")
    expect(waits).to_contain_text("not the same person")
    keep(desk, "supervisor-approval")
    way.second(desk, studio.people["pit-boss"])
    expect(desk.page.locator('[data-approval="given"]')).to_contain_text("Approved by Lena P.")
    way.lift(desk)
    goes_on(desk)
    coup = studio.round()
    assert coup["state"] == "settled"
    assert coup["faults"] == ["unreadable_card"]
    assert coup["cards"][1] == ["B", SECOND_CARD]


def test_a_disagreement_of_sources_is_looked_into_frame_by_frame_and_ended_by_keys(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "wrong_card@1")
    dealer: Screen = screen(studio, DEALER_SIZE)
    dealer.sign_in("dealer")
    desk: Screen = screen(studio, SMALL_DESK)
    desk.sign_in("supervisor")
    KEYS.open_hold(desk)
    seen = {each["kind"]: each["card"] for each in told(desk)["sightings"]}
    assert seen["shoe"] != seen["camera"]
    # Who deals is not told which card one of the two sources named.
    expect(dealer.page.locator(".cmp")).to_contain_text("not sure which")

    expect(desk.page.locator("[data-frame]")).to_have_count(7)
    desk.page.keyboard.press("f")
    shown = desk.page.locator("[data-shown]")
    first = shown.get_attribute("data-shown")
    desk.page.keyboard.press("ArrowLeft")
    expect(shown).not_to_have_attribute("data-shown", str(first))
    desk.page.keyboard.press("ArrowRight")
    expect(shown).to_have_attribute("data-shown", str(first))
    expect(desk.page.locator(".wires li.near")).to_be_visible()
    keep(desk, "supervisor-frames")
    with desk.page.expect_download() as download:
        desk.page.locator('[data-button="bundle"]').focus()
        desk.page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".zip")
    desk.page.keyboard.press("Escape")
    expect(shown).to_have_count(0)

    KEYS.choose(desk, "KeyInCard")
    KEYS.card(desk, seen["camera"])
    KEYS.reason(desk, "reason.camera_proves")
    KEYS.act(desk)
    KEYS.second(desk, studio.people["pit-boss"])
    KEYS.lift(desk)
    goes_on(desk)
    coup = studio.round()
    assert coup["state"] == "settled"
    assert coup["cards"][1] == ["B", seen["camera"]]


def test_a_ninth_king_shows_where_the_others_were_and_ends_void_by_touch(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo("--by-hand", "--speed", "3", program=("tests.browser.crooked_pack",))
    desk: Screen = screen(studio, SMALL_DESK, touch=True)
    desk.sign_in("supervisor")
    studio.round()
    TOUCH.open_hold(desk)
    assert told(desk)["code"] == "impossible_card"
    review = desk.page.locator(".review li")
    expect(review).to_have_count(8)
    expect(review.first).to_contain_text("Coup 1")
    expect(review.last).to_contain_text("Coup 2")
    keep(desk, "supervisor-over-count")
    TOUCH.choose(desk, "VoidRound")
    TOUCH.act(desk)
    void_and_approve_here(desk, studio)
    in_sight(desk.page.locator('[data-button="receipt"]')).tap()
    expect(desk.page.locator(".case.calm")).to_be_visible()
    coup = studio.round()
    assert coup["state"] == "voided"
    assert coup["refunded"] == coup["staked"]
    assert [code for _, code in coup["cards"]] == [KING, KING]


def void_and_approve_here(desk: Screen, studio: Any) -> None:
    """From the void preview to its receipt, with the second person on this console."""
    expect(desk.page.locator(".checks .fails")).to_have_count(0)
    settled(desk)
    TOUCH.reason(desk, "reason.not_provable")
    in_sight(desk.page.locator('[data-button="void"]')).tap()
    TOUCH.second(desk, studio.people["pit-boss"])
    expect(desk.page.locator(".receipt")).to_contain_text("is void")


@BY_BOTH
def test_after_a_restart_in_mid_coup_the_felt_is_entered_and_the_coup_ends_right(
    demo: Any, screen: Any, keep: Any, way: Way
) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "kill@1")
    desk: Screen = screen(studio, SMALL_DESK, touch=way.touch)
    desk.sign_in("supervisor")
    way.open_hold(desk)
    expect(desk.page.get_by_role("heading", level=1)).to_have_text("BA1: Back after a stop")
    case = told(desk)
    hands = dict(case["felt"]["zones"])
    # The camera's word stands beside the journal's as soon as it sees again.
    for zone, cards in hands.items():
        word = desk.page.locator(f'[data-camera="{zone}"] .pc')
        expect(word).to_have_count(len(cards), timeout=60_000)
    expect(desk.page.locator(".feltentry .same")).to_be_visible()
    way.choose(desk, "RescanRound")
    # A slip of the finger is told as a difference before anything is asked.
    wrong = {"P": ["9D", *hands["P"][1:]], "B": hands["B"]}
    way.felt(desk, wrong)
    expect(desk.page.locator(".diffs")).to_contain_text("Player, card 1")
    if not way.touch:
        desk.page.locator(".slots").focus()
    way.felt(desk, hands)
    expect(desk.page.locator(".feltentry .same")).to_be_visible()
    keep(desk, "supervisor-recovery")
    way.reason(desk, "reason.camera_proves")
    way.act(desk)
    way.lift(desk)
    goes_on(desk)
    coup = studio.round()
    assert coup["state"] == "settled"
    assert coup["cards"][: len(hands["P"]) + len(hands["B"])] == [
        [zone, hands[zone][at]] for at in range(2) for zone in ("P", "B") if at < len(hands[zone])
    ]


def test_a_void_is_approved_on_the_second_persons_own_tablet(
    demo: Any, screen: Any, keep: Any
) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "wrong_card@1")
    desk: Screen = screen(studio, DESK_SIZE, touch=True)
    desk.sign_in("supervisor")
    boss: Screen = screen(studio, DEALER_SIZE, touch=True)
    boss.sign_in("pit-boss")
    overlay: Screen = screen(studio, DESK_SIZE)
    overlay.open(studio.overlay)
    TOUCH.open_hold(desk)
    view = desk.view("supervisor")
    TOUCH.choose(desk, "VoidRound")
    TOUCH.act(desk)
    settled(desk)
    TOUCH.reason(desk, "reason.not_provable")
    desk.page.locator('input[name="note"]').fill("the card was touched")
    keep(desk, "supervisor-void")
    in_sight(desk.page.locator('[data-button="void"]')).tap()
    expect(desk.page.locator('[data-approval="waits"]')).to_be_visible()
    keep(desk, "supervisor-void-waits")

    mark = boss.page.locator('[data-button="approvals"]')
    expect(mark).to_contain_text("1 waits for approval")
    mark.tap()
    settled(boss)
    expect(boss.page.locator('[data-approval="waits"]')).to_contain_text("Void coup 1")
    keep(boss, "supervisor-approve")
    in_sight(boss.page.locator('[data-button="approve"]')).tap()

    receipt = desk.page.locator(".receipt")
    expect(receipt).to_contain_text("The wallet has been told of everything.")
    keep(desk, "supervisor-receipt")
    expect(overlay.page.locator('[data-slate="void"]')).to_be_visible()
    coup = studio.round()
    assert coup["state"] == "voided"
    assert coup["refunded"] == coup["staked"] == view["void"]["returned"]


def test_what_was_declined_or_withdrawn_leaves_the_table_as_it_was(demo: Any, screen: Any) -> None:
    studio = demo("--by-hand", *SPEED, "--fault", "wrong_card@1")
    desk: Screen = screen(studio, SMALL_DESK)
    desk.sign_in("supervisor")
    boss: Screen = screen(studio, SMALL_DESK)
    boss.sign_in("pit-boss")
    for each in (desk, boss):
        KEYS.open_hold(each)

    def ask() -> None:
        KEYS.choose(desk, "KeyInCard")
        KEYS.card(desk, SECOND_CARD)
        KEYS.reason(desk, "reason.card_identity")
        KEYS.act(desk)
        expect(boss.page.locator('[data-approval="waits"]')).to_be_visible()

    ask()
    boss.page.locator('[data-button="declining"]').click()
    boss.page.locator('.appr [data-reason="reason.not_provable"]').click()
    boss.page.locator('[data-button="decline"]').click()
    ended = desk.page.locator('[data-approval="declined"]')
    expect(ended).to_contain_text("Declined by Lena P.: It cannot be proven")
    settled(desk)
    ask()
    desk.page.locator('[data-button="withdraw"]').click()
    expect(desk.page.locator('[data-approval="withdrawn"]')).to_contain_text("Nothing was done.")
    assert told(desk)["code"] == "reader_mismatch"
    assert desk.view("supervisor")["dealt"] == [[0, "P", "JS"]]
