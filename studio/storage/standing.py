"""The bet record of bets that a later round ends than the one in which they were placed."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, select, text, update

from studio.domain import events as e
from studio.storage import schema

BETS: Table = schema.BetRow.__table__  # type: ignore[attr-defined]
VOIDED: Final = "void"
STANDS: Final = text(schema.STANDS)
CARRIED: Final = text(schema.CARRIED)
"""Said as the indexes say it: a database finds these rows by no other words."""
Bet = tuple[str, str]
"""(id of the bet, its kind)."""


def carried_into(connection: Connection, table: str, round_id: str) -> Mapping[Bet, int]:
    """Give the row of each bet that stands, or that an older round left to this one to end.

    No two have the same id: while a bet stands, no other takes its id.
    """
    columns = (BETS.c.bet_id, BETS.c.bet, BETS.c.n)
    standing = select(*columns).where(BETS.c.table_name == table, STANDS)
    ended = select(*columns).where(BETS.c.ended_round == round_id, CARRIED)
    rows = [row for query in (standing, ended) for row in connection.execute(query)]
    return {(row.bet_id, row.bet): row.n for row in rows}


def correct(connection: Connection, table: str, event: e.ResultCorrected) -> None:
    """What goes to players on top, and what comes back from them; with the place in one commit."""
    columns = event.columns
    changes = list(zip(columns.ids, columns.bets, columns.amounts, strict=True))
    changes += [(bet_id, bet, -amount) for bet_id, _, bet, amount in event.debits]
    carried = carried_into(connection, table, event.round_id)
    own, theirs = _told_apart(changes, carried)
    of_round = BETS.c.round_id == event.round_id
    more = {"returned": BETS.c.returned + bindparam("change")}
    if own:
        query = update(BETS).where(
            of_round, BETS.c.bet_id == bindparam("which"), BETS.c.bet == bindparam("kind")
        )
        connection.execute(query.values(**more), own)
    if theirs:
        query = update(BETS).where(BETS.c.n == bindparam("row"))
        connection.execute(query.values(**more), theirs)
    here = BETS.c.ended_round == event.round_id
    state = "voided" if event.new_code == VOIDED else "settled"
    ended = BETS.c.state.in_(["settled", "voided"])
    connection.execute(update(BETS).where(of_round, here, ended).values(state=state))
    for rows in (of_round, CARRIED):
        stands = update(BETS).where(rows, here, BETS.c.state == "standing")
        connection.execute(stands.values(ended_round=""))


def _told_apart(
    changes: list[tuple[str, str, int]], carried: Mapping[Bet, int]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The changes of bets whose rows are found by their round, and of those that are known."""
    own = [
        {"which": bet_id, "kind": bet, "change": change}
        for bet_id, bet, change in changes
        if (bet_id, bet) not in carried
    ]
    theirs = [
        {"row": carried[bet_id, bet], "change": change}
        for bet_id, bet, change in changes
        if (bet_id, bet) in carried
    ]
    return own, theirs
