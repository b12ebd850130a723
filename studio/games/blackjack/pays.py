"""What each bet of blackjack returns, and which bets may be placed (RULES.md 2).

An extra stake is a bet of a kind of its own: ``insurance``, ``split:S3`` and ``double:S3:2`` with
the name of the hand on which it was put down. What a hand returns depends on what its seat decided,
so it is found under the kind and the seat's cohort, as ``main@S3 S3:stand``.
"""

from typing import Final

from studio.games.blackjack.felt import MAIN
from studio.games.blackjack.outcome import BlackjackOutcome, HandResult, PlayedHand
from studio.games.blackjack.rules import BlackjackRules, HoleCard
from studio.games.spec import LOST, PUSHED, Pay

INSURANCE: Final = "insurance"
"""The bet of the insurance window."""
BETS: Final = (MAIN, INSURANCE)
"""All bets by their public names, main bets first."""
NOT_OFFERED: Final = "not_offered"
"""Reason of refusal: no such bet is placed in this game."""
HALF: Final = Pay(1, 2)
"""Half of the stake, rounded down: what insurance costs, what a surrender returns (D-01)."""
EVEN: Final = Pay(2)
INSURED: Final = Pay(3)
"""Insurance pays 2:1 if the dealer has a natural (D-21)."""


def hand_pay(rules: BlackjackRules, result: HandResult) -> Pay:
    """What a hand that ended so returns for its stake."""
    match result:
        case HandResult.BLACKJACK:
            return rules.blackjack_pays.pay
        case HandResult.WIN | HandResult.CHARLIE:
            return EVEN
        case HandResult.PUSH:
            return PUSHED
        case HandResult.SURRENDER:
            return HALF
        case HandResult.LOSE | HandResult.BUST:
            return LOST


def pays(rules: BlackjackRules, outcome: BlackjackOutcome) -> dict[str, Pay]:
    """What each kind of bet returns for a stake, the stake included."""
    natural = outcome.dealer_blackjack
    found = {INSURANCE: INSURED if natural else LOST}
    spared = natural and rules.hole_card is HoleCard.ORIGINAL_LOST
    for seat in outcome.seats:
        for hand in seat.hands:
            found |= stakes_of(rules, seat.cohort, hand, spared=spared)
    return found


def stakes_of(
    rules: BlackjackRules, cohort: str, hand: PlayedHand, *, spared: bool
) -> dict[str, Pay]:
    """What the stakes on one hand return.

    Where extra stakes are `spared`, a dealer's natural takes the seat's first stake alone; a hand
    that was bust before is lost with all that lies on it.
    """
    pay = hand_pay(rules, hand.result)
    extra = PUSHED if spared and hand.result is HandResult.LOSE else pay
    kind = hand.stake_kind
    found = {row_key(kind, cohort): pay if kind == MAIN else extra}
    if hand.doubled:
        found[row_key(f"double:{hand.lane}", cohort)] = extra
    return found


def extra(rules: BlackjackRules, lane: str, action: str) -> tuple[str, Pay]:  # noqa: ARG001
    """The kind of bet that a costly action adds, and its share of the main stake.

    Raises:
        KeyError: if the action costs nothing.
    """
    match action:
        case "insure":
            return INSURANCE, HALF
        case "split" | "double" if lane:
            return f"{action}:{lane}", PUSHED
    raise KeyError(f"{action} on {lane or 'no hand'} costs nothing")


def offered(rules: BlackjackRules, round_no: int) -> tuple[str, ...]:  # noqa: ARG001
    """Bets that may be placed before the first card: the main bet alone."""
    return (MAIN,)


def refuse_bet(
    rules: BlackjackRules,  # noqa: ARG001  one shape for all games
    bet: str,
    has: frozenset[str],  # noqa: ARG001
    round_no: int,  # noqa: ARG001
) -> str | None:
    """Why this bet may not be placed; None if it may."""
    return None if bet == MAIN else NOT_OFFERED


def row_key(kind: str, cohort: str) -> str:
    """Where a return is found."""
    return f"{kind}@{cohort}"
