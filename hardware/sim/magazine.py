"""What is in a simulated shoe and what its reader makes of each card that comes out."""

from collections import deque
from collections.abc import Sequence

from hardware.sim.faults import ShoeFault
from hardware.sim.saboteur import Saboteur
from studio.domain.cards import CUT, PACK, UNREADABLE, Card

Words = tuple[str, ...]
"""Kind and payload of a frame, as ``("CARD", "7H")``."""


class Magazine:
    """Cards, gate and reader of one shoe. Not thread-safe.

    Each method gives what the shoe must report, in order.
    """

    def __init__(self, saboteur: Saboteur) -> None:
        self._saboteur = saboteur
        self._cards: deque[str] = deque()
        self._empty = False
        self.locked = False
        """Whether the gate holds the cards back."""

    @property
    def remaining(self) -> tuple[str, ...]:
        """What is still inside, in order of coming out."""
        return tuple(self._cards)

    def load(self, cards: Sequence[str]) -> list[Words]:
        """Put cards behind the others; ``CUT`` for the cut card.

        Raises:
            ValueError: naming the first code that is neither a card nor ``CUT``; nothing is loaded.
        """
        for code in cards:
            if code != CUT:
                Card.parse(code)
        self._cards.extend(cards)
        if not self._empty or not self._cards:
            return []
        self._empty = False
        return [("CLEAR", "EMPTY")]

    def unload(self) -> tuple[str, ...]:
        """Take out all cards without a word of the reader; what was inside."""
        inside = tuple(self._cards)
        self._cards.clear()
        return inside

    def draw(self, reads_as: str | None) -> tuple[str, list[Words]]:
        """Slide one card out: its code, or nothing if none came, and the reports.

        Raises:
            ValueError: if `reads_as` is neither a card nor ``??``.
        """
        if reads_as not in {None, UNREADABLE}:
            Card.parse(str(reads_as))
        if self.locked:
            return "", []
        if not self._cards:
            news: list[Words] = [] if self._empty else [("FAULT", "EMPTY", "no card in the shoe")]
            self._empty = True
            return "", news
        code = self._cards.popleft()
        if code == CUT:
            return code, [("CUT",)]
        return code, self._read(code, reads_as)

    def _read(self, code: str, reads_as: str | None) -> list[Words]:
        seen = reads_as
        if seen is None and self._saboteur.spend(ShoeFault.UNREADABLE):
            seen = UNREADABLE
        if seen is None and self._saboteur.spend(ShoeFault.WRONG_CARD):
            # The next card of the pack, which is never the same.
            seen = PACK[(PACK.index(Card.parse(code)) + 1) % len(PACK)].code
        if seen == UNREADABLE:
            return [("BAD", "blurred")]
        words = ("CARD", seen or code)
        return [words, words] if self._saboteur.spend(ShoeFault.REPEAT) else [words]
