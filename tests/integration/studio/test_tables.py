"""Two tables in one process: what happens at one never touches the other."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from studio import logs
from studio.domain import commands as c
from studio.launch import LaunchError, Studio
from studio.live.ports import JournalError
from studio.live.recovery import restore
from studio.live.service import Desk
from studio.settings import parse
from studio.storage.verify import verify

PATIENCE_S = 30.0
LIMITS = {"player": [100, 500000], "banker": [100, 500000]}
CARDS = ["2C", "3C", "4C"] + ["9S", "2D", "KH", "5D"] * 30


def studio_in(folder: Path, *, second_has_camera: bool = False) -> Studio:
    """A studio with the tables ba1 and ba2; only the second may have an eye as well."""
    table: dict[str, Any] = {
        "game": "baccarat",
        "sources": ["shoe"],
        "betting_s": 600.0,
        "result_s": 0.0,
        "limits": LIMITS,
        "shoe": {"url": "sim:"},
    }
    second = dict(table)
    if second_has_camera:
        second |= {"sources": ["shoe", "camera"], "camera": {"source": "synthetic:"}}
    values = {
        "studio": {"database": "sqlite:///cutcard.db"},
        "tables": {"ba1": table, "ba2": second},
    }
    return Studio(parse(values, folder / "config.toml", {}))


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    running = studio_in(tmp_path)
    running.start()
    yield running
    running.stop()


class Table:
    """Somebody who works one table and waits for what is wanted, never longer than needed."""

    def __init__(self, studio: Studio, name: str) -> None:
        self.studio, self.name = studio, name
        self._news = threading.Condition()
        studio.subscribe(self._heard)

    def _heard(self, _table: str) -> None:
        with self._news:
            self._news.notify_all()

    @property
    def desk(self) -> Desk:
        return self.studio.desk(self.name)

    def until(self, wanted: Callable[[Desk], bool]) -> Desk:
        with self._news:
            assert self._news.wait_for(lambda: wanted(self.desk), PATIENCE_S), self.name
        return self.desk

    def draw(self) -> None:
        version = self.desk.table().version
        self.studio.wires[self.name].draw()
        self.until(lambda desk: desk.table().version > version)
        assert self.studio.wires[self.name].quiet(PATIENCE_S)

    def open(self) -> None:
        """Open the table and burn, so that the next thing is a coup."""
        desk = self.until(lambda found: found.table().device("shoe").online)
        self.studio.wires[self.name].load(CARDS)
        desk.ask(c.OpenTable(), who="Sana", role="supervisor")
        desk.ask(c.StartShoe(), who="Jonas", role="dealer")
        for _ in range(3):
            desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
        for _ in range(3):
            self.draw()
        desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
        desk.ask(c.OpenBets(), who="Jonas", role="dealer")

    def coup(self) -> None:
        """One bet and four cards: a natural for the player."""
        desk = self.until(lambda found: found.table().phase.value == "betting")
        number = desk.table().rounds
        bet = c.Bet(f"{self.name}-{number}", f"ann-{self.name}", "player", 1000)
        desk.ask(c.PlaceBets(f"b{number}", (bet,)), who="house", role="platform")
        desk.ask(c.CloseBets(), who="Jonas", role="dealer")
        for _ in range(4):
            self.draw()
        self.until(lambda found: found.table().phase.value == "result")
        desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")


def balance(studio: Studio, player: str) -> int:
    assert studio.wallet is not None
    found = studio.wallet.balance(player)
    assert found is not None
    return found


def test_two_tables_deal_at_once_each_with_its_own_books(studio: Studio, tmp_path: Path) -> None:
    tables = [Table(studio, name) for name in ("ba1", "ba2")]
    assert studio.wallet is not None
    for name in ("ba1", "ba2"):
        studio.wallet.create(f"ann-{name}", 10_000)
    failures: list[BaseException] = []

    def work(table: Table, coups: int) -> None:
        try:
            table.open()
            for _ in range(coups):
                table.coup()
        except BaseException as failure:  # noqa: BLE001  told by the test
            failures.append(failure)

    workers = [
        threading.Thread(target=work, args=(table, coups))
        for table, coups in zip(tables, (3, 2), strict=True)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE_S)
    assert failures == []
    studio.flush()
    assert (balance(studio, "ann-ba1"), balance(studio, "ann-ba2")) == (13_000, 12_000)
    assert studio.journal is not None
    for name, coups in (("ba1", 3), ("ba2", 2)):
        told = [each.entry for each in studio.journal.feed(name)]
        assert [entry.type for entry in told].count("round.settled") == coups
        assert {entry.table for entry in told} == {name}
        assert f'cutcard_rounds_total{{state="settled",table="{name}"}} {coups}.0' in (
            studio.metrics()
        )
    assert {tile["table"] for tile in studio.wall().view["tiles"]} == {"ba1", "ba2"}
    studio.stop()
    assert verify(studio.settings.studio.database).problems == ()


def test_a_held_table_leaves_the_other_to_deal(studio: Studio) -> None:
    held, free = Table(studio, "ba1"), Table(studio, "ba2")
    held.open()
    free.open()
    held.desk.ask(c.CloseBets(), who="Jonas", role="dealer")
    studio.wires["ba1"].draw(reads_as="??")
    held.until(lambda desk: desk.table().held)
    free.coup()
    assert held.desk.table().held
    states = {each.table: each.state for each in studio.health().tables}
    assert (states["ba1"], states["ba2"] in {"betting", "idle", "result"}) == ("hold", True)


def test_a_table_whose_journal_fails_stops_alone(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, well = Table(studio, "ba1"), Table(studio, "ba2")
    broken.open()
    well.open()
    assert studio.journal is not None
    append = studio.journal.append

    def failing(stream: str, *args: Any, **more: Any) -> int:
        if stream.startswith("table/ba1/"):
            raise JournalError("the database refused to write: disk I/O error")
        return append(stream, *args, **more)

    monkeypatch.setattr(studio.journal, "append", failing)
    with pytest.raises(c.Rejected, match="this table has stopped"):
        broken.desk.ask(c.CloseBets(), who="Jonas", role="dealer")
    well.coup()
    health = studio.health()
    assert [(each.table, each.state == "stopped") for each in health.tables] == [
        ("ba1", True),
        ("ba2", False),
    ]
    assert health.findings == (
        "table ba1 has stopped: the database refused to write: disk I/O error",
    )
    assert 'cutcard_table_stopped{table="ba1"} 1.0' in studio.metrics()
    assert 'cutcard_table_stopped{table="ba2"}' not in studio.metrics()
    tiles = {tile["table"]: tile["state"] for tile in studio.wall().view["tiles"]}
    assert tiles["ba1"] == "hold"
    assert tiles["ba2"] != "hold"
    assert well.desk.runner.failure is None


@pytest.mark.timeout(120)
def test_a_camera_that_dies_at_one_table_leaves_the_other_to_deal(tmp_path: Path) -> None:
    studio = studio_in(tmp_path, second_has_camera=True)
    studio.start()
    try:
        well, blind = Table(studio, "ba1"), Table(studio, "ba2")
        well.open()
        blind.until(lambda desk: desk.table().device("camera").online)
        camera: Any = blind.desk.camera
        os.kill(camera.process_id, signal.SIGKILL)
        blind.until(lambda desk: not desk.table().device("camera").online)
        well.coup()
        assert not well.desk.table().held
        blind.until(lambda desk: desk.table().device("camera").online)
    finally:
        studio.stop()


def test_all_threads_and_processes_of_all_tables_end_with_the_studio(tmp_path: Path) -> None:
    before = {thread.name for thread in threading.enumerate()}
    studio = studio_in(tmp_path, second_has_camera=True)
    studio.start()
    during = {thread.name for thread in threading.enumerate()} - before
    assert {"table-ba1", "table-ba2"} <= during
    camera: Any = studio.desk("ba2").camera
    Table(studio, "ba2").until(lambda desk: desk.table().device("camera").online)
    process = camera.process_id
    studio.stop()
    assert {thread.name for thread in threading.enumerate()} - before == set()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_one_table_that_cannot_be_read_back_is_named_and_nothing_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(journal: Any, name: str, treasury: Any) -> Any:
        if name == "ba2":
            raise ValueError("a fact of this table is of a newer release")
        return restore(journal, name, treasury)

    monkeypatch.setattr("studio.launch.restore", failing)
    before = {thread.name for thread in threading.enumerate()}
    with pytest.raises(LaunchError, match="table ba2 cannot be read back"):
        studio_in(tmp_path).start()
    assert {thread.name for thread in threading.enumerate()} == before
    monkeypatch.undo()
    again = studio_in(tmp_path)
    again.start()
    again.stop()


def test_a_line_of_the_log_about_a_shoe_names_its_table(tmp_path: Path) -> None:
    said = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.set_up(form=logs.LogForm.JSON, stream=said)
    studio = studio_in(tmp_path)
    studio.start()
    try:
        table = Table(studio, "ba2")
        table.until(lambda desk: desk.table().device("shoe").online)
        studio.wires["ba2"].switch("unplug")
        table.until(lambda desk: not desk.table().device("shoe").online)
    finally:
        studio.stop()
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()
    lines = [json.loads(line) for line in said.getvalue().splitlines()]
    lost = [line for line in lines if "device_lost" in line["event"]]
    assert [line["table"] for line in lost] == ["ba2"]
