"""What the table keeps of what is over: the results of a shoe, and the shoes before it."""

from dataclasses import dataclass, field
from typing import Final

from studio.domain.cards import Card

SHOES_KEPT: Final = 8
"""Shoes before the present one whose results stay for the supervisor: those of eight hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The result of one round of this shoe, for the roads."""

    number: int
    """In the shoe."""
    called: int
    """Number by which people call it, as in `Round`."""
    code: str
    outcome: str
    id: str = ""
    corrected_from: str = ""
    """The code that was paid first, where a correction changed it; empty else."""
    corrected_us: int = 0
    known: int = 0
    """How many coups of the shoe had ended at the newest correction; 0 if there was none."""
    before: str = ""
    """The code before the newest correction; empty if there was none."""
    cards: tuple[tuple[str, Card], ...] = ()
    """(zone, card) in order of dealing, as the newest word has them."""
    staked: int = 0
    returned: int = 0
    """What has gone back so far, corrections included; minor units."""
    started: int = 0
    """Version of the table at its opening: its facts begin there."""
    corrections: tuple[int, ...] = ()
    """Versions of the table at each of its corrections, oldest first."""
    procedure: str = ""
    """Version of the procedure that it was dealt under."""
    rules_digest: str = ""
    """Digest of the rules that it was dealt under."""
    owing: tuple[tuple[str, int], ...] = ()
    """(player, minor units) that could not be covered when corrections were paid, still owed."""

    @property
    def owed(self) -> int:
        """Minor units that players owe of this round."""
        return sum(amount for _, amount in self.owing)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastShoe:
    """A shoe that another one has followed; nothing of it changes any more."""

    number: int
    day: str
    """Gaming day on which the next shoe was begun."""
    ended_us: int
    """When its closing count was done; 0 if it was never counted."""
    balance: str
    """``balanced``, ``unverified``, ``mismatch``; empty if it was never counted."""
    results: tuple[Ended, ...] = field(hash=False)
    """Its rounds, oldest first. Not in the hash: shoes are told apart without them."""
