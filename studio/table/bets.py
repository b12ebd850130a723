"""Bets at the door: what is taken into the round, what is refused, and with which reason."""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.observations import FundsAnswered
from studio.table.book import Book
from studio.table.register import CARRIED
from studio.table.state import FUNDS_OF, Batch, Limit, Phase, Setup, Table
from studio.table.turn import Turn

MOST_IN_BATCH = 5_000
"""Entries of one batch (CONTRACTS.md 8)."""


def place(turn: Turn, command: c.PlaceBets) -> None:
    """Take what may be taken; refuse the rest entry by entry. Both are facts.

    Raises:
        Rejected: if no round is open or the batch is empty, too large, or was taken before.
    """
    current = turn.table.round
    if len(command.bets) > MOST_IN_BATCH:
        raise c.Rejected("refused.batch_too_large")
    if not command.bets:
        raise c.Rejected("refused.batch_empty")
    if current is None or (command.round_id and command.round_id != current.id):
        raise c.Rejected("refused.other_round")
    if any(batch.id == command.batch for batch in current.batches):
        raise c.Rejected("refused.batch_known")
    for name in (FUNDS_OF, CARRIED):
        if command.batch.startswith(name):
            raise c.Rejected("refused.malformed", f"no batch of bets is called {name}…")
    closed = _closed(turn.table, turn.at_us)
    refused: list[tuple[str, str]] = []
    taken: list[c.Bet] = []
    judge = _Judge(turn.setup, turn.table, turn.book, command)
    for bet in command.bets:
        reason = closed or judge.reason(bet)
        if reason is None:
            taken.append(bet)
        else:
            refused.append((bet.id, reason))
    if taken:
        columns = Columns(
            tuple(bet.id for bet in taken),
            tuple(bet.player for bet in taken),
            tuple(bet.bet for bet in taken),
            tuple(bet.stake for bet in taken),
        )
        packed = columns.packed("bets", f"{current.id}/{command.batch}")
        turn.emit(
            e.BetsPlaced(round_id=current.id, batch=command.batch, packed=packed, columns=columns)
        )
    if refused:
        turn.emit(e.BetsRefused(round_id=current.id, batch=command.batch, refused=tuple(refused)))


def _closed(table: Table, at_us: int) -> str | None:
    """Why no bet at all is taken now."""
    window = table.window
    if table.phase is not Phase.BETTING or window is None or table.round is None:
        return "refused.bets_closed"
    if table.held:
        return "refused.table_held"
    if at_us >= window.deadline_us:
        return "refused.bets_closed"
    return None


class _Judge:
    """Judges the bets of one batch; remembers what the batch itself adds to a player's bets."""

    def __init__(self, setup: Setup, table: Table, book: Book, command: c.PlaceBets) -> None:
        current = table.round
        self._setup = setup
        self._limits: dict[str, Limit | None] = dict(setup.limits)
        self._number = current.counted if current else 0
        self._known = book.bets(current)
        self._ids = set(self._known.known([bet.id for bet in command.bets]))
        self._here: dict[str, dict[str, int]] = {}

    def reason(self, bet: c.Bet) -> str | None:
        """Why this bet is not taken; None if it is."""
        if bet.id in self._ids:
            return "refused.bet_known"
        if not bet.id or not bet.player or bet.id.startswith(FUNDS_OF):
            return "refused.malformed"  # what a play costs is called so: two would be one
        if bet.bet not in self._limits:
            return "refused.not_offered"
        here = self._here.setdefault(bet.player, {})
        has = self._known.of(bet.player) | here.keys()
        reason = self._setup.game.refuse_bet(self._setup.rules, bet.bet, has, self._number)
        if reason is not None:
            return f"refused.{reason}"
        if self._full(bet):
            return "refused.table_full"
        limit = self._limits[bet.bet]
        before = self._known.stake(bet.bet, bet.player)
        more = here.get(bet.bet, 0) + bet.stake
        if bet.stake <= 0 or (limit and (bet.stake < limit.least or before + more > limit.most)):
            return "refused.limits"
        here[bet.bet] = more
        self._ids.add(bet.id)
        return None

    def _full(self, bet: c.Bet) -> bool:
        """Whether this bet asks for a seat and others have them all."""
        game = self._setup.game
        if not game.seats or bet.bet != game.seat:
            return False
        new = {
            player
            for player, has in self._here.items()
            if game.seat in has and not self._known.stake(game.seat, player)
        }
        if bet.player in new or self._known.stake(game.seat, bet.player):
            return False
        return self._known.players(game.seat) + len(new) >= len(game.seats)


def withdraw(turn: Turn, command: c.WithdrawBets) -> None:
    """Take bets back before the close.

    Raises:
        Rejected: if bets are closed, the table is held, or none of the bets is in the round.
    """
    current = turn.table.round
    closed = _closed(turn.table, turn.at_us)
    if closed is not None or current is None:
        raise c.Rejected(closed or "refused.bets_closed")
    if command.batch in current.withdrawals:
        raise c.Rejected("refused.batch_known")
    wanted = frozenset(command.ids)
    having = frozenset(turn.book.bets(current).having(command.ids))
    found = [
        (bet, amount)
        for batch in current.batches
        if batch.id in having and not batch.pending
        for bet, _, _, amount in batch.columns.only(wanted)
    ]
    if not found:
        raise c.Rejected("refused.no_such_bet")
    turn.emit(
        e.BetsWithdrawn(
            round_id=current.id,
            batch=command.batch,
            ids=tuple(bet for bet, _ in found),
            returned=sum(amount for _, amount in found),
        )
    )


def funds(turn: Turn, answer: FundsAnswered) -> None:
    """The wallet's word on one batch; a word that comes too late is rolled back (DESIGN.md 6)."""
    current = turn.table.round
    batch = _pending(current.batches if current else (), answer.batch)
    late = current is None or current.bets_closed or current.state != "open"
    if current is None or batch is None or late or _expired(turn):
        turn.emit(e.FundsLate(batch=answer.batch))
        return
    kept = batch.columns.without(frozenset(answer.refused))
    turn.emit(
        e.BetsConfirmed(
            round_id=current.id, batch=batch.id, refused=answer.refused, total=kept.total
        )
    )


def _expired(turn: Turn) -> bool:
    """Whether the betting window is over, though the tick that closes it comes after this."""
    window = turn.table.window
    running = window is not None and window.remaining_us is None
    return window is not None and running and turn.at_us >= window.deadline_us


def _pending(batches: tuple[Batch, ...], batch_id: str) -> Batch | None:
    return next((b for b in batches if b.id == batch_id and b.pending), None)
