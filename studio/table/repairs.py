"""What a supervisor may do while the table is held; each repair answers one fault (DESIGN.md 5)."""

from contextlib import suppress

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.faults import Fault, FaultCode
from studio.games.procedure import Deal, Dealt, Facing, InputMismatch, run
from studio.table import ledger, policy
from studio.table.advance import VOID_SHOWN_US, accept, advance, bury
from studio.table.observe import pair_again
from studio.table.sensing import Accept, unaccounted
from studio.table.state import Parked, Script, Setup, Table
from studio.table.turn import Turn, due, procedure

REPORTS_LOST = (FaultCode.SEQUENCE_GAP, FaultCode.OVERRUN, FaultCode.DEVICE_REBOOTED)
"""Faults after which a card may be missing among the reports; a camera would have seen it."""
ANSWERED_BY_VOID = frozenset(code for code, row in policy.HOUSE.items() if not row.device)
"""Faults that a void answers by itself; a device's fault stays until the device is sound."""


def repair(turn: Turn, command: c.RepairCommand) -> None:
    """Carry out a repair, or reject it with the reason.

    Raises:
        Rejected: if the table is not held, the fault is not open, or policy does not allow it.
    """
    hold = turn.table.hold
    if hold is None:
        raise c.Rejected("refused.not_held")
    if isinstance(command, c.VoidRound):
        _void(turn, command)
        return
    if isinstance(command, c.LiftHold) and _known_version(turn.setup, turn.table):
        _lift(turn)
        return
    if not _known_version(turn.setup, turn.table):
        raise c.Rejected("refused.procedure_missing")
    fault = next((fault for fault in hold.faults if fault.id == command.fault), None)
    if fault is None:
        raise c.Rejected("refused.no_such_fault")
    name = type(command).__name__
    reason = why_not(turn.setup, turn.table, fault, name)
    if reason is not None:
        raise c.Rejected(reason)
    _carry_out(turn, command, fault)
    if name in policy.row_of(turn.setup.profile, fault.code).repairs:
        _answered(turn, fault, name, command.reason, command.note)


def _carry_out(turn: Turn, command: c.RepairCommand, fault: Fault) -> None:
    """What a repair does to the table, beside answering its fault."""
    match command:
        case c.CorrectCard(index=index, card=card):
            _correct(turn, index, card)
        case c.KeyInCard(card=card):
            _key_in(turn, fault, card)
        case c.MarkDead() | c.BurnCard():
            _dead(turn, fault, "burned" if isinstance(command, c.BurnCard) else "dead")
        case c.RetryDevice():
            _retry(turn, fault)
        case c.PassSelfTest():
            _tested(turn, fault)
        case c.RestoreCollected():
            _restored(turn)
        case c.AcknowledgeFault() if fault.code is FaultCode.REPEATED_CARD:
            turn.emit(e.ReadUsed(read=turn.table.sensing.reads[0].key))
        case _:
            pass


def why_not(setup: Setup, table: Table, fault: Fault, name: str) -> str | None:
    """Why this repair does not answer this fault now, as a message code; None if it does."""
    row = policy.row_of(setup.profile, fault.code)
    for refused, reason in row.refused:
        if refused == name:
            return reason
    dealt = bool(table.play and any(p.card for p in table.play.places))
    if name in policy.ALWAYS:
        return None if dealt and _open(table) else "refused.no_card_to_correct"
    if name not in row.repairs:
        return "refused.not_by_policy"
    if name == "KeyInCard":
        return _why_not_key_in(setup, table, fault)
    if name == "UseAsNextCard" and _no_next_card(table):
        return "refused.shoe_over"
    if name == "RetryDevice" and not _sound(setup, table, fault):
        return "refused.device_not_back"
    return None


def _why_not_key_in(setup: Setup, table: Table, fault: Fault) -> str | None:
    request = due(setup, table)
    if not isinstance(request, Deal):
        return "refused.no_card_due"
    if request.face is Facing.DOWN:
        return "refused.hidden_card"
    if fault.code in REPORTS_LOST and setup.uses_camera:
        return "refused.not_by_policy"
    return None


def _no_next_card(table: Table) -> bool:
    """Whether no further round of this shoe could use a card that came out."""
    shoe, current = table.shoe, table.round
    voided = current is not None and current.state == "voided"
    return shoe is None or shoe.ending or shoe.rounds_left == 0 or voided


def devices_ready(turn: Turn) -> None:
    """Look whether every source of this table is there.

    Raises:
        Rejected: naming the one that is not.
    """
    setup = turn.setup
    for name in [setup.shoe] * setup.uses_shoe + [setup.camera] * setup.uses_camera:
        device = turn.table.device(name)
        if not device.online or not device.fit or device.trouble:
            raise c.Rejected("refused.device_not_ready", f"{name} is not ready")


def _known_version(setup: Setup, table: Table) -> bool:
    """Whether the open round can go on: the version of its procedure is in this release."""
    current = table.round
    if current is None or current.state != "open":
        return True
    return current.procedure in ("", setup.game.version)


def _open(table: Table) -> bool:
    return table.round is not None and table.round.state == "open"


def _sound(setup: Setup, table: Table, fault: Fault) -> bool:
    """Whether a device works again; one that this table no longer uses is no trouble."""
    sources = [setup.shoe] * setup.uses_shoe + [setup.camera] * setup.uses_camera
    if fault.device not in sources:
        return True
    device = table.device(fault.device)
    return device.online and device.fit and not device.trouble


def _answered(turn: Turn, fault: Fault, name: str, reason: str, note: str) -> None:
    turn.emit(
        e.FaultAnswered(
            fault=fault.id, code=fault.code.value, repair=name, reason=reason, note=note
        )
    )


def _lift(turn: Turn) -> None:
    hold, window = turn.table.hold, turn.table.window
    if hold is None:
        raise c.Rejected("refused.not_held")
    if hold.faults:
        raise c.Rejected("refused.fault_unanswered")
    devices_ready(turn)
    deadline = None
    if window is not None and window.remaining_us is not None:
        remaining = window.remaining_us
        if window.kind == "betting":
            remaining = max(remaining, turn.setup.times.reopen_min)
        deadline = turn.at_us + remaining
    turn.emit(e.HoldLifted(deadline_us=deadline))
    advance(turn)


def _correct(turn: Turn, index: int, card: Card) -> None:
    """Replace one input and run the round again; what no longer fits is outside the round."""
    play = turn.table.play
    if play is None or not 0 <= index < len(play.inputs):
        raise c.Rejected("refused.no_such_card")
    old = play.inputs[index]
    if not isinstance(old, Dealt):
        raise c.Rejected("refused.no_such_card")
    if old.card == card:
        raise c.Rejected("refused.same_card")
    inputs = (*play.inputs[:index], Dealt(card), *play.inputs[index + 1 :])
    kept = len(inputs)
    try:
        run(procedure(turn.setup, play.script), inputs)
    except InputMismatch as mismatch:
        kept = mismatch.index
    asked = run(procedure(turn.setup, play.script), inputs[:kept]).asked
    outside = sum(isinstance(given, Dealt) for given in inputs[kept:])
    shoe = turn.table.shoe
    if shoe is not None and not shoe.cards.may_hold(card):
        raise c.Rejected("refused.impossible_card")
    if kept < len(inputs) and play.script is not Script.ROUND:
        raise c.Rejected("refused.corrects_the_burn")
    placed = tuple(
        (at, ask.to, ask.face.value, ask.step, ask.sideways)
        for at, ask in enumerate(asked)
        if isinstance(ask, Deal)
    )
    turn.emit(
        e.CardCorrected(
            index=index, old=old.card, new=card, kept=kept, outside=outside, placed=placed
        )
    )


def _key_in(turn: Turn, fault: Fault, card: Card) -> None:
    """The due card is this one, by a person's word; it uses up the reports that lie there."""
    deal = due(turn.setup, turn.table)
    if not isinstance(deal, Deal):
        raise c.Rejected("refused.no_card_due")
    shoe = turn.table.shoe
    if shoe is not None and not shoe.cards.may_hold(card):
        raise c.Rejected("refused.impossible_card")
    missing = fault.code in REPORTS_LOST or fault.code is FaultCode.REPEATED_CARD
    reads = () if missing else turn.table.sensing.reads
    here = [lying for lying in unaccounted(turn.table) if lying.zone == deal.to]
    read = reads[0] if reads else None
    track = here[0].key if here else None
    accept(turn, deal, Accept(card=card, sources=("person",), read=None, track=track))
    if read is not None:
        turn.emit(e.ReadUsed(read=read.key))


def _dead(turn: Turn, fault: Fault, fate: str) -> None:
    """The cards that the fault is about are outside the game; each stays in the count once."""
    free = [lying for lying in unaccounted(turn.table) if lying.settled]
    named = _named(turn, fault)
    for parked in named:
        track = parked.track or (free.pop(0).key if free else None)
        turn.emit(
            e.CardDead(
                fate=fate, card=parked.card, sealed=parked.sealed, read=parked.read, track=track
            )
        )
    if not named and fault.code is FaultCode.CARD_FROM_NOWHERE:
        zones = {sight.zone for sight in fault.sightings}
        for lying in free:
            if lying.zone in zones:
                seen = lying.card.card if lying.card.sure else None
                turn.emit(e.CardDead(fate=fate, card=seen, track=lying.key))


def _named(turn: Turn, fault: Fault) -> tuple[Parked, ...]:
    """The parked cards that a fault saw; all of them if it says no more."""
    parked = turn.table.sensing.parked
    numbers = {sight.sequence for sight in fault.sightings if sight.sequence is not None}
    zones = {sight.zone for sight in fault.sightings if sight.zone}
    found = tuple(
        card
        for card in parked
        if (card.read is not None and card.read[1] in numbers)
        or (card.track is not None and card.track[0] in zones)
    )
    return found or parked


def _restored(turn: Turn) -> None:
    """Cards that were collected early lie there again, as the camera shows.

    Raises:
        Rejected: if some of them are still missing.
    """
    if not turn.setup.uses_camera or turn.table.play is None:
        return
    lying = {(z.zone, card.track) for z in turn.table.sensing.zones for card in z.cards}
    gone = tuple(p.index for p in turn.table.play.places if p.track and p.track not in lying)
    if gone:
        turn.emit(e.TracksLost(indexes=gone))
    pair_again(turn)
    if any(p.lost and p.face == Facing.UP.value for p in turn.table.play.places):
        raise c.Rejected("refused.cards_missing")


def _retry(turn: Turn, fault: Fault) -> None:
    if not _sound(turn.setup, turn.table, fault):
        raise c.Rejected("refused.device_not_back")


def _tested(turn: Turn, fault: Fault) -> None:
    if not turn.table.device(fault.device).tested:
        raise c.Rejected("refused.test_not_passed")


def _void(turn: Turn, command: c.VoidRound) -> None:
    """Every stake of the round goes back, once, in the same commit as its end."""
    current, hold = turn.table.round, turn.table.hold
    if current is None or current.state != "open":
        raise c.Rejected("refused.no_open_round")
    if command.round_id != current.id:
        raise c.Rejected("refused.other_round")
    if hold is None:
        raise c.Rejected("refused.not_held")
    if not command.reason:
        raise c.Rejected("refused.reason_missing")
    bets = ledger.accepted(current)
    for batch in current.batches:
        if batch.pending:
            ids = tuple((bet, "refused.round_void") for bet in batch.columns.ids)
            turn.emit(e.BetsRefused(round_id=current.id, batch=batch.id, refused=ids))
    back = void_returns(turn.setup, turn.table, bets)
    bury(turn)
    turn.emit(
        e.RoundVoided(
            round_id=current.id,
            reason=command.reason,
            refunded=back.total,
            staked=bets.total,
            note=command.note,
            packed=back.packed("refunds", current.id),
            deadline_us=turn.at_us + max(VOID_SHOWN_US, turn.setup.times.result),
            columns=back,
        )
    )
    for fault in hold.faults:
        if fault.code in ANSWERED_BY_VOID:
            _answered(turn, fault, "VoidRound", command.reason, command.note)
    if turn.table.hold is not None and not turn.table.hold.faults:
        with suppress(c.Rejected):  # a device is not back yet: the hold is lifted later
            _lift(turn)


def void_returns(setup: Setup, table: Table, bets: Columns) -> Columns:
    """What voiding the open round gives back per bet; a procedure that is gone proves nothing."""
    play = table.play
    dealt = play is not None and play.script is Script.ROUND and _known_version(setup, table)
    return ledger.void(setup, bets, play.inputs if play is not None and dealt else ())


def void_allowed(setup: Setup, table: Table) -> str | None:
    """Why the open round may not be voided, as a message code; None if it may."""
    if table.hold is None:
        return "refused.not_held"
    if table.round is None or table.round.state != "open":
        return "refused.no_open_round"
    faults = table.hold.faults
    if faults and not any(policy.row_of(setup.profile, f.code).void for f in faults):
        return "refused.not_by_policy"
    return None
