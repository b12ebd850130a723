"""What each bet of Boundless Blackjack returns, and which bets may be placed (RULES.md 1.1, 1.6).

An extra stake is a bet of a kind of its own: ``insurance``, ``split`` for the second split hand,
``double:M``, ``double:L``, ``double:R``. Where a return depends on what a player decided it is
found under the kind and the player's cohort, as ``main@M:hit M:stand``.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from studio.domain.cards import Card
from studio.games.boundless.felt import LANES, RIGHT
from studio.games.boundless.outcome import BoundlessOutcome, HandResult, PlayedHand
from studio.games.boundless.round import BUST_BONUS
from studio.games.boundless.rules import BoundlessRules
from studio.games.boundless.sidebets import bust_bonus, lucky_trio, pair, poker_trio
from studio.games.hands21 import TWO_CARDS
from studio.games.paytable import PayTable
from studio.games.spec import LOST, PUSHED, Pay

MAIN: Final = "main"
"""The bet that gives its player a part in the shared hand."""
PLACED: Final = (MAIN, "pair", BUST_BONUS, "lucky_trio", "poker_trio")
"""Bets that are placed before the first card."""
INSURANCE: Final = "insurance"
"""The bet of the insurance window."""
SPLIT: Final = "split"
"""The stake of the second split hand; the first one plays for the main stake."""
BETS: Final = (*PLACED, INSURANCE)
"""All bets by their public names, main bets first."""
NOT_OFFERED: Final = "not_offered"
"""Reason of refusal: no such bet is placed in this game."""
ROUND_LIMIT: Final = "round_limit"
"""Reason of refusal: this side bet is not taken any more in this shoe (D-13)."""
HALF: Final = Pay(1, 2)
"""Half of the stake, rounded down: what insurance costs, what a surrender returns (D-01)."""
EVEN: Final = Pay(2)
INSURED: Final = Pay(3)
"""Insurance pays 2:1 if the dealer has a natural (RULES.md 1.1)."""
PAYS: Final[Mapping[HandResult, Pay]] = {
    HandResult.BLACKJACK: Pay(5, 2),
    HandResult.WIN: EVEN,
    HandResult.PUSH: PUSHED,
    HandResult.LOSE: LOST,
    HandResult.BUST: LOST,
    HandResult.SURRENDER: HALF,
}
"""What a hand returns for its stake."""


def pays(rules: BoundlessRules, outcome: BoundlessOutcome) -> dict[str, Pay]:
    """What each kind of bet returns for a stake, the stake included."""
    found = trio_pays(rules, outcome.shared, outcome.dealer[0])
    row = str(bust_bonus(len(outcome.dealer)))
    found[BUST_BONUS] = rules.bust_bonus_pays[row].pay if outcome.bust else LOST
    found[INSURANCE] = INSURED if outcome.dealer_blackjack else LOST
    for cohort in outcome.cohorts:
        for hand in cohort.hands:
            found |= hand_pays(cohort.name, hand)
    return found


def trio_pays(rules: BoundlessRules, shared: Sequence[Card], up: Card) -> dict[str, Pay]:
    """What the bets on the first three cards return; nothing later changes them (D-16)."""
    first, second = shared[:TWO_CARDS]
    trio = (first, second, up)
    return {
        "pair": _row(rules.pair_pays, pair(first, second)),
        "lucky_trio": _row(rules.lucky_trio_pays, lucky_trio(trio)),
        "poker_trio": _row(rules.poker_trio_pays, poker_trio(trio)),
    }


def hand_pays(cohort: str, hand: PlayedHand) -> dict[str, Pay]:
    """What the stakes on one hand of a cohort return."""
    pay = PAYS[hand.result]
    found = {row_key(SPLIT if hand.lane == RIGHT else MAIN, cohort): pay}
    if hand.doubled:
        found[row_key(f"double:{hand.lane}", cohort)] = pay
    return found


def extra(rules: BoundlessRules, lane: str, action: str) -> tuple[str, Pay]:  # noqa: ARG001
    """The kind of bet that a costly action adds, and its share of the main stake.

    Raises:
        KeyError: if the action costs nothing.
    """
    match action:
        case "insure":
            return INSURANCE, HALF
        case "split":
            return SPLIT, PUSHED
        case "double" if lane in LANES:
            return f"double:{lane}", PUSHED
    raise KeyError(f"{action} on {lane or 'no hand'} costs nothing")


def offered(rules: BoundlessRules, round_no: int) -> tuple[str, ...]:
    """Bets that may be placed in this round of the shoe (D-13)."""
    return tuple(bet for bet in PLACED if round_no <= _last_round(rules, bet, round_no))


def refuse_bet(
    rules: BoundlessRules,
    bet: str,
    has: frozenset[str],  # noqa: ARG001  no bet stands against another
    round_no: int,
) -> str | None:
    """Why this bet may not be placed in this round of the shoe; None if it may (D-13)."""
    if bet not in PLACED:
        return NOT_OFFERED
    return ROUND_LIMIT if round_no > _last_round(rules, bet, round_no) else None


def _last_round(rules: BoundlessRules, bet: str, round_no: int) -> int:
    """Last round of a shoe in which a bet is taken; the main bet is taken in this one too."""
    if bet == MAIN:
        return round_no
    return rules.pair_rounds if bet == "pair" else rules.side_bet_rounds


def _row(table: PayTable, pattern: str | None) -> Pay:
    return LOST if pattern is None else table[pattern].pay


def row_key(kind: str, cohort: str) -> str:
    """Where a return is found: by kind alone as long as nobody has decided anything."""
    return f"{kind}@{cohort}" if cohort else kind
