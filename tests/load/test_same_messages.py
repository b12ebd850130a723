"""Whatever the hidden card is, the studio says the same words, as many, at the same instants.

The same coups are played twice with other cards under the seals, salts and identifiers being the
same. All that is shown, told and kept must be equal to the letter, but for the digests of the seals
themselves (DESIGN.md 7).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import observations as o
from studio.live.desk import Desk
from studio.table.views import to_json
from tests.support.live.bench import BOOT, SUPERVISOR, Bench

DIGEST = re.compile(r"[0-9a-f]{64}")
HIDDEN = (("JS", "QH", "KS"), ("2D", "AC", "2D"), ("TC", "TC", "9H"))
"""Cards under the seals: of other suits, of other values, of more or less cards in the shoe."""
EARLY = ("TH", "AC", "9D")


class Told:
    """Plays one course and keeps, after each step, all that anybody was told."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.desk = Desk(self.bench.runner)
        self.said: list[dict[str, Any]] = []

    def note(self) -> None:
        """Keep what is shown, told, kept and due now."""
        bench, runner = self.bench, self.bench.runner
        views = {
            audience: to_json(self.desk.view(audience, "epoch", bench.clock.now_us()))
            for audience in ("dealer", "supervisor", "overlay", "wall")
        }
        feed = [repr(entry) for entry in bench.journal.feed("ba1")]
        facts = [
            repr(fact) for stream in bench.journal.streams() for fact in bench.journal.read(stream)
        ]
        told = json.dumps(
            {
                "views": views,
                "feed": feed,
                "facts": facts,
                "news": len(bench.changes),
                "seq": runner.shown.seq,
                "step": runner.shown.step_seq,
                "due": runner.deadline(),
                "paid": bench.purse.calls,
            },
            default=str,
        )
        self.said.append(json.loads(DIGEST.sub("#", told)))

    def do(self, command: c.Command, **more: Any) -> None:
        self.bench.ask(command, SUPERVISOR, **more)
        self.note()

    def read(self, *codes: str) -> None:
        for code in codes:
            self.bench.see(self.bench.read(code))
            self.note()

    def burn(self, hidden: tuple[str, ...]) -> None:
        """Open the table and burn these cards face down."""
        self.do(c.OpenTable())
        self.bench.shoe_online()
        self.do(c.StartShoe())
        for _ in range(3):
            self.do(c.ConfirmStep())
        self.read("3C", *hidden)


def burned(told: Told, hidden: tuple[str, ...], _early: str) -> None:
    """The burn alone, then a whole coup of known cards."""
    told.burn(hidden)
    told.do(c.ConfirmStep())
    told.do(c.OpenBets())
    told.do(c.CloseBets())
    told.read("9S", "2S", "KH", "5D")
    told.do(c.ConfirmStep())


def early(told: Told, hidden: tuple[str, ...], early_card: str) -> None:
    """A card before the bets are closed that nobody saw."""
    told.burn(hidden)
    told.do(c.ConfirmStep())
    told.do(c.OpenBets())
    told.read(early_card)


def lost(told: Told, hidden: tuple[str, ...], early_card: str) -> None:
    """The shoe is lost while all of it is hidden, comes back, and the coup is void."""
    early(told, hidden, early_card)
    offline = o.DeviceOffline(device="shoe", at_us=told.bench.clock.now_us(), reason="unplugged")
    told.bench.see(offline)
    told.note()
    told.bench.shoe_online()
    told.note()
    table = told.bench.table
    faults = table.hold.faults if table.hold is not None else ()
    current = table.round
    for fault in faults:
        told.do(
            c.VoidRound(
                fault=fault.id,
                reason="reason.not_provable",
                round_id=current.id if current is not None else "",
            )
        )
    told.do(c.OpenBets())


def unread(told: Told, hidden: tuple[str, ...], _early: str) -> None:
    """One of the burned cards is reported first and named later; another one is not read."""
    told.do(c.OpenTable())
    told.bench.shoe_online()
    told.do(c.StartShoe())
    for _ in range(3):
        told.do(c.ConfirmStep())
    told.read("3C", hidden[0])
    told.bench.see(
        o.CardUnreadable(
            device="shoe", at_us=told.bench.clock.now_us(), boot=BOOT, sequence=90, cause="blurred"
        )
    )
    told.note()
    told.bench._sequence = 90
    told.read(hidden[2])


@pytest.mark.parametrize("course", [burned, early, lost, unread])
def test_other_hidden_cards_change_no_word_no_number_and_no_instant(
    course: Callable[[Told, tuple[str, ...], str], None],
) -> None:
    runs: list[Told] = []
    for hidden, early_card in zip(HIDDEN, EARLY, strict=True):
        runs.append(Told())
        course(runs[-1], hidden, early_card)
    first = runs[0].said
    assert len(first) > 8
    for other in runs[1:]:
        assert len(other.said) == len(first)
        for place, (mine, its) in enumerate(zip(first, other.said, strict=True)):
            for key in mine:
                assert its[key] == mine[key], (place, key)


def test_the_comparison_sees_a_card_that_is_not_hidden() -> None:
    """The shown card of the burn may be known: other cards there are other words."""
    first, second = Told(), Told()
    first.burn(HIDDEN[0])
    second.do(c.OpenTable())
    second.bench.shoe_online()
    second.do(c.StartShoe())
    for _ in range(3):
        second.do(c.ConfirmStep())
    second.read("3D", *HIDDEN[0])
    assert first.said != second.said
