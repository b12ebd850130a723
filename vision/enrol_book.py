"""What was shown in an enrolment, and what of it looks too much alike."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.deck import ALIKE, BACK, CUT, FACES, JOKER, Look, Prototypes

EXTRAS: Final = (BACK, CUT, JOKER)
"""What may be shown beside the 52 cards."""
NEEDED: Final = (BACK, CUT)
"""What must be shown of it, or said to be absent."""
MOST_VIEWS: Final = 4
"""So many views of a back, a cut card or the jokers are kept."""


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
        self._compare_all()
        return sorted(entry.alike)

    def take_all(self, shown: Iterable[tuple[str, Look]]) -> None:
        """Take views of an earlier enrolment."""
        for code, look in shown:
            entry = self.entries.setdefault(code, Entry())
            entry.looks = [look] if code in FACES else [*entry.looks, look][-MOST_VIEWS:]
        self._compare_all()

    def _compare_all(self) -> None:
        """Find what looks alike, on the scale of all that was shown."""
        prototypes = Prototypes.of(self.shown)
        near = np.argwhere(np.triu(prototypes.apart() < ALIKE))
        for entry in self.entries.values():
            entry.alike = set()
        for one, other in near.tolist():
            pair = (prototypes.codes[one], prototypes.codes[other])
            # Two things that are no face may look alike: neither is ever a card.
            if frozenset(pair) not in self._kept and (pair[0] in FACES or pair[1] in FACES):
                self.entries[pair[0]].alike.add(pair[1])
                self.entries[pair[1]].alike.add(pair[0])

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

    def nearest(self, look: Look) -> tuple[str, float]:
        """(code, cosine) of what a view is most like, in the mean of its variations.

        Cosines and not sigmas, as there is no scale yet while little was shown.
        """
        best, most = "", -1.0
        mine = middle_of(look)
        for code, other in self.shown:
            theirs = middle_of(other)
            # A view may have been cut out upside down.
            ways = max((mine[:2] * theirs[:2]).sum(), (mine[:2] * theirs[1::-1]).sum())
            value = (float(ways) + float(mine[2] @ theirs[2])) / 3
            if value > most:
                best, most = code, value
        return best, most

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


def middle_of(look: Look) -> NDArray[np.float32]:
    """(3, 128): the means of a view's features, each of length 1: W's both ways up, I's."""
    w, i = look.w, look.i
    rows = np.stack([w[0::2].mean(axis=0), w[1::2].mean(axis=0), i.mean(axis=(0, 1))])
    long = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(long, 1e-6), np.float32)
