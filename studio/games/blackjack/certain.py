"""What is decided before a round has ended: bets that every further card leaves as they are (F4).

Insurance with the peek; a hand that is bust, surrendered, or won by its number of cards; a natural
that no dealer's natural can push any more. Views ask again and again while a table is held, so the
last answers are kept.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from studio.games.blackjack.felt import Felt, SeatHand, stake_kind
from studio.games.blackjack.outcome import HandResult, sure_result
from studio.games.blackjack.pays import INSURANCE, INSURED, hand_pay, pays, row_key
from studio.games.blackjack.round import ACE, deal
from studio.games.blackjack.rules import BlackjackRules
from studio.games.hands21 import TEN
from studio.games.procedure import Input, run
from studio.games.spec import LOST, Pay


@lru_cache(maxsize=64)
def certain(rules: BlackjackRules, inputs: tuple[Input, ...]) -> Mapping[str, Pay]:
    """What each kind of bet returns that no further card can change, by the keys of `pays`.

    Raises:
        InputMismatch: if these are not the inputs of a round.
    """
    felt = Felt(rules)
    standing = run(lambda: deal(rules, felt), inputs)
    if standing.outcome is not None:
        return MappingProxyType(pays(rules, standing.outcome))
    found: dict[str, Pay] = {}
    if felt.said_natural is not None:
        found[INSURANCE] = INSURED if felt.said_natural else LOST
    for seat in felt.seats:
        for hand in seat.hands:
            result = _result(felt, hand)
            if result is not None:
                pay = hand_pay(rules, result)
                found[row_key(stake_kind(hand.lane), seat.cohort)] = pay
                if hand.doubled:
                    found[row_key(f"double:{hand.lane}", seat.cohort)] = pay
    return MappingProxyType(found)


def _result(felt: Felt, hand: SeatHand) -> HandResult | None:
    """How a hand ends whatever comes; None while that is open."""
    sure = sure_result(felt, hand)
    if sure is not None:
        return sure
    if felt.said_natural:
        return HandResult.PUSH if hand.natural else HandResult.LOSE
    if not felt.dealer.cards or not hand.natural:
        return None
    looked = felt.said_natural is not None or felt.up not in (ACE, TEN)
    return HandResult.BLACKJACK if looked else None
