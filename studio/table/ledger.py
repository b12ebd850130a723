"""The bets of a round, column-wise: what is staked, what goes back, and that it adds up."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, compress
from typing import Final

import numpy as np

from studio.domain.columns import Columns
from studio.domain.events import BetSettled
from studio.games.procedure import Input
from studio.games.spec import PUSHED, Pay
from studio.table.seating import NOBODY_SEATED, Numbers, Seating
from studio.table.state import Round, Setup

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
    return _joined([batch.columns for batch in current.batches if not batch.pending])


def asked(current: Round) -> Columns:
    """All bets of the round, those that still wait for the wallet too."""
    return _joined([batch.columns for batch in current.batches])


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


def _joined(parts: list[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return Columns(
        tuple(chain.from_iterable(part.ids for part in parts)),
        tuple(chain.from_iterable(part.players for part in parts)),
        tuple(chain.from_iterable(part.bets for part in parts)),
        tuple(chain.from_iterable(part.amounts for part in parts)),
    )


def rows(columns: Columns) -> dict[str, tuple[int, int]]:
    """(count, sum of stakes in minor units) of each kind of bet."""
    count = Counter(columns.bets)
    if len(count) == 1:
        return dict.fromkeys(count, (columns.count, columns.total))
    staked = dict.fromkeys(count, 0)
    for bet, stake in zip(columns.bets, columns.amounts, strict=True):
        staked[bet] += stake
    return {bet: (count[bet], staked[bet]) for bet in sorted(count)}


def settle(
    columns: Columns, pays: Mapping[str, Pay], seating: Seating = NOBODY_SEATED
) -> tuple[Columns, tuple[BetSettled, ...]]:
    """What goes back for each bet, stake included, rounded down per bet (D-01); and the sums.

    A kind of bet whose return depends on what its player did is paid as ``kind@cohort``.
    """
    names = sorted(pays)
    paid = _paid(columns, [pays[name] for name in names], _places(columns, names, seating))
    table = tuple(
        BetSettled(
            bet=names[place],
            numerator=pays[names[place]].numerator,
            denominator=pays[names[place]].denominator,
            count=count,
            staked=staked,
            returned=returned,
        )
        for place, count, staked, returned in paid[1]
    )
    return Columns(columns.ids, columns.players, columns.bets, paid[0]), table


def _places(columns: Columns, names: Sequence[str], seating: Seating) -> Numbers:
    """For each bet the place of what pays it: that of its kind, or of its kind and its cohort."""
    code = {name: place for place, name in enumerate(names)}
    distinct = sorted(set(columns.bets))
    kind = {bet: number for number, bet in enumerate(distinct)}
    whole = np.array([code.get(bet, -1) for bet in distinct], np.int64)
    kinds_of = np.fromiter(map(kind.__getitem__, columns.bets), np.int64, columns.count)
    places = whole[kinds_of] if distinct else kinds_of
    open_rows = np.flatnonzero(places < 0)
    if not len(open_rows):
        return places
    seat = {player: number for number, player in enumerate(seating.players)}
    owners = compress(columns.players, (places < 0).tolist())
    cohorts = seating.numbers[np.fromiter(map(seat.__getitem__, owners), np.int64, len(open_rows))]
    table = np.array(
        [[code.get(f"{bet}@{cohort}", -1) for cohort in seating.cohorts] for bet in distinct],
        np.int64,
    )
    places[open_rows] = table[kinds_of[open_rows], cohorts]
    if (places < 0).any():
        lost = distinct[int(kinds_of[int(np.argmin(places))])]
        raise KeyError(f"nothing says what {lost} pays to one of the cohorts")
    return places


def _paid(
    columns: Columns, pays: Sequence[Pay], places: Numbers
) -> tuple[tuple[int, ...], list[tuple[int, int, int, int]]]:
    """What goes back per bet, and per place (place, count, staked, returned)."""
    most = max((pay.numerator for pay in pays), default=1)
    if columns.count < MANY or max(columns.amounts) * most * columns.count > EXACT:
        return _paid_one_by_one(columns, pays, places.tolist())
    stakes = np.fromiter(columns.amounts, np.int64, columns.count)
    numerators = np.array([pay.numerator for pay in pays], np.int64)
    denominators = np.array([pay.denominator for pay in pays], np.int64)
    back = stakes * numerators[places] // denominators[places]
    order = np.argsort(places.astype(np.int16), kind="stable")
    count = np.bincount(places, minlength=len(pays))
    found, begins = np.flatnonzero(count), np.concatenate(([0], np.cumsum(count)))[:-1]
    staked = np.add.reduceat(stakes[order], begins[found])
    returned = np.add.reduceat(back[order], begins[found])
    sums_of = zip(found, count[found], staked, returned, strict=True)
    return tuple(back.tolist()), [
        (int(place), int(number), int(stake), int(amount))
        for place, number, stake, amount in sums_of
    ]


def _paid_one_by_one(
    columns: Columns, pays: Sequence[Pay], places: list[int]
) -> tuple[tuple[int, ...], list[tuple[int, int, int, int]]]:
    found: dict[int, list[int]] = {}
    amounts = []
    for place, stake in zip(places, columns.amounts, strict=True):
        amount = pays[place].returned(stake)
        amounts.append(amount)
        row = found.setdefault(place, [0, 0, 0])
        row[0] += 1
        row[1] += stake
        row[2] += amount
    return tuple(amounts), [(place, *found[place]) for place in sorted(found)]  # type: ignore[misc]


def by_player(columns: Columns) -> dict[str, int]:
    """Sum of amounts per player, minor units, players without any left out."""
    total: dict[str, int] = {}
    get = total.get
    for player, amount in zip(columns.players, columns.amounts, strict=True):
        if amount:
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
        for player, stake, found in zip(bets.players, bets.amounts, other.amounts, strict=True)
    )
    return Columns(bets.ids, bets.players, bets.bets, amounts)
