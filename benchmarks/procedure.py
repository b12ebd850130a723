"""How many coups a second the bare procedure deals and settles: `python -m benchmarks.procedure`.

No table, no journal, no devices: the upper limit of all that runs coups. The shares of the winners
are printed beside the exact ones, and a share further off than four standard errors ends with 1.
"""

import json
import random
import sys
from time import perf_counter

from studio.domain.cards import PACK
from studio.games.baccarat.coup import CoupOutcome, coup
from studio.games.baccarat.pays import pays
from studio.games.baccarat.rules import DEFAULT
from studio.games.procedure import Dealt, run

COUPS = 40_000
EXACT = {"player": 0.446247, "banker": 0.458597, "tie": 0.095156}
"""Shares of the winners in a fresh shoe of eight packs."""


def by_send(hands: list[list[Dealt]]) -> tuple[float, dict[str, int]]:
    """Seconds to deal and settle these coups card by card, and how often each side won."""
    wins = dict.fromkeys(EXACT, 0)
    started = perf_counter()
    for cards in hands:
        procedure = coup(DEFAULT)
        next(procedure)
        outcome: CoupOutcome | None = None
        for given in cards:
            try:
                procedure.send(given.card)
            except StopIteration as ended:
                outcome = ended.value
                break
        assert outcome is not None
        pays(DEFAULT, outcome)
        wins[outcome.code] += 1
    return perf_counter() - started, wins


def by_run(hands: list[list[Dealt]]) -> float:
    """Seconds to run finished coups again from their inputs, as recovery does."""
    inputs = []
    for cards in hands:
        needed = 4
        while run(lambda: coup(DEFAULT), cards[:needed]).due is not None:
            needed += 1
        inputs.append(cards[:needed])
    started = perf_counter()
    for given in inputs:
        run(lambda: coup(DEFAULT), given)
    return perf_counter() - started


def main() -> int:
    """Print the figures as one JSON line; 1 if the shares of the winners are off."""
    shoe, source = list(PACK) * 8, random.Random(416)
    hands = [[Dealt(card) for card in source.sample(shoe, 6)] for _ in range(COUPS)]
    seconds, wins = by_send(hands)
    again = by_run(hands[: COUPS // 4])
    shares = {side: count / COUPS for side, count in wins.items()}
    off = max(
        abs(shares[side] - exact) / (exact * (1 - exact) / COUPS) ** 0.5
        for side, exact in EXACT.items()
    )
    report = {
        "benchmark": "procedure",
        "coups": COUPS,
        "coups_per_s": round(COUPS / seconds),
        "runs_from_inputs_per_s": round(COUPS // 4 / again),
        "shares": shares,
        "exact": EXACT,
        "standard_errors_off": round(off, 2),
    }
    print(json.dumps(report))
    return 1 if off > 4 else 0


if __name__ == "__main__":
    sys.exit(main())
