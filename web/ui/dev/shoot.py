# ruff: noqa: INP001, T201  a script that tells what the browser says
"""Photographs still views with a headless browser, to be looked at beside the mock-ups.

Run the development server (``npm run dev``), then ``python web/ui/dev/shoot.py OUT dealer:betting``
with any number of ``face:view[:lang]`` items.
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SIZES = {"dealer": (1280, 800), "signin": (1280, 800), "overlay": (1920, 1080)}
SIZES["engineer"] = (1440, 900)
ADDRESS = "http://127.0.0.1:5199/dev/index.html"


def main(out: Path, items: list[str]) -> None:
    """Write one picture per item into `out`."""
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        for item in items:
            face, view, lang, extra = (*item.split(":"), "", "", "")[:4]
            width, height = SIZES.get(face, (1920, 1080))
            if "x" in os.environ.get("SIZE", ""):
                width, height = (int(each) for each in os.environ["SIZE"].split("x"))
            page = browser.new_page(viewport={"width": width, "height": height})
            page.on("console", lambda message: print(message.type, message.text))
            page.on("pageerror", lambda error: print("error", error))
            page.goto(f"{ADDRESS}?face={face}&view={view}&lang={lang or 'en'}&felt=1&{extra}")
            page.wait_for_function("document.documentElement.dataset.ready === 'yes'")
            page.wait_for_timeout(250)
            page.screenshot(path=out / f"{face}-{view}-{lang or 'en'}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
