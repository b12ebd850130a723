"""A place that was passed over for one that would have followed: the card stays where it lies.

Cards are not moved back (B6, B7): the card waits there for the turn of its own place, and the place
that was passed over has the next card of the shoe.
"""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import PACK
from studio.domain.faults import Fault
from studio.domain.observations import Look
from studio.games.procedure import Deal, Dealt, Facing, run
from studio.table.book import procedure
from studio.table.row import LANE_SKIPPED, OWN_SKIPPED
from studio.table.sensing import Lying, unaccounted
from studio.table.state import Read, Setup, Table
from studio.table.turn import Turn

DEALER: Final = "D"
"""Zone of the dealer's hand."""
MOST: Final = 16
"""So many cards at most are dealt before anybody chooses again: two for each of seven seats, and
two for the dealer."""


def passed_over(setup: Setup, table: Table, deal: Deal, zones: tuple[str, ...]) -> str:
    """What is said of a card that lies on another zone than the due one; empty if it lies wrong.

    It counts where it lies if that zone has a card to come before anybody chooses again, with the
    same face up. A card that a reader named openly never becomes the hidden one.
    """
    lying = _one(table, zones)
    if lying is None or not setup.game.seat or deal.face is not Facing.UP:
        return ""
    later = _later(setup, table, lying.zone)
    read = _read(table)
    if later is None or (later.face is Facing.DOWN) != (lying.card.look is Look.BACK):
        return ""
    if later.face is Facing.DOWN and read is not None and read.card is not None:
        return ""
    skipped = OWN_SKIPPED if deal.to == DEALER else LANE_SKIPPED
    return f"{skipped} {deal.to} for {lying.zone}"


def stays(turn: Turn, fault: Fault) -> None:
    """The card waits where it lies for the turn of its own place.

    Raises:
        Rejected: if it lies there no more.
    """
    lying = _one(turn.table, tuple(sight.zone for sight in fault.sightings if sight.zone))
    if lying is None:
        raise c.Rejected("refused.cards_missing")
    numbers = {sight.sequence for sight in fault.sightings if sight.sequence is not None}
    read = _read(turn.table)
    if read is not None and read.sequence not in numbers:
        read = None
    seen = lying.card.card if lying.card.sure else None
    turn.emit(
        e.CardParked(
            read=read.key if read is not None else None,
            track=lying.key,
            exposed=lying.card.look is not Look.BACK,
            card=read.card if read is not None else seen,
            sealed=read.sealed if read is not None else None,
            to=lying.zone,
        )
    )


def _one(table: Table, zones: tuple[str, ...]) -> Lying | None:
    """The one card on these zones that nothing accounts for."""
    found = [lying for lying in unaccounted(table) if lying.zone in zones and lying.settled]
    return found[0] if len(found) == 1 else None


def _read(table: Table) -> Read | None:
    """The report of the shoe that it came with."""
    return table.sensing.reads[0] if table.sensing.reads else None


def _later(setup: Setup, table: Table, zone: str) -> Deal | None:
    """The next card of this zone that is due after the one that is due now, whatever that is.

    None if somebody chooses, or something else is waited for, before that.
    """
    if table.play is None:
        return None
    inputs = table.play.inputs
    for _ in range(MOST):
        now = run(procedure(setup, table.play.script), inputs).due
        if not isinstance(now, Deal):
            return None
        if len(inputs) > len(table.play.inputs) and now.to == zone:
            return now
        inputs = (*inputs, Dealt(None if now.face is Facing.DOWN else PACK[0]))
    return None
