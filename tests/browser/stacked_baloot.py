"""A demonstration of Baloot whose packs are stacked and whose seats say what they were told to.

Run as a program, with the options of `cutcard demo` and `--quiet`: then nobody at the table answers
before the first card, the dealer enters every word, and seat 2 may show the first five cards of the
first pack. Questions stay open long, so that time may run fast. In every other pack seat 0 holds
six spades and two aces: it buys hokum, seat 1 doubles it and closes the round, and no trick goes to
the other side.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from studio.simulate import demo, desk, partners, sitting

PACKETS = (
    # three for each seat, then two, beginning right of seat 3, which deals
    *("JS", "AS", "KS", "KH", "QH", "JH", "AC", "KC", "TC", "7S", "TH", "9H"),
    *("QS", "TS", "TD", "9D", "7H", "8H", "QD", "JD"),
)
FACE = "9S"
LAST = ("AH", "AD", "8S", "8C", "7C", "KD", "9C", "7D", "8D", "QC", "JC")
"""Two for the buyer, three for each of the others."""
KAWESH = ("7S", "8S", "9S", "7H", "8H")
"""The first five of seat 2 that have no right but to a new deal."""
KAWESH_AT = (6, 7, 8, 16, 17)
"""Where these lie in the pack."""
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
RESULT_S = 64


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


def with_kawesh(ordinary: Callable[[desk.Place, list[str]], None]) -> Any:
    """Give seat 2 these five in the first pack, and its own ones to whom these were."""
    packs: list[list[str]] = []

    def load(self: desk.Place, cards: list[str]) -> None:
        packs.append(cards)
        for at, code in zip(KAWESH_AT, KAWESH, strict=True) if len(packs) == 1 else ():
            other = cards.index(code)
            cards[at], cards[other] = cards[other], cards[at]
        ordinary(self, cards)

    return load


def main() -> None:
    """Stack the first pack, then run the demonstration."""
    ordinary = demo.settings_of

    def settings_of(wanted: demo.Wanted, database: str) -> Any:
        settings = ordinary(wanted, database)
        (name, table), *_ = settings.tables.items()
        times = {"decision_s": PATIENT_S, "betting_s": BETTING_S, "result_s": RESULT_S}
        rules = {**table.rules, "kawesh": "same_dealer"}
        patient = table.model_copy(update={**times, "rules": rules})
        return settings.model_copy(update={"tables": {name: patient}})

    demo.settings_of = settings_of
    stacked = (*PACKETS, FACE, *LAST)
    demo.Wanted = functools.partial(demo.Wanted, stacked=stacked)  # type: ignore[misc, assignment]
    sitting.SLOW = 0.0  # type: ignore[misc]
    sitting.choose = told(partners.choose)  # type: ignore[attr-defined, assignment]
    if "--quiet" in sys.argv:
        sys.argv.remove("--quiet")
        desk.Place.load = with_kawesh(desk.Place.load)  # type: ignore[method-assign]
        sitting.Sitters.answer = silent(sitting.Sitters.answer)  # type: ignore[method-assign]
    demo.COMMAND()


if __name__ == "__main__":
    main()
