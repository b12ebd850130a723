"""The bets of a round, column-wise: what is staked, what goes back, and that it adds up."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from studio.domain.columns import Columns
from studio.domain.events import BetSettled
from studio.games.procedure import Input
from studio.games.spec import Pay
from studio.table.state import Round, Setup

REFUND: Final = "refund"
"""A void returns every stake, and nothing else (F3)."""
BEST_FOR_PLAYER: Final = "best_for_player"
"""Each player gets the larger of the provable result and all stakes (F4)."""
VOID_METHODS: Final[dict[str, str]] = {"agco-like": BEST_FOR_PLAYER}
"""What a void returns, per profile; every other profile refunds. Unofficial templates, all."""


def void_method(profile: str) -> str:
    """How a void returns money under a profile: ``refund`` or ``best_for_player``."""
    return VOID_METHODS.get(profile, REFUND)


def accepted(current: Round) -> Columns:
    """All bets of the round that the wallet reserved."""
    return _joined([batch.columns for batch in current.batches if not batch.pending])


def asked(current: Round) -> Columns:
    """All bets of the round, those that still wait for the wallet too."""
    return _joined([batch.columns for batch in current.batches])


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
    staked = dict.fromkeys(count, 0)
    for bet, stake in zip(columns.bets, columns.amounts, strict=True):
        staked[bet] += stake
    return {bet: (count[bet], staked[bet]) for bet in sorted(count)}


def settle(columns: Columns, pays: Mapping[str, Pay]) -> tuple[Columns, tuple[BetSettled, ...]]:
    """What goes back for each bet, stake included, rounded down per bet (D-01); and the sums."""
    amounts = tuple(
        pays[bet].returned(stake) for bet, stake in zip(columns.bets, columns.amounts, strict=True)
    )
    back = Columns(columns.ids, columns.players, columns.bets, amounts)
    returned = {bet: total for bet, (_, total) in rows(back).items()}
    table = tuple(
        BetSettled(
            bet=bet,
            numerator=pays[bet].numerator,
            denominator=pays[bet].denominator,
            count=count,
            staked=staked,
            returned=returned[bet],
        )
        for bet, (count, staked) in rows(columns).items()
    )
    return back, table


def by_player(columns: Columns) -> dict[str, int]:
    """Sum of amounts per player, minor units, players without any left out."""
    total: Counter[str] = Counter()
    for player, amount in zip(columns.players, columns.amounts, strict=True):
        total[player] += amount
    return {player: amount for player, amount in total.items() if amount}


def owed_by_void(setup: Setup, bets: Columns, back: Columns | None = None) -> Columns:
    """What should have gone back per bet of a settled round that is declared not played.

    Every stake; under ``best_for_player`` a player who was paid more than all stakes keeps it
    (F4). `back` is what has gone back so far, bet by bet.
    """
    if back is None or void_method(setup.profile) != BEST_FOR_PLAYER:
        return bets
    return larger(bets, back)


def void(setup: Setup, bets: Columns, inputs: Sequence[Input]) -> Columns:
    """What goes back per bet when the open round is declared not played.

    Every stake; under ``best_for_player`` each player gets the larger of all stakes and the
    provable result: what the accepted cards already decide, and the stakes of all else (F4).
    """
    if void_method(setup.profile) != BEST_FOR_PLAYER:
        return bets
    certain = setup.game.certain(setup.rules, tuple(inputs))
    amounts = tuple(
        certain[bet].returned(stake) if bet in certain else stake
        for bet, stake in zip(bets.bets, bets.amounts, strict=True)
    )
    return larger(bets, Columns(bets.ids, bets.players, bets.bets, amounts))


def larger(bets: Columns, other: Columns) -> Columns:
    """Per player the larger sum of the two, bet by bet; the stakes where both are the same."""
    stakes, results = by_player(bets), by_player(other)
    better = {player for player, amount in results.items() if amount > stakes.get(player, 0)}
    amounts = tuple(
        found if player in better else stake
        for player, stake, found in zip(bets.players, bets.amounts, other.amounts, strict=True)
    )
    return Columns(bets.ids, bets.players, bets.bets, amounts)
