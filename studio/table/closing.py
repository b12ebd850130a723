"""The end of the betting window, and what the procedure is told of the bets."""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.columns import Columns
from studio.table import ledger
from studio.table.state import SECOND_US, Round
from studio.table.turn import Turn

VOID_SHOWN_US = 8 * SECOND_US
"""A void is shown for at least so long (FACES.md 13)."""
BY_CLOCK = "clock"


def close_by_clock(turn: Turn) -> bool:
    """Close the bets whose time is up; whether it was."""
    window = turn.table.window
    if window is None or window.remaining_us is not None or turn.at_us < window.deadline_us:
        return False
    close_bets(turn, by=BY_CLOCK)
    return True


def close_bets(turn: Turn, *, by: str) -> None:
    """No more bets: what the wallet has not answered is refused, and cards become due.

    Where nobody has bet and the rules deal to somebody only, bets stay open (D-08).

    Raises:
        Rejected: if a dealer closes where nobody has bet and the rules deal to somebody only.
    """
    current = turn.table.round
    if current is None:
        return
    count, total = ledger.sums(current, accepted_only=True)
    nobody = not (count or current.carried.count) and not getattr(
        turn.setup.rules, "deal_without_bets", True
    )
    if nobody and by != BY_CLOCK:
        raise c.Rejected("refused.no_bets")
    for batch in current.batches:
        if batch.pending:
            refused = tuple((bet, "refused.funds_unanswered") for bet in batch.columns.ids)
            turn.emit(e.BetsRefused(round_id=current.id, batch=batch.id, refused=refused))
    if nobody:
        _without_bets(turn, current)
    else:
        turn.emit(e.BetsClosed(round_id=current.id, by=by, count=count, total=total))


def _without_bets(turn: Turn, current: Round) -> None:
    """Bets stay open; a table or shoe that is to end after this round ends without it."""
    times, shoe = turn.setup.times, turn.table.shoe
    if not turn.table.closing and shoe is not None and not shoe.ending:
        turn.emit(e.BettingExtended(round_id=current.id, deadline_us=turn.at_us + times.betting))
        return
    nothing = Columns()
    turn.emit(
        e.RoundVoided(
            round_id=current.id,
            reason="reason.other",
            refunded=0,
            packed=nothing.packed("refunds", current.id),
            deadline_us=turn.at_us + max(VOID_SHOWN_US, times.result),
            columns=nothing,
        )
    )


def seat_players(turn: Turn) -> None:
    """Tell the procedure who has a hand and which kinds of bets there are."""
    current = turn.table.round
    if current is None:
        return
    bet = turn.setup.game.seat
    kinds = ledger.kinds(current, accepted_only=True)
    players = turn.book.bets(current).players(bet)
    turn.emit(
        e.PlayersSeated(
            round_id=current.id,
            bet=bet,
            seated=players,
            bets=tuple(sorted(kinds)),
            zones=turn.setup.game.seats[:players],
        )
    )
    if turn.table.round is not None:
        turn.book.keep_rows(turn.table.round)
