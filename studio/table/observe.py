"""What an observation becomes. It is never refused: it is recorded, and may be a fault."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import CUT
from studio.domain.faults import FaultCode, Sighting
from studio.games.procedure import Deal, Facing
from studio.table import bets, decisions
from studio.table.advance import advance
from studio.table.correction import owed
from studio.table.masked import felt_of, same_felt
from studio.table.named import reading_of
from studio.table.row import UNNUMBERED
from studio.table.sensing import Lying, unaccounted
from studio.table.state import Phase, Place, Script
from studio.table.strays import CARDS, show_what_was_parked
from studio.table.turn import Turn, due

WRAP = 65_536
"""Sequence numbers of wires count modulo this (CONTRACTS.md 9)."""


def observe(turn: Turn, seen: o.Observation) -> None:  # noqa: C901, PLR0912  one arm per observation
    """Record what a device or a wallet reported, then let follow what follows."""
    match seen:
        case o.LinkRates():
            return
        case o.EvidenceStored(fault=fault, items=items):
            turn.emit(e.EvidenceKept(fault=fault, items=items))
            return  # kept for people; nothing follows from it
        case o.DeviceOnline():
            _online(turn, seen)
        case o.DeviceOffline():
            _offline(turn, seen)
        case o.CardRead() | o.CardUnreadable() | o.CardIdentified() | o.CutCardOut():
            _wire(turn, seen)
        case o.SequenceGap():
            text = f"{seen.first} to {seen.last}"
            turn.fault(FaultCode.SEQUENCE_GAP, device=seen.device, text=text)
        case o.DeviceFault():
            _trouble(turn, seen)
        case o.DeviceFaultCleared():
            turn.emit(_note(seen.device, "cleared", seen.code.value))
        case o.GateMoved():
            turn.emit(_note(seen.device, "locked" if seen.locked else "unlocked", ""))
        case o.SelfTested():
            turn.emit(_note(seen.device, "tested" if seen.passed else "test_failed", seen.text))
        case o.CardsSeen():
            _felt(turn, seen)
        case o.CameraUnfit():
            _unfit(turn, seen)
        case o.CameraFit():
            turn.emit(_note(seen.device, "fit", seen.identity))
        case o.FundsAnswered():
            if not decisions.funds(turn, seen):
                bets.funds(turn, seen)
        case o.DebitAnswered():
            owed(turn, seen)
        case _:
            assert_never(seen)
    advance(turn)


def _note(device: str, what: str, text: str) -> e.DeviceNoted:
    return e.DeviceNoted(device=device, what=what, text=text)


def _in_use(turn: Turn) -> bool:
    return turn.table.phase is not Phase.CLOSED


def _online(turn: Turn, seen: o.DeviceOnline) -> None:
    known = turn.table.device(seen.device)
    turn.emit(
        e.DeviceNoted(
            device=seen.device,
            what="online",
            text=f"{seen.model} {seen.firmware}".strip(),
            boot=seen.boot,
            serial=seen.serial,
        )
    )
    if seen.expected_serial and seen.serial != seen.expected_serial:
        if not turn.has_fault(FaultCode.DEVICE_REPLACED, seen.device):
            turn.emit(_note(seen.device, "unfit", "another device"))
            turn.fault(FaultCode.DEVICE_REPLACED, device=seen.device, text=seen.serial)
    elif not known.fit and seen.expected_serial:
        turn.emit(_note(seen.device, "fit", seen.serial))
    elif seen.rebooted and known.boot and known.boot != seen.boot and _in_use(turn):
        turn.fault(FaultCode.DEVICE_REBOOTED, device=seen.device, text=seen.boot)


def _offline(turn: Turn, seen: o.DeviceOffline) -> None:
    turn.emit(_note(seen.device, "offline", seen.reason))
    if turn.table.device(seen.device).setup:
        return  # a person sets it up; it comes back with what was kept
    if _in_use(turn) and not turn.has_fault(FaultCode.DEVICE_LOST, seen.device):
        text = f"{UNNUMBERED} reports: {seen.reason}" if _may_be_out(turn, seen) else seen.reason
        turn.fault(FaultCode.DEVICE_LOST, device=seen.device, text=text)


def _may_be_out(turn: Turn, seen: o.DeviceOffline) -> bool:
    """Whether the due card may lie there and no source will ever tell of it."""
    setup, table = turn.setup, turn.table
    if seen.device != setup.shoe or setup.numbered or setup.uses_camera or table.play is None:
        return False
    return not table.sensing.reads and isinstance(due(setup, table), Deal)


def _unfit(turn: Turn, seen: o.CameraUnfit) -> None:
    text = seen.why.value
    turn.emit(_note(seen.device, "unfit", text))
    if turn.table.device(seen.device).setup:
        return
    if _in_use(turn) and not turn.has_fault(FaultCode.CAMERA_UNFIT, seen.device):
        turn.fault(FaultCode.CAMERA_UNFIT, device=seen.device, text=text)


def _trouble(turn: Turn, seen: o.DeviceFault) -> None:
    turn.emit(_note(seen.device, "trouble", seen.code.value))
    if seen.code is o.DeviceFaultCode.EMPTY:
        code = FaultCode.SHOE_EMPTY
    else:
        code = FaultCode.DEVICE_TROUBLE
    if _in_use(turn) and not turn.has_fault(code, seen.device):
        turn.fault(code, device=seen.device, text=f"{seen.code.value} {seen.text}".strip())


def _wire(
    turn: Turn, seen: o.CardRead | o.CardUnreadable | o.CardIdentified | o.CutCardOut
) -> None:
    if _known(turn, seen.boot, seen.sequence):
        return
    match seen:
        case o.CutCardOut():
            turn.emit(_heard(seen, "cut"))
            cut_card(turn, by=seen.device)
        case o.CardUnreadable():
            turn.emit(_heard(seen, "unreadable"))
        case o.CardRead(card=None):
            turn.emit(_heard(seen, "drawn"))
        case o.CardRead(card=card):
            secret = _secret(turn)
            turn.emit(
                e.ShoeRead(
                    device=seen.device,
                    boot=seen.boot,
                    sequence=seen.sequence,
                    status="again" if seen.again else "read",
                    card=None if secret else card,
                    sealed=turn.seal(card) if secret else None,
                )
            )
        case o.CardIdentified(card=card):
            secret = _secret(turn, of=(seen.boot, seen.of))
            turn.emit(
                e.ShoeIdentified(
                    device=seen.device,
                    boot=seen.boot,
                    sequence=seen.sequence,
                    of=seen.of,
                    card=None if secret else card,
                    sealed=turn.seal(card) if secret else None,
                )
            )


def _heard(seen: o.CardRead | o.CardUnreadable | o.CutCardOut, status: str) -> e.ShoeRead:
    return e.ShoeRead(device=seen.device, boot=seen.boot, sequence=seen.sequence, status=status)


def _known(turn: Turn, boot: str, sequence: int) -> bool:
    """Whether this report was taken before: same boot, and not newer than the newest (modulo)."""
    for known, newest in turn.table.sensing.newest:
        if known == boot:
            return (newest - sequence) % WRAP < WRAP // 2
    return False


def _secret(turn: Turn, of: tuple[str, int] | None = None) -> bool:
    """Whether a report's identity may not be known now: anything but the card due face up.

    `of` names the earlier report that is identified; None for a report of its own.
    """
    table = turn.table
    reads = [read.key for read in table.sensing.reads]
    first = (reads[:1] == [of]) if of is not None else not reads
    if table.play is None or table.phase is Phase.RESULT:
        return True
    request = turn.due
    return not (isinstance(request, Deal) and request.face is Facing.UP and first)


def cut_card(turn: Turn, *, by: str) -> None:
    """The cut card came out: how many rounds follow is the game's rule (D-14, D-33)."""
    shoe = turn.table.shoe
    if shoe is None or not shoe.open or shoe.rounds_left is not None:
        return
    if turn.setup.game.rounds_in_shoe:
        return  # no cut card is in such a shoe
    current, play = turn.table.round, turn.table.play
    after = turn.setup.game.rounds_after_cut
    in_round = (Phase.BETTING, Phase.DEALING, Phase.DECISION)
    if current is not None and turn.table.phase in in_round:
        dealt = (len(play.places) if play else 0) + _out(turn)
        left = after(turn.setup.rules, dealt)
    else:
        dealt = 0
        left = 1 + after(turn.setup.rules, _out(turn))
    turn.emit(e.CutCardSeen(by=by, cards_of_round=dealt, rounds_left=left))


def _out(turn: Turn) -> int:
    """Cards that left the shoe before this moment and are not accepted yet."""
    return len(turn.table.sensing.reads) + len(turn.table.sensing.parked)


def _felt(turn: Turn, seen: o.CardsSeen) -> None:
    if turn.table.device(seen.device).setup:
        # Its process died in the middle and began anew: the cards that a person shows to it are no
        # game. What lies there after the end is told by the process that begins then.
        return
    if same_felt(turn, seen.zones):
        return
    turn.emit(felt_of(turn, seen.zones, device=seen.device, frame=seen.frame))
    pair_again(turn)
    if turn.table.held:
        show_what_was_parked(turn)
    _cut_card_seen(turn, seen)


def _cut_card_seen(turn: Turn, seen: o.CardsSeen) -> None:
    """The camera sees the cut card; a shoe that did not report it is told of (P12)."""
    shoe = turn.table.shoe
    zone = next((z.zone for z in seen.zones for card in z.cards if card.look is o.Look.CUT), "")
    if not zone or shoe is None or not shoe.open or shoe.rounds_left is not None:
        return
    cut_card(turn, by=seen.device)
    if turn.setup.uses_shoe:
        sight = Sighting(source=seen.device, look=CUT, zone=zone, at_us=seen.at_us)
        turn.fault(FaultCode.CUT_CARD_ON_FELT, sightings=(sight,))


def _only_keyed(place: Place) -> bool:
    return place.track is None and place.sources == ("person",) and not place.off


def _laid_back(turn: Turn, free: Sequence[Lying]) -> Iterator[tuple[int, Lying]]:
    """Cards of racks, lifted or lost by a stop, that lie there again, by their inputs.

    For the camera each is a new one. As many lie there as are gone: one that shows its face is the
    one that it shows, if that is known, and an open one is no other; the rest are taken in the
    order in which they lie, and which is which is found out when one of them is turned.
    """
    play = turn.table.play
    if play is None or play.script is not Script.ROUND or not turn.setup.game.first:
        return
    for zone in turn.table.sensing.zones:
        there = {(zone.zone, card.track) for card in zone.cards}
        gone = [
            place
            for place in play.places
            if place.to == zone.zone
            and zone.zone in turn.setup.game.hands
            and (place.lost or (place.track is not None and place.track not in there))
        ]
        new = [it for it in free if it.zone == zone.zone]
        if zone.settled and gone and len(new) == len(gone):
            yield from _in_rack(turn, gone, new)


def _in_rack(turn: Turn, gone: list[Place], new: Sequence[Lying]) -> tuple[tuple[int, Lying], ...]:
    """Which of as many new cards of a rack is which; nothing if an open one is not among them."""
    found: list[tuple[int, Lying]] = []
    for lying in sorted(new, key=lambda it: it.card.look is o.Look.BACK):
        read = reading_of(turn.table.sensing, lying.zone, lying.card)
        shown = (p for p in gone if read is not None and read in (p.card, p.seen_as))
        hidden = (p for p in gone if p.face == Facing.DOWN.value)
        place = next(shown, next(hidden, None))
        if place is None or lying.card.look not in CARDS:
            return ()
        gone.remove(place)
        found.append((place.index, lying))
    return tuple(found)


def _lost(places: Sequence[Place], free: Sequence[Lying]) -> Iterator[tuple[int, Lying]]:
    """Cards of these places that lie in their zone and look as they should, by their inputs."""
    left = list(free)
    for place in places:
        for lying in left:
            if place.face == Facing.DOWN.value:
                same = lying.card.look is o.Look.BACK
            else:
                same = lying.card.card is not None and lying.card.card in (
                    place.card,
                    place.seen_as,
                )
            if lying.zone == place.to and lying.settled and same:
                yield place.index, lying
                left.remove(lying)
                break


def pair_again(turn: Turn) -> None:
    """Find accepted cards whose place is not known: same zone, same card, in order.

    A restart lost it, or a person keyed the card in before the camera saw it, or it was lifted and
    laid back. Open cards are found first: what then is left of a rack is its hidden ones.
    """
    play, free = turn.table.play, unaccounted(turn.table)
    lost = [p for p in play.places if p.lost or _only_keyed(p)] if play and free else []
    down = [place for place in lost if place.face == Facing.DOWN.value]
    found = dict(_lost([place for place in lost if place not in down], free))
    found |= dict(_laid_back(turn, _less(free, found)))
    found |= dict(_lost([p for p in down if p.index not in found], _less(free, found)))
    if found:
        pairs = tuple((index, *lying.key) for index, lying in found.items())
        turn.emit(e.TracksPaired(pairs=pairs))


def _less(free: Sequence[Lying], found: Mapping[int, Lying]) -> list[Lying]:
    """Those of these cards that were not found."""
    return [lying for lying in free if lying not in found.values()]
