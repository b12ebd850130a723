"""Books of games in which people sit at the table: what they are asked and choose, cards moved."""

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.values import replace
from studio.games.procedure import Carried, Chosen, Confirmed, Facing, Input, Moved, Ruled
from studio.table.asked import CLOCK, Asking
from studio.table.evolve_decisions import DECISION
from studio.table.named import reading_of
from studio.table.state import Phase, Place, Round, Table, Window

Seating = e.FiguresCarried | e.SeatAsked | e.SeatChose | e.CardMoved | e.VerdictGiven


def seated(table: Table, event: Seating, at_us: int) -> Table:
    """Take into the books what a seat was asked, what it chose, and where its card went."""
    current = table.round
    if current is None:
        return table
    match event:
        case e.FiguresCarried(figures=figures):
            return _with_input(table, Carried(figures), at_us)
        case e.SeatAsked():
            return _asked(table, current, event, at_us)
        case e.SeatChose():
            return _chose(table, current, event, at_us)
        case e.CardMoved():
            return _moved(table, event, at_us)
        case e.VerdictGiven(against=against):
            return _with_input(_answered(table, current), Ruled(against), at_us)


def _chose(table: Table, current: Round, event: e.SeatChose, at_us: int) -> Table:
    """A seat chose, or the clock for it: then nothing that follows from it is the seat's fault."""
    if event.by == CLOCK and table.play is not None:
        current = replace(current, by_clock=(*current.by_clock, len(table.play.inputs)))
    return _with_input(_answered(table, current), Chosen(event.seat, event.option), at_us)


def _answered(table: Table, current: Round) -> Table:
    """Nobody is asked any more."""
    current = replace(current, asking=None)
    return replace(table, phase=Phase.DEALING, window=None, round=current)


def _with_input(table: Table, given: Input, at_us: int) -> Table:
    play = table.play
    if play is None:
        return table
    return replace(table, play=replace(play, inputs=(*play.inputs, given), due_since_us=at_us))


def _asked(table: Table, current: Round, event: e.SeatAsked, at_us: int) -> Table:
    asking = Asking(
        number=event.window,
        step=event.step,
        seat=event.seat,
        options=event.options,
        besides=event.besides,
    )
    current = replace(current, asking=asking, asked=event.window)
    deadline = event.deadline_us
    window = Window(kind=DECISION, deadline_us=deadline, total_us=deadline - at_us)
    return replace(table, phase=Phase.DECISION, round=current, window=window)


def _moved(table: Table, event: e.CardMoved, at_us: int) -> Table:
    """The card lies in its new place; if nobody had named it, it is known now which one it is."""
    play, shoe = table.play, table.shoe
    if play is None:
        return table
    place = next((place for place in play.places if place.index == event.index), None)
    if place is None:
        return table
    if place.card is None and event.card is not None and shoe is not None:
        shoe = replace(shoe, cards=shoe.cards.identify(event.card))
    moved = _laid(table, place, event)
    places = tuple(moved if each is place else each for each in play.places)
    table = replace(table, play=replace(play, places=places), shoe=shoe)
    return _with_input(table, Moved(event.card), at_us)


def _laid(table: Table, place: Place, event: e.CardMoved) -> Place:
    """The place of a card that was moved; a seal ends with the face that it kept."""
    up = event.face == Facing.UP.value
    return replace(
        place,
        to=event.to,
        face=event.face,
        step=event.step,
        card=event.card if up else place.card,
        sources=event.sources,
        track=event.track,
        seen_as=_reading(table, event.track) if up else None,
        keyed=False,
        lost=False,
        sealed=None if up else place.sealed,
    )


def _reading(table: Table, track: tuple[str, int] | None) -> Card | None:
    """What the camera was sure of where the card lies now."""
    for zone in table.sensing.zones:
        for lying in zone.cards:
            if (zone.zone, lying.track) == track and lying.sure:
                return reading_of(table.sensing, zone.zone, lying)
    return None


def taken_away(table: Table, zones: tuple[str, ...], at_us: int) -> Table:
    """A step is done; cards of these zones lie on the felt no longer."""
    table = _with_input(table, Confirmed(), at_us)
    play = table.play
    if play is None or not zones:
        return table
    places = tuple(
        replace(place, off=True, track=None, lost=False)
        if place.to in zones and not (place.off and place.track is None and not place.lost)
        else place
        for place in play.places
    )
    return replace(table, play=replace(play, places=places))
