"""Whether what was dealt is as the exact figures say: bets counted by their end, and chi-square.

Only bets that the cards alone decide are counted, whoever played and however: a main bet against
the dealer depends on what players chose, and Bust Bonus on whether the dealer had to draw at all.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from studio.domain.cards import Card
from studio.games.baccarat import rules as baccarat_rules
from studio.games.baccarat.coup import CoupOutcome
from studio.games.baccarat.pays import pays
from studio.games.boundless import rules as boundless_rules
from studio.games.boundless.pays import trio_pays
from studio.games.hands21 import TEN, TWO_CARDS, points
from studio.games.spec import Pay
from studio.odds.dealer import ACE

LEAST_EXPECTED: Final = 5.0
"""Chi-square is read only where each count is expected to be five or more (Cochran 1954)."""
DEALER: Final = "D"
SHARED: Final = "M"


class End(IntEnum):
    """How a bet ended; the place of its count."""

    WIN = 0
    PUSH = 1
    LOSE = 2


Counts = tuple[int, int, int]
"""Rounds in which a bet won, was a push, lost: in the order of `End`."""
Lying = Sequence[tuple[str, Card | None]]
"""(zone, card) in order of dealing; None for a card that nobody may know."""


def ends(game: str, rules: Mapping[str, Any], cards: Lying) -> dict[str, End]:
    """How each bet that the cards alone decide ended in a round; bets that nobody knows are absent.

    Args:
        game: its name.
        rules: by their public names, as they were in force.
        cards: all cards of the settled round.
    """
    match game:
        case "baccarat":
            return _baccarat(rules, cards)
        case "boundless-blackjack":
            return _trio(rules, cards) | _insurance(cards)
        case "blackjack" if rules.get("hole_card", "peek") == "peek":
            return _insurance(cards)
        case _:
            return {}


def _baccarat(rules: Mapping[str, Any], cards: Lying) -> dict[str, End]:
    player, banker = _known(cards, "P"), _known(cards, "B")
    if min(len(player), len(banker)) < TWO_CARDS:
        return {}
    read = baccarat_rules.read_rules(rules)
    found = pays(read, CoupOutcome(player=tuple(player), banker=tuple(banker)))
    return {bet: _end(pay) for bet, pay in found.items()}


def _trio(rules: Mapping[str, Any], cards: Lying) -> dict[str, End]:
    shared, dealer = _known(cards, SHARED), _known(cards, DEALER)
    if len(shared) < TWO_CARDS or not dealer:
        return {}
    found = trio_pays(boundless_rules.read_rules(rules), shared, dealer[0])
    return {bet: _end(pay) for bet, pay in found.items()}


def _insurance(cards: Lying) -> dict[str, End]:
    """What insurance came to where the dealer showed an ace, whether or not anybody took it."""
    dealer = [card for zone, card in cards if zone == DEALER][:TWO_CARDS]
    if len(dealer) < TWO_CARDS or dealer[0] is None or dealer[1] is None:
        return {}
    if points(dealer[0]) != ACE:
        return {}
    return {"insurance": End.WIN if points(dealer[1]) == TEN else End.LOSE}


def _known(cards: Lying, wanted: str) -> list[Card]:
    return [card for zone, card in cards if zone == wanted and card is not None]


def _end(pay: Pay) -> End:
    if pay.numerator == pay.denominator:
        return End.PUSH
    return End.WIN if pay.numerator > pay.denominator else End.LOSE


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquare:
    """Pearson's chi-square test of goodness of fit."""

    statistic: float
    freedom: int
    """Degrees of freedom: one less than the ends that can come."""
    sample: int
    """Rounds that were counted."""
    chance: float
    """How likely a deviation this large or larger is where all is as expected, 0 to 1."""


def chi_square(counts: Counts, shares: Sequence[float]) -> ChiSquare | None:
    """Compare counts with the shares (summing to 1) that are expected of them.

    None where too few rounds were dealt for the test to say anything (`LEAST_EXPECTED`).
    """
    sample = sum(counts)
    can_come = [
        (seen, share * sample) for seen, share in zip(counts, shares, strict=True) if share > 0
    ]
    impossible = sample - sum(seen for seen, _ in can_come)
    if len(can_come) <= 1 or min(due for _, due in can_come) < LEAST_EXPECTED:
        return None
    statistic = sum((seen - due) ** 2 / due for seen, due in can_come)
    if impossible:
        statistic = math.inf
    freedom = len(can_come) - 1
    chance = tail(statistic, freedom)
    return ChiSquare(statistic=statistic, freedom=freedom, sample=sample, chance=chance)


def tail(statistic: float, freedom: int) -> float:
    """How likely chi-square with so many degrees of freedom is at least `statistic`.

    Finite sums for whole degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical
    Functions, 26.4.4 (odd) and 26.4.5 (even).

    Raises:
        ValueError: if there is no degree of freedom, or the statistic is below 0.
    """
    if freedom < 1 or statistic < 0:
        raise ValueError(f"no chi-square of {statistic} with {freedom} degrees of freedom")
    if math.isinf(statistic):
        return 0.0
    half = statistic / 2
    if freedom % 2 == 0:
        whole = sum(half**k / math.factorial(k) for k in range(freedom // 2))
        return math.exp(-half) * whole
    root = math.sqrt(statistic)
    term, total = root, 0.0
    for r in range(1, (freedom - 1) // 2 + 1):
        total += term
        term *= statistic / (2 * r + 1)
    density = math.exp(-half) / math.sqrt(2 * math.pi)
    return math.erfc(math.sqrt(half)) + 2 * density * total
