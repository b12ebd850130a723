"""The process is killed at each named point; what comes back is what was written, held."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.live.clock import ManualClock
from studio.live.recovery import restore
from studio.storage.journal import SqlJournal, open_journal
from studio.storage.verify import verify
from tests.support.live.bench import START_US, Bench
from tests.support.live.crash_child import OPENING, PLAYERS, wallet_of


def balances_by_journal(journal: SqlJournal) -> dict[str, int]:
    """What each player must have, by the facts alone."""
    has = dict.fromkeys(PLAYERS, OPENING)
    placed: dict[tuple[str, str], Columns] = {}
    for stream in journal.streams():
        for fact in journal.read(stream):
            match fact.event:
                case e.BetsPlaced(round_id=round_id, batch=batch, columns=columns):
                    placed[round_id, batch] = columns
                case e.BetsConfirmed(round_id=round_id, batch=batch, refused=refused):
                    kept = placed[round_id, batch].without(frozenset(refused))
                    for player, stake in zip(kept.players, kept.amounts, strict=True):
                        has[player] -= stake
                case e.RoundSettled(columns=back) | e.RoundVoided(columns=back):
                    for player, amount in zip(back.players, back.amounts, strict=True):
                        has[player] += amount
                case _:
                    pass
    return has


@pytest.mark.parametrize(
    ("point", "nth", "_moment"),
    [
        ("before_commit", 19, "the payment of the round is not written"),
        ("after_commit", 13, "bets are written and the wallet was not asked"),
        ("after_commit", 28, "the payment of the round is written and nobody was paid"),
        ("after_adopt", 23, "the wallet's answer is believed and not shown"),
        ("after_publish", 19, "the result is shown and nobody was paid"),
        ("after_wallet", 1, "the wallet has reserved and its answer is not written"),
        ("after_wallet", 2, "players were paid and that is not known"),
    ],
)
def test_a_kill_leaves_a_table_that_comes_back_held_with_all_money_right(
    tmp_path: Path, root: Path, point: str, nth: int, _moment: str
) -> None:
    _kill_and_look(tmp_path, root, point, nth)


@pytest.mark.soak
@pytest.mark.parametrize("nth", range(1, 31))
@pytest.mark.parametrize("point", ["before_commit", "after_commit", "after_adopt", "after_publish"])
def test_a_kill_at_any_point_of_two_rounds_does_no_harm(
    tmp_path: Path, root: Path, point: str, nth: int
) -> None:
    _kill_and_look(tmp_path, root, point, nth)


def _kill_and_look(tmp_path: Path, root: Path, point: str, nth: int) -> None:
    url = f"sqlite:///{tmp_path / 'cutcard.db'}"
    child = [sys.executable, "-m", "tests.support.live.crash_child", url, point, str(nth)]
    ended = subprocess.run(child, cwd=root, check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL
    assert verify(url).ok
    journal = open_journal(url)
    try:
        before = restore(journal, "ba1")
        was_open = before.table.phase.value != "closed"
        bench = Bench(
            journal,
            clock=ManualClock(START_US + 60_000_000),
            purse=wallet_of(journal),  # type: ignore[arg-type]
            prefix="second-",
        )
        assert bench.table.held is was_open
        assert restore(journal, "ba1").table == bench.table
        told = [entry.entry.id for entry in journal.feed("ba1")]
        assert len(told) == len(set(told))
        wallet = bench.purse
        has = {player: wallet.balance(player) for player in PLAYERS}  # type: ignore[attr-defined]
        assert has == balances_by_journal(journal)
        assert verify(url).ok
    finally:
        journal.database.close()
