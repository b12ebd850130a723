"""What every repair needs: whether a device is sound, an answered fault, and the end of a hold."""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import Fault
from studio.table.advance import advance
from studio.table.state import Phase, Setup, Table
from studio.table.turn import Turn

REOPENED: Final = ("betting", "decision", "insurance")
"""Windows that people answer in: they reopen with a least time."""


def devices_ready(turn: Turn) -> None:
    """Look whether every source of this table is there.

    Raises:
        Rejected: naming the one that is not.
    """
    for name in turn.setup.devices:
        if not ready(turn.table, name):
            raise c.Rejected("refused.device_not_ready", f"{name} is not ready")


def ready(table: Table, name: str) -> bool:
    """Whether this device is there and has no trouble."""
    device = table.device(name)
    return device.online and device.fit and not device.trouble


def sound(setup: Setup, table: Table, fault: Fault) -> bool:
    """Whether a device works again; one that this table no longer uses is no trouble."""
    if fault.device not in setup.devices:
        return True
    return ready(table, fault.device)


def answered(
    turn: Turn, fault: Fault, name: str, reason: str, note: str, *, worded: str = ""
) -> None:
    """Write down which repair answered a fault, and why; `worded` names the words of its row."""
    turn.emit(
        e.FaultAnswered(
            fault=fault.id,
            code=fault.code.value,
            repair=name,
            reason=reason,
            note=note,
            worded="" if worded == name else worded,
        )
    )


def why_not_lift(setup: Setup, table: Table) -> c.Rejected | None:
    """Why the table cannot go on yet, as it is told to who asks; None if it can.

    Cards that the camera has to find again after a restart wait for its first word: before that
    nothing would tell whether they still lie there.
    """
    if table.hold is None:
        return c.Rejected("refused.not_held")
    if table.hold.faults:
        return c.Rejected("refused.fault_unanswered")
    for name in setup.devices:
        if not ready(table, name):
            return c.Rejected("refused.device_not_ready", f"{name} is not ready")
    running = table.play if table.phase in (Phase.DEALING, Phase.DECISION, Phase.SHOE) else None
    lost = running is not None and any(place.lost for place in running.places)
    if lost and setup.uses_camera and not table.sensing.zones:
        return c.Rejected("refused.no_picture", f"{setup.camera} has not shown the felt yet")
    return None


def lift(turn: Turn) -> None:
    """Let the table go on; a window that was stopped reopens with a least time (DESIGN.md 5).

    Raises:
        Rejected: while a fault is unanswered, a source is away, or the camera has not looked.
    """
    window = turn.table.window
    refused = why_not_lift(turn.setup, turn.table)
    if refused is not None:
        raise refused
    deadline = None
    if window is not None and window.remaining_us is not None:
        remaining = window.remaining_us
        if window.kind in REOPENED:
            remaining = max(remaining, turn.setup.times.reopen_min)
        deadline = turn.at_us + remaining
    turn.emit(e.HoldLifted(deadline_us=deadline))
    advance(turn)
