"""A table with simulated people, and devices that report as drivers do: no bytes, no pixels.

The people, the table's runner and the rules are those of a demonstration; only the wire and the
camera are replaced by what they would have reported. So a coup takes milliseconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast
from zoneinfo import ZoneInfo

from hardware.sim.plain import PlainShoe
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.games.registry import game
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.ids import SequentialIds
from studio.live.means import Means
from studio.live.ports import Report, SimulatedWire
from studio.live.recovery import restore
from studio.live.replay import digest_of
from studio.live.runner import TableRunner
from studio.live.service import Desk
from studio.live.treasury import Treasury
from studio.live.wallets import MemoryWallet
from studio.simulate.course import Course
from studio.simulate.crowd import Sharers
from studio.simulate.dealer import Dealer
from studio.simulate.desk import Place
from studio.simulate.faults import Plan, Planned
from studio.simulate.machine import Machine
from studio.simulate.pace import JumpingPace
from studio.simulate.players import Crowd, Players
from studio.simulate.record import Tally
from studio.simulate.supervisor import Supervisor
from studio.storage.memory import MemoryJournal
from studio.table.state import Limit, Setup, Table

START_US = 1_767_268_800_000_000
"""2026-01-01 12:00 UTC."""
OPENING = 10_000_000
"""Opening balance of each player, minor units."""
NAMES = {"baccarat": "ba1", "blackjack": "bj1", "boundless-blackjack": "bb1"}
"""Name of the table by its game."""
BURST_US = 1_500_000
BURST_REPORTS = 3
JUMP_US = 3_600_000_000
UNFIT = {
    "frozen": o.Unfit.FROZEN,
    "lost": o.Unfit.LOST,
    "dark": o.Unfit.DARK,
    "knocked": o.Unfit.KNOCKED,
    "blur": o.Unfit.BLUR,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lain:
    """One card as the camera has it."""

    track: int
    code: str
    up: bool
    glare: bool = False


@dataclass
class PlainStage:
    """A camera and its felt in one: it reports what lies there, when it looks."""

    name: str
    clock: ManualClock
    hands: tuple[str, ...] = ("P", "B")
    zones: dict[str, list[Lain]] = field(default_factory=dict)
    on: set[str] = field(default_factory=set)
    told: tuple[o.ZoneSeen, ...] | None = None
    unfit: str = ""
    tracks: int = 0
    frame: int = 0
    held: str | None = None
    last: str = ""
    swapped: tuple[str, int, int] | None = None
    sink: Report | None = None

    def __post_init__(self) -> None:
        """Lay an empty felt."""
        self.zones = {zone: [] for zone in (*self.hands, "BURN", "DISCARD")}
        self.last = self.hands[0]

    # -- the camera ------------------------------------------------------------------------------

    def start(self, report: Report) -> None:
        self.sink, self.told, self.unfit = report, None, ""
        at = self.clock.now_us()
        self.sink(o.DeviceOnline(device=self.name, at_us=at, model="C", firmware="1", serial="cam"))
        self.sink(o.CameraFit(device=self.name, at_us=at))
        self.step(1)

    def stop(self) -> None:
        self.sink = None

    def picture(self) -> bytes | None:
        return None

    def test(self) -> None:
        """Find the marks of the felt and read an enrolled card, if it can see."""
        if self.sink is not None:
            at, passed = self.clock.now_us(), not self.unfit
            self.sink(o.SelfTested(device=self.name, at_us=at, passed=passed, text="marks"))

    # -- the hands -------------------------------------------------------------------------------

    def lay(self, zone: str, code: str, *, face_up: bool = True, sideways: bool = False) -> None:
        if "wrong_zone" in self.on and zone in self.hands:
            self.on.discard("wrong_zone")
            zone = next(other for other in self.hands if other != zone)
        glare = "unsure" in self.on and face_up
        if glare:
            self.on.discard("unsure")
        self.last = zone
        if self.swapped is not None and self.swapped[0] == zone:
            _, index, track = self.swapped  # on the same place, before anybody looked
        else:
            self.tracks += 1
            index, track = len(self.zones[zone]), self.tracks
        self.swapped = None
        self.zones[zone].insert(index, Lain(track=track, code=code, up=face_up, glare=glare))

    def turn(self, zone: str, index: int) -> None:
        lain = self.zones[zone][index]
        self.zones[zone][index] = replace(lain, up=not lain.up)

    def take(self, zone: str, index: int) -> None:
        self.swapped = (zone, index, self.zones[zone].pop(index).track)

    def count(self, zone: str) -> int:
        return len(self.zones[zone])

    def clear(self, zone: str) -> None:
        self.zones[zone].clear()

    def hand(self, zone: str | None) -> None:
        self.held = zone

    def switch(self, fault: str, *, on: bool = True) -> None:
        (self.on.add if on else self.on.discard)(fault)
        if fault == "hand":
            self.hand(self.last if on else None)

    def step(self, frames: int) -> None:
        """Look; a few frames tell as much as many."""
        if self.sink is None or frames <= 0:
            return
        self.frame += frames
        self.swapped = None
        blind = next((fault for fault in UNFIT if fault in self.on), "")
        at = self.clock.now_us()
        if blind != self.unfit:
            self.unfit = blind
            if blind:
                self.sink(o.CameraUnfit(device=self.name, at_us=at, why=UNFIT[blind]))
            else:
                self.sink(o.CameraFit(device=self.name, at_us=at))
        if blind:
            return
        seen = tuple(self._zone(zone) for zone in self.zones)
        if seen != self.told:
            self.told = seen
            self.sink(o.CardsSeen(device=self.name, at_us=at, frame=self.frame, zones=seen))

    def _zone(self, zone: str) -> o.ZoneSeen:
        if zone == self.held and self.told is not None:
            before = next(seen for seen in self.told if seen.zone == zone)
            return replace(before, settled=False)
        cards = tuple(_seen(lain) for lain in self.zones[zone])
        return o.ZoneSeen(zone=zone, settled=True, cards=cards)


def _seen(lain: Lain) -> o.SeenCard:
    if not lain.up:
        return o.SeenCard(track=lain.track, look=o.Look.BACK)
    return o.SeenCard(
        track=lain.track,
        look=o.Look.FACE,
        card=Card.parse(lain.code),
        sure=not lain.glare,
        confidence_milli=620 if lain.glare else 998,
    )


class Burst:
    """A wire on which reports are held back for a while, then come all at once."""

    def __init__(self, clock: ManualClock, report: Report) -> None:
        self._clock = clock
        self._report = report
        self.armed = False
        self._held: list[o.Observation] = []
        self._since = 0

    def __call__(self, seen: o.Observation) -> None:
        if self.armed:
            self.armed, self._since = False, self._clock.now_us()
        elif not self._since:
            self._report(seen)
            return
        self._held.append(seen)

    @property
    def holding(self) -> bool:
        """Whether something is held back."""
        return bool(self._held)

    def look(self) -> None:
        """Let go what was held for long enough, or is enough."""
        over = self._clock.now_us() - self._since >= BURST_US or len(self._held) >= BURST_REPORTS
        if self._held and over:
            self._since = 0
            held, self._held = self._held, []
            for seen in held:
                self._report(seen)


class BurstShoe(PlainShoe):
    """A plain shoe that knows a burst as well."""

    burst: Burst | None = None

    def switch(self, fault: str, *, on: bool = True) -> None:
        if fault == "burst":
            if self.burst is not None and on:
                self.burst.armed = True
            return
        super().switch(fault, on=on)

    def quiet(self, timeout_s: float) -> bool:
        return super().quiet(timeout_s) and not (self.burst is not None and self.burst.holding)


class PlainTable:
    """One table with its simulated people; everything happens in the caller's thread."""

    def __init__(
        self,
        *,
        dealt: str = "baccarat",
        sources: tuple[str, ...] = ("shoe", "camera"),
        faults: tuple[Planned, ...] = (),
        seed: int = 1,
        stacked: tuple[str, ...] = (),
        players: int = 6,
        profile: str = "house",
    ) -> None:
        played = game(dealt)
        rules = played.rules({})
        self.setup = Setup(
            table=NAMES[dealt],
            game=played,
            rules=rules,
            rules_digest=digest_of(rules),
            sources=sources,
            profile=profile,
            limits=tuple((bet, Limit(100, 500_000)) for bet in played.bets),
        )
        self.clock = ManualClock(START_US)
        self.machine = Machine(self.clock)
        self.journal = MemoryJournal()
        crowd: Crowd = Players(seed, self.setup.limits, players)
        if played.seat:
            crowd = Sharers(seed, self.setup.limits, players)
        self.names = crowd.names
        self.wallet = MemoryWallet(dict.fromkeys(self.names, OPENING))
        self.shoe = BurstShoe("shoe", self.clock) if "shoe" in sources else None
        self.stage = PlainStage("camera", self.clock, played.hands) if "camera" in sources else None
        self._starts = 0
        self._desk = self._open()
        self.said: list[str] = []
        self.lines: list[dict[str, Any]] = []
        self.laid: list[tuple[str, list[tuple[str, str]]]] = []
        self.place = Place(
            desk=self._desk,
            pace=JumpingPace(self.clock, self, self.stage),
            wire=cast("SimulatedWire | None", self.shoe),  # its cable is no real one
            stage=self.stage,
            say=self.said.append,
            test=self._test,
        )
        self.dealer = Dealer(self.place, seed, crowd)
        self.dealer.stacked = stacked
        self.supervisor = Supervisor(self.place)
        self.tally = Tally()
        self.course = Course(
            place=self.place,
            dealer=self.dealer,
            supervisor=self.supervisor,
            plan=Plan(faults),
            shown=lambda: self._desk.runner.shown,
            told=self._told,
            tally=self.tally,
            befall=self._befall,
            mend=self._mend,
        )
        self._start_devices()

    # -- the table -------------------------------------------------------------------------------

    def _open(self) -> Desk:
        self._starts += 1
        treasury = self.treasury = Treasury(self.machine.wallet(self.wallet))
        means = Means(
            journal=self.journal,
            treasury=treasury,
            clock=self.clock,
            ids=SequentialIds(f"id{self._starts}-"),
            day=GamingDay("06:00", ZoneInfo("UTC")),
            salt=SequentialIds(f"salt{self._starts}-").new,
            threaded=False,
            at_point=self.machine.at_point,
        )
        runner = TableRunner(self.setup, means, restore(self.journal, self.setup.table, treasury))
        runner.start()
        return Desk(runner, device=None, camera=None)

    def _start_devices(self) -> None:
        report = self._desk.report
        if self.shoe is not None:
            self.shoe.burst = Burst(self.clock, report)
            self.shoe.start(self.shoe.burst)
        if self.stage is not None:
            self.stage.start(report)
        self.flush()

    @property
    def runner(self) -> TableRunner:
        return self._desk.runner

    @property
    def table(self) -> Table:
        return self.runner.shown.table

    def tick(self) -> None:
        self._let_go()
        self.runner.tick()
        self.runner.flush()

    def flush(self) -> None:
        self._let_go()
        self.runner.flush()

    def _let_go(self) -> None:
        if self.shoe is not None and self.shoe.burst is not None:
            self.shoe.burst.look()

    def next_deadline(self) -> int | None:
        due = self.runner.deadline()
        if due is None:
            return None
        return due + self.clock.now_us() - self.runner.now_us()

    # -- the people --------------------------------------------------------------------------------

    def run(self, rounds: int) -> PlainTable:
        """Let the people work until so many rounds have ended."""
        self.course.run(rounds)
        return self

    def _told(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        self.laid.append((line["round"], list(self.place.felt.laid)))

    def _test(self, device: str) -> None:
        if self.shoe is not None and device == self.shoe.name:
            self.shoe.command("TEST")
        elif self.stage is not None and device == self.stage.name:
            self.stage.test()

    def _befall(self, name: str) -> None:
        match name:
            case "platform_down":
                self.machine.platform_down = True
            case "slow_disk":
                self.machine.slow_disk(1.5)
            case "clock_jump":
                self.clock.set_wall(self.clock.now_us() + JUMP_US)
            case "kill":
                self.kill()
            case _:
                raise AssertionError(name)

    def _mend(self, name: str) -> None:
        match name:
            case "platform_down":
                self.machine.platform_down = False
            case "slow_disk":
                self.machine.slow_disk(0)
            case _:
                pass

    def kill(self) -> None:
        """The table dies between two facts, and comes back from its journal."""
        for device in (self.shoe, self.stage):
            if device is not None:
                device.stop()
        self._desk = self._open()
        if self.stage is not None:
            for zone in self.stage.zones:
                self.stage.clear(zone)
        self.place.come_back(self._desk, self.stage)
        self._start_devices()

    # -- what is left ------------------------------------------------------------------------------

    def facts(self) -> Iterator[Any]:
        """All facts of the table in their order."""
        for stream in self.journal.streams():
            yield from self.journal.read(stream, secrets=True)

    @property
    def wallet_knows_all(self) -> bool:
        """Whether nothing waits to be asked, paid or given back."""
        treasury = self.treasury
        return not (treasury._due or treasury._open or treasury._unwanted)

    def balances(self) -> int:
        """What all players have together, minor units."""
        return self.wallet.total(self.names)


@contextmanager
def quiet() -> Iterator[None]:
    """Wallets that fail on purpose need not be told on the console."""
    log = logging.getLogger("cutcard")
    before, log.disabled = log.disabled, True
    try:
        yield
    finally:
        log.disabled = before


Referee = Callable[[Sequence[tuple[str, str]]], Any]
