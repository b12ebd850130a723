"""A game of Baloot with bets on it: rounds, a deal that all passed, a void, the end of the game."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.games.procedure import Choose, Count, Deal
from studio.games.registry import game
from studio.live.replay import digest_of, facts_of, replay
from studio.live.wallets import MemoryWallet
from studio.storage.database import Database
from studio.storage.journal import SqlJournal
from studio.storage.platform import SqlBooks
from studio.table import ledger
from studio.table.seatplay import choices
from studio.table.state import Limit, Setup
from studio.table.turn import due
from tests.support.live.bench import PLATFORM, SUPERVISOR, Bench

OPENING = 100_000
GAME = game("baloot")
RULES = GAME.rules({"target": 52} if "target" in GAME.rules({}).as_dict() else {})


def setup_of() -> Setup:
    return Setup(
        table="bl1",
        game=GAME,
        rules=RULES,
        rules_digest=digest_of(RULES),
        sources=("shoe",),
        limits=tuple((bet, Limit(1, 50_000)) for bet in GAME.bets),
    )


class Evening:
    """A table of Baloot on which Ann bets."""

    def __init__(self, database: Database, seed: int = 1) -> None:
        self.wallet = MemoryWallet({"ann": OPENING})
        self.random = Random(seed)
        self.bench = Bench(SqlJournal(database), setup=setup_of(), purse=self.wallet)  # type: ignore[arg-type]
        self.bench.do(c.OpenTable(), SUPERVISOR)
        self.bench.shoe_online()
        self.batches = 0

    @property
    def due(self) -> Any:
        return due(self.bench.setup, self.bench.table)

    def open(self, *bets: tuple[str, int]) -> str:
        """Go on to the next round and bet; its id."""
        bench = self.bench
        while bench.table.phase.value != "betting":
            self._between()
        self.pack = [card.code for card in GAME.pack]
        self.random.shuffle(self.pack)
        current = bench.table.round
        assert current is not None
        if bets:
            self.batches += 1
            made = tuple(c.Bet(f"{self.batches}-{b}", "ann", b, stake) for b, stake in bets)
            bench.do(c.PlaceBets(f"house.{self.batches:024x}", made), PLATFORM)
        bench.do(c.CloseBets())
        return current.id

    def _between(self) -> None:
        bench, phase = self.bench, self.bench.table.phase.value
        if phase == "result" and bench.table.round and not bench.table.round.collected:
            bench.do(c.ConfirmStep())
        elif phase == "result":
            bench.wait()
        elif phase == "shoe" and isinstance(self.due, Count):
            assert bench.table.shoe is not None
            bench.do(c.EnterCount(bench.table.shoe.cards.left))
        elif phase == "shoe":
            bench.do(c.ConfirmStep())
        elif bench.table.shoe is not None and bench.table.shoe.open:
            bench.do(c.OpenBets())
        else:
            bench.do(c.StartShoe())

    def play(self, *, passing: bool = False, until: int = 1000) -> None:
        """Deal the round to its end, or so many steps of it."""
        for _ in range(until):
            now = self.due if self.bench.table.phase.value in {"dealing", "decision"} else None
            if now is None:
                return
            self._step(now, passing=passing)

    def _step(self, now: Any, *, passing: bool) -> None:
        bench, current = self.bench, self.bench.table.round
        if isinstance(now, Deal):
            bench.deal(self.pack.pop(0))
        elif isinstance(now, Choose):
            assert current is not None
            assert current.asking is not None
            sun = "sun" in now.options and not passing
            option = "sun" if sun else choices(bench.setup, bench.table).auto
            bench.do(c.ChooseForSeat(seat=now.seat, window=current.asking.number, option=option))
        else:
            bench.do(c.ConfirmStep())

    def void(self) -> None:
        bench = self.bench
        bench.do(c.CallSupervisor("reason.call.bets"))
        assert bench.table.hold is not None
        assert bench.table.round is not None
        fault, current = bench.table.hold.faults[0].id, bench.table.round.id
        bench.do(c.VoidRound(fault=fault, reason="reason.other", round_id=current), SUPERVISOR)

    def settled(self) -> list[e.RoundSettled]:
        return [each for each in self.bench.events() if isinstance(each, e.RoundSettled)]

    def finished(self) -> e.RoundFinished:
        return [each for each in self.bench.events() if isinstance(each, e.RoundFinished)][-1]

    def money(self) -> int:
        return self.wallet.balance("ann")


@pytest.fixture
def evening(database: Database) -> Evening:
    return Evening(database)


def record(evening: Evening) -> dict[str, tuple[str, int, str, str]]:
    found = SqlBooks(evening.bench.journal).bets_of("ann", 0, 500, "house")
    return {r["id"]: (r["state"], r["returned"], r["round"], r["ended_in"]) for r in found}


def test_bets_on_the_game_stand_until_it_is_won_and_are_paid_once(evening: Evening) -> None:
    first = evening.open(("game:0", 1000), ("game:1", 1000), ("round:0", 100))
    evening.play()
    assert record(evening)["1-game:0"] == ("standing", 0, first, "")
    assert ledger.open_stakes(evening.bench.table) == 2000
    ids = [first]
    while evening.bench.table.staying.count and len(ids) < 30:
        ids.append(evening.open(("round:1", 100)))
        evening.play()
    told = record(evening)
    last = ids[-1]
    ended = [told[f"1-game:{side}"] for side in (0, 1)]
    assert [(state, at, by) for state, _, at, by in ended] == [("settled", first, last)] * 2
    pays = RULES.game_pays.pay.returned(1000)
    assert sorted(returned for _, returned, _, _ in ended) == [0, pays]
    rounds = evening.settled()
    assert [each.staked for each in rounds[:-1]] == [100] * (len(rounds) - 1)
    assert rounds[-1].staked == 2100
    lost = sum(each.staked - each.returned for each in rounds)
    assert evening.money() == OPENING - lost
    assert evening.bench.table.carried[0:2] == (0, 0)
    for round_id in (first, last):
        stream = next(iter(evening.bench.journal.streams()))
        facts = facts_of(evening.bench.journal.read(stream, secrets=True), round_id)
        assert replay("bl1", facts, [RULES]).same


def test_a_deal_that_all_passed_returns_the_bets_on_the_round_and_leaves_the_game(
    evening: Evening,
) -> None:
    evening.open(("game:1", 1000), ("round:0", 100), ("kaboot:yes", 50), ("kaboot:no", 70))
    evening.play(passing=True)
    assert evening.finished().code == "passed"
    assert evening.money() == OPENING - 1000
    assert (evening.settled()[-1].staked, evening.settled()[-1].returned) == (220, 220)
    assert evening.bench.table.staying.ids == ("1-game:1",)


def test_a_void_leaves_what_was_carried_in_and_the_score(evening: Evening) -> None:
    evening.open(("game:1", 1000))
    evening.play()
    score = evening.bench.table.carried
    evening.open(("game:0", 500), ("round:0", 100))
    evening.play(until=30)
    evening.void()
    assert evening.money() == OPENING - 1000
    assert evening.bench.table.carried == score
    evening.open()
    evening.play()
    assert evening.bench.table.carried != score


def test_a_round_that_is_declared_not_played_after_all_gives_score_and_bets_back(
    evening: Evening,
) -> None:
    evening.open(("game:1", 1000))
    evening.play()
    score = evening.bench.table.carried
    evening.open(("game:0", 500), ("round:0", 100))
    evening.play()
    ended = evening.bench.table.results[-1]
    correction = c.CorrectResult(
        round_id=ended.id, cards=(), void=True, reason="reason.camera_proves"
    )
    evening.bench.do(correction, SUPERVISOR)
    assert evening.money() == OPENING - 1000
    assert evening.bench.table.staying.ids == ("1-game:1",)
    assert evening.bench.table.carried == score


def test_a_round_that_is_put_right_by_its_cards_pays_the_differences_and_no_standing_bet(
    evening: Evening,
) -> None:
    evening.open(("game:1", 1000))
    evening.play()
    evening.open(("game:0", 500), ("round:0", 100), ("round:1", 300))
    evening.play()
    bench = evening.bench
    ended = bench.table.results[-1]
    cards = [card for _, card in ended.cards]
    done = None
    for one, other in combinations(reversed(range(len(cards))), 2):
        true = list(cards)
        true[one], true[other] = true[other], true[one]
        wish = c.CorrectResult(
            round_id=ended.id, cards=tuple(true), void=False, reason="reason.camera_proves"
        )
        answer = bench.ask(wish, SUPERVISOR)
        if answer.status == "done":
            assert bench.table.approval is not None
            bench.approve(bench.table.approval.id)
            done = wish
            break
    assert done is not None
    now = bench.table.results[-1]
    assert len(now.corrections) == 1
    assert evening.money() == OPENING - 1500 - now.staked + now.returned
    assert now.staked == 400
    assert sorted(bench.table.staying.ids) == ["1-game:1", "2-game:0"]
    stream = next(iter(bench.journal.streams()))
    facts = facts_of(bench.journal.read(stream, secrets=True), ended.id)
    assert replay("bl1", facts, [RULES]).same
