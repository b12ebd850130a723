"""Puts a studio together from its configuration, and takes it apart again, in order.

The only place that knows everything: database, tables, devices, timers, people. Nothing is opened
before `start`, so that the web server may fork first.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from studio.live.accounts import Accounts
from studio.live.clock import SystemClock
from studio.live.evidence import Keeper
from studio.live.gaming_day import GamingDay
from studio.live.ids import TimeSortedIds
from studio.live.lease import LEAVING_S, Lease, Taken
from studio.live.means import Means, Room, TableStopped
from studio.live.messenger import Messenger
from studio.live.outside import messengers_of, platform_keys, teller_of
from studio.live.ports import (
    Camera,
    CameraOptions,
    Clock,
    Device,
    Ids,
    JournalError,
    SimulatedWire,
    Stage,
    Wallet,
)
from studio.live.recovery import Restored, known_counts, restore
from studio.live.replay import rules_text
from studio.live.runner import TableRunner
from studio.live.service import Desk, Service
from studio.live.signing import KeyUnusable, Signer
from studio.live.teller import Teller
from studio.live.timers import Timer
from studio.live.treasury import Treasury
from studio.live.wallets import EmbeddedWallet
from studio.logs import at_table
from studio.metrics import Metrics
from studio.plugins import LaunchError, camera_kind, conflicts, driver, strangers
from studio.settings import Settings, ShoeSettings, TableSettings, WalletKind
from studio.setups import CAMERA, SHOE, setup_of
from studio.storage.ahead import ReadingAhead
from studio.storage.bundle import Asked, NotInJournal, make_bundle
from studio.storage.database import open_database, sqlite_path
from studio.storage.evidence import Days, FileEvidence, evidence_folder
from studio.storage.journal import SqlJournal
from studio.storage.observed import rounds_of
from studio.storage.people import SqlPeople
from studio.storage.platform import SqlBooks
from studio.storage.tellers import SqlTellerStore
from studio.storage.verify import check_journal
from studio.storage.wallet import SqlWallet

__all__ = ["LaunchError", "Options", "Studio", "setup_of"]

log = logging.getLogger("cutcard.launch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a demonstration or a test does otherwise than a studio."""

    clock: Clock = field(default_factory=SystemClock)
    ids: Ids = field(default_factory=TimeSortedIds)
    salt: Callable[[], str] = lambda: secrets.token_hex(16)
    timers: bool = True
    """False where time is moved by hand: call `Studio.tick`."""
    stepped: bool = False
    """Whether synthetic cameras look only when told to."""
    seed: int = 0
    camera: dict[str, Any] = field(default_factory=dict)
    """Further options of the synthetic cameras."""
    wire: dict[str, Any] = field(default_factory=dict)
    """Further settings of the simulated shoes."""
    room: Room = field(default_factory=Room)
    at_point: Callable[[str], None] = lambda _point: None
    """For crash tests; see `studio.live.means.Means`."""
    wallet: Callable[[Wallet], Wallet] = lambda wallet: wallet
    """Puts something between the tables and the wallet, as a line that may be cut."""


class Studio(Service):
    """A whole studio. `start` and `stop` once each, from one thread; the rest from any."""

    def __init__(self, settings: Settings, options: Options | None = None) -> None:
        """Read the set-up of every table; open nothing.

        Raises:
            LaunchError: with one sentence, if a table cannot be as it is configured.
        """
        self.settings = settings
        self.options = options or Options()
        super().__init__(
            studio_name=settings.studio.name,
            currency=settings.studio.currency,
            locale=settings.studio.locale.value,
            profile=settings.studio.profile.value,
            clock=self.options.clock,
            metrics=Metrics(),
        )
        self.setups = {name: setup_of(name, settings) for name in settings.tables}
        self._names = tuple(self.setups)
        self.journal: SqlJournal | None = None
        self.wallet: EmbeddedWallet | None = None
        self.wires: dict[str, SimulatedWire] = {}
        """The simulated shoes by table, for the hands of a simulated dealer."""
        self.stages: dict[str, Stage] = {}
        """The synthetic cameras by table."""
        self._tellers: dict[str, Teller] = {}
        self._timer: Timer | None = None
        self._running: list[Callable[[], None]] = []

    # -- start and stop --------------------------------------------------------------------------

    def inspect(self) -> None:
        """Look whether the studio can start, and leave nothing open.

        Raises:
            LaunchError: with one sentence that says what to do.
        """
        for sentence in (*strangers(), *conflicts()):
            raise LaunchError(sentence)
        self._check_wallet()
        for name, table in self.settings.tables.items():
            # Made and dropped: a wrong setting is told before the web server forks.
            if table.shoe is not None and not table.shoe.simulated:
                self._open_shoe(name, table.shoe, Restored())
            elif table.shoe is not None:
                driver(table.shoe.driver)
            self._open_camera(name, table)
        self.stages.clear()
        lease = self._take_lease()
        try:
            self._open_journal().database.close()
        finally:
            lease()

    def start(self) -> None:
        """Database, chain, tables, devices, in this order. On a failure all is closed again.

        Raises:
            LaunchError: with one sentence that says what to do.
        """
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        self._running.append(self._take_lease())
        journal = self._open_journal()
        self._running.append(journal.database.close)
        self.journal = journal
        self.counted.counter = rounds_of(self.settings)
        accounts = Accounts(SqlPeople(journal.database), self.clock, self.options.ids)
        self._check_wallet()
        if self.settings.wallet.kind is WalletKind.EMBEDDED:
            self.wallet = EmbeddedWallet(SqlWallet(journal.database))
        keeper = self._lay_out_evidence(journal)
        desks = [self._open_table(name, journal) for name in self.setups]
        self.seat(desks, epoch=secrets.token_hex(8), accounts=accounts, journal=journal)
        messengers = self._seat_platforms(desks, journal)
        for desk in desks:
            self._start_table(desk)
        if self.options.timers:
            self._timer = Timer([desk.runner for desk in desks])
            self._timer.start()
            self._running.append(self._timer.stop)
        self.begin()
        self._running.append(self.end)
        for desk in desks:
            self._start_devices(desk)
        if self.options.timers:
            keeper.start()
            for messenger in messengers:
                messenger.start()
                self._running.append(messenger.stop)
        # The first to stop: what still waits is kept while the devices are there to be asked.
        self._running.append(keeper.stop)
        log.info("studio started, epoch %s, tables %s", self.epoch, ", ".join(self.tables()))

    def stop(self) -> None:
        """Devices first, then timers and tables, the database last; what is open is closed."""
        while self._running:
            close = self._running.pop()
            try:
                close()
            except Exception:  # the others must be closed all the same
                log.exception("something could not be closed in order")

    def _take_lease(self) -> Callable[[], None]:
        """Be the only studio on this database; what gives the lease back."""
        try:
            path = sqlite_path(self.settings.studio.database)
            if path is None:
                return lambda: None
            return Lease(path, patience_s=LEAVING_S).release
        except (Taken, JournalError) as wrong:
            raise LaunchError(str(wrong)) from wrong
        except OSError as wrong:
            why = f"{wrong.filename}: {wrong.strerror}"
            raise LaunchError(
                f"the database cannot be used ({why}): change [studio] database"
            ) from (wrong)

    def _open_journal(self) -> SqlJournal:
        settings = self.settings
        key_file = settings.secrets.signing_key_file
        try:
            signer = Signer.from_file(key_file) if key_file is not None else None
            database = open_database(settings.studio.database)
        except (JournalError, KeyUnusable) as failure:
            raise LaunchError(str(failure)) from failure
        with database.reading() as connection:
            report = check_journal(connection)
        if not report.ok:
            database.close()
            raise LaunchError(
                f"the journal does not verify ({report.problems[0]}): "
                "run `cutcard journal verify`, and restore a backup",
                status=1,
            )
        return SqlJournal(database, signer=signer)

    def _seat_platforms(self, desks: Sequence[Desk], journal: SqlJournal) -> list[Messenger]:
        """Let the platforms that have a key in; who tells those of them that want to be told."""
        settings = self.settings
        messengers = messengers_of(settings, journal, self.clock, self._metrics.outbox_age)
        books = SqlBooks(journal)
        if self.options.timers and settings.platforms:
            ahead = ReadingAhead(books.record)
            ahead.start()
            self._running.append(ahead.stop)
        self.platform.seat(
            desks,
            journal=journal,
            books=books,
            keys=platform_keys(settings),
            tellers=self._tellers,
            messengers=messengers,
            funds_s=settings.wallet.funds_s,
        )
        return messengers

    def _check_wallet(self) -> None:
        wallet = self.settings.wallet
        if wallet.kind is WalletKind.HTTP and self.settings.secrets.wallet_key is None:
            raise LaunchError(
                f'{self.settings.file}: wallet.kind: "http" needs a key: set CUTCARD_WALLET_KEY in '
                "the environment"
            )

    def _wallet_for(self, table: str, journal: SqlJournal) -> Wallet:
        """The wallet as this table asks it: our own, or a way to the platform's."""
        if self.wallet is not None:
            return self.options.wallet(self.wallet)
        store = SqlTellerStore(journal.database)
        self._tellers[table] = teller_of(self.settings, table, store, self.clock)
        return self._tellers[table]

    # -- tables ----------------------------------------------------------------------------------

    def _open_table(self, name: str, journal: SqlJournal) -> Desk:
        """Read a table back from its journal and put it together with its devices."""
        studio = self.settings.studio
        treasury = Treasury(self._wallet_for(name, journal))
        keeper = self.keeper or self._lay_out_evidence(journal)
        try:
            restored = restore(journal, name, treasury)
        except (JournalError, ValueError, LookupError) as failure:
            raise LaunchError(f"table {name} cannot be read back: {failure}") from failure
        means = Means(
            journal=journal,
            treasury=treasury,
            clock=self.clock,
            ids=self.options.ids,
            day=GamingDay(studio.gaming_day_starts, studio.zone()),
            metrics=self._metrics,
            salt=self.options.salt,
            room=self.options.room,
            at_point=self.options.at_point,
            told=keeper.heed,
        )
        runner = TableRunner(self.setups[name], means, restored, self._news_of)
        table = self.settings.tables[name]
        device = self._open_shoe(name, table.shoe, restored) if table.shoe is not None else None
        camera = self._open_camera(name, table) if table.camera is not None else None
        facts = [fact.event for fact in restored.records]
        keeper.watch(name, device=device, camera=camera, report=runner.report, facts=facts)
        return Desk(runner, device=device, camera=camera, treasury=treasury)

    def _lay_out_evidence(self, journal: SqlJournal) -> Keeper:
        """Make the keeper of evidence and the place beside the database where it keeps it."""
        studio = self.settings.studio
        days = Days(studio.retention.video_days, studio.retention.raw_wire_days)
        folder = evidence_folder(studio.database, self.settings.file.parent)
        store = FileEvidence(folder, journal.database, days)
        store.tidy()
        keeper = Keeper(self.clock, store)
        self._lay_out(keeper, store, self._make_bundle)
        return keeper

    def _make_bundle(self, table: str, fault: str) -> bytes | None:
        """All of a fault as one archive; None if there is no such fault."""
        if self.journal is None or self._kept is None:
            return None
        known = {setup.rules_digest: setup.rules for setup in self.setups.values()}
        with self.journal.database.reading() as connection:
            try:
                return make_bundle(
                    connection,
                    self._kept,
                    Asked(table=table, fault=fault),
                    at_us=self.now_us(),
                    rules=lambda digest: rules_text(known[digest]) if digest in known else None,
                )
            except NotInJournal:
                return None

    def _news_of(self, table: str) -> None:
        self.changed(table)
        if self._timer is not None:
            self._timer.changed()

    def _open_shoe(self, table: str, shoe: ShoeSettings, restored: Restored) -> Device:
        """Give the shoe's device; a simulated one gets its wire here."""
        found = driver(shoe.driver)
        names = {doc.name for doc in found.settings}
        given = shoe.for_driver()
        chosen = {key: given[key] for key in given if key in names or key in shoe.model_fields_set}
        chosen |= {key: given[key] for key in shoe.options}
        for device, boot, sequence in known_counts(restored.table):
            if device == SHOE:
                chosen |= {"known_boot": boot, "known_sequence": sequence}
        try:
            if shoe.simulated:
                wire = found.simulate({**chosen, "url": "", **self.options.wire}, self.clock)
                self.wires[table] = wire
                chosen["url"] = wire.path
            return found.open(SHOE, chosen, self.clock)
        except (ValueError, OSError) as wrong:
            raise LaunchError(f"{self.settings.file}: tables.{table}.shoe: {wrong}") from wrong

    def _open_camera(self, table: str, settings: TableSettings) -> Camera | None:
        found = settings.camera
        if found is None:
            return None
        kind = camera_kind(found.source)
        options = CameraOptions(
            source=found.source,
            game=settings.game.value,
            layout=found.layout,
            deck=found.deck,
            needs_deck=settings.enrolled_deck,
            stepped=self.options.stepped and found.synthetic,
            seed=self.options.seed,
            options=self.options.camera if found.synthetic else found.tuning,
        )
        try:
            camera = kind.open(CAMERA, options, self.clock)
        except (ValueError, OSError) as wrong:
            raise LaunchError(f"{self.settings.file}: tables.{table}.camera: {wrong}") from wrong
        if found.synthetic:
            self.stages[table] = camera  # type: ignore[assignment]  # a synthetic one is a Stage
        return camera

    def _start_table(self, desk: Desk) -> None:
        try:
            desk.runner.start()
        except TableStopped as failure:
            raise LaunchError(str(failure)) from failure
        self._running.append(desk.runner.stop)
        teller = self._tellers.get(desk.name)
        if teller is not None:
            teller.poke = desk.runner.tick
            teller.start()
            self._running.append(teller.stop)

    def _start_devices(self, desk: Desk) -> None:
        wire = self.wires.get(desk.name)
        if wire is not None:
            wire.start()
            self._running.append(wire.stop)
        for device in (desk.device, desk.camera):
            if device is not None:
                with at_table(desk.name):
                    device.start(desk.report)
                self._running.append(device.stop)

    # -- for time that is moved by hand -----------------------------------------------------------

    def tick(self) -> None:
        """Let everything follow that is due by now, and wait until it has."""
        for desk in self.desks():
            desk.runner.tick()
        self.flush()
        if self.keeper is not None and not self.options.timers and self.keeper.turn():
            self.flush()

    def flush(self) -> None:
        """Wait until every table has done all that it was told.

        Raises:
            TableStopped: if a table has stopped.
        """
        for desk in self.desks():
            desk.runner.flush()

    def next_deadline(self) -> int | None:
        """The instant (UTC, microseconds) at which something follows by itself at some table.

        It is by the studio's clock, also where that was set and a table's own time was not.
        """
        now_us = self.now_us()
        runners = [desk.runner for desk in self.desks()]
        due = [(runner, runner.deadline()) for runner in runners]
        left = [at_us - runner.now_us() for runner, at_us in due if at_us is not None]
        if self.keeper is not None and not self.options.timers:
            left += self.keeper.left_us()
        return now_us + max(0, min(left)) if left else None

    def desks(self) -> Sequence[Desk]:
        """The tables with their devices, once the studio is started."""
        return tuple(self._desks.values())
