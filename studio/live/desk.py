"""One table with all that belongs to it: its runner, its devices, their health, and its views."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from studio.domain import commands as c
from studio.domain.envelope import Actor, ActorKind
from studio.domain.faults import FaultCode
from studio.domain.observations import Observation, SelfTested
from studio.live.health import Health
from studio.live.means import Shown
from studio.live.ports import Camera, Device, TestsItself
from studio.live.runner import TableRunner
from studio.live.selftests import RUNS, UNANSWERED, SelfTests
from studio.live.stopped import as_stopped, without_tile
from studio.live.treasury import Treasury
from studio.table.casework import supervisor_view
from studio.table.masked import lies_open
from studio.table.show import dealer_view, overlay_view, tile_view
from studio.table.state import Setup, Table
from studio.table.views import DeviceView, Envelope, Message, to_json

log = logging.getLogger("cutcard.desk")

WALL: Final = "wall"
AUDIENCES: Final = ("dealer", "supervisor", "overlay")

SET_US: Final = 1_000_000
"""A table whose time differs by less from the studio's has the same."""


class Desk:
    """One table with all that belongs to it: its runner, its devices, and their health."""

    def __init__(
        self,
        runner: TableRunner,
        *,
        device: Device | None = None,
        camera: Camera | None = None,
        treasury: Treasury | None = None,
    ) -> None:
        """Put a table together; nothing is started here."""
        self.runner = runner
        self.device = device
        self.camera = camera
        self.health = Health(runner.setup)
        self.names: Callable[[str], str] = str
        """Words a staff number for people."""
        self._lock = threading.Lock()
        self._views: dict[str, tuple[int, Envelope]] = {}
        self._rungs: tuple[DeviceView, ...] = ()
        self._treasury = treasury
        self._untold = (0, 0)
        self._broken_tile = -1
        """At which number of the state the log was told that there is no tile."""
        self._tests = SelfTests(self.report)

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.runner.name

    @property
    def setup(self) -> Setup:
        """What is fixed at this table."""
        return self.runner.setup

    def table(self) -> Table:
        """The newest state; for people it is shown by views only."""
        return self.runner.shown.table

    def ask(self, command: c.Command, *, who: str, role: str, timeout_s: float = 30.0) -> None:
        """Ask on the word of somebody inside this process: a simulated person or platform.

        Each `who` is a person of that name and number, in one sign-in of their own.

        Raises:
            Rejected: if the table refuses, or has too much to do.
            TimeoutError: if it does not answer.
        """
        if isinstance(command, c.PassSelfTest) and (waits := self.test_for(command.fault)):
            raise c.Rejected(waits)
        kind = ActorKind.PLATFORM if role == "platform" else ActorKind.PERSON
        by = c.Asker(number=who, name=who, role=role, session=f"inside/{who}")
        asker = by if kind is ActorKind.PERSON else c.NOBODY
        answer = self.runner.ask(command, Actor(kind, who, role), by=asker).result(timeout_s)
        if answer.status != "done":
            raise c.Rejected(answer.code, answer.text)

    def picture(self) -> bytes | None:
        """The camera's newest picture as JPEG; None where there is none.

        None as well while it shows a card that nobody may know yet.
        """
        if self.camera is None or lies_open(self.table()):
            return None
        return self.camera.picture()

    def test_for(self, fault: str) -> str:
        """Begin the self-test that this fault waits for; why the fault cannot be answered yet.

        ``refused.test_running`` while its answer is due, ``refused.test_unanswered`` once none
        came in time: the next call begins another. Empty if the fault waits for no test, or its
        device has passed already.
        """
        hold = self.table().hold
        asked = next((f for f in hold.faults if f.id == fault), None) if hold else None
        if asked is None or asked.code is not FaultCode.DEVICE_UNTESTED:
            return ""
        name, at_us = asked.device, self.runner.now_us()
        if self.table().device(name).tested:
            return ""
        if name in self._tests.expire(at_us):
            return UNANSWERED
        return RUNS if self._tests.running(name, at_us) or self.test(name) else ""

    def test(self, device: str) -> bool:
        """Ask a device for its self-test; whether this table has it. `SelfTested` is the answer.

        A camera that knows no test of its own passes if it sees.
        """
        if device == self.setup.shoe and self.device is not None:
            self._tests.began(device, self.runner.now_us())
            self.device.command("TEST")
            return True
        if device != self.setup.camera or self.camera is None:
            return False
        if isinstance(self.camera, TestsItself):
            self._tests.began(device, self.runner.now_us())
            self.camera.test()
            return True
        known = self.table().device(device)
        seeing = known.online and known.fit
        at_us = self.runner.now_us()
        self.report(SelfTested(device=device, at_us=at_us, passed=seeing, text="it sees"))
        return True

    def flush(self) -> None:
        """Wait until all that was reported and asked has been decided.

        Raises:
            TableStopped: if the table has stopped.
        """
        self.runner.flush()

    def report(self, seen: Observation) -> None:
        """Take an observation from a device's thread; never raises."""
        self.health.note(seen)
        self.runner.report(seen)
        self._tests.note(seen)

    def view(self, audience: str, epoch: str, now_us: int) -> Envelope:
        """The newest view for an audience; made at most once for each state.

        Raises:
            KeyError: for an audience that does not exist.
        """
        if audience not in (*AUDIENCES, WALL):
            raise KeyError(audience)
        with self._lock:
            shown = self.runner.shown
            known = self._views.get(audience)
            if known is None or known[0] != shown.seq:
                envelope = Envelope(
                    table=self.name,
                    audience=audience,
                    epoch=epoch,
                    seq=shown.seq,
                    now_us=self.runner.now_us(),
                    view=to_json(self._seen(audience, shown, now_us)),
                )
                known = (shown.seq, envelope)
                self._views[audience] = known
        # The table's own time: its deadlines do not move when the wall clock is set.
        return replace(known[1], now_us=self.runner.now_us())

    def tile(self, epoch: str, now_us: int) -> Envelope:
        """The newest tile for the wall, with its deadline in the time of the studio's clock.

        The wall has one clock for all tables, and each table a time of its own. A tile that cannot
        be made says so and takes no other table off the wall.
        """
        try:
            tile = self.view(WALL, epoch, now_us)
        except Exception as failure:
            seq = self.runner.shown.seq
            if self._broken_tile != seq:
                self._broken_tile = seq
                log.exception("the tile of table %s cannot be made", self.name, exc_info=failure)
            broken = to_json(without_tile(self.setup, now_us))
            return Envelope(
                table=self.name, audience=WALL, epoch=epoch, seq=seq, now_us=now_us, view=broken
            )
        shift_us = now_us - tile.now_us
        window = tile.view.get("window")
        if window is None or abs(shift_us) < SET_US:
            return tile
        moved = {**window, "deadline_us": window["deadline_us"] + shift_us}
        return replace(tile, view={**tile.view, "window": moved}, now_us=now_us)

    def _seen(self, audience: str, shown: Shown, now_us: int) -> Any:
        view = self._build(audience, shown, now_us)
        return view if self.runner.failure is None else as_stopped(view, shown.heard_us)

    def _build(self, audience: str, shown: Shown, now_us: int) -> Any:
        setup, table = self.runner.setup, shown.table
        if audience == "overlay":
            return overlay_view(setup, table)
        health = self.health.views(table, now_us)
        now_us = self.runner.now_us()
        match audience:
            case "dealer":
                return dealer_view(setup, table, now_us, health)
            case "supervisor":
                view = supervisor_view(setup, table, now_us, health, shown.records, self.names)
                return replace(view, wallet=self._wallet())
            case _:
                return tile_view(setup, table, health)

    def _wallet(self) -> Message | None:
        """What the wallet has still to be told; None if it knows all."""
        calls, amount = self._treasury.waiting if self._treasury is not None else (0, 0)
        if not calls:
            return None
        return Message("wallet.waiting", (("count", calls), ("amount", amount)))

    def look_after(self, now_us: int) -> Sequence[tuple[DeviceView | None, DeviceView]]:
        """Once a second: give screens a new view if the health of a device changed.

        The same if the wallet was told meanwhile, or does not answer.

        The answer is each device as it was, None at first, and as it is.
        """
        self._tests.expire(self.runner.now_us())
        before = {view.name: view for view in self._rungs}
        rungs = self.health.views(self.runner.shown.table, now_us)
        untold = self._treasury.waiting if self._treasury is not None else (0, 0)
        if (rungs, untold) != (self._rungs, self._untold):
            self._rungs, self._untold = rungs, untold
            self.runner.touch()
        return [(before.get(view.name), view) for view in rungs]
