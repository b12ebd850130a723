"""What one who sits at a table may see and do: its own hand, what it may choose, a claim.

Each seat has tokens of its own (`Accounts.add_seat`). A hand is made here from the table's own
state and given to its seat alone: it is in no view, no feed and no log. A card that a seat names is
told to the table by its place in the rack, so that the log of commands holds no card either.
Any thread may ask; the tables' own threads never wait for a seat.
"""

import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from typing import Any, Final

from studio.domain import commands as c
from studio.domain.cards import HIDDEN, Card
from studio.domain.envelope import Actor, ActorKind
from studio.games.board import RackSlot
from studio.games.spec import Game, no_choices
from studio.live.answers import Answer
from studio.live.desk import Desk
from studio.live.feed import at_of
from studio.live.people import SeatToken
from studio.table.seatplay import SEAT, choices, known_cards
from studio.table.state import Script, Setup, Table

ANSWER_S: Final = 5.0
"""How long a table may take before the seat is told to ask again."""
BUSY: Final = "refused.busy"
RACK: Final = "rack"
GONE: Final = "gone"
UNKNOWN_CARD: Final = "card"
"""What a table is told of a card that a seat names and that is not known to lie before it."""


def seats_of(game: Game) -> int:
    """How many seats of this game choose in turn; 0 where nobody who sits at the table plays."""
    return 0 if game.choices is no_choices else len(game.hands)


class Seats:
    """The seats of all tables; a part of the service."""

    def __init__(self) -> None:
        """Begin without tables."""
        self._desks: Mapping[str, Desk] = {}

    def seat(self, desks: Sequence[Desk]) -> None:
        """Take over the tables of a start."""
        self._desks = {desk.name: desk for desk in desks}

    def knows(self, token: SeatToken) -> bool:
        """Whether a token's seat is one of a table that exists now."""
        desk = self._desks.get(token.table)
        return desk is not None and token.seat < seats_of(desk.setup.game)

    def hand(self, token: SeatToken) -> dict[str, Any]:
        """What a seat sees of its own: its cards by place, and what it may choose now.

        Raises:
            KeyError: for a table that does not exist.
        """
        desk = self._desks[token.table]
        setup, table = desk.setup, desk.table()
        current = table.round
        return {
            "table": token.table,
            "seat": token.seat,
            "round": "" if current is None else current.id,
            "cards": [
                {"place": place, "card": card, "lies": lies}
                for place, (card, lies) in enumerate(_cards(setup, table, token.seat), 1)
            ],
            "asked": _asked(setup, table, token.seat),
        }

    def choose(self, token: SeatToken, window: int, choice: str, key: str = "") -> Answer:
        """Choose for the seat: a word, a place of its rack, or a card that lies there.

        The same `key` gets the same answer and never acts twice.

        Raises:
            KeyError: for a table that does not exist.
        """
        table = self._desks[token.table].table()
        option = _place_of(self._desks[token.table].setup, table, token.seat, choice)
        command = c.ChooseForSeat(seat=token.seat, window=window, option=option)
        return self._ask(token, command, key)

    def claim(self, token: SeatToken, note: str, key: str = "") -> Answer:
        """Claim a fault of the play: it stands still until a supervisor has decided (qayd).

        Raises:
            KeyError: for a table that does not exist.
        """
        return self._ask(token, c.ClaimQayd(seat=token.seat, note=note), key)

    def _ask(self, token: SeatToken, command: c.Command, key: str) -> Answer:
        """Ask the table; what a token says under a key has that name for ever."""
        name = key or f"-{secrets.token_urlsafe(18)}"
        future = self._desks[token.table].runner.ask(
            command,
            Actor(ActorKind.PLATFORM, f"{SEAT}-{token.seat}"),
            command_id=f"{SEAT}/{token.id}/{name}",
            by=c.Asker(number=str(token.seat), name="", role=SEAT, session=token.id),
        )
        try:
            return future.result(ANSWER_S)
        except StillWaiting:
            return Answer(status="busy", code=BUSY, text="the table has much to do: ask again")


def _rack(setup: Setup, table: Table, seat: int) -> tuple[RackSlot, ...]:
    """The places of a seat's rack as all may see them; none where no round is dealt."""
    play = table.play
    if play is None or play.script is not Script.ROUND:
        return ()
    board = setup.game.board(setup.rules, play.inputs, {})
    return () if board is None else board.seats[seat].rack


def _cards(setup: Setup, table: Table, seat: int) -> list[tuple[str, str]]:
    """(card, where it lies) of each place of a rack; ``XX`` for a card that nobody has read."""
    named = {place.index: place.card for place in (table.play.places if table.play else ())}
    found = []
    for slot in _rack(setup, table, seat):
        card = named.get(slot.index)
        code = slot.card or (card.code if card is not None else HIDDEN)
        found.append((code, GONE if slot.look == GONE else RACK))
    return found


def _place_of(setup: Setup, table: Table, seat: int, choice: str) -> str:
    """The place of a card that was named in the seat's own rack; else what was said.

    Also of one that was played since: the same call again means the same. A card that is not known
    to lie there is told as no card at all: a seat may see what no reader has read, and the log of
    commands is read by others.
    """
    for place, (card, _) in enumerate(_cards(setup, table, seat), 1):
        if card == choice != HIDDEN:
            return str(place)
    try:
        Card.parse(choice.strip().upper())
    except ValueError:
        return choice
    return UNKNOWN_CARD


def _asked(setup: Setup, table: Table, seat: int) -> dict[str, Any] | None:
    """What the seat may choose now, in turn or out of it; None where it may choose nothing."""
    asking = table.round.asking if table.round is not None else None
    window, play = table.window, table.play
    if asking is None or window is None or play is None or table.held:
        return None
    in_turn = asking.seat == seat
    options = list(choices(setup, table).options) if in_turn else []
    known = known_cards(table)
    options += [
        (option, "")
        for who, option in asking.besides
        if who == seat and setup.game.besides(setup.rules, play.inputs, known, seat, option)
    ]
    if not options:
        return None
    return {
        "window": asking.number,
        "step": asking.step,
        "in_turn": in_turn,
        "options": [{"choice": option, "card": card} for option, card in options],
        "deadline": at_of(window.deadline_us),
    }
