"""Which betting platform placed the bets of a player in the open round.

The name of a batch begins with the platform that sent it (`Call.batch`). A platform speaks only for
players whose bets are its own; nobody is told who else is in a round.
"""

import re
import threading
from collections.abc import Iterable
from typing import Final

from studio.domain.columns import Columns
from studio.table.state import FUNDS_OF, Round

_BATCH: Final = re.compile(r"(.+)\.[0-9a-f]{24}")


def owner_of(batch: str) -> str:
    """The platform that sent a batch; empty for one that came from no platform."""
    found = _BATCH.fullmatch(batch)
    return found[1] if found else ""


class Owners:
    """The players of each platform in the open round of one table. Any thread may ask."""

    def __init__(self) -> None:
        """Begin with no round."""
        self._one = threading.Lock()
        self._round = ""
        self._taken: set[str] = set()
        self._players: dict[str, set[str]] = {}

    def strangers(
        self, platform: str, current: Round | None, players: Iterable[str]
    ) -> frozenset[str]:
        """Those of these players whose bets in this round are all another one's.

        Who has no bet at all is none of them: the table itself knows what to say.
        """
        if current is None:
            return frozenset()
        with self._one:
            self._follow(current)
            asked = set(players) - self._players.get(platform, set())
            others = [each for name, each in self._players.items() if name != platform]
            others += [set(each.players) for name, each in _waiting(current) if name != platform]
            return frozenset(player for player in asked if any(player in each for each in others))

    def without_bet(
        self, platform: str, current: Round | None, players: Iterable[str]
    ) -> frozenset[str]:
        """Those of these players for whom this platform has no bet in the round, nor asks for one.

        Before the bets are closed another platform may still place theirs.
        """
        if current is None:
            return frozenset(players)
        with self._one:
            self._follow(current)
            found = set(players) - self._players.get(platform, set())
        for name, columns in _waiting(current):
            if name == platform:
                found.difference_update(columns.players)
        return frozenset(found)

    def _follow(self, current: Round) -> None:
        """Read the batches that are new; what a play cost is no bet that a platform sent.

        What still waits for the wallet is nobody's yet: a bet that it refuses makes no player.
        """
        if current.id != self._round:
            self._round, self._taken, self._players = current.id, set(), {}
        for batch in current.batches:
            if batch.pending or batch.id in self._taken:
                continue
            self._taken.add(batch.id)
            if not batch.id.startswith(FUNDS_OF):
                self._players.setdefault(owner_of(batch.id), set()).update(batch.columns.players)


def _waiting(current: Round) -> list[tuple[str, Columns]]:
    """(platform, bets) of what still waits for the wallet."""
    return [(owner_of(batch.id), batch.columns) for batch in current.batches if batch.pending]
