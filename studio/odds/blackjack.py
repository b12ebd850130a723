"""Blackjack with house rules: the main bet by composition, and insurance (RULES.md 2)."""

from typing import Final

from studio.odds.analysis import main_bet
from studio.odds.houserules import HouseRules
from studio.odds.report import GameOdds, Progress, silent
from studio.odds.sidebets import insurance

METHOD: Final = (
    "composition-dependent analysis of one hand on a fresh shoe (no cut card), each hand played by "
    "its own cards and the up card, dealer's chances exact for every composition; return of splits "
    "exact for hands played without regard to each other's cards (knowing these would add less "
    "than 0.005 points); win, push and lose of split hands take them as independent for each end "
    "of the dealer (off by less than 0.0001); double precision otherwise; main_table plays one "
    "table of totals, main_auto hits 11 and less and stands above"
)
CHARLIE: Final = (
    "; main may draw to a soft 21 for a Charlie, main_21_stands is the same where 21 stands by "
    "itself"
)


def odds(rules: HouseRules, progress: Progress = silent) -> GameOdds:
    """The main bet and, where it is offered, insurance."""
    main = main_bet(rules, progress)
    insured = (insurance(rules.decks),) if rules.insurance else ()
    return GameOdds(
        game="blackjack",
        rules=rules.as_dict(),
        bets=(*main.bets, *insured),
        method=METHOD + (CHARLIE if rules.charlie else ""),
        extras={"strategy": main.strategy},
    )
