"""Simulated players who bet on a game of Baloot that others play: on the round, game and kaboot."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from studio.domain.commands import Bet, MarkDisconnected, PlaceBets, PlaceDecisions
from studio.games.baloot.pays import GAME, KABOOT_NO, KABOOT_YES, ROUND
from studio.simulate.players import stake_in
from studio.table.state import Limit, Setup, Table

SITS_OUT: Final = 0.2
"""Share of players who do not bet on a round."""
ON_ROUND: Final = 0.9
"""Of the others so many bet on a side that wins the round."""
ON_KABOOT: Final = 0.2
"""So many on whether somebody takes all tricks."""
THAT_IT_COMES: Final = 0.15
"""Of those so many that somebody does."""
ON_GAME: Final = 0.1
"""So many on a side that wins the game; the stake stays until one has."""


class Bettors:
    """A crowd beside the table; equal seeds bet equally."""

    def __init__(
        self, seed: int, limits: Sequence[tuple[str, Limit | None]], count: int = 40
    ) -> None:
        """Let so many come; `limits` are the table's bets with least and greatest stake."""
        self._random = Random(f"bettors-{seed}")  # noqa: S311  a simulation, no secret
        self._limits = dict(limits)
        self.names = tuple(f"p{number:03}" for number in range(1, count + 1))

    def bets(self, setup: Setup, table: Table) -> Iterator[PlaceBets]:  # noqa: ARG002
        """The bets of this round's players, one batch."""
        if table.round is None:
            return
        found = [bet for name in self.names for bet in self._bets_of(name, table.round.id)]
        yield PlaceBets(batch="sim-1", bets=tuple(found), round_id=table.round.id)

    def decisions(
        self,
        setup: Setup,  # noqa: ARG002  who bets decides nothing in the game
        table: Table,  # noqa: ARG002
    ) -> Iterator[PlaceDecisions | MarkDisconnected]:
        """Nothing."""
        return iter(())

    def _bets_of(self, name: str, round_id: str) -> Iterator[Bet]:
        chance = self._random
        if chance.random() < SITS_OUT:
            return
        kaboot = KABOOT_YES if chance.random() < THAT_IT_COMES else KABOOT_NO
        for share, bet in (
            (ON_ROUND, chance.choice(ROUND)),
            (ON_KABOOT, kaboot),
            (ON_GAME, chance.choice(GAME)),
        ):
            if chance.random() < share and bet in self._limits:
                stake = stake_in(self._limits[bet], chance)
                yield Bet(id=f"{round_id}-{name}-{bet}", player=name, bet=bet, stake=stake)
