"""Cards where none is due: parked and named, never dropped, whichever source told of them."""

from studio.domain import events as e
from studio.domain.faults import FaultCode
from studio.domain.observations import Look
from studio.games.procedure import Move, Reveal
from studio.games.shoe import BURN
from studio.table.inventory import put_out
from studio.table.moving import may_be_collected, of_rack, out_of_turn
from studio.table.row import LEFT_OVER, UNNUMBERED
from studio.table.sensing import Lying, sight_of_felt, sight_of_parked, sight_of_read, unaccounted
from studio.table.state import Parked, Phase, Read, Table
from studio.table.turn import Turn

CARDS = (Look.FACE, Look.BACK)
"""Looks of what is surely a card."""


def stray(turn: Turn) -> bool:
    """Deal with one card where none is due; whether there was one."""
    reads = turn.table.sensing.reads
    if not reads:
        return _on_felt(turn)
    first = reads[0]
    if first.status == "again":
        _again(turn, first)
        return True
    sight = sight_of_read(turn.setup, first, secret=True)
    doubtful = first.status == "unreadable" and not turn.setup.numbered
    if _voided(turn.table) and not doubtful:
        put_out(turn, e.CardDead(fate="dead", card=first.card, sealed=first.sealed, read=first.key))
    else:
        turn.emit(
            e.CardParked(
                read=first.key, track=None, exposed=False, card=first.card, sealed=first.sealed
            )
        )
    text = f"{UNNUMBERED} line without a card" if doubtful else ""
    turn.fault(stray_code(turn.table.phase), sightings=(sight,), exposed=False, text=text)
    return True


def _again(turn: Turn, read: Read) -> None:
    """The same value again where no card is due: without a camera a person says what it was."""
    if turn.setup.uses_camera:
        # If there is a second card after all, the camera will show it, and no reader named it.
        turn.emit(e.ReadUsed(read=read.key))
        return
    seen = (sight_of_read(turn.setup, read, secret=True),)
    turn.fault(FaultCode.REPEATED_CARD, sightings=seen, exposed=False)


def stray_code(phase: Phase) -> FaultCode:
    """What a card that is not due is called in a phase."""
    match phase:
        case Phase.BETTING:
            return FaultCode.EARLY_CARD
        case Phase.RESULT:
            return FaultCode.EXTRA_CARD
        case _:
            return FaultCode.CARD_OUT_OF_PHASE


def _watched(turn: Turn) -> frozenset[str]:
    """Zones in which a card that is not due matters.

    Where one is to be laid elsewhere, or turned, what lies open beside the racks is judged by that
    (`moving`).
    """
    shoe, hands, due = turn.table.shoe, frozenset(turn.setup.game.zones), turn.due
    if isinstance(due, Move):
        return hands - {*turn.setup.game.laid, due.to}
    if isinstance(due, Reveal):
        return hands - {*turn.setup.game.laid}
    match turn.table.phase:
        case Phase.CLOSED:
            return frozenset()
        case Phase.IDLE:
            return hands if shoe is not None and shoe.open else frozenset()
        case Phase.SHOE:
            return hands | {BURN}
        case _:
            return hands


def _lying(turn: Turn) -> list[Lying]:
    """Cards at rest that nothing accounts for, where they matter."""
    found = unaccounted(turn.table)
    if not found:
        return []
    watched, idle = _watched(turn), turn.table.phase is Phase.IDLE
    return [
        it
        for it in found
        if it.settled
        and it.zone in watched
        and (not idle or it.card.look in CARDS)
        and not (_voided(turn.table) and of_rack(turn, it))  # it was dealt, and is collected
    ]


def _on_felt(turn: Turn) -> bool:
    lying = _lying(turn)
    if not lying:
        return False
    first = lying[0]
    if out_of_turn(turn, first):
        return True
    if _voided(turn.table):
        return _dead_after_void(turn, first)
    waiting = _waiting(turn.table)
    if waiting is None and turn.setup.uses_shoe:
        if turn.at_us < turn.table.sensing.changed_us + turn.setup.times.evidence:
            return False
        sight = sight_of_felt(turn.setup, turn.table, first)
        turn.emit(_parked_on_felt(first, None))
        turn.fault(FaultCode.CARD_FROM_NOWHERE, sightings=(sight,))
        return True
    parked = _parked_on_felt(first, waiting)
    turn.emit(parked)
    if parked.exposed or waiting is None:
        sight = sight_of_felt(turn.setup, turn.table, first)
        code = stray_code(turn.table.phase)
        turn.fault(code, sightings=(sight,), exposed=parked.exposed)
    return True


def _dead_after_void(turn: Turn, lying: Lying) -> bool:
    """What is laid after a void is dead (B15); a shoe that reads has counted it already."""
    if turn.setup.uses_shoe or lying.card.look not in CARDS or may_be_collected(turn):
        return False
    seen = lying.card.card if lying.card.sure else None
    sight = sight_of_felt(turn.setup, turn.table, lying)
    put_out(turn, e.CardDead(fate="dead", card=seen, track=lying.key))
    turn.fault(FaultCode.EXTRA_CARD, sightings=(sight,))
    return True


def show_what_was_parked(turn: Turn) -> None:
    """While the table is held: the camera shows the card that the shoe had reported (P1 to P2)."""
    for lying in _lying(turn):
        waiting = _waiting(turn.table)
        if waiting is None:
            return
        turn.emit(_parked_on_felt(lying, waiting))


def _waiting(table: Table) -> Parked | None:
    """The first parked card that no camera has shown yet."""
    return next((card for card in table.sensing.parked if card.track is None), None)


def _parked_on_felt(lying: Lying, waiting: Parked | None) -> e.CardParked:
    exposed = lying.card.look is not Look.BACK
    if waiting is not None:
        return e.CardParked(
            read=waiting.read,
            track=lying.key,
            exposed=exposed,
            card=waiting.card,
            sealed=waiting.sealed,
        )
    card = lying.card.card if lying.card.sure else None
    return e.CardParked(read=None, track=lying.key, exposed=exposed, card=card)


def left_over(turn: Turn) -> None:
    """Cards that came too early and that the round, as players chose, had no use for (B3, B4)."""
    parked = turn.table.sensing.parked
    if parked:
        turn.fault(
            FaultCode.EXTRA_CARD,
            sightings=tuple(sight_of_parked(turn.setup, card) for card in parked),
            exposed=any(card.exposed for card in parked),
            text=f"{LEFT_OVER} from before the last card",
        )


def _voided(table: Table) -> bool:
    """Whether a void round is shown now."""
    shown = table.phase is Phase.RESULT and table.round is not None
    return shown and table.round is not None and table.round.state == "voided"
