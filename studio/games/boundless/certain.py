"""What is decided before a round has ended: bets that every further card leaves as they are (F4).

Pair and the two Trios with the shared hand's second card (D-16); insurance with the peek; a hand
that is bust, surrendered, or a natural that no dealer's natural can push any more. Views ask again
and again while a table is held, so the last answers are kept.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from studio.games.boundless.felt import RIGHT, SHARED, Felt, Share
from studio.games.boundless.outcome import HandResult
from studio.games.boundless.pays import (
    INSURANCE,
    INSURED,
    MAIN,
    PAYS,
    SPLIT,
    pays,
    row_key,
    trio_pays,
)
from studio.games.boundless.round import ACE, BUST_BONUS, deal
from studio.games.boundless.rules import BoundlessRules
from studio.games.hands21 import TEN, TWENTY_ONE, TWO_CARDS
from studio.games.procedure import Input, run
from studio.games.spec import LOST, Pay


@lru_cache(maxsize=64)
def certain(rules: BoundlessRules, inputs: tuple[Input, ...]) -> Mapping[str, Pay]:
    """What each kind of bet returns that no further card can change, by the keys of `pays`.

    Raises:
        InputMismatch: if these are not the inputs of a round.
    """
    felt = Felt()
    standing = run(lambda: deal(rules, felt), inputs)
    if standing.outcome is not None:
        return MappingProxyType(pays(rules, standing.outcome))
    shared = felt.shared.cards
    if len(shared) < TWO_CARDS:
        return MappingProxyType({})
    found = trio_pays(rules, shared, felt.dealer.cards[0])
    if felt.said_natural is not None:
        found[INSURANCE] = INSURED if felt.said_natural else LOST
    if felt.said_natural:
        found[BUST_BONUS] = LOST
    for name, cohort in felt.cohorts.items():
        for share in cohort.shares:
            result = _result(felt, share)
            if result is not None:
                found[row_key(SPLIT if share.lane == RIGHT else MAIN, name)] = PAYS[result]
                if share.doubled:
                    found[row_key(f"double:{share.lane}", name)] = PAYS[result]
    return MappingProxyType(found)


def _result(felt: Felt, share: Share) -> HandResult | None:
    """How a hand ends whatever comes; None while that is open."""
    natural = felt.shared.natural and share.lane == SHARED
    if felt.said_natural:
        return HandResult.PUSH if natural else HandResult.LOSE
    if share.surrendered:
        return HandResult.SURRENDER
    if felt.score(share) > TWENTY_ONE:
        return HandResult.BUST
    looked = felt.said_natural is not None or felt.up not in (ACE, TEN)
    return HandResult.BLACKJACK if natural and looked else None
