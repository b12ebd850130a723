"""A table of the shared hand without threads or devices, with a wallet that is a dictionary."""

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.games.procedure import Reveal
from studio.games.registry import game
from studio.table.book import Book
from studio.table.correction import round_meant
from studio.table.decide import decided
from studio.table.decisions import costly
from studio.table.evolve import evolve
from studio.table.laws import check_laws
from studio.table.state import Limit, Phase, Setup, Times
from studio.table.turn import Stamp, due
from tests.support.past import past_of
from tests.support.rig import FIRST, Rig

ZONES = ("M", "L", "R", "D", "BURN", "DISCARD")
PLENTY = 1_000_000


def setup_of(sources: tuple[str, ...], name: str = "boundless-blackjack", **rules: Any) -> Setup:
    """A table of this game with all bets from 1 to 1,000,000 minor units."""
    dealt = game(name)
    return Setup(
        table="bb1",
        game=dealt,
        rules=dealt.rules(rules),
        rules_digest="rules",
        sources=sources,
        limits=tuple((bet, Limit(1, 1_000_000)) for bet in dealt.bets),
        times=Times(),
    )


@dataclass
class SharedRig(Rig):
    """One such table; every decision is checked against the laws."""

    sources: tuple[str, ...] = ("shoe",)
    purse: dict[str, int] = field(default_factory=dict)
    """Balances; who is not named has plenty."""
    game: str = "boundless-blackjack"
    silent: bool = False
    """The wallet answers nothing."""
    book: Book = field(default_factory=Book)

    def __post_init__(self) -> None:
        """Lay an empty felt."""
        self.setup = setup_of(self.sources, self.game, **self.rules)
        zones = (*self.setup.game.hands, *ZONES)
        self.felt = {zone: [] for zone in dict.fromkeys(zones)}

    def _decide(self, given: Any, by: c.Asker) -> list[e.Event]:
        stamp = Stamp(at_us=self.at_us, salt=f"s{len(self.events)}")
        short: dict[str, str] = {}
        past = past_of(self.events, round_meant(self.table, given))
        if isinstance(given, c.PlaceDecisions):
            costs = costly(self.setup, self.table, given, self.book)
            short = {each: "" for each, player, amount in costs if amount > self.has(player)}
        before = self.table
        turn = decided(
            self.setup, before, given, stamp, by=by, past=past, book=self.book, short=short
        )
        new = list(turn.events)
        self.table = reduce(lambda t, event: evolve(t, event, self.at_us), new, self.table)
        check_laws(before, self.table, new)
        self.events += [(event, self.at_us) for event in new]
        for event in list(new):
            if isinstance(event, e.BetsPlaced | e.FundsAsked) and not self.silent:
                new += self.reserve(event)
            if isinstance(event, e.RoundSettled | e.RoundVoided):
                for player, amount in zip(
                    event.columns.players, event.columns.amounts, strict=True
                ):
                    self.purse[player] = self.has(player) + amount
        return new

    def has(self, player: str) -> int:
        """The balance of a player."""
        return self.purse.get(player, PLENTY)

    def reserve(self, event: e.BetsPlaced | e.FundsAsked) -> list[e.Event]:
        """The wallet takes what is covered, in order, and answers."""
        refused, columns = [], event.columns
        for bet, player, amount in zip(columns.ids, columns.players, columns.amounts, strict=True):
            if amount > self.has(player):
                refused.append(bet)
            else:
                self.purse[player] = self.has(player) - amount
        return self.give(
            o.FundsAnswered(
                device="wallet", at_us=self.at_us, batch=event.batch, refused=tuple(refused)
            )
        )

    def bet(self, player: str, /, **stakes: int) -> list[e.Event]:
        """One batch of one player; the wallet answers by itself."""
        batch = f"{player}-{len(self.events)}"
        bets = tuple(
            c.Bet(f"{batch}-{name}", player, name, stake) for name, stake in stakes.items()
        )
        return self.give(c.PlaceBets(batch=batch, bets=bets))

    def seated(self, **mains: int) -> "SharedRig":
        """A round is open, these players have a main bet, and cards are due."""
        self.in_play().give(c.OpenBets())
        for player, stake in mains.items():
            self.bet(player, main=stake)
        self.give(c.CloseBets())
        return self

    def cards(self, text: str) -> list[e.Event]:
        """Deal these cards, as ``8S 6D 8C TC``, each to where it is due (the camera too)."""
        new: list[e.Event] = []
        for code in text.split():
            now = due(self.setup, self.table)
            zone = getattr(now, "to", "M")
            down = getattr(now, "face", "up") == "down"
            if "shoe" in self.sources:
                new += self.read(code)
            if "camera" in self.sources:
                new += self.lay(zone, "XX" if down else code)
        return new

    def answer(self, *decisions: str, window: int | None = None) -> list[e.Event]:
        """Decisions as ``ann M hit``; the lane of insurance is ``-``."""
        if window is None:
            window = self.asks.number
        batch = tuple(
            c.Decision(f"{text}-{len(self.events)}", player, lane.strip("-"), action)
            for text in decisions
            for player, lane, action in [text.split()]
        )
        name = f"d{len(self.events)}"
        return self.give(c.PlaceDecisions(batch=name, decisions=batch, window=window))

    @property
    def asks(self) -> Any:
        """The open window."""
        assert self.table.round is not None
        assert self.table.round.answering is not None
        return self.table.round.answering

    def pass_window(self) -> list[e.Event]:
        """Let the time of the open window pass."""
        assert self.table.window is not None
        self.at_us = max(self.at_us, self.table.window.deadline_us)
        return self.give(c.Tick())

    def turn_hole(self, code: str = "") -> list[e.Event]:
        """The dealer turns the hole card; the camera sees `code` there."""
        assert isinstance(due(self.setup, self.table), Reveal)
        if "camera" not in self.sources:
            return self.give(c.ConfirmStep())
        down = next(n for n, card in enumerate(self.felt["D"]) if card.look is o.Look.BACK)
        self.felt["D"][down] = replace(
            self.felt["D"][down], look=o.Look.FACE, card=Card.parse(code), sure=True
        )
        return self.show()

    def to_result(self, shoe: str, hole: str = "") -> list[e.Event]:
        """Pass all windows silently, deal from `shoe` what is due, until the round has ended."""
        left = shoe.split()
        new: list[e.Event] = []
        for _ in range(200):
            if self.table.phase is Phase.RESULT:
                return new
            if self.table.phase is Phase.DECISION or self.table.window is not None:
                new += self.pass_window()
            elif isinstance(due(self.setup, self.table), Reveal):
                new += self.turn_hole(hole)
            else:
                new += self.cards(left.pop(0))
        raise AssertionError("the round does not end")

    def cohorts(self) -> dict[str, int]:
        """How many players each cohort has."""
        assert self.table.round is not None
        return self.table.round.seating.sizes()

    def paid(self) -> dict[str, int]:
        """What went back to each player when the round ended."""
        ended = next(
            event
            for event, _ in reversed(self.events)
            if isinstance(event, e.RoundSettled | e.RoundVoided)
        )
        found: dict[str, int] = {}
        for player, amount in zip(ended.columns.players, ended.columns.amounts, strict=True):
            found[player] = found.get(player, 0) + amount
        return found


def reasons(events: list[e.Event]) -> list[str]:
    """The reasons of all decisions that were refused, in order."""
    return [
        reason.removeprefix("refused.")
        for event in events
        if isinstance(event, e.DecisionsRefused)
        for _, reason in event.refused
    ]


def of_kind(events: list[e.Event], kind: type) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


__all__ = ["FIRST", "SharedRig", "of_kind", "reasons", "setup_of"]
