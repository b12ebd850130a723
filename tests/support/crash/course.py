"""A random course of a table: dealers, players, readers and supervisors who do anything at all."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import PACK, Card
from studio.domain.envelope import Actor
from studio.domain.faults import Fault
from studio.games.procedure import Confirm, Count, Deal
from studio.table.approvals import waiting
from studio.table.repairs import why_not
from studio.table.state import Phase
from studio.table.turn import due
from tests.support.crash.doom import PLAYERS, Courier, DoomedWallet
from tests.support.live.bench import DEALER, PIT_BOSS, PLATFORM, SECOND, SUPERVISOR, Bench

HOUR_US = 3_600_000_000
REASON = "reason.other"
REPAIRS = (
    c.AcknowledgeFault,
    c.RetryDevice,
    c.MarkDead,
    c.BurnCard,
    c.UseAsNextCard,
    c.AssignCard,
    c.AcceptAsDealt,
    c.PassSelfTest,
    c.KeyInCard,
    c.CorrectCard,
    c.RescanRound,
    c.VoidRound,
)
BETS = ("player", "banker", "tie", "big", "small", "lucky_six")


class Course:
    """Works one bench, step by step, and writes down what it asks and what it was told.

    The file `told` has a line for each thing that was asked (``?``) and for each that was answered
    (``!``): what was answered must be there after any end of the process.
    """

    def __init__(
        self, bench: Bench, wallet: DoomedWallet, courier: Courier, told: Path, seed: str
    ) -> None:
        self.bench = bench
        self.wallet = wallet
        self.courier = courier
        self._told = told.open("a", buffering=1)
        self._random = Random(seed)
        self._seed = seed
        self._asked = 0
        self._sequence = 0
        self._boot = f"{self._random.randrange(2**32):08X}"
        self._batches: list[tuple[str, int]] = []
        self._ended: dict[str, tuple[Card, ...]] = {}

    def run(self, steps: int) -> None:
        """Do so many things."""
        for _ in range(steps):
            self.step()

    def step(self) -> None:
        """Do one thing that somebody might do now."""
        chance = self._random.random()
        if chance < 0.15:
            self.courier.carry()
        elif chance < 0.17:
            self.bench.clock.set_wall(
                self.bench.clock.now_us() + self._random.choice((HOUR_US, -HOUR_US))
            )
        elif chance < 0.20:
            self.wallet.down = not self.wallet.down
        elif chance < 0.26:
            self._wait()
        elif waiting(self.bench.table) is not None and chance < 0.8:
            self._second()
        elif self.bench.table.held:
            self._supervise()
        else:
            self._go_on()

    # -- telling -----------------------------------------------------------------------------------

    def ask(self, command: c.Command, actor: Actor, **more: Any) -> bool:
        """Ask, and note both that and the answer; whether it was done."""
        self._asked += 1
        command_id = f"{self._seed}-{self._asked}"
        self._told.write(f"? {command_id}\n")
        answer = self.bench.ask(command, actor, command_id=command_id, **more)
        if answer.status == "done":
            self._told.write(f"! {command_id}\n")
        return answer.status == "done"

    def see(self, seen: o.Observation) -> None:
        """Report, and note it once it was taken."""
        self.bench.see(seen)
        if isinstance(seen, o.CardRead | o.CardUnreadable):
            self._told.write(f"read {seen.boot} {seen.sequence}\n")

    def _wire(self) -> dict[str, Any]:
        self._sequence += 1
        return {
            "device": "shoe",
            "at_us": self.bench.clock.now_us(),
            "boot": self._boot,
            "sequence": self._sequence,
        }

    def _card(self) -> Card:
        shoe = self.bench.table.shoe
        while True:
            card = self._random.choice(PACK)
            if shoe is None or shoe.cards.may_hold(card):
                return card

    def _online(self) -> None:
        self.see(
            o.DeviceOnline(
                device="shoe",
                at_us=self.bench.clock.now_us(),
                model="M",
                firmware="1",
                serial="S",
                boot=self._boot,
            )
        )

    def _wait(self) -> None:
        deadline = self.bench.runner.deadline()
        now_us = self.bench.runner.now_us()
        jump_us = self._random.randrange(1, 4_000_000)
        if deadline is not None and self._random.random() < 0.7:
            jump_us = max(1, deadline - now_us)
        self.bench.clock.advance(jump_us)
        self.bench.runner.tick()
        self.bench.runner.flush()

    # -- people ------------------------------------------------------------------------------------

    def _second(self) -> None:
        asked = waiting(self.bench.table)
        assert asked is not None
        chance = self._random.random()
        if chance < 0.7:
            self.ask(c.Approve(approval=asked.id), PIT_BOSS, by=SECOND)
        elif chance < 0.85:
            self.ask(c.Decline(approval=asked.id, reason=REASON), PIT_BOSS, by=SECOND)
        else:
            self.ask(c.WithdrawApproval(approval=asked.id), SUPERVISOR)

    def _supervise(self) -> None:
        hold = self.bench.table.hold
        assert hold is not None
        chance = self._random.random()
        if chance < 0.15:
            self._online()
            return
        if chance < 0.2:
            passed = self._random.random() < 0.8
            at_us = self.bench.clock.now_us()
            self.see(o.SelfTested(device="shoe", at_us=at_us, passed=passed, text=""))
            return
        if chance < 0.25:
            self._read()
            return
        if chance < 0.3 and self.bench.table.phase is Phase.SHOE:
            self.ask(c.EndShoe(reason=REASON), SUPERVISOR)
            return
        if not hold.faults:
            fault = hold.answered[-1][0] if hold.answered else ""
            self.ask(c.LiftHold(fault=fault, reason=REASON), SUPERVISOR)
            return
        fault = self._random.choice(hold.faults)
        named = [kind for kind in REPAIRS if self._allowed(fault, kind)]
        kinds = named if named and self._random.random() < 0.8 else REPAIRS
        self.ask(self._repair(fault.id, self._random.choice(kinds)), SUPERVISOR)

    def _allowed(self, fault: Fault, kind: type[Any]) -> bool:
        return why_not(self.bench.setup, self.bench.table, fault, kind.__name__) is None

    def _repair(self, fault: str, kind: type[Any]) -> c.Command:
        common: dict[str, Any] = {"fault": fault, "reason": REASON}
        table = self.bench.table
        if kind is c.KeyInCard:
            common["card"] = self._card()
        elif kind is c.CorrectCard:
            places = table.play.places if table.play else ()
            common |= {"index": self._random.randrange(len(places) or 1), "card": self._card()}
        elif kind is c.VoidRound:
            common["round_id"] = table.round.id if table.round else ""
        repair: c.Command = kind(**common)
        return repair

    def _go_on(self) -> None:
        table = self.bench.table
        if self._random.random() < 0.02:
            self.ask(c.CallSupervisor(), DEALER)
            return
        match table.phase:
            case Phase.CLOSED:
                self.ask(c.OpenTable(), SUPERVISOR)
            case Phase.IDLE:
                self._idle()
            case Phase.BETTING:
                self._betting()
            case Phase.SHOE | Phase.DEALING:
                self._deal()
            case Phase.RESULT:
                self._result()

    def _idle(self) -> None:
        table = self.bench.table
        if not table.device("shoe").online:
            self._online()
        elif table.shoe is None or not table.shoe.open:
            self.ask(c.StartShoe(), DEALER)
        elif self._random.random() < 0.1:
            self._correct()
        elif not self.ask(c.OpenBets(), DEALER):
            self.ask(c.EndShoe(reason=REASON), DEALER)

    def _betting(self) -> None:
        chance = self._random.random()
        if chance < 0.6:
            batch = f"{self._seed}-b{len(self._batches)}"
            count = self._random.randrange(1, 5)
            bets = tuple(
                c.Bet(
                    f"{batch}-{n}",
                    self._random.choice(PLAYERS),
                    self._random.choice(BETS),
                    self._random.randrange(100, 5000),
                )
                for n in range(count)
            )
            self._batches.append((batch, count))
            self.ask(c.PlaceBets(batch, bets), PLATFORM)
        elif chance < 0.75 and self._batches:
            batch, count = self._batches[-1]
            ids = tuple(f"{batch}-{n}" for n in range(self._random.randrange(1, count + 1)))
            self.ask(c.WithdrawBets(f"{batch}-w", ids), PLATFORM)
        elif chance < 0.78:
            self._read()
        else:
            self.ask(c.CloseBets(), DEALER)

    def _deal(self) -> None:
        match due(self.bench.setup, self.bench.table):
            case Deal():
                self._read()
            case Count():
                shoe = self.bench.table.shoe
                left = shoe.cards.left if shoe else 0
                self.ask(c.EnterCount(left - (self._random.random() < 0.1)), DEALER)
            case Confirm():
                self.ask(c.ConfirmStep(), DEALER)
            case _:
                self.ask(c.ConfirmStep(), DEALER)

    def _read(self) -> None:
        chance = self._random.random()
        at_us = self.bench.clock.now_us()
        if chance < 0.93:
            self.see(o.CardRead(**self._wire(), card=self._card()))
        elif chance < 0.945:
            self.see(o.CardUnreadable(**self._wire(), cause="blurred"))
        elif chance < 0.96:
            card = self._card()
            self.see(o.CardRead(**self._wire(), card=card))
            self.see(o.CardRead(**self._wire(), card=card, again=True))
        elif chance < 0.97:
            first = self._sequence + 1
            self._sequence += 2
            self.see(
                o.SequenceGap(
                    device="shoe", at_us=at_us, boot=self._boot, first=first, last=first + 1
                )
            )
        elif chance < 0.98:
            self.see(o.DeviceOffline(device="shoe", at_us=at_us, reason="unplugged"))
        elif chance < 0.99:
            self.see(o.CutCardOut(**self._wire()))
        else:
            self.see(o.CardRead(**self._wire(), card=None))

    def _result(self) -> None:
        table = self.bench.table
        places = table.play.places if table.play else ()
        if table.round is not None:
            cards = tuple(place.card for place in places if place.card is not None)
            self._ended.setdefault(table.round.id, cards)
        chance = self._random.random()
        if chance < 0.5:
            self.ask(c.ConfirmStep(), DEALER)
        elif chance < 0.6:
            self._correct()
        elif chance < 0.63:
            self._read()
        else:
            self._wait()

    def _correct(self) -> None:
        if not self._ended:
            return
        round_id = self._random.choice(list(self._ended))
        if self._random.random() < 0.3:
            command = c.CorrectResult(round_id=round_id, void=True, reason=REASON)
        else:
            fell = self._ended[round_id]
            wrong = self._random.randrange(len(fell) or 1)
            cards = tuple(self._card() if at == wrong else card for at, card in enumerate(fell))
            command = c.CorrectResult(round_id=round_id, cards=cards, reason=REASON)
        self.ask(command, SUPERVISOR)
