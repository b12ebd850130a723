"""Which kept evidence belongs to which fault, as the facts of the round tell."""

from collections.abc import Sequence
from dataclasses import replace

from studio.domain import events as e
from studio.domain.envelope import Recorded
from studio.domain.observations import EvidenceItem
from studio.table.views import CaseView, EvidenceView


def with_evidence(case: CaseView, records: Sequence[Recorded]) -> CaseView:
    """Give the case with what was kept of its fault; unchanged while nothing was."""
    for record in reversed(records):
        event = record.event
        if isinstance(event, e.EvidenceKept) and event.fault == case.fault:
            return replace(case, evidence=tuple(_view(item) for item in event.items))
    return case


def _view(item: EvidenceItem) -> EvidenceView:
    return EvidenceView(
        name=item.name, kind=item.kind, sha256=item.sha256, size=item.size, at_us=item.at_us
    )
