"""The rules in force as message codes with parameters; the catalogue of a language words them.

Everything is read from the rules and from the figures by which a round is dealt, so that the page
that players read cannot say something else than what is played.
"""

from typing import Any

from studio.games.boundless.outcome import HandResult
from studio.games.boundless.pays import INSURED, PAYS, PLACED
from studio.games.boundless.rules import BoundlessRules
from studio.games.hands21 import DEALER_STANDS, HITS_UPTO, TWENTY_ONE
from studio.games.paytable import PayTable
from studio.games.spec import Pay

Line = tuple[str, tuple[tuple[str, Any], ...]]
"""A message code and its parameters."""


def rule_text(rules: BoundlessRules) -> tuple[Line, ...]:
    """Give every rule in force, in the order in which a newcomer meets them."""
    win, blackjack = _odds(PAYS[HandResult.WIN]), _odds(PAYS[HandResult.BLACKJACK])
    alone = "dealt" if rules.deal_without_bets else "not_dealt"
    return (
        ("rule.shoe.packs", (("decks", rules.decks), ("cards", 52 * rules.decks))),
        ("rule.shoe.burn", ()),
        ("rule.boundless.aim", (("best", TWENTY_ONE),)),
        ("rule.boundless.values", (("best", TWENTY_ONE),)),
        ("rule.boundless.natural", (("best", TWENTY_ONE),)),
        ("rule.boundless.bets", ()),
        ("rule.boundless.first_four", ()),
        ("rule.boundless.insurance", ()),
        ("rule.boundless.peek", ()),
        ("rule.boundless.hit_stand", (("best", TWENTY_ONE),)),
        ("rule.boundless.double", ()),
        ("rule.boundless.split", ()),
        ("rule.boundless.surrender", ()),
        (f"rule.boundless.schedule.{rules.schedule.value}", ()),
        ("rule.boundless.automatic", (("upto", HITS_UPTO),)),
        ("rule.boundless.short", (("upto", HITS_UPTO),)),
        ("rule.boundless.dealer", (("stands", DEALER_STANDS),)),
        ("rule.boundless.dealer_draws", ()),
        ("rule.boundless.result", (("best", TWENTY_ONE),)),
        ("rule.boundless.pays.main", (("pays", win), ("blackjack", blackjack))),
        ("rule.boundless.pays.insurance", (("pays", _odds(INSURED)),)),
        *(line for bet in PLACED[1:] for line in _side_bet(rules, bet)),
        ("rule.boundless.limits.pair", (("rounds", rules.pair_rounds),)),
        ("rule.boundless.limits.others", (("rounds", rules.side_bet_rounds),)),
        (f"rule.boundless.without_bets.{alone}", ()),
        ("rule.boundless.disconnected", ()),
        ("rule.money.rounding", ()),
        ("rule.shoe.cut_card", (("from_end", rules.cut_card_from_end),)),
        ("rule.boundless.cut_card", ()),
        ("rule.boundless.void", ()),
    )


def _odds(pay: Pay) -> str:
    """What is won for the stake, as ``3:2``."""
    return f"{pay.numerator - pay.denominator}:{pay.denominator}"


def _side_bet(rules: BoundlessRules, bet: str) -> tuple[Line, ...]:
    """One side bet: what it is about, and one line per row of its table."""
    pays: PayTable = getattr(rules, f"{bet}_pays")
    code = f"rule.boundless.pays.{bet}"
    return (
        (code, ()),
        *((f"{code}.{row}", (("pays", str(odds)),)) for row, odds in pays.rows),
    )
