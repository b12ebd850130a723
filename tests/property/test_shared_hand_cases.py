"""Any round with any players comes out the same by the table and player by player.

The table takes bets and decisions in columns, knows players only as cohorts, asks a wallet, and
goes through events. The driver beside it holds one small record for each player and asks the bare
procedure. Both read the same kind of case, so any difference is a mistake of one of them.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from studio.domain.cards import CUT, PACK
from studio.scripted.round import play_round
from tests.support.shared_hand import Driver

STAKES = (1, 3, 100, 101, 333, 500, 1000, 2500)
SIDE_BETS = ("pair", "bust_bonus", "lucky_trio", "poker_trio")
LOW = [card for card in PACK if card.rank in "A2345678"]


def player(source: random.Random, name: str, *, splits: bool) -> dict[str, Any]:
    """Somebody with bets, hardly enough money, and inputs of all kinds."""
    bets = {"main": source.choice(STAKES)} if source.random() < 0.85 else {}
    bets |= {bet: source.choice((10, 25, 50)) for bet in SIDE_BETS if source.random() < 0.35}
    main, total = bets.get("main", 0), sum(bets.values())
    decisions = {
        lane: [source.choice("HHSDPRHS") for _ in range(source.randint(0, 5))] for lane in "MLR"
    }
    if splits:
        decisions["M"].insert(0, "P")
    inputs: dict[str, list[str | None]] = {lane: list(said) for lane, said in decisions.items()}
    if source.random() < 0.3:
        inputs[source.choice("MLR")].append(None)
    enough = (50_000, total, total + main // 2, total + main, total + 2 * main, max(total - 30, 0))
    return {
        "id": name,
        "balance": source.choice(enough),
        "bets": bets,
        "insurance": source.choice((True, False, None)),
        "decisions": inputs,
    }


def case(seed: int) -> dict[str, Any]:
    """A round in which somebody has a bet that is surely taken."""
    source = random.Random(seed)
    pack = LOW if source.random() < 0.4 else PACK
    shoe = [source.choice(pack).code for _ in range(40)]
    pair = source.random() < 0.4
    if pair:
        shoe[2] = shoe[0][0] + source.choice("CDHS")
    if source.random() < 0.3:
        shoe[1] = "A" + shoe[1][1]
    if source.random() < 0.3:
        shoe.insert(source.randrange(14), CUT)
    players = [
        player(source, f"p{n}", splits=pair and source.random() < 0.5)
        for n in range(source.randint(1, 7))
    ]
    sure = {"id": "s", "balance": 10, "bets": {"main": 10}, "insurance": None, "decisions": {}}
    players.append(sure)
    made = {
        "id": str(seed),
        "kind": "round",
        "game": "boundless-blackjack",
        "round_no": source.choice((1, 40, 41, 45, 46)),
        "schedule": source.choice(("waves", "lanes")),
        "shoe": shoe,
        "players": players,
    }
    if source.random() < 0.4:
        loser = source.choice(players)
        amount = source.choice((1, max(1, loser["bets"].get("main", 1))))
        drop = {"player": loser["id"], "wave": source.randint(1, 3), "amount": amount}
        made["balance_drops"] = [drop]
    return made


@given(st.integers(0, 2**48))
@settings(max_examples=40)
def test_the_table_and_the_play_of_each_player_by_itself_agree_on_any_round(seed: int) -> None:
    made = case(seed)
    alone = Driver(deepcopy(made)).result()
    table = play_round(deepcopy(made))
    assert {field: table[field] for field in alone} == alone, made
