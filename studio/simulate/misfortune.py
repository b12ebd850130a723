"""A studio to which something may happen: its disk, its clock, its line to the platform, its power.

A table can be stopped hard in mid-coup and brought back from its journal. What dies with it is all
that the studio itself is made of: the table's thread, its driver and the camera's process. What
stands on the table stays: the shoe with its cards on its cable, and the cards on the felt.
"""

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from studio.launch import Options, Studio
from studio.live.clock import ManualClock
from studio.live.ports import Device
from studio.live.recovery import Restored
from studio.live.service import Desk
from studio.live.timers import Timer
from studio.settings import Settings, ShoeSettings
from studio.simulate.machine import Machine, PowerCut, SteppedClock

SLOW_S: Final = 1.5
"""A commit on the slow disk takes so much longer, by the studio's clock."""
JUMP_US: Final = 3_600_000_000
"""The wall clock is set forward by so much."""


class FragileStudio(Studio):
    """A studio whose machine can be struck while it runs. Owned by the simulated people."""

    def __init__(self, settings: Settings, options: Options) -> None:
        """Put it together; nothing runs yet, and nothing is broken."""
        self.machine = Machine(options.clock)
        self._dying = ""
        super().__init__(
            settings, replace(options, at_point=self._at_point, wallet=self.machine.wallet)
        )

    def _at_point(self, point: str) -> None:
        self.machine.at_point(point)
        if self._dying and threading.current_thread().name == f"table-{self._dying}":
            self._dying = ""
            raise PowerCut(f"the power failed at {point}")

    def strike(self, name: str) -> None:
        """Let one of the faults of the machine happen, by its name in CONTRACTS.md 3.

        Raises:
            ValueError: for a name that is none of them; ``kill`` is a method of its own.
        """
        match name:
            case "platform_down":
                self.machine.platform_down = True
            case "slow_disk":
                self.machine.slow_disk(SLOW_S)
            case "clock_jump":
                self._jump()
            case _:
                raise ValueError(f"{name!r} does not happen to a machine")

    def mend(self, name: str) -> None:
        """Let it be over; what cannot be mended stays as it is."""
        match name:
            case "platform_down":
                self.machine.platform_down = False
            case "slow_disk":
                self.machine.slow_disk(0)
            case _:
                pass

    def _jump(self) -> None:
        if isinstance(self.clock, ManualClock):
            self.clock.set_wall(self.clock.now_us() + JUMP_US)
        elif isinstance(self.clock, SteppedClock):
            self.clock.step(JUMP_US)

    def kill(self, table: str, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Stop a table hard between two of its facts, and start it again from the database.

        `meanwhile` is done before the devices come back: a synthetic camera starts with an empty
        felt, on which the cards must be laid again.
        """
        desk = self.desk(table)
        self._stop_hard(desk)
        for running in (desk.runner, desk.device, desk.camera):
            if running is not None:
                self._end(running.stop)
        journal = self.journal
        if journal is None:
            raise RuntimeError("the studio is not started: nothing can be killed")
        again = self._open_table(table, journal)
        desks = [again if desk.name == table else desk for desk in self.desks()]
        self.seat(desks, epoch=secrets.token_hex(8), accounts=self.accounts)
        self._start_table(again)
        if self._timer is not None:
            self._end(self._timer.stop)
            self._timer = Timer([desk.runner for desk in desks])
            self._timer.start()
            self._running.append(self._timer.stop)
        meanwhile()
        self._start_devices(again)

    def _stop_hard(self, desk: Desk) -> None:
        told = logging.getLogger("cutcard.runner")
        told.disabled = True  # the table says that it died; here it is meant to
        try:
            self._dying = desk.name
            desk.runner.tick()
            while desk.runner.failure is None:
                threading.Event().wait(0.005)
        finally:
            told.disabled = False

    def _end(self, stop: Callable[[], None]) -> None:
        """Stop something now, and not again at the end."""
        if stop in self._running:
            self._running.remove(stop)
        stop()

    # -- what stands on the table outlives the studio ---------------------------------------------

    def _open_shoe(self, table: str, shoe: ShoeSettings, restored: Restored) -> Device:
        """The shoe is there already when a table comes back: its cable is opened again."""
        wire = self.wires.get(table)
        if wire is None:
            return super()._open_shoe(table, shoe, restored)
        return super()._open_shoe(table, shoe.model_copy(update={"url": wire.path}), restored)

    def _start_devices(self, desk: Desk) -> None:
        """Start what is new; a shoe that was there before goes on."""
        wire = self.wires.get(desk.name)
        if wire is not None and wire.stop in self._running:
            del self.wires[desk.name]
            try:
                super()._start_devices(desk)
            finally:
                self.wires[desk.name] = wire
        else:
            super()._start_devices(desk)
