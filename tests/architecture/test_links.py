"""Links of the manual lead somewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every page of the manual and beside the sources, as paths from the root."""
    if not (ROOT / ".git").exists():
        return []
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


def anchors(page: Path) -> set[str]:
    """What a link may name in a page: its headings, as a forge spells them."""
    headings = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", pages(), ids=str)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    wrong = []
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page.parent / name) if name else ROOT / page
        if not target.exists():
            wrong.append(f"{link}: there is no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            wrong.append(f"{link}: there is no such heading")
    assert not wrong, "\n".join(wrong)


def test_every_picture_of_the_manual_stands_on_a_page() -> None:
    texts = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages())
    idle = [each.name for each in (ROOT / "docs/pictures").glob("*.png") if each.name not in texts]
    assert not pages() or not idle
