"""Players who are gone for the rest of a round: nobody waits for them, it is played for them."""

import numpy as np

from studio.domain import commands as c
from studio.domain import events as e
from studio.table.bets import MOST_IN_BATCH
from studio.table.state import Round
from studio.table.turn import Turn


def disconnect(turn: Turn, command: c.MarkDisconnected) -> None:
    """These players are gone for the rest of the round; whoever has no hand is refused by name.

    Before the bets are closed nobody knows yet who will have one.

    Raises:
        Rejected: if no round is dealt, another one is meant, or the batch is too large.
    """
    current = turn.table.round
    if len(command.players) > MOST_IN_BATCH:
        raise c.Rejected("refused.batch_too_large")
    if current is None or current.state != "open" or command.round_id not in ("", current.id):
        raise c.Rejected("refused.other_round")
    seats, gone = turn.book.seats(current), current.seating.gone
    named = dict.fromkeys(command.players)
    early, others = not current.seating.bet, frozenset(command.strangers)
    own = {p: None for p in named if p not in others and (early or p in seats)}
    strangers = tuple(player for player in named if player not in own)
    players = tuple(player for player in own if player not in gone)
    window = current.answering
    if strangers:
        turn.emit(
            e.DecisionsRefused(
                round_id=current.id,
                batch=command.batch,
                window=window.number if window is not None else 0,
                refused=tuple((player, "refused.not_seated") for player in strangers),
            )
        )
    if players:
        _gone(turn, current, players)


def _gone(turn: Turn, current: Round, players: tuple[str, ...]) -> None:
    """Wait no longer for what these players have not answered yet."""
    seats, window, fewer = turn.book.seats(current), current.answering, 0
    if window is not None and not window.closed:
        given = turn.book.answers(current, window).given
        lanes: dict[str, list[str]] = {}
        for offer in window.offers:
            lanes.setdefault(offer.cohort, []).append(offer.lane)
        asked = [lanes.get(name, []) for name in current.seating.cohorts]
        cohorts = np.frombuffer(current.seating.packed, "<u2")
        for seat in seats.of(players).tolist():
            fewer += sum(not given[lane][seat] for lane in asked[cohorts[seat]])
    turn.emit(e.PlayersDisconnected(round_id=current.id, players=players, fewer=fewer))
