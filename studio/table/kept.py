"""Which kept evidence belongs to which fault, as the facts of the round tell.

Pictures on which a card may be seen that nobody may know yet are ``hidden`` until that card was
turned, or its round has ended; then they are pictures as any.
"""

from collections.abc import Sequence
from typing import Final

from studio.domain import events as e
from studio.domain.envelope import Recorded
from studio.domain.observations import EvidenceItem
from studio.domain.values import replace
from studio.table.views import CaseView, EvidenceView

PICTURE: Final = "picture"
HIDDEN: Final = "hidden"
"""Kinds of evidence: a picture, and one that nobody gets yet."""
UNCOVERS: Final = (e.CardTurned, e.RoundSettled, e.RoundVoided)
"""Facts after which every card of a round may be seen (DESIGN.md 7: "of an open round")."""


def as_seen(items: Sequence[EvidenceItem], *, uncovered: bool) -> tuple[EvidenceItem, ...]:
    """What was kept, as it is given now."""
    if not uncovered:
        return tuple(items)
    return tuple(replace(it, kind=PICTURE) if it.kind == HIDDEN else it for it in items)


def with_evidence(case: CaseView, records: Sequence[Recorded]) -> CaseView:
    """Give the case with what was kept of its fault; unchanged while nothing was."""
    uncovered = False
    for record in reversed(records):
        event = record.event
        if isinstance(event, UNCOVERS):
            uncovered = True
        if isinstance(event, e.EvidenceKept) and event.fault == case.fault:
            items = as_seen(event.items, uncovered=uncovered)
            return replace(case, evidence=tuple(_view(item) for item in items))
    return case


def _view(item: EvidenceItem) -> EvidenceView:
    return EvidenceView(
        name=item.name, kind=item.kind, sha256=item.sha256, size=item.size, at_us=item.at_us
    )
