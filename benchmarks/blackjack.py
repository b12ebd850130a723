"""Rounds of blackjack a second by the bare procedure: `python -m benchmarks.blackjack`.

One seat that hits to 17, each card sent as it comes, from shoes that were shuffled before the clock
starts; the same with `blackjack21`, installed for this benchmark only into a folder of its own
(`--rivals DIR`), and with the whole table: wallet, windows, journal in memory, settlement, a new
table for each round. All take turns in one run, and each is judged by its best turn, in seconds of
the processor, so that other work on the machine weighs on none of them. Ends with 1 if the
procedure alone is not quicker than blackjack21.

What is compared is not the same game: blackjack21 has no insurance, no limit of splits, no peek
under an ace, and no money with fractions.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.boundless import TABLE_ROUNDS, TURNS, interpreter, rival, shoes
from studio.domain.cards import PACK, Card
from studio.games.blackjack.felt import Felt
from studio.games.blackjack.outcome import BlackjackOutcome
from studio.games.blackjack.pays import pays
from studio.games.blackjack.round import deal
from studio.games.blackjack.rules import DEFAULT
from studio.games.hands21 import natural
from studio.games.procedure import Choice, Deal, Decide, Decided, Facing, Peek, Reveal, Staked
from studio.scripted.seats import play_seats

RIVAL = "blackjack21"
SEATED = Staked(1, ("main",))


def dealt(draw: Callable[[], Card]) -> BlackjackOutcome:
    """One round with one seat that hits to 17."""
    felt = Felt(DEFAULT)
    procedure = deal(DEFAULT, felt)
    send = procedure.send
    due: Any = next(procedure)
    hole = PACK[0]
    try:
        while True:
            kind = type(due)
            if kind is Deal:
                card = draw()
                if due.face is Facing.UP:
                    due = send(card)
                else:
                    hole, due = card, send(None)
            elif kind is Reveal:
                due = send(hole)
            elif kind is Decide:
                (offer,) = due.offers
                action = "hit" if felt.seats[0].first.score < 17 else "stand"
                action = action if offer.lane else "decline"
                due = send(Decided((Choice(offer.cohort, ((offer.lane, action),), 1),)))
            elif kind is Peek:
                due = send(natural(felt.dealer.cards[0], hole))
            else:
                due = send(SEATED)
    except StopIteration as ended:
        outcome: BlackjackOutcome = ended.value
        return outcome


def turn(seed: int, *, settled: bool) -> float:
    """Rounds a second of the processor; with the returns of all bets, or without."""
    hands = shoes(seed)
    started = process_time()
    for cards in hands:
        outcome = dealt(cards.pop)
        if settled:
            pays(DEFAULT, outcome)
    return len(hands) / (process_time() - started)


def case(cards: list[Card]) -> dict[str, Any]:
    """The same round as a case: what its seat does is known from the bare procedure."""
    shoe = [card.code for card in reversed(cards)]
    hits = len(dealt(cards.pop).seats[0].hands[0].cards) - 2
    seat = {
        "id": "1",
        "balance": 1000,
        "bet": 10,
        "insurance": False,
        "decisions": [*"H" * hits, "S"],
    }
    return {"id": "b", "kind": "classic", "shoe": shoe, "seats": [seat]}


def table_turn(seed: int) -> float:
    """Rounds a second of the processor through the whole table, which is opened for each."""
    cases = [case(cards) for cards in shoes(seed)[:TABLE_ROUNDS]]
    started = process_time()
    for each in cases:
        play_seats(each)
    return TABLE_ROUNDS / (process_time() - started)


def main() -> int:
    """Print the figures as one JSON line; 1 if the procedure alone does not beat blackjack21."""
    parser = argparse.ArgumentParser(description="rounds of blackjack a second")
    parser.add_argument("--rivals", type=Path, help="folder for the package to compare with")
    wanted = parser.parse_args()
    best: dict[str, float] = {}
    version = ""
    python = interpreter(wanted.rivals) if wanted.rivals else None
    for number in range(TURNS):
        for name, settled in (("procedure", False), ("procedure_and_pays", True)):
            best[name] = max(best.get(name, 0.0), turn(number, settled=settled))
        best["table"] = max(best.get("table", 0.0), table_turn(number))
        if python is not None:
            told = rival(python, RIVAL, number)
            best[RIVAL] = max(best.get(RIVAL, 0.0), told["rounds_per_s"])
            version = told["version"]
    report = {
        "benchmark": "blackjack",
        "turns": TURNS,
        "python": sys.version.split()[0],
        "rounds_per_cpu_s": {name: round(figure) for name, figure in best.items()},
        "versions": {RIVAL: version} if version else {},
    }
    print(json.dumps(report))
    return 1 if best["procedure"] <= best.get(RIVAL, 0.0) else 0


if __name__ == "__main__":
    sys.exit(main())
