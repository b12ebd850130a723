"""A table of Baloot without threads or devices: 32 cards in a known order, four seats, a felt."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.games.procedure import Choose, Clear, Confirm, Count, Deal, Facing, Move, Reveal
from studio.table.state import Phase
from tests.support.shared import SharedRig

DEALER = c.Asker(number="1001", name="Dora", role="dealer", session="d1")
RACKS = ("H0", "H1", "H2", "H3")
TRICK = ("T0", "T1", "T2", "T3")
DECK = (
    *("KH 8S 7S", "AH 9C 7C", "QD JD TD", "AC 8H 9H"),
    *("TH 8C", "KS 9D", "7D 8D", "JC QC"),
    "9S",
    *("QS AS", "JS QH KD", "TS AD TC", "JH KC 7H"),
)
"""In order of dealing at a new table: packets of three and two from seat 0, the open card, and the
last packets after seat 0 bought."""
ORDER = tuple(" ".join(DECK).split())
HOKUM: Mapping[str, str] = {"bidding": "hokum", "claim": "pass", "confirm": "hokum"}
"""Seat 0 buys hokum on the open card."""
SUN: Mapping[str, str] = {"bidding": "sun", "claim": "leave"}
"""Seat 0 buys a sun."""
PASSED: Mapping[str, str] = {"bidding": "pass"}


@dataclass
class BalootRig(SharedRig):
    """One such table; the cards come out of the shoe in `deck`'s order."""

    game: str = "baloot"
    profile: str = "house"
    deck: list[str] = field(default_factory=lambda: list(ORDER))
    says: Mapping[str, str] = field(default_factory=lambda: dict(HOKUM))
    """What is chosen by step; elsewhere the rule for a silent seat, by the seat's true cards."""
    racks: dict[int, str] = field(default_factory=dict)
    """The true card of each input that dealt one."""

    def __post_init__(self) -> None:
        """Lay an empty felt."""
        super().__post_init__()
        self.setup = replace(self.setup, profile=self.profile)
        for zone in (*RACKS, "FACE", *TRICK):
            self.felt.setdefault(zone, [])

    # the course of a round

    def opened(self, **stakes: int) -> "BalootRig":
        """The pack is shuffled and loaded; with stakes (by bet) a round is open and bets closed."""
        self.online()
        self.give(c.OpenTable())
        self.new_pack()
        self.begin(**stakes)
        return self

    def new_pack(self) -> None:
        """Shuffle, cut, load."""
        self.give(c.StartShoe())
        while self.table.phase is Phase.SHOE and isinstance(self.due, Confirm):
            self.give(c.ConfirmStep())

    def begin(self, **stakes: int) -> None:
        """Open bets, place these by one player, and close."""
        self.racks = {}
        self.give(c.OpenBets())
        for bet, stake in stakes.items():
            self.bet("ann", **{bet.replace("_", ":"): stake})
        self.give(c.CloseBets())

    @property
    def due(self) -> Any:
        """What the table waits for."""
        return self.book.standing(self.setup, self.table).due

    def step(self, *, card: str = "") -> None:
        """Do the one thing that is due, rightly; a card of this name comes where one is dealt."""
        now = self.due
        match now:
            case Deal():
                self.dealt(now, card or self.deck.pop(0))
            case Choose():
                self.choose(self.wanted(now))
            case Move():
                self.moved(now)
            case Reveal():
                self.revealed(now)
            case Clear():
                self.cleared(now.zones)
            case _:
                raise AssertionError(f"nothing of the round is due: {now}")

    def until(self, step: str, *, seat: int | None = None, most: int = 400) -> "BalootRig":
        """Play on until this step is due, at this seat where one is named; ``""`` for the end."""
        for _ in range(most):
            now = self.due if self.table.phase in (Phase.DEALING, Phase.DECISION) else None
            if now is None or (now.step == step and seat in (None, self.seat_of(now))):
                break
            assert not self.table.held, (self.faults(), now)
            self.step()
        assert (now.step if now else "") == step, (now, self.faults())
        return self

    @staticmethod
    def seat_of(now: Any) -> int | None:
        """The seat that a request is about."""
        if isinstance(now, Choose):
            return int(now.seat)
        zone = getattr(now, "to", getattr(now, "zone", ""))
        return int(zone[-1]) if zone[-1:].isdigit() else None

    def dealt(self, now: Deal, code: str, *, to: str = "", shows: str = "") -> None:
        """A card comes out of the shoe; it lies on this zone and shows this."""
        assert self.table.play is not None
        self.racks[len(self.table.play.inputs)] = code
        if "shoe" in self.sources:
            self.read(code)
        if "camera" in self.sources:
            self.lay(to or now.to, shows or ("XX" if now.face is Facing.DOWN else code))

    def wanted(self, now: Choose) -> str:
        """What is chosen: as `says` has it for the step, else what the clock would choose."""
        said = self.says.get(now.step, "")
        if said in now.options or self.table.play is None:
            return said
        known = {at: Card.parse(code) for at, code in self.racks.items()}
        game, inputs = self.setup.game, self.table.play.inputs
        return game.choices(self.setup.rules, inputs, known).auto

    def choose(self, option: str, *, seat: int | None = None) -> list[e.Event]:
        """The dealer enters what a seat says."""
        now, current = self.due, self.table.round
        assert isinstance(now, Choose)
        assert current is not None
        assert current.asking is not None
        at = now.seat if seat is None else seat
        return self.give(
            c.ChooseForSeat(seat=at, window=current.asking.number, option=option), by=DEALER
        )

    def moved(self, now: Move, *, to: str = "", shows: str = "") -> None:
        """The due card is laid in its new place; a camera sees it, else the dealer says so."""
        if "camera" not in self.sources:
            self.give(c.ConfirmStep(), by=DEALER)
            return
        self.lift_from(now.index)
        self.lay(to or now.to, shows or self.racks[now.index])

    def lift_from(self, index: int) -> None:
        """The card of this input is taken from where it lies, and no picture was seen yet."""
        assert self.table.play is not None
        place = next(place for place in self.table.play.places if place.index == index)
        assert place.track is not None
        zone, track = place.track
        self.felt[zone] = [card for card in self.felt[zone] if card.track != track]

    def revealed(self, now: Reveal) -> None:
        """The due card is turned where it lies."""
        if "camera" not in self.sources:
            self.give(c.ConfirmStep(), by=DEALER)
            return
        self.flip(now.index, self.racks[now.index])

    def flip(self, index: int, shows: str) -> None:
        """The card of this input shows its face, or its back again (``XX``)."""
        assert self.table.play is not None
        place = next(place for place in self.table.play.places if place.index == index)
        assert place.track is not None
        zone, track = place.track
        self.felt[zone] = [card for card in self.felt[zone] if card.track != track]
        before = self.tracks
        self.tracks = track - 1
        self.lay(zone, shows)
        self.tracks = before

    def cleared(self, zones: tuple[str, ...]) -> None:
        """The cards of these zones are taken away."""
        if "camera" in self.sources:
            for zone in zones:
                self.felt[zone].clear()
            self.show()
        else:
            self.give(c.ConfirmStep(), by=DEALER)

    # the end of a round

    def collected(self, *, remain: int | None = None) -> "BalootRig":
        """The result was shown, the felt is cleared, and what is left of the pack is counted."""
        if "camera" in self.sources:
            for zone in self.felt:
                self.felt[zone].clear()
            self.show()
        elif self.table.round is not None and not self.table.round.collected:
            self.give(c.ConfirmStep(), by=DEALER)
        self.wait(9)
        while self.table.phase is Phase.SHOE and not self.table.held:
            now = self.due
            if isinstance(now, Count):
                shoe = self.table.shoe
                assert shoe is not None
                self.give(c.EnterCount(max(0, shoe.cards.left) if remain is None else remain))
            else:
                self.give(c.ConfirmStep())
        return self

    def paid(self) -> dict[str, int]:
        """What went back for each kind of bet by the last end of a round."""
        back: dict[str, int] = {}
        for event, _ in reversed(self.events):
            if isinstance(event, e.RoundSettled | e.RoundVoided):
                for bet, amount in zip(event.columns.bets, event.columns.amounts, strict=True):
                    back[bet] = back.get(bet, 0) + amount
                return back
        return back

    def card_of(self, seat: int, place: int) -> str:
        """The true card of a place of a rack, from 1."""
        return self.racks[self.index_of(seat, place)]

    def index_of(self, seat: int, place: int) -> int:
        """The input that dealt the card of a place of a rack."""
        board = self.board()
        return int(board.seats[seat].rack[place - 1].index)

    def board(self) -> Any:
        """What all may see of the game."""
        assert self.table.play is not None
        return self.setup.game.board(self.setup.rules, self.table.play.inputs, {})


def cards(*codes: str) -> tuple[Card, ...]:
    """Cards by their codes."""
    return tuple(Card.parse(code) for code in codes)
