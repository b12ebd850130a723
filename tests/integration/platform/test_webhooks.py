"""Webhooks and the feed against the example platform: at least once, in order, nothing lost."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from docs.examples.platform.platform_example import Studio as Calls
from studio.domain.envelope import Actor, ActorKind, Envelope, OutboxEntry
from studio.live.calling import Caller
from studio.live.clock import ManualClock
from studio.live.messenger import LONGEST_PAUSE_S, Messenger
from studio.metrics import Metrics
from studio.storage.memory import MemoryJournal
from tests.support.outside import Outside, eventually
from tests.support.platform import KEY, House, settings_in

HOUR_US = 3_600_000_000


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with Outside(tmp_path) as running:
        yield running


class Line:
    """A messenger over a journal in memory, on a clock that is moved by hand."""

    def __init__(self, outside: Outside, journal: MemoryJournal | None = None) -> None:
        self.clock = ManualClock(int(time.time()) * 1_000_000)
        outside.server.now = lambda: self.clock.now_us() / 1_000_000
        self.journal = journal or MemoryJournal()
        self.metrics = Metrics()
        self.outside = outside
        self._numbers = itertools.count(1)
        self.begin()

    def begin(self) -> None:
        """Start the messenger anew, as a restart of the studio does."""
        self.messenger = Messenger(
            receiver="house",
            caller=Caller(
                url=f"{self.outside.url}/webhook",
                key="house",
                secret=KEY,
                now_s=lambda: self.clock.now_us() // 1_000_000,
            ),
            journal=self.journal,
            clock=self.clock,
            lag=self.metrics.outbox_age,
            random=Random(7),
        )

    def tell(self, count: int, table: str = "ba1") -> None:
        """Put entries into the outbox."""
        for number in itertools.islice(self._numbers, count):
            entry = OutboxEntry(
                id=f"{table}#{number}",
                type="card.dealt",
                table=table,
                at_us=self.clock.now_us(),
                data={"number": number},
            )
            envelope = Envelope(
                command_id=str(number), actor=Actor(ActorKind.SYSTEM, "t"), at_us=entry.at_us
            )
            self.journal.append(f"table/{table}/d", 0, envelope, (), outbox=[entry])

    def run(self, us: int) -> int:
        """Let time pass; how many calls were made."""
        before = len(self.outside.server.heard)
        until_us = self.clock.now_us() + us
        while (left_us := until_us - self.clock.now_us()) > 0:
            wait_us = round(self.messenger.turn() * 1_000_000)
            self.clock.advance(min(left_us, max(wait_us, 1)))
        return len(self.outside.server.heard) - before

    def numbers(self, table: str = "ba1") -> list[int]:
        """What the platform has, in the order in which it came."""
        return [entry["data"]["number"] for entry in self.outside.books.told(table)]


def test_a_receiver_that_is_down_for_an_hour_misses_nothing(outside: Outside) -> None:
    line = Line(outside)
    line.tell(3)
    line.run(1_000_000)
    outside.server.down = True
    for _ in range(60):
        line.tell(5)
        line.run(HOUR_US // 60)
    tries = len(outside.server.heard)
    assert 3600 / LONGEST_PAUSE_S <= tries <= 200, "it is asked again, and not all the time"
    assert line.messenger.finding().startswith("platform house: its webhook is 3")
    assert "status 503" in line.messenger.finding()
    text = line.metrics.text()
    assert float(text.split('cutcard_outbox_age_seconds{receiver="house"} ')[1].split()[0]) > 3500
    line.begin()
    outside.server.down = False
    line.run(120_000_000)
    assert line.numbers() == list(range(1, 304))
    assert line.messenger.finding() == ""


def test_an_answer_that_was_lost_is_told_twice_and_kept_once(outside: Outside) -> None:
    """R-04: a 500 is tried again, and what came is known by its id."""
    line = Line(outside)
    line.tell(4)
    outside.server.broken = True
    line.run(2_000_000)
    outside.server.broken = False
    line.tell(2)
    line.run(60_000_000)
    assert len(outside.calls("/webhook")) >= 2
    assert line.numbers() == [1, 2, 3, 4, 5, 6]


def test_a_stop_between_the_call_and_its_mark_repeats_and_loses_nothing(
    outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Line(outside)
    line.tell(3)
    with monkeypatch.context() as patch:
        patch.setattr(line.journal, "mark", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            line.messenger.turn()
    line.begin()
    line.run(5_000_000)
    calls = outside.calls("/webhook")
    assert [len(call["entries"]) for call in calls] == [3, 3]
    assert line.numbers() == [1, 2, 3]


def test_each_table_is_told_in_order_though_two_are_mixed(outside: Outside) -> None:
    line = Line(outside)
    for _ in range(150):
        line.tell(1, "ba1")
        line.tell(1, "ba2")
    line.run(5_000_000)
    came: dict[str, list[int]] = {"ba1": [], "ba2": []}
    for call in outside.calls("/webhook"):
        for entry in call["entries"]:
            came[entry["table"]].append(entry["data"]["number"])
    assert all(numbers == sorted(numbers) and len(numbers) == 150 for numbers in came.values())


def test_a_receiver_whose_clock_is_wrong_or_key_is_other_gets_it_once_that_is_mended(
    outside: Outside,
) -> None:
    line = Line(outside)
    line.tell(2)
    right = outside.server.now
    outside.server.now = lambda: right() + 120
    line.run(5_000_000)
    assert (outside.server.heard, line.messenger.trouble) == ([], "it answered with status 401")
    outside.server.now = right
    line.run(60_000_000)
    assert line.numbers() == [1, 2]


def test_the_example_drops_what_it_had_and_sorts_what_came_out_of_order(outside: Outside) -> None:
    def entry(n: int) -> dict[str, Any]:
        return {"id": f"e{n}", "n": n, "table": "ba1", "type": "card.dealt"}

    assert outside.books.take([entry(3), entry(4)]) == 2
    assert outside.books.take([entry(1), entry(2), entry(3)]) == 2
    assert [each["n"] for each in outside.books.told("ba1")] == [1, 2, 3, 4]


def test_webhooks_and_feed_tell_the_same_over_a_restart(tmp_path: Path, outside: Outside) -> None:
    settings = settings_in(tmp_path, platforms={"house": {"webhook": f"{outside.url}/webhook"}})
    with House(settings) as house:
        house.players("ann")
        round_id = house.open_round()
        house.caller().bets("ba1", round_id, [("b1", "ann", "player", 1000)])
        outside.server.down = True
        house.close_and_deal()
    outside.server.down = False
    with House(settings) as house:
        feed = house.caller().get("/api/v1/tables/ba1/feed?after=0").json["entries"]
        assert "round.settled" in [entry["type"] for entry in feed]
        eventually(lambda: outside.books.told("ba1") == feed)
        assert 'cutcard_outbox_age_seconds{receiver="house"}' in house.studio.metrics()


def test_the_example_catches_up_by_the_feed_from_where_it_was(
    tmp_path: Path, outside: Outside
) -> None:
    settings = settings_in(tmp_path)
    with House(settings) as house:
        calls = Calls(house.url, "house", KEY)
        round_id = house.open_round()
        first = calls.catch_up(outside.books, "ba1")
        assert first == len(outside.books.told("ba1")) > 0
        assert calls.catch_up(outside.books, "ba1") == 0
        house.players("ann")
        bets = [{"id": "b1", "player": "ann", "bet": "player", "stake": 1000}]
        assert calls.bets("ba1", round_id, bets, key="k1")["accepted"] == 1
        assert calls.bets("ba1", round_id, bets, key="k1")["accepted"] == 1
        house.close_and_deal()
    with House(settings) as house:
        calls = Calls(house.url, "house", KEY)
        assert calls.catch_up(outside.books, "ba1") > 0
        feed = house.caller().get("/api/v1/tables/ba1/feed?after=0").json["entries"]
        assert outside.books.told("ba1") == feed
