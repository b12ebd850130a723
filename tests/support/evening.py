"""Baccarat with a bet on something longer than a round: which tie is the first one of the evening.

``evening:high`` wins if it is a tie of nine, ``evening:low`` if it is any other; until a tie falls
neither is ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from studio.games.registry import game
from studio.games.spec import LOST, Game, Pay
from studio.table.state import Limit, Setup, Times

EVENING: Final = ("evening:high", "evening:low")
PLAYER, HIGH, LOW = "9S 2D KH 5D", "9S 9D KH KD", "6S 6D KH KD"
"""Coups: of the player, a tie of nine, a tie of six."""
_BASE: Final = game("baccarat")


def _pays(rules: Any, outcome: Any) -> dict[str, Pay]:
    pays = _BASE.pays(rules, outcome)
    if outcome.code != "tie":
        return pays
    high = dict(outcome.as_dict()["totals"])["P"] == 9
    return {
        **pays,
        "evening:high": Pay(2) if high else LOST,
        "evening:low": LOST if high else Pay(5, 2),
    }


def _stays(_rules: Any, outcome: Any) -> tuple[str, ...]:
    return () if outcome.code == "tie" else ("evening",)


def _refuse(rules: Any, bet: str, has: frozenset[str], number: int) -> str | None:
    return None if bet in EVENING else _BASE.refuse_bet(rules, bet, has - set(EVENING), number)


def _offered(rules: Any, number: int) -> tuple[str, ...]:
    return (*_BASE.offered(rules, number), *EVENING)


GAME: Final[Game] = replace(
    _BASE,
    bets=(*_BASE.bets, *EVENING),
    pays=_pays,
    stays=_stays,
    refuse_bet=_refuse,
    offered=_offered,
)


def evening_setup(rules: Mapping[str, Any] | None = None, **changes: Any) -> Setup:
    """A table of it that knows its cards by the shoe alone."""
    values: dict[str, Any] = {
        "table": "ba1",
        "game": GAME,
        "rules": GAME.rules(rules or {}),
        "rules_digest": "rules",
        "sources": ("shoe",),
        "limits": tuple((bet, Limit(1, 1_000_000)) for bet in GAME.bets),
        "times": Times(),
    }
    return Setup(**{**values, **changes})
