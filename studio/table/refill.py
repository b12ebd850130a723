"""The shoe runs empty in mid-round: the discards are shuffled, and the round is finished (B9).

The cards of the open round stay where they lie; all others of this shoe are in it again. It is
the shoe's last round, for the order of what comes now was made beside the game.
"""

from studio.domain import commands as c
from studio.domain import events as e
from studio.games.procedure import Deal, Decide, Peek, Request, Reveal
from studio.table.state import Script, Table
from studio.table.turn import Turn


def why_not_shuffle(asked: Request | None, table: Table) -> str | None:
    """Why the discards cannot be shuffled in now, as a message code; None if they can.

    A shoe may be empty before its next card is due: while players choose, or before the hidden
    card is looked at or turned. Nobody knows yet whether one will be needed.
    """
    if not isinstance(asked, Deal | Decide | Peek | Reveal) or table.play is None:
        return "refused.no_card_due"
    if table.play.script is not Script.ROUND or _back(table) < 1:
        return "refused.no_discards"
    return None


def shuffle_discards(turn: Turn) -> None:
    """Write down that they are in the shoe again.

    Raises:
        Rejected: if no round is being dealt, or no card of an earlier one is gone.
    """
    refused = why_not_shuffle(turn.due, turn.table)
    current = turn.table.round
    if refused is not None or current is None:
        raise c.Rejected(refused or "refused.no_discards")
    turn.emit(e.DiscardsShuffled(round_id=current.id, back=_back(turn.table)))


def _back(table: Table) -> int:
    """How many cards go back: all that are gone but those of the open round."""
    dealt = len(table.play.places) if table.play else 0
    return table.shoe.cards.gone - dealt if table.shoe is not None else 0
