"""Simulated players: each bets what a player of the game would, from a seed."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Protocol

from studio.domain.commands import Bet, MarkDisconnected, PlaceBets, PlaceDecisions
from studio.table.state import Limit, Setup, Table

MAIN_SHARE = (0.44, 0.92)
"""Cumulated shares of players on the first and the second main bet; the rest takes the third."""
SIDE_SHARE = 0.25
"""Share of players who take a side bet as well."""
STEP = 20
"""Stakes are whole multiples of so many minor units, so that halves and 95 % stay whole."""


class Crowd(Protocol):
    """Players at a table, and the platform that brings what they ask to it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who may play."""

    def bets(self, setup: Setup, table: Table) -> Iterator[PlaceBets]:
        """Batches of bets for the round whose window is open, in order."""

    def decisions(self, setup: Setup, table: Table) -> Iterator[PlaceDecisions | MarkDisconnected]:
        """Batches of decisions for the window that is open, in order, and who drops off."""


class Players:
    """A crowd that bets each round; equal seeds bet equally."""

    def __init__(
        self, seed: int, limits: Sequence[tuple[str, Limit | None]], count: int = 40
    ) -> None:
        """Seat so many players; `limits` are the table's bets with least and greatest stake."""
        self._random = Random(f"players-{seed}")  # noqa: S311  a simulation, no secret
        self._limits = list(limits)
        self.names = tuple(f"p{number:03}" for number in range(1, count + 1))

    def bets(self, setup: Setup, table: Table) -> Iterator[PlaceBets]:  # noqa: ARG002
        """The bets of this round's players, one batch."""
        if table.round is not None:
            yield self.batch(table.round.id, 1)

    def decisions(
        self,
        setup: Setup,  # noqa: ARG002  nothing is chosen in these games
        table: Table,  # noqa: ARG002
    ) -> Iterator[PlaceDecisions | MarkDisconnected]:
        """Nothing."""
        return iter(())

    def batch(self, round_id: str, part: int) -> PlaceBets:
        """The bets of this round's players, one batch."""
        bets: list[Bet] = []
        mains = [bet for bet, _ in self._limits[:3]]
        sides = [bet for bet, _ in self._limits[3:]]
        for name in self.names:
            if self._random.random() < 0.2:  # noqa: PLR2004  one in five sits this round out
                continue
            bets.append(self._bet(round_id, part, name, self._main(mains)))
            if sides and self._random.random() < SIDE_SHARE:
                bets.append(self._bet(round_id, part, name, self._random.choice(sides)))
        return PlaceBets(batch=f"sim-{part}", bets=tuple(bets), round_id=round_id)

    def _main(self, mains: list[str]) -> str:
        at = self._random.random()
        place = sum(at >= share for share in MAIN_SHARE)
        return mains[min(place, len(mains) - 1)]

    def _bet(self, round_id: str, part: int, player: str, bet: str) -> Bet:
        stake = stake_in(dict(self._limits)[bet], self._random)
        return Bet(id=f"{round_id}-{part}-{player}-{bet}", player=player, bet=bet, stake=stake)


def stake_in(limit: Limit | None, chance: Random) -> int:
    """A stake in minor units within the limits of a bet, at most fifty times the least one."""
    least = limit.least if limit else 100
    most = min(limit.most if limit else 10_000, least * 50)
    stake = chance.randint(least, most)
    return max(least, stake - stake % STEP)
