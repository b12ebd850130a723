"""Boundless Blackjack: one shared hand, any number of players (RULES.md 1)."""

from typing import Final

from studio.games.boundless.amended import amend
from studio.games.boundless.certain import certain
from studio.games.boundless.crowd import crowd
from studio.games.boundless.pays import BETS, MAIN, extra, offered, pays, refuse_bet
from studio.games.boundless.round import Step, boundless
from studio.games.boundless.rules import BoundlessRules, read_rules
from studio.games.boundless.shown import HANDS, hidden_natural, plan, totals, word
from studio.games.boundless.text import rule_text
from studio.games.shoe import end_shoe, new_shoe
from studio.games.spec import Game


def rounds_after_cut(rules: BoundlessRules, cards: int) -> int:  # noqa: ARG001  one shape for all
    """Whole rounds that follow the one in which the cut card came out: none (D-14)."""
    return 0


GAME: Final = Game(
    name="boundless-blackjack",
    version="boundless-blackjack@1",
    bets=BETS,
    steps=tuple(step.value for step in Step),
    hands=HANDS,
    rules=read_rules,
    round=boundless,
    new_shoe=new_shoe,
    end_shoe=end_shoe,
    pays=pays,
    certain=certain,
    offered=offered,
    refuse_bet=refuse_bet,
    rounds_after_cut=rounds_after_cut,
    totals=totals,
    rule_text=rule_text,
    plan=plan,
    word=word,
    seat=MAIN,
    extra=extra,
    crowd=crowd,
    natural=hidden_natural,
    amend=amend,
)
"""All that the table needs to know of Boundless Blackjack."""
