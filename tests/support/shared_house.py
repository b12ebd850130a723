"""A served studio with one table of the shared hand, worked by hand on a clock moved by hand."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from studio.games.procedure import Deal, Facing, Peek, Reveal
from studio.launch import Options
from studio.live.clock import ManualClock
from studio.live.ids import SequentialIds
from studio.table.state import Phase
from studio.table.turn import due
from tests.integration.studio.test_tables import Table
from tests.support.eye import Eye, kind_of
from tests.support.outside import Outside
from tests.support.platform import KEY, Caller
from tests.support.shared import ZONES
from tests.support.taint import House

TABLE = "bb1"
START_US = 1_800_000_000_000_000
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Six people sign in at each house, and nobody here guesses their PIN."""
WALLET_KEY = "wallet-key-0123456789"
PEEK_S = 2.0
BURN = ("2C", "3D", "3S")
"""The first card and the two that it burns."""
REST = ["4C", "5D", "6S", "4S", "5C", "4D", "5S"] * 8


class SharedHouse(House):
    """The house, its dealer's hands, its people, and a platform outside that is told by webhook."""

    def __init__(
        self,
        folder: Path,
        said: io.StringIO,
        sources: tuple[str, ...],
        *,
        patch: pytest.MonkeyPatch,
        outside: Outside,
        late: bool = False,
        far: bool = False,
    ) -> None:
        """Start it; `said` is where its log goes.

        `late`: the shoe names a card after it came; `far`: the platform outside keeps the wallet.
        """
        self.eyes: list[Eye] = []
        self.outside = outside
        patch.setattr("studio.launch.camera_kind", kind_of(self.eyes, ZONES))
        patch.setattr("studio.live.accounts.HASHER", QUICK)
        self.clock = ManualClock(START_US)
        table: dict[str, Any] = {
            "game": "boundless-blackjack",
            "sources": list(sources),
            "betting_s": 600.0,
            "decision_s": 600.0,
            "insurance_s": 600.0,
            "peek_s": PEEK_S,
            "result_s": 0.0,
            "limits": {"main": [100, 500000], "pair": [100, 50000]},
        }
        if "shoe" in sources:
            table["shoe"] = {
                "url": "sim:",
                "silence_s": 60.0,
                "options": {"trace": str(folder / "wire.jsonl")},
            }
        if "camera" in sources:
            table["camera"] = {"source": "synthetic:"}
        super().__init__(
            folder,
            said,
            table,
            name=TABLE,
            platforms={"house": {"webhook": f"{outside.url}/webhook"}},
            secrets={"CUTCARD_PLATFORM_HOUSE_KEY": KEY, "CUTCARD_WALLET_KEY": WALLET_KEY},
            **({"wallet": outside.wallet()} if far else {}),
            options=Options(
                clock=self.clock,
                timers=False,
                ids=SequentialIds("id-"),
                salt=SequentialIds("salt-").new,
                wire={"late_identity": late} if late else {},
            ),
        )
        self.sources, self.asked = sources, 0
        self.answers: list[tuple[str, str]] = []
        self.worker = Table(self.studio, TABLE)
        self.calls = Caller(self.server.url)
        if self.studio.wallet is not None:
            self.studio.wallet.create("ann", 100_000)
        else:
            outside.rich("ann")

    @property
    def wire(self) -> Any:
        """The shoe, where there is one."""
        return self.studio.wires.get(TABLE)

    @property
    def due(self) -> Any:
        """What the table waits for."""
        desk = self.worker.desk
        return due(desk.setup, desk.table())

    # -- people ----------------------------------------------------------------------------------

    def ask(self, name: str, number: str = "2001", **args: Any) -> Any:
        """Somebody at a console asks; what was answered."""
        person = self.studio.accounts.signed_in(self._session(number))
        self.asked += 1
        command_id = f"ask-{self.asked:06}"
        answer = self.studio.submit(
            TABLE, name, args, person=person, command_id=command_id, seq=None, timeout_s=20.0
        )
        self.answers.append((name, repr(answer)))
        return answer

    def do(self, name: str, number: str = "2001", **args: Any) -> None:
        """The same, and it is done."""
        answer = self.ask(name, number, **args)
        assert answer.status == "done", (name, answer)

    def answer(self, command: str) -> None:
        """A supervisor answers the fault so, and play goes on."""
        self.do(command, fault=self.fault(), reason="reason.other")
        self.do("LiftHold", fault="", reason="reason.other")

    def page(self, address: str, number: str) -> Any:
        """What somebody who is signed in gets at an address."""
        browser = self.app.test_client()
        browser.set_cookie("cutcard_session", self._session(number))
        return browser.get(address)

    def fault(self) -> str:
        """The id of the first open fault."""
        hold = self.worker.desk.table().hold
        assert hold is not None
        return hold.faults[0].id

    # -- the dealer's hands ----------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Time passes for all that waits."""
        self.studio.flush()
        self.clock.advance(round(seconds * 1_000_000))
        self.studio.tick()
        self.told()

    def told(self) -> None:
        """The platform is told what is in the outbox."""
        for messenger in self.studio.platform._messengers:
            while messenger.turn() == 0.0:
                pass

    def come(self, *codes: str) -> None:
        """Cards come out of the shoe, each to where it is due."""
        for code in codes:
            now, lying = self.due, self.lying
            assert isinstance(now, Deal), now
            version = self.worker.desk.table().version
            if self.wire is not None:
                self.wire.draw()
                self.worker.until(lambda desk, at=version: desk.table().version > at)  # type: ignore[misc]
                assert self.wire.quiet(20.0)
            if self.eyes:
                self.eyes[0].lay(now.to, "XX" if now.face is Facing.DOWN else code)
            self.worker.until(lambda _desk, were=lying: self.lying > were or self.held)  # type: ignore[misc]

    @property
    def reserved(self) -> bool:
        """Whether the wallet has said yes to every batch of bets."""
        current = self.worker.desk.table().round
        return current is not None and all(not batch.pending for batch in current.batches)

    @property
    def lying(self) -> int:
        """How many cards of the running procedure were accepted."""
        play = self.worker.desk.table().play
        return 0 if play is None else len(play.places)

    @property
    def held(self) -> bool:
        """Whether the table is held."""
        return self.worker.desk.table().held

    def begin(self, *cards: str) -> None:
        """A new shoe is burned, ann has a bet, and these cards are dealt; the rest is plain."""
        table = self.worker
        table.until(lambda desk: all(desk.table().device(each).online for each in self.sources))
        if self.wire is not None:
            self.wire.load([*BURN, *cards, *REST])
        self.do("OpenTable")
        self.do("StartShoe")
        for _ in range(3):
            self.do("ConfirmStep")
        self.come(*BURN)
        if self.eyes:
            self.eyes[0].take("BURN")
        else:
            self.do("ConfirmStep")
        table.until(lambda desk: desk.table().phase is Phase.IDLE)
        self.do("OpenBets")
        self.calls.bets(TABLE, self.rounds()[0], [("b-1", "ann", "main", 1000)], key="bets-1")
        table.until(lambda _desk: self.reserved)
        self.do("CloseBets")
        self.come(*cards)

    def to_decisions(self) -> None:
        """The instant comes at which the secret look is told; players choose."""
        assert isinstance(self.due, Peek)
        self.wait(PEEK_S)
        self.worker.until(lambda desk: desk.table().phase is Phase.DECISION)

    def stand(self) -> None:
        """Ann stands; the hole card is to be turned."""
        current = self.worker.desk.table().round
        assert current is not None
        assert current.answering is not None
        given = [("d-1", "ann", "M", "stand")]
        self.calls.decide(TABLE, current.id, current.answering.number, given, key="decisions-1")
        self.worker.until(lambda _desk: isinstance(self.due, Reveal))

    # -- what leaves -------------------------------------------------------------------

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Hidden pictures lie on the disk as the seals do in the database: nobody is given them."""
        hidden = {item.name for item in self.kept() if item.kind == "hidden"}
        for where, data in super()._files():
            if where.removeprefix("file ") not in hidden:
                yield where, data

    def everything(self) -> Iterator[tuple[str, str | bytes]]:
        """All that anybody can get out of this studio, the platform too."""
        self.told()
        yield from super().everything()
        here = f"/api/v1/tables/{TABLE}"
        targets = [f"{here}/feed?after=0", "/api/v1/tables", here, "/api/v1/players/ann/bets"]
        targets += [f"{here}/rounds/{each}" for each in self.rounds()]
        for target in targets:
            answer = self.calls.get(target)
            yield f"{target} to the platform", answer.body + str(dict(answer.headers)).encode()
        for target, told in list(self.outside.server.heard):
            yield f"webhook {target}", repr(told)
