"""Punto banco: two hands, twelve bets, no choices (RULES.md 3)."""

from typing import Final

from studio.games.baccarat.certain import certain
from studio.games.baccarat.coup import HANDS, Step, coup, plan, totals, word
from studio.games.baccarat.pays import BETS, offered, pays, refuse_bet
from studio.games.baccarat.rules import BaccaratRules, read_rules
from studio.games.baccarat.text import rule_text
from studio.games.roads import roads
from studio.games.shoe import end_shoe, new_shoe
from studio.games.spec import Game


def rounds_after_cut(rules: BaccaratRules, cards: int) -> int:  # noqa: ARG001  one shape for all
    """Whole coups that follow the one in which the cut card came out (D-33).

    One if it came during a coup; none if it came instead of the coup's first card.
    """
    return 1 if cards else 0


GAME: Final = Game(
    name="baccarat",
    version="baccarat@1",
    bets=BETS,
    steps=tuple(step.value for step in Step),
    hands=HANDS,
    rules=read_rules,
    round=coup,
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
    roads=roads,
)
"""All that the table needs to know of baccarat."""
