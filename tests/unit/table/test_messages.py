"""The list of message codes is complete, and every complete catalogue words all of it."""

import json
import re
from pathlib import Path

import pytest

from studio.table import messages

ROOT = Path(__file__).resolve().parents[3]
LANGUAGES = ("ar", "en", "ur")


def test_every_refusal_in_the_source_is_in_the_list() -> None:
    """A reason that is raised and not listed would reach a screen without words."""
    found = set()
    for path in (ROOT / "studio" / "table").glob("*.py"):
        found |= set(re.findall(r'"refused\.([a-z_]+)"', path.read_text(encoding="utf-8")))
    assert found <= set(messages.REFUSALS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_words_every_code(language: str) -> None:
    """No screen may ever show a bare code."""
    path = ROOT / "web" / "ui" / "messages" / f"{language}.json"
    words = json.loads(path.read_text(encoding="utf-8"))
    assert [code for code in messages.codes() if code not in words] == []
