"""Joins what the shoe and the camera say into one word about the card that is due.

Pure: it looks at the state and the instant, and answers accept, wait (until when) or a fault. What
counts as evidence is set by what is due (DESIGN.md 4).
"""

from dataclasses import dataclass
from typing import Final

from studio.domain.cards import Card
from studio.domain.faults import FaultCode, Sighting
from studio.domain.observations import Look, SeenCard, ZoneSeen
from studio.domain.values import quick
from studio.games.procedure import Deal, Dealt, Facing, run
from studio.table.book import procedure
from studio.table.state import Parked, Read, Script, Setup, Table

LONGEST_PACKET: Final = 3
"""Cards that are dealt to a hand at once at most (RULES.md 4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Nothing follows yet; look again at this instant (None: when something new is seen)."""

    until_us: int | None = None


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """The due card is proven."""

    card: Card | None
    """None where its identity is unknown (a back without a reader)."""
    sources: tuple[str, ...]
    read: Read | None
    track: tuple[str, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """The sources contradict what is due, or each other."""

    code: FaultCode
    sightings: tuple[Sighting, ...]
    read: Read | None = None
    track: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """The reader named one card twice: the camera shows that there is no second one."""

    read: Read


Verdict = Wait | Accept | Trouble | Repeat
"""What sensing says of the due card."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the felt that no input of the game accounts for."""

    zone: str
    card: SeenCard
    settled: bool

    @property
    def key(self) -> tuple[str, int]:
        """What names it: (zone, track)."""
        return (self.zone, self.card.track)


def unaccounted(table: Table) -> tuple[Lying, ...]:
    """Cards on the felt that were neither accepted, nor parked, nor declared outside the game."""
    if not table.sensing.zones:
        return ()
    known = set(table.sensing.ignored)
    known |= {p.track for p in table.sensing.parked if p.track is not None}
    if table.play is not None:
        known |= {place.track for place in table.play.places if place.track is not None}
    return tuple(
        Lying(zone.zone, card, zone.settled)
        for zone in table.sensing.zones
        for card in zone.cards
        if (zone.zone, card.track) not in known and card.look is not Look.CUT
    )


def zone_of(table: Table, name: str) -> ZoneSeen | None:
    """The newest picture of a zone, None if the camera never spoke of it."""
    return next((zone for zone in table.sensing.zones if zone.zone == name), None)


def sight_of_read(setup: Setup, read: Read, *, secret: bool) -> Sighting:
    """What the shoe saw; a card that may not be known is left out."""
    return Sighting(
        source=setup.shoe,
        card=None if secret else read.identity,
        look="hidden" if secret and read.status == "read" else read.status,
        sequence=read.sequence,
        at_us=read.at_us,
    )


def sight_of_felt(setup: Setup, table: Table, lying: Lying, *, secret: bool = False) -> Sighting:
    """What the camera saw of one card."""
    return Sighting(
        source=setup.camera,
        card=None if secret else lying.card.card,
        zone=lying.zone,
        look=lying.card.look.value if lying.card.sure or not lying.card.card else "unsure",
        confidence_milli=lying.card.confidence_milli,
        at_us=table.sensing.changed_us,
    )


def sight_of_parked(setup: Setup, card: Parked) -> Sighting:
    """What is known of a card that waits beside the round; its identity is not told here."""
    zone = card.track[0] if card.track is not None else ""
    return Sighting(
        source=setup.shoe if card.read is not None else setup.camera,
        zone=zone,
        look="hidden",
        sequence=card.read[1] if card.read is not None else None,
    )


def sense(setup: Setup, table: Table, due: Deal, at_us: int) -> Verdict:
    """Say what the sources prove about the card that is due."""
    read = table.sensing.reads[0] if table.sensing.reads else None
    may_be_none = not setup.numbered and not setup.uses_camera  # a line, and no card
    asked = due.face is Facing.UP or may_be_none
    if read is not None and read.status == "unreadable" and asked:
        seen = tuple(sight_of_felt(setup, table, it) for it in _new_in(table, due.to))
        sightings = (sight_of_read(setup, read, secret=False), *seen)
        return Trouble(code=FaultCode.UNREADABLE_CARD, sightings=sightings, read=read)
    if (
        read is not None
        and read.status == "drawn"
        and _worth_waiting(setup, table, due, read, at_us)
    ):
        return Wait(until_us=read.at_us + setup.times.evidence)
    if read is not None and read.status == "again":
        repeated = _repeated(setup, table, due, read, at_us)
        if repeated is not None:
            return repeated
    if setup.uses_shoe and setup.uses_camera:
        return _both(setup, table, due, read, at_us)
    if setup.uses_camera:
        return _camera_alone(setup, table, due, at_us)
    return _shoe_alone(setup, table, due, read, at_us)


def _worth_waiting(setup: Setup, table: Table, due: Deal, read: Read, at_us: int) -> bool:
    """Whether a card of a round that goes face down waits for its identity, which comes later."""
    in_round = table.play is not None and table.play.script is Script.ROUND
    later = read.status == "drawn" and due.face is Facing.DOWN
    return in_round and later and at_us < read.at_us + setup.times.evidence


def _repeated(setup: Setup, table: Table, due: Deal, read: Read, at_us: int) -> Verdict | None:
    """The same value again (V7): a card only if the camera shows one; else a person says it.

    None where a new card lies there, which is then judged like any other.
    """
    if not setup.uses_camera:
        seen = (sight_of_read(setup, read, secret=due.face is Facing.DOWN),)
        return Trouble(code=FaultCode.REPEATED_CARD, sightings=seen, read=read)
    new = _new_in(table, due.to)
    if not new:
        return _unshown(setup, table, due, read, at_us)
    first = new[0].card
    other = first.sure and first.card is not None and first.card != read.identity
    return Repeat(read=read) if other and new[0].settled else None


def _unshown(setup: Setup, table: Table, due: Deal, read: Read, at_us: int) -> Verdict:
    """The same value again, and no new card in view: none if the camera sees the zone all the time.

    Under a hand there may lie one: then it is waited for twice as long, and a person asked.
    """
    deadline = max(read.at_us, _since(table)) + setup.times.evidence
    zone = zone_of(table, due.to)
    hidden = zone is not None and not zone.settled
    if hidden:
        deadline += setup.times.evidence
    if at_us < deadline:
        return Wait(until_us=deadline)
    if not hidden:
        return Repeat(read=read)
    seen = (sight_of_read(setup, read, secret=due.face is Facing.DOWN),)
    return Trouble(code=FaultCode.REPEATED_CARD, sightings=seen, read=read)


def _new_in(table: Table, zone: str) -> tuple[Lying, ...]:
    return tuple(lying for lying in unaccounted(table) if lying.zone == zone)


def _late(setup: Setup, table: Table, at_us: int) -> Verdict:
    since = table.play.due_since_us if table.play else at_us
    deadline = since + setup.times.late
    if at_us >= deadline:
        return Trouble(code=FaultCode.CARD_DUE_LATE, sightings=())
    return Wait(until_us=deadline)


def _shoe_alone(setup: Setup, table: Table, due: Deal, read: Read | None, at_us: int) -> Verdict:
    if read is None:
        return _late(setup, table, at_us)
    if read.status == "drawn" and due.face is Facing.UP:
        deadline = read.at_us + setup.times.evidence
        if at_us < deadline:
            return Wait(until_us=deadline)
        sightings = (sight_of_read(setup, read, secret=False),)
        return Trouble(code=FaultCode.UNREADABLE_CARD, sightings=sightings, read=read)
    last = table.play.places[-1] if table.play and table.play.places else None
    if last is not None and last.keyed and read.identity == last.card:
        sightings = (sight_of_read(setup, read, secret=due.face is Facing.DOWN),)
        return Trouble(code=FaultCode.REPEATED_CARD, sightings=sightings, read=read)
    return Accept(card=read.identity, sources=(setup.shoe,), read=read, track=None)


def _camera_alone(setup: Setup, table: Table, due: Deal, at_us: int) -> Verdict:
    new = _new_in(table, due.to)
    wrong = _wrong_place(setup, table, due, new)
    if wrong is not None:
        return wrong
    if not new:
        return _late(setup, table, at_us)
    doubt = _doubt(setup, table, due, new, at_us)
    if doubt is not None:
        return doubt
    card = new[0].card.card if due.face is Facing.UP else None
    return Accept(card=card, sources=(setup.camera,), read=None, track=new[0].key)


def _wrong_place(setup: Setup, table: Table, due: Deal, new: tuple[Lying, ...]) -> Trouble | None:
    """A settled new card elsewhere while the due zone is quiet and empty of new cards."""
    target = zone_of(table, due.to)
    if new or (target is not None and not target.settled):
        return None
    watched = {*setup.game.zones, due.to}
    others = [
        it for it in unaccounted(table) if it.zone in watched and it.zone != due.to and it.settled
    ]
    if not others:
        return None
    return Trouble(
        code=FaultCode.DEAL_ORDER,
        sightings=tuple(sight_of_felt(setup, table, it) for it in others),
        track=others[0].key,
    )


def in_a_row(setup: Setup, table: Table, due: Deal) -> int:
    """How many cards go face down to this zone one after the other from now on: a packet."""
    play = table.play
    if due.face is Facing.UP or play is None or play.script is not Script.ROUND:
        return 1
    inputs = play.inputs
    for count in range(1, LONGEST_PACKET):
        inputs = (*inputs, Dealt(None))
        now = run(procedure(setup, play.script), inputs).due
        if not isinstance(now, Deal) or (now.to, now.face) != (due.to, due.face):
            return count
    return LONGEST_PACKET


def _doubt(
    setup: Setup, table: Table, due: Deal, new: tuple[Lying, ...], at_us: int
) -> Wait | Trouble | None:
    """What keeps the new card in the due zone from being used; None if nothing does."""
    first = new[0]
    deadline = max(table.sensing.changed_us, _since(table)) + setup.times.evidence
    seen = tuple(sight_of_felt(setup, table, it) for it in new)
    code: FaultCode | None = None
    if not first.settled:
        if at_us < deadline + setup.times.evidence:
            return Wait(until_us=deadline + setup.times.evidence)
        return Trouble(code=FaultCode.UNSURE_CARD, sightings=seen, track=first.key)
    if len(new) > 1 and len(new) > in_a_row(setup, table, due):
        code = FaultCode.TWO_AT_ONCE
    elif due.face is Facing.DOWN:
        if first.card.look is Look.BACK:
            return None
        code = FaultCode.WRONG_FACE if first.card.look is Look.FACE else FaultCode.UNSURE_CARD
    elif first.card.look is Look.BACK:
        code = FaultCode.WRONG_FACE
    elif first.card.look is not Look.FACE or not first.card.sure or first.card.card is None:
        code = FaultCode.UNSURE_CARD
    if code is None:
        return None
    if code is not FaultCode.TWO_AT_ONCE and at_us < deadline:
        return Wait(until_us=deadline)
    return Trouble(code=code, sightings=seen, track=first.key)


def _both(setup: Setup, table: Table, due: Deal, read: Read | None, at_us: int) -> Verdict:
    new = _new_in(table, due.to)
    secret = due.face is Facing.DOWN
    shoe = () if read is None else (sight_of_read(setup, read, secret=secret),)
    wrong = _wrong_place(setup, table, due, new)
    if wrong is not None and read is not None:
        return Trouble(
            code=wrong.code, sightings=(*shoe, *wrong.sightings), read=read, track=wrong.track
        )
    if not new:
        if read is None:
            return (
                _late(setup, table, at_us) if wrong is None else _alone(setup, table, wrong, at_us)
            )
        deadline = max(read.at_us, _since(table)) + setup.times.evidence
        if at_us < deadline:
            return Wait(until_us=deadline)
        return Trouble(code=FaultCode.CARD_UNSEEN, sightings=shoe, read=read)
    doubt = _doubt(setup, table, due, new, at_us)
    if isinstance(doubt, Wait):
        return doubt
    if doubt is not None:
        return Trouble(
            code=doubt.code, sightings=(*shoe, *doubt.sightings), read=read, track=doubt.track
        )
    return _agree(setup, table, due, read, new[0], at_us)


def _since(table: Table) -> int:
    return table.play.due_since_us if table.play else 0


def _alone(setup: Setup, table: Table, wrong: Trouble, at_us: int) -> Verdict:
    """The camera sees a card elsewhere and the shoe said nothing (yet)."""
    deadline = max(table.sensing.changed_us, _since(table)) + setup.times.evidence
    if at_us < deadline:
        return Wait(until_us=deadline)
    return Trouble(code=FaultCode.CARD_FROM_NOWHERE, sightings=wrong.sightings, track=wrong.track)


def _agree(
    setup: Setup, table: Table, due: Deal, read: Read | None, lying: Lying, at_us: int
) -> Verdict:
    """The camera's card is good in itself; compare it with the shoe's word."""
    seen = sight_of_felt(setup, table, lying)
    if read is None:
        deadline = max(table.sensing.changed_us, _since(table)) + setup.times.evidence
        if at_us < deadline:
            return Wait(until_us=deadline)
        return Trouble(code=FaultCode.CARD_FROM_NOWHERE, sightings=(seen,), track=lying.key)
    both = (setup.shoe, setup.camera)
    if due.face is Facing.DOWN:
        return Accept(card=read.identity, sources=both, read=read, track=lying.key)
    if read.status == "drawn":
        deadline = read.at_us + setup.times.evidence
        if at_us < deadline:
            return Wait(until_us=deadline)
    if read.identity == lying.card.card:
        return Accept(card=read.identity, sources=both, read=read, track=lying.key)
    sightings = (sight_of_read(setup, read, secret=False), seen)
    code = FaultCode.READER_MISMATCH if read.identity else FaultCode.UNREADABLE_CARD
    if _told_twice(table, read, lying):
        code = FaultCode.REPEATED_CARD
    return Trouble(code=code, sightings=sightings, read=read, track=lying.key)


def _told_twice(table: Table, read: Read, lying: Lying) -> bool:
    """Whether the shoe told the card before this one twice: its next word is what lies there (V7).

    The second word came as a new report, so nothing but the felt shows that it is no card.
    """
    reads, places = table.sensing.reads, table.play.places if table.play else ()
    following = reads[1].identity if len(reads) > 1 else None
    before = places[-1].card if places else None
    told = before is not None and read.identity == before
    return told and following is not None and following == lying.card.card
