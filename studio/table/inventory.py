"""Cards that leave the game: counted once, and looked at against what the shoe can hold (V5)."""

from studio.domain import events as e
from studio.domain.faults import FaultCode, Sighting
from studio.table.row import OUTSIDE
from studio.table.turn import Turn


def put_out(turn: Turn, event: e.CardDead) -> None:
    """Take a card out of the game; one that no count allows is told at once.

    A card that nobody may know is not named: its identity stays sealed, only the fault is there.
    """
    turn.emit(event)
    card = event.sealed.card if event.sealed else event.card
    shoe = turn.table.shoe
    if card is None or shoe is None or shoe.cards.gone_of(card) <= shoe.cards.loaded_of(card):
        return
    if turn.has_fault(FaultCode.IMPOSSIBLE_CARD):
        return  # it is told already: the round is void because of it
    device = turn.setup.camera if event.track else turn.setup.shoe
    sight = Sighting(
        source=device,
        card=event.card,
        look="read" if event.card else "hidden",
        zone=event.track[0] if event.track else "",
        sequence=event.read[1] if event.read else None,
        at_us=turn.at_us,
    )
    turn.fault(FaultCode.IMPOSSIBLE_CARD, sightings=(sight,), text=f"{OUTSIDE} the game")
