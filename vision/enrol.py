"""Enrolment: a session in which the studio's own deck is shown to a camera, card by card.

`Enrolment.do(word, given, frame)` takes one word at a time and answers with the whole state as JSON
values; the command line and the engineer's page use the same class. It has no thread, no clock of
its own and touches no file but for ``save`` and ``keep``.

Words, and what is given with them:

| word | given | does |
| -- | -- | -- |
| ``look`` | ``{"still": true}`` optional | looks at the newest frame; a card that rests in two
  different frames (or in one, if it is said to be still) is taken |
| ``name`` | ``{"card": CODE}`` | says what the card is that lies there now |
| ``keep`` | ``{"card": CODE}`` | takes a card that should be shown again as it is; where two look
  alike the table will ask about them |
| ``absent`` | ``{"card": "CUT"}`` | the studio has no cut card (or no separate back: ``"XX"``) |
| ``forget`` | ``{"card": CODE}`` | forgets a card that was shown wrongly |
| ``again`` | – | forgets all: start again |
| ``state`` | – | nothing but answer |
| ``resume`` | – | goes on with what was kept, or with the finished deck of the file: its views are
  looked at again, some with each further word, while ``say.code`` is ``resuming`` |
| ``store`` | – | keeps an unfinished deck beside its file, to go on later |
| ``save`` | ``{"name": TEXT}`` optional | writes the deck file, once nothing is missing |

CODE is a card as ``7H``, ``XX`` the back, ``CUT`` the cut card, ``JOKER`` a joker or an advert.
A refusal is an `EnrolRefused` (a ValueError, with `.sentence`: code and values); nothing is lost.

The answer::

    {"count": 41, "of": 52,                    # cards that are in
     "cards": {"AC": {"state": "in",           # "in" | "again" | "missing", all 52
                      "why": "",               # of "again": "alike"; else ""
                      "alike": ["QD"],         # those that it looks like
                      "taken_for": ""}, …},    # what the general reader takes it for, if not itself
     "back": {"state": "in", "views": 3, "alike": []},      # also "absent" here and for "cut"
     "cut": {"state": "missing", "views": 0, "alike": []},
     "jokers": {"state": "missing", "views": 0, "alike": []},   # never needed to save
     "last": "KD",                             # what was taken last; "" at first
     "say": {"code": "in", "card": "KD", "cards": [], "best": "", "second": "", "px": 0,
             "text": "KD is in. Show the next card."},
     "ask": {"best": "QH", "second": "QD"},    # a card lies there that wants a name; else null
     "hint": {"code": "alike", "cards": ["QH", "QD"], "text": …},  # what is wrong in all; else null
     "quad": [[x, y], …],                      # outline of what lies there, in pixels; else null
     "size": [1280, 720],                      # of the frame
     "save": {"allowed": false, "missing": 9, "again": 2, "lacks": ["XX"],
              "text": "9 cards missing, 2 to show again"},
     "file": "studio.deck", "name": "studio",
     "saved": {"sha256": …, "made_at": …},     # once saved; else null
     "changed": true}                          # something is not saved yet

``say.code`` is one of:

| code | means |
| -- | -- |
| ``show`` | nothing lies there: show a card |
| ``dark`` | no picture |
| ``moving`` | lay it down and take the hand away |
| ``two`` | more than one card is in view |
| ``small`` | the card is `px` wide: too small |
| ``in`` | `card` is in |
| ``view`` | one more view of the back, cut card or a joker is in |
| ``known`` | `card` was shown already |
| ``odd`` | `card` is in, but the general reader takes it for `best`: from now on the deck decides |
| ``alike`` | `cards` look too much alike: show each again |
| ``conflict`` | this reads as `card`, which is in already and looks different: name it |
| ``doubt`` | it may be `best` or `second`: name it, or show it again |
| ``stranger`` | no card that can be read: name it if it belongs to the deck |
| ``resuming`` | what was shown before is looked at again: go on with ``look`` |
| ``forgotten`` ``begun`` ``kept`` ``absent`` ``stored`` ``saved`` | the word was done |
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.deck import (
    BACK,
    CUT,
    FACES,
    Look,
    crop_of,
    load_deck,
    look_at,
    made_of,
    save_deck,
)
from vision.deckfile import UNFINISHED, DeckError, DeckHead
from vision.enrol_book import EXTRAS, Book
from vision.enrol_words import EnrolRefused, Say, lacking
from vision.layout import Layout
from vision.locate import Image, Quad
from vision.prototypes import KIND_PLACES
from vision.reader import CardKind, Crop, Reader
from vision.showing import Showing, Shown, Sight

SURE: Final = 0.5
"""A view is named without a person if the general reader is sure in so many variations."""
OTHERWISE: Final = 0.05
"""And sure of anything else in no more than so many."""
PLAIN: Final = 0.6
"""A back or a cut card is named by so many of them, if next to none shows a face."""
ALL: Final = 0.95
"""Or if it is sure of the view itself, and names the same in so many and is sure of no other."""
LIKELY: Final = 0.3
"""A name is offered to the operator if it was read in so many variations."""
SAME_CARD: Final = 0.92
"""A view shows a card that is in if its cosine to it is so high, and the reader says the same."""
SAME_NAMED: Final = 0.75
"""The same where the reader is sure of that card."""
AT_ONCE: Final = 10
"""Views of an earlier enrolment that are looked at again in one word; under a second."""
_NAMED: Final = {KIND_PLACES[CardKind.BACK]: BACK, KIND_PLACES[CardKind.CUT]: CUT}
"""What the general reader may name beside the faces."""
_PASSING: Final = frozenset({"dark", "moving", "two", "small", "doubt", "stranger", "conflict"})
"""What is no longer true once nothing lies there."""


class Enrolment:
    """One enrolment. For one thread."""

    def __init__(
        self,
        reader: Reader,
        file: Path,
        *,
        layout: Layout | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Begin with nothing shown; `file` is where `save` writes the deck."""
        self._reader = reader
        self._file = file
        self._layout = layout
        self._now = now
        self._name = file.stem
        self._book = Book()
        self._earlier: list[tuple[str, bytes]] = []
        """Views of an earlier enrolment that were not looked at again yet."""
        self._last = ""
        self._saved: DeckHead | None = None
        self._changed = False
        self._say = Say(code="show")
        self._size = (0, 0)
        self._clear_away()

    def _clear_away(self) -> None:
        """Nothing lies there yet."""
        self._showing = Showing(self._reader, self._layout)
        self._quad: Quad | None = None
        self._look_there: Look | None = None
        """The card that lies there."""
        self._ask: tuple[str, str] | None = None
        self._decided = False
        self._gone = True

    def do(self, word: str, given: Mapping[str, Any], frame: Image | None) -> dict[str, Any]:
        """Do one thing and answer with the state.

        Raises:
            ValueError: with one sentence that says what to do; nothing is changed then.
        """
        words: dict[str, Callable[[Mapping[str, Any], Image | None], None]] = {
            "look": self._look, "name": self._name_it, "keep": self._keep, "absent": self._lack,
            "forget": self._forget, "again": self._again, "resume": self._resume,
            "store": self._store, "save": self._save, "state": _nothing,
        }  # fmt: skip
        if word not in words:
            raise EnrolRefused("no_word", word=repr(word[:20]), words=" ".join(words))
        if self._earlier and word not in {"state", "again"}:
            self._look_again()
        words[word](given, frame)
        return self.answer()

    # -- looking ---------------------------------------------------------------------------------

    def _look(self, given: Mapping[str, Any], frame: Image | None) -> None:
        """Look at the newest frame, and take the card that rests in it."""
        if self._earlier:
            self._say = Say(code="resuming")
            return
        if frame is None:
            self._quad = None
            self._say = Say(code="dark")
            return
        still = given.get("still") is True
        self._size = (frame.shape[1], frame.shape[0])
        sight = self._showing.look(frame, still=still)
        self._quad = sight.quad
        if sight.what is Shown.RESTS and sight.crop is not None:
            if still or not self._decided:
                self._decide(sight.crop)
            return
        self._decided, self._look_there, self._ask = False, None, None
        self._await(sight)

    def _await(self, sight: Sight) -> None:
        """No card rests there: say what to do."""
        if sight.what is Shown.NOTHING:
            self._gone = True
            if self._say.code in _PASSING:
                self._say = Say(code="show")
        elif sight.what is Shown.SMALL:
            self._say = Say(code="small", px=sight.px)
        else:
            self._say = Say(code=sight.what.value)

    def _decide(self, crop: Crop) -> None:
        """A card rests there: take it, or ask about it."""
        look = look_at(self._reader, crop)
        self._look_there, self._decided, self._ask = look, True, None
        code, cosine = self._book.nearest(look)
        best, named = int(np.argmax(look.said)), _surely(look)
        there = code if cosine >= SAME_CARD else ""
        if there and _said_alike(look, self._book.entries[there].looks):
            self._known(there, look)
        elif named and named == code and cosine >= SAME_NAMED:
            self._known(named, look)
        elif named and (named in EXTRAS or not self._book.has(named) or self._book.again(named)):
            self._take(named, look)
        elif named:
            self._ask = (named, there)
            self._say = Say(code="conflict", card=named)
        elif best < len(FACES) and look.said[best] >= LIKELY:
            second = int(np.argsort(look.said[: len(FACES)])[-2])
            self._ask = (FACES[best], FACES[second] if look.said[second] else "")
            self._say = Say(code="doubt", best=self._ask[0], second=self._ask[1])
        else:
            self._ask = ("", "")
            self._say = Say(code="stranger")

    def _known(self, code: str, look: Look) -> None:
        """A card that is in lies there again."""
        if code in EXTRAS or self._book.again(code):
            self._take(code, look)
        elif code == self._last and not self._gone:
            self._say = Say(code="in", card=code)
        else:
            self._say = Say(code="known", card=code)

    def _take(self, code: str, look: Look) -> None:
        """Take what lies there as this."""
        seen_before = self._book.has(code)
        alike = self._book.take(code, look)
        self._last, self._changed, self._saved = code, True, None
        self._gone, self._ask = False, None
        odd = taken_for(look, code)
        if alike:
            self._say = Say(code="alike", card=code, cards=(code, *alike))
        elif odd:
            self._say = Say(code="odd", card=code, best=odd)
        else:
            self._say = Say(code="view" if code in EXTRAS and seen_before else "in", card=code)

    # -- the operator's words --------------------------------------------------------------------

    def _name_it(self, given: Mapping[str, Any], frame: Image | None) -> None:
        """The operator says what lies there."""
        code = _code(given)
        if self._look_there is None and frame is not None:
            sight = self._showing.look(frame, still=True)
            if sight.what is Shown.RESTS and sight.crop is not None:
                self._look_there = look_at(self._reader, sight.crop)
        if self._look_there is None:
            raise EnrolRefused("no_rest")
        self._decided = True
        self._take(code, self._look_there)

    def _keep(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """Take a card that looks like another as it is."""
        code = _code(given)
        if not self._book.again(code):
            raise EnrolRefused("not_again", card=code)
        self._book.keep(code)
        self._changed, self._saved = True, None
        self._say = Say(code="kept", card=code)

    def _lack(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """The studio's deck has no such thing."""
        code = _code(given)
        if code in FACES:
            raise EnrolRefused("has_card", card=code)
        self._book.forget(code)
        self._book.absent.add(code)
        self._changed, self._saved = True, None
        self._say = Say(code="absent", card=code)

    def _forget(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """Forget a card that was shown wrongly."""
        code = _code(given)
        if not self._book.has(code):
            raise EnrolRefused("not_shown", card=code)
        self._book.forget(code)
        self._last = "" if self._last == code else self._last
        self._changed, self._saved = True, None
        self._say = Say(code="forgotten", card=code)

    def _again(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """Forget all."""
        self._book, self._earlier = Book(), []
        self._last, self._changed, self._saved = "", False, None
        self._clear_away()
        self._say = Say(code="begun")

    # -- the file --------------------------------------------------------------------------------

    @property
    def _part(self) -> Path:
        """Where an unfinished deck is kept."""
        return self._file.with_name(self._file.name + UNFINISHED)

    def _resume(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """Go on with what was kept, or with a deck that is finished already."""
        path = self._part if self._part.is_file() else self._file
        try:
            deck = load_deck(path, unfinished=True)
        except DeckError as error:
            raise EnrolRefused("file", why=str(error)) from None
        self._again({}, None)
        self._name = deck.name
        self._book.absent = set(deck.absent)
        self._earlier = list(deck.views)
        self._saved = deck.head if path == self._file and deck.head.finished else None
        self._say = Say(code="resuming")

    def _look_again(self) -> None:
        """Look at some of the views of an earlier enrolment."""
        now, self._earlier = self._earlier[:AT_ONCE], self._earlier[AT_ONCE:]
        self._book.take_all([(code, look_at(self._reader, crop_of(png))) for code, png in now])
        if not self._earlier:
            self._say = Say(code="show")

    def _store(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """Keep an unfinished deck beside its file."""
        if self._earlier:
            raise EnrolRefused("resuming")
        if not self._book.entries:
            raise EnrolRefused("nothing_shown")
        self._write(self._part, finished=False)
        self._changed = False
        self._say = Say(code="stored")

    def _save(self, given: Mapping[str, Any], frame: Image | None) -> None:  # noqa: ARG002
        """Write the deck."""
        name = given.get("name", self._name)
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= 60 or not name.isprintable():
            raise EnrolRefused("name")
        if text := self._lacking():
            raise EnrolRefused("not_saved", what=f"{text[:1].lower()}{text[1:]}")
        self._name = name.strip()
        self._saved = self._write(self._file, finished=True)
        self._part.unlink(missing_ok=True)
        self._changed = False
        self._say = Say(code="saved")

    def _write(self, path: Path, *, finished: bool) -> DeckHead:
        """Write what was shown.

        Raises:
            EnrolRefused: if the file cannot be written.
        """
        head = DeckHead(
            name=self._name, sha256="", made_at=self._now().isoformat(timespec="seconds"),
            reader=self._reader.version, finished=finished,
        )  # fmt: skip
        try:
            deck = made_of(head, self._book.shown, sorted(self._book.absent))
            return save_deck(deck, path).head
        except DeckError as error:
            raise EnrolRefused("file", why=str(error)) from None

    # -- the answer ------------------------------------------------------------------------------

    def _lacking(self) -> str:
        """What must be done before the deck can be saved; empty if nothing."""
        if self._earlier:
            return "The cards shown before are being looked at again"
        book = self._book
        return lacking(len(book.missing), len(book.doubtful), book.lacks)

    def answer(self) -> dict[str, Any]:
        """The state as JSON values: see the top of this file."""
        book, text, ask = self._book, self._lacking(), self._ask
        doubtful = book.doubtful
        hint = Say(code="alike", cards=(doubtful[0], *sorted(book.entries[doubtful[0]].alike))) \
            if doubtful else None  # fmt: skip
        return {
            "count": sum(book.has(code) and not book.again(code) for code in FACES),
            "of": len(FACES),
            "cards": {code: self._card(code) for code in FACES},
            "back": self._extra(EXTRAS[0]),
            "cut": self._extra(EXTRAS[1]),
            "jokers": self._extra(EXTRAS[2]),
            "last": self._last,
            "say": self._say.body(),
            "ask": None if ask is None else {"best": ask[0], "second": ask[1]},
            "hint": None if hint is None else hint.body(),
            "quad": None if self._quad is None else np.round(self._quad, 1).tolist(),
            "size": list(self._size),
            "save": {"allowed": not text, "missing": len(book.missing), "again": len(doubtful),
                     "lacks": book.lacks, "text": text},
            "file": self._file.name,
            "name": self._name,
            "saved": self._saved and {"sha256": self._saved.sha256, "made_at": self._saved.made_at},
            "changed": self._changed,
        }  # fmt: skip

    def _card(self, code: str) -> dict[str, Any]:
        """One cell of the chart."""
        book = self._book
        if not book.has(code):
            return {"state": "missing", "why": "", "alike": [], "taken_for": ""}
        entry, again = book.entries[code], book.again(code)
        return {
            "state": "again" if again else "in", "why": "alike" if again else "",
            "alike": sorted(entry.alike), "taken_for": taken_for(entry.looks[-1], code),
        }  # fmt: skip

    def _extra(self, code: str) -> dict[str, Any]:
        """The back, the cut card or the jokers."""
        book = self._book
        if code in book.absent:
            return {"state": "absent", "views": 0, "alike": []}
        if not book.has(code):
            return {"state": "missing", "views": 0, "alike": []}
        entry = book.entries[code]
        state = "again" if book.again(code) else "in"
        return {"state": state, "views": len(entry.looks), "alike": sorted(entry.alike)}


def _nothing(given: Mapping[str, Any], frame: Image | None) -> None:
    """Do nothing: only the answer is wanted."""


def _code(given: Mapping[str, Any]) -> str:
    """The card that was given.

    Raises:
        EnrolRefused: if it is none.
    """
    code = given.get("card")
    if not isinstance(code, str) or code not in {*FACES, *EXTRAS}:
        raise EnrolRefused("no_card")
    return code


def _surely(look: Look) -> str:
    """What the general reader names a view without a doubt; empty if nothing."""
    best = int(np.argmax(look.sure))
    others = float(look.sure.sum() - look.sure[best])
    said = int(np.argmax(look.said))
    if said in _NAMED and look.said[said] >= PLAIN and look.said[: len(FACES)].sum() <= OTHERWISE:
        return _NAMED[said]
    unanimous = look.plain == best and look.said[best] >= ALL and others == 0
    if not unanimous and (look.sure[best] < SURE or others > OTHERWISE):
        return ""
    return FACES[best] if best < len(FACES) else _NAMED.get(best, "")


def _said_alike(look: Look, others: list[Look]) -> bool:
    """Whether the general reader mostly says the same of a view as of one of some others."""
    return any(int(np.argmax(look.said)) == int(np.argmax(each.said)) for each in others)


def taken_for(look: Look, code: str) -> str:
    """What the general reader takes a face for, if mostly for another face; else empty."""
    best = int(np.argmax(look.said))
    return FACES[best] if code in FACES and best < len(FACES) and FACES[best] != code else ""
