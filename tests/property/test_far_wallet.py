"""Whatever a far wallet does with its calls, what a table believes and what it holds agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from studio.live.calling import Unanswered
from studio.live.clock import ManualClock
from studio.live.ports import StillAsked
from studio.live.teller import OPEN, Kept, State, Teller

PLAYERS = ("ann", "bob", "cid")
OPENING = 10_000
MOODS = ("well", "silent", "deaf")
"""Answers · does it and is not heard · does nothing and does not answer."""


@dataclass
class FarWallet:
    """Idempotent by key, as the manual asks; its mood decides what comes back."""

    moods: list[str] = field(default_factory=list)
    balances: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, OPENING))
    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def within(self, _left_s: Any) -> FarWallet:
        return self

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        return self._call(f"reserve:{key}", [(i, p, -a) for i, p, a in entries])

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        self._call(f"settle:{key}", [(p, p, a) for p, a in entries])

    def _call(self, key: str, entries: list[tuple[str, str, int]]) -> tuple[str, ...]:
        mood = self.moods.pop(0) if self.moods else "well"
        if mood == "deaf":
            raise Unanswered("it did not answer in time")
        if key not in self.answers:
            refused = []
            for name, player, amount in entries:
                if self.balances[player] + amount < 0:
                    refused.append(name)
                else:
                    self.balances[player] += amount
            self.answers[key] = tuple(refused)
        if mood == "silent":
            raise Unanswered("it did not answer in time")
        return self.answers[key]


@dataclass
class Kepts:
    """The store in memory."""

    calls: dict[str, Kept] = field(default_factory=dict)

    def keep(self, call: Kept) -> None:
        self.calls[call.key] = call

    def get(self, key: str) -> Kept | None:
        return self.calls.get(key)

    def unfinished(self, table: str) -> Sequence[Kept]:
        return [each for each in self.calls.values() if each.state in OPEN]

    def end_reserved(self, key: str, state: State, at_us: int) -> None:
        for name, call in list(self.calls.items()):
            if (
                name.startswith(key) if key.endswith("/") else name == key
            ) and call.state is State.RESERVED:
                self.calls[name] = replace(call, state=state)


def teller_over(wallet: FarWallet, store: Kepts, clock: ManualClock) -> Teller:
    return Teller(
        table="ba1",
        wallet=wallet,  # type: ignore[arg-type]
        store=store,
        clock=clock,
        funds_s=3.0,
        random=Random(1),
    )


def work(teller: Teller, clock: ManualClock, seconds: float) -> None:
    """Let both its threads do what is due, second by second."""
    for _ in range(round(seconds * 4)):
        while teller.work(urgent=True) or teller.work(urgent=False):
            pass
        clock.advance(250_000)


def until_told(teller: Teller, clock: ManualClock, ask: Callable[[], Any]) -> Any:
    """What a table does: the same call again at each tick, until there is an answer."""
    for _ in range(4 * 600):
        try:
            return ask()
        except StillAsked:
            work(teller, clock, 0.25)
    raise AssertionError("the table is never told")


BATCHES = st.lists(
    st.lists(st.tuples(st.sampled_from(PLAYERS), st.integers(1, 6000)), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)


@given(
    batches=BATCHES,
    moods=st.lists(st.sampled_from(MOODS), max_size=24),
    stops=st.sets(st.integers(0, 3)),
)
def test_nothing_is_reserved_that_no_table_believes_and_nothing_goes_back_twice(
    batches: list[list[tuple[str, int]]], moods: list[str], stops: set[int]
) -> None:
    wallet, store, clock = FarWallet(list(moods)), Kepts(), ManualClock()
    teller = teller_over(wallet, store, clock)
    believed = dict.fromkeys(PLAYERS, OPENING)
    for number, batch in enumerate(batches):
        entries = tuple((f"b{number}-{n}", p, a) for n, (p, a) in enumerate(batch))
        refused = until_told(teller, clock, lambda: teller.reserve(f"r{number}/b", entries))  # noqa: B023
        if number in stops:
            teller = teller_over(wallet, store, clock)
            teller.take_up()
            again = until_told(teller, clock, lambda: teller.reserve(f"r{number}/b", entries))  # noqa: B023
            assert again == refused, "a restart changes no answer"
        won: dict[str, int] = {}
        for name, player, amount in entries:
            if name not in refused:
                believed[player] -= amount
                won[player] = won.get(player, 0) + 2 * amount
        until_told(
            teller,
            clock,
            lambda: teller.settle(f"r{number}/settled", tuple(won.items())),  # noqa: B023
        )
        for player, amount in won.items():
            believed[player] += amount
    wallet.moods.clear()
    work(teller, clock, 200)
    assert wallet.balances == believed
    assert not store.unfinished("ba1")
    reserved = {call.state for call in store.calls.values() if call.kind == "reserve"}
    assert reserved <= {State.CAPTURED, State.REFUSED, State.RELEASED}
