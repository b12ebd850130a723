"""What enrolment says: one code with its data, and the English sentence of each.

The pages say the same in the words of their catalogue; the command line prints `Say.text`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studio.domain.cards import CUT, HIDDEN
from vision.deck import JOKER

NAMES: Final = {HIDDEN: "the back", CUT: "the cut card", JOKER: "a joker"}
"""How things that are no face are called in a sentence."""
SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def called(code: str) -> str:
    """A code for people: ``10♥``, ``the back``."""
    if code in NAMES:
        return NAMES[code]
    if len(code) == 2:
        return code[0].replace("T", "10") + SIGNS.get(code[1], code[1])
    return code


def listed(codes: Sequence[str]) -> str:
    """Several of them."""
    words = [called(code) for code in codes]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _first_large(text: str) -> str:
    """A sentence begins with a capital letter."""
    return text[:1].upper() + text[1:]


_TEXTS: Final = {
    "show": "Show a card, alone and flat. Any order, any way up.",
    "dark": "The camera gives no picture.",
    "moving": "Lay the card down and take your hand away.",
    "two": "More than one card is in view. Show one alone.",
    "small": "The card is only {px} pixels wide. Bring the camera nearer: it needs 64.",
    "in": "{card} is in. Show the next card.",
    "view": "One more view of {card} is in.",
    "known": "{card} was shown already. Show the next card.",
    "odd": "{card} is in. The reader takes it for {best}, so from now on this deck decides.",
    "alike": "{cards} look too much alike from here. Show each again, flat and alone, or keep them:"
    " the table will then ask about them.",
    "conflict": "This reads as {card}, which is in already and looks different. Say which card it"
    " is.",
    "doubt": "This may be {best}. If so, say it; else show it again without glare.",
    "stranger": "This is no card that can be read. If it belongs to the deck, say what it is.",
    "forgotten": "{card} is forgotten. Show it again.",
    "begun": "All is forgotten. Show the first card.",
    "kept": "{card} is kept as it is.",
    "absent": "The deck is taken to have no {bare}.",
    "resuming": "The cards that were shown before are looked at again.",
    "stored": "What was shown is kept. The deck is not finished.",
    "saved": "The deck is saved.",
}
"""The sentence of each code."""


REFUSALS: Final = {
    "no_word": "enrolment knows no word {word}: it has {words}",
    "no_rest": "no card lies there at rest: lay it down alone, then say what it is",
    "not_again": "{card} does not have to be shown again: nothing to keep",
    "has_card": "a deck has {card}: show it, or say what lies there",
    "not_shown": "{card} was not shown: nothing to forget",
    "file": "{why}",
    "resuming": "the cards shown before are being looked at again: wait a moment",
    "nothing_shown": "nothing was shown yet: there is nothing to keep",
    "name": "name: give the deck a name of 1 to 60 letters",
    "not_saved": "the deck cannot be saved yet: {what}",
    "no_card": "card: give a card as 7H, XX for the back, CUT for the cut card or JOKER for a"
    " joker",
}
"""The sentence of each refusal."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal by its code, with what is filled in; cards as their codes."""

    code: str
    values: Mapping[str, str]


class EnrolRefused(ValueError):  # noqa: N818  # a refusal, told to who asked
    """A word that cannot be done now; the sentence says what to do."""

    def __init__(self, code: str, **values: str) -> None:
        """Word a refusal of `REFUSALS`."""
        self.sentence = Refusal(f"refused.{code}", values)
        shown = {name: called(value) if name == "card" else value for name, value in values.items()}
        super().__init__(REFUSALS[code].format(**shown))


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """One sentence with its data."""

    code: str
    card: str = ""
    cards: tuple[str, ...] = ()
    best: str = ""
    second: str = ""
    px: int = 0

    @property
    def text(self) -> str:
        """In English."""
        filled = _TEXTS[self.code].format(
            card=called(self.card),
            cards=listed(self.cards) if self.cards else "",
            best=called(self.best),
            px=self.px,
            bare=called(self.card).removeprefix("the "),
        )
        return _first_large(filled)

    def body(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "code": self.code, "card": self.card, "cards": list(self.cards), "best": self.best,
            "second": self.second, "px": self.px, "text": self.text,
        }  # fmt: skip


def lacking(missing: int, again: int, lacks: Sequence[str]) -> str:
    """What must still be done before the deck can be saved; empty if nothing."""
    words = []
    if missing:
        words.append(f"{missing} card{'s' if missing > 1 else ''} missing")
    if again:
        words.append(f"{again} to show again")
    words += [f"{called(code)} missing" for code in lacks]
    return _first_large(", ".join(words))
