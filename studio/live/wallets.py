"""The embedded wallet: balances of players in whole minor units, kept in this studio.

Every call has a key. The same key again gives the same answer and moves nothing; the same key with
another content is a mistake of ours and stops the caller. Money is moved in one commit or not at
all, and each movement is kept with the balance before and after it (field report R-08).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Final, Protocol

from studio.domain.commands import Rejected
from studio.domain.envelope import canonical

UNLIMITED: Final = 10**15
"""Opening balance of a player in `play` who was given none; far from what 64 bits hold."""


class WalletMisused(Exception):  # noqa: N818  it says what happened
    """A key was used for two different calls: a fault of the caller, never of a player."""


@dataclass(frozen=True, slots=True)
class Movement:
    """One movement of money: below 0 a stake, above 0 what is paid."""

    player: str
    amount: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Booking:
    """What one call moved and what it refused."""

    movements: tuple[Movement, ...] = ()
    refused: tuple[str, ...] = ()
    """Ids of bets, or players, that are not covered."""


Plan = Callable[[Mapping[str, int]], Booking]
"""From the balances of the players who exist to what is booked."""


class WalletStore(Protocol):
    """Where balances are kept. Any thread may call it."""

    def book(self, key: str, digest: str, players: Iterable[str], plan: Plan) -> tuple[str, ...]:
        """In one commit: give the stored answer of this key, or make and keep the plan's booking.

        Raises:
            WalletMisused: if the key was used with another digest.
        """

    def balances(self, players: Iterable[str]) -> Mapping[str, int]:
        """Give the balances of those of these players who exist."""

    def movements(self, player: str) -> Sequence[Movement]:
        """Give all movements of a player, oldest first."""


class EmbeddedWallet:
    """A wallet of this studio's own over a store. Any thread may use it."""

    def __init__(self, store: WalletStore, *, name: str = "embedded") -> None:
        """Stand on a store."""
        self.name = name
        self._store = store

    def create(self, player: str, opening: int = 0) -> None:
        """Make a player known, with an opening balance in minor units; again is no mistake.

        Raises:
            Rejected: for an opening balance below 0.
        """
        if opening < 0:
            raise Rejected("balance_unusable", "give an opening balance of 0 or more")

        def plan(balances: Mapping[str, int]) -> Booking:
            if player in balances:
                return Booking()
            return Booking((Movement(player, opening, 0, opening),))

        self._store.book(f"open:{player}", _digest([player]), [player], plan)

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Take stakes of (bet id, player, minor units) in this order; the ids not covered.

        A player who is not known has no funds.

        Raises:
            WalletMisused: for an amount below 1, or a key that was used for something else.
        """
        _refuse_amounts([amount for _, _, amount in entries], least=1)

        def plan(balances: Mapping[str, int]) -> Booking:
            left = dict(balances)
            movements, refused = [], []
            for bet, player, amount in entries:
                before = left.get(player, 0)
                if amount > before:
                    refused.append(bet)
                    continue
                left[player] = before - amount
                movements.append(Movement(player, -amount, before, before - amount))
            return Booking(tuple(movements), tuple(refused))

        players = {player for _, player, _ in entries}
        plain = [list(entry) for entry in entries]
        return self._store.book(f"reserve:{key}", _digest(plain), players, plan)

    def short(self, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Look which of (id, player, minor units) the balance does not cover now, each by itself.

        A player who is not known has no funds.
        """
        known = self._store.balances({player for _, player, _ in entries})
        return tuple(each for each, player, amount in entries if amount > known.get(player, 0))

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        """Pay (player, minor units); what goes to a player who is not known is kept for them.

        Raises:
            WalletMisused: for an amount below 0, or a key that was used for something else.
        """
        _refuse_amounts([amount for _, amount in entries], least=0)

        def plan(balances: Mapping[str, int]) -> Booking:
            left = dict(balances)
            movements = []
            for player, amount in entries:
                before = left.get(player, 0)
                left[player] = before + amount
                if amount:
                    movements.append(Movement(player, amount, before, before + amount))
            return Booking(tuple(movements))

        players = {player for player, _ in entries}
        plain = [list(entry) for entry in entries]
        self._store.book(f"settle:{key}", _digest(plain), players, plan)

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Take (player, minor units) back: all of it or, where it is not covered, nothing.

        Each player is named once. Gives the players of whom nothing was taken.

        Raises:
            WalletMisused: for an amount below 1, or a key that was used for something else.
        """
        _refuse_amounts([amount for _, amount in entries], least=1)

        def plan(balances: Mapping[str, int]) -> Booking:
            movements, uncovered = [], []
            for player, amount in entries:
                before = balances.get(player, 0)
                if amount > before:
                    uncovered.append(player)
                    continue
                movements.append(Movement(player, -amount, before, before - amount))
            return Booking(tuple(movements), tuple(uncovered))

        players = {player for player, _ in entries}
        plain = [list(entry) for entry in entries]
        return self._store.book(f"debit:{key}", _digest(plain), players, plan)

    def balance(self, player: str) -> int | None:
        """The balance in minor units; None for a player who is not known."""
        return self._store.balances([player]).get(player)

    def total(self, players: Iterable[str]) -> int:
        """The sum of the balances of these players, for the laws of tests."""
        return sum(self._store.balances(players).values())

    def movements(self, player: str) -> Sequence[Movement]:
        """All movements of a player, oldest first."""
        return self._store.movements(player)


class MemoryWalletStore:
    """Balances in memory, for `play` and tests. Any thread may use it."""

    def __init__(
        self, balances: Mapping[str, int] | None = None, *, unlimited: bool = False
    ) -> None:
        """Begin with these balances; with `unlimited` everybody else exists and has plenty."""
        self._lock = Lock()
        self._unlimited = unlimited
        self._balances = dict(balances or {})
        self._answers: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._movements: dict[str, list[Movement]] = {}

    def book(self, key: str, digest: str, players: Iterable[str], plan: Plan) -> tuple[str, ...]:
        """Give the stored answer of this key, or make and keep the plan's booking.

        Raises:
            WalletMisused: if the key was used with another digest.
        """
        with self._lock:
            if key in self._answers:
                known, refused = self._answers[key]
                refuse_other_content(key, known, digest)
                return refused
            booking = plan(self._known(players))
            for movement in booking.movements:
                self._balances[movement.player] = movement.after
                self._movements.setdefault(movement.player, []).append(movement)
            self._answers[key] = (digest, booking.refused)
            return booking.refused

    def balances(self, players: Iterable[str]) -> Mapping[str, int]:
        """Give the balances of those of these players who exist."""
        with self._lock:
            return self._known(players)

    def _known(self, players: Iterable[str]) -> dict[str, int]:
        if self._unlimited:
            return {player: self._balances.get(player, UNLIMITED) for player in players}
        return {player: self._balances[player] for player in players if player in self._balances}

    def movements(self, player: str) -> Sequence[Movement]:
        """Give all movements of a player, oldest first."""
        with self._lock:
            return tuple(self._movements.get(player, ()))


class MemoryWallet(EmbeddedWallet):
    """The embedded wallet in memory: with balances per player, or with plenty for everybody."""

    def __init__(
        self,
        balances: Mapping[str, int] | None = None,
        *,
        unlimited: bool = False,
        name: str = "memory",
    ) -> None:
        """Begin with these balances."""
        super().__init__(MemoryWalletStore(balances, unlimited=unlimited), name=name)


def refuse_other_content(key: str, known: str, digest: str) -> None:
    """Compare what a key was used for with what it is used for now.

    Raises:
        WalletMisused: if it is something else.
    """
    if known != digest:
        raise WalletMisused(f"the key {key} was used for another call: nothing was moved")


def _refuse_amounts(amounts: Sequence[int], *, least: int) -> None:
    """Refuse what is no amount of money."""
    for amount in amounts:
        if type(amount) is not int or amount < least:
            raise WalletMisused(f"{amount!r} is no amount of at least {least} minor units")


def _digest(plain: list[list[object]] | list[str]) -> str:
    return sha256(canonical(plain).encode()).hexdigest()
