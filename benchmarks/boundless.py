"""Rounds of Boundless Blackjack a second by the bare procedure: `python -m benchmarks.boundless`.

One player who hits to 17, each card sent as it comes, from shoes that were shuffled before the
clock starts. The same is done with `blackjack21` and OpenSpiel, which are installed for this
benchmark only, into a folder of their own (`--rivals DIR`), and with the whole table: wallet,
windows, journal in memory, settlement, a new table for each round. All take turns in one run, and
each is judged by its best turn, in seconds of the processor, so that other work on the machine
weighs on none of them. Ends with 1 if the procedure alone is not quicker than blackjack21.

What is compared is not the same game: blackjack21 has no insurance, side bets, cohorts or money
with fractions; OpenSpiel has hit and stand only and is written in C++.
"""

import argparse
import json
import random
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from studio.domain.cards import PACK, Card
from studio.games.boundless.felt import Felt
from studio.games.boundless.outcome import BoundlessOutcome
from studio.games.boundless.pays import pays
from studio.games.boundless.round import deal
from studio.games.boundless.rules import DEFAULT
from studio.games.hands21 import natural
from studio.games.procedure import Choice, Deal, Decide, Decided, Facing, Peek, Reveal, Staked
from studio.scripted.round import play_round

ROUNDS = 20_000
TABLE_ROUNDS = 200
TURNS = 5
CARDS = 16
"""Cards at the ready for each round; one that needs more is hardly ever seen."""
RIVALS = ("blackjack21", "open_spiel")
SEATED = Staked(1, ("main",))
DECLINED = Decided((Choice("", (("", "decline"),), 1),))


def dealt(draw: Callable[[], Card]) -> BoundlessOutcome:
    """One round with one player who hits to 17."""
    felt = Felt()
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
            elif kind is Decide and due.offers[0].lane:
                action = "hit" if felt.shared.score < 17 else "stand"
                choice = Choice(due.offers[0].cohort, (("M", action),), 1)
                due = send(Decided((choice,)))
            elif kind is Decide:
                due = send(DECLINED)
            elif kind is Peek:
                due = send(natural(felt.dealer.cards[0], hole))
            else:
                due = send(SEATED)
    except StopIteration as ended:
        outcome: BoundlessOutcome = ended.value
        return outcome


def shoes(seed: int) -> list[list[Card]]:
    """Cards for each round, as they come out of shoes of eight packs."""
    source = random.Random(seed)
    found: list[list[Card]] = []
    while len(found) < ROUNDS:
        shoe = list(PACK) * 8
        source.shuffle(shoe)
        found += [shoe[n : n + CARDS] for n in range(0, len(shoe) - CARDS, CARDS)]
    return found[:ROUNDS]


def turn(seed: int, *, settled: bool) -> float:
    """Rounds a second of the processor; with the returns of all bets, or without."""
    hands = shoes(seed)
    started = process_time()
    for cards in hands:
        outcome = dealt(cards.pop)
        if settled:
            pays(DEFAULT, outcome)
    return ROUNDS / (process_time() - started)


def case(cards: list[Card]) -> dict[str, Any]:
    """The same round as a case: what the player of it does is known from the bare procedure."""
    shoe = [card.code for card in reversed(cards)]
    hits = len(dealt(cards.pop).shared) - 2
    player = {
        "id": "a",
        "balance": 1000,
        "bets": {"main": 10},
        "insurance": False,
        "decisions": {"M": [*"H" * hits, "S"]},
    }
    return {"id": "b", "kind": "round", "shoe": shoe, "players": [player]}


def table_turn(seed: int) -> float:
    """Rounds a second of the processor through the whole table, which is opened for each."""
    cases = [case(cards) for cards in shoes(seed)[:TABLE_ROUNDS]]
    started = process_time()
    for each in cases:
        play_round(each)
    return TABLE_ROUNDS / (process_time() - started)


def interpreter(folder: Path) -> Path:
    """Make a folder with the rivals, once, and give its interpreter.

    Raises:
        CalledProcessError: if they cannot be installed.
    """
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *RIVALS], check=True)  # noqa: S603
    return python


def rival(python: Path, name: str, seed: int) -> dict[str, Any]:
    """Let one rival play as many rounds."""
    script = Path(__file__).with_name("rivals.py")
    asked = [str(python), str(script), name, str(ROUNDS), str(seed)]
    told = subprocess.run(asked, check=True, capture_output=True, text=True)  # noqa: S603
    found: dict[str, Any] = json.loads(told.stdout)
    return found


def main() -> int:
    """Print the figures as one JSON line; 1 if the procedure alone does not beat blackjack21."""
    parser = argparse.ArgumentParser(description="rounds of Boundless Blackjack a second")
    parser.add_argument("--rivals", type=Path, help="folder for the packages to compare with")
    wanted = parser.parse_args()
    best: dict[str, float] = {}
    versions: dict[str, str] = {}
    python = interpreter(wanted.rivals) if wanted.rivals else None
    for number in range(TURNS):
        for name, settled in (("procedure", False), ("procedure_and_pays", True)):
            best[name] = max(best.get(name, 0.0), turn(number, settled=settled))
        best["table"] = max(best.get("table", 0.0), table_turn(number))
        for name in RIVALS:
            if python is None:
                continue
            told = rival(python, name, number)
            best[name] = max(best.get(name, 0.0), told["rounds_per_s"])
            versions[name] = told["version"]
    report = {
        "benchmark": "boundless",
        "rounds": ROUNDS,
        "turns": TURNS,
        "python": sys.version.split()[0],
        "rounds_per_cpu_s": {name: round(figure) for name, figure in best.items()},
        "versions": versions,
    }
    print(json.dumps(report))
    return 1 if best["procedure"] <= best.get("blackjack21", 0.0) else 0


if __name__ == "__main__":
    sys.exit(main())
