"""The players' money held against what the rounds tell: the check that a sum of sums cannot be."""

import threading
from collections.abc import Sequence

from studio.launch import Studio
from studio.live.wallets import EmbeddedWallet
from studio.table import ledger


class Purse:
    """What the players of a demonstration have together, from its start on."""

    def __init__(self, studio: Studio, names: Sequence[str]) -> None:
        """Count the money as it is now; the studio runs."""
        self._studio = studio
        self._names = tuple(names)
        self._brought = self._theirs()
        self._lock = threading.Lock()

    def top_up(self, key: str, names: Sequence[str], least: int, amount: int) -> int:
        """Let those of these players who have less than `least` bring more, minor units each.

        The key names the occasion: asked again, nobody brings anything twice. Gives how many did.
        """
        wallet = self._wallet()
        short = wallet.short([(name, name, least) for name in names])
        if not short:
            return 0
        with self._lock:
            before = wallet.total(short)
            wallet.settle(f"brought:{key}", [(name, amount) for name in short])
            self._brought += wallet.total(short) - before
        return len(short)

    def lost(self) -> int:
        """What the players have lost since, minor units; below 0 what they have won.

        By the wallet's own word; ask while the studio runs and the wallet was told all.
        """
        return self._brought - self._theirs()

    def _theirs(self) -> int:
        """Balances, and the stakes that lie on the tables: they are not lost."""
        studio = self._studio
        money = self._wallet().total(self._names)
        for desk in studio.desks():
            money += ledger.open_stakes(desk.table())
        return money

    def _wallet(self) -> EmbeddedWallet:
        wallet = self._studio.wallet
        if wallet is None:
            raise RuntimeError("the studio is not started: nobody has any money yet")
        return wallet
