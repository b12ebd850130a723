"""Ends this process at a named point, as a power cut would; what has such points."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from studio.live.wallets import EmbeddedWallet
from studio.storage.journal import SqlJournal
from studio.storage.wallet import SqlWallet

RUNNER = ("before_decide", "before_commit", "after_commit", "after_adopt", "after_publish")
WALLET = ("before_wallet", "after_wallet")
OUTBOX = ("before_send", "after_send", "after_mark")
POINTS = (*RUNNER, *WALLET, *OUTBOX)
"""Every place between two of which something is durable, believed, shown, paid or sent."""
PLAYERS = ("ann", "bob", "cy", "poor")
OPENING = 10_000_000
RECEIVER = "platform"


class Doom:
    """Kills this process when a point is reached for the nth time; 0: never."""

    def __init__(self, point: str = "", nth: int = 0) -> None:
        self._point = point
        self._left = nth
        self.seen: dict[str, int] = {}
        """How often each point was reached."""

    def reached(self, point: str) -> None:
        self.seen[point] = self.seen.get(point, 0) + 1
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


class DoomedWallet(EmbeddedWallet):
    """A wallet around whose calls the process may die, and that may be out of reach."""

    def __init__(self, journal: SqlJournal, doom: Doom) -> None:
        super().__init__(SqlWallet(journal.database))
        self._doom = doom
        self.down = False
        for player in PLAYERS:
            self.create(player, 0 if player == "poor" else OPENING)

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        self._before()
        refused = super().reserve(key, entries)
        self._doom.reached("after_wallet")
        return refused

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        self._before()
        super().settle(key, entries)
        self._doom.reached("after_wallet")

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        self._before()
        uncovered = super().debit(key, entries)
        self._doom.reached("after_wallet")
        return uncovered

    def _before(self) -> None:
        if self.down:
            raise ConnectionError("the wallet does not answer")
        self._doom.reached("before_wallet")

    def balances(self) -> dict[str, int]:
        """What each player has."""
        return {player: self.balance(player) or 0 for player in PLAYERS}


class Courier:
    """Carries the outbox to a receiver that keeps a file: durable before it is confirmed."""

    def __init__(self, journal: SqlJournal, file: Path, doom: Doom) -> None:
        self._journal = journal
        self._file = file
        self._doom = doom

    def carry(self) -> None:
        """Send all that the receiver has not confirmed."""
        for each in self._journal.pending(RECEIVER):
            self._doom.reached("before_send")
            with self._file.open("a") as received:
                received.write(f"{each.n} {each.entry.id}\n")
                received.flush()
                os.fsync(received.fileno())
            self._doom.reached("after_send")
            self._journal.mark(RECEIVER, each.n)
            self._doom.reached("after_mark")
