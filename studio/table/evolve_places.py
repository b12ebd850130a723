"""Books of accepted cards: where they lie, what they were taken for, what was corrected."""

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Sealed
from studio.domain.faults import Fault, FaultCode
from studio.domain.shoe import Fate
from studio.domain.values import replace
from studio.games.procedure import Dealt, Facing, Input, Moved, Turned
from studio.table.evolve_sensed import waiting_again, without
from studio.table.named import reading_of
from studio.table.row import ACE_SHOWN, SHOWN_EARLY
from studio.table.state import Phase, Place, Script, Table


def dealt(table: Table, event: e.CardDealt, at_us: int) -> Table:
    """Put an accepted card on the felt and out of the shoe."""
    play = table.play
    if play is None:
        return table
    identity = event.sealed.card if event.sealed else event.card
    seen_as = None
    for zone in table.sensing.zones:
        for lying in zone.cards:
            if (zone.zone, lying.track) == event.track and lying.sure:
                seen_as = reading_of(table.sensing, zone.zone, lying)
    place = Place(
        index=event.index,
        to=event.to,
        face=event.face,
        sideways=event.sideways,
        step=event.step,
        card=identity,
        sources=event.sources,
        track=event.track,
        seen_as=seen_as,
        keyed=event.sources == ("person",) and not table.sensing.reads,
        sealed=event.sealed if play.script is Script.ROUND else None,
    )
    # A round's procedure never learns a card that lies face down: what it computes may be shown.
    told = None if place.sealed is not None else identity
    play = replace(
        play,
        inputs=(*play.inputs, Dealt(told)),
        places=(*play.places, place),
        due_since_us=at_us,
    )
    sensing = table.sensing
    parked = tuple(
        p
        for p in sensing.parked
        if (p.read is None or p.read != event.read) and (p.track is None or p.track != event.track)
    )
    sensing = replace(sensing, reads=without(sensing.reads, event.read), parked=parked)
    shoe = table.shoe
    if shoe is not None:
        fate = Fate.BURNED if play.script is not Script.ROUND else Fate.DEALT
        shoe = replace(shoe, cards=shoe.cards.take(identity, fate))
    return replace(table, play=play, sensing=sensing, shoe=shoe)


def corrected(table: Table, event: e.CardCorrected, at_us: int) -> Table:
    """Replace an input; the kept places are as the new run has them."""
    play, shoe = table.play, table.shoe
    if play is None:
        return table
    new = event.identity
    if new is None:
        return table  # whoever may not know it has a table without it
    old = event.old
    if event.sealed is not None:
        old = next((place.card for place in play.places if place.index == event.index), None)
    inputs = truly(play.inputs, event.index, old, new)
    where = {index: (to, face, step, across) for index, to, face, step, across in event.placed}
    places = tuple(
        _placed(_truly(place, new, event.sealed) if place.index == event.index else place, where)
        for place in play.places
    )
    beyond = tuple(place for place in places if place.index >= event.kept)
    outside = tuple(place.track for place in beyond if place.track is not None)
    places = tuple(place for place in places if place.index < event.kept)
    play = replace(play, inputs=inputs[: event.kept], places=places, due_since_us=at_us)
    if shoe is not None:
        fate = Fate.BURNED if play.script is not Script.ROUND else Fate.DEALT
        cards = shoe.cards.correct(old, new).move(event.outside, fate, Fate.DEAD)
        dead = (*shoe.dead, *(place.card for place in beyond))
        shoe = replace(shoe, cards=cards, dead=dead)
    sensing = replace(table.sensing, ignored=(*table.sensing.ignored, *outside))
    return _asked_anew(replace(table, play=play, shoe=shoe, sensing=sensing), event.kept)


def _asked_anew(table: Table, kept: int) -> Table:
    """Whoever sits at the table and was asked is asked once more, by the true card.

    Of the inputs so many were kept; what the clock chose after them was not chosen.
    """
    current = table.round
    if current is None:
        return table
    current = replace(current, by_clock=tuple(at for at in current.by_clock if at < kept))
    if current.asking is None:
        return replace(table, round=current)
    current = replace(current, asking=None)
    return replace(table, phase=Phase.DEALING, window=None, round=current)


def truly(inputs: tuple[Input, ...], index: int, old: Card | None, new: Card) -> tuple[Input, ...]:
    """The inputs of a round with what a card really was; a hidden one is named where it is seen.

    That is where it was turned, or laid elsewhere. One whose identity was never given to the
    procedure changes nothing before that.
    """
    if inputs[index] != Dealt(None):
        seen: dict[Input, Input] = {Moved(old): Moved(new)}
        inputs = (*inputs[:index], Dealt(new), *inputs[index + 1 :])
    else:
        seen = {Turned(old): Turned(new), Moved(old): Moved(new)} if old is not None else {}
    after = tuple(seen.get(given, given) for given in inputs[index + 1 :])
    return (*inputs[: index + 1], *after)


def _truly(place: Place, card: Card, sealed: Sealed | None) -> Place:
    """The place with what its card really is; a seal of another card says nothing of it."""
    return replace(place, card=card, sealed=sealed)


def _placed(place: Place, where: dict[int, tuple[str, str, str, bool]]) -> Place:
    """The place as the round that was run again has it."""
    if place.index not in where:
        return place
    to, face, step, sideways = where[place.index]
    return replace(place, to=to, face=face, step=step, sideways=sideways)


def paired(table: Table, pairs: tuple[tuple[int, str, int], ...]) -> Table:
    """Accepted cards have their place on the felt again.

    One that lies face down and shows its face there is not known by that: it is told of first.
    """
    if table.play is None:
        return table
    found = {index: (zone, track) for index, zone, track in pairs}
    reading = {
        (zone.zone, card.track): reading_of(table.sensing, zone.zone, card)
        for zone in table.sensing.zones
        for card in zone.cards
        if card.sure
    }
    places = tuple(
        replace(
            place,
            track=found[place.index],
            lost=False,
            seen_as=reading.get(found[place.index], place.seen_as)
            if place.face == Facing.UP.value
            else place.seen_as,
        )
        if place.index in found
        else place
        for place in table.play.places
    )
    return replace(table, play=replace(table.play, places=places))


def misplaced(table: Table, indexes: tuple[int, ...]) -> Table:
    """These accepted cards have to be found again."""
    if table.play is None:
        return table
    places = tuple(
        replace(place, track=None, lost=True) if place.index in indexes else place
        for place in table.play.places
    )
    return replace(table, play=replace(table.play, places=places))


def heard_out(table: Table, *, second: bool) -> Table:
    """Whether a report was the card before once more or a `second` one is settled."""
    reads = tuple(
        replace(read, status="read") if second and at == 0 and read.status == "again" else read
        for at, read in enumerate(table.sensing.reads)
    )
    table = replace(table, sensing=replace(table.sensing, reads=reads))
    if table.play is None:
        return table
    places = tuple(replace(place, keyed=False) for place in table.play.places)
    return replace(table, play=replace(table.play, places=places))


def tracks_lost(table: Table) -> Table:
    """After a restart the camera counts anew: where accepted cards lie has to be found again.

    So has what waits beside the round: by its report, or else as a card that is told anew.
    """
    sensing = waiting_again(table.sensing, table.at_us)
    sensing = replace(sensing, zones=(), hidden=(), ignored=())
    play = table.play
    if play is not None:
        places = tuple(
            replace(place, track=None, lost=place.lost or place.track is not None)
            for place in play.places
        )
        play = replace(play, places=places)
    return replace(table, sensing=sensing, play=play)


def trusted(table: Table, fault_id: str) -> Table:
    """What the camera now reads at the place of this fault is known and stands.

    After a stop a person says that all lies as the journal has it: nothing is looked for any more.
    """
    faults = table.hold.faults if table.hold else ()
    fault = next((fault for fault in faults if fault.id == fault_id), None)
    if fault is None or table.play is None:
        return table
    if fault.code is FaultCode.RECOVERED:
        found = tuple(replace(place, lost=False) for place in table.play.places)
        return replace(table, play=replace(table.play, places=found))
    if not fault.sightings or fault.index is None:
        return table
    places = tuple(
        replace(place, seen_as=_seen_of(table, fault, place))
        if place.index == fault.index
        else place
        for place in table.play.places
    )
    return replace(table, play=replace(table.play, places=places))


def _seen_of(table: Table, fault: Fault, place: Place) -> Card | None:
    """What the camera read there; of a card that may not be named only its picture knows it."""
    if fault.text.partition(" ")[0] not in (ACE_SHOWN, SHOWN_EARLY):
        return fault.sightings[0].card
    for zone in table.sensing.zones:
        for lying in zone.cards:
            if (zone.zone, lying.track) == place.track:
                return reading_of(table.sensing, zone.zone, lying)
    return None
