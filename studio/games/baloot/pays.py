"""What the bets on Baloot return, and which may be placed.

A bet names what it is on: ``round:0`` and ``round:1`` the side that wins the round, ``game:0`` and
``game:1`` the side that wins the game, ``kaboot:yes`` and ``kaboot:no`` whether one side takes all
eight tricks of the round.
"""

from typing import Final

from studio.games.baloot.cards import SIDES
from studio.games.baloot.outcome import BalootOutcome
from studio.games.baloot.rules import BalootRules
from studio.games.spec import LOST, PUSHED, Pay

ROUND: Final = tuple(f"round:{side}" for side in range(SIDES))
GAME: Final = tuple(f"game:{side}" for side in range(SIDES))
KABOOT_YES: Final = "kaboot:yes"
KABOOT_NO: Final = "kaboot:no"
BETS: Final = (*ROUND, *GAME, KABOOT_YES, KABOOT_NO)
"""All bets by their public names, main bets first."""
NOT_OFFERED: Final = "not_offered"
"""Reason of refusal: no such bet is placed in this game."""


def pays(rules: BalootRules, outcome: BalootOutcome) -> dict[str, Pay]:
    """What each bet returns for a stake, the stake included.

    A new deal gives the bets on the round and on kaboot back. Bets on the game stay where they are
    until it ends (`stays`). A round that a verdict ended is no kaboot.
    """
    found: dict[str, Pay] = {}
    if outcome.redealt:
        found = dict.fromkeys((*ROUND, KABOOT_YES, KABOOT_NO), PUSHED)
    else:
        won = rules.round_pays.pay
        found = {bet: won if side == outcome.winner else LOST for side, bet in enumerate(ROUND)}
        swept = outcome.score is not None and outcome.score.kaboot is not None
        found[KABOOT_YES] = rules.kaboot_yes_pays.pay if swept else LOST
        found[KABOOT_NO] = LOST if swept else rules.kaboot_no_pays.pay
    if outcome.game_winner is not None:
        won = rules.game_pays.pay
        found |= {b: won if s == outcome.game_winner else LOST for s, b in enumerate(GAME)}
    return found


def stays(rules: BalootRules, outcome: BalootOutcome) -> tuple[str, ...]:  # noqa: ARG001
    """Bets that this round does not end: those on the game, until one side has won it."""
    return GAME if outcome.game_winner is None else ()


def offered(rules: BalootRules, round_no: int) -> tuple[str, ...]:  # noqa: ARG001  one shape
    """Bets that may be placed: all of them, before every round."""
    return BETS


def refuse_bet(
    rules: BalootRules,  # noqa: ARG001  one shape for all games
    bet: str,
    has: frozenset[str],  # noqa: ARG001
    round_no: int,  # noqa: ARG001
) -> str | None:
    """Why this bet may not be placed; None if it may."""
    return None if bet in BETS else NOT_OFFERED
