"""Who deals at a table, and who answers for it: relief between rounds, and claims.

A dealer is relieved between rounds only (live-dealer-systems.md P1), unless nobody sat there.
Supervisors claim the tables that they answer for (P3), and may take one over from each other.
"""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.table.state import Table
from studio.table.turn import Turn

DEALER: Final = "dealer"
HANDS_ON: Final = (
    c.ConfirmStep,
    c.EnterCount,
    c.OpenBets,
    c.CloseBets,
    c.StartShoe,
    c.CutCardIsOut,
    c.AnswerPeek,
    c.ChooseForSeat,
)
"""Commands that a dealer gives for their own table only; anybody may call a supervisor."""
Seating = c.RelieveDealer | c.LeaveTable
Claiming = c.ClaimTable | c.ReleaseTable


def at_own_table(turn: Turn, command: c.Command, by: c.Asker) -> None:
    """Look whether this dealer deals here; where nobody does, they sit down first.

    Raises:
        Rejected: if another dealer deals here.
    """
    if by.role != DEALER or not isinstance(command, HANDS_ON):
        return
    if turn.table.dealer == "":
        _seat(turn, by)
    elif turn.table.dealer != by.number:
        raise c.Rejected("refused.not_your_table")


def change_seat(turn: Turn, command: Seating, by: c.Asker) -> None:
    """A dealer takes the seat, or leaves it.

    Raises:
        Rejected: in an open round, while held, or if the seat is not theirs to leave.
    """
    _named(by)
    if turn.table.held:
        raise c.Rejected("refused.table_held")
    here = turn.table.dealer
    match command:
        case c.RelieveDealer():
            if here == by.number:
                raise c.Rejected("refused.seated_already")
            if here and in_round(turn.table):
                raise c.Rejected("refused.relief_in_round")
            _seat(turn, by)
        case c.LeaveTable():
            if here != by.number:
                raise c.Rejected("refused.not_seated")
            if in_round(turn.table):
                raise c.Rejected("refused.relief_in_round")
            turn.emit(e.DealerLeft(number=by.number))


def change_claim(turn: Turn, command: Claiming, by: c.Asker) -> None:
    """A supervisor answers for the table from now on, or no longer does.

    Raises:
        Rejected: if they do already, or do not.
    """
    _named(by)
    answers = turn.table.claimed_by
    match command:
        case c.ClaimTable():
            if answers == by.number:
                raise c.Rejected("refused.claimed_already")
            turn.emit(e.TableClaimed(number=by.number, name=by.name))
        case c.ReleaseTable():
            if answers != by.number:
                raise c.Rejected("refused.not_claimed")
            turn.emit(e.TableReleased(number=by.number))


def in_round(table: Table) -> bool:
    """Whether a round is open: the dealer of it stays."""
    return table.round is not None and table.round.state == "open"


def _seat(turn: Turn, by: c.Asker) -> None:
    turn.emit(e.DealerSeated(number=by.number, name=by.name))


def _named(by: c.Asker) -> None:
    if not by.number:
        raise c.Rejected("refused.no_right")
