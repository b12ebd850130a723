"""Boundless Blackjack: the main bet by composition, side bets and insurance (RULES.md 1.7)."""

from typing import Final

from studio.games.boundless.outcome import HandResult
from studio.games.boundless.pays import PAYS
from studio.games.boundless.rules import BoundlessRules
from studio.games.hands21 import TEN
from studio.games.paytable import Odds
from studio.odds.analysis import main_bet
from studio.odds.blackjack import METHOD as MAIN_METHOD
from studio.odds.dealer import ACE
from studio.odds.houserules import HouseRules, Surrender
from studio.odds.report import GameOdds, Progress, silent
from studio.odds.sidebets import insurance, side_bets

LABEL: Final = 0.9946
"""The highest theoretical return that the game's source text names; no reading of it gives this."""
METHOD: Final = (
    f"side bets and insurance by exact enumeration in whole numbers; main: {MAIN_METHOD}"
)


def house_rules(rules: BoundlessRules) -> HouseRules:
    """The main bet's rules: peek, one split by value, double on any two, late surrender (1.5).

    Nobody may surrender when the dealer's first card is an ace or a ten-value.
    """
    natural = PAYS[HandResult.BLACKJACK]
    return HouseRules(
        decks=rules.decks,
        cut_card_from_end=rules.cut_card_from_end,
        surrender=Surrender.LATE,
        no_surrender_under=frozenset({ACE, TEN}),
        blackjack_pays=Odds(natural.numerator - natural.denominator, natural.denominator),
    )


def odds(rules: BoundlessRules, progress: Progress = silent) -> GameOdds:
    """The main bet, insurance and the four side bets under these pay tables."""
    main = main_bet(house_rules(rules), progress)
    return GameOdds(
        game="boundless-blackjack",
        rules=rules.as_dict(),
        bets=(*main.bets, insurance(rules.decks), *side_bets(rules)),
        method=METHOD,
        extras={"label_return": LABEL, "strategy": main.strategy},
    )
