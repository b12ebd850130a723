"""Any course of rounds, voids, corrections, restarts and days: each standing bet is paid once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.domain import commands as c
from studio.domain import events as e
from studio.live.wallets import MemoryWallet
from studio.table import ledger
from tests.support.evening import HIGH, LOW, PLAYER, evening_setup
from tests.support.live.bench import SUPERVISOR, Bench

OPENING = 1_000_000
DAY_US = 24 * 3600 * 1_000_000
BANKER = "2S 9D KH TD"
NAMES = ("ann", "bob")
KINDS = ("evening:high", "evening:high", "evening:low", "player", "tie")
COUPS = (PLAYER, BANKER, HIGH, LOW)
WORDS = ("round",) * 5 + ("correct",) * 4 + ("void", "restart", "day")
Bet = tuple[str, str, int]
"""(player, kind of bet, stake)."""
Step = tuple[str, str, list[Bet]]
"""(what happens, cards, bets)."""


def course_of(seed: int) -> list[Step]:
    """A course of eight steps; half of the corrections declare a round not played."""
    random = Random(seed)
    course: list[Step] = []
    for word in random.choices(WORDS, k=8):
        cards = random.choice(COUPS) if word != "correct" or random.random() < 0.5 else ""
        count_of = random.randint(0, 3)
        bets = [
            (random.choice(NAMES), random.choice(KINDS), random.randint(1, 500))
            for _ in range(count_of)
        ]
        course.append((word, cards, bets))
    return course


@dataclass
class Model:
    """What the money must be, worked out again from the first round on."""

    rounds: list[tuple[str, list[Bet]]] = field(default_factory=list)
    """(its true cards or nothing for a void, its own bets)."""

    def now(self) -> tuple[dict[str, int], list[Bet]]:
        """Balances, and the bets that stand."""
        has = dict.fromkeys(NAMES, OPENING)
        standing: list[Bet] = []
        for cards, own in self.rounds:
            standing = self._round(has, standing, cards, own)
        return has, standing

    @staticmethod
    def _round(
        has: dict[str, int],
        standing: list[Bet],
        cards: str,
        own: list[Bet],
    ) -> list[Bet]:
        if not cards:
            return standing
        for player, _, stake in own:
            has[player] -= stake
        outcome = {PLAYER: "player", BANKER: "banker"}.get(cards, "tie")
        ended = outcome == "tie"
        for player, bet, stake in [*standing, *own] if ended else own:
            has[player] += _back(cards, outcome, bet, stake)
        evening = [bet for bet in own if bet[1].startswith("evening")]
        return [] if ended else [*standing, *evening]


def _back(cards: str, outcome: str, bet: str, stake: int) -> int:
    """What a bet returns that this round ends."""
    won = {"evening:high": cards == HIGH, "evening:low": cards == LOW, "tie": outcome == "tie"}
    pays = {"evening:high": stake * 2, "evening:low": stake * 5 // 2, "tie": stake * 9}
    if bet == "player":
        return {"player": stake * 2, "tie": stake}.get(outcome, 0)
    return pays[bet] if won[bet] else 0


class Evening:
    """A table and its model."""

    def __init__(self) -> None:
        self.wallet = MemoryWallet(dict.fromkeys(NAMES, OPENING))
        setup = evening_setup()
        self.bench = Bench(setup=setup, purse=self.wallet)  # type: ignore[arg-type]
        self.bench.open_shoe()
        self.model = Model()
        self.ids = count()
        self.ended: dict[str, int] = {}
        """Place in the model of each round that was settled, by its id."""

    def play(self, coup: str, bets: list[Bet], *, void: bool) -> None:
        """A round to its end."""
        bench = self.bench
        if bench.table.phase.value == "result":
            bench.do(c.ConfirmStep())
        while bench.table.phase.value == "result":
            bench.wait()
        if bench.table.phase.value == "idle":
            bench.do(c.OpenBets())
        if bets:
            bench.bet(f"b{next(self.ids)}", *bets)
        bench.do(c.CloseBets())
        assert bench.table.round is not None
        if void:
            bench.do(c.CallSupervisor("reason.call.bets"))
            assert bench.table.hold is not None
            fault, current = bench.table.hold.faults[0].id, bench.table.round.id
            bench.do(c.VoidRound(fault=fault, reason="reason.other", round_id=current), SUPERVISOR)
            self.model.rounds.append(("", bets))
            return
        bench.deal(coup)
        self.ended[bench.table.round.id] = len(self.model.rounds)
        self.model.rounds.append((coup, bets))

    def correct(self, cards: str) -> None:
        """Put the newest settled round right, if the table takes it."""
        bench = self.bench
        if not bench.table.results:
            return
        ended = bench.table.results[-1]
        named = tuple(map(c.Card.parse, cards.split()))
        command = c.CorrectResult(
            round_id=ended.id, cards=named, void=not cards, reason="reason.camera_proves"
        )
        at = self.ended[ended.id]
        before = replace(self.model, rounds=list(self.model.rounds))
        answer = bench.ask(command, SUPERVISOR)
        if answer.status != "done":
            assert answer.code in {"refused.same_result", "refused.carried_on"}, answer
            if answer.code == "refused.carried_on":
                before.rounds[at] = (cards, before.rounds[at][1])
                assert before.now()[1] != self.model.now()[1]
            return
        assert bench.table.approval is not None
        bench.approve(bench.table.approval.id)
        self.model.rounds[at] = (cards, self.model.rounds[at][1])

    def restart(self) -> None:
        """The studio stops and comes back; what holds it is answered."""
        old = self.bench
        self.bench = Bench(
            old.journal,
            clock=old.clock,
            purse=self.wallet,  # type: ignore[arg-type]
            setup=old.setup,
            prefix=f"again{next(self.ids)}-",
        )
        self.bench._sequence = old._sequence
        self.bench.shoe_online()
        hold = self.bench.table.hold
        for fault in hold.faults if hold is not None else ():
            word = c.AcknowledgeFault(fault=fault.id, reason="reason.other")
            self.bench.do(word, SUPERVISOR)
        if self.bench.table.hold is not None:
            self.bench.do(c.LiftHold(fault="", reason="reason.other"), SUPERVISOR)

    def check(self) -> None:
        """Money is where the model has it, and no bet stands that it does not have."""
        has, standing = self.model.now()
        assert {name: self.wallet.balance(name) for name in NAMES} == has
        stands = sorted((p, b, s) for _, p, b, s in self.bench.table.staying.rows())
        assert stands == sorted(standing)
        lies = sum(stake for _, _, stake in standing)
        assert ledger.open_stakes(self.bench.table) == lies
        for event in self.bench.events():
            if isinstance(event, e.RoundSettled):
                assert event.staked == sum(row.staked for row in event.rows)
                assert len(set(event.columns.ids)) == event.columns.count


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_money_adds_up_and_each_standing_bet_is_paid_once(seed: int) -> None:
    evening = Evening()
    for what, cards, bets in course_of(seed):
        match what:
            case "round" | "void":
                evening.play(cards, bets, void=what == "void")
            case "correct":
                evening.correct(cards)
            case "restart":
                evening.restart()
            case _:
                evening.bench.clock.advance(DAY_US)
                evening.bench.runner.tick()
                evening.bench.runner.flush()
        evening.check()
