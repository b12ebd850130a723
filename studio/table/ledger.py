"""The bets of a round, column-wise: what is staked, what goes back, and that it adds up."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.columns import Columns
from studio.domain.events import NO_BETS, BetSettled
from studio.domain.values import replace
from studio.games.procedure import Input
from studio.games.spec import PUSHED, Game, Pay
from studio.table.seating import NOBODY_SEATED, Numbers, Seating
from studio.table.state import Round, Setup, Table

REFUND: Final = "refund"
"""A void returns every stake, and nothing else (F3)."""
BEST_FOR_PLAYER: Final = "best_for_player"
"""Each player gets the larger of the provable result and all stakes (F4)."""
VOID_METHODS: Final[dict[str, str]] = {"agco-like": BEST_FOR_PLAYER}
"""What a void returns, per profile; every other profile refunds. Unofficial templates, all."""
MANY: Final = 1_000
"""From so many rows on columns are paid as arrays: for fewer that is slower."""
EXACT: Final = 2**63 - 1
"""What a number of an array holds; larger products are paid one by one."""


def void_method(profile: str) -> str:
    """How a void returns money under a profile: ``refund`` or ``best_for_player``."""
    return VOID_METHODS.get(profile, REFUND)


def accepted(current: Round) -> Columns:
    """All bets of the round that the wallet reserved."""
    return Columns.joined(batch.columns for batch in current.batches if not batch.pending)


def standing(current: Round) -> Columns:
    """All bets that this round may end: those that earlier rounds left standing, then its own."""
    return Columns.joined((current.carried, accepted(current)))


def open_stakes(table: Table) -> int:
    """Minor units that lie on the table now: of the open round, and of bets that stand over rounds.

    Bets that still wait for the wallet lie nowhere yet.
    """
    current = table.round
    of_round = accepted(current).total if current is not None and current.state == "open" else 0
    return of_round + table.staying.total


def is_of(kinds: Collection[str], bet: str) -> bool:
    """Whether a bet is one of these kinds: by its own name, or by that of its family.

    ``game:0`` is of the family ``game``.
    """
    return bet in kinds or bet.partition(":")[0] in kinds


def parted(bets: Columns, stays: Collection[str]) -> tuple[Columns, Columns]:
    """Bets that stay, being of these kinds, and those that end; each in their order."""
    return bets.parted(partial(is_of, frozenset(stays))) if stays else (NO_BETS, bets)


def stays(game: Game, rules: Any, outcome: Any, carried: Columns) -> frozenset[str]:
    """The kinds of bets that this outcome does not end.

    Carried bets that this game does not have stay as well: the table dealt another game when they
    were placed, and its own rounds will end them.
    """
    foreign = {bet for bet in set(carried.bets) if not is_of(game.bets, bet)}
    return frozenset(game.stays(rules, outcome)) | foreign


def asked(current: Round) -> Columns:
    """All bets of the round, those that still wait for the wallet too."""
    return Columns.joined(batch.columns for batch in current.batches)


def kinds(current: Round, *, accepted_only: bool = False) -> dict[str, tuple[int, int]]:
    """(count, sum of stakes) of each kind of bet of the round, without a walk through the bets."""
    count: Counter[str] = Counter()
    staked: Counter[str] = Counter()
    for batch in current.batches:
        if not (accepted_only and batch.pending):
            for bet, number, stakes in batch.rows:
                count[bet] += number
                staked[bet] += stakes
    return {bet: (count[bet], staked[bet]) for bet in sorted(count)}


def sums(current: Round, *, accepted_only: bool = False) -> tuple[int, int]:
    """(count, sum of stakes) of all bets of the round."""
    found = kinds(current, accepted_only=accepted_only).values()
    return sum(count for count, _ in found), sum(staked for _, staked in found)


def rows(columns: Columns) -> dict[str, tuple[int, int]]:
    """(count, sum of stakes in minor units) of each kind of bet."""
    bets = columns.bets
    count = Counter(bets)
    if len(count) == 1:
        return dict.fromkeys(count, (columns.count, columns.total))
    staked = dict.fromkeys(count, 0)
    for bet, stake in zip(bets, columns.amounts, strict=True):
        staked[bet] += stake
    return {bet: (count[bet], staked[bet]) for bet in sorted(count)}


@dataclass(frozen=True, slots=True)
class Rows:
    """Bets as arrays, for a crowd: kind, player and stake of each."""

    kinds: tuple[str, ...]
    """Names of the kinds; the arrays hold places in this."""
    kind: NDArray[np.int16]
    who: NDArray[np.int32]
    """Number of the player; once seated the seat, -1 where the player has no hand."""
    stake: Numbers

    @staticmethod
    def of(columns: Columns, who: Sequence[int]) -> "Rows":
        """Read columns; `who` is the number, or the seat, of each entry's player.

        Stakes whose sum no array of numbers holds are whole numbers of any size.
        """
        bets, stakes = columns.bets, columns.amounts
        kinds = tuple(sorted(set(bets)))
        code = {bet: number for number, bet in enumerate(kinds)}
        fits = columns.total <= EXACT
        return Rows(
            kinds,
            np.fromiter(map(code.__getitem__, bets), np.int16, len(bets)),
            np.array(who, np.int32),
            np.array(stakes, np.int64 if fits else object),
        )

    def only(self, which: NDArray[np.bool_]) -> "Rows":
        """Give some of the rows."""
        return Rows(self.kinds, self.kind[which], self.who[which], self.stake[which])

    def not_of(self, kinds: Collection[str]) -> NDArray[np.bool_]:
        """Say of each row whether it is of none of these kinds of bets."""
        ended = np.array([not is_of(kinds, bet) for bet in self.kinds], np.bool_)
        which: NDArray[np.bool_] = ended[self.kind]
        return which

    def seated(self, seat_of: NDArray[np.int32]) -> "Rows":
        """Give the same by seat, for the seat of each player by number."""
        return replace(self, who=seat_of[self.who])

    @staticmethod
    def joined(parts: Sequence["Rows"]) -> "Rows":
        """Put rows behind each other."""
        if len(parts) == 1:
            return parts[0]
        kinds = tuple(sorted({bet for part in parts for bet in part.kinds}))
        code = {bet: number for number, bet in enumerate(kinds)}
        same = [np.array([code[bet] for bet in part.kinds], np.int16) for part in parts]
        return Rows(
            kinds,
            np.concatenate([to[part.kind] for to, part in zip(same, parts, strict=True)]),
            np.concatenate([part.who for part in parts]),
            np.concatenate([part.stake for part in parts]),
        )


def settle(
    columns: Columns,
    pays: Mapping[str, Pay],
    seating: Seating = NOBODY_SEATED,
    rows: Rows | None = None,
) -> tuple[Columns, tuple[BetSettled, ...]]:
    """What goes back for each bet, stake included, rounded down per bet (D-01); and the sums.

    A kind of bet whose return depends on what its player did is paid as ``kind@cohort``. `rows`
    are the columns as arrays by seat, where somebody keeps them.
    """
    most = max((pay.numerator for pay in pays.values()), default=1)
    # Nothing that is worked out below is larger than what all stakes together would win.
    if columns.count < MANY or columns.total * most > EXACT:
        amounts, sums_of = _paid_one_by_one(columns, pays, seating)
    else:
        if rows is None:
            seats = {player: n for n, player in enumerate(seating.players)}
            rows = Rows.of(columns, [seats.get(player, -1) for player in columns.players])
        amounts, sums_of = _paid(rows, pays, seating)
    table = tuple(
        BetSettled(
            bet=name,
            numerator=pays[name].numerator,
            denominator=pays[name].denominator,
            count=count,
            staked=staked,
            returned=returned,
        )
        for name, count, staked, returned in sums_of
    )
    return columns.with_amounts(amounts), table


Paid = tuple[Callable[[int, int], Sequence[int]], list[tuple[str, int, int, int]]]
"""What goes back for the bets from an index to another, and per row of the pay table (its name,
count, staked, returned)."""


def _paid(rows: Rows, pays: Mapping[str, Pay], seating: Seating) -> Paid:
    """Pay a crowd, in a few passes over its arrays."""
    names = sorted(pays)
    code = {name: place for place, name in enumerate(names)}
    cohorts = seating.cohorts
    table = np.array(
        [
            [code.get(bet, code.get(f"{bet}@{cohort}", -1)) for cohort in cohorts]
            for bet in rows.kinds
        ],
        np.int16,
    )
    cohort = np.append(np.frombuffer(seating.packed, "<u2"), 0)[rows.who]
    places = table[rows.kind, cohort]
    if places.min() < 0:
        raise KeyError(f"nothing says what {rows.kinds[rows.kind[places.argmin()]]} pays")
    numerators = np.array([pays[name].numerator for name in names], np.int64)
    denominators = np.array([pays[name].denominator for name in names], np.int64)
    back = rows.stake * numerators[places] // denominators[places]
    order = np.argsort(places, kind="stable")
    count = np.bincount(places, minlength=len(names))
    found = np.flatnonzero(count)
    begins = (np.cumsum(count) - count)[found]
    staked = np.add.reduceat(rows.stake[order], begins).tolist()
    returned = np.add.reduceat(back[order], begins).tolist()
    sums_of = zip(found.tolist(), count[found].tolist(), staked, returned, strict=True)
    table_of = [(names[place], *rest) for place, *rest in sums_of]
    return lambda first, last: back[first:last].tolist(), table_of


def _paid_one_by_one(columns: Columns, pays: Mapping[str, Pay], seating: Seating) -> Paid:
    """Pay few bets, or amounts that no array holds."""
    cohort: dict[str, str] = {}
    if any(bet not in pays for bet in columns.bets):
        numbers = seating.numbers.tolist()
        names = (seating.cohorts[number] for number in numbers)
        cohort = dict(zip(seating.players, names, strict=True))
    found: dict[str, list[int]] = {}
    amounts: list[int] = []
    for _, player, bet, stake in columns.rows():
        name = bet if bet in pays else f"{bet}@{cohort[player]}"
        amount = pays[name].returned(stake)
        amounts.append(amount)
        row = found.setdefault(name, [0, 0, 0])
        row[0] += 1
        row[1] += stake
        row[2] += amount
    table = [(name, *found[name]) for name in sorted(found)]
    return lambda first, last: amounts[first:last], table  # type: ignore[return-value]


def by_player(columns: Columns) -> dict[str, int]:
    """Sum of amounts per player, minor units, players without any left out."""
    total: dict[str, int] = {}
    get = total.get
    for player, amount in columns.due():
        total[player] = get(player, 0) + amount
    return {player: amount for player, amount in total.items() if amount}


def owed_by_void(setup: Setup, bets: Columns, back: Columns | None = None) -> Columns:
    """What should have gone back per bet of a settled round that is declared not played.

    Every stake; under ``best_for_player`` a player who was paid more than all stakes keeps it
    (F4). `back` is what has gone back so far, bet by bet.
    """
    if back is None or void_method(setup.profile) != BEST_FOR_PLAYER:
        return bets
    return larger(bets, back)


def void(
    setup: Setup, bets: Columns, inputs: Sequence[Input], seating: Seating = NOBODY_SEATED
) -> Columns:
    """What goes back per bet when the open round is declared not played.

    Every stake; under ``best_for_player`` each player gets the larger of all stakes and the
    provable result: what the accepted cards already decide, and the stakes of all else (F4).
    """
    if void_method(setup.profile) != BEST_FOR_PLAYER:
        return bets
    certain = dict(setup.game.certain(setup.rules, tuple(inputs)))
    for bet in set(bets.bets) - set(certain):
        if not any(name.startswith(f"{bet}@") for name in certain):
            certain[bet] = PUSHED
            continue
        for cohort in seating.cohorts:
            certain.setdefault(f"{bet}@{cohort}", PUSHED)
    return larger(bets, settle(bets, certain, seating)[0])


def larger(bets: Columns, other: Columns) -> Columns:
    """Per player the larger sum of the two, bet by bet; the stakes where both are the same."""
    stakes, results = by_player(bets), by_player(other)
    better = {player for player, amount in results.items() if amount > stakes.get(player, 0)}
    amounts = tuple(
        found if player in better else stake
        for (_, player, _, stake), found in zip(bets.rows(), other.amounts, strict=True)
    )
    return bets.with_amounts(lambda first, last: amounts[first:last])
