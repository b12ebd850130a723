"""Cards that end a coup, out of any cards."""

from __future__ import annotations

from collections.abc import Sequence

from studio.domain.cards import Card
from studio.games.procedure import Dealt, run
from studio.table.book import procedure
from studio.table.state import Script, Setup


def coup_of(setup: Setup, cards: Sequence[Card]) -> tuple[Card, ...]:
    """As many of these cards as end a coup; six are always enough."""
    taken: list[Card] = []
    for card in cards:
        inputs = [Dealt(each) for each in taken]
        if run(procedure(setup, Script.ROUND), inputs).outcome is not None:
            break
        taken.append(card)
    return tuple(taken)
