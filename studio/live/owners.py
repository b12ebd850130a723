"""Which betting platform placed the bets of a player in the open round.

The name of a batch begins with the platform that sent it (`Call.batch`). A platform speaks only for
players whose hand is its own; nobody is told who else is in a round.
"""

import re
import threading
from collections.abc import Iterable
from typing import Final

from studio.table.state import FUNDS_OF, Round

_BATCH: Final = re.compile(r"(.+)\.[0-9a-f]{24}")


def owner_of(batch: str) -> str:
    """The platform that sent a batch; empty for one that came from no platform."""
    found = _BATCH.fullmatch(batch)
    return found[1] if found else ""


class Owners:
    """The hands of each platform in the open round of one table. Any thread may ask.

    A hand is spoken for by who placed the first bet that gives it; what others stake beside it
    makes them no owner.
    """

    def __init__(self, seat: str) -> None:
        """Begin with no round; `seat` is the bet that gives a hand, empty where none does."""
        self._one = threading.Lock()
        self._seat = seat
        self._round = ("", False)
        self._taken: set[str] = set()
        self._players: dict[str, set[str]] = {}

    def strangers(
        self, platform: str, current: Round | None, players: Iterable[str]
    ) -> frozenset[str]:
        """Those of these players whose hand in this round is another platform's.

        Who has no hand at all is none of them: the table itself knows what to say.
        """
        if current is None:
            return frozenset()
        with self._one:
            self._follow(current)
            asked = set(players) - self._players.get(platform, set())
            others = [each for name, each in self._players.items() if name != platform]
            others += [
                set(batch.columns.players_of(self._seat))
                for batch in current.batches
                if batch.pending and owner_of(batch.id) != platform
            ]
            return frozenset(player for player in asked if any(player in each for each in others))

    def without_hand(
        self, platform: str, current: Round | None, players: Iterable[str]
    ) -> frozenset[str]:
        """Those of these players who have no hand by this platform, nor will by what is accepted.

        Before the bets are closed another platform may still place theirs.
        """
        if current is None:
            return frozenset(players)
        with self._one:
            self._follow(current)
            return frozenset(players) - self._players.get(platform, set())

    def _follow(self, current: Round) -> None:
        """Read the batches that are new; all of them in their order once bets are closed.

        What a play cost is no bet that a platform sent, and what still waits for the wallet is
        nobody's yet: a bet that it refuses makes no player.
        """
        if (current.id, current.bets_closed) != self._round:
            self._round = (current.id, current.bets_closed)
            self._taken, self._players = set(), {}
        for batch in current.batches:
            if batch.pending or batch.id in self._taken:
                continue
            self._taken.add(batch.id)
            if batch.id.startswith(FUNDS_OF):
                continue
            new = set(batch.columns.players_of(self._seat))
            for known in self._players.values():
                new = new - known
            self._players.setdefault(owner_of(batch.id), set()).update(new)
