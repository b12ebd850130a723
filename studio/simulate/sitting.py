"""Four simulated people at a table of Baloot: each looks at its own cards and says what it chooses.

They choose by the table's own command, as a seat with its token does; now and then one is slow and
the clock chooses for it, or says it aloud and the dealer enters it. Where no reader of the shoe
names the cards of a rack its player has looked at them all the same.
"""

from random import Random
from typing import Final

from studio.domain.cards import Card
from studio.domain.commands import ChooseForSeat, Rejected
from studio.games.baloot.bidding import KAWESH, may_be_shown
from studio.games.board import Board
from studio.simulate.desk import Place
from studio.simulate.partners import Sees, choose
from studio.table.asked import Asking
from studio.table.seatplay import known_cards
from studio.table.state import Table

THINKS_S: Final = 1.5
"""Seconds before a seat says what it chooses, at most."""
SLOW: Final = 0.01
"""Share of questions that a seat leaves to the clock."""
ALOUD: Final = 0.15
"""Share of questions that a seat answers aloud, so that the dealer enters what it said."""
SHOWS: Final = 0.6
"""Share of hands without a high card that are shown for a new deal."""


class Sitters:
    """The players at the four seats of one table; equal seeds play equally."""

    def __init__(self, place: Place, seed: int) -> None:
        """Sit down."""
        self._place = place
        self._random = Random(f"sitters-{seed}")  # noqa: S311  a simulation, no secret
        self._answered = ""
        """The question that was thought about last."""
        self.keen = False
        """Whether somebody buys in this round, whatever the cards are."""
        self._shown: set[tuple[str, int]] = set()
        """(round, seat) of the hands that were looked at for a new deal."""

    def answer(self, dealer: str) -> bool:
        """Say what the asked seat chooses, entered by this dealer where it is said aloud.

        False where it was said already, or is left to the clock.
        """
        place = self._place
        setup, table = place.desk.setup, place.desk.table()
        current = table.round
        asking = current.asking if current is not None else None
        if current is None or asking is None or table.play is None or table.held:
            return False
        question = f"{current.id}/{asking.number}"
        if question == self._answered:
            return False
        self._answered = question
        slow, aloud = (self._random.random() < share for share in (SLOW, ALOUD))
        thinks = self._random.uniform(0.4, THINKS_S)
        if slow:
            return False
        place.pace.pause(thinks)
        board = setup.game.board(setup.rules, table.play.inputs, {})
        if board is None:
            return False
        seat = self._with_no_right(current.id, asking, table, board)
        if seat is not None:
            return self._say(ChooseForSeat(seat=seat, window=asking.number, option=KAWESH), dealer)
        option = self._wanted(asking, table, board)
        return self._say(
            ChooseForSeat(seat=asking.seat, window=asking.number, option=option),
            dealer,
            aloud=aloud,
        )

    def _wanted(self, asking: Asking, table: Table, board: Board) -> str:
        """What the asked seat chooses, by its own cards."""
        setup, play = self._place.desk.setup, table.play
        own = self._own(table, board, asking.seat)
        found = setup.game.choices(setup.rules, play.inputs if play else (), own)
        sees = Sees(
            seat=asking.seat,
            hand=tuple(own.values()),
            board=board,
            options=found.options,
            step=asking.step,
            keen=self.keen,
        )
        return choose(sees)

    def _with_no_right(
        self, round_id: str, asking: Asking, table: Table, board: Board
    ) -> int | None:
        """A seat that shows its hand for a new deal now, if one may and wants to."""
        for seat, option in () if self.keen else asking.besides:
            if option != KAWESH or (round_id, seat) in self._shown:
                continue
            self._shown.add((round_id, seat))
            hand = tuple(self._own(table, board, seat).values())
            if may_be_shown(hand) and self._random.random() < SHOWS:
                return seat
        return None

    def _own(self, table: Table, board: Board, seat: int) -> dict[int, Card]:
        """The cards of a seat that were not played, by the input that dealt them."""
        known = known_cards(table)
        own: dict[int, Card] = {}
        for slot in board.seats[seat].rack:
            if slot.look == "gone":
                continue
            true = self._place.true(slot.index)
            card = Card.parse(slot.card) if slot.card else known.get(slot.index, true)
            if card is not None:
                own[slot.index] = card
        return own

    def _say(self, command: ChooseForSeat, dealer: str, *, aloud: bool = False) -> bool:
        """Choose, as the seat itself or through the dealer; whether it was taken."""
        who, role = (dealer, "dealer") if aloud else (str(command.seat), "seat")
        try:
            self._place.desk.ask(command, who=who, role=role)
        except Rejected as refused:
            self._place.say(f"seat {command.seat}: is refused: {refused.text}")
            return False
        self._place.desk.flush()
        if not command.option.isdecimal():
            self._place.say(f"seat {command.seat}: {command.option.replace('_', ' ')}")
        return True
