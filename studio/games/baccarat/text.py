"""The rules in force as message codes with parameters; the catalogue of a language words them.

Everything is read from the rules and from the tables by which a coup is dealt, so that the page
that players read cannot say something else than what is played.
"""

from typing import Any, Final

from studio.games.baccarat.coup import BANKER_DRAWS
from studio.games.baccarat.rules import BaccaratRules
from studio.games.paytable import Odds, PayTable

Line = tuple[str, tuple[tuple[str, Any], ...]]
"""A message code and its parameters."""

_ALL: Final = frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, None})
_SIDE_BETS: Final = (
    "player_pair",
    "banker_pair",
    "either_pair",
    "perfect_pair",
    "big",
    "small",
    "dragon_player",
    "dragon_banker",
    "lucky_six",
)


def rule_text(rules: BaccaratRules) -> tuple[Line, ...]:
    """Give every rule in force, in the order in which a newcomer meets them."""
    allowed = "allowed" if rules.opposed_bets else "forbidden"
    return (
        ("rule.shoe.packs", (("decks", rules.decks), ("cards", 52 * rules.decks))),
        ("rule.shoe.burn", ()),
        ("rule.baccarat.aim", ()),
        ("rule.baccarat.values", ()),
        ("rule.baccarat.first_four", ()),
        ("rule.baccarat.natural", ()),
        ("rule.baccarat.player_draws", ()),
        ("rule.baccarat.banker_if_player_stood", (("upto", _upto_if_stood()),)),
        *(_banker_row(total) for total in range(len(BANKER_DRAWS))),
        ("rule.baccarat.winner", ()),
        ("rule.baccarat.pays.player", (("pays", "1:1"),)),
        (f"rule.baccarat.pays.banker.{rules.banker_pays.value}", ()),
        ("rule.baccarat.pays.tie", (("pays", f"{rules.tie_pays}:1"),)),
        ("rule.baccarat.tie_returns", ()),
        *(line for bet in _SIDE_BETS for line in _side_bet(rules, bet)),
        (f"rule.baccarat.opposed_bets.{allowed}", ()),
        ("rule.money.rounding", ()),
        ("rule.shoe.cut_card", (("from_end", rules.cut_card_from_end),)),
        ("rule.baccarat.cut_card", ()),
        ("rule.shoe.void", ()),
    )


def _upto_if_stood() -> int:
    """Highest total on which the Banker draws after the Player stood."""
    return max(total for total, thirds in enumerate(BANKER_DRAWS) if None in thirds)


def _banker_row(total: int) -> Line:
    """One row of the Banker's table, after the Player drew."""
    thirds = BANKER_DRAWS[total]
    if thirds == _ALL:
        return ("rule.baccarat.banker_draws", (("total", total),))
    if not thirds:
        return ("rule.baccarat.banker_stands", (("total", total),))
    values = " ".join(str(value) for value in range(10) if value in thirds)
    return ("rule.baccarat.banker_draws_on", (("total", total), ("thirds", values)))


def _side_bet(rules: BaccaratRules, bet: str) -> tuple[Line, ...]:
    """One side bet: a line with its odds, or one line per row of its table."""
    pays: Odds | PayTable = getattr(rules, f"{bet}_pays")
    code = f"rule.baccarat.pays.{bet}"
    if isinstance(pays, Odds):
        return ((code, (("pays", str(pays)),)),)
    return (
        (code, ()),
        *((f"{code}.{row}", (("pays", str(odds)),)) for row, odds in pays.rows),
    )
