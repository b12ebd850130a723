"""Two ways to work a supervisor's desk: by the keyboard alone, and by touch alone.

Both follow what stands on the screen: an option is chosen by the number or the place that it has
there, and nothing is pressed that is not to be seen without scrolling.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as NoEffectError

from tests.browser.conftest import Screen


class Way(Protocol):
    """How a person gives a command to the desk."""

    touch: bool

    def open_hold(self, screen: Screen) -> None:
        """Open the held table."""

    def choose(self, screen: Screen, command: str) -> None:
        """Choose a repair."""

    def card(self, screen: Screen, code: str) -> None:
        """Say which card it is."""

    def felt(self, screen: Screen, hands: dict[str, list[str]]) -> None:
        """Enter what lies on the felt."""

    def reason(self, screen: Screen, code: str) -> None:
        """Give the reason."""

    def act(self, screen: Screen) -> None:
        """Do what was prepared, or ask for it."""

    def second(self, screen: Screen, person: dict[str, str]) -> None:
        """Let a second person approve on this console."""

    def lift(self, screen: Screen) -> None:
        """Let the table go on."""


def in_sight(locator: Locator) -> Locator:
    """Whatever is to be pressed lies whole within the window."""
    expect(locator).to_be_visible()
    page: Page = locator.page
    size = page.viewport_size
    box = locator.bounding_box()
    assert size is not None
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"] + 1, locator
    assert box["y"] + box["height"] <= size["height"] + 1, locator
    return locator


def settled(screen: Screen) -> None:
    """Wait until presses are obeyed again after a change of the layout (FACES.md 7)."""
    expect(screen.page.locator("html:not([data-deaf])")).to_have_count(1)


def until_lifted(screen: Screen, press: Callable[[], None]) -> None:
    """Press until the table goes on: a press that crosses something new is told to look again."""
    lift = screen.page.locator('[data-button="lift"]')
    for _ in range(5):
        settled(screen)
        press()
        try:
            lift.wait_for(state="detached", timeout=2000)
        except NoEffectError:
            continue
        return
    raise AssertionError(f"the hold was not lifted: {lift.inner_text()}")


def prepared(screen: Screen) -> Locator:
    """The button of the second act."""
    return screen.page.locator(".do .btn")


class Keys:
    """By the keyboard alone."""

    touch = False

    def open_hold(self, screen: Screen) -> None:
        """`N`: the oldest hold."""
        expect(screen.page.locator('.tile[data-state="hold"]')).to_be_visible(timeout=90_000)
        screen.page.keyboard.press("n")
        expect(screen.page.locator('.case[data-state="hold"]')).to_be_visible()
        settled(screen)

    def choose(self, screen: Screen, command: str) -> None:
        """The number that stands before it."""
        row = in_sight(screen.page.locator(f'[data-option="{command}"]'))
        screen.page.keyboard.press(row.locator("kbd").inner_text())
        expect(row).to_have_attribute("aria-checked", "true")

    def card(self, screen: Screen, code: str) -> None:
        """Rank, suit, and on with Enter."""
        expect(screen.page.locator(".chart")).to_be_focused()
        for key in (code[0], code[1], "Enter"):
            screen.page.keyboard.press(key)
        expect(screen.page.locator(f'[data-card="{code}"]')).to_have_attribute(
            "aria-checked", "true"
        )

    def felt(self, screen: Screen, hands: dict[str, list[str]]) -> None:
        """Each card in turn, from the first place of the first hand on."""
        expect(screen.page.locator(".slots")).to_be_focused()
        keyboard = screen.page.keyboard
        for row, cards in enumerate(hands.values()):
            moves = ["ArrowUp"] * len(hands) + ["ArrowDown"] * row + ["ArrowLeft"] * 3
            for key in (*moves, *"".join(cards)):
                keyboard.press(key)
        keyboard.press("Enter")

    def reason(self, screen: Screen, code: str) -> None:
        """The digit in its circle; the focus is there after the entry before it."""
        group = screen.page.locator('.why [role="radiogroup"]')
        if not group.evaluate("each => each === document.activeElement"):
            group.focus()
        digit = in_sight(screen.page.locator(f'[data-reason="{code}"]')).locator("i")
        screen.page.keyboard.press(digit.get_attribute("data-digit") or "")
        expect(screen.page.locator(f'[data-reason="{code}"]')).to_have_attribute(
            "aria-checked", "true"
        )

    def act(self, screen: Screen) -> None:
        """Enter: after the reason the focus is on the button."""
        in_sight(prepared(screen))
        expect(prepared(screen)).to_be_focused()
        screen.page.keyboard.press("Enter")

    def second(self, screen: Screen, person: dict[str, str]) -> None:
        """Number, Enter, PIN, Enter."""
        number = in_sight(screen.page.locator('.here input[name="number"]'))
        number.focus()
        number.fill(person["number"])
        screen.page.keyboard.press("Enter")
        pin = screen.page.locator('.here input[name="pin"]')
        expect(pin).to_be_focused()
        pin.fill(person["pin"])
        screen.page.keyboard.press("Enter")

    def lift(self, screen: Screen) -> None:
        """`A`."""
        in_sight(screen.page.locator('[data-button="lift"]'))
        until_lifted(screen, lambda: screen.page.keyboard.press("a"))


class Touch:
    """By touch alone; words go in by the tablet's own keyboard."""

    touch = True

    def open_hold(self, screen: Screen) -> None:
        """The held tile."""
        tile = screen.page.locator('.tile[data-state="hold"] .in')
        expect(tile).to_be_visible(timeout=90_000)
        tile.tap()
        expect(screen.page.locator('.case[data-state="hold"]')).to_be_visible()
        settled(screen)

    def choose(self, screen: Screen, command: str) -> None:
        """Its row."""
        row = in_sight(screen.page.locator(f'[data-option="{command}"]'))
        row.tap()
        expect(row).to_have_attribute("aria-checked", "true")

    def card(self, screen: Screen, code: str) -> None:
        """Its place in the chart."""
        in_sight(screen.page.locator(f'[data-card="{code}"]')).tap()

    def felt(self, screen: Screen, hands: dict[str, list[str]]) -> None:
        """Each place, then rank and suit."""
        for zone, cards in hands.items():
            for at, code in enumerate(cards, 1):
                in_sight(screen.page.locator(f'[data-place="{zone}{at}"]')).tap()
                in_sight(screen.page.locator(f'[data-rank="{code[0]}"]')).tap()
                in_sight(screen.page.locator(f'.cardpad [data-suit="{code[1]}"]')).tap()

    def reason(self, screen: Screen, code: str) -> None:
        """The reason itself."""
        in_sight(screen.page.locator(f'[data-reason="{code}"]')).tap()

    def act(self, screen: Screen) -> None:
        """The button."""
        in_sight(prepared(screen)).tap()

    def second(self, screen: Screen, person: dict[str, str]) -> None:
        """Both fields, then the button."""
        in_sight(screen.page.locator('.here input[name="number"]')).fill(person["number"])
        screen.page.locator('.here input[name="pin"]').fill(person["pin"])
        in_sight(screen.page.locator('[data-button="here.approve"]')).tap()

    def lift(self, screen: Screen) -> None:
        """The button."""
        button = in_sight(screen.page.locator('[data-button="lift"]'))
        until_lifted(screen, button.tap)


KEYS: Way = Keys()
TOUCH: Way = Touch()


def told(screen: Screen) -> dict[str, Any]:
    """The one open case, as this person sees it."""
    case: dict[str, Any] = screen.view("supervisor")["cases"][0]
    return case
