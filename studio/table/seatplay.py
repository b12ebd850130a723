"""Windows in which one who sits at the table chooses, in turn: asked, judged, ended by the clock.

What the open cards allow is told to all, and is the same whatever a seat holds. What the seat's own
cards forbid beside that is judged here by the sealed identities that the table knows; who asks for
what they forbid is told one and the same thing as who asks for what nobody may.
"""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.games.board import Choices
from studio.games.procedure import Choose, Facing
from studio.table.asked import CLOCK, Asking
from studio.table.state import Round, Setup, Table
from studio.table.turn import Turn

SEAT: Final = "seat"
"""Role of whoever speaks for one seat alone; the number of the asker is that of the seat."""


def carry(turn: Turn) -> None:
    """Tell the round what the rounds before it left."""
    figures = turn.table.carried or turn.setup.game.first
    turn.emit(e.FiguresCarried(figures=figures))


def ask(turn: Turn, due: Choose) -> None:
    """Ask the seat whose turn it is."""
    current = turn.table.round
    if current is None:
        return
    turn.emit(
        e.SeatAsked(
            round_id=current.id,
            window=current.asked + 1,
            step=due.step,
            seat=due.seat,
            options=due.options,
            besides=due.besides,
            deadline_us=turn.at_us + turn.setup.times.decision,
        )
    )


def known_cards(table: Table) -> dict[int, Card]:
    """Cards that lie face down and that a reader named, by the input that dealt them.

    For the judge and for the seat itself; no view of anybody else is made of it.
    """
    places = table.play.places if table.play is not None else ()
    down = Facing.DOWN.value
    return {
        place.index: place.card for place in places if place.card is not None and place.face == down
    }


def choices(setup: Setup, table: Table) -> Choices:
    """What the seat that is asked now may choose, by its own cards too; secret from all others."""
    inputs = table.play.inputs if table.play is not None else ()
    return setup.game.choices(setup.rules, inputs, known_cards(table))


def choose(turn: Turn, command: c.ChooseForSeat, by: c.Asker) -> None:
    """Take what a seat chooses.

    Raises:
        Rejected: if another window is open or none, or the seat may not choose this.
    """
    current, asking = _open(turn, command, by)
    option = _judged(turn, asking, command, own=by.role == SEAT)
    if option is None:
        raise c.Rejected("refused.not_allowed")
    _chose(turn, current, asking, command.seat, option, SEAT if by.role == SEAT else "dealer")


def _open(turn: Turn, command: c.ChooseForSeat, by: c.Asker) -> tuple[Round, Asking]:
    """The round and the window that is meant."""
    current, window = turn.table.round, turn.table.window
    if by.role == SEAT and by.number != str(command.seat):
        raise c.Rejected("refused.no_right")
    asking = current.asking if current is not None else None
    if current is None or asking is None or window is None or asking.number != command.window:
        raise c.Rejected("refused.window_closed")
    if turn.at_us >= window.deadline_us:
        raise c.Rejected("refused.window_closed")
    return current, asking


def _judged(turn: Turn, asking: Asking, command: c.ChooseForSeat, *, own: bool) -> str | None:
    """The option that is meant, if it may be chosen; else None.

    A card may be named by its own seat alone: whoever else named one would learn by the answer
    whether the seat holds it.
    """
    if command.seat != asking.seat:
        return command.option if _beside(turn, asking, command) else None
    found = choices(turn.setup, turn.table).options
    for option, card in found:
        if option in asking.options and (option == command.option or (own and _is(card, command))):
            return option
    return command.option if _beside(turn, asking, command) else None


def _is(card: str, command: c.ChooseForSeat) -> bool:
    return bool(card) and card == command.option


def _beside(turn: Turn, asking: Asking, command: c.ChooseForSeat) -> bool:
    """Whether this may come from this seat out of turn."""
    if (command.seat, command.option) not in asking.besides or turn.table.play is None:
        return False
    game, known = turn.setup.game, known_cards(turn.table)
    inputs = turn.table.play.inputs
    return game.besides(turn.setup.rules, inputs, known, command.seat, command.option)


def end_of_turn(turn: Turn) -> bool:
    """Choose by the rules for a seat whose time is up; whether it was."""
    current, window = turn.table.round, turn.table.window
    asking = current.asking if current is not None else None
    if current is None or asking is None or window is None or window.remaining_us is not None:
        return False
    if turn.at_us < window.deadline_us:
        return False
    _chose(turn, current, asking, asking.seat, choices(turn.setup, turn.table).auto, CLOCK)
    return True


def _chose(turn: Turn, current: Round, asking: Asking, seat: int, option: str, by: str) -> None:
    turn.emit(
        e.SeatChose(round_id=current.id, window=asking.number, seat=seat, option=option, by=by)
    )
