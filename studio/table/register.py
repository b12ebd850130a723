"""Who has which bets in the open round: by id, by player and, for the settlement, as arrays.

Part of the book: made from the frozen state, found again by comparing what it was made from. What
it keeps of a bet is a few bytes of arrays; ids and kinds stay in the columns.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.columns import Columns
from studio.table.ledger import EXACT, Rows
from studio.table.seating import Numbers, Seating
from studio.table.state import Batch, Round

CARRIED: Final = "carried/"
"""Name under which bets that stand over rounds are kept; no batch is called so."""


@dataclass(slots=True)
class Ids:
    """In which batches an id may be: by hash, so that a million ids are a few megabytes.

    A few sorted arrays, each a good deal longer than the next: adding sorts what is short.
    """

    _levels: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = field(default_factory=list)

    def add(self, ids: Sequence[str], batch: int) -> None:
        """Take the ids of a batch."""
        hashes = np.sort(_hashes(ids))
        batches = np.full(len(hashes), batch, np.int32)
        while self._levels and len(self._levels[-1][0]) <= len(hashes):
            longer, their = self._levels.pop()
            hashes, batches = np.concatenate((longer, hashes)), np.concatenate((their, batches))
            order = np.argsort(hashes, kind="stable")
            hashes, batches = hashes[order], batches[order]
        self._levels.append((hashes, batches))

    def batches(self, ids: Sequence[str]) -> set[int]:
        """The batches in which some of these ids may be; surely none but these."""
        wanted, found = np.sort(_hashes(ids)), set[int]()
        for hashes, batches in self._levels:
            first = np.searchsorted(hashes, wanted, "left")
            last = np.searchsorted(hashes, wanted, "right")
            for at in np.flatnonzero(last > first).tolist():
                found.update(batches[first[at] : last[at]].tolist())
        return found


def _hashes(ids: Sequence[str]) -> NDArray[np.int64]:
    return np.fromiter(map(hash, ids), np.int64, len(ids))


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch as it was taken over."""

    number: int
    columns: Columns
    rows: Rows


@dataclass(slots=True)
class Bets:
    """Bets of the open round by id and by player, those that wait for the wallet too."""

    numbers: dict[str, int] = field(default_factory=dict)
    """Number of each player who has, or had, a bet in this round."""
    _staked: dict[str, Numbers] = field(default_factory=dict)
    """Per kind of bet: minor units by number of the player; longer than there are players."""
    _ids: Ids = field(default_factory=Ids)
    _names: list[str] = field(default_factory=list)
    """The batches by number."""
    _taken: dict[str, Taken] = field(default_factory=dict)
    _round: str = ""
    _closed: bool = False
    _total: int = 0

    def follow(self, current: Round | None) -> "Bets":
        """Take over what differs from the batches that it was made from."""
        if current is None or current.id != self._round:
            self._begin("" if current is None else current.id)
        if current is None:
            return self
        batches = _batches(current)
        for name in self._taken.keys() - {batch.id for batch in batches}:
            self._change(self._taken.pop(name).rows, -1)
        for batch in batches:
            known = self._taken.get(batch.id)
            if known is None or known.columns is not batch.columns:
                self._take(batch, known)
        if current.bets_closed and not self._closed:
            # From now on nobody asks which ids are known, nor for more than who staked what.
            self._closed, self._ids, self._names = True, Ids(), []
        return self

    def _begin(self, round_id: str) -> None:
        self.numbers, self._staked, self._taken = {}, {}, {}
        self._ids, self._names, self._total = Ids(), [], 0
        self._round, self._closed = round_id, False

    def _take(self, batch: Batch, known: Taken | None) -> None:
        columns = batch.columns
        if known is not None and columns.count < known.columns.count:
            self._keep(batch.id, known, columns)
            return
        if known is not None:
            self._change(known.rows, -1)
        if not self._closed:
            self._ids.add(columns.ids, len(self._names))
        numbers, players = self.numbers, columns.players
        who = [numbers.setdefault(player, len(numbers)) for player in players]
        self._total += columns.total
        rows = Rows.of(columns, who)
        self._taken[batch.id] = Taken(len(self._names), columns, rows)
        self._names.append(batch.id)
        self._change(rows, 1)

    def _keep(self, name: str, known: Taken, columns: Columns) -> None:
        """Of a batch only these bets are left; whose they are and what they cost is known."""
        left = frozenset(columns.ids)
        kept = np.array([each in left for each in known.columns.ids])
        self._change(known.rows.only(~kept), -1)
        self._taken[name] = Taken(known.number, columns, known.rows.only(kept))

    def _change(self, rows: Rows, sign: int) -> None:
        """Add the stakes of some rows, or take them away."""
        for code, bet in enumerate(rows.kinds):
            mine = slice(None) if len(rows.kinds) == 1 else rows.kind == code
            np.add.at(self._array(bet), rows.who[mine], sign * rows.stake[mine])

    def _array(self, bet: str) -> Numbers:
        """The stakes on a kind of bet, with room for all players.

        Of whole numbers of any size where their sum may not fit.
        """
        has: NDArray[Any] = self._staked.get(bet, np.zeros(0, np.int64))
        if self._total > EXACT and has.dtype != object:
            has = has.astype(object)
        if len(has) < len(self.numbers):
            room = np.zeros(max(64, 2 * len(self.numbers)) - len(has), has.dtype)
            has = np.concatenate((has, room))
        self._staked[bet] = has
        return has

    def known(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of these ids that bets of the round have."""
        names = (self._names[number] for number in self._ids.batches(ids))
        taken = [self._taken[name] for name in names if name in self._taken]
        return frozenset(row[0] for each in taken for row in each.columns.only(ids))

    def having(self, ids: Sequence[str]) -> tuple[str, ...]:
        """The batches that hold some of these ids."""
        names = {self._names[number] for number in self._ids.batches(ids)}
        return tuple(name for name in self._taken if name in names)

    def of(self, player: str) -> frozenset[str]:
        """Kinds of bets that this player has."""
        number = self.numbers.get(player)
        if number is None:
            return frozenset()
        return frozenset(b for b, has in self._staked.items() if number < len(has) and has[number])

    def stake(self, bet: str, player: str) -> int:
        """What this player has staked on a kind of bet, minor units."""
        number, has = self.numbers.get(player), self._staked.get(bet)
        return 0 if number is None or has is None or number >= len(has) else int(has[number])

    def players(self, bet: str) -> int:
        """How many players have a bet of this kind."""
        has = self._staked.get(bet)
        return 0 if has is None else int(np.count_nonzero(has))

    def stakes(self, bet: str, numbers: Numbers) -> Numbers:
        """What each of these players has staked on a kind of bet."""
        return self._array(bet)[numbers]

    def seated(self, bet: str) -> Numbers:
        """The numbers of all who have a bet of this kind, in order of their first such bet."""
        found = [
            each.rows.who[each.rows.kind == each.rows.kinds.index(bet)]
            for each in self._taken.values()
            if bet in each.rows.kinds
        ]
        who = np.concatenate([np.zeros(0, np.int32), *found])
        first = np.zeros(len(self.numbers), np.int64)
        places = np.arange(len(who))
        first[who[::-1]] = places[::-1]
        numbers: Numbers = who[first[who] == places].astype(np.int64)
        return numbers

    def rows(self, current: Round) -> list[Rows]:
        """The bets that the round may end as arrays, batch by batch in the order of `standing`."""
        self.follow(current)
        return [self._taken[batch.id].rows for batch in _batches(current)]


def _batches(current: Round) -> tuple[Batch, ...]:
    """All that a round holds: what earlier rounds left standing is a batch like any, the first."""
    if not current.carried.count:
        return current.batches
    return (Batch(id=CARRIED, columns=current.carried, pending=False), *current.batches)


@dataclass(slots=True)
class Seats:
    """Where each player sits, and what they staked for the seat."""

    count: int = 0
    made: int = 0
    """How often it was made anew."""
    stakes: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    """Minor units by seat."""
    seat_of: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """The seat of each numbered player, -1 without one."""
    _numbers: dict[str, int] = field(default_factory=dict)
    _players: tuple[str, ...] | None = None

    def follow(self, seating: Seating, bets: Bets) -> "Seats":
        """Look whether it is about these players; made anew if not."""
        if self._players is not seating.players or self._numbers is not bets.numbers:
            self._numbers, self._players = bets.numbers, seating.players
            self.count, self.made = len(seating.players), self.made + 1
            numbers = bets.seated(seating.bet)
            self.seat_of = np.full(len(bets.numbers) + 1, -1, np.int32)
            self.seat_of[numbers] = np.arange(self.count, dtype=np.int32)
            self.stakes = bets.stakes(seating.bet, numbers) if seating.bet else numbers
        return self

    def get(self, player: str) -> int | None:
        """The seat of a player; None without one."""
        number = self._numbers.get(player)
        if number is None or number >= len(self.seat_of):
            return None
        seat = int(self.seat_of[number])
        return None if seat < 0 else seat

    def __contains__(self, player: str) -> bool:
        """Whether a player has a hand."""
        return self.get(player) is not None

    def of(self, players: Iterable[str]) -> Numbers:
        """The seats of players who all have one."""
        numbers = np.fromiter(map(self._numbers.__getitem__, players), np.int64)
        return self.seat_of[numbers].astype(np.int64)
