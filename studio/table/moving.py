"""A card that lies before a seat is laid in another zone, where all see it.

Until it lies there nobody but its seat knows which card it is; what a reader had named is compared
with what lies there, and told with the salt of its seal.
"""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Facing, Move
from studio.table.state import Place, Table
from studio.table.turn import Turn


def move(turn: Turn, asked: Move) -> bool:
    """What the sources say of the card that is to be moved; whether something followed."""
    place = place_of(turn.table, asked)
    if place is None:
        return False
    return _without_camera(turn, asked, place)


def moved_by_dealer(turn: Turn, asked: Move) -> None:
    """The dealer says that the card lies in its new place; a camera has to see it.

    Raises:
        Rejected: if the camera is to see it, or nobody knows which card it is.
    """
    place = place_of(turn.table, asked)
    if turn.setup.uses_camera:
        raise c.Rejected("refused.card_unseen")
    if place is None or (place.card is None and asked.face is Facing.UP):
        raise c.Rejected("refused.hidden_unknown")
    lay(turn, asked, place, place.card, place.sources or (turn.setup.shoe,))


def key_in(turn: Turn, asked: Move, card: Card) -> None:
    """The card that was moved is this one, by a person's word.

    Raises:
        Rejected: if it contradicts what is known of it, or the shoe cannot hold it.
    """
    place = place_of(turn.table, asked)
    if place is None:
        raise c.Rejected("refused.no_such_card")
    if place.card is not None and place.card != card:
        raise c.Rejected("refused.hidden_differs")
    if not possible(turn, place, card):
        raise c.Rejected("refused.impossible_card")
    lay(turn, asked, place, card, ("person",))


def place_of(table: Table, asked: Move) -> Place | None:
    """The accepted card that is to be moved."""
    places = table.play.places if table.play else ()
    return next((place for place in places if place.index == asked.index), None)


def possible(turn: Turn, place: Place, card: Card) -> bool:
    """Whether a card that nobody had named can be this one."""
    shoe = turn.table.shoe
    if place.card is not None or shoe is None:
        return True
    return shoe.cards.gone_of(card) < shoe.cards.loaded_of(card)


def lay(
    turn: Turn,
    asked: Move,
    place: Place,
    card: Card | None,
    sources: tuple[str, ...],
    track: tuple[str, int] | None = None,
) -> None:
    """Write down that the card lies there; what may be known now is told with its salt."""
    up = asked.face is Facing.UP
    known_before = up and place.sealed is not None and place.sealed.card == card
    turn.emit(
        e.CardMoved(
            index=place.index,
            to=asked.to,
            face=asked.face.value,
            step=asked.step,
            card=card if up else None,
            sources=sources,
            track=track,
            revealed=place.sealed.reveal() if place.sealed and known_before else None,
        )
    )


def _without_camera(turn: Turn, asked: Move, place: Place) -> bool:
    """Nobody can tell which card it is: a person reads it."""
    if place.card is not None or asked.face is Facing.DOWN:
        return False
    if turn.has_fault(FaultCode.UNREADABLE_CARD):
        return False
    turn.fault(FaultCode.UNREADABLE_CARD, index=place.index)
    return True
