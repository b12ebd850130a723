"""A process that deals at a real journal until it is killed at a named point.

Called as: crash_child.py DATABASE POINT NTH. The point is one of the runner's, or `after_wallet`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from studio.live.clock import ManualClock
from studio.live.wallets import EmbeddedWallet
from studio.storage.journal import SqlJournal, open_journal
from studio.storage.wallet import SqlWallet
from tests.support.live.bench import START_US, Bench

OPENING = 1_000_000
PLAYERS = ("ann", "bob")
COUPS = (
    "9S 2D KH 5D",
    "8S 3D QH 6D",
    "9H 2H KD 5H",
    "8H 3H QD 6H",
)


class Doom:
    """Kills this process, as a power cut would, when a point is reached for the nth time."""

    def __init__(self, point: str, nth: int) -> None:
        self._point = point
        self._left = nth

    def reached(self, point: str) -> None:
        if point == self._point:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


class DoomedWallet(EmbeddedWallet):
    """A wallet after whose answers the process may die."""

    doom: Doom

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        refused = super().reserve(key, entries)
        self.doom.reached("after_wallet")
        return refused

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        super().settle(key, entries)
        self.doom.reached("after_wallet")


def wallet_of(journal: SqlJournal) -> DoomedWallet:
    """The wallet beside a journal, with two players."""
    wallet = DoomedWallet(SqlWallet(journal.database))
    wallet.doom = Doom("never", 0)
    for player in PLAYERS:
        wallet.create(player, OPENING)
    return wallet


def main() -> None:
    """Deal until killed; exit 0 if that never happens."""
    url, point, nth = sys.argv[1:4]
    journal = open_journal(url)
    doom = Doom(point, int(nth))
    wallet = wallet_of(journal)
    wallet.doom = doom
    bench = Bench(
        journal,
        clock=ManualClock(START_US),
        purse=wallet,  # type: ignore[arg-type]
        at_point=doom.reached,
    )
    bench.open_shoe()
    for number, codes in enumerate(COUPS):
        bench.coup(codes, batch=f"b{number}")
        bench.collect()


if __name__ == "__main__":
    main()
