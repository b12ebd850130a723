"""Golden journals: write one from a demonstration, and lay one back into a database.

``python -m tests.replay.golden NAME`` records a seeded demonstration with repairs and a void into
``tests/replay/golden/NAME.jsonl``. A golden file is never changed afterwards.
"""

import base64
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from studio.domain import commands as c
from studio.domain.cards import Card
from studio.live.clock import ManualClock
from studio.simulate.demo import (
    NOON_US,
    TABLE,
    DemoStudio,
    Wanted,
    settings_of,
    wait_for_devices,
)
from studio.simulate.desk import Desk
from studio.simulate.faults import Planned
from studio.simulate.pace import JumpingPace
from studio.table.approvals import waiting
from studio.table.state import Phase, Table

FOLDER = Path(__file__).parent / "golden"
TABLES = ("journal", "attachments", "seals", "heads")
FAULTS = (
    Planned("wrong_card", 2),
    Planned("unreadable", 3),
    Planned("early_card", 4),
    Planned("unplug", 5),
)


def rows_of(database: Path) -> list[dict[str, Any]]:
    """All rows of the journal's tables, blobs as base64, in order of writing."""
    found: list[dict[str, Any]] = []
    with sqlite3.connect(database) as connection:
        connection.row_factory = sqlite3.Row
        for table in TABLES:
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY rowid"):
                values = {
                    key: {"b64": base64.b64encode(value).decode()}
                    if isinstance(value, bytes)
                    else value
                    for key, value in dict(row).items()
                }
                found.append({"table": table, "row": values})
    return found


def lay(rows: list[dict[str, Any]], database: Path) -> None:
    """Write rows into an empty journal of the present release."""
    with sqlite3.connect(database) as connection:
        for entry in rows:
            row = {
                key: base64.b64decode(value["b64"]) if isinstance(value, dict) else value
                for key, value in entry["row"].items()
            }
            names = ", ".join(f'"{name}"' for name in row)
            marks = ", ".join("?" for _ in row)
            connection.execute(
                f"INSERT INTO {entry['table']} ({names}) VALUES ({marks})",
                list(row.values()),
            )


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a golden file."""
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


def two_dealt(table: Table) -> bool:
    """Whether a coup has its first two cards."""
    dealing = table.phase is Phase.DEALING and table.play is not None
    return dealing and table.play is not None and len(table.play.inputs) == 2


def second(desk: Desk) -> None:
    """A second person approves what waits for one."""
    asked = waiting(desk.table())
    if asked is not None:
        desk.ask(c.Approve(approval=asked.id), who="3001", role="pit-boss")


def deal(studio: DemoStudio) -> None:
    """Five rounds with faults, a corrected card, a voided round, and a clean one."""
    clock = studio.clock
    assert isinstance(clock, ManualClock)
    pace = JumpingPace(clock, studio, studio.stages[TABLE])
    wait_for_devices(studio, pace)
    course = studio.course(pace)
    course.run(5)
    desk = next(iter(studio.desks()))
    while not two_dealt(desk.table()):
        course.dealer.work()
    who = {"who": "2001", "role": "supervisor"}
    desk.ask(c.CallSupervisor(reason="reason.card_identity"), **who)
    hold, current = desk.table().hold, desk.table().round
    assert hold is not None
    assert current is not None
    fault = hold.faults[0].id
    wrong = c.CorrectCard(fault=fault, reason="reason.other", index=0, card=Card.parse("2C"))
    desk.ask(wrong, **who)
    second(desk)
    void = c.VoidRound(fault="", reason="reason.not_provable", round_id=current.id)
    if desk.table().hold and not desk.table().hold.faults:
        desk.ask(c.CallSupervisor(), **who)
    desk.ask(void, **who)
    second(desk)
    course.note_end()
    course.run(7)


def record(name: str) -> Path:
    """Deal a seeded demonstration and keep its journal."""
    target = FOLDER / f"{name}.jsonl"
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "golden.db"
        wanted = Wanted(rounds=5, seed=20261130, headless=True, faults=FAULTS)
        settings = settings_of(wanted, f"sqlite:///{database}")
        studio = DemoStudio(wanted, settings, ManualClock(NOON_US))
        studio.start()
        try:
            deal(studio)
        finally:
            studio.stop()
        lines = rows_of(database)
        lines.append({"table": "expected", "row": studio.tally.total("verified")})
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    target.write_text(text, encoding="utf-8")
    return target


if __name__ == "__main__":
    sys.stderr.write(f"{record(sys.argv[1])}\n")
