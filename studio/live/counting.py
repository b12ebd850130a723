"""What is counted of a table's facts, for machines that watch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studio.domain import events as e
from studio.domain.events import Event
from studio.live.outbox import code_of, covered_after, lies_covered
from studio.table.state import Table

if TYPE_CHECKING:
    from studio.metrics import Metrics


def count(
    metrics: "Metrics", name: str, before: Table, after: Table, events: Sequence[Event]
) -> None:
    """Count what one commit did; codes and numbers only, never a card.

    Anybody may read the figures: a code is as much as a platform is told (`outbox.code_of`).
    """
    covered = lies_covered(before)
    for event in events:
        covered = covered_after(covered, event)
        match event:
            case e.CardDealt():
                metrics.card_dealt(name)
            case e.RoundSettled():
                metrics.round_ended(name, "settled")
            case e.RoundVoided():
                metrics.round_ended(name, "voided")
            case e.FaultRaised(fault=fault):
                metrics.fault(name, code_of(fault, covered=bool(covered)))
            case _:
                pass
    hold = after.hold
    if hold is not None and not before.held and hold.faults:
        metrics.held(name, code_of(hold.faults[0], covered=bool(covered)))
    elif hold is None and before.held:
        metrics.released(name)
