"""`journal export`, `backup`, `restore` and keys of platforms, as they are called."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from studio.domain.commands import CallSupervisor
from studio.live.lease import Lease
from studio.storage.journal import open_journal
from tests.support.live.bench import Bench
from tests.unit.studio.test_cli import CONFIG, call

BALOOT = """
[tables.bl1]
game = "baloot"
sources = ["shoe"]
limits = { round = [100, 50000], game = [100, 50000], kaboot = [100, 10000] }

[tables.bl1.shoe]
url = "sim:"
"""
"""A table whose seats choose."""


@pytest.fixture
def dealt(tmp_path: Path) -> Path:
    """A configuration whose database has one coup."""
    config = tmp_path / "config.toml"
    config.write_text(f"{CONFIG}\n[platforms.house]\n")
    journal = open_journal(f"sqlite:///{tmp_path / 'cutcard.db'}")
    bench = Bench(journal)
    bench.open_shoe()
    bench.coup()
    journal.database.close()
    return config


def test_the_journal_is_exported_as_json_lines_and_as_csv(dealt: Path) -> None:
    done = call("journal", "export", "--config", dealt)
    assert done.exit_code == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == f"{len(rows)} facts\n"
    table = call("journal", "export", "--config", dealt, "--format", "csv")
    assert [int(row["position"]) for row in csv.DictReader(io.StringIO(table.stdout))] == [
        row["position"] for row in rows
    ]
    later = call("journal", "export", "--config", dealt, "--since", "2030-01-01")
    assert (later.exit_code, later.stdout, later.stderr) == (0, "", "0 facts\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--since", "yesterday"), "'yesterday' is no instant: write it as 2026-01-31T18:00:00Z"),
        (("--table", "xx"), "there is no table 'xx' in this journal; it has: ba1"),
        (("--round", "r-9"), "there is no round r-9 in this journal"),
        (("--format", "xml"), "'xml' is not one of 'jsonl', 'csv'"),
    ],
)
def test_a_wrong_wish_is_a_wrong_call_and_writes_nothing(
    dealt: Path, words: tuple[str, ...], said: str
) -> None:
    done = call("journal", "export", "--config", dealt, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_backup_is_made_and_restored(dealt: Path, tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    made = call("backup", file, "--config", dealt, "--json")
    assert made.exit_code == 0, made.output
    told = json.loads(made.stdout)
    journal = open_journal(f"sqlite:///{tmp_path / 'cutcard.db'}")
    Bench(journal, prefix="later-").do(CallSupervisor())
    journal.database.close()
    back = call("restore", file, "--config", dealt)
    assert back.exit_code == 0, back.output
    assert f"restored: {told['facts']} facts, 1 rounds, verified" in back.stdout
    assert "cutcard.db.replaced-" in back.stdout
    assert "facts more; they are lost to this one" in back.stderr
    assert call("journal", "verify", "--config", dealt).exit_code == 0


def test_what_a_backup_cannot_do_is_told_in_one_sentence(dealt: Path, tmp_path: Path) -> None:
    file = tmp_path / "copy.db"
    assert call("backup", file, "--config", dealt).exit_code == 0
    again = call("backup", file, "--config", dealt)
    assert again.exit_code == 2
    assert "is there already: give another name, or --force" in again.stderr
    nowhere = call("backup", tmp_path / "none" / "copy.db", "--config", dealt)
    assert nowhere.exit_code == 2
    assert "there is no folder" in nowhere.stderr
    lease = Lease(tmp_path / "cutcard.db")
    try:
        under = call("restore", file, "--config", dealt)
    finally:
        lease.release()
    assert under.exit_code == 2
    assert "another studio runs on" in under.stderr
    file.write_bytes(b"half")
    bad = call("restore", file, "--config", dealt)
    assert bad.exit_code == 1
    assert "is not what was backed up" in bad.stderr


def test_a_key_of_a_platform_is_printed_as_its_line_of_the_environment(dealt: Path) -> None:
    done = call("tokens", "add", "platform", "house", "--config", dealt)
    assert done.exit_code == 0
    name, _, key = done.stdout.strip().partition("=")
    assert name == "CUTCARD_PLATFORM_HOUSE_KEY"
    assert len(key) >= 40
    other = call("tokens", "add", "platform", "none", "--config", dealt)
    assert other.exit_code == 2
    assert "the platforms are: house" in other.stderr


def test_a_token_of_a_seat_is_made_listed_and_revoked(dealt: Path) -> None:
    dealt.write_text(f"{dealt.read_text()}{BALOOT}")
    made = call("tokens", "add", "seat", "--table", "bl1", "--seat", "2", "--config", dealt)
    assert made.exit_code == 0, made.output
    assert len(made.stdout.strip()) >= 32
    lines = call("tokens", "list", "--config", dealt).stdout.splitlines()
    listed = [json.loads(line) for line in lines]
    assert [(each["table"], each["seat"], each["revoked"]) for each in listed] == [
        ("bl1", 2, False)
    ]
    assert made.stdout.strip() not in json.dumps(listed)
    assert call("tokens", "revoke", listed[0]["id"], "--config", dealt).exit_code == 0
    again = json.loads(call("tokens", "list", "--config", dealt).stdout)
    assert again["revoked"] is True


@pytest.mark.parametrize(
    ("table", "seat", "said"),
    [
        ("ba1", "0", "there is no table 'ba1' whose seats choose; those that do: bl1"),
        ("bl1", "4", "the table 'bl1' has the seats 0 to 3, not 4"),
        ("bl1", "-1", "-1 is not in the range"),
    ],
)
def test_a_seat_that_is_not_there_has_no_token(
    dealt: Path, table: str, seat: str, said: str
) -> None:
    dealt.write_text(f"{dealt.read_text()}{BALOOT}")
    done = call("tokens", "add", "seat", "--table", table, "--seat", seat, "--config", dealt)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
