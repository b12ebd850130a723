"""What a verdict against a side would write, told before it is given; and what ends a deal.

The sources know that a claimed fault (qayd) is judged by a referee and has an effect on the score,
and that a card which is flipped while it is dealt is not refused, unless it is an ace: then the
same dealer shuffles again.
"""

from studio.domain.cards import Card, Rank
from studio.games.baloot.course import laid_out
from studio.games.baloot.outcome import (
    as_played,
    card_points,
    tricks_won,
    verdict_score,
)
from studio.games.baloot.rules import BalootRules
from studio.games.baloot.score import Pair
from studio.games.baloot.shown import counted_openly
from studio.games.board import Known
from studio.games.procedure import Input


def verdict(
    rules: BalootRules, inputs: tuple[Input, ...], known: Known, against: int
) -> Pair | None:
    """What a verdict against this side writes for the two sides, as far as all can see it.

    Announced projects of the side that counts are in it. What only the racks tell comes on top when
    they are turned: a baloot, and which of two best projects of one kind is the higher one before
    they are shown. None before there is a contract, once a verdict is given, and after the round.
    """
    with laid_out(rules, inputs) as now:
        felt = now.felt
        if now.due is None or felt.contract is None or felt.against is not None:
            return None
        counted = counted_openly(felt, known)
        played = as_played(felt, felt.contract, counted, card_points(felt), tricks_won(felt))
        return verdict_score(felt, played, against).final


def redealt(rules: BalootRules, card: Card) -> bool:  # noqa: ARG001  one shape for all games
    """Whether a card that showed its face while it was dealt gives the deal up."""
    return card.rank is Rank.ACE
