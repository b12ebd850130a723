"""A whole studio in process: its configuration, a real pseudo-terminal, SQLite, threads."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain.observations import FundsAnswered
from studio.launch import LaunchError, Studio
from studio.live.service import Desk
from studio.settings import Settings, parse
from studio.storage.verify import verify

PATIENCE_S = 20.0


def settings_in(tmp_path: Path, **table: Any) -> Settings:
    """A studio with one table that has a shoe and no camera."""
    values: dict[str, Any] = {
        "studio": {"database": "sqlite:///cutcard.db"},
        "tables": {
            "ba1": {
                "game": "baccarat",
                "sources": ["shoe"],
                "betting_s": 600.0,
                "result_s": 0.0,
                "limits": {"player": [100, 500000], "banker": [100, 500000]},
                "shoe": {"url": "sim:"},
                **table,
            }
        },
    }
    return parse(values, tmp_path / "config.toml", {})


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Studio]:
    studio = Studio(settings_in(tmp_path))
    studio.start()
    yield studio
    studio.stop()


class News:
    """Waits for a table to come into a state, never longer than needed."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._news = threading.Condition()
        studio.subscribe(self._heard)

    def _heard(self, _table: str) -> None:
        with self._news:
            self._news.notify_all()

    def until(self, wanted: Callable[[Desk], bool]) -> Desk:
        desk = self._studio.desk("ba1")
        with self._news:
            assert self._news.wait_for(lambda: wanted(desk), PATIENCE_S)
        return desk


def deal(studio: Studio, news: News, cards: int) -> None:
    """Draw so many cards from the simulated shoe and wait until each is accepted."""
    wire = studio.wires["ba1"]
    for _ in range(cards):
        version = studio.desk("ba1").table().version
        wire.draw()
        news.until(lambda desk, before=version: desk.table().version > before)  # type: ignore[misc]
        assert wire.quiet(PATIENCE_S)


def test_a_coup_goes_from_bytes_to_views_and_survives_a_restart(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    studio = Studio(settings)
    studio.inspect()
    assert studio.tables() == ("ba1",)
    studio.start()
    assert studio.wallet is not None
    studio.wallet.create("ann", 10_000)
    try:
        _play_one_coup(studio)
        studio.flush()
        names = {thread.name for thread in threading.enumerate()}
        assert {"table-ba1", "timer", "news"} <= names
        view = studio.view("ba1", "overlay").view
        epoch = studio.epoch
        assert view["result"]["code"] == "player"
        assert studio.wallet.balance("ann") == 11_000
        assert "cutcard_cards_dealt_total" in studio.metrics()
    finally:
        studio.stop()
    assert not {"table-ba1", "timer", "news"} & {t.name for t in threading.enumerate()}
    report = verify(settings.studio.database)
    assert report.ok
    assert report.rounds == 1
    again = Studio(settings)
    again.start()
    try:
        assert again.epoch != epoch
        assert again.view("ba1", "dealer").view["state"] == "hold"
        assert again.wallet is not None
        assert again.wallet.balance("ann") == 11_000
    finally:
        again.stop()


def _play_one_coup(studio: Studio) -> None:
    news = News(studio)
    desk = news.until(lambda found: found.table().device("shoe").online)
    wire = studio.wires["ba1"]
    wire.load(["2C", "3C", "4C", "9S", "2D", "KH", "5D", "8C", "8D"])
    desk.ask(c.OpenTable(), who="Sana", role="supervisor")
    desk.ask(c.StartShoe(), who="Jonas", role="dealer")
    for _ in range(3):
        desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    deal(studio, news, 3)
    desk.ask(c.ConfirmStep(), who="Jonas", role="dealer")
    desk.ask(c.OpenBets(), who="Jonas", role="dealer")
    bets = c.PlaceBets("b", (c.Bet("1", "ann", "player", 1000), c.Bet("2", "eve", "player", 1000)))
    desk.ask(bets, who="house", role="platform")
    desk.ask(c.CloseBets(), who="Jonas", role="dealer")
    assert studio.view("ba1", "dealer").view["bets"] == 1
    deal(studio, news, 4)
    news.until(lambda found: found.table().phase.value == "result")


def test_a_stranger_to_the_wallet_is_refused_and_the_round_goes_on(started: Studio) -> None:
    desk = started.desk("ba1")
    answer = FundsAnswered(device="embedded", at_us=1, batch="never asked")
    desk.report(answer)
    started.flush()
    assert desk.runner.failure is None
    assert started.next_deadline() is None
    started.tick()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"limits": {"plyer": [1, 2]}}, "tables.ba1.limits.plyer: baccarat has no such bet"),
        ({"rules": {"decks": 9}}, "tables.ba1"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_one_sentence(
    tmp_path: Path, table: dict[str, Any], words: str
) -> None:
    with pytest.raises(LaunchError) as refusal:
        Studio(settings_in(tmp_path, **table))
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_unknown_driver_and_a_port_that_is_none_are_told_before_anything_starts(
    tmp_path: Path,
) -> None:
    for shoe, words in (
        ({"url": "sim:", "driver": "angel-eye"}, "there is no driver 'angel-eye'"),
        ({"url": "nowhere"}, "tables.ba1.shoe"),
    ):
        studio = Studio(settings_in(tmp_path, shoe=shoe))
        with pytest.raises(LaunchError, match=words):
            studio.inspect()


def test_a_journal_that_was_tampered_with_is_not_started_from(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    studio = Studio(settings)
    studio.start()
    studio.desk("ba1").ask(c.OpenTable(), who="Sana", role="supervisor")
    studio.stop()
    with sqlite3.connect(tmp_path / "cutcard.db") as raw:
        for (name,) in raw.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger'"
        ).fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE journal SET body = '{}' WHERE version = 2")
    raw.close()
    with pytest.raises(LaunchError):
        Studio(settings).start()
    assert not {"table-ba1", "timer"} & {t.name for t in threading.enumerate()}


def test_a_second_studio_on_the_same_database_is_refused_and_harms_nobody(
    tmp_path: Path, started: Studio
) -> None:
    for attempt in (Studio(settings_in(tmp_path)).start, Studio(settings_in(tmp_path)).inspect):
        with pytest.raises(LaunchError, match="another studio runs on"):
            attempt()
    started.desk("ba1").ask(c.OpenTable(), who="Sana", role="supervisor")
    assert started.desk("ba1").runner.failure is None


def test_a_database_where_no_file_can_be_is_refused_with_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "cutcard.db.lock").mkdir()
    with pytest.raises(LaunchError, match="cannot be used"):
        Studio(settings_in(tmp_path)).start()
