"""A simulated dealer: does with cards what the console says, and makes mistakes when told to."""

from random import Random

from studio.domain.cards import CUT, Card
from studio.domain.commands import (
    AnswerPeek,
    ConfirmStep,
    CutCardIsOut,
    EnterCount,
    MarkDisconnected,
    OpenBets,
    OpenTable,
    PlaceBets,
    PlaceDecisions,
    Rejected,
    StartShoe,
)
from studio.games.procedure import Clear, Facing, Move
from studio.games.shoe import BURN
from studio.simulate.desk import Place
from studio.simulate.mistakes import Mistakes
from studio.simulate.players import Crowd
from studio.simulate.sitting import Sitters
from studio.table.state import SECOND_US, Phase, Table
from studio.table.turn import due
from studio.table.views import StepView

NAME = "Sim Dealer"
IN_TIME = 0.5
"""Players have said what they say when this part of a window is over."""
BETWEEN_S = 1.5
"""Seconds between two batches of a platform, at most."""
LOOKS = 4
"""How often the camera is given more frames before the dealer takes a card as not accepted."""


class Dealer:
    """Works one table by its console. Knows no rule: the next step is what the screen says."""

    def __init__(self, place: Place, seed: int, players: Crowd) -> None:
        """Sit down at a table with a seed for the shuffles."""
        self._place = place
        self._random = Random(f"dealer-{seed}")  # noqa: S311  a simulation, no secret
        self._players = players
        self.sitters = Sitters(place, seed)
        """Who sits at the table, in games in which somebody does."""
        self.name = NAME
        """Who sits here; another one after a relief."""
        self._asked = ""
        """The window that the players were told of last."""
        self._waiting: list[PlaceBets | PlaceDecisions | MarkDisconnected] = []
        """What they want to say in it and have not said yet, in order."""
        self._parts = 1
        """How many such there were."""
        self.mistakes = Mistakes(place, self._next_card, self._look)
        """What goes wrong, once, when it is told to."""
        self.cards = 0
        """Cards laid in rounds so far."""
        self.miscounts = 0
        """By how much the next count of a shoe is wrong."""
        self.stacked: tuple[str, ...] = ()
        """Cards that lie on top of each new pack, where a certain coup is wanted."""

    def press(self, command: object) -> bool:
        """Press a button of the console; whether it was accepted."""
        try:
            self._place.desk.ask(command, who=self.name, role="dealer")  # type: ignore[arg-type]
        except Rejected as refused:
            self._place.say(f"dealer: is refused: {refused.text}")
            return False
        self._place.desk.flush()
        return True

    def work(self) -> bool:
        """Do the one next step; False if there is nothing to do but wait."""
        self._catch_up()
        self._count_kept()
        step = self._place.step()
        if step.kind in ("deal", "open_bets"):
            self._refill()
        return self._at_cards(step) if step.to else self._at_console(step)

    def _at_cards(self, step: StepView) -> bool:
        """Deal, turn or look at a card of the zone that the console names."""
        match step.kind:
            case "deal":
                return self._deal(step)
            case "turn":
                return self._turn(step)
            case "peek":
                return self._peek(step)
            case "move":
                return self._move(step)
            case _:
                return self._wait()

    def _at_console(self, step: StepView) -> bool:
        """Press the one button, or take cards away, or count them."""
        match step.kind:
            case "open_table":
                return self.press(OpenTable())
            case "start_shoe":
                return self._new_shoe()
            case "confirm":
                self._place.pace.pause(1.5)
                return self.press(ConfirmStep())
            case "clear":
                return self._collect(self._to_clear())
            case "choose":
                return self._choose()
            case "collect":
                return self._collect(self._place.hands)
            case "count":
                if self.mistakes.instead_of_collecting(("BURN",)):
                    return True
                counted = self._place.remaining() + self.miscounts
                self.miscounts = 0
                return self.press(EnterCount(max(0, counted)))
            case "open_bets":
                return self.press(OpenBets()) or self._place.pace.idle()
            case _:
                return self._wait()

    def _catch_up(self) -> None:
        """Lay cards that are accepted already: a lone shoe asks for no look at the felt."""
        place = self._place
        play, hands = place.desk.table().play, place.hands
        accepted = [lying for lying in (play.places if play else ()) if lying.to in hands]
        for lying in accepted[len(place.felt.laid) :] if place.stage is None else ():
            if not place.felt.aside:
                return
            code = self._from_aside()
            place.felt.laid.append((lying.to, code))
            up = lying.face == Facing.UP.value
            place.lay(lying.to, code, face_up=up, sideways=lying.sideways)
            self.cards += 1

    def _count_kept(self) -> None:
        """A card that waited on its own place was accepted: the truth has it from then on."""
        felt, table = self._place.felt, self._place.desk.table()
        hands = self._place.hands
        accepted = [
            lying for lying in (table.play.places if table.play else ()) if lying.to in hands
        ]
        while felt.kept and len(felt.laid) < len(accepted):
            if accepted[len(felt.laid)].to != felt.kept[0][0]:
                return
            felt.laid.append(felt.kept.pop(0))

    def _new_shoe(self) -> bool:
        setup, table = self._place.desk.setup, self._place.desk.table()
        devices = [table.device(name) for name in setup.sources]
        if not all(device.online and device.fit for device in devices):
            return self._place.pace.idle()
        cards = [card.code for card in setup.game.pack] * setup.rules.decks
        self._random.shuffle(cards)
        for code in self.stacked:
            cards.remove(code)
        cards[:0] = self.stacked
        if not setup.game.rounds_in_shoe:
            cards.insert(len(cards) - setup.rules.cut_card_from_end, CUT)
        self._place.load(cards)
        return self.press(StartShoe())

    def _refill(self) -> None:
        """After a restart the box is empty: what the shoe must still hold, in some order."""
        shoe, game = self._place.desk.table().shoe, self._place.desk.setup.game
        if shoe is None or self._place.remaining() or shoe.cards.left <= 0:
            return
        cards = [
            card.code
            for card, gone in zip(game.pack, shoe.cards.seen, strict=True)
            for _ in range(shoe.cards.packs - gone)
        ]
        self._random.shuffle(cards)
        del cards[shoe.cards.left :]  # cards of unknown identity are gone as well
        if shoe.rounds_left is None and not game.rounds_in_shoe:
            behind = min(self._place.desk.setup.rules.cut_card_from_end, len(cards))
            cards.insert(len(cards) - behind, CUT)
        self._place.load(cards)

    def _wait(self) -> bool:
        """Players bet or choose, a batch at a time; then let time pass."""
        table = self._place.desk.table()
        now = _window(table)
        if now and now != self._asked:
            self._asked = now
            self._hear(table)
        if self._waiting and now == self._asked:
            self._say_next(table)
            self.mistakes.while_betting()
            return True
        return self.mistakes.while_betting() or self._place.pace.idle()

    def _hear(self, table: Table) -> None:
        """What players will say in the window that is open now."""
        setup, current = self._place.desk.setup, table.round
        self._waiting = []
        if current is None:
            return
        if current.answering is not None:
            self._waiting += self._players.decisions(setup, table)
        else:
            self._place.felt.laid.clear()
            self._place.felt.kept.clear()
            if not current.batches:  # else they were placed before a stop
                self._waiting += [each for each in self._players.bets(setup, table) if each.bets]
        self._parts = len(self._waiting)

    def _say_next(self, table: Table) -> None:
        """Bring the next batch to the table, in good time before the window ends."""
        place = self._place
        window = table.window
        if self._parts > 1 and window is not None:
            share = window.total_us / SECOND_US * IN_TIME / self._parts
            place.pace.pause(min(BETWEEN_S, share))
        try:
            place.desk.ask(self._waiting[0], who="sim-platform", role="platform")
        except Rejected as refused:
            place.say(f"platform: is refused: {refused.text}")
            if place.desk.table().held:
                return  # it is asked again once the table goes on
        self._waiting.pop(0)
        place.desk.flush()

    def _turn(self, step: StepView) -> bool:
        """Turn the hidden card where it lies, once for each request."""
        place = self._place
        asked = _request(place.desk.table())
        lying = place.felt.lying(step.to)
        down = next((n for n, card in enumerate(lying) if not card.face_up), None)
        if place.answered == asked or self.mistakes.instead_of_dealing(step):
            return place.pace.idle() if place.answered == asked else True
        place.answered = asked
        place.pace.pause(1.0)
        if down is not None:
            place.turn(step.to, down)
        if place.stage is None:
            if not self.press(ConfirmStep()):
                place.answered = ""  # the table is held: it is said again when it goes on
            return True
        self._look()
        return True

    def _peek(self, step: StepView) -> bool:
        """Look at the hidden card where nobody else may see it, and answer yes or no."""
        place = self._place
        setup, table = place.desk.setup, place.desk.table()
        down = [card.code for card in place.felt.lying(step.to) if not card.face_up]
        asked = _request(table)
        if not down or table.play is None or place.answered == asked:
            return place.pace.idle()
        place.answered = asked
        place.pace.pause(1.0)
        # The little mirror at a real table says it by itself; here the rules must.
        card = Card.parse(down[0])
        return self.press(AnswerPeek(setup.game.natural(setup.rules, table.play.inputs, card)))

    def _deal(self, step: StepView) -> bool:
        """Draw the due card and lay it where the console says; one card for each request."""
        place = self._place
        table = place.desk.table()
        asked = _request(table)
        if place.answered == asked:
            return place.pace.idle()
        if self.mistakes.instead_of_dealing(step):
            if place.stage is None:
                place.answered = asked  # nobody tells the dealer that something is wrong
            return True
        place.answered = asked
        place.pace.pause(1.0)
        code = self._next_card()
        if step.to in place.hands:
            self.cards += 1
            place.felt.laid.append((step.to, code))
        if not self.mistakes.laying(step, code):
            place.lay(step.to, code, face_up=step.face == "up", sideways=step.sideways)
        self._look()
        return True

    def _move(self, step: StepView) -> bool:
        """Lay a card that lies there already where the console says, once for each request."""
        place = self._place
        table = place.desk.table()
        asked, request = _request(table), due(place.desk.setup, table)
        if place.answered == asked or not isinstance(request, Move):
            return place.pace.idle()
        if self.mistakes.instead_of_dealing(step):
            return True
        place.answered = asked
        place.pace.pause(1.0)
        true = place.true(request.index)
        lies = place.where(true.code) if true is not None else None
        if lies is not None and lies[0] != step.to:
            code = place.take(*lies)
            if not self.mistakes.laying(step, code):
                place.lay(step.to, code, face_up=step.face == "up")
        if place.stage is None:
            if not self.press(ConfirmStep()):
                place.answered = ""  # the table is held: it is said again when it goes on
            return True
        self._look()
        return True

    def _choose(self) -> bool:
        """Who is asked says what it chooses; else time passes until the clock chooses."""
        if self.mistakes.while_betting() or self.sitters.answer(self.name):
            return True
        return self._place.pace.idle()

    def _to_clear(self) -> tuple[str, ...]:
        """Zones whose cards are to be taken away now."""
        asked = due(self._place.desk.setup, self._place.desk.table())
        return asked.zones if isinstance(asked, Clear) else (BURN,)

    def _next_card(self) -> str:
        """Slide the next card out; a cut card is put aside, and said where no reader tells it.

        A card that is out of the shoe already comes first.
        """
        if self._place.felt.aside:
            return self._from_aside()
        code = self._place.draw()
        if code == CUT:
            self._place.say("dealer: the cut card is out")
            self._place.settle()
            if self._place.wire is None:
                self.press(CutCardIsOut())
            code = self._place.draw()
        return code

    def _from_aside(self) -> str:
        """Take up the card that came out earlier, if it lies where it does not belong yet."""
        place = self._place
        code = place.felt.aside.pop(0)
        for zone in place.hands:
            belong = sum(to == zone for to, _ in place.felt.laid)
            for index, lying in enumerate(place.felt.lying(zone)):
                if lying.code == code and (index >= belong or not lying.face_up):
                    place.take(zone, index)
                    return code
        return code

    def _look(self) -> None:
        """Give the readers time; stop as soon as something was decided."""
        before = self._stands()
        many = bool(self._place.desk.setup.game.first)

        def decided() -> bool:
            """Whether the console says something new; with many cards nobody looks any longer."""
            return many and self._stands() != before

        for _ in range(LOOKS):
            self._place.settle(decided)
            if self._stands() != before:
                return
        self._place.pace.idle()

    def _stands(self) -> tuple[int, bool, Phase]:
        """Where the table stands, as far as a card or a fault moves it."""
        table = self._place.desk.table()
        return (len(table.play.inputs) if table.play else 0, table.held, table.phase)

    def _collect(self, zones: tuple[str, ...]) -> bool:
        """Take the cards of these zones away; what lies elsewhere in the hands goes too."""
        place = self._place
        if self.mistakes.instead_of_collecting(zones):
            return True
        place.pace.pause(1.0)
        if place.stage is not None:
            place.stage.switch("hand", on=False)  # a hand that lay there goes with the cards
        for zone in zones:
            place.clear(zone)
        # What fell down or was collected before is put away too, and in no coup any more.
        place.felt.floor.clear()
        place.felt.collected.clear()
        place.settle()
        if place.stage is None:
            return self.press(ConfirmStep())
        if place.step().kind in ("clear", "collect"):
            place.pace.frames(LOOKS)
            place.desk.flush()
        return True


def _request(table: Table) -> str:
    """What names the request that is due: no two of a table are named alike."""
    inputs = len(table.play.inputs) if table.play else -1
    return f"{table.shoes}/{table.round.id if table.round else ''}/{inputs}"


def _window(table: Table) -> str:
    """What names the window in which players may say something now; empty if none is open."""
    current = table.round
    if current is None or table.held:
        return ""
    if table.phase is Phase.BETTING and not current.bets_closed:
        return f"{current.id}/bets"
    asks = current.answering
    return f"{current.id}/{asks.number}" if asks is not None and not asks.closed else ""
