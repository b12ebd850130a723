"""The timer, the gaming day, the laws and the replay of one round."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.envelope import Recorded
from studio.games.registry import game
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.replay import OtherRules, facts_of, replay, rules_text
from studio.live.timers import LONGEST_WAIT_S, Timer
from studio.table.laws import LawBroken, check_laws
from tests.support.live.bench import Bench


def us(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1_000_000


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        ("2026-11-30T03:59:59", "2026-11-29"),
        ("2026-11-30T04:00:00", "2026-11-30"),
        ("2026-12-01T03:59:59", "2026-11-30"),
        ("2026-03-29T02:59:59", "2026-03-28"),
        ("2026-03-29T03:00:00", "2026-03-29"),
        ("2026-10-25T04:00:00", "2026-10-25"),
    ],
)
def test_a_gaming_day_begins_at_the_studios_own_hour(instant: str, day: str) -> None:
    days = GamingDay("06:00", ZoneInfo("Europe/Riga"))
    assert days.of(us(instant)) == day
    assert days.of(us(instant)) == day


class Clockwork:
    """A table, as far as time goes."""

    def __init__(self, instant: int | None, clock: ManualClock | None = None) -> None:
        self.instant = instant
        self.now_us = (clock or ManualClock(1_000_000)).now_us
        self.ticks = 0
        self.ticked = threading.Event()

    def deadline(self) -> int | None:
        return self.instant

    def tick(self) -> None:
        self.ticks += 1
        self.instant = None
        self.ticked.set()


def test_the_timer_ticks_what_is_due_and_waits_for_the_rest() -> None:
    clock = ManualClock(1_000_000)
    due, later, never = (Clockwork(at_us, clock) for at_us in (1_000_000, 1_010_000, None))
    timer = Timer([due, later, never])
    assert timer.turn() == pytest.approx(0.01)
    assert (due.ticks, later.ticks, never.ticks) == (1, 0, 0)
    clock.advance(10_000)
    assert timer.turn() == LONGEST_WAIT_S
    assert later.ticks == 1


def test_the_timer_goes_on_when_a_table_fails_and_ends_when_told() -> None:
    good = Clockwork(None)

    class Bad(Clockwork):
        def deadline(self) -> int | None:
            raise ValueError("no")

    good.instant = 1
    timer = Timer([Bad(None), good])
    timer.start()
    assert good.ticked.wait(10)
    timer.changed()
    timer.stop()
    assert not timer.is_alive()


def settled() -> tuple[Bench, e.RoundSettled]:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    before = bench.table
    bench.deal("9S 2D KH 5D")
    event = next(each for each in bench.events() if isinstance(each, e.RoundSettled))
    check_laws(replace(before, version=bench.table.version - 1), bench.table, [event])
    return bench, event


def test_a_round_that_pays_other_than_its_rows_breaks_a_law() -> None:
    bench, event = settled()
    after = bench.table
    assert after.round is not None
    before = replace(
        after, version=after.version - 1, round=replace(after.round, state="open")
    )  # fmt: skip
    for wrong in (
        replace(event, returned=event.returned + 1),
        replace(event, staked=event.staked + 1),
        replace(event, rows=event.rows[:1]),
        replace(event, columns=event.columns.without(frozenset({"a-0"}))),
    ):
        with pytest.raises(LawBroken):
            check_laws(before, after, [wrong])


def test_a_round_that_ends_twice_breaks_a_law() -> None:
    bench, event = settled()
    before = replace(bench.table, version=bench.table.version - 1)
    with pytest.raises(LawBroken, match="was not open"):
        check_laws(before, bench.table, [event])


def test_a_void_that_keeps_a_stake_breaks_a_law() -> None:
    bench, event = settled()
    after = bench.table
    assert after.round is not None
    before = replace(
        after, version=after.version - 1, round=replace(after.round, state="open")
    )  # fmt: skip
    void = e.RoundVoided(
        round_id=event.round_id, reason="x", refunded=1000, packed=event.packed, deadline_us=0
    )
    with pytest.raises(LawBroken, match="refunds of 1000 for stakes 3000"):
        check_laws(before, after, [void])


def test_a_ninth_card_of_a_kind_breaks_a_law() -> None:
    bench = Bench()
    bench.open_shoe()
    shoe = bench.table.shoe
    assert shoe is not None
    dealt = next(each for each in bench.events() if isinstance(each, e.CardDealt))
    seen = tuple(9 if count else count for count in shoe.cards.seen)
    after = replace(bench.table, shoe=replace(shoe, cards=replace(shoe.cards, seen=seen)))
    before = replace(bench.table, version=bench.table.version - 1)
    with pytest.raises(LawBroken, match="are gone from 8 packs"):
        check_laws(before, after, [dealt])


def test_a_round_played_again_from_its_inputs_gives_the_same_result_and_money() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    stream = bench.journal.streams()[0]
    facts = facts_of(bench.journal.read(stream), "r-2027-01-15-ba1-1")
    done = replay("ba1", facts, [bench.setup.rules])
    assert done.same
    assert (done.journalled_version, done.present_version) == ("baccarat@1", "baccarat@1")
    assert done.journalled["result" if "result" in done.journalled else "code"] == "player"


def test_a_round_whose_journalled_result_is_another_is_not_the_same() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    stream = bench.journal.streams()[0]
    facts = facts_of(bench.journal.read(stream), "r-2027-01-15-ba1-1")
    forged = tuple(
        replace(fact, event=replace(fact.event, outcome='{"code":"tie"}'))
        if isinstance(fact.event, e.RoundFinished)
        else fact
        for fact in facts
    )
    assert not replay("ba1", forged, [bench.setup.rules]).same


def test_a_round_is_played_again_by_the_rules_on_its_own_record() -> None:
    """Schedule, pay tables and all flags are part of the round's record (RULES.md 5.8)."""
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    facts = facts_of(bench.journal.read(bench.journal.streams()[0]), "r-2027-01-15-ba1-1")
    opened = facts[0].event
    assert isinstance(opened, e.RoundOpened)
    assert json.loads(opened.rules) == json.loads(rules_text(bench.setup.rules))
    others = [game("baccarat").rules({"tie_pays": 9})]
    assert replay("ba1", facts, others).same
    assert replay("ba1", facts, []).same

    def kept(rules: str) -> tuple[Recorded, ...]:
        return (replace(facts[0], event=replace(opened, rules=rules)), *facts[1:])

    for rules in ("", rules_text(others[0])):  # as 0.1.0 kept it, and not what the digest is of
        with pytest.raises(OtherRules, match="--config"):
            replay("ba1", kept(rules), others)
        assert replay("ba1", kept(rules), [bench.setup.rules]).same
