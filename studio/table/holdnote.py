"""What the dealer and the wall are told of a hold: what to do, why, what was due and what was seen.

A card that is in dispute is not named here: it would teach the dealer what to say (FACES.md 11).
"""

from typing import Final

from studio.domain.cards import CUT
from studio.domain.faults import Fault, FaultCode
from studio.table import policy
from studio.table.state import Setup, Table
from studio.table.verdicts import particulars
from studio.table.views import HoldNote, Message

LEFT_LYING: Final = frozenset(
    {
        FaultCode.EARLY_CARD,
        FaultCode.CARD_OUT_OF_PHASE,
        FaultCode.EXTRA_CARD,
        FaultCode.DEAL_ORDER,
        FaultCode.CARD_FROM_NOWHERE,
    }
)
"""Faults of one card that stays where it lies: the dealer's sentence names it."""

DISPUTED: Final = frozenset(
    {
        FaultCode.READER_MISMATCH,
        FaultCode.UNSURE_CARD,
        FaultCode.UNREADABLE_CARD,
        FaultCode.IMPOSSIBLE_CARD,
        FaultCode.SUBSTITUTED_CARD,
        FaultCode.REPEATED_CARD,
        FaultCode.RECOVERED,
    }
)
"""Faults in which it is open which card it is: what a source read would teach the dealer what to
say, so it is not in what the dealer is shown (FACES.md 11). Where only the order or the place is
wrong, the card is named."""


def disputed(setup: Setup, fault: Fault) -> bool:
    """Whether a card of this fault may not be named to the dealer."""
    if fault.code in DISPUTED:
        return True
    named = [(sight.source, sight.card) for sight in fault.sightings if sight.card is not None]
    shoe = {card for source, card in named if source == setup.shoe}
    felt = {card for source, card in named if source == setup.camera}
    return bool(shoe and felt) and not shoe & felt


def hold_note(setup: Setup, table: Table) -> HoldNote | None:
    """What the dealer and the wall see of a hold: one sentence of what to do, and why."""
    hold = table.hold
    if hold is None:
        return None
    faults = hold.faults
    first = faults[0] if faults else None
    stem = policy.row_of(setup.profile, first, table).stem if first else "answered"
    frozen = particulars(first) if first else ()
    return HoldNote(
        since_us=hold.since_us,
        faults=len(faults),
        do=_do(setup, first, stem) if first else Message(f"hold.{stem}.do"),
        what=Message(f"hold.{stem}.what", frozen or (("device", first.device if first else ""),)),
        due=due_message(first) if first and not frozen else None,
        seen=_seen_message(setup, first) if first and not frozen else None,
        zone=_zone_of(first) if first and not frozen else "",
        taken_by=hold.taken_by,
    )


def _do(setup: Setup, fault: Fault, stem: str) -> Message:
    """What the dealer does with the hands; the card is named where the camera was sure of it."""
    if fault.code in LEFT_LYING and not disputed(setup, fault):
        for sight in fault.sightings:
            known = sight.card is not None and sight.look != "unsure"
            if known and sight.source == setup.camera and sight.zone:
                told = (("card", sight.card.code if sight.card else ""), ("zone", sight.zone))
                return Message("hold.do.leave_card", told)
    return Message(f"hold.{stem}.do", (("zone", fault.due_to), ("device", fault.device)))


def due_message(fault: Fault) -> Message | None:
    """What was due at the moment of a fault."""
    if not fault.due_to:
        return None
    return Message("due.card", (("zone", fault.due_to), ("face", fault.due_face)))


def _zone_of(fault: Fault) -> str:
    for sight in fault.sightings:
        if sight.zone:
            return sight.zone
    return fault.due_to


def _seen_message(setup: Setup, fault: Fault) -> Message | None:
    """What was seen, for the dealer: never the camera's candidates (FACES.md 11)."""
    if disputed(setup, fault):
        return _seen_unnamed(fault)
    for sight in fault.sightings:
        if sight.source == setup.camera and sight.look != "unsure" and sight.card is not None:
            return Message("seen.card", (("card", sight.card.code), ("zone", sight.zone)))
    for sight in fault.sightings:
        if sight.source == setup.shoe:
            if sight.card is not None:
                return Message("seen.shoe", (("card", sight.card.code),))
            return Message("seen.shoe_unread")
        if sight.look == CUT:
            return Message("seen.cut", (("zone", sight.zone),))
        return Message("seen.unsure", (("zone", sight.zone),))
    return None


def _seen_unnamed(fault: Fault) -> Message | None:
    """Where something was seen, without which card it is."""
    if not fault.sightings:
        return None
    zone = _zone_of(fault)
    unread = all(sight.card is None and not sight.zone for sight in fault.sightings)
    return Message("seen.shoe_unread") if unread else Message("seen.unsure", (("zone", zone),))
