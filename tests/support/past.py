"""The facts of an ended round out of a list of events, as a table's owner reads its journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studio.domain import events as e
from studio.table.correction import after
from studio.table.evolve import evolve
from studio.table.past import Past, settled
from studio.table.state import Table


def past_of(events: Sequence[tuple[e.Event, int]], round_id: str) -> Past | None:
    """Fold all of it; None for no round."""
    if not round_id:
        return None
    table, past = Table(), None
    for event, at_us in events:
        table = evolve(table, event, at_us)
        match event:
            case e.RoundSettled() if event.round_id == round_id and table.round is not None:
                past = settled(table, event.columns)
            case e.BetsStayed() if event.round_id == round_id and past is not None:
                past = replace(past, staying=event.columns)
            case e.ResultCorrected() if event.round_id == round_id and past is not None:
                past = replace(past, back=after(past.back, event))
            case _:
                pass
    return past
