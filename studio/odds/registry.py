"""The games whose bets have exact figures, by the name that commands and configuration use."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from studio.games.baccarat import rules as baccarat_rules
from studio.games.blackjack import rules as blackjack_rules
from studio.games.boundless import rules as boundless_rules
from studio.odds import baccarat, blackjack, boundless
from studio.odds.report import GameOdds, Progress, silent

_Odds = Callable[[Mapping[str, Any], Progress], GameOdds]


def _baccarat(given: Mapping[str, Any], progress: Progress) -> GameOdds:
    return baccarat.odds(baccarat_rules.read_rules(given), progress)


def _blackjack(given: Mapping[str, Any], progress: Progress) -> GameOdds:
    return blackjack.odds(blackjack_rules.read_rules(given), progress)


def _boundless(given: Mapping[str, Any], progress: Progress) -> GameOdds:
    return boundless.odds(boundless_rules.read_rules(given), progress)


ODDS: Final[dict[str, _Odds]] = {
    "baccarat": _baccarat,
    "blackjack": _blackjack,
    "boundless-blackjack": _boundless,
}
"""(rules by their public names, progress) → all bets of the game."""


def odds(game: str, given: Mapping[str, Any], progress: Progress = silent) -> GameOdds:
    """Work out all bets of a game; rules that are not given are the default.

    Raises:
        ValueError: one sentence that names what is wrong and what is allowed.
    """
    if game not in ODDS:
        raise ValueError(
            f"there are no exact odds of {game!r}; the games that have them are: {', '.join(ODDS)}"
        )
    return ODDS[game](given, progress)
