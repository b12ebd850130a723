"""Blackjack with house rules: one to seven seats, each with its own hands (RULES.md 2)."""

from typing import Final

from studio.games.blackjack.amended import amend
from studio.games.blackjack.certain import certain
from studio.games.blackjack.felt import MAIN, ZONES
from studio.games.blackjack.pays import BETS, extra, offered, pays, refuse_bet
from studio.games.blackjack.round import blackjack
from studio.games.blackjack.rules import GAME as NAME
from studio.games.blackjack.rules import BlackjackRules, read_rules, without_effect
from studio.games.blackjack.shown import (
    HANDS,
    crowd,
    hands_of,
    hidden_natural,
    plan,
    totals,
    word,
)
from studio.games.blackjack.steps import Step
from studio.games.blackjack.text import rule_text
from studio.games.shoe import burn_one, end_shoe
from studio.games.spec import Game


def rounds_after_cut(rules: BlackjackRules, cards: int) -> int:  # noqa: ARG001  one shape for all
    """Whole rounds that follow the one in which the cut card came out: none (D-38)."""
    return 0


GAME: Final = Game(
    name=NAME,
    version="blackjack@1",
    bets=BETS,
    steps=tuple(step.value for step in Step),
    hands=HANDS,
    rules=read_rules,
    round=blackjack,
    new_shoe=burn_one,
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
    seats=ZONES,
    extra=extra,
    crowd=crowd,
    natural=hidden_natural,
    amend=amend,
    hands_of=hands_of,
    without_effect=without_effect,
)
"""All that the table needs to know of blackjack."""
