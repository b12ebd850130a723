"""Books of what the sources said: reports, the picture of the felt, parked and dead cards."""

from studio.domain import events as e
from studio.domain.shoe import Fate, Shoe
from studio.domain.values import replace
from studio.table.state import Parked, Read, Sensing, ShoeState, Table

KEEP_NEWEST = 8
"""Boots whose newest sequence is remembered; older ones can never speak again."""


def sensed(
    table: Table,
    event: e.ShoeRead
    | e.ShoeIdentified
    | e.FeltSeen
    | e.CardParked
    | e.CardUnparked
    | e.ReadUsed
    | e.CardDead,
    at_us: int,
) -> Table:
    """Take what the sources said, or the fate of a card that was not dealt, into the books."""
    sensing = table.sensing
    match event:
        case e.ShoeRead(boot=boot, sequence=sequence, status="cut"):
            sensing = _heard(sensing, (boot, sequence))
        case e.ShoeRead():
            read = Read(
                boot=event.boot,
                sequence=event.sequence,
                status=event.status,
                card=event.card,
                sealed=event.sealed,
                at_us=at_us,
            )
            sensing = _heard(replace(sensing, reads=(*sensing.reads, read)), read.key)
        case e.ShoeIdentified():
            reads = tuple(
                replace(read, status="read", card=event.card, sealed=event.sealed)
                if read.key == (event.boot, event.of)
                else read
                for read in sensing.reads
            )
            parked_now = tuple(
                replace(p, card=event.card, sealed=event.sealed)
                if p.read == (event.boot, event.of)
                else p
                for p in sensing.parked
            )
            sensing = replace(sensing, reads=reads, parked=parked_now)
            sensing = _heard(sensing, (event.boot, event.sequence))
        case e.FeltSeen(zones=zones):
            return _felt(table, event, at_us) if zones else table
        case e.CardParked():
            parked = Parked(
                read=event.read,
                track=event.track,
                exposed=event.exposed,
                card=event.card,
                sealed=event.sealed,
                to=event.to,
            )
            reads = without(sensing.reads, event.read)
            sensing = replace(sensing, reads=reads, parked=_with_parked(sensing.parked, parked))
        case e.CardUnparked(read=key, track=track):
            sensing = _unparked(sensing, key, track, at_us)
        case e.ReadUsed(read=key):
            sensing = replace(sensing, reads=without(sensing.reads, key))
        case e.CardDead():
            sensing = _out_of_game(sensing, event.read, event.track)
            table = _counted(table, event)
    return replace(table, sensing=sensing)


def _with_parked(known: tuple[Parked, ...], newest: Parked) -> tuple[Parked, ...]:
    """Add a parked card; one that was known by its read alone keeps its place in the order."""
    if newest.read is not None and any(p.read == newest.read for p in known):
        return tuple(newest if p.read == newest.read else p for p in known)
    return (*known, newest)


def _heard(sensing: Sensing, key: tuple[str, int]) -> Sensing:
    others = tuple(known for known in sensing.newest if known[0] != key[0])
    return replace(sensing, newest=(*others, key)[-KEEP_NEWEST:])


def _felt(table: Table, event: e.FeltSeen, at_us: int) -> Table:
    sensing = table.sensing
    lying = {(zone.zone, card.track) for zone in event.zones for card in zone.cards}
    ignored = tuple(key for key in sensing.ignored if key in lying)
    sensing = replace(
        sensing, zones=event.zones, hidden=event.hidden, changed_us=at_us, ignored=ignored
    )
    return replace(table, sensing=sensing)


def without(reads: tuple[Read, ...], key: tuple[str, int] | None) -> tuple[Read, ...]:
    """Give the reports less the one with this key."""
    return reads if key is None else tuple(read for read in reads if read.key != key)


def _unparked(
    sensing: Sensing, key: tuple[str, int] | None, track: tuple[str, int] | None, at_us: int
) -> Sensing:
    again = [p for p in sensing.parked if (p.read, p.track) == (key, track)]
    left = tuple(p for p in sensing.parked if p not in again)
    reads = tuple(
        Read(
            boot=p.read[0],
            sequence=p.read[1],
            status="read" if p.identity else "unreadable",
            card=p.card,
            sealed=p.sealed,
            at_us=at_us,
        )
        for p in again
        if p.read is not None
    )
    return replace(sensing, reads=(*reads, *sensing.reads), parked=left)


def waiting_again(sensing: Sensing, at_us: int) -> Sensing:
    """Parked cards whose place on the felt nobody knows any more.

    One that waits for the turn of its own place is told again as one that lies elsewhere than was
    due; one that no shoe reported is no card before the camera shows it anew.
    """
    for parked in reversed(sensing.parked):
        if parked.to and parked.read is not None:
            sensing = _unparked(sensing, parked.read, parked.track, at_us)
    left = tuple(replace(p, track=None) for p in sensing.parked if p.read is not None)
    return replace(sensing, parked=left)


def _out_of_game(
    sensing: Sensing, read: tuple[str, int] | None, track: tuple[str, int] | None
) -> Sensing:
    parked = tuple(
        p
        for p in sensing.parked
        if not ((read is not None and p.read == read) or (track is not None and p.track == track))
    )
    ignored = sensing.ignored if track is None else (*sensing.ignored, track)
    return replace(sensing, reads=without(sensing.reads, read), parked=parked, ignored=ignored)


def _counted(table: Table, event: e.CardDead) -> Table:
    if table.shoe is None:
        return table
    identity = event.sealed.card if event.sealed else event.card
    fate = Fate.BURNED if event.fate == "burned" else Fate.DEAD
    cards = table.shoe.cards.take(identity, fate)
    dead = (*table.shoe.dead, identity) if fate is Fate.DEAD else table.shoe.dead
    return replace(table, shoe=replace(table.shoe, cards=cards, dead=dead))


def refilled(table: Table, shoe: ShoeState) -> ShoeState:
    """The inventory once the discards are back: only the cards of the open round are gone (B9)."""
    cards = Shoe(packs=shoe.cards.packs, pack=shoe.cards.pack, cut=shoe.cards.cut)
    for place in table.play.places if table.play else ():
        cards = cards.take(place.card, Fate.DEALT)
    return replace(shoe, cards=cards, dead=(), ending=True, refilled=shoe.rounds)
