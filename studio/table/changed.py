"""Accepted cards that are not as they were: another one, shown too early, gone (DESIGN.md 4)."""

from studio.domain.faults import FaultCode
from studio.domain.observations import Look
from studio.games.procedure import Facing, Move
from studio.table import hidden, moving
from studio.table.exposed import exposed_word
from studio.table.row import SHOWN_EARLY
from studio.table.sensing import Lying, sight_of_felt
from studio.table.state import Place, Setup, Table
from studio.table.turn import Turn


def seen_empty(setup: Setup, table: Table, zones: tuple[str, ...]) -> bool:
    """Whether the camera sees these zones at rest and without a card."""
    if not setup.uses_camera:
        return False
    seen = {zone.zone: zone for zone in table.sensing.zones}
    ignored = set(table.sensing.ignored)
    for name in zones:
        zone = seen.get(name)
        if zone is None or not zone.settled:
            return False
        for lying in zone.cards:
            thing = lying.look is Look.UNKNOWN and (name, lying.track) in ignored
            if not thing:
                return False
    return True


def changed(turn: Turn) -> bool:
    """An accepted card is another one now, shows its face too early, or is gone (DESIGN.md 4)."""
    play = turn.table.play
    if play is None or not turn.setup.uses_camera:
        return False
    zones = {zone.zone: zone for zone in turn.table.sensing.zones}
    looking, asked = found_until(turn.setup, turn.table, turn.at_us) is not None, turn.due
    for place in play.places:
        if place.lost and place.face == Facing.UP.value and zones and not looking:
            return _raise_about(turn, FaultCode.CARD_VANISHED, place, None)
        if place.face != Facing.UP.value:
            shown = hidden.shown_early(turn, place)
            if shown is not None:
                return _raise_shown_early(turn, place, shown)
            continue
        if place.track is None:
            continue
        zone = zones.get(place.track[0])
        if zone is None or not zone.settled:
            continue
        lying = next((card for card in zone.cards if card.track == place.track[1]), None)
        if lying is None:
            if isinstance(asked, Move) and moving.taken_along(turn, asked, place):
                continue
            return _raise_about(turn, FaultCode.CARD_VANISHED, place, None)
        turned = lying.look is Look.BACK
        known = (place.card, place.seen_as)
        if turned or (lying.look is Look.FACE and lying.sure and lying.card not in known):
            found = Lying(zone.zone, lying, zone.settled)
            return _raise_about(turn, FaultCode.SUBSTITUTED_CARD, place, found)
    return False


def found_until(setup: Setup, table: Table, at_us: int) -> int | None:
    """Until when the camera may still find an accepted card again that lay there before a stop.

    None if it need not, or had its time. A hand over the felt, or a first look while the pictures
    are not steady yet, is no card that is gone; what comes meanwhile is not judged, for it may be
    the very card that is looked for.
    """
    play, zones = table.play, table.sensing.zones
    if play is None or not zones or not setup.uses_camera:
        return None
    if not any(place.lost and place.face == Facing.UP.value for place in play.places):
        return None
    until = max(table.sensing.changed_us, play.due_since_us) + setup.times.evidence
    if not all(zone.settled for zone in zones):
        until += setup.times.evidence
    return until if at_us < until else None


def _raise_about(turn: Turn, code: FaultCode, place: Place, found: Lying | None) -> bool:
    seen = () if found is None else (sight_of_felt(turn.setup, turn.table, found),)
    turn.fault(code, sightings=seen, index=place.index)
    return True


def _raise_shown_early(turn: Turn, place: Place, found: Lying) -> bool:
    """What the camera reads there stays sealed: the card may be turned back and played on with."""
    seen = sight_of_felt(turn.setup, turn.table, found, secret=True)
    text = f"{exposed_word(turn, found.key) or SHOWN_EARLY} before its turn"
    turn.fault(FaultCode.SUBSTITUTED_CARD, sightings=(seen,), index=place.index, text=text)
    return True
