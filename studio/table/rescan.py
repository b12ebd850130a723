"""What lies on the felt is taken as evidence again: the camera's picture, or a person's entry.

After a stop, and after a device was away in mid-round, the journal's belief is compared with the
felt (architecture.md 2.10; P8). A card that was another one is corrected, a further card in the due
place is accepted on the person's word; what cannot be explained is refused with one sentence.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import HIDDEN, UNREADABLE, Card
from studio.domain.faults import Fault, FaultCode
from studio.domain.observations import Look
from studio.games.procedure import Deal, Facing, Move
from studio.games.shoe import BURN
from studio.table.entries import REPORTS_LOST, accept_from_person, correct
from studio.table.holding import sound
from studio.table.observe import pair_again
from studio.table.sensing import Lying, unaccounted
from studio.table.state import Phase, Place, Script, Setup, Table
from studio.table.turn import Turn, due
from studio.table.views import FeltView, Message

WHOLE_FELT: Final = frozenset(
    {
        FaultCode.RECOVERED,
        FaultCode.CARD_VANISHED,
        FaultCode.DEVICE_REBOOTED,
        FaultCode.DEVICE_TROUBLE,
        FaultCode.SEQUENCE_GAP,
        FaultCode.OVERRUN,
    }
)
"""Faults after which every card that lies there has to be looked at again."""


def zones_of(setup: Setup, table: Table) -> tuple[str, ...]:
    """The zones on which cards of the running procedure lie, or one is due."""
    if table.play is None or table.play.script is not Script.ROUND:
        return setup.game.hands if table.play is None else (BURN,)
    asked = due(setup, table)
    there = [place.to for place in table.play.places if not place.off]
    now = (asked.to,) if isinstance(asked, Deal | Move) else ()
    return tuple(dict.fromkeys((*setup.game.zones, *there, *now)))


def believed(setup: Setup, table: Table) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the journal believes lies there: (zone, codes in order of dealing)."""
    return tuple(
        (zone, tuple(_code(place) for place in _places(table, zone)))
        for zone in zones_of(setup, table)
    )


def seen(setup: Setup, table: Table) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The same as the camera sees it now; empty without a camera or before its first word."""
    if not setup.uses_camera or not table.sensing.zones:
        return ()
    there = {zone.zone: zone.cards for zone in table.sensing.zones}
    ignored = set(table.sensing.ignored)
    return tuple(
        (
            zone,
            tuple(
                _look(card.look, card.card if card.sure else None)
                for card in there.get(zone, ())
                if (zone, card.track) not in ignored and card.look is not Look.CUT
            ),
        )
        for zone in zones_of(setup, table)
    )


def felt_view(setup: Setup, table: Table, fault: Fault) -> FeltView | None:
    """What a person compares with the felt; None where nothing has to be."""
    if fault.code not in WHOLE_FELT or table.play is None or table.phase is Phase.RESULT:
        return None
    return FeltView(fault=fault.id, zones=believed(setup, table), seen=seen(setup, table))


def _code(place: Place) -> str:
    if place.face != Facing.UP.value or place.card is None:
        return HIDDEN
    return place.card.code


def _look(look: Look, card: Card | None) -> str:
    if look is Look.BACK:
        return HIDDEN
    return card.code if look is Look.FACE and card is not None else UNREADABLE


def _places(table: Table, zone: str) -> tuple[Place, ...]:
    places = table.play.places if table.play else ()
    return tuple(place for place in places if place.to == zone and not place.off)


# -- comparing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a person's entry differs from the journal."""

    others: tuple[tuple[Place, Card], ...] = ()
    """Cards that were accepted as another one, with what they are."""
    missing: tuple[Place, ...] = ()
    """Cards of the journal that are not there."""
    turned: tuple[Place, ...] = ()
    """Cards that lie with another face up than the journal has."""
    further: tuple[tuple[str, Card | None], ...] = ()
    """(zone, card) of cards that the journal does not have."""
    strange: tuple[str, ...] = ()
    """Zones that are no place for a card of this procedure."""


def compare(setup: Setup, table: Table, felt: tuple[c.FeltZone, ...]) -> Comparison:
    """Compare what a person says lies there with what the journal believes."""
    zones = zones_of(setup, table)
    entered = {zone.zone: zone.cards for zone in felt}
    others: list[tuple[Place, Card]] = []
    missing: list[Place] = []
    turned: list[Place] = []
    further: list[tuple[str, Card | None]] = []
    for zone in zones:
        places, cards = _places(table, zone), entered.get(zone, ())
        for place, card in zip(places, cards, strict=False):
            up = place.face == Facing.UP.value
            if up != (card is not None):
                turned.append(place)
            elif card is not None and card != place.card:
                others.append((place, card))
        missing += places[len(cards) :]
        further += [(zone, card) for card in cards[len(places) :]]
    return Comparison(
        others=tuple(others),
        missing=tuple(missing),
        turned=tuple(turned),
        further=tuple(further),
        strange=tuple(zone for zone in entered if zone not in zones and entered[zone]),
    )


def differences(setup: Setup, table: Table, felt: tuple[c.FeltZone, ...]) -> tuple[Message, ...]:
    """What an entry would change, told before anything is pressed; one line a card."""
    found = compare(setup, table, felt)
    order = {p.index: n for zone in zones_of(setup, table) for n, p in _numbered(table, zone)}
    lines = [
        Message("felt.other", _line(place, order, now=card.code)) for place, card in found.others
    ]
    lines += [Message("felt.other", _line(p, order, now=_turned(p))) for p in found.turned]
    lines += [Message("felt.gone", _line(p, order)) for p in found.missing]
    added: Counter[str] = Counter()
    for zone, card in found.further:
        added[zone] += 1
        place = len(_places(table, zone)) + added[zone]
        now = card.code if card else HIDDEN
        lines.append(Message("felt.added", (("zone", zone), ("place", place), ("now", now))))
    lines += [Message("felt.strange", (("zone", zone),)) for zone in found.strange]
    return tuple(lines) or (Message("felt.same"),)


def _numbered(table: Table, zone: str) -> tuple[tuple[int, Place], ...]:
    return tuple(enumerate(_places(table, zone), start=1))


def _line(
    place: Place, order: dict[int, int], *, now: str = ""
) -> tuple[tuple[str, str | int], ...]:
    told = (("zone", place.to), ("place", order[place.index]), ("old", _code(place)))
    return (*told, ("now", now)) if now else told


def _turned(place: Place) -> str:
    """How a card looks that lies with its other face up."""
    return HIDDEN if place.face == Facing.UP.value else UNREADABLE


# -- taking it as evidence -----------------------------------------------------------------------


def why_not_rescan(setup: Setup, table: Table, fault: Fault) -> str | None:
    """Why looking again would answer nothing now, as a message code; None if it would."""
    if fault.code in WHOLE_FELT:
        return None if sound(setup, table, fault) else "refused.device_not_back"
    if fault.code is FaultCode.UNREADABLE_CARD:
        return None if _read_again(setup, table) else "refused.not_read_again"
    if fault.code is FaultCode.CARD_DUE_LATE:
        return None  # whoever reads, waits for it anew once the hold is lifted
    return None if setup.uses_camera else "refused.no_camera"


def rescan(turn: Turn, fault: Fault, felt: tuple[c.FeltZone, ...]) -> None:
    """Look again.

    Raises:
        Rejected: if what lies there differs in a way that nothing explains.
    """
    if felt:
        _entered(turn, fault, felt)
    elif fault.code in WHOLE_FELT:
        _camera_finds_all(turn)
    elif fault.code is FaultCode.UNREADABLE_CARD:
        turn.emit(e.ReadUsed(read=turn.table.sensing.reads[0].key))


def _read_again(setup: Setup, table: Table) -> bool:
    """Whether the card that could not be read was read again and lies where it is due (V1)."""
    reads, request = table.sensing.reads, due(setup, table)
    if len(reads) < 2 or not isinstance(request, Deal) or not setup.uses_camera:  # noqa: PLR2004
        return False
    here = [it for it in unaccounted(table) if it.zone == request.to and it.settled]
    if len(here) != 1 or not here[0].card.sure:
        return False
    return reads[1].identity is not None and reads[1].identity == here[0].card.card


def look_for_all(turn: Turn) -> tuple[Place, ...]:
    """Let the camera find every accepted card; those that it does not find."""
    play = turn.table.play
    if play is None or not turn.setup.uses_camera:
        return ()
    lying = {(z.zone, card.track) for z in turn.table.sensing.zones for card in z.cards}
    gone = tuple(p.index for p in play.places if p.track and p.track not in lying)
    if gone:
        turn.emit(e.TracksLost(indexes=gone))
    pair_again(turn)
    return tuple(p for p in turn.table.play.places if p.lost) if turn.table.play else ()


def _camera_finds_all(turn: Turn) -> None:
    """Once a coup is paid or void its cards may be anywhere: nothing depends on them any more."""
    if turn.table.phase is Phase.RESULT:
        look_for_all(turn)
        return
    if turn.table.play is None or not turn.table.play.places:
        return
    if not turn.setup.uses_camera:
        raise c.Rejected("refused.enter_felt")
    if not turn.table.sensing.zones:
        raise c.Rejected("refused.no_picture")
    if look_for_all(turn):
        raise c.Rejected("refused.felt_differs")


def find_by_order(turn: Turn) -> None:
    """The camera looks for every accepted card, by identity first, then by place in its hand."""
    if look_for_all(turn):
        pair_by_order(turn)


def as_it_lies(turn: Turn) -> None:
    """A person says that everything lies as the journal has it; the camera must not contradict.

    Raises:
        Rejected: if the camera sees another card, or fewer.
    """
    find_by_order(turn)
    if turn.setup.uses_camera and turn.table.sensing.zones and turn.table.play is not None:
        left = [p for p in turn.table.play.places if p.lost and p.face == Facing.UP.value]
        if left:
            raise c.Rejected("refused.felt_differs")


def _entered(turn: Turn, fault: Fault, felt: tuple[c.FeltZone, ...]) -> None:
    """A person's entry: differences become corrections, a further card is accepted or refused."""
    found = compare(turn.setup, turn.table, felt)
    twice = len({zone.zone for zone in felt}) < len(felt)
    if found.strange or twice:
        raise c.Rejected("refused.felt_unexplained")
    if found.turned:
        raise c.Rejected("refused.felt_turned")
    if found.missing:
        raise c.Rejected("refused.felt_missing")
    for place, card in sorted(found.others, key=lambda other: other[0].index):
        if turn.table.play is None or place.index >= len(turn.table.play.inputs):
            break  # the round as it was run again has no such card: it is outside
        correct(turn, place.index, card)
    look_for_all(turn)
    pair_by_order(turn, vouched=True)
    lost = fault.code in REPORTS_LOST
    _further(turn, list(found.further), own_reports=not lost)


def _named(turn: Turn, card: Card | None) -> bool:
    """Whether the first report that is not used up names this card."""
    reads = turn.table.sensing.reads
    return bool(reads) and card is not None and reads[0].identity == card


def _further(turn: Turn, left: list[tuple[str, Card | None]], *, own_reports: bool) -> None:
    """Cards that the journal does not have count where one is due, in the order of dealing.

    `own_reports`: what the shoe reported and nothing used up yet is of these cards.
    """
    while left:
        request = turn.due
        place = next(
            (
                at
                for at, (zone, card) in enumerate(left)
                if isinstance(request, Deal)
                and zone == request.to
                and (card is not None) == (request.face is Facing.UP)
            ),
            None,
        )
        if place is None or not isinstance(request, Deal):
            raise c.Rejected("refused.felt_unexplained")
        _, card = left.pop(place)
        accept_from_person(turn, request, card, own_report=own_reports or _named(turn, card))


def pair_by_order(turn: Turn, *, vouched: bool = False) -> None:
    """Cards that a person vouches for are those that lie there in the same order.

    `vouched`: the person read each of them, which stands over the camera's word; else a card that
    the camera is sure is another one is not paired.
    """
    play = turn.table.play
    if play is None:
        return
    pairs: list[tuple[int, str, int]] = []
    for zone in zones_of(turn.setup, turn.table):
        lost = [place for place in play.places if place.to == zone and place.lost]
        free = [it for it in unaccounted(turn.table) if it.zone == zone and it.settled]
        for place, lying in zip(lost, free, strict=False):
            if vouched or not _contradicts(place, lying):
                pairs.append((place.index, zone, lying.card.track))
    if pairs:
        turn.emit(e.TracksPaired(pairs=tuple(pairs)))


def _contradicts(place: Place, lying: Lying) -> bool:
    """Whether the camera is sure that this is another card."""
    if place.face == Facing.DOWN.value:
        return lying.card.look is Look.FACE
    known = (place.card, place.seen_as)
    read = lying.card.card
    return lying.card.look is Look.BACK or (lying.card.sure and (read is None or read not in known))
