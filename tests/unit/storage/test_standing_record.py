"""The bet record shows a bet that stands over rounds once: where it was placed, what ended it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio.domain import commands as c
from studio.live.wallets import MemoryWallet
from studio.storage.bundle import Asked, make_bundle
from studio.storage.database import Database
from studio.storage.evidence import Days, FileEvidence
from studio.storage.journal import SqlJournal
from studio.storage.platform import SqlBooks
from studio.storage.shown import show_round
from studio.storage.unbundle import check_bundle
from tests.support.evening import HIGH, LOW, PLAYER, evening_setup
from tests.support.live.bench import PLATFORM, SUPERVISOR, Bench

BATCH = "house." + "0" * 23


def bench_of(database: Database) -> Bench:
    wallet = MemoryWallet({"ann": 100_000})
    bench = Bench(SqlJournal(database), setup=evening_setup(), purse=wallet)  # type: ignore[arg-type]
    bench.open_shoe()
    return bench


def played(bench: Bench, coup: str, *bets: tuple[str, int]) -> str:
    """A coup with bets of Ann; the id of the round."""
    if bench.table.phase.value == "result":
        bench.collect()
    if bench.table.phase.value == "idle":
        bench.do(c.OpenBets())
    current = bench.table.round
    assert current is not None
    made = tuple(c.Bet(f"{current.number}-{bet}", "ann", bet, stake) for bet, stake in bets)
    if made:
        bench.do(c.PlaceBets(f"{BATCH}{current.number}", made), PLATFORM)
    bench.do(c.CloseBets())
    bench.deal(coup)
    return current.id


def corrected(bench: Bench, cards: str) -> None:
    named = tuple(map(c.Card.parse, cards.split())) if cards else ()
    bench.do(
        c.CorrectResult(
            round_id=bench.table.results[-1].id,
            cards=named,
            void=not cards,
            reason="reason.camera_proves",
        ),
        SUPERVISOR,
    )


def record(bench: Bench) -> list[dict[str, Any]]:
    """The record as a platform reads it, oldest bet first."""
    found = SqlBooks(bench.journal).bets_of("ann", 0, 100, "house")
    return [dict(each) for each in reversed(found)]


def told(bench: Bench) -> list[tuple[str, str, int, str]]:
    return [(r["bet"], r["state"], r["returned"], r["ended_in"]) for r in record(bench)]


def test_a_bet_that_stands_says_so_and_when_and_where_it_ended(database: Database) -> None:
    bench = bench_of(database)
    first = played(bench, PLAYER, ("evening:high", 1000), ("player", 500))
    assert told(bench) == [
        ("evening:high", "standing", 0, ""),
        ("player", "settled", 1000, first),
    ]
    assert record(bench)[0]["ended_at"] == ""
    played(bench, PLAYER)
    last = played(bench, HIGH, ("evening:low", 300))
    rows = record(bench)
    assert told(bench) == [
        ("evening:high", "settled", 2000, last),
        ("player", "settled", 1000, first),
        ("evening:low", "settled", 0, last),
    ]
    assert rows[0]["round"] == first
    assert rows[0]["ended_at"] > rows[1]["ended_at"]


def test_the_same_id_may_be_used_again_once_the_bet_has_ended(database: Database) -> None:
    bench = bench_of(database)
    first = played(bench, HIGH, ("evening:high", 1000))
    bench.collect()
    bench.do(c.PlaceBets(f"{BATCH}x", (c.Bet("1-evening:high", "ann", "evening:high", 70),)))
    bench.do(c.CloseBets())
    bench.deal(PLAYER)
    assert told(bench) == [
        ("evening:high", "settled", 2000, first),
        ("evening:high", "standing", 0, ""),
    ]


def test_a_correction_ends_it_or_lets_it_stand(database: Database) -> None:
    bench = bench_of(database)
    first = played(bench, PLAYER, ("evening:high", 1000))
    record(bench)
    corrected(bench, HIGH)
    assert told(bench) == [("evening:high", "settled", 2000, first)]
    corrected(bench, PLAYER)
    assert told(bench) == [("evening:high", "standing", 0, "")]
    last = played(bench, LOW, ("evening:low", 200))
    assert told(bench) == [
        ("evening:high", "settled", 0, last),
        ("evening:low", "settled", 500, last),
    ]
    corrected(bench, HIGH)
    assert told(bench) == [
        ("evening:high", "settled", 2000, last),
        ("evening:low", "settled", 0, last),
    ]


def test_a_round_that_was_not_played_leaves_what_it_was_given(database: Database) -> None:
    bench = bench_of(database)
    played(bench, PLAYER, ("evening:high", 1000))
    last = played(bench, HIGH, ("evening:low", 200), ("tie", 100))
    record(bench)
    corrected(bench, "")
    assert told(bench) == [
        ("evening:high", "standing", 0, ""),
        ("evening:low", "voided", 200, last),
        ("tie", "voided", 100, last),
    ]


def test_read_anew_it_says_the_same(database: Database) -> None:
    bench = bench_of(database)
    played(bench, PLAYER, ("evening:high", 1000), ("player", 5))
    record(bench)
    played(bench, HIGH, ("evening:low", 200))
    record(bench)
    corrected(bench, PLAYER)
    record(bench)
    played(bench, PLAYER, ("evening:low", 100))
    piecewise = told(bench)
    with database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM read_models")
    assert told(bench) == piecewise
    assert [each[1] for each in piecewise] == ["standing", "settled", "standing", "standing"]


def test_what_stands_after_a_round_is_shown_and_bundled_with_its_late_correction(
    database: Database, tmp_path: Path
) -> None:
    bench = bench_of(database)
    played(bench, PLAYER, ("evening:high", 1000))
    bench.do(c.EndShoe(reason="reason.other"), SUPERVISOR)
    bench.collect()
    assert bench.table.phase.value == "shoe"
    corrected(bench, HIGH)
    ended = bench.table.results[-1].id
    shown = [fact.event for fact in show_round(database.url, ended)]
    assert shown.count("bets_stayed") == 2
    assert shown[-2:] == ["bets_stayed", "result_corrected"]
    store = FileEvidence(tmp_path / "evidence", database, Days())
    with database.reading() as connection:
        made = make_bundle(connection, store, Asked(round_id=ended), at_us=1, rules={}.get)
    path = tmp_path / "case.zip"
    path.write_bytes(made)
    report = check_bundle(path)
    assert report.ok, report
