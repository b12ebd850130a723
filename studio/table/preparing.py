"""A camera that a person sets up: calibrated, or shown a deck. Nothing is dealt meanwhile.

What was begun, kept and ended is a note about the device in the journal, with who did it; the
layout and the deck are named there by their SHA-256 (DESIGN.md 1).
"""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.table.seats import in_round
from studio.table.state import ANEW, Phase
from studio.table.turn import Turn

KINDS: Final = frozenset({"calibrate", "enrol"})
RESTORED: Final = "restart"


def set_up(turn: Turn, command: c.SetUpCamera) -> None:
    """Begin, note what was kept, or end.

    Raises:
        Rejected: in a round, at a camera that is being set up already, or at one that is not.
    """
    camera = turn.setup.camera
    busy = turn.table.device(camera).setup
    match command.act:
        case "begin" if command.kind in KINDS:
            if in_round(turn.table) or turn.table.phase not in (Phase.CLOSED, Phase.IDLE):
                raise c.Rejected("refused.setup_in_round")
            if busy:
                raise c.Rejected("refused.setup_open")
            turn.emit(e.DeviceNoted(device=camera, what="setup_began", text=command.kind))
        case "keep" if busy:
            text = f"{command.name} sha256 {command.digest}"
            turn.emit(e.DeviceNoted(device=camera, what="setup_kept", text=text))
        case "end" if busy:
            turn.emit(e.DeviceNoted(device=camera, what="setup_ended", text=ANEW))
        case _:
            raise c.Rejected("refused.bench_closed")


def restored(turn: Turn) -> None:
    """A restart ended whatever was being set up."""
    for device in turn.table.devices:
        if device.setup:
            turn.emit(e.DeviceNoted(device=device.name, what="setup_ended", text=RESTORED))
