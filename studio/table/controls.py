"""Which controls of a console would be accepted now, and why the others would not.

The answer is never written twice: `explain` tries the command on the table and keeps nothing.
"""

from typing import Final

from studio.domain import commands as c
from studio.games.procedure import Clear, Confirm, Count, Move, Peek, Reveal
from studio.table.decide import decide
from studio.table.state import Phase, Setup, Table
from studio.table.turn import Stamp, due
from studio.table.views import ButtonView

UNSEEN: Final = (Reveal, Move, Clear)
"""What a dealer confirms in a round where no camera sees it."""


def explain(setup: Setup, table: Table, command: c.Command, now_us: int) -> str | None:
    """Why this command is not lawful now, as a message code; None if it would be accepted."""
    try:
        decide(setup, table, command, Stamp(at_us=now_us))
    except c.Rejected as refused:
        return refused.code
    return None


def buttons(setup: Setup, table: Table, now_us: int) -> tuple[ButtonView, ...]:
    """The dealer's controls of this moment, in the order of the foot; one of them is the main."""
    main = _main(setup, table)
    asked: list[tuple[str, c.Command]] = [("call_supervisor", c.CallSupervisor())]
    if table.phase is Phase.CLOSED:
        asked = []
    cut = not setup.game.rounds_in_shoe
    if cut and table.phase in (Phase.BETTING, Phase.DEALING, Phase.RESULT):
        asked.append(("cut_card", c.CutCardIsOut()))
    if table.phase is Phase.IDLE:
        asked.append(("close_table", c.CloseTable()))
        asked.append(("end_shoe", c.EndShoe()))
    if table.phase is Phase.DEALING and isinstance(due(setup, table), Peek):
        asked.append(("answer_peek", c.AnswerPeek(natural=False)))
    if main is not None:
        asked.append(main)
    return tuple(
        _button(setup, table, name, command, now_us, main=main is not None and name == main[0])
        for name, command in asked
    )


def _button(
    setup: Setup, table: Table, name: str, command: c.Command, now_us: int, *, main: bool
) -> ButtonView:
    reason = explain(setup, table, command, now_us)
    return ButtonView(command=name, enabled=reason is None, reason=reason or "", main=main)


def _main(setup: Setup, table: Table) -> tuple[str, c.Command] | None:
    if table.held:
        return None
    match table.phase:
        case Phase.CLOSED:
            return "open_table", c.OpenTable()
        case Phase.IDLE if table.shoe is None or not table.shoe.open:
            return "start_shoe", c.StartShoe()
        case Phase.IDLE:
            return "open_bets", c.OpenBets()
        case Phase.BETTING:
            return "close_bets", c.CloseBets()
        case Phase.RESULT if table.round is not None and not table.round.collected:
            return "confirm", c.ConfirmStep()
        case Phase.SHOE:
            return _shoe_main(setup, table)
        case Phase.DEALING if not setup.uses_camera and isinstance(due(setup, table), UNSEEN):
            return "confirm", c.ConfirmStep()
        case _:
            return None


def _shoe_main(setup: Setup, table: Table) -> tuple[str, c.Command] | None:
    match due(setup, table):
        case Confirm() | Clear():
            return "confirm", c.ConfirmStep()
        case Count():
            return "count", c.EnterCount(table.shoe.cards.left if table.shoe else 0)
        case _:
            return None
