"""Boundless Blackjack: the main bet by composition, side bets and insurance (RULES.md 1.7)."""

from typing import Final

from studio.games.blackjack.rules import BlackjackRules, Surrender
from studio.games.boundless.outcome import HandResult
from studio.games.boundless.pays import PAYS
from studio.games.boundless.rules import BoundlessRules
from studio.games.hands21 import TEN
from studio.games.paytable import Odds
from studio.odds.analysis import main_bet
from studio.odds.blackjack import METHOD as MAIN_METHOD
from studio.odds.dealer import ACE
from studio.odds.report import GameOdds, Progress, silent
from studio.odds.sidebets import insurance, side_bets

LABEL: Final = 0.9946
"""The highest theoretical return that the game's source text names; no reading of it gives this."""
NO_SURRENDER_UNDER: Final = frozenset({ACE, TEN})
"""Values of the dealer's first card under which nobody may surrender."""
METHOD: Final = (
    f"side bets and insurance by exact enumeration in whole numbers; main: {MAIN_METHOD}"
)


def house_rules(rules: BoundlessRules) -> BlackjackRules:
    """The main bet's rules: peek, one split by value, double on any two, late surrender (1.5).

    `NO_SURRENDER_UNDER` belongs to them, which no rule of blackjack says.
    """
    natural = PAYS[HandResult.BLACKJACK]
    return BlackjackRules(
        decks=rules.decks,
        cut_card_from_end=rules.cut_card_from_end,
        surrender=Surrender.LATE,
        blackjack_pays=Odds(natural.numerator - natural.denominator, natural.denominator),
    )


def odds(rules: BoundlessRules, progress: Progress = silent) -> GameOdds:
    """The main bet, insurance and the four side bets under these pay tables."""
    main = main_bet(house_rules(rules), progress, NO_SURRENDER_UNDER)
    return GameOdds(
        game="boundless-blackjack",
        rules=rules.as_dict(),
        bets=(*main.bets, insurance(rules.decks), *side_bets(rules)),
        method=METHOD,
        extras={"label_return": LABEL, "strategy": main.strategy},
    )
