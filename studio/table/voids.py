"""Declares the open round not played: what goes back, and what must follow from a device's fault.

Every stake goes back, once, in the same commit as the end of the round; under the policy
``best_for_player`` what is decided already as well (`ledger.void`).
"""

from contextlib import suppress
from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.faults import FaultCode
from studio.table import ledger, policy
from studio.table.advance import bury
from studio.table.closing import VOID_SHOWN_US
from studio.table.holding import answered, lift
from studio.table.row import Void
from studio.table.rows import HOUSE
from studio.table.seating import NOBODY_SEATED
from studio.table.state import Script, Setup, Table
from studio.table.turn import Turn

ANSWERED_BY_VOID: Final = frozenset(FaultCode) - {row.code for row in HOUSE if row.device}
"""Faults that a void answers by itself; a device's fault stays until the device is sound."""


def void(turn: Turn, command: c.VoidRound) -> None:
    """Void the open round.

    Raises:
        Rejected: if there is none, another is meant, no reason of the list is given, or policy
            does not allow it.
    """
    current, hold = turn.table.round, turn.table.hold
    reason = void_allowed(turn.setup, turn.table)
    if current is None or hold is None or current.state != "open":
        raise c.Rejected(reason or "refused.no_open_round")
    if command.round_id != current.id:
        raise c.Rejected("refused.other_round")
    policy.reasoned(command.reason, command.note)
    if reason is not None:
        raise c.Rejected(reason)
    bets = ledger.accepted(current)
    back = void_returns(turn.setup, turn.table, bets)
    for batch in current.batches:
        if batch.pending:
            ids = tuple((bet, "refused.round_void") for bet in batch.columns.ids)
            turn.emit(e.BetsRefused(round_id=current.id, batch=batch.id, refused=ids))
    unsound = _unsound(turn)
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
            answered(turn, fault, "VoidRound", command.reason, command.note)
    for device in unsound:
        need_test(turn, device)
    if turn.table.hold is not None and not turn.table.hold.faults:
        with suppress(c.Rejected):  # a device is not back yet: the hold is lifted later
            lift(turn)


def void_allowed(setup: Setup, table: Table) -> str | None:
    """Why the open round may not be voided, as a message code; None if it may.

    One fault of this hold, open or answered, must have a row that allows it: what bars a void does
    not stop barring it by being answered.
    """
    if table.hold is None:
        return "refused.not_held"
    if table.round is None or table.round.state != "open":
        return "refused.no_open_round"
    faults = (*table.hold.faults, *table.hold.past)
    rows = [policy.row_of(setup.profile, fault, table) for fault in faults]
    if all(row.void is Void.NEVER for row in rows):
        return "refused.not_by_policy"
    return None


def _unsound(turn: Turn) -> tuple[str, ...]:
    """Devices of this table whose fault is among those that the void is for."""
    faults = turn.table.hold.faults if turn.table.hold else ()
    found = [
        fault.device
        for fault in faults
        if policy.row_of(turn.setup.profile, fault, turn.table).device
    ]
    return tuple(name for name in dict.fromkeys(found) if name in turn.setup.devices)


def need_test(turn: Turn, device: str) -> None:
    """A device caused a void: the table is held until it has passed its test (F8)."""
    turn.emit(e.DeviceNoted(device=device, what="needs_test"))
    if not turn.has_fault(FaultCode.DEVICE_UNTESTED, device):
        turn.fault(FaultCode.DEVICE_UNTESTED, device=device)


def played_on(setup: Setup, table: Table) -> bool:
    """Whether the open round can go on: by the procedure and the rules that it was opened under.

    A release may lack the version of the procedure, and a configuration may have other rules than
    before the stop; rules change between rounds only (DESIGN.md 3), so void is the one way out.
    """
    current = table.round
    if current is None or current.state != "open":
        return True
    same = current.rules_digest in ("", setup.rules_digest)
    return same and current.procedure in ("", setup.game.version)


def void_returns(setup: Setup, table: Table, bets: Columns) -> Columns:
    """What voiding the open round gives back per bet; rules that are gone prove nothing."""
    play = table.play
    dealt = play is not None and play.script is Script.ROUND and played_on(setup, table)
    seating = table.round.seating if table.round is not None else NOBODY_SEATED
    return ledger.void(setup, bets, play.inputs if play is not None and dealt else (), seating)
