"""The message catalogues on the server's side: the same files that the front end is built from.

A catalogue is a flat JSON object: a code and its text with ``{param}`` places, or a code and an
object of plural forms (``one``, ``few``, ``other`` …) chosen by the parameter ``count``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from babel import Locale

from studio.table.views import Message

HERE = Path(__file__).resolve().parent
PLACES = (HERE / "messages", HERE / "ui" / "messages")
"""Where the catalogues lie: in an installed package, in a checkout."""
SOURCE = "en"
"""The language that all others are compared with, and that prevails."""
PLACE = re.compile(r"\{(\w+)\}")

Text = str | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All messages of one language."""

    lang: str
    texts: Mapping[str, Text]

    @property
    def dir(self) -> str:
        """Direction of the script, ``ltr`` or ``rtl``."""
        return "rtl" if Locale.parse(self.lang).text_direction == "rtl" else "ltr"

    @property
    def name(self) -> str:
        """The language's name in itself, as it stands on a button."""
        return str(Locale.parse(self.lang).get_language_name(self.lang) or self.lang)

    def knows(self, code: str) -> bool:
        """Whether there is a text for this code."""
        return code in self.texts

    def say(self, message: Message) -> str:
        """Word a message; a code without a text is shown as itself, never as an error."""
        return self.text(message.code, dict(message.params))

    def text(self, code: str, params: Mapping[str, str | int] | None = None) -> str:
        """Word a code with what is to be filled in."""
        filled = dict(params or {})
        text = self.texts.get(code, code)
        if not isinstance(text, str):
            text = self._plural(text, filled.get("count", 0))
        return PLACE.sub(lambda place: str(filled.get(place[1], place[0])), text)

    def reason(self, code: str, sentence: str) -> str:
        """Word a refusal: in English the sentence, which may name more; else the code's text."""
        known = self.lang != SOURCE and self.knows(code)
        return self.text(code) if known else sentence

    def _plural(self, forms: Mapping[str, str], count: str | int) -> str:
        number = int(count) if str(count).lstrip("-").isdigit() else 0
        form = Locale.parse(self.lang).plural_form(abs(number))
        return forms.get(form) or forms.get("other") or next(iter(forms.values()), "")


def folder() -> Path | None:
    """Where the catalogues are; None if none were shipped."""
    return next((place for place in PLACES if (place / f"{SOURCE}.json").is_file()), None)


def read(path: Path) -> Catalogue:
    """Read one catalogue; ValueError if it is not of the form described above."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} must hold one JSON object of codes and texts")
    for code, text in found.items():
        plural = isinstance(text, dict) and all(isinstance(form, str) for form in text.values())
        if not isinstance(text, str) and not plural:
            raise ValueError(f"{path.name}: {code} must be a text or an object of plural forms")
    return Catalogue(path.stem, found)


@cache
def catalogues() -> Mapping[str, Catalogue]:
    """The catalogues that are complete, English first; these languages are offered."""
    place = folder()
    if place is None:
        return {SOURCE: Catalogue(SOURCE, {})}
    everything = {path.stem: read(path) for path in sorted(place.glob("*.json"))}
    wanted = set(everything[SOURCE].texts)
    return dict(_complete(everything, wanted))


def _complete(
    everything: Mapping[str, Catalogue], wanted: set[str]
) -> Iterator[tuple[str, Catalogue]]:
    yield SOURCE, everything[SOURCE]
    for lang, catalogue in everything.items():
        if lang != SOURCE and wanted <= set(catalogue.texts):
            yield lang, catalogue


def catalogue(lang: str) -> Catalogue:
    """The catalogue of a language, or English where that language is not offered."""
    offered = catalogues()
    return offered.get(lang, offered[SOURCE])
