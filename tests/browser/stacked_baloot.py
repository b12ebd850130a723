"""A demonstration of Baloot whose packs are stacked and whose seats say what they were told to.

Run as a program, with the options of `cutcard demo` and `--quiet`: then nobody at the table answers
before the first card, and the dealer enters every word. Questions stay open long, so that time may
run fast. Seat 0 holds six spades and two aces: it
buys hokum, seat 1 doubles it and closes the round, and no trick goes to the other side.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from studio.simulate import demo, partners, sitting

PACKETS = (
    # three for each seat, then two, beginning right of seat 3, which deals
    *("JS", "AS", "KS", "KH", "QH", "JH", "AC", "KC", "TC", "7S", "TH", "9H"),
    *("QS", "TS", "TD", "9D", "7H", "8H", "QD", "JD"),
)
FACE = "9S"
LAST = ("AH", "AD", "8S", "8C", "7C", "KD", "9C", "7D", "8D", "QC", "JC")
"""Two for the buyer, three for each of the others."""
SAYS = {
    ("bidding", 0): "hokum",
    ("claim", 1): "pass",
    ("claim", 2): "pass",
    ("claim", 3): "pass",
    ("confirm", 0): "hokum",
    ("raise", 1): "double",
    ("raise", 0): "pass",
    ("closed", 1): "closed",
}
"""What is said; every other question is answered by what is held."""
WORDS = {step for step, _ in SAYS}
PATIENT_S = 99
"""So long a question, and a result, stays, by the demonstration's own clock that may run fast."""
BETTING_S = 12


def told(ordinary: Callable[[partners.Sees], str]) -> Callable[[partners.Sees], str]:
    """Let the seats say what they were told to, where it may be said."""

    def choose(sees: partners.Sees) -> str:
        wanted = SAYS.get((sees.step, sees.seat), "")
        return wanted if wanted in sees.words else ordinary(sees)

    return choose


def silent(ordinary: Callable[..., bool]) -> Callable[..., bool]:
    """Let nobody answer a question that is put before the first card."""

    def answer(sitters: sitting.Sitters, dealer: str) -> bool:
        current = sitters._place.desk.table().round
        asking = current.asking if current is not None else None
        return asking is not None and asking.step not in WORDS and ordinary(sitters, dealer)

    return answer


def main() -> None:
    """Stack the first pack, then run the demonstration."""
    ordinary = demo.settings_of

    def settings_of(wanted: demo.Wanted, database: str) -> Any:
        settings = ordinary(wanted, database)
        (name, table), *_ = settings.tables.items()
        times = {"decision_s": PATIENT_S, "betting_s": BETTING_S, "result_s": PATIENT_S}
        patient = table.model_copy(update=times)
        return settings.model_copy(update={"tables": {name: patient}})

    demo.settings_of = settings_of
    stacked = (*PACKETS, FACE, *LAST)
    demo.Wanted = functools.partial(demo.Wanted, stacked=stacked)  # type: ignore[misc, assignment]
    sitting.SLOW = 0.0  # type: ignore[misc]
    sitting.choose = told(partners.choose)  # type: ignore[attr-defined, assignment]
    if "--quiet" in sys.argv:
        sys.argv.remove("--quiet")
        sitting.Sitters.answer = silent(sitting.Sitters.answer)  # type: ignore[method-assign]
    demo.COMMAND()


if __name__ == "__main__":
    main()
