"""What a supervisor may do while the table is held; each repair answers one fault (DESIGN.md 5)."""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import Fault, FaultCode
from studio.domain.observations import Look
from studio.games.procedure import Deal, Facing, Move, Reveal
from studio.table import hidden, policy
from studio.table.advance import accept
from studio.table.entries import REPORTS_LOST, correct, key_in
from studio.table.fates import no_card_came, take_out
from studio.table.holding import answered, devices_ready, lift, sound
from studio.table.passed import stays
from studio.table.refill import shuffle_discards, why_not_shuffle
from studio.table.rescan import as_it_lies, find_by_order, look_for_all, rescan, why_not_rescan
from studio.table.row import Void
from studio.table.sensing import Accept, unaccounted
from studio.table.state import Phase, Setup, Table
from studio.table.turn import Turn, due
from studio.table.verdicts import verdict, why_no_verdict
from studio.table.voids import ANSWERED_BY_VOID, played_on, void, void_allowed

__all__ = ["ANSWERED_BY_VOID", "devices_ready", "repair", "void_allowed", "why_not"]


def repair(turn: Turn, command: c.RepairCommand) -> None:
    """Carry out a repair, or reject it with the reason.

    Raises:
        Rejected: if the table is not held, the fault is not open, or policy does not allow it.
    """
    hold = turn.table.hold
    if hold is None:
        raise c.Rejected("refused.not_held")
    if isinstance(command, c.VoidRound):
        void(turn, command)
        return
    if not played_on(turn.setup, turn.table):
        raise c.Rejected("refused.procedure_missing")
    if isinstance(command, c.LiftHold):
        lift(turn)
        return
    fault = next((fault for fault in hold.faults if fault.id == command.fault), None)
    if fault is None:
        raise c.Rejected("refused.no_such_fault")
    name = type(command).__name__
    reason = why_not(turn.setup, turn.table, fault, name)
    if isinstance(command, c.RescanRound) and command.felt and reason in ENTRY_HELPS:
        reason = None
    if reason is not None:
        raise c.Rejected(reason)
    policy.reasoned(command.reason, command.note)
    row = policy.row_of(turn.setup.profile, fault, turn.table)
    _carry_out(turn, command, fault)
    if name in row.repairs:
        named = _named(command)
        answered(turn, fault, named, command.reason, command.note, worded=row.worded(named))


def _named(command: c.RepairCommand) -> str:
    """What the journal calls an answer."""
    match command:
        case c.RescanRound(felt=felt) if felt:
            return BY_HAND
        case c.DecideQayd(against=None):
            return DISMISSED
        case _:
            return type(command).__name__


BY_HAND: Final = "EnterFelt"
"""What the journal calls a rescan whose felt a person entered: no camera looked again."""
DISMISSED: Final = "DismissQayd"
"""What the journal calls a verdict that finds neither side at fault."""
ENTRY_HELPS: Final = ("refused.no_camera", "refused.not_read_again")
"""Why the camera cannot look again where a person's entry answers all the same."""


def _carry_out(turn: Turn, command: c.RepairCommand, fault: Fault) -> None:
    """What a repair does to the table, beside answering its fault."""
    match command:
        case c.CorrectCard(index=index, card=card):
            correct(turn, index, card)
        case c.KeyInCard(card=card):
            key_in(turn, fault, card)
        case c.MarkDead(card=card):
            take_out(turn, fault, "dead", card)
        case c.BurnCard():
            take_out(turn, fault, "burned")
        case c.RescanRound(felt=felt):
            rescan(turn, fault, felt)
        case c.AcceptAsDealt():
            _as_dealt(turn, fault)
        case c.PassSelfTest():
            _tested(turn, fault)
        case c.RestoreCollected():
            _restored(turn)
        case c.DecideQayd(against=against):
            verdict(turn, fault, against)
        case c.ShuffleDiscards():
            shuffle_discards(turn)
        case c.AcknowledgeFault():
            _acknowledged(turn, fault)
        case _:
            pass


def _as_dealt(turn: Turn, fault: Fault) -> None:
    """What lies there counts as it lies."""
    if fault.code is FaultCode.WRONG_FACE:
        _burned_face_up(turn)
    elif fault.code is FaultCode.DEAL_ORDER:
        stays(turn, fault)
    elif fault.code is FaultCode.RECOVERED:
        as_it_lies(turn)
    elif fault.code is FaultCode.IMPOSSIBLE_CARD:
        _lies_unnamed(turn)
    elif fault.code is FaultCode.SUBSTITUTED_CARD:
        look_for_all(turn)  # the true card may lie there again: for the camera it is a new one
    elif policy.is_doubtful(fault):
        _burned_unread(turn)


def _acknowledged(turn: Turn, fault: Fault) -> None:
    """What was told is no card, or needs nothing more."""
    if fault.code is FaultCode.RECOVERED:
        find_by_order(turn)
    elif fault.code is FaultCode.REPEATED_CARD:
        turn.emit(e.ReadUsed(read=turn.table.sensing.reads[0].key))
    elif policy.is_doubtful(fault):
        no_card_came(turn, fault)


def why_not(setup: Setup, table: Table, fault: Fault, name: str) -> str | None:
    """Why this repair does not answer this fault now, as a message code; None if it does."""
    if not played_on(setup, table):
        return "refused.procedure_missing"
    row = policy.row_of(setup.profile, fault, table)
    for refused, reason in row.refused:
        if refused == name:
            return reason
    if row.void is Void.ONLY and _open(table):
        return "refused.void_only"
    dealt = bool(table.play and any(p.card for p in table.play.places))
    if name in policy.ALWAYS:
        return None if dealt and _open(table) else "refused.no_card_to_correct"
    if name not in row.repairs:
        return "refused.not_by_policy"
    return _why_not_now(setup, table, fault, name)


def _why_not_now(setup: Setup, table: Table, fault: Fault, name: str) -> str | None:
    """Why a repair that policy names does not help as the table stands."""
    match name:
        case "KeyInCard":
            return _why_not_key_in(setup, table, fault)
        case "RescanRound":
            return why_not_rescan(setup, table, fault)
        case "DecideQayd":
            return why_no_verdict(setup, table)
        case "ShuffleDiscards":
            return why_not_shuffle(due(setup, table), table)
        case "UseAsNextCard" if _no_next_card(table):
            return "refused.shoe_over"
        case "RetryDevice" if not sound(setup, table, fault):
            return "refused.device_not_back"
        case "AcknowledgeFault" if fault.code is FaultCode.RECOVERED and _cards_lie(table):
            return "refused.felt_unchecked"
        case "AcknowledgeFault" if policy.is_doubtful(fault) and _seen_lying(setup, table):
            return "refused.card_seen"
        case "AcceptAsDealt" if _comes_back(setup, table, fault):
            return "refused.hidden_differs"
        case "AcceptAsDealt" if policy.is_doubtful(fault) and not _burns_unseen(setup, table):
            return "refused.not_burned"
        case _:
            return None


def _comes_back(setup: Setup, table: Table, fault: Fault) -> bool:
    """Whether a card that has changed is another one again as soon as the hold is lifted."""
    changed = fault.code is FaultCode.SUBSTITUTED_CARD
    return changed and hidden.still_another(setup, table, fault.index)


def _cards_lie(table: Table) -> bool:
    """Whether cards lie there on which something still depends."""
    return table.phase is not Phase.RESULT and bool(table.play and table.play.places)


def _why_not_key_in(setup: Setup, table: Table, fault: Fault) -> str | None:
    request = due(setup, table)
    if isinstance(request, Reveal | Move):
        about_it = fault.index in (None, request.index)
        return None if about_it else "refused.not_by_policy"
    if not isinstance(request, Deal):
        return "refused.no_card_due"
    if request.face is Facing.DOWN:
        return "refused.hidden_card"
    if fault.code in REPORTS_LOST and setup.uses_camera:
        return "refused.not_by_policy"
    return None


def _seen_lying(setup: Setup, table: Table) -> bool:
    """Whether the camera shows a card in a hand that the table has not accepted."""
    return any(lying.zone in setup.game.zones for lying in unaccounted(table))


def _burns_unseen(setup: Setup, table: Table) -> bool:
    """Whether a card is due face down."""
    request = due(setup, table) if table.play else None
    return isinstance(request, Deal) and request.face is Facing.DOWN


def _no_next_card(table: Table) -> bool:
    """Whether neither the open round nor a further one of this shoe could use such a card."""
    shoe, current = table.shoe, table.round
    if _open(table):
        return False
    voided = current is not None and current.state == "voided"
    return shoe is None or shoe.ending or shoe.rounds_left == 0 or voided


def _open(table: Table) -> bool:
    return table.round is not None and table.round.state == "open"


def _burned_face_up(turn: Turn) -> None:
    """A card that was burned with its face up is burned all the same (B2)."""
    deal = turn.due
    if not isinstance(deal, Deal) or deal.face is not Facing.DOWN:
        raise c.Rejected("refused.no_card_due")
    here = [lying for lying in unaccounted(turn.table) if lying.zone == deal.to]
    reads = turn.table.sensing.reads
    if not here or here[0].card.look is not Look.FACE:
        raise c.Rejected("refused.cards_missing")
    seen = here[0].card.card if here[0].card.sure else None
    read = reads[0] if reads else None
    card = (read.identity if read else None) or seen
    accept(turn, deal, Accept(card=card, sources=("person",), read=read, track=here[0].key))


def _burned_unread(turn: Turn) -> None:
    """A card was burned face down and no reader named it: it counts as one of unknown identity."""
    deal = turn.due
    if not isinstance(deal, Deal) or deal.face is not Facing.DOWN:
        raise c.Rejected("refused.no_card_due")
    reads = turn.table.sensing.reads
    read = reads[0] if reads and reads[0].identity is None else None
    accept(turn, deal, Accept(card=None, sources=("person",), read=read, track=None))


def _lies_unnamed(turn: Turn) -> None:
    """A card that lies face down cannot be what the shoe says: it is named when it is turned."""
    deal = turn.due
    if not isinstance(deal, Deal) or deal.face is not Facing.DOWN:
        raise c.Rejected("refused.no_card_due")
    reads = turn.table.sensing.reads
    here = [lying for lying in unaccounted(turn.table) if lying.zone == deal.to]
    if turn.setup.uses_camera and not here:
        raise c.Rejected("refused.cards_missing")
    track = here[0].key if here else None
    read = reads[0] if reads else None
    accept(turn, deal, Accept(card=None, sources=("person",), read=read, track=track))


def _restored(turn: Turn) -> None:
    """Cards that were collected early lie there again, as the camera shows.

    Raises:
        Rejected: if some of them are still missing.
    """
    if any(place.face == Facing.UP.value for place in look_for_all(turn)):
        raise c.Rejected("refused.cards_missing")


def _tested(turn: Turn, fault: Fault) -> None:
    if not turn.table.device(fault.device).tested:
        raise c.Rejected("refused.test_not_passed")
