"""What was shown in an enrolment, and what of it looks too much alike."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.deck import BACK, CUT, FACES, JOKER, Look, Prototypes, Verdict

EXTRAS: Final = (BACK, CUT, JOKER)
"""What may be shown beside the 52 cards."""
NEEDED: Final = (BACK, CUT)
"""What must be shown of it, or said to be absent."""
MOST_VIEWS: Final = 4
"""So many views of a back, a cut card or the jokers are kept."""
ALIKE: Final = 0.10
"""Two cards whose views are not at least so far apart are shown again."""
WEAK: Final = 10
"""Per cent of a view's variations that may be nearer to another card than that."""


class Why(StrEnum):
    """Why a card is to be shown again."""

    ALIKE = "alike"


@dataclass(slots=True)
class Entry:
    """What is known of one code."""

    looks: list[Look] = field(default_factory=list)
    alike: set[str] = field(default_factory=set)
    """Those that it looks too much like, and that were not taken as they are."""


class Book:
    """What was shown so far."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.absent: set[str] = set()
        self._kept: set[frozenset[str]] = set()

    def take(self, code: str, look: Look) -> list[str]:
        """Take a view; those that it looks too much like.

        A face has one view, so a new one takes the place of the old; other things have several.
        """
        entry = self.entries.setdefault(code, Entry())
        if code in FACES:
            entry.looks = [look]
            self._kept = {pair for pair in self._kept if code not in pair}
        else:
            entry.looks = [*entry.looks, look][-MOST_VIEWS:]
        self.absent.discard(code)
        for known in self.entries.values():
            known.alike.discard(code)
        entry.alike = {
            other for other in self.entries
            if other != code and frozenset((code, other)) not in self._kept
            and self.distance(code, other) < ALIKE
        }  # fmt: skip
        for other in entry.alike:
            self.entries[other].alike.add(code)
        return sorted(entry.alike)

    def forget(self, code: str) -> None:
        """Forget a code."""
        self.entries.pop(code, None)
        for other in self.entries.values():
            other.alike.discard(code)

    def keep(self, code: str) -> None:
        """Take a card as it is, and what it looks like as well."""
        for other in self.entries[code].alike:
            self._kept.add(frozenset((code, other)))
            self.entries[other].alike.discard(code)
        self.entries[code].alike = set()

    def has(self, code: str) -> bool:
        """Whether a code was shown."""
        return code in self.entries

    def again(self, code: str) -> bool:
        """Whether a code is to be shown again."""
        return code in self.entries and bool(self.entries[code].alike)

    @property
    def shown(self) -> list[tuple[str, Look]]:
        """All views, faces first in the reader's order."""
        order = [*FACES, *EXTRAS]
        return [
            (code, look) for code in order if code in self.entries
            for look in self.entries[code].looks
        ]  # fmt: skip

    def compare(self, look: Look) -> Verdict | None:
        """What a view is nearest to, in the mean of its variations; None while nothing is in."""
        if not self.entries:
            return None
        prototypes = Prototypes.of(self.shown)
        return prototypes.judge(prototypes.nearness(look.w, look.i).mean(axis=0))

    def distance(self, one: str, other: str) -> float:
        """How far apart two codes are: the lesser of both ways, in cosines."""
        return min(self._margin(one, other), self._margin(other, one))

    def _margin(self, own: str, other: str) -> float:
        """How much nearer the variations of one code are to it than to another; its weak end."""
        looks = self.entries[own].looks
        mine = Prototypes.of([(own, look) for look in looks])
        theirs = Prototypes.of([(other, look) for look in self.entries[other].looks])
        margins: list[NDArray[Any]] = [
            mine.nearness(look.w, look.i).max(axis=1) - theirs.nearness(look.w, look.i).max(axis=1)
            for look in looks
        ]
        return float(np.percentile(np.concatenate(margins), WEAK))

    @property
    def missing(self) -> list[str]:
        """Faces that were not shown."""
        return [code for code in FACES if code not in self.entries]

    @property
    def doubtful(self) -> list[str]:
        """Codes that are to be shown again."""
        return [code for code in (*FACES, *EXTRAS) if self.again(code)]

    @property
    def lacks(self) -> list[str]:
        """What is needed beside the faces and neither shown nor said to be absent."""
        return [code for code in NEEDED if not self.has(code) and code not in self.absent]
