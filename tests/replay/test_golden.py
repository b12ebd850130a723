"""Every journal that a release has written is read, verified, folded and replayed by this one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.domain import events as e
from studio.games.procedure import run
from studio.games.registry import GAMES
from studio.live.recovery import restore
from studio.storage.database import open_database
from studio.storage.journal import SqlJournal
from studio.storage.verify import verify
from studio.table.evolve import evolve
from studio.table.state import Table
from tests.replay import golden

FILES = sorted(golden.FOLDER.glob("*.jsonl"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def journal(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[SqlJournal, Path, list[dict]]]:
    """A golden journal in a database of this release."""
    rows = golden.read(request.param)
    database = tmp_path / "golden.db"
    opened = open_database(f"sqlite:///{database}")
    golden.lay([row for row in rows if row["table"] != "expected"], database)
    yield SqlJournal(opened), database, rows
    opened.close()


def test_there_is_a_golden_journal() -> None:
    """A release without one would leave nothing to hold later ones to."""
    assert FILES


def test_a_golden_journal_verifies(journal: tuple[SqlJournal, Path, list[dict]]) -> None:
    """Chain, seals and columns still hold."""
    report = verify(f"sqlite:///{journal[1]}")
    assert report.problems == ()


def test_a_golden_journal_folds_to_the_sums_it_was_kept_with(
    journal: tuple[SqlJournal, Path, list[dict]],
) -> None:
    """Rounds, money and states are those that the release told."""
    expected = journal[2][-1]["row"]
    streams = [s for s in journal[0].streams() if s.startswith("table/ba1/")]
    facts = [fact.event for s in streams for fact in journal[0].read(s, secrets=True)]
    settled = [event for event in facts if isinstance(event, e.RoundSettled)]
    voided = [event for event in facts if isinstance(event, e.RoundVoided)]
    assert (len(settled), len(voided)) == (expected["settled"], expected["voided"])
    assert sum(event.returned for event in settled) == expected["returned"]
    assert sum(event.refunded for event in voided) == expected["refunded"]
    assert restore(journal[0], "ba1").table.rounds >= expected["rounds"]


def test_every_settled_round_of_a_golden_journal_replays_to_the_same_result(
    journal: tuple[SqlJournal, Path, list[dict]],
) -> None:
    """The procedure of its version gives the same outcome from the same inputs."""
    game = GAMES["baccarat"]
    rules = game.rules({})
    table, replayed = Table(), 0
    for stream in journal[0].streams():
        for fact in journal[0].read(stream, secrets=True):
            if isinstance(fact.event, e.RoundFinished) and table.play is not None:
                inputs = table.play.inputs
                outcome = run(lambda: game.round(rules), inputs).outcome
                assert outcome is not None
                assert outcome.code == fact.event.code
                replayed += 1
            table = evolve(table, fact.event, fact.at_us)
    assert replayed == journal[2][-1]["row"]["settled"]
