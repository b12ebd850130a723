"""Cards outside the game: dead or burned, each counted once, whichever source saw them."""

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import Fault, FaultCode
from studio.table import policy
from studio.table.advance import bury
from studio.table.inventory import put_out
from studio.table.sensing import unaccounted
from studio.table.state import Read
from studio.table.turn import Turn

LIES_THERE = (FaultCode.DEAL_ORDER, FaultCode.WRONG_FACE)
"""Faults about a card that lies on the felt: where its report goes, it goes as well."""
ALL_DEAD = "P6"
"""The row after which every card that is out is dead: no round was begun."""


def take_out(turn: Turn, fault: Fault, fate: str, card: Card | None = None) -> None:
    """The cards that the fault is about are outside the game; each stays in the count once.

    `card` names one whose identity no reader told, by a person's word.
    """
    if policy.row_of(turn.setup.profile, fault, turn.table).row == ALL_DEAD:
        bury(turn)
        return
    free = [lying for lying in unaccounted(turn.table) if lying.settled]
    named = policy.named_cards(fault, turn.table)
    reads = _reads(turn, fault)
    on_felt = (FaultCode.CARD_FROM_NOWHERE, *LIES_THERE)
    if not named and not reads and fault.code not in on_felt:
        named = tuple(card for card in turn.table.sensing.parked if not card.to)
    for parked in named:
        track = parked.track or (free.pop(0).key if free else None)
        known = parked.card or (card if parked.sealed is None else None)
        put_out(
            turn,
            e.CardDead(fate=fate, card=known, sealed=parked.sealed, read=parked.read, track=track),
        )
    zones = {sight.zone for sight in fault.sightings}
    here = [lying for lying in free if lying.zone in zones]
    for read in reads:
        known = read.card or (card if read.sealed is None else None)
        lies = here.pop(0).key if here and fault.code in LIES_THERE else None
        put_out(
            turn, e.CardDead(fate=fate, card=known, sealed=read.sealed, read=read.key, track=lies)
        )
    if not named and fault.code in on_felt:
        for lying in here:
            seen = lying.card.card if lying.card.sure else card
            put_out(turn, e.CardDead(fate=fate, card=seen, track=lying.key))


def no_card_came(turn: Turn, fault: Fault) -> None:
    """What was reported was no card: it counts nowhere.

    Only lines that name none are meant; a card that anybody saw or read is never dropped.
    """
    for parked in policy.named_cards(fault, turn.table):
        if parked.read is not None and parked.track is None and parked.identity is None:
            turn.emit(e.CardUnparked(read=parked.read, track=None))
    for read in _reads(turn, fault):
        if read.status == "unreadable":
            turn.emit(e.ReadUsed(read=read.key))


def _reads(turn: Turn, fault: Fault) -> tuple[Read, ...]:
    """The reports that a fault is about and that nothing used up or set aside (B12)."""
    numbers = {sight.sequence for sight in fault.sightings if sight.sequence is not None}
    return tuple(read for read in turn.table.sensing.reads if read.sequence in numbers)
