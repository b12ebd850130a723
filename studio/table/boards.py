"""A game of tricks as screens see it: the board, and what the dealer does for a seat.

The board is the game's own word. It is given what the readers named of cards that lie face down,
and tells of it only what the rules have all see.
"""

from functools import lru_cache
from typing import Any

from studio.games.board import Board
from studio.games.procedure import Carried, Choose, Deal, Input, Move, run
from studio.games.spec import Game
from studio.table.book import procedure
from studio.table.seatplay import known_cards
from studio.table.sensing import in_a_row
from studio.table.state import Phase, Place, Script, Setup, Table
from studio.table.turn import standing
from studio.table.views import StepView


def board_of(setup: Setup, table: Table) -> Board | None:
    """The board as all may see it; None for games without tricks.

    Between rounds it stands as the next round will find it.
    """
    if not setup.game.first:
        return None
    play = table.play
    shown = (Phase.DEALING, Phase.DECISION, Phase.RESULT)
    if play is None or play.script is not Script.ROUND or table.phase not in shown:
        inputs: tuple[Input, ...] = (Carried(table.carried or setup.game.first),)
        return _board(setup.game, setup.rules, inputs, ())
    known = tuple(sorted(known_cards(table).items()))
    return _board(setup.game, setup.rules, play.inputs, known)


@lru_cache(maxsize=64)
def _board(
    game: Game, rules: Any, inputs: tuple[Input, ...], known: tuple[tuple[int, Any], ...]
) -> Board | None:
    return game.board(rules, inputs, dict(known))


def step_of(setup: Setup, table: Table, due: Choose | Move) -> StepView:
    """What the dealer does for a seat: asks it, or lays its card elsewhere."""
    since = table.play.due_since_us if table.play else 0
    code = f"step.{due.step}"
    if isinstance(due, Choose):
        return StepView(kind="choose", code=code, seat=due.seat, since_us=since)
    seat, place, of = _in_rack(board_of(setup, table), due.index)
    return StepView(
        kind="move",
        code=code,
        to=due.to,
        face=due.face.value,
        seat=seat,
        place=place,
        of=of,
        since_us=since,
        pace_us=setup.times.pace,
    )


def packet_of(setup: Setup, table: Table, due: Deal) -> tuple[int, int]:
    """(which card of the packet is due, cards of the packet); (0, 0) in games without packets."""
    if not setup.game.first:
        return 0, 0
    before = 0
    for asked in reversed(standing(setup, table).asked):
        if not isinstance(asked, Deal) or (asked.to, asked.step) != (due.to, due.step):
            break
        before += 1
    return before + 1, before + in_a_row(setup, table, due)


def first_card(setup: Setup, table: Table) -> StepView | None:
    """The first card of the round that is about to be dealt, where seats take turns to deal."""
    told = (Carried(table.carried or setup.game.first),)
    due = run(procedure(setup, Script.ROUND), told).due
    if not isinstance(due, Deal):
        return None
    code = f"step.{due.step}"
    return StepView(kind="deal", code=code, to=due.to, face=due.face.value, number=1)


def _in_rack(board: Board | None, index: int) -> tuple[int | None, int, int]:
    """(seat, place from the left, places) of a card in a rack; (None, 0, 0) where it is in none."""
    for each in board.seats if board is not None else ():
        for place, slot in enumerate(each.rack, start=1):
            if slot.index == index:
                return each.seat, place, len(each.rack)
    return None, 0, 0


def newest(setup: Setup, table: Table) -> Place | None:
    """The card that was dealt or laid elsewhere last."""
    places = table.play.places if table.play is not None else ()
    if not places or not setup.game.first:
        return places[-1] if places else None
    asked = standing(setup, table).asked
    for at, request in reversed(tuple(enumerate(asked))):
        index = request.index if isinstance(request, Move) else at
        if isinstance(request, Deal | Move):
            return next((place for place in places if place.index == index), None)
    return places[-1]
