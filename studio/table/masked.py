"""The face of a card that nobody may know yet, where the camera sees it: kept sealed.

A dealer may lift the card that lies face down, or lay it open. The journal then holds its picture
without a name and the name sealed; only what looks for faults reads it (`named`).
"""

from collections import Counter
from typing import Final

from studio.domain import events as e
from studio.domain.observations import Look, ZoneSeen
from studio.domain.values import replace
from studio.games.procedure import Deal, Facing, Reveal
from studio.table.named import named_zones
from studio.table.state import Place, Script, Table
from studio.table.turn import Turn

Key = tuple[str, int]
"""(zone, track) of a card on the felt."""
SHOWS: Final = (Look.FACE, Look.UNKNOWN)
"""Whoever looks at a picture may know such a card, also where the camera could not read it."""


def felt_of(turn: Turn, zones: tuple[ZoneSeen, ...], *, device: str, frame: int) -> e.FeltSeen:
    """The fact of what a camera sees, with every face sealed that nobody may know."""
    secret = secret_tracks(turn, zones)
    plain: list[ZoneSeen] = []
    hidden: list[e.HiddenSeen] = []
    for zone in zones:
        cards = []
        for card in zone.cards:
            if (zone.zone, card.track) in secret:
                if card.card is not None or card.look in SHOWS:
                    # A salt is made of the turn's own and a number: each seal takes its own.
                    sealed = turn.seal(card.card, part=len(hidden))
                    hidden.append(e.HiddenSeen(zone=zone.zone, track=card.track, sealed=sealed))
                cards.append(replace(card, card=None, second=None))
            else:
                cards.append(card)
        plain.append(replace(zone, cards=tuple(cards)))
    return e.FeltSeen(device=device, frame=frame, zones=tuple(plain), hidden=tuple(hidden))


def same_felt(turn: Turn, zones: tuple[ZoneSeen, ...]) -> bool:
    """Whether a camera sees what it saw before, second guesses at a hidden card left aside."""
    known = named_zones(turn.table.sensing)
    if zones == known:
        return True
    secret = secret_tracks(turn, zones)
    if not secret:
        return False
    return known == tuple(
        replace(
            zone,
            cards=tuple(
                replace(card, second=None) if (zone.zone, card.track) in secret else card
                for card in zone.cards
            ),
        )
        for zone in zones
    )


def secret_tracks(turn: Turn, zones: tuple[ZoneSeen, ...]) -> frozenset[Key]:
    """Cards on the felt that are, or may be, one that lies or goes face down in a round.

    That card itself; where the camera has lost it, whatever lies in its zone and is not known to
    be another one; and what lies where a card is due face down.
    """
    play = turn.table.play
    if play is None or play.script is not Script.ROUND:
        return frozenset()
    down = hidden_places(turn)
    there = {(zone.zone, card.track) for zone in zones for card in zone.cards}
    own = {place.track for place in down if place.track is not None} & there
    doubtful = {place.to for place in down if place.track not in there}
    due = turn.due
    if isinstance(due, Deal) and due.face is Facing.DOWN:
        doubtful.add(due.to)
    loose = {
        key for zone in zones if zone.zone in doubtful for key in _loose(turn.table, zone, there)
    }
    return frozenset(own | loose)


def lies_open(table: Table) -> bool:
    """Whether the camera sees, or may see, the face of a card that nobody may know yet."""
    return bool(table.sensing.hidden)


def hidden_places(turn: Turn) -> tuple[Place, ...]:
    """The cards of the round that lie face down and are not to be turned now."""
    play, due = turn.table.play, turn.due
    if play is None or play.script is not Script.ROUND:
        return ()
    now = due.index if isinstance(due, Reveal) else None
    return tuple(p for p in play.places if p.face == Facing.DOWN.value and p.index != now)


def _loose(table: Table, zone: ZoneSeen, there: set[Key]) -> frozenset[Key]:
    """Cards of a zone that nothing accounts for, less open ones that have to be found again."""
    places, sensing = table.play.places if table.play else (), table.sensing
    known = {place.track for place in places} | set(sensing.ignored)
    known |= {parked.track for parked in sensing.parked}
    shown = Counter(
        place.card
        for place in places
        if place.to == zone.zone and place.track not in there and place.face == Facing.UP.value
    )
    found = []
    for card in zone.cards:
        if (zone.zone, card.track) in known:
            continue
        if card.card is not None and shown[card.card]:
            shown[card.card] -= 1
            continue
        found.append((zone.zone, card.track))
    return frozenset(found)
