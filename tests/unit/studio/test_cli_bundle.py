"""`cutcard journal bundle` and `journal verify FILE`: exit status, sentences, machine output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from studio.cli import cli
from studio.domain import commands as c
from studio.storage.database import open_database
from studio.storage.evidence import FileEvidence
from studio.storage.journal import SqlJournal
from tests.support.live.kept import KeptBench


def run(*args: Any) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in args])


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    """Address of a database with one held round, the fault, and the folder."""
    folder = tmp_path_factory.mktemp("studio")
    url = f"sqlite:///{folder / 'studio.db'}"
    database = open_database(url)
    store = FileEvidence(folder / "evidence", database)
    bench = KeptBench(journal=SqlJournal(database), store=store)
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.do(c.CallSupervisor())
    bench.pass_s(3)
    assert bench.table.hold is not None
    fault = bench.table.hold.faults[0].id
    database.close()
    return url, fault, folder


def test_a_fault_is_bundled_and_verifies_without_the_database(
    studio: tuple[str, str, Path], tmp_path: Path
) -> None:
    url, fault, _ = studio
    file = tmp_path / "case.zip"
    made = run("journal", "bundle", "--database", url, "--fault", fault, file)
    assert made.exit_code == 0, made.output
    assert made.stdout == ""
    checked = run("journal", "verify", file)
    assert (checked.exit_code, checked.stdout.splitlines()[-1]) == (0, "the bundle verifies")
    plain = json.loads(run("journal", "verify", file, "--json").stdout)
    assert plain["ok"]
    assert plain["evidence"] == 27
    assert not plain["signed"]


def test_a_round_is_bundled_while_it_is_open(studio: tuple[str, str, Path], tmp_path: Path) -> None:
    url, _, _ = studio
    file = tmp_path / "case.zip"
    asked = ("journal", "bundle", "--database", url, "--round", "r-2027-01-15-ba1-1", file)
    assert run(*asked).exit_code == 0
    assert run("journal", "verify", file).exit_code == 0


def test_a_bundle_that_was_changed_ends_with_1_and_names_what(
    studio: tuple[str, str, Path], tmp_path: Path
) -> None:
    url, fault, _ = studio
    file = tmp_path / "case.zip"
    run("journal", "bundle", "--database", url, "--fault", fault, file)
    data = file.read_bytes()
    file.write_bytes(data.replace(b"BEAT", b"BEET").replace(b"HELLO", b"HALLO"))
    checked = run("journal", "verify", file)
    assert checked.exit_code == 1
    assert "shoe.wire: damaged" in checked.stdout
    assert json.loads(run("journal", "verify", file, "--json").stdout)["ok"] is False


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        (("--fault", "9999"), 2, "there is no fault 9999 in this journal"),
        (("--round", "r-1"), 2, "there is no round r-1 in this journal"),
        ((), 2, "say which one: --fault ID or --round ID"),
        (("--round", "r-1", "--fault", "1"), 2, "say which one"),
    ],
)
def test_a_wrong_call_gets_one_sentence(
    studio: tuple[str, str, Path],
    tmp_path: Path,
    args: tuple[str, ...],
    code: int,
    sentence: str,
) -> None:
    done = run("journal", "bundle", "--database", studio[0], *args, tmp_path / "case.zip")
    assert done.exit_code == code
    assert sentence in done.stderr
    assert not (tmp_path / "case.zip").exists()


def test_no_file_is_overwritten_and_none_is_written_where_it_cannot_be(
    studio: tuple[str, str, Path], tmp_path: Path
) -> None:
    url, fault, _ = studio
    there = tmp_path / "case.zip"
    there.write_text("mine")
    done = run("journal", "bundle", "--database", url, "--fault", fault, there)
    assert (done.exit_code, there.read_text()) == (2, "mine")
    assert "is there already: give another name" in done.stderr
    done = run("journal", "bundle", "--database", url, "--fault", fault, tmp_path / "no" / "x.zip")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


def test_what_is_no_bundle_ends_with_1_and_no_file_with_2(tmp_path: Path) -> None:
    text = tmp_path / "note.txt"
    text.write_text("hello")
    done = run("journal", "verify", text)
    assert done.exit_code == 1
    assert "is no bundle of this program, or it is damaged" in done.stderr
    assert json.loads(run("journal", "verify", text, "--json").stdout)["ok"] is False
    done = run("journal", "verify", tmp_path / "nothing.zip")
    assert done.exit_code == 2
    assert "there is no file" in done.stderr


def test_evidence_that_was_changed_in_the_studio_ends_with_1(
    studio: tuple[str, str, Path], tmp_path: Path
) -> None:
    url, fault, folder = studio
    wire = folder / "evidence" / "ba1" / "2027-01-15" / fault / "shoe.wire"
    before = wire.read_bytes()
    wire.write_bytes(b"other\n")
    try:
        done = run("journal", "bundle", "--database", url, "--fault", fault, tmp_path / "x.zip")
    finally:
        wire.write_bytes(before)
    assert done.exit_code == 1
    assert "is not what was kept" in done.stderr


def test_old_evidence_is_taken_away_and_the_journal_still_verifies(
    studio: tuple[str, str, Path], tmp_path: Path
) -> None:
    """The evening lies in the future of the real clock, so a day long gone is put beside it."""
    url, _, folder = studio
    old = folder / "evidence" / "ba1" / "2020-01-01" / "5"
    old.mkdir(parents=True)
    (old / "camera-0001.jpg").write_bytes(b"x")
    config = tmp_path / "config.toml"
    config.write_text(
        f'[studio]\ndatabase = "{url}"\n[tables.ba1]\ngame = "baccarat"\nsources = ["shoe"]\n'
        "limits = { player = [100, 5000] }\n"
        '[tables.ba1.shoe]\ndriver = "cutcard-line"\nurl = "sim:"\n'
    )
    done = run("journal", "purge-evidence", "--config", config, "--dry-run")
    assert (done.exit_code, old.exists()) == (0, True), done.output
    assert "1 pieces of evidence would go" in done.stderr
    done = run("journal", "purge-evidence", "--config", config)
    assert (done.exit_code, old.exists()) == (0, False)
    assert "1 pieces of evidence taken away" in done.stderr
    assert run("journal", "verify", "--database", url).exit_code == 0
