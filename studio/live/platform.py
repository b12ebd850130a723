"""What a betting platform asks of the studio: who it is, its bets and decisions, the feed, results.

Everything here may be called from any thread; the tables' own threads never wait for a platform.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.envelope import Actor, ActorKind, Outgoing, Recorded
from studio.live.answers import Answer
from studio.live.desk import Desk
from studio.live.feed import at_of, entry_json, round_json
from studio.live.messenger import Messenger
from studio.live.owners import Owners
from studio.live.ports import Journal
from studio.live.signing import call_holds
from studio.live.teller import Teller
from studio.table.book import Book
from studio.table.decisions import costly

SKEW_S: Final = 60
"""Seconds that the time of a call may be off, either way (CONTRACTS.md 8)."""
MOST_ENTRIES: Final = 5_000
"""Entries of one batch (CONTRACTS.md 8)."""
LONGEST_ID: Final = 100
"""Characters of an id that a platform gives: of a bet, a player, or a call."""
MOST_WAITING: Final = 16
"""Readers of the feed that may wait at once; each keeps a thread of the server."""
LONGEST_WAIT_S: Final = 25.0
ANSWER_S: Final = 5.0
"""How long a table may take for a batch before the platform is told to ask again."""
CLOSED: Final = "refused.bets_closed"
WINDOW_CLOSED: Final = "refused.window_closed"
UNANSWERED: Final = "refused.funds_unanswered"
BALANCE: Final = "refused.balance"


class Books(Protocol):
    """What a platform reads that no table has in memory. Any thread may call it."""

    def round_entries(self, table: str, round_id: str) -> Sequence[Outgoing]:
        """All entries of the outbox about a round, in order; empty for one that does not exist."""

    def newest_rounds(self, table: str, before: int, limit: int) -> Sequence[tuple[int, str]]:
        """(n of its opening, id) of the rounds opened before entry `before`, newest first."""

    def batch_facts(self, command_id: str, batch: str) -> Sequence[Recorded]:
        """The facts about one batch, in order: of bets until they were answered or closed."""

    def bets_of(
        self, player: str, before: int, limit: int, platform: str
    ) -> Sequence[Mapping[str, Any]]:
        """A player's bets that this platform placed, newest first, with what their plays cost.

        Only those whose number is below `before`.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a platform as far as its signature goes."""

    key: str
    timestamp: str
    signature: str
    method: str
    target: str
    """Path with query, as it was sent."""
    body: bytes
    idempotency: str = ""
    """What the platform calls this call; empty: its signature names it."""
    platform: str = ""
    """Who it is, once it was admitted."""

    def command_id(self) -> str:
        """What names this call for ever; the same call again has the same."""
        return f"platform/{self.platform}/{self.idempotency or self.signature.lower()}"

    def batch(self, *where: str) -> str:
        """The name of the batch in the journal: another body, round or table makes another."""
        told = "\n".join((self.command_id(), *where, hashlib.sha256(self.body).hexdigest()))
        return f"{self.platform}.{hashlib.sha256(told.encode()).hexdigest()[:24]}"


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a batch: how many entries are in, and (id, message code) of all others."""

    accepted: int
    refused: tuple[tuple[str, str], ...] = ()


class Platform:
    """The betting platforms' side of the studio; a part of the service."""

    def __init__(self, now_s: Callable[[], float] = time.time) -> None:
        """Begin without tables and without keys: nobody is let in.

        Calls are signed by the machine's time, also where a demonstration's clock runs faster.
        """
        self._now_s = now_s
        self._keys: Mapping[str, str] = {}
        self._desks: Mapping[str, Desk] = {}
        self._owners: Mapping[str, Owners] = {}
        self._journal: Journal | None = None
        self._books: Books | None = None
        self._tellers: Mapping[str, Teller] = {}
        self._messengers: Sequence[Messenger] = ()
        self._looking: Mapping[str, tuple[threading.Lock, Book]] = {}
        self._patience_s = ANSWER_S
        self._news = threading.Condition()
        self._heard: dict[str, int] = {}
        self._waiting = 0

    def seat(
        self,
        desks: Sequence[Desk],
        *,
        journal: Journal,
        books: Books,
        keys: Mapping[str, str],
        tellers: Mapping[str, Teller],
        messengers: Sequence[Messenger],
        funds_s: float,
    ) -> None:
        """Take over the tables of a start, and the key of each platform by its name.

        `tellers` are the ways to a wallet far away, by table; empty where the wallet is ours.
        """
        self._desks = {desk.name: desk for desk in desks}
        self._owners = {desk.name: Owners(desk.setup.game.seat) for desk in desks}
        self._journal, self._books = journal, books
        self._keys = dict(keys)
        self._tellers, self._messengers = dict(tellers), tuple(messengers)
        self._looking = {name: (threading.Lock(), Book()) for name in tellers}
        self._patience_s = ANSWER_S + funds_s

    def heard(self, table: str) -> None:
        """A table has news; whoever waits for them looks again."""
        with self._news:
            self._heard[table] = self._heard.get(table, 0) + 1
            self._news.notify_all()
        for messenger in self._messengers:
            messenger.heard()

    # -- who it is ------------------------------------------------------------------------------

    @staticmethod
    def call(**fields: Any) -> Call:
        """A call as it came in, for `admit`."""
        return Call(**fields)

    def admit(self, call: Call) -> Call:
        """The same call with the platform whose signature it has.

        Raises:
            Rejected: with one sentence; nothing that was sent is in it.
        """
        secret = self._keys.get(call.key)
        fits = call_holds(
            secret or "no such key",
            call.signature,
            method=call.method,
            target=call.target,
            at=call.timestamp,
            body=call.body,
        )
        if secret is None or not fits:
            raise c.Rejected(
                "refused.signature",
                "Cutcard-Key and Cutcard-Signature do not fit this call: sign method, path with "
                "query, timestamp and the SHA-256 of the body with the platform's key.",
            )
        off_s = self._skew_s(call.timestamp)
        if abs(off_s) > SKEW_S:
            word = "ahead of" if off_s > 0 else "behind"
            raise c.Rejected(
                "refused.clock",
                f"Cutcard-Timestamp is {abs(off_s)} s {word} the studio's clock, {SKEW_S} s is the "
                "most: set the clock that signs, or sign the call again.",
            )
        return replace(call, platform=call.key)

    def _skew_s(self, timestamp: str) -> int:
        """Seconds by which the caller's clock is ahead of ours."""
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):  # noqa: PLR2004
            raise c.Rejected(
                "refused.clock",
                "Cutcard-Timestamp must be whole Unix seconds: sign the call again.",
            )
        return int(timestamp) - int(self._now_s())

    def findings(self) -> tuple[str, ...]:
        """What speaks against the way to the platforms, one sentence each."""
        found = [told for each in self._messengers if (told := each.finding())]
        for name, teller in self._tellers.items():
            calls, amount = teller.unknown()
            if teller.trouble:
                found.append(f"table {name}: the wallet does not answer: {teller.trouble}")
            if calls:
                found.append(
                    f"table {name}: of {calls} calls to the wallet, {amount} minor units in all, "
                    "it is not known what was reserved: they are asked for again"
                )
        return tuple(found)

    # -- looking --------------------------------------------------------------------------------

    def tables(self) -> tuple[str, ...]:
        """Names of the tables."""
        return tuple(self._desks)

    def table(self, name: str) -> dict[str, Any]:
        """What a platform is told of a table; KeyError for one that does not exist."""
        desk = self._desks[name]
        setup, table = desk.setup, desk.table()
        current, window = table.round, table.window
        number = current.counted if current is not None else 0
        offered = setup.game.offered(setup.rules, number)
        limits = {bet: [limit.least, limit.most] for bet, limit in setup.limits if limit}
        stopped = desk.runner.failure is not None
        return {
            "table": name,
            "game": setup.game.name,
            "version": setup.game.version,
            "rules": setup.rules_digest,
            "currency": setup.currency,
            "state": "stopped" if stopped else str(table.state),
            "limits": limits,
            "offered": [bet for bet in offered if bet in limits],
            "round": None if current is None else {"id": current.id, "state": current.state},
            "window": None
            if window is None or window.remaining_us is not None
            else {"kind": window.kind, "closes_at": at_of(window.deadline_us)},
        }

    def feed(
        self, table: str, after: int, *, limit: int = 500, wait_s: float = 0.0
    ) -> dict[str, Any]:
        """The outbox of a table after entry `after`; waits up to `wait_s` where there is none.

        Raises:
            KeyError: for a table that does not exist.
        """
        self._desks[table]
        until = time.monotonic() + min(wait_s, LONGEST_WAIT_S)
        entries = self._entries(table, after, limit)
        with self._news:
            may_wait = not entries and self._waiting < MOST_WAITING
            self._waiting += may_wait
        try:
            while may_wait and not entries and (left := until - time.monotonic()) > 0:
                with self._news:
                    before = self._heard.get(table, 0)
                    # What came between reading and waiting is looked for once more after a second.
                    self._news.wait_for(
                        lambda seen=before: self._heard.get(table, 0) != seen,  # type: ignore[misc]
                        min(left, 1.0),
                    )
                entries = self._entries(table, after, limit)
        finally:
            with self._news:
                self._waiting -= may_wait
        told = [entry_json(each) for each in entries]
        return {"entries": told, "next": entries[-1].n if entries else after}

    def _entries(self, table: str, after: int, limit: int) -> Sequence[Outgoing]:
        return self._journal.feed(table, after, limit) if self._journal is not None else ()

    def round(self, table: str, round_id: str) -> dict[str, Any] | None:
        """A round as the feed told it, with all corrections since; None if there is none."""
        self._desks[table]
        entries = self._books.round_entries(table, round_id) if self._books is not None else ()
        return round_json(table, round_id, entries) if entries else None

    def rounds(self, table: str, *, before: int = 0, limit: int = 50) -> dict[str, Any]:
        """The rounds of a table, newest first; `next` is where the following page begins."""
        self._desks[table]
        books = self._books
        found = () if books is None else books.newest_rounds(table, before, limit)
        told = [self.round(table, round_id) for _, round_id in found]
        return {"rounds": told, "next": found[-1][0] if len(found) == limit else 0}

    def bets_of(
        self, call: Call, player: str, *, before: int = 0, limit: int = 100
    ) -> dict[str, Any]:
        """The bet record of a player, newest first; `next` is where the following page begins.

        Bets that another platform placed for this player are not in it.
        """
        books = self._books
        found = () if books is None else books.bets_of(player, before, limit, call.platform)
        told = [dict(each) for each in found]
        return {"player": player, "bets": told, "next": told[-1]["n"] if len(told) == limit else 0}

    # -- asking ---------------------------------------------------------------------------------

    def place(self, call: Call, table: str, round_id: str, bets: Sequence[c.Bet]) -> Taken:
        """Place a batch of bets and wait until each is in the round or refused.

        The same call again gets the same answer and never acts twice, also after a restart.

        Raises:
            KeyError: for a table that does not exist.
            Rejected: if nothing of it was looked at.
        """
        desk = self._desks[table]
        batch = call.batch(table, round_id)
        command = c.PlaceBets(batch=batch, bets=tuple(bets), round_id=round_id)
        answer = self._ask(desk, command, call)
        if answer.status == "done":
            return self._outcome(desk, call, batch)
        if answer.code == "refused.other_round":
            if self.round(table, round_id) is None:
                raise c.Rejected("refused.round_unknown", "this table has no such round")
            return Taken(0, tuple((bet.id, CLOSED) for bet in bets))
        raise c.Rejected(answer.code, answer.text)

    def decide(
        self, call: Call, table: str, round_id: str, window: int, decisions: Sequence[c.Decision]
    ) -> Taken:
        """Give a batch of decisions; each counts, or is refused with its reason.

        The same call again gets the same answer and never acts twice, also after a restart.

        Raises:
            KeyError: for a table that does not exist.
            Rejected: if nothing of it was looked at.
        """
        desk = self._desks[table]
        batch = call.batch(table, round_id)
        command = c.PlaceDecisions(
            batch=batch,
            decisions=tuple(decisions),
            window=window,
            round_id=round_id,
            strangers=self._strangers(desk, call, (each.player for each in decisions)),
        )
        self._look(desk, command, call)
        answer = self._ask(desk, command, call)
        if answer.status == "done":
            return self._outcome(desk, call, batch)
        if answer.code == "refused.other_round":
            if self.round(table, round_id) is None:
                raise c.Rejected("refused.round_unknown", "this table has no such round")
            return Taken(0, tuple((each.id, WINDOW_CLOSED) for each in decisions))
        raise c.Rejected(answer.code, answer.text)

    def _look(self, desk: Desk, command: c.PlaceDecisions, call: Call) -> None:
        """Where the wallet is far away, ask it before the table is asked: that never waits."""
        teller = self._tellers.get(desk.name)
        if teller is None:
            return
        lock, book = self._looking[desk.name]
        with lock:
            costs = costly(desk.setup, desk.table(), command, book)
        if costs:
            teller.look(costs, call.command_id())

    def disconnect(self, call: Call, table: str, round_id: str, players: Sequence[str]) -> Taken:
        """These players are gone for the rest of the round: it is played for them (D-10).

        Who has no hand in this round has nothing that could be played: each is named. Before the
        bets are closed nobody knows yet who will have one, and all are taken; where several
        platforms play, those for whom the caller has placed a bet.

        Raises:
            KeyError: for a table that does not exist.
            Rejected: if this is not the open round.
        """
        desk = self._desks[table]
        current = desk.table().round
        known = self._journal is not None and self._journal.answer_of(call.command_id())
        if not known and (current is None or current.id != round_id):
            if self.round(table, round_id) is None:
                raise c.Rejected("refused.round_unknown", "this table has no such round")
            raise c.Rejected("refused.other_round", "this round is not the open one")
        batch = call.batch(table, round_id)
        strangers = self._strangers(desk, call, players)
        if current is not None and not current.bets_closed and len(self._keys) > 1:
            owners = self._owners[desk.name]
            strangers = tuple(sorted(owners.without_hand(call.platform, current, players)))
        command = c.MarkDisconnected(tuple(players), round_id, batch, strangers)
        answer = self._ask(desk, command, call)
        if answer.status != "done":
            raise c.Rejected(answer.code, answer.text)
        facts = self._facts(desk, call, batch)
        refused = (f.event for f in facts if isinstance(f.event, e.DecisionsRefused))
        named = tuple(some for event in refused if event.batch == batch for some in event.refused)
        return Taken(len(set(players)) - len(named), named)

    def _strangers(self, desk: Desk, call: Call, players: Iterable[str]) -> tuple[str, ...]:
        """Those of these players whose hand is another platform's."""
        others = self._owners[desk.name].strangers(call.platform, desk.table().round, players)
        return tuple(sorted(others))

    def _ask(self, desk: Desk, command: c.Command, call: Call) -> Answer:
        actor = Actor(ActorKind.PLATFORM, call.platform)
        future = desk.runner.ask(command, actor, command_id=call.command_id())
        try:
            answer = future.result(self._patience_s)
        except StillWaiting:
            answer = Answer(status="busy")
        if answer.status in {"busy", "pending"}:
            raise c.Rejected(
                "refused.busy", "the table has much to do: ask again with the same key"
            )
        return answer

    def _outcome(self, desk: Desk, call: Call, batch: str) -> Taken:
        """Wait for the wallet's word on a batch; the table gives it up where none comes."""
        until = time.monotonic() + self._patience_s
        while (taken := self._taken(desk, call, batch)) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise c.Rejected(
                    "refused.busy", "the wallet has not answered yet: ask again with the same key"
                )
            with self._news:
                seen = self._heard.get(desk.name, 0)
                self._news.wait_for(
                    lambda before=seen: self._heard.get(desk.name, 0) != before,  # type: ignore[misc]
                    min(left, 0.05),
                )
        return taken

    def _facts(self, desk: Desk, call: Call, batch: str) -> Sequence[Recorded]:
        """The facts that a call made, from what the table still shows or from the journal."""
        facts = _own_facts(desk.runner.shown.records, call.command_id())
        if not facts and self._books is not None:
            facts = self._books.batch_facts(call.command_id(), batch)
        return facts

    def _taken(self, desk: Desk, call: Call, batch: str) -> Taken | None:
        """What the facts say of a batch; None while the wallet is asked."""
        facts = self._facts(desk, call, batch)
        taken = taken_of(facts, batch)
        teller = self._tellers.get(desk.name)
        if taken is None or teller is None or BALANCE not in dict(taken.refused).values():
            return taken
        first = facts[0].event
        if not isinstance(first, e.BetsPlaced) or not teller.gave_up(f"{first.round_id}/{batch}"):
            return taken
        return replace(
            taken, refused=tuple((n, UNANSWERED if c == BALANCE else c) for n, c in taken.refused)
        )


def _own_facts(records: Sequence[Recorded], command_id: str) -> Sequence[Recorded]:
    """The facts from those that this command made on; empty if it made none of these."""
    at = len(records)
    while at and records[at - 1].command_id != command_id:
        at -= 1
    while at and records[at - 1].command_id == command_id:
        at -= 1
    found = records[at:]
    return found if found and found[0].command_id == command_id else ()


def taken_of(facts: Sequence[Recorded], batch: str) -> Taken | None:
    """What became of a batch by its facts; None while the wallet has not answered.

    Decisions wait for nobody: what they cost is reserved when their window closes. What was
    refused at the door comes first, then what the wallet does not cover.
    """
    refused: list[tuple[str, str]] = []
    asked: tuple[str, ...] = ()
    decided = 0
    for fact in facts:
        match fact.event:
            case e.BetsPlaced(batch=name, columns=columns) if name == batch:
                asked = columns.ids
            case e.BetsRefused(batch=name, refused=some) if name == batch:
                refused += some
                if fact.command_id != facts[0].command_id:
                    return Taken(0, tuple(refused))  # at the close: the wallet had not answered
            case e.BetsConfirmed(batch=name, refused=poor) if name == batch:
                refused += [(each, BALANCE) for each in poor]
                return Taken(len(asked) - len(poor), tuple(refused))
            case e.DecisionsTaken(batch=name, columns=columns) if name == batch:
                decided = columns.count
            case e.DecisionsRefused(batch=name, refused=some) if name == batch:
                refused += some
            case e.RoundVoided() | e.BetsClosed() if asked:
                return Taken(0, (*refused, *((each, UNANSWERED) for each in asked)))
            case _:
                pass
    if asked or not (refused or decided):
        return None
    return Taken(decided, tuple(refused))
