"""A card that lies before a seat is laid in another zone, where all see it.

Until it lies there nobody but its seat knows which card it is; what a reader had named is compared
with what lies there, and told with the salt of its seal. Where a camera watches, the card must lie
in the due zone, at rest and surely read, and its old place must be empty.
"""

from enum import StrEnum

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.domain.observations import Look
from studio.games.procedure import Facing, Move, Reveal
from studio.table.named import reading_of
from studio.table.row import BY_CLOCK
from studio.table.sensing import Lying, sight_of_felt, unaccounted, zone_of
from studio.table.state import Place, Script, Setup, Table
from studio.table.turn import Turn


class Source(StrEnum):
    """From where a card came that lies open now, by the places that are empty."""

    DUE = "due"
    """From the place of the card that was to be moved."""
    RACK = "rack"
    """From another place of the same rack."""
    OTHER = "other"
    """From another rack."""
    UNCLEAR = "unclear"
    """The rack moves, or is covered by a hand."""
    NOWHERE = "nowhere"
    """No place is empty."""


def move(turn: Turn, asked: Move) -> bool:
    """What the sources say of the card that is to be moved; whether something followed."""
    place = place_of(turn.table, asked)
    if place is None:
        return False
    if not turn.setup.uses_camera:
        return _without_camera(turn, asked, place)
    here = [it for it in unaccounted(turn.table) if it.zone == asked.to]
    if not here:
        return _elsewhere(turn, asked, place)
    if len(here) > 1:
        return _fault(turn, FaultCode.TWO_AT_ONCE, place, *here)
    return _judged(turn, asked, place, here[0])


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
    here = [it.key for it in unaccounted(turn.table) if it.zone == asked.to]
    lay(turn, asked, place, card, ("person",), here[0] if len(here) == 1 else None)


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
    if up:
        _breach(turn, place)


def _breach(turn: Turn, place: Place) -> None:
    """Tell what the card that lies open now proves against a seat, as a trump that it had kept.

    What the seat chose itself is told before what the clock chose for it.
    """
    play, current = turn.table.play, turn.table.round
    proven = turn.setup.game.breach(turn.setup.rules, play.inputs) if play is not None else ()
    if not proven:
        return
    by_clock = current.by_clock if current is not None else ()
    own = next((each for each in proven if each.at not in by_clock), None)
    text = own.text if own is not None else f"{BY_CLOCK} {proven[0].text}"
    turn.fault(FaultCode.REVOKE, index=place.index, text=text)


def next_looks(setup: Setup, table: Table) -> tuple[int, ...]:
    """When a card that is to be moved is looked at again without anything new."""
    if not setup.uses_camera:
        return ()
    times = setup.times
    soon = max(table.sensing.changed_us, _since(table)) + times.evidence
    return (soon, soon + times.evidence, _since(table) + times.late)


def out_of_turn(turn: Turn, lying: Lying) -> bool:
    """Whether an open card on the felt was taken from a rack, where nobody was to turn one.

    It is no card of the shoe: it is not parked, and goes back to its place. Once a round has ended,
    as by a void, its cards are collected, and what is laid down meanwhile has no place any more.
    """
    current = turn.table.round
    is_open = current is not None and current.state == "open"
    if not is_open or turn.table.sensing.reads or not of_rack(turn, lying):
        return False
    turn.fault(
        FaultCode.DEAL_ORDER, sightings=(sight_of_felt(turn.setup, turn.table, lying),), text="rack"
    )
    return True


def of_rack(turn: Turn, lying: Lying) -> bool:
    """Whether a card on the felt is one of the round that is missing in its rack.

    It lies beside the racks, or open in another one. It was dealt, and counts as that: it is never
    counted once more.
    """
    game = turn.setup.game
    here = lying.zone in game.laid or (lying.zone in game.hands and lying.card.look is Look.FACE)
    return here and may_be_collected(turn)


def shown_beside(turn: Turn, asked: Reveal) -> bool:
    """Whether the card that is to be turned lies open beside its rack, laid before a verdict.

    It is found by its name, or as the only one where nobody had named it.
    """
    play = turn.table.play
    place = next((p for p in play.places if p.index == asked.index), None) if play else None
    if play is None or place is None or not _is_gone(turn.table, place):
        return False
    laid = turn.setup.game.laid
    here = [it for it in unaccounted(turn.table) if it.zone in laid and it.settled and it.card.sure]
    if place.card is not None:
        here = [it for it in here if _read(turn.table, it) == place.card]
    elif sum(_is_gone(turn.table, each) for each in play.places) > 1:
        return False
    if len(here) != 1 or here[0].card.look is not Look.FACE:
        return False
    turn.emit(e.TracksPaired(pairs=((place.index, *here[0].key),)))
    return True


def may_be_collected(turn: Turn) -> bool:
    """Whether a card beside the racks may be one of theirs: some are missing there."""
    play = turn.table.play
    if play is None or play.script is not Script.ROUND or not turn.setup.game.first:
        return False
    return any(_is_gone(turn.table, place) for place in play.places)


def taken_along(turn: Turn, asked: Move, place: Place) -> bool:
    """Whether an open card that is gone lies where another one of its rack is due."""
    due = place_of(turn.table, asked)
    if due is None or place.to != due.to:
        return place.index == asked.index
    here = [it for it in unaccounted(turn.table) if it.zone == asked.to]
    return place.index == asked.index or any(it.card.card == place.card for it in here)


# -- what a camera sees ---------------------------------------------------------------------------


def _without_camera(turn: Turn, asked: Move, place: Place) -> bool:
    """Nobody can tell which card it is: a person reads it."""
    if place.card is not None or asked.face is Facing.DOWN:
        return False
    if turn.has_fault(FaultCode.UNREADABLE_CARD):
        return False
    turn.fault(FaultCode.UNREADABLE_CARD, index=place.index)
    return True


def _judged(turn: Turn, asked: Move, place: Place, lying: Lying) -> bool:
    """One new card lies in the due zone."""
    until = max(turn.table.sensing.changed_us, _since(turn.table)) + turn.setup.times.evidence
    if not lying.settled:
        late = turn.at_us >= until + turn.setup.times.evidence
        return late and _fault(turn, FaultCode.UNSURE_CARD, place, lying)
    seen = _read(turn.table, lying)
    wrong = _face(asked, lying, seen)
    if wrong is not None:
        return turn.at_us >= until and _fault(turn, wrong, place, lying)
    source = _source(turn.table, place)
    code = _other_card(turn.table, place, seen, source)
    if code is not None:
        return _fault(turn, code, place, lying)
    proven = place.card is not None and source is Source.RACK  # the eye mixed up two backs
    if source is not Source.DUE and not proven:
        if source is Source.OTHER:
            return _fault(turn, FaultCode.DEAL_ORDER, place, lying)
        return turn.at_us >= until and _fault(turn, FaultCode.CARD_FROM_NOWHERE, place, lying)
    if seen is not None and not possible(turn, place, seen):
        return _fault(turn, FaultCode.IMPOSSIBLE_CARD, place, lying)
    sources = (turn.setup.shoe,) if place.card is not None and turn.setup.uses_shoe else ()
    card = seen if asked.face is Facing.UP else None
    lay(turn, asked, place, card, (*sources, turn.setup.camera), lying.key)
    return True


def _face(asked: Move, lying: Lying, seen: Card | None) -> FaultCode | None:
    """What keeps a card at rest from being used; None if nothing does."""
    if asked.face is Facing.DOWN:
        return None if lying.card.look is Look.BACK else FaultCode.WRONG_FACE
    if lying.card.look is Look.BACK:
        return FaultCode.WRONG_FACE
    if lying.card.look is not Look.FACE or not lying.card.sure or seen is None:
        return FaultCode.UNSURE_CARD
    return None


def _other_card(table: Table, place: Place, seen: Card | None, source: Source) -> FaultCode | None:
    """Whether another card was turned than the one that was chosen; None if it may be that one.

    A card of the same rack goes back to it, and so does one that was taken from another seat's; one
    of no place that it could have come from was put in the stead of the true one.
    """
    if seen is None or seen == place.card:
        return None
    if _is_anothers(table, place, seen):
        return FaultCode.DEAL_ORDER
    rack = [each for each in _rack(table, place) if each.index != place.index]
    if any(each.card == seen for each in rack):
        return FaultCode.WRONG_CARD
    if source is Source.RACK and any(each.card is None for each in rack):
        return FaultCode.WRONG_CARD
    return FaultCode.SUBSTITUTED_CARD if place.card is not None else None


def _is_anothers(table: Table, place: Place, seen: Card) -> bool:
    """Whether this card is known to be another seat's, and is missing there."""
    places = table.play.places if table.play is not None else ()
    return any(
        each.card == seen and each.to != place.to and _is_gone(table, each) for each in places
    )


def _source(table: Table, place: Place) -> Source:
    """From where the card came that lies in the due zone now."""
    if place.track is None or _is_gone(table, place):
        return Source.DUE
    zone = zone_of(table, place.to)
    if zone is None or not zone.settled:
        return Source.UNCLEAR
    if any(_is_gone(table, each) for each in _rack(table, place)):
        return Source.RACK
    places = table.play.places if table.play is not None else ()
    return Source.OTHER if any(_is_gone(table, each) for each in places) else Source.NOWHERE


def _rack(table: Table, place: Place) -> tuple[Place, ...]:
    """All cards that lie where this one does."""
    places = table.play.places if table.play is not None else ()
    return tuple(each for each in places if each.to == place.to and not each.off)


def _is_gone(table: Table, place: Place) -> bool:
    """Whether the camera sees a zone at rest, and this card in it no more."""
    if place.track is None or place.off:
        return False
    zone = zone_of(table, place.track[0])
    if zone is None or not zone.settled:
        return False
    return all(card.track != place.track[1] for card in zone.cards)


def _read(table: Table, lying: Lying) -> Card | None:
    return reading_of(table.sensing, lying.zone, lying.card)


def _elsewhere(turn: Turn, asked: Move, place: Place) -> bool:
    """Nothing lies in the due zone: a card may lie in another one, or none come at all."""
    target = zone_of(turn.table, asked.to)
    quiet = target is None or target.settled
    others = [
        it
        for it in unaccounted(turn.table)
        if it.zone in turn.setup.game.laid and it.settled and it.card.look is not Look.BACK
    ]
    if quiet and others:
        return _fault(turn, FaultCode.DEAL_ORDER, place, *others)
    if turn.at_us < _since(turn.table) + turn.setup.times.late:
        return False
    return _fault(turn, FaultCode.CARD_DUE_LATE, place)


def _fault(turn: Turn, code: FaultCode, place: Place, *lying: Lying) -> bool:
    seen = tuple(sight_of_felt(turn.setup, turn.table, it) for it in lying)
    turn.fault(code, sightings=seen, index=place.index)
    return True


def _since(table: Table) -> int:
    return table.play.due_since_us if table.play else 0
