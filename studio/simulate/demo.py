"""`cutcard demo`: a whole embedded studio with simulated people, in the browser or without."""

import math
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import click

from studio.domain.commands import Rejected
from studio.games.registry import game
from studio.launch import LaunchError, Options
from studio.live.clock import ManualClock
from studio.live.means import WALLET_RETRY_US, TableStopped
from studio.live.ports import Clock
from studio.live.seats import seats_of
from studio.plugins import face
from studio.settings import Settings, SettingsError
from studio.simulate.bettors import Bettors
from studio.simulate.course import MENDED, Course, Stuck
from studio.simulate.crowd import Sharers
from studio.simulate.dealer import Dealer
from studio.simulate.desk import Place
from studio.simulate.faults import ALL, Plan, Planned, at_game, possible, why_not
from studio.simulate.greeting import greet
from studio.simulate.machine import SteppedClock
from studio.simulate.misfortune import FragileStudio
from studio.simulate.pace import JumpingPace, LivePace, SharedPace
from studio.simulate.players import Crowd, Players
from studio.simulate.purse import Purse
from studio.simulate.record import Tally, line, total_of
from studio.simulate.scaled import ScaledClock
from studio.simulate.supervisor import Supervisor
from studio.simulate.telling import teller
from studio.simulate.wanted import (
    BACCARAT,
    BALOOT,
    MOST_PLAYERS,
    MOST_TABLES,
    TABLE,
    WITH_HANDS,
    Wanted,
    settings_of,
    tables_of,
)
from studio.storage.verify import verify
from studio.table import ledger

__all__ = [
    "COMMAND",
    "TABLE",
    "DemoStudio",
    "Wanted",
    "command",
    "headless",
    "settings_of",
    "tables_of",
    "wait_for_devices",
]

OPENING = 1_000_000_00
"""Opening balance of each simulated player, minor units."""
ROUNDS_HEADLESS = 20
NOON_US = 1_767_268_800_000_000
"""2026-01-01 12:00 UTC: a headless demonstration is the same whenever it runs."""
PEOPLE = (
    ("Imran S.", "dealer", "1001"),
    ("Amina K.", "supervisor", "2001"),
    ("Lena P.", "pit-boss", "3001"),
    ("Ravi T.", "engineer", "4001"),
    ("Nora A.", "auditor", "5001"),
)


class DemoStudio(FragileStudio):
    """A studio with simulated people at its tables; they come when it starts."""

    def __init__(self, wanted: Wanted, settings: Settings, clock: Clock) -> None:
        """Put it together; nothing runs yet."""
        manual = isinstance(clock, ManualClock)
        super().__init__(
            settings,
            Options(
                clock=clock,
                timers=not manual,
                stepped=manual,
                seed=wanted.seed,
                camera=wanted.camera,
            ),
        )
        self.wanted = wanted
        self.tallies = {name: Tally() for name in self.setups}
        """What happened at each table."""
        self.courses: dict[str, Course] = {}
        """The simulated people of each table."""
        self.lines: list[dict[str, Any]] = []
        """What was told of each round."""
        self.codes: list[tuple[str, str, str, str]] = []
        """(name, role, number, PIN) of the people who may sign in."""
        self.overlays: dict[str, str] = {}
        """Secret of each overlay's address, by table."""
        self.tokens: dict[str, tuple[str, ...]] = {}
        """Tokens of the seats of each table whose seats choose, in the order of play."""
        self.purse: Purse | None = None
        """The players' money since the start; None before it."""
        self.lost: int | None = None
        """What they have lost when the last round was dealt, by the wallet's word, minor units."""
        self.lying = 0
        """Minor units on bets that outlast their round and are open when the last one was dealt."""
        self.finished: Callable[[], None] = lambda: None
        self._paces: list[LivePace] = []
        self._workers: list[threading.Thread] = []
        self._dealing = 0
        self._leaving = threading.Lock()

    @property
    def first(self) -> str:
        """The first table; planned faults are for it."""
        return next(iter(self.setups))

    @property
    def tally(self) -> Tally:
        """What happened at all tables."""
        return total_of(self.tallies.values())

    def start(self) -> None:
        """Start the studio, let people in, and begin to deal if the clock runs by itself."""
        super().start()
        self._fill_purses()
        if not self.wanted.headless:
            self._admit()
        if not isinstance(self.clock, ManualClock):
            self._dealing = len(self.setups)
            for name in self.setups:
                self._send_dealer(name)

    def _send_dealer(self, table: str) -> None:
        """Let simulated people come to a table; each table has its own, and its own pace."""
        changed = threading.Event()
        self._running.append(self.subscribe(lambda _table: changed.set()))
        pace = LivePace(self.clock, self.stages.get(table), changed)
        self._paces.append(pace)
        worker = threading.Thread(
            target=self._deal, args=(table, pace), name=f"simulated-dealer-{table}", daemon=True
        )
        self._workers.append(worker)
        worker.start()

    def stop(self) -> None:
        """Send the people home, then stop the studio."""
        for pace in self._paces:
            pace.stop()
        for worker in self._workers:
            if worker is not threading.current_thread():
                worker.join(10.0)
        super().stop()

    def pay_out(self) -> None:
        """Let the wallet hear all that it has not been told, and count what players have lost."""
        for name in MENDED:
            self.mend(name)
        if isinstance(self.clock, ManualClock):
            self.clock.advance(2 * WALLET_RETRY_US)
        for desk in self.desks():
            desk.runner.tick()
        self.flush()
        self.lying = sum(ledger.open_stakes(desk.table()) for desk in self.desks())
        if self.purse is not None:
            self.lost = self.purse.lost()

    def seed_of(self, table: str) -> int:
        """The seed of a table: tables deal different cards, the first one by the given seed."""
        return self.wanted.seed + 1_000 * list(self.setups).index(table)

    def _players(self, table: str) -> Crowd:
        seed, limits, count = self.seed_of(table), self.setups[table].limits, self.wanted.crowd
        if self.wanted.game in WITH_HANDS:
            return Sharers(seed, limits, count, self._top_up)
        if self.wanted.game == BALOOT:
            return Bettors(seed, limits, count)
        return Players(seed, limits, count)

    def _fill_purses(self) -> None:
        """Let all players bring money; those who come again have what they had."""
        crowd = self._players(self.first)
        if self.wallet is not None and isinstance(crowd, Sharers):
            brought = [
                (name, crowd.small_purse if name in crowd.poor else OPENING) for name in crowd.names
            ]
            # One booking for all; a player more or another seed is another crowd.
            self.wallet.settle(f"purses/{self.wanted.seed}/{len(brought)}", brought)
        elif self.wallet is not None:
            for name in crowd.names:
                self.wallet.create(name, OPENING)
        self.purse = Purse(self, crowd.names)

    def _top_up(self, occasion: str, names: Sequence[str], least: int, amount: int) -> None:
        if self.purse is not None:
            self.purse.top_up(occasion, names, least, amount)

    def _admit(self) -> None:
        for name, role, number in PEOPLE:
            try:
                added = self.accounts.add_person(name, role, number=number)
            except Rejected:
                self.codes.append((name, role, number, self.accounts.new_pin(number)))
            else:
                self.codes.append((name, role, number, added.pin))
        self.overlays = {name: self.accounts.add_token(name).secret for name in self.setups}
        self.tokens = {
            name: tuple(self.accounts.add_seat(name, seat).secret for seat in range(seats))
            for name, setup in self.setups.items()
            if (seats := seats_of(setup.game))
        }

    def course(self, pace: JumpingPace | LivePace, table: str = "") -> Course:
        """The simulated people of a table, at this pace. Planned faults are the first table's."""
        table = table or self.first
        desk = self.desk(table)
        seed = self.seed_of(table)
        place = Place(
            desk=desk,
            pace=pace,
            wire=self.wires.get(table),
            stage=self.stages.get(table),
            say=teller(lambda: self._coup(table), watched=not self.wanted.headless),
            test=lambda device: self.desk(table).test(device),
        )
        dealer = Dealer(place, seed, self._players(table))
        dealer.stacked = self.wanted.stacked
        self.courses[table] = Course(
            place=place,
            dealer=dealer,
            supervisor=Supervisor(place),
            plan=Plan(self.wanted.faults if table == self.first else ()),
            shown=lambda: self.desk(table).runner.shown,
            told=self._print,
            tally=self.tallies[table],
            by_hand=self.wanted.by_hand,
            befall=lambda name: self._befall(place, table, name),
            mend=self.mend,
        )
        return self.courses[table]

    def _coup(self, table: str) -> str:
        """What the lines of a table begin with: the coup by its number in the demonstration."""
        where = f"{table} " if len(self.setups) > 1 else ""
        word = "coup" if self.wanted.game == BACCARAT else "round"
        return f"{where}{word} {self.tallies[table].rounds + 1}"

    def _befall(self, place: Place, table: str, name: str) -> None:
        """Let something happen to the machine; after a restart the people go on with their work."""
        if name != "kill":
            self.strike(name)
            return
        self.kill(table, lambda: place.come_back(self.desk(table), self.stages.get(table)))
        if isinstance(place.pace, JumpingPace):
            wait_for_devices(self, place.pace, table)

    def _print(self, told: dict[str, Any]) -> None:
        self.lines.append(told)
        if self.wanted.as_json:
            click.echo(line(told))
        else:
            cards = " ".join(f"{zone}:{code}" for zone, code in told["cards"])
            outcome = told["outcome"] or told["state"]
            put_in = f"  [{' '.join(told['injected'])}]" if told["injected"] else ""
            click.echo(f"{told['round']}  {outcome:<7} {cards}  house {told['house']:+d}{put_in}")

    def _deal(self, table: str, pace: LivePace) -> None:
        """Work one table; when the last one is done the demonstration has finished."""
        try:
            self.course(pace, table).run(self.wanted.rounds)
        finally:
            with self._leaving:
                self._dealing -= 1
                last = self._dealing == 0
            if last:
                self.finished()


def headless(wanted: Wanted, settings: Settings) -> DemoStudio:
    """Deal all rounds without a web and without waiting; the studio is stopped afterwards.

    Several tables take turns, one step each: they share the clock that is moved by hand.

    Raises:
        LaunchError, Stuck: with one sentence.
    """
    clock = ManualClock(NOON_US)
    studio = DemoStudio(wanted, settings, clock)
    studio.start()
    try:
        kind = JumpingPace if wanted.tables == 1 else SharedPace
        paces = {name: kind(clock, studio, studio.stages.get(name)) for name in studio.setups}
        for name, pace in paces.items():
            wait_for_devices(studio, pace, name)
        _take_turns(
            [(pace, studio.course(pace, name).steps(wanted.rounds)) for name, pace in paces.items()]
        )
        studio.pay_out()
    finally:
        studio.stop()
    return studio


def _take_turns(tables: list[tuple[JumpingPace, Iterator[object]]]) -> None:
    """Let each table do one step after the other until all are done."""
    while tables:
        for pace, _ in tables:
            if isinstance(pace, SharedPace):
                pace.waiting = False
        tables = [(pace, steps) for pace, steps in tables if next(steps, None) is not None]
        shared = [pace for pace, _ in tables if isinstance(pace, SharedPace)]
        if shared and all(pace.waiting for pace in shared):
            shared[0].jump()


def wait_for_devices(studio: DemoStudio, pace: JumpingPace, table: str = "") -> None:
    """The processes of camera and shoe need a moment of real time before the first card."""
    desk = studio.desk(table or studio.first)
    waiting = threading.Event()
    names: list[str] = []
    for _ in range(600):
        pace.frames(1)
        studio.flush()
        found = desk.table()
        names = [name for name in desk.setup.sources if not found.device(name).online]
        if not names and all(found.device(name).fit for name in desk.setup.sources):
            return
        waiting.wait(0.05)
    raise LaunchError(f"the simulated {' and '.join(names) or 'camera'} did not come up in 30 s")


def in_browser(wanted: Wanted, settings: Settings) -> DemoStudio:
    """Serve the faces and deal by the clock until interrupted, or until all rounds are dealt."""
    clock = SteppedClock(ScaledClock(wanted.speed))
    studio = DemoStudio(wanted, settings, clock)
    click.echo("Starting the studio …", err=True)
    web = face("web")
    if wanted.rounds is not None:
        studio.finished = web.stop

    def ready(address: str) -> None:
        greet(address, studio.codes, studio.overlays, studio.tokens, as_json=wanted.as_json)

    web.serve(studio, settings, ready=ready, next_port=True)
    return studio


def _faults(wanted: tuple[str, ...], sources: tuple[str, ...], at: str) -> tuple[Planned, ...]:
    """The planned faults; of ``all`` those that this table can have, the others are named.

    Raises:
        ValueError: for a fault that does not exist, or that this table cannot have.
    """
    if "all" in wanted:
        for name in ALL:
            if (reason := why_not(name, sources, at)) is not None:
                click.echo(f"left out: {reason}", err=True)
        every = (
            Planned(name, number) for number, name in enumerate(possible(sources, at), start=1)
        )
        return tuple(at_game(fault, at, sources) for fault in every)
    planned = tuple(at_game(Planned.parse(text), at, sources) for text in wanted)
    for fault in planned:
        if (reason := why_not(fault.name, sources, at)) is not None:
            raise ValueError(f"--fault {fault.name}@{fault.round_no}: {reason}")
    return planned


@click.command("demo", epilog="Example: cutcard demo --headless --rounds 40 --json")
@click.option("--game", default="baccarat", show_default=True, help="The game that is dealt.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds to deal; no end in the browser.")
@click.option("--speed", type=click.FloatRange(0.1, 20.0), default=1.0, help="Scales waits.")
@click.option("--seed", type=int, default=1, help="Equal seeds deal equal cards.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="First port to try.")
@click.option("--headless", "no_web", is_flag=True, help="No web, no waiting.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a round.")
@click.option("--sources", default="shoe,camera", help="What names a card: shoe,camera or one.")
@click.option("--fault", "faults", multiple=True, metavar="NAME@ROUND", help="Put a fault in; all.")
@click.option("--database", default="", help="Keep the journal there, as sqlite:///demo.db.")
@click.option("--tables", type=click.IntRange(1, MOST_TABLES), default=1, help="How many tables.")
@click.option("--players", type=click.IntRange(1, MOST_PLAYERS), help="Players at each table.")
@click.option("--by-hand", is_flag=True, help="You are the supervisor; nobody repairs for you.")
def command(**given: Any) -> None:
    """Run a whole embedded studio with a simulated dealer, players and supervisor."""
    try:
        wanted = _wanted(given)
        code = run(wanted)
    except (ValueError, SettingsError, LaunchError) as wrong:
        raise click.UsageError(str(wrong)) from None
    except (Stuck, TableStopped, OSError, RuntimeError) as ended:
        click.echo(f"cutcard demo: {ended}", err=True)
        code = 1
    sys.exit(code)


COMMAND = command


def _wanted(given: dict[str, Any]) -> Wanted:
    game(given["game"])  # settings know games that cannot be dealt yet
    sources = tuple(part.strip() for part in given["sources"].split(",") if part.strip())
    if not sources or set(sources) - {"shoe", "camera"}:
        raise ValueError(f"--sources {given['sources']}: write shoe,camera or shoe or camera")
    if math.isnan(given["speed"]):
        raise ValueError("--speed must be a number, as 2")
    faults = _faults(given["faults"], sources, given["game"])
    rounds = given["rounds"]
    if rounds is None and faults and "all" in given["faults"]:
        rounds = len(faults) + 1
    if rounds is None and given["no_web"]:
        rounds = ROUNDS_HEADLESS
    if rounds is not None and "all" not in given["faults"]:
        for fault in faults:
            if fault.round_no > rounds:
                raise ValueError(
                    f"--fault {fault.name}@{fault.round_no}: {rounds} rounds are dealt; "
                    f"add --rounds {fault.round_no} or more"
                )
    return Wanted(
        game=given["game"],
        rounds=rounds,
        speed=given["speed"],
        seed=given["seed"],
        port=given["port"],
        headless=given["no_web"],
        as_json=given["as_json"],
        sources=sources,
        faults=faults,
        database=given["database"],
        by_hand=given["by_hand"],
        tables=given["tables"],
        players=given["players"],
    )


def run(wanted: Wanted) -> int:
    """Run a demonstration; the exit status of CONTRACTS.md 3.

    Raises:
        LaunchError, SettingsError, Stuck: with one sentence.
    """
    with ExitStack() as stack:
        database = wanted.database
        if not database:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-"))
            database = f"sqlite:///{os.path.join(folder, 'demo.db')}"  # noqa: PTH118  an address
        settings = settings_of(wanted, database)
        if not wanted.headless:
            in_browser(wanted, settings)
            return 0
        studio = headless(wanted, settings)
        return _close(wanted, studio, settings.studio.database)


def _close(wanted: Wanted, studio: DemoStudio, database: str) -> int:
    """Verify the journal, print the last line, and say whether all is well."""
    report = verify(database)
    tally = studio.tally
    state = "verified" if report.ok else "broken"
    total = tally.total(state, studio.lying)
    if wanted.as_json:
        click.echo(line(total))
    else:
        click.echo("  ".join(f"{key} {value}" for key, value in total.items()))
    wrong = [*report.problems, *_not_as_told(studio)]
    for problem in wrong:
        click.echo(problem, err=True)
    return 1 if wrong or not report.ok or tally.misreads else 0


def _not_as_told(studio: DemoStudio) -> Iterator[str]:
    """What the lines do not show by themselves: other money in the wallet, a fault that never was.

    One sentence each.
    """
    house = studio.tally.house
    if studio.lost != house:
        yield f"the money does not add up: players lost {studio.lost}, the rounds say {house}"
    for table, course in studio.courses.items():
        for fault in course.plan.left(course.tally.rounds):
            yield f"{table}: {fault.name}@{fault.round_no} never struck: its step did not come"
        for name in sorted(course.dealer.mistakes.wanted):
            yield f"{table}: {name} never happened: the dealer had no occasion for it"
