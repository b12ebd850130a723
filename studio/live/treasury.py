"""Between a table and the wallet: what a fact makes due, asked and paid exactly once.

The wallet is called after the commit, with a key made from the fact, so that asking again after a
crash changes nothing. What could not be delivered waits and is tried again.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.events import Event
from studio.domain.observations import DebitAnswered, FundsAnswered
from studio.live.ports import AnswersLater, StillAsked, Wallet
from studio.live.wallets import WalletMisused
from studio.table import ledger
from studio.table.correction import net
from studio.table.state import FUNDS_OF

log = logging.getLogger("cutcard.treasury")


@dataclass(frozen=True, slots=True)
class Asked:
    """A batch that the wallet is asked about."""

    key: str
    batch: str
    columns: Columns


@dataclass(frozen=True, slots=True)
class Owed:
    """Amounts that go to players: (player, minor units)."""

    key: str
    entries: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Paid:
    """What goes back for the bets of a round: added up per player only when it is paid."""

    key: str
    columns: Columns

    @property
    def entries(self) -> tuple[tuple[str, int], ...]:
        """(player, minor units)."""
        return _totals(self.columns)


@dataclass(frozen=True, slots=True)
class Debit:
    """Amounts that a correction asks back from players: (player, minor units)."""

    key: str
    round_id: str
    number: int
    entries: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Treasury:
    """One table's dealings with the wallet. Owned by the table's thread.

    `heed` takes every fact in order, also old ones at a start; `deliver` calls the wallet.
    """

    wallet: Wallet
    _due: list[Asked | Owed | Paid | Debit] = field(default_factory=list)
    _open: dict[str, Asked] = field(default_factory=dict)
    _placed: list[Columns] = field(default_factory=list)
    _unwanted: set[str] = field(default_factory=set)
    trouble: str = ""
    """What the wallet said when it last failed; empty while all is delivered."""

    @property
    def waiting(self) -> tuple[int, int]:
        """(calls, minor units) of which the wallet has not been told yet. Any thread may ask."""
        due = [each for each in tuple(self._due) if not isinstance(each, Asked)]
        return len(due), sum(
            each.columns.total
            if isinstance(each, Paid)
            else sum(amount for _, amount in each.entries)
            for each in due
        )

    def heed(self, events: Sequence[Event]) -> None:
        """Take facts and remember what they make due."""
        for event in events:
            self._heed(event)

    def _heed(self, event: Event) -> None:
        match event:
            case e.RoundOpened():
                self._placed.clear()
            case e.BetsPlaced(round_id=round_id, batch=batch, columns=columns):
                self._ask(round_id, batch, columns)
                self._placed.append(columns)
            case e.FundsAsked(round_id=round_id, batch=batch, columns=columns):
                self._ask(round_id, batch, columns)
            case e.BetsConfirmed(batch=batch):
                self._open.pop(batch, None)
            case e.ActionsExecuted(round_id=round_id, window=window, answered=True):
                self._executed(round_id, f"{FUNDS_OF}{window}")
            case e.FundsLate(batch=batch):
                self._release(batch)
            case e.BetsWithdrawn(round_id=round_id, batch=batch, ids=ids):
                entries = self._withdrawn(frozenset(ids))
                self._due.append(Owed(f"{round_id}/{batch}/withdrawn", _by_player(entries)))
            case e.RoundSettled(round_id=round_id, columns=columns):
                self._due.append(Paid(f"{round_id}/settled", columns))
            case e.RoundVoided(round_id=round_id, columns=columns):
                self._due.append(Paid(f"{round_id}/voided", columns))
            case e.ResultCorrected():
                self._correct(event)
            case e.ReceivableNoted(round_id=round_id, number=number):
                key = f"{round_id}/corrected/{number}/debit"
                self._due = [due for due in self._due if due.key != key]
            case _:
                pass

    def _ask(self, round_id: str, batch: str, columns: Columns) -> None:
        asked = Asked(f"{round_id}/{batch}", batch, columns)
        if batch in self._open:
            # An older round's batch of the same name, never answered: nobody waits for it.
            self._unwanted.add(self._open[batch].key)
        self._open[batch] = asked
        self._due.append(asked)

    def _executed(self, round_id: str, batch: str) -> None:
        """The answer about a window was used; an older round's of the same name is still owed."""
        asked = self._open.get(batch)
        if asked is not None and asked.key == f"{round_id}/{batch}":
            del self._open[batch]

    def _withdrawn(self, ids: frozenset[str]) -> list[tuple[str, int]]:
        """(player, minor units) of bets of the open round."""
        return [
            (player, amount)
            for columns in self._placed
            for _, player, _, amount in columns.only(ids)
        ]

    def short(self, costs: Sequence[tuple[str, str, int]]) -> dict[str, str]:
        """Ask which of (decision id, player, minor units) the wallet does not cover now.

        With the reason for each, empty where it is the balance. A wallet that does not answer
        covers nothing.
        """
        try:
            return dict.fromkeys(self.wallet.short(costs), "")
        except WalletMisused:
            raise
        except Exception as failure:  # noqa: BLE001  whatever a wallet does, a table goes on
            log.warning("the wallet %s failed: %s", self.wallet.name, failure)
            return {decision: "funds_unanswered" for decision, _, _ in costs}

    def _correct(self, event: e.ResultCorrected) -> None:
        """One movement per player, less what the player owes of this round already."""
        gives = net(event.columns, event.debits)
        for player, amount in event.set_off:
            gives[player] -= amount
        key = f"{event.round_id}/corrected/{event.number}"
        more = tuple(sorted((player, amount) for player, amount in gives.items() if amount > 0))
        less = tuple(sorted((player, -amount) for player, amount in gives.items() if amount < 0))
        if more:
            self._due.append(Owed(f"{key}/credit", more))
        if less:
            self._due.append(Debit(f"{key}/debit", event.round_id, event.number, less))

    def _release(self, batch: str) -> None:
        """A late yes is rolled back: what the batch reserved goes to its players again."""
        asked = self._open.pop(batch, None)
        if asked is None:
            return
        # Asking again gives the same answer, also after a crash: it is what tells what was taken.
        self._due.append(asked)
        self._unwanted.add(asked.key)

    def forget_answered(self) -> None:
        """After a replay: do not ask again about batches whose answer is a fact."""
        self._due = [due for due in self._due if not isinstance(due, Asked) or self._wanted(due)]

    def forget_paid(self) -> None:
        """After a replay of a day long past: all was paid but what was never answered."""
        self._due = [due for due in self._due if isinstance(due, Asked) and self._wanted(due)]

    def _wanted(self, due: Asked) -> bool:
        return due.key in self._unwanted or self._open.get(due.batch) is due

    def deliver(self, at_us: int) -> tuple[FundsAnswered | DebitAnswered, ...]:
        """Ask and pay all that is due, in order; what the wallet answered.

        A wallet that fails is tried again at the next call; nothing behind it is delivered first.
        """
        if not self._due:
            return ()
        answers: list[FundsAnswered | DebitAnswered] = []
        later = self.wallet if isinstance(self.wallet, AnswersLater) else None
        kept = 0
        while len(self._due) > kept:
            due = self._due[kept]
            if later is not None and later.waits(due.key):
                kept += 1
                continue
            try:
                answer = self._call(due, at_us)
            except StillAsked:
                kept += 1  # what stands behind it need not wait
                continue
            except WalletMisused:
                raise  # a mistake of ours, never of a wallet: the table stops
            except Exception as failure:  # noqa: BLE001  whatever a wallet does, a table goes on
                if not self.trouble:
                    log.warning("the wallet %s failed: %s", self.wallet.name, failure)
                self.trouble = str(failure) or type(failure).__name__
                break
            del self._due[kept]
            self.trouble = ""
            if answer is not None:
                answers.append(answer)
        return tuple(answers)

    def _call(
        self, due: Asked | Owed | Paid | Debit, at_us: int
    ) -> FundsAnswered | DebitAnswered | None:
        if isinstance(due, Debit):
            return self._debit(due, at_us)
        if isinstance(due, Owed | Paid):
            entries = due.entries
            if entries:
                self.wallet.settle(due.key, entries)
            return None
        columns = due.columns
        stakes = tuple((bet, player, amount) for bet, player, _, amount in columns.rows())
        refused = tuple(self.wallet.reserve(due.key, stakes))
        if due.key in self._unwanted:
            kept = columns.without(frozenset(refused))
            self.wallet.settle(f"{due.key}/late", _totals(kept))
            self._unwanted.discard(due.key)
            return None
        if self._open.get(due.batch) is not due:
            return None
        return FundsAnswered(device=self.wallet.name, at_us=at_us, batch=due.batch, refused=refused)

    def _debit(self, due: Debit, at_us: int) -> DebitAnswered | None:
        """Take back what is there; whoever had too little owes all of it."""
        poor = frozenset(self.wallet.debit(due.key, due.entries))
        if not poor:
            return None
        return DebitAnswered(
            device=self.wallet.name,
            at_us=at_us,
            round_id=due.round_id,
            number=due.number,
            uncovered=tuple(entry for entry in due.entries if entry[0] in poor),
        )


def _totals(columns: Columns) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(ledger.by_player(columns).items()))


def _by_player(entries: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    total: dict[str, int] = {}
    for player, amount in entries:
        total[player] = total.get(player, 0) + amount
    return tuple(sorted(total.items()))
