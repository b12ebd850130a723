"""What is counted of a table's facts, for machines that watch."""

from collections.abc import Sequence

from studio.domain import events as e
from studio.domain.events import Event
from studio.metrics import Metrics
from studio.table.state import Table


def count(
    metrics: Metrics, name: str, before: Table, after: Table, events: Sequence[Event]
) -> None:
    """Count what one commit did; codes and numbers only, never a card."""
    for event in events:
        match event:
            case e.CardDealt():
                metrics.card_dealt(name)
            case e.RoundSettled():
                metrics.round_ended(name, "settled")
            case e.RoundVoided():
                metrics.round_ended(name, "voided")
            case e.FaultRaised(fault=fault):
                metrics.fault(name, fault.code.value)
            case _:
                pass
    hold = after.hold
    if hold is not None and not before.held and hold.faults:
        metrics.held(name, hold.faults[0].code.value)
    elif hold is None and before.held:
        metrics.released(name)
