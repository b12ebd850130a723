"""Between one table and a wallet far away: the table never waits, no amount is forgotten.

A call is taken and answered later, from a thread of its own. A reservation without an answer within
its time means no; then its amount is *unknown*, and the wallet is asked again with the same key
until that is known: what it did reserve goes back, once (DESIGN.md 6). All of it is kept in the
database, so that a stop of the machine forgets nothing.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from random import Random
from typing import Any, Final, Protocol

from studio.domain.envelope import canonical
from studio.live.calling import NotSent, Unanswered
from studio.live.httpwallet import PAY_S, HttpWallet
from studio.live.ports import Clock, StillAsked
from studio.live.wallets import WalletMisused

log = logging.getLogger("cutcard.teller")

FIRST_PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 60.0
"""Pauses between tries grow twofold up to this, each shortened by chance to spread them."""
REMEMBERED: Final = 64
"""Answers kept in memory; older ones are read from the store again."""
FRESH_US: Final = 5_000_000
"""How long a look at the balance counts."""
MICROSECONDS: Final = 1_000_000


class State(StrEnum):
    """What is known of the amounts of a call."""

    ASKED = "asked"
    RESERVED = "reserved"
    """At least one of its stakes is."""
    REFUSED = "refused"
    UNKNOWN = "unknown"
    """Its time is over, players were told no, and the wallet has not said what it did."""
    CAPTURED = "captured"
    """The round was paid."""
    RELEASED = "released"
    """What was reserved has gone back."""
    PAID = "paid"
    """A payment that the wallet has confirmed, or what it took back."""


OPEN: Final = (State.ASKED, State.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One call as it is kept."""

    key: str
    kind: str
    """``reserve``, ``settle`` or ``debit``."""
    table: str
    entries: tuple[tuple[Any, ...], ...]
    state: State = State.ASKED
    refused: tuple[str, ...] = ()
    tries: int = 0
    trouble: str = ""
    history: tuple[tuple[str, int], ...] = ()
    """(state, instant)."""

    @property
    def amount(self) -> int:
        """Sum of its entries, minor units."""
        return sum(entry[-1] for entry in self.entries)

    @property
    def unanswered(self) -> bool:
        """Whether players were told no because the wallet had not answered."""
        return any(state == State.UNKNOWN for state, _ in self.history) or (
            self.state is State.REFUSED and bool(self.trouble)
        )

    @property
    def digest(self) -> str:
        """What the key stands for."""
        plain = [list(entry) for entry in self.entries]
        return sha256(canonical(plain).encode()).hexdigest()


class TellerStore(Protocol):
    """Where calls are kept. Any thread may use it."""

    def keep(self, call: Kept) -> None:
        """Keep a call as it is now known, in one commit."""

    def get(self, key: str) -> Kept | None:
        """A call; None for one that was never kept."""

    def unfinished(self, table: str) -> Sequence[Kept]:
        """The calls of a table that are asked or unknown, in the order in which they began."""

    def end_reserved(self, key: str, state: State, at_us: int) -> None:
        """Give a reserved call another state; with ``/`` at the end all whose key begins so."""


@dataclass(slots=True)
class _Job:
    """A call that is being worked on."""

    call: Kept
    due_us: int
    deadline_us: int | None
    """By when a player must be told; None where nobody waits."""
    pause_s: float = FIRST_PAUSE_S
    sent: bool = False
    """Whether the wallet may know of it."""

    @property
    def key(self) -> str:
        """The key that the wallet is given."""
        return self.call.key.partition(":")[2]


@dataclass(slots=True)
class _Looked:
    """What the wallet said of balances, for a moment."""

    at_us: int
    short: frozenset[tuple[str, str, int]]
    asked: frozenset[tuple[str, str, int]]


@dataclass(slots=True, kw_only=True)
class Teller:
    """One table's way to a wallet far away. The table's thread calls it and never waits."""

    table: str
    wallet: HttpWallet
    store: TellerStore
    clock: Clock
    funds_s: float
    poke: Callable[[], None] = lambda: None
    """Gives the table a tick, once there is an answer."""
    random: Random = field(default_factory=Random)
    name: str = "http"
    trouble: str = ""
    """What the wallet said when it last failed; empty once it answered."""
    _jobs: list[_Job] = field(default_factory=list)
    _answers: dict[str, Kept] = field(default_factory=dict)
    _looked: list[_Looked] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _threads: list[threading.Thread] = field(default_factory=list)
    _ended: bool = False

    # -- the table's thread ---------------------------------------------------------------------

    def waits(self, key: str) -> bool:
        """Whether this call was taken and is not answered yet."""
        with self._news:
            return any(j.key == key and j.call.key not in self._answers for j in self._jobs)

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """The ids that are not reserved; all of them where no answer came in time.

        Raises:
            StillAsked: while there is no answer.
            WalletMisused: for a key that was used for something else.
        """
        answered = self._ask("reserve", key, entries)
        if answered.state is State.UNKNOWN:
            return tuple(entry[0] for entry in answered.entries)
        return answered.refused

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        """Pay; returns once the wallet has confirmed it.

        Raises:
            StillAsked: while it has not.
            WalletMisused: for a key that was used for something else.
        """
        if entries:
            self._ask("settle", key, entries)

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """The players of whom nothing was taken.

        Raises:
            StillAsked: while there is no answer.
            WalletMisused: for a key that was used for something else.
        """
        return self._ask("debit", key, entries).refused

    def short(self, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Which of (id, player, minor units) were not covered when `look` asked, a moment ago.

        Raises:
            Unanswered: if nobody looked, or the wallet did not answer.
        """
        wanted = set(entries)
        now_us = self.clock.monotonic_us()
        with self._news:
            looks = [look for look in self._looked if look.at_us + FRESH_US >= now_us]
        asked: set[tuple[str, str, int]] = set().union(*(look.asked for look in looks))
        if not wanted <= asked:
            raise Unanswered("the balances were not looked at in time")
        short = set().union(*(look.short for look in looks))
        return tuple(entry[0] for entry in entries if entry in short)

    def _ask(self, kind: str, key: str, entries: Sequence[tuple[Any, ...]]) -> Kept:
        call = Kept(key=f"{kind}:{key}", kind=kind, table=self.table, entries=tuple(entries))
        with self._news:
            known = self._answers.get(call.key)
            busy = any(job.call.key == call.key for job in self._jobs)
        if known is None and busy:
            raise StillAsked
        if known is None:
            self._take(call)
            raise StillAsked
        if known.entries != call.entries:
            raise WalletMisused(f"the key {key} was used for another call: nothing was moved")
        return known

    def _take(self, call: Kept) -> None:
        now_us = self.clock.monotonic_us()
        limit_us = round(self.funds_s * MICROSECONDS)
        deadline_us = now_us + limit_us if call.kind == "reserve" else None
        with self._news:
            self._jobs.append(_Job(call, now_us, deadline_us))
            self._news.notify_all()

    # -- any thread -----------------------------------------------------------------------------

    def look(self, entries: Sequence[tuple[str, str, int]], key: str) -> None:
        """Ask the wallet which of these it does not cover, before the table is asked.

        A wallet that does not answer leaves the table without a word: it covers nothing then.
        """
        until_us = self.clock.monotonic_us() + round(self.funds_s * MICROSECONDS)
        wallet = self.wallet.within(lambda: self._left_s(until_us))
        try:
            short = set(wallet.short(key, entries))
        except Unanswered as why:
            self.trouble = str(why)
            return
        now_us = self.clock.monotonic_us()
        poor = frozenset(entry for entry in entries if entry[0] in short)
        with self._news:
            self._looked = [each for each in self._looked if each.at_us + FRESH_US >= now_us]
            self._looked.append(_Looked(now_us, poor, frozenset(entries)))

    def gave_up(self, key: str) -> bool:
        """Whether the players of this reservation were told no for want of an answer."""
        kept = self.store.get(f"reserve:{key}")
        return kept is not None and kept.unanswered

    def unknown(self) -> tuple[int, int]:
        """(calls, minor units) whose state is unknown."""
        with self._news:
            found = [job.call for job in self._jobs if job.call.state is State.UNKNOWN]
        return len(found), sum(call.amount for call in found)

    def start(self) -> None:
        """Take up what was left unknown at a stop, and begin to work."""
        self.take_up()
        for urgent, name in ((True, "funds"), (False, "wallet")):
            thread = threading.Thread(
                target=self._run, args=(urgent,), name=f"{name}-{self.table}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def take_up(self) -> None:
        """What was unknown at a stop is asked for again; what was only asked, the table asks."""
        for call in self.store.unfinished(self.table):
            if call.state is State.UNKNOWN:
                self._answers[call.key] = call
                self._jobs.append(_Job(call, self.clock.monotonic_us(), None, sent=True))

    def stop(self) -> None:
        """End after the call that is being made."""
        with self._news:
            self._ended = True
            self._news.notify_all()
        for thread in self._threads:
            thread.join(timeout=PAY_S + 1)

    # -- its own threads: one for what a player waits for, one for the rest ---------------------

    def _run(self, urgent: bool) -> None:  # noqa: FBT001  a thread's one argument
        while True:
            with self._news:
                if self._ended:
                    return
                wait_s = self._next_s(urgent=urgent)
                if wait_s is None or wait_s > 0:
                    # A clock that is moved by hand wakes nobody here.
                    self._news.wait(None if wait_s is None else min(wait_s, 0.05))
                    continue
            try:
                self.work(urgent=urgent)
            except Exception:
                log.exception("the wallet's calls of table %s could not be kept", self.table)
                self.clock.wait(1.0, lambda: self._ended)

    def _of(self, *, urgent: bool) -> list[_Job]:
        return [job for job in self._jobs if (job.deadline_us is not None) is urgent]

    def _next_s(self, *, urgent: bool) -> float | None:
        """Seconds until something is due; None if nothing is."""
        due = [job.due_us for job in self._of(urgent=urgent)]
        return self._left_s(min(due)) if due else None

    def _left_s(self, until_us: int) -> float:
        return (until_us - self.clock.monotonic_us()) / MICROSECONDS

    def work(self, *, urgent: bool) -> bool:
        """Make the call that is due first, if one is; whether there was one."""
        now_us = self.clock.monotonic_us()
        with self._news:
            due = [job for job in self._of(urgent=urgent) if job.due_us <= now_us]
        if not due:
            return False
        job = min(due, key=lambda each: each.due_us)
        if job.call.state is not State.ASKED or job.call.history or self._begin(job):
            self._try(job)
        return True

    def _begin(self, job: _Job) -> bool:
        """Keep the call before it is made; False for one whose answer is known already."""
        known = self.store.get(job.call.key)
        if known is None:
            self._keep(job, State.ASKED)
            return True
        if known.digest == job.call.digest:
            job.sent = True
            job.call = replace(known, entries=job.call.entries)
            if known.state is State.ASKED:
                return True
        else:
            job.call = known  # the table finds that it asks for something else, and stops
        self._answer(job)
        return False

    def _try(self, job: _Job) -> None:
        job.call = replace(job.call, tries=job.call.tries + 1)
        try:
            refused = self._make(job)
        except NotSent as why:
            self._failed(job, job.call.trouble or str(why))
            return
        except Unanswered as why:
            job.sent = True
            self._failed(job, str(why))
            return
        self.trouble = ""
        job.call = replace(job.call, refused=refused, trouble="")
        if job.call.state is State.UNKNOWN:
            self._make_good(job)
        else:
            self._succeeded(job)

    def _make(self, job: _Job) -> tuple[str, ...]:
        call, deadline_us, wallet = job.call, job.deadline_us, self.wallet
        if deadline_us is not None:
            wallet = wallet.within(lambda: self._left_s(deadline_us))
        match call.kind:
            case "reserve":
                return wallet.reserve(job.key, call.entries)
            case "debit":
                return wallet.debit(job.key, call.entries)
            case _:
                wallet.settle(job.key, call.entries)
                return ()

    def _failed(self, job: _Job, why: str) -> None:
        """Try again later; a player who waits is told no in time."""
        if not self.trouble:
            log.warning("the wallet %s failed for table %s: %s", self.name, self.table, why)
        self.trouble = why
        job.call = replace(job.call, trouble=why)
        if job.deadline_us is not None and self._left_s(job.deadline_us) <= 0:
            self._give_up(job)
            return
        pause_s = job.pause_s * (0.5 + self.random.random() / 2)
        job.pause_s = min(2 * job.pause_s, LONGEST_PAUSE_S)
        due_us = self.clock.monotonic_us() + round(pause_s * MICROSECONDS)
        job.due_us = due_us if job.deadline_us is None else min(due_us, job.deadline_us)

    def _give_up(self, job: _Job) -> None:
        """No answer means no. What the wallet may have done all the same is asked for later."""
        if not job.sent:
            everybody = tuple(entry[0] for entry in job.call.entries)
            job.call = replace(job.call, refused=everybody)
            self._keep(job, State.REFUSED)
            self._answer(job)
            return
        self._keep(job, State.UNKNOWN)
        self._answer(job, done=False)
        with self._news:
            job.due_us = self.clock.monotonic_us() + round(FIRST_PAUSE_S * MICROSECONDS)
            job.deadline_us, job.pause_s = None, FIRST_PAUSE_S
            self._news.notify_all()

    def _succeeded(self, job: _Job) -> None:
        call = job.call
        if call.kind != "reserve":
            self._keep(job, State.PAID)
            self._end_round(job.key)
        else:
            all_refused = len(set(call.refused)) == len({entry[0] for entry in call.entries})
            self._keep(job, State.REFUSED if all_refused else State.RESERVED)
        self._answer(job)

    def _end_round(self, key: str) -> None:
        """What a payment means for the stakes that it pays for."""
        at_us = self.clock.now_us()
        whole, _, what = key.rpartition("/")
        match what:
            case "settled":
                self.store.end_reserved(f"reserve:{whole}/", State.CAPTURED, at_us)
            case "voided":
                self.store.end_reserved(f"reserve:{whole}/", State.RELEASED, at_us)
            case "late":
                self.store.end_reserved(f"reserve:{whole}", State.RELEASED, at_us)
            case _:
                pass

    def _make_good(self, job: _Job) -> None:
        """The answer came after the players were told no: what was reserved goes back, once."""
        call = job.call
        totals: dict[str, int] = {}
        for entry, player, amount in call.entries:
            if entry not in call.refused:
                totals[player] = totals.get(player, 0) + amount
        if totals:
            try:
                self.wallet.settle(f"{job.key}/late", tuple(sorted(totals.items())))
            except Unanswered as why:
                self._failed(job, str(why))
                return
        self._keep(job, State.RELEASED if totals else State.REFUSED)
        self._drop(job)
        self.poke()

    def _keep(self, job: _Job, state: State) -> None:
        history = (*job.call.history, (state.value, self.clock.now_us()))
        job.call = replace(job.call, state=state, history=history)
        self.store.keep(job.call)

    def _answer(self, job: _Job, *, done: bool = True) -> None:
        with self._news:
            self._answers[job.call.key] = job.call
            if done:
                self._jobs.remove(job)
            busy = {each.call.key for each in self._jobs}
            old = [key for key in self._answers if key not in busy]
            for key in old[:-REMEMBERED]:
                del self._answers[key]
        self.poke()

    def _drop(self, job: _Job) -> None:
        with self._news:
            self._jobs.remove(job)
