"""Baloot: four players in two partnerships, 32 cards, bidding, projects, tricks (RULES.md 4)."""

from typing import Final

from studio.games.baloot.amended import amend
from studio.games.baloot.cards import PACK
from studio.games.baloot.certain import certain
from studio.games.baloot.choices import besides, breach, choices
from studio.games.baloot.felt import FACE, RACKS, TRICK
from studio.games.baloot.outcome import FIRST, carried, round_in_game
from studio.games.baloot.pays import BETS, offered, pays, refuse_bet, stays
from studio.games.baloot.round import baloot
from studio.games.baloot.rules import GAME as NAME
from studio.games.baloot.rules import BalootRules, read_rules, without_effect
from studio.games.baloot.shown import board, plan, totals, word
from studio.games.baloot.steps import Step
from studio.games.baloot.text import rule_text
from studio.games.baloot.verdict import redealt, verdict
from studio.games.shoe import count_rest, load_only
from studio.games.spec import Game


def rounds_after_cut(rules: BalootRules, cards: int) -> int:  # noqa: ARG001  one shape for all
    """Whole rounds that follow a cut card: none, since a shoe holds one round and no cut card."""
    return 0


GAME: Final = Game(
    name=NAME,
    version="baloot@1",
    bets=BETS,
    steps=tuple(step.value for step in Step),
    hands=RACKS,
    rules=read_rules,
    round=baloot,
    new_shoe=load_only,
    end_shoe=count_rest,
    pays=pays,
    certain=certain,
    offered=offered,
    refuse_bet=refuse_bet,
    rounds_after_cut=rounds_after_cut,
    totals=totals,
    rule_text=rule_text,
    plan=plan,
    word=word,
    without_effect=without_effect,
    pack=PACK,
    rounds_in_shoe=1,
    first=FIRST,
    carried=carried,
    game_round=round_in_game,
    choices=choices,
    besides=besides,
    board=board,
    breach=breach,
    stays=stays,
    amend=amend,
    redealt=redealt,
    verdict=verdict,
    laid=(FACE, *TRICK),
)
"""All that the table needs to know of Baloot."""
