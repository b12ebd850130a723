"""The rules in force as message codes with parameters; the catalogue of a language words them.

Everything is read from the rules and from the figures by which a round is dealt, so that the page
that players read cannot say something else than what is played.
"""

from typing import Any

from studio.games.blackjack.outcome import HandResult
from studio.games.blackjack.pays import INSURED, hand_pay
from studio.games.blackjack.rules import PACK, SEATS, BlackjackRules
from studio.games.hands21 import DEALER_STANDS, HITS_UPTO, TWENTY_ONE
from studio.games.spec import Pay

Line = tuple[str, tuple[tuple[str, Any], ...]]
"""A message code and its parameters."""


def rule_text(rules: BlackjackRules) -> tuple[Line, ...]:
    """Give every rule in force, in the order in which a newcomer meets them."""
    win = _odds(hand_pay(rules, HandResult.WIN))
    blackjack = _odds(hand_pay(rules, HandResult.BLACKJACK))
    soft = "hits" if rules.dealer_hits_soft_17 else "stands"
    charlie = ".charlie" if rules.charlie else ""
    lines: list[Line] = [
        ("rule.shoe.packs", (("decks", rules.decks), ("cards", PACK * rules.decks))),
        ("rule.blackjack.burn", ()),
        ("rule.blackjack.aim", (("best", TWENTY_ONE),)),
        ("rule.blackjack.values", (("best", TWENTY_ONE),)),
        ("rule.blackjack.natural", (("best", TWENTY_ONE),)),
        ("rule.blackjack.seats", (("seats", SEATS),)),
        (f"rule.blackjack.deal.{'hole' if rules.peeks else 'none'}", ()),
        *_before_play(rules),
        (f"rule.blackjack.hit_stand{charlie}", (("best", TWENTY_ONE),)),
        (f"rule.blackjack.double.{rules.double_on.value}", ()),
        *_splits(rules),
        *((("rule.blackjack.charlie", (("cards", rules.charlie),)),) * bool(rules.charlie)),
        ("rule.blackjack.automatic", (("upto", HITS_UPTO),)),
        ("rule.blackjack.short", (("upto", HITS_UPTO),)),
        (f"rule.blackjack.dealer.{soft}", (("stands", DEALER_STANDS),)),
        ("rule.blackjack.dealer_draws", ()),
        ("rule.blackjack.result", (("best", TWENTY_ONE),)),
        ("rule.blackjack.pays.main", (("pays", win), ("blackjack", blackjack))),
        ("rule.blackjack.disconnected", ()),
        ("rule.money.rounding", ()),
        ("rule.shoe.cut_card", (("from_end", rules.cut_card_from_end),)),
        ("rule.blackjack.cut_card", ()),
        ("rule.blackjack.void", ()),
    ]
    return tuple(lines)


def _before_play(rules: BlackjackRules) -> tuple[Line, ...]:
    """Insurance, the look at the hole card or its want, and surrender."""
    insurance: tuple[Line, ...] = (("rule.blackjack.insurance.none", ()),)
    if rules.insurance:
        insurance = (("rule.blackjack.insurance.offered", (("pays", _odds(INSURED)),)),)
    return (
        (f"rule.blackjack.surrender.{rules.surrender.value}", ()),
        *insurance,
        (f"rule.blackjack.hole_card.{rules.hole_card.value}", ()),
    )


def _splits(rules: BlackjackRules) -> tuple[Line, ...]:
    """What may be split, how often, and what becomes of it."""
    if rules.max_hands == 1:
        return (("rule.blackjack.split.none", ()),)
    after = "yes" if rules.double_after_split else "no"
    lines: list[Line] = [
        (f"rule.blackjack.split.{rules.split_by.value}", (("hands", rules.max_hands),)),
        (f"rule.blackjack.double_after_split.{after}", ()),
        (f"rule.blackjack.split_aces.{'hit' if rules.hit_split_aces else 'one_card'}", ()),
    ]
    if rules.max_hands > 2:  # noqa: PLR2004  with two hands nothing is split again
        again = "yes" if rules.resplit_aces else "no"
        lines.append((f"rule.blackjack.resplit_aces.{again}", ()))
    return tuple(lines)


def _odds(pay: Pay) -> str:
    """What is won for the stake, as ``3:2``."""
    return f"{pay.numerator - pay.denominator}:{pay.denominator}"
