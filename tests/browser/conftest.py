"""A whole demonstration studio in a process of its own, and a real Chromium to look at it.

With `--pictures` the screens are kept in docs/pictures, for the README and the manual.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from web.build import MANIFEST
from web.words import catalogue

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
"""The pages that may use a picture; one that none uses is not kept."""
START_S = 120
DEALER_SIZE = (1280, 800)
DESK_SIZE = (1920, 1080)
SMALL_DESK = (1440, 900)
"""The smallest desk: nothing that is needed may lie below its fold."""

HOMES = {"dealer": "**/dealer/*", "engineer": "**/engineer"}
"""Where a role begins; all others at the wall."""
EXPECTED_NOISE = ("/picture/",)
"""Addresses whose absence is no mistake of a page: a camera that has shown nothing yet."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the pictures of the manual be made by the tests that look at the same screens."""
    parser.addoption(
        "--pictures", action="store_true", help="keep the screens of the browser tests"
    )


class Demo:
    """`cutcard demo` with a simulated dealer and players; the supervisor is the test."""

    def __init__(self, *options: str, program: tuple[str, ...] = ("studio", "demo")) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", *program, "--port", "0", "--json", *options],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self.errors: list[str] = []
        for target in (self._read_lines, self._read_errors):
            threading.Thread(target=target, daemon=True).start()
        try:
            told = self._lines.get(timeout=START_S)
        except queue.Empty:
            self.stop()
            raise AssertionError("the demonstration did not start:\n" + self.said()) from None
        self.address: str = told["address"]
        self.overlay: str = told["overlay"]
        self.people = {person["role"]: person for person in told["people"]}

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(json.loads(line))

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self.errors.extend(self._process.stderr)

    def said(self) -> str:
        """The last of what it wrote to standard error."""
        return "".join(self.errors[-30:])

    def round(self, timeout_s: float = 120) -> dict[str, Any]:
        """The line of the next round that ends."""
        try:
            return self._lines.get(timeout=timeout_s)
        except queue.Empty:
            raise AssertionError("no round ended:\n" + self.said()) from None

    def freeze(self) -> None:
        """Make every process of it stand still, as a machine does that hangs."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.killpg(self._process.pid, signal.SIGCONT)

    def stop(self) -> int:
        """End it as a person does; its exit status."""
        if self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGTERM)
        try:
            return self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            raise


@pytest.fixture
def demo() -> Iterator[Any]:
    """Starts demonstrations, and ends them in order."""
    if not MANIFEST.is_file():
        pytest.skip("the screens are not built: run `make ui`")
    running: list[Demo] = []

    def start(*options: str, program: tuple[str, ...] = ("studio", "demo")) -> Demo:
        running.append(Demo(*options, program=program))
        return running[-1]

    yield start
    for each in running:
        status = each.stop()
        assert status == 0, each.said()
        assert "Traceback" not in each.said()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """The machine's Chromium; without its sandbox only where it runs as root."""
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield running
        running.close()


class Screen:
    """One person's browser."""

    def __init__(self, context: BrowserContext, demo: Demo) -> None:
        self.demo = demo
        self.context = context
        self.page: Page = context.new_page()
        self.lang = "en"
        self.complaints: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))

    def _console(self, message: ConsoleMessage) -> None:
        address = str(message.location.get("url", ""))
        if message.type == "error" and not any(part in address for part in EXPECTED_NOISE):
            self.complaints.append(f"{message.text} {address}")

    def words(self, code: str, **params: str | int) -> str:
        """The text of a message in this screen's language."""
        return catalogue(self.lang).text(code, params)

    def sign_in(self, role: str, lang: str = "en") -> None:
        """Sign in as a person does: language, number, PIN, Enter."""
        self.lang = lang
        self.page.goto(self.demo.address)
        self.page.get_by_role("button", name=catalogue(lang).name).click()
        person = self.demo.people[role]
        self.page.get_by_label(self.words("signin.number")).fill(person["number"])
        self.page.get_by_label(self.words("signin.pin"), exact=True).fill(person["pin"])
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(HOMES.get(role, "**/supervisor"))

    def open(self, address: str) -> None:
        """Go to an address of the studio."""
        self.page.goto(self.demo.address + address if address.startswith("/") else address)

    def state(self, state: str, timeout_s: float = 120) -> None:
        """Wait until this screen as a whole is in a state."""
        self.page.locator(f'.dealer[data-state="{state}"]').wait_for(timeout=timeout_s * 1000)

    def view(self, audience: str, table: str = "ba1") -> dict[str, Any]:
        """What the server gives this person to see of the table."""
        answer = self.context.request.get(f"{self.demo.address}/api/ui/view/{table}/{audience}")
        assert answer.ok
        view: dict[str, Any] = answer.json()["view"]
        return view


@pytest.fixture
def screen(browser: Browser) -> Iterator[Any]:
    """Opens browsers; none of them may have complained at the end."""
    opened: list[Screen] = []

    def open_screen(demo: Demo, size: tuple[int, int], *, touch: bool = False) -> Screen:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch)
        context.set_default_timeout(30_000)
        opened.append(Screen(context, demo))
        return opened[-1]

    yield open_screen
    complaints = [complaint for each in opened for complaint in each.complaints]
    for each in opened:
        each.context.close()
    assert complaints == []


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Any:
    """Keeps a picture of a screen, if pictures were asked for."""
    wanted = bool(request.config.getoption("--pictures", default=False))

    def picture(screen: Screen, name: str) -> None:
        if wanted and any(f"pictures/{name}.png" in page.read_text("utf-8") for page in PAGES):
            PICTURES.mkdir(parents=True, exist_ok=True)
            screen.page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")

    return picture
