"""What every repair needs: whether a device is sound, an answered fault, and the end of a hold."""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import Fault
from studio.table.advance import advance
from studio.table.state import Setup, Table
from studio.table.turn import Turn


def devices_ready(turn: Turn) -> None:
    """Look whether every source of this table is there.

    Raises:
        Rejected: naming the one that is not.
    """
    for name in turn.setup.devices:
        device = turn.table.device(name)
        if not device.online or not device.fit or device.trouble:
            raise c.Rejected("refused.device_not_ready", f"{name} is not ready")


def sound(setup: Setup, table: Table, fault: Fault) -> bool:
    """Whether a device works again; one that this table no longer uses is no trouble."""
    if fault.device not in setup.devices:
        return True
    device = table.device(fault.device)
    return device.online and device.fit and not device.trouble


def answered(turn: Turn, fault: Fault, name: str, reason: str, note: str) -> None:
    """Write down which repair answered a fault, and why."""
    turn.emit(
        e.FaultAnswered(
            fault=fault.id, code=fault.code.value, repair=name, reason=reason, note=note
        )
    )


def lift(turn: Turn) -> None:
    """Let the table go on; a window that was stopped reopens with a least time (DESIGN.md 5).

    Raises:
        Rejected: while a fault is unanswered or a source is away.
    """
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
