"""Pays a round, and hands bets that it does not end on to the next one.

A bet on something longer than a round, as the side that wins the game, stands until a round ends it
(`Game.stays`). Meanwhile no money moves: it was reserved in the round in which it was placed, and
it is counted as staked in the round that ends it. A void leaves it as it was: the bets of the
voided round go back, those that were carried into it stand on.
"""

from studio.domain import events as e
from studio.games.spec import Outcome
from studio.table import ledger
from studio.table.turn import Turn


def carry(turn: Turn) -> None:
    """Take the bets that stand into the round that has just been opened."""
    current, staying = turn.table.round, turn.table.staying
    if current is None or not staying.count:
        return
    packed = staying.packed("carried", current.id)
    turn.emit(e.BetsCarried(round_id=current.id, packed=packed, columns=staying))


def pay(turn: Turn, outcome: Outcome) -> None:
    """Pay the open round by its outcome, and say which bets stand on."""
    current, game, rules = turn.table.round, turn.setup.game, turn.setup.rules
    if current is None:
        return
    stays = ledger.stays(game, rules, outcome, current.carried)
    settled = turn.book.settled(current, game.pays(rules, outcome), stays)
    if settled.staying.count or current.carried.count:
        packed = settled.staying.packed("staying", current.id)
        turn.emit(e.BetsStayed(round_id=current.id, packed=packed, columns=settled.staying))
    turn.emit(
        e.RoundSettled(
            round_id=current.id,
            staked=settled.staked,
            returned=dict(settled.packed.totals)["amount"],
            rows=settled.rows,
            packed=settled.packed,
            deadline_us=turn.at_us + turn.setup.times.result,
            columns=settled.back,
        )
    )
