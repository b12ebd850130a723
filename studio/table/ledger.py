"""The bets of a round, column-wise: what is staked, what goes back, and that it adds up."""

from collections import Counter
from collections.abc import Mapping

from studio.domain.columns import Columns
from studio.domain.events import BetSettled
from studio.games.spec import Pay
from studio.table.state import Round


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
        tuple(v for part in parts for v in part.ids),
        tuple(v for part in parts for v in part.players),
        tuple(v for part in parts for v in part.bets),
        tuple(v for part in parts for v in part.amounts),
    )


def rows(columns: Columns) -> dict[str, tuple[int, int]]:
    """(count, sum of stakes in minor units) of each kind of bet."""
    count: Counter[str] = Counter()
    staked: Counter[str] = Counter()
    for bet, stake in zip(columns.bets, columns.amounts, strict=True):
        count[bet] += 1
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
