"""A round of the shared hand through the ordinary runner, its journal on a disk, and a wallet."""

from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Actor, ActorKind
from studio.domain.faults import FaultCode
from studio.domain.observations import CardRead, DeviceOnline
from studio.live.clock import ManualClock
from studio.live.gaming_day import GamingDay
from studio.live.ids import SequentialIds
from studio.live.means import SYSTEM, Means
from studio.live.recovery import restore
from studio.live.runner import TableRunner
from studio.live.treasury import Treasury
from studio.live.wallets import MemoryWallet
from studio.scripted.bench import UTC
from studio.storage.database import open_database
from studio.storage.journal import SqlJournal
from studio.storage.verify import verify
from studio.table.state import Phase
from tests.support.shared import setup_of

PLATFORM = Actor(ActorKind.PLATFORM, "house")
BALANCES = {"ann": 5_000, "bob": 1_200, "cid": 10_000}


class Live:
    """One table whose journal lies on a disk; `again` is the same after a stop."""

    def __init__(self, file: Path, wallet: MemoryWallet, clock: ManualClock, boot: str) -> None:
        self.database = open_database(f"sqlite:///{file}")
        self.journal, self.wallet, self.clock = SqlJournal(self.database), wallet, clock
        treasury = Treasury(wallet)
        restored = restore(self.journal, "bb1", treasury)
        means = Means(
            journal=self.journal,
            treasury=treasury,
            clock=clock,
            ids=SequentialIds(boot),
            day=GamingDay("06:00", UTC),
            threaded=False,
        )
        self.runner = TableRunner(setup_of(("shoe",)), means, restored)
        self.runner.start()
        self.runner.report(
            DeviceOnline(
                device="shoe", at_us=clock.now_us(), model="S", firmware="1", serial="", boot="b0"
            )
        )
        self.runner.flush()
        self.sequence = 0

    def ask(self, command: c.Command, actor: Actor = SYSTEM) -> str:
        future = self.runner.ask(command, actor)
        self.runner.flush()
        answer = future.result(0)
        return answer.code or answer.status

    def cards(self, text: str) -> None:
        for code in text.split():
            self.sequence += 1
            self.runner.report(
                CardRead(
                    device="shoe",
                    at_us=self.clock.now_us(),
                    boot="b0",
                    sequence=self.sequence,
                    card=Card.parse(code),
                )
            )
            self.runner.flush()

    def decide(self, number: int, *texts: str) -> str:
        batch = tuple(c.Decision(text, *text.split()) for text in texts)
        return self.ask(c.PlaceDecisions(f"w{number}{texts}", batch, number), PLATFORM)

    def burn(self, text: str) -> None:
        for _ in range(3):
            self.ask(c.ConfirmStep())
        self.cards(text)
        self.ask(c.ConfirmStep())


@pytest.fixture
def live(tmp_path: Path) -> Live:
    """A table with a burned shoe and three players who have bet."""
    table = Live(tmp_path / "j.db", MemoryWallet(BALANCES), ManualClock(), "one")
    table.ask(c.OpenTable())
    table.ask(c.StartShoe())
    table.burn("AC 2C")
    table.ask(c.OpenBets())
    bets = tuple(c.Bet(f"{p}-main", p, "main", 1_000) for p in BALANCES)
    table.ask(c.PlaceBets("b1", bets), PLATFORM)
    table.ask(c.CloseBets())
    table.cards("8S 6D 8C TC")
    return table


def test_a_round_with_decisions_is_dealt_paid_and_verified(live: Live, tmp_path: Path) -> None:
    assert live.decide(1, "ann M split", "bob M split", "cid M double") == "done"
    table = live.runner.shown.table
    assert table.phase is Phase.DECISION  # bob has not the money: still asked
    live.decide(1, "bob M stand")
    live.cards("2D 2H 3H")
    live.decide(2, "ann L stand", "ann R stand")
    live.ask(c.ConfirmStep())
    live.cards("9D")
    table = live.runner.shown.table
    assert table.round is not None
    assert table.round.state == "settled"
    assert {p: live.wallet.balance(p) for p in BALANCES} == {
        "ann": 7_000, "bob": 2_200, "cid": 12_000,
    }  # fmt: skip
    assert restore(live.journal, "bb1").table == table
    assert verify(f"sqlite:///{tmp_path / 'j.db'}").problems == ()


def test_a_stop_in_the_middle_of_a_window_loses_no_answer_and_no_money(
    live: Live, tmp_path: Path
) -> None:
    live.decide(1, "ann M double", "bob M stand")
    live.runner.stop()
    again = Live(tmp_path / "j.db", live.wallet, live.clock, "two")
    again.sequence = live.sequence
    table = again.runner.shown.table
    assert table.hold is not None
    assert [fault.code for fault in table.hold.faults] == [FaultCode.RECOVERED]
    assert again.decide(1, "cid M stand") == "done"  # taken as refused: the table is held
    fault = table.hold.faults[0].id
    assert again.ask(c.AcceptAsDealt(fault=fault, reason="reason.other")) == "done"
    assert again.ask(c.LiftHold(fault="", reason="reason.other")) == "done"
    assert again.decide(1, "cid M double") == "done"
    again.cards("2D")
    again.ask(c.ConfirmStep())
    again.cards("9D")
    assert {p: again.wallet.balance(p) for p in BALANCES} == {
        "ann": 7_000, "bob": 2_200, "cid": 12_000,
    }  # fmt: skip


def test_a_stop_before_the_wallet_answered_asks_it_again_and_takes_nothing_twice(
    live: Live, tmp_path: Path
) -> None:
    def cut(key: str, entries: object) -> tuple[str, ...]:
        raise ConnectionError(key, entries)

    reserve = live.wallet.reserve
    live.wallet.reserve = cut  # type: ignore[method-assign, assignment]
    live.decide(1, "ann M double", "bob M stand", "cid M stand")
    live.runner.stop()
    live.wallet.reserve = reserve  # type: ignore[method-assign]
    again = Live(tmp_path / "j.db", live.wallet, live.clock, "two")
    executed = [
        record.event
        for record in again.runner.shown.records
        if isinstance(record.event, e.ActionsExecuted)
    ]
    assert [event.columns.amounts for event in executed] == [(1_000,)]
    assert again.wallet.balance("ann") == 3_000
    assert again.runner.shown.table.held


def test_a_batch_of_decisions_with_the_same_id_is_answered_once(live: Live) -> None:
    command = c.PlaceDecisions("b", (c.Decision("d", "ann", "M", "stand"),), 1)
    first = live.runner.ask(command, PLATFORM, command_id="same")
    again = live.runner.ask(command, PLATFORM, command_id="same")
    assert first.result(0) == again.result(0)
    assert live.runner.shown.table.round is not None
    asks = live.runner.shown.table.round.answering
    assert asks is not None
    assert asks.answered == 1
