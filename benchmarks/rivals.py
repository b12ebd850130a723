"""Lets another package play blackjack for `benchmarks.boundless`, in that package's own folder.

`python rivals.py PACKAGE ROUNDS SEED` prints one JSON line. One player hits to 17; the cards are
shuffled before the clock starts.
"""

import json
import random
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from time import process_time
from typing import Any

CARDS = 16
"""Cards at the ready for each round."""


class Ready:
    """A shoe for blackjack21 whose cards were put in order before."""

    def __init__(self, cards: list[Any]) -> None:
        """Hold these cards; the last one comes first."""
        self.cards = cards
        self.draw_card = cards.pop

    def __len__(self) -> int:
        """Count what is left."""
        return len(self.cards)


def blackjack21(rounds: int, source: random.Random) -> float:
    """Seconds of the processor for so many rounds by blackjack21."""
    package = import_module("blackjack21")
    playing = import_module("blackjack21.players").GameState.PLAYERS_TURN
    suits = import_module("blackjack21.table").DEFAULT_SUITS
    shoe = list(package.Deck(suits, count=8))
    cards: list[Any] = []
    while len(cards) < rounds * CARDS:
        source.shuffle(shoe)
        cards += shoe
    table = package.Table([("player", 10)], Ready(cards))
    started = process_time()
    for _ in range(rounds):
        table.start_game()
        while table.state == playing:
            if table.current_hand.total < 17:
                table.hit()
            else:
                table.stand()
    return process_time() - started


def open_spiel(rounds: int, source: random.Random) -> float:
    """Seconds of the processor for so many rounds by OpenSpiel."""
    game = import_module("pyspiel").load_game("blackjack")
    packs = [source.sample(range(52), 2 * CARDS) for _ in range(rounds)]
    hit, stand = 0, 1
    started = process_time()
    for pack in packs:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(pack.pop())
            else:
                state.apply_action(hit if state.get_best_player_total(0) < 17 else stand)
        state.returns()
    return process_time() - started


def main() -> None:
    """Play and tell."""
    name, rounds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    play: Callable[[int, random.Random], float] = {
        "blackjack21": blackjack21,
        "open_spiel": open_spiel,
    }[name]
    seconds = play(rounds, random.Random(seed))
    print(json.dumps({"rounds_per_s": rounds / seconds, "version": version(name)}))


if __name__ == "__main__":
    main()
