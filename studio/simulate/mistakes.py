"""What a simulated dealer does wrong, once, when told to: each mistake with real cards.

The truth in `Felt.laid` keeps what the shoe gave, by the place that it belongs to, whatever the
hands made of it; so a card that was accepted wrongly is found out at the end of the round.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from studio.domain.cards import PACK
from studio.games.shoe import BURN
from studio.simulate.desk import Loose, Place
from studio.table.state import Phase
from studio.table.views import StepView

MISPLACED: Final = ("wrong_hand", "skipped_card")
"""Mistakes that lay the due card where it does not belong."""
TOO_MANY: Final = ("extra_card", "exposed_card")
"""A card drawn although none is due; kept face down, or seen by everybody."""

RACK: Final = 8
"""Cards for which a rack of Baloot has room."""
HAND: Final = 6
"""Further cards for which a hand without an end has room."""
FELT: Final = 12
"""Cards for which any other zone has room."""


@dataclass(slots=True)
class Mistakes:
    """Mistakes to be made at the next occasion that allows them."""

    place: Place
    draw: Callable[[], str]
    """Slide the next card out."""
    look: Callable[[], None]
    """Give the readers time."""
    wanted: set[str] = field(default_factory=set)
    """Names of the mistakes to be made, each once."""

    def _take(self, *names: str) -> str:
        """The first of these mistakes that is wanted; it is made now."""
        for name in names:
            if name in self.wanted:
                self.wanted.discard(name)
                return name
        return ""

    @property
    def _hands(self) -> tuple[str, ...]:
        return self.place.hands

    def _kind(self, zone: str) -> tuple[str, ...]:
        """Zones that are collected together with this one: a trick is one thing, racks another."""
        hands = self._hands
        if not self.place.desk.setup.game.first:
            return hands if zone in hands else (zone,)
        return tuple(each for each in hands if each[0] == zone[0])

    def _beside(self, zone: str) -> str:
        """Another zone in which a card may land that is laid for this one."""
        others = [each for each in self._hands if each != zone]
        if self.place.desk.setup.game.first:
            lying, kind = self.place.felt.zones, self._kind(zone)
            room = RACK if zone in self.place.desk.setup.game.hands else 1
            free = [each for each in kind if each != zone and len(lying.get(each, ())) < room]
            others = [*free, *others]
        return others[0]

    # -- while bets are open ----------------------------------------------------------------------

    def while_betting(self) -> bool:
        """Something goes wrong while players bet or choose; whether it did."""
        phase = self.place.desk.table().phase
        if phase not in (Phase.BETTING, Phase.DECISION):
            return False
        if phase is Phase.DECISION and self._take("cleared_early"):
            self.place.say("dealer: collects the cards while players choose")
            self._collect(self._hands)
            self.look()
            return True
        if phase is Phase.DECISION and self._swaps():
            self._substitute(self._hands)
            self.look()
            return True
        # Where seats choose in the middle of a deal, a card too many may come out of the shoe.
        many = ("extra_card",) if self.place.desk.setup.game.first else ()
        match self._take("early_card", "exposed_card", "card_on_floor", *many):
            case "early_card":
                self.place.say("dealer: draws a card before bets are closed, face down")
                self.place.felt.aside.append(self.draw())
                self.place.lay(self._hands[0], self.place.felt.aside[-1], face_up=False)
            case "extra_card":
                self.place.say("dealer: draws a card while seats choose, face down")
                self.place.felt.aside.append(self.draw())
                self.place.lay(self._hands[0], self.place.felt.aside[-1], face_up=False)
            case "exposed_card":
                self.place.say("dealer: shows a card before bets are closed")
                code = self.draw()
                if self.place.stage is None:  # the table cannot know: for it the card is unseen
                    self.place.felt.aside.append(code)
                else:
                    self.place.lay(self._hands[0], code)
            case "card_on_floor":
                self.place.say("dealer: lets a card fall before bets are closed")
                self.place.felt.aside.append(self.draw())
            case _:
                return False
        self.look()
        return True

    # -- while a card is due ----------------------------------------------------------------------

    def instead_of_dealing(self, step: StepView) -> bool:
        """Do something else than to draw the due card; whether that was done."""
        if self._last_burn(step) and self._take("missing_burn"):
            self.place.say("dealer: burns one card too few")
            self._collect((step.to,))
        elif self._lies(step) and self._take("cleared_early"):
            self.place.say("dealer: collects the cards too early")
            self._collect(self._kind(step.to))
        elif self._lies(step) and self._swaps():
            self._substitute(self._kind(step.to))
        else:
            return False
        self.look()
        return True

    def laying(self, step: StepView, code: str) -> bool:
        """Lay the due card wrongly; whether that was done."""
        place, up = self.place, step.face == "up"
        if place.slippery and step.to in self._hands:
            return False  # it goes wrong by itself; what else is wanted waits for the next card
        shown = () if up else ("exposed_card",)
        # A card that is taken out of a rack is one, and no further card comes out of the shoe.
        two = () if step.kind == "move" else ("two_at_once",)
        match self._take(*MISPLACED, *two, "card_on_floor", *shown):
            case "wrong_hand":
                wrong = self._beside(step.to)
                place.say(f"dealer: lays the card of {step.to} on {wrong}")
                place.lay(wrong, code, face_up=up, sideways=step.sideways)
            case "skipped_card":
                after, sideways = self._place_after(step)
                place.say(f"dealer: passes over {step.to} and lays the card on {after}")
                place.lay(after, code, face_up=up, sideways=sideways)
            case "two_at_once":
                place.say("dealer: lays two cards at once")
                place.lay(step.to, code, face_up=up, sideways=step.sideways)
                second = self.draw()
                place.lay(step.to, second, face_up=up)
                if place.stage is not None or step.to in self._hands or self._last_burn(step):
                    place.felt.aside.append(second)  # else a lone shoe takes it as burned too
            case "card_on_floor":
                place.say("dealer: lets the card fall on the floor")
                loose = Loose(zone=step.to, code=code, face_up=up, sideways=step.sideways)
                place.felt.floor.append(loose)
            case "exposed_card":
                place.say("dealer: shows a card that goes face down")
                place.lay(step.to, code, face_up=True, sideways=step.sideways)
            case _:
                return False
        return True

    # -- when no card is due any more -------------------------------------------------------------

    def instead_of_collecting(self, zones: tuple[str, ...]) -> bool:
        """Draw one more, or swap one, before the cards are collected; whether that was done."""
        lying = [zone for zone in zones if self.place.felt.zones.get(zone)]
        if lying and self._swaps():
            self._substitute(tuple(lying))
        elif name := self._take(*TOO_MANY, "card_on_floor"):
            self._one_too_many(name, zones)
        else:
            return False
        self.look()
        return True

    def _one_too_many(self, name: str, zones: tuple[str, ...]) -> None:
        seen = {"exposed_card": " and shows it", "card_on_floor": " and drops it"}.get(name, "")
        self.place.say(f"dealer: draws one card too many{seen}")
        waiting, self.place.felt.aside = self.place.felt.aside, []
        code = self.draw()  # out of the shoe, whatever waits to be the next card
        self.place.felt.aside = waiting
        if name == "card_on_floor":
            return
        self.place.lay(self._room(zones), code, face_up=name == "exposed_card")

    def _room(self, zones: tuple[str, ...]) -> str:
        """The emptier of these zones; beside the shoe where every place is taken."""
        setup, lying = self.place.desk.setup, self.place.felt.zones
        plan = setup.game.plan(setup.rules)
        room = Counter(zone for zone, _, _ in plan)
        many = {zone for zone, across, maybe in plan if maybe and not across}
        room.update(dict.fromkeys(many, HAND))  # named once for any number of cards
        free = [zone for zone in zones if len(lying.get(zone, ())) < room.get(zone, FELT)]
        return min(free, key=lambda zone: len(lying.get(zone, ())), default=BURN)

    # -- what hands do ----------------------------------------------------------------------------

    def _last_burn(self, step: StepView) -> bool:
        """Whether the last card of the burn is due."""
        return step.to not in self._hands and 0 < step.of == step.number

    def _lies(self, step: StepView) -> bool:
        """Whether a card lies where this procedure deals."""
        return any(self.place.felt.zones.get(zone) for zone in self._kind(step.to))

    def _place_after(self, step: StepView) -> tuple[str, bool]:
        """Zone of the card after the due one, and whether it is laid across; the same at the end.

        A card is passed over only where another place follows (`instead_of_dealing`'s caller).
        """
        table, setup = self.place.desk.table(), self.place.desk.setup
        if setup.game.first:
            kind = self._kind(step.to)
            return kind[(kind.index(step.to) + 1) % len(kind)], False
        plan = setup.game.plan(setup.rules)
        at = len(table.play.places) if table.play else 0
        if step.sideways:  # thirds: the plan's last two, of which the first may not have come
            rest = [(zone, across) for zone, across, _ in plan if across]
            return next((b for a, b in pairwise(rest) if a[0] == step.to), (step.to, True))
        zone, across, maybe = plan[min(at + 1, len(plan) - 1)]
        if maybe and not across:  # nothing says which comes next: the hand beside it
            return next((each for each in self._hands if each != step.to), step.to), False
        return zone, across

    def _collect(self, zones: tuple[str, ...]) -> None:
        for zone in zones:
            self.place.felt.collected += self.place.felt.lying(zone)
            self.place.clear(zone)

    def _swaps(self) -> bool:
        """Whether a card is swapped now: not before the card that is to slide has done so."""
        return not self.place.slippery and bool(self._take("substituted_card"))

    def _substitute(self, zones: tuple[str, ...]) -> None:
        """Swap the last card that lies face up for another one out of a sleeve."""
        place = self.place
        found = [
            (zone, index, loose)
            for zone in zones
            for index, loose in enumerate(place.felt.lying(zone))
            if loose.face_up and not place.slid(zone)
        ]
        if not found:
            return
        zone, index, loose = max(found, key=lambda each: each[1])
        code = next(card.code for card in PACK if card.code[0] != loose.code[0])
        place.say(f"dealer: swaps a card in {zone}")
        place.take(zone, index)
        place.lay(zone, code, sideways=loose.sideways)
