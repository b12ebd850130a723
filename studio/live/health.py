"""The health of a table's devices: four rungs that count without colour (FACES.md 6)."""

from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from studio.domain.faults import FaultCode
from studio.domain.observations import LinkRates, Observation, Unfit
from studio.table.state import DeviceState, Setup, Table
from studio.table.views import DeviceView, Message

FRESH, LATE, MISSING, SILENT = 4, 3, 2, 1
"""Rungs: fresh and agreeing; late or asks more than usual; what is due has not come; silent."""
LATE_US: Final = 2_500_000
"""A device that has said nothing for so long is late: both kinds have a word each second."""
BLIND: Final = frozenset({Unfit.LOST.value, Unfit.FROZEN.value})
"""A camera that is unfit in these ways shows nothing at all."""
ASKS: Final = frozenset(
    {FaultCode.UNSURE_CARD, FaultCode.UNREADABLE_CARD, FaultCode.READER_MISMATCH}
)
"""Faults after which a source asks rather than knows."""
ABSENT: Final = {
    "camera": frozenset({FaultCode.CARD_UNSEEN, FaultCode.CARD_DUE_LATE}),
    "shoe": frozenset({FaultCode.CARD_FROM_NOWHERE, FaultCode.CARD_DUE_LATE}),
}
"""Faults that say that something due has not come from this kind of device."""


@dataclass(slots=True)
class Health:
    """What one table's devices last said. Any thread may tell and look."""

    setup: Setup
    _rates: dict[str, LinkRates] = field(default_factory=dict)
    _last_us: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def note(self, seen: Observation) -> None:
        """Take whatever a device reports."""
        with self._lock:
            if isinstance(seen, LinkRates):
                self._rates[seen.device] = seen
                at_us = max(seen.last_us, self._last_us.get(seen.device, 0))
            else:
                at_us = max(seen.at_us, self._last_us.get(seen.device, 0))
            self._last_us[seen.device] = at_us

    def views(self, table: Table, now_us: int) -> tuple[DeviceView, ...]:
        """The devices of the table, shoe first."""
        setup = self.setup
        kinds = [("shoe", setup.shoe)] * setup.uses_shoe
        kinds += [("camera", setup.camera)] * setup.uses_camera
        return tuple(self._view(table, kind, name, now_us) for kind, name in kinds)

    def _view(self, table: Table, kind: str, name: str, now_us: int) -> DeviceView:
        with self._lock:
            rates, last_us = self._rates.get(name), self._last_us.get(name, 0)
        device = table.device(name)
        rung, detail = _rung(table, kind, device)
        if rung == FRESH and last_us + LATE_US < now_us:
            rung, detail = LATE, "device.late"
        return DeviceView(
            name=name,
            kind=kind,
            rung=rung,
            last_us=last_us,
            bytes=rates.bytes if rates else 0,
            frames=rates.frames if rates else 0,
            facts=rates.facts if rates else 0,
            garbage=rates.garbage if rates else 0,
            detail=Message(detail) if detail else None,
        )


def _rung(table: Table, kind: str, device: DeviceState) -> tuple[int, str]:
    """The rung without its age, and the code of what is to be said about it."""
    if not device.online or (not device.fit and device.text in BLIND):
        return SILENT, "device.what.offline" if not device.online else "device.what.unfit"
    if not device.fit:
        return MISSING, "device.what.unfit"
    if device.trouble:
        return MISSING, "device.what.trouble"
    faults = {fault.code for fault in table.hold.faults} if table.hold is not None else set()
    if faults & ABSENT[kind]:
        return MISSING, "device.rung.2"
    if faults & ASKS:
        return LATE, "device.rung.3"
    return FRESH, ""
