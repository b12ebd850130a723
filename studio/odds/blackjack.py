"""Blackjack with house rules: the main bet by composition, and insurance (RULES.md 2)."""

from typing import Final

from studio.games.blackjack.rules import GAME, BlackjackRules
from studio.odds.analysis import main_bet
from studio.odds.report import GameOdds, Progress, silent
from studio.odds.sidebets import insurance

METHOD: Final = (
    "composition-dependent analysis on a fresh shoe without a cut card; dealer's chances exact for "
    "each hand and up card, in double precision; splits exact for hands that are played without "
    "regard to each other's cards, which could add 0.0009 points (one pack, one split; less with "
    "more packs); win, push and lose of split hands take them as independent for each end of the "
    "dealer, off by 0.00001 there; main plays each composition best, main_table one table of "
    "totals, main_auto hits 11 and less and stands above"
)
CHARLIE: Final = (
    "; with a Charlie main may draw on with a soft 21, which main_table and main_auto never do"
)


def odds(rules: BlackjackRules, progress: Progress = silent) -> GameOdds:
    """The main bet and, where it is offered, insurance."""
    main = main_bet(rules, progress)
    insured = (insurance(rules.decks),) if rules.insurance else ()
    return GameOdds(
        game=GAME,
        rules=rules.as_dict(),
        bets=(*main.bets, *insured),
        method=METHOD + (CHARLIE if rules.charlie else ""),
        extras={"strategy": main.strategy},
    )
