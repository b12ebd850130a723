"""Players who choose, at seats or by the thousand, and the platform through which they play.

Most know basic strategy. Some play badly, some say nothing, some drop off in the middle of a round,
and some come with little money. What they do is drawn from a seed; what they see is what players
see: totals, the dealer's first card, and what may be chosen.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from random import Random
from typing import Final, TypeVar

from studio.domain.commands import (
    Bet,
    Decision,
    MarkDisconnected,
    PlaceBets,
    PlaceDecisions,
)
from studio.domain.decisions import Offer
from studio.games.procedure import Dealt
from studio.simulate.basic import Shown, best
from studio.simulate.players import stake_in
from studio.table import lanes
from studio.table.state import Answering, Limit, Round, Setup, Table

T = TypeVar("T")

AT_ONCE: Final = 5_000
"""Entries that a table takes in one batch."""
PARTS: Final = 3
"""A crowd that fits into fewer batches comes in so many all the same."""
ACTIONS: Final = ("hit", "stand", "double", "split", "surrender")
"""What somebody may try who does not look at what is offered."""
SEATED: Final = 0.85
"""Share of players who bet on the shared hand in a round; the others watch, or bet beside it."""
BESIDE: Final = 0.5
"""Share of those without a seat who bet on something else."""
SIDE: Final = 0.2
"""Share of players who take a side bet, for each of them."""
SMALL: Final = 4
"""A small purse holds so many of its player's least stakes."""


TopUp = Callable[[str, Sequence[str], int, int], object]
"""(occasion, players, least balance, what each brings who has less), amounts in minor units."""


def nothing(key: str, names: Sequence[str], least: int, amount: int) -> None:
    """Nobody brings anything."""


class Kind(StrEnum):
    """How somebody plays."""

    BOOK = "book"
    """By basic strategy, never insured."""
    CAREFUL = "careful"
    """The same, always insured."""
    WILD = "wild"
    """Whatever comes to mind, also what is not on offer."""
    SILENT = "silent"
    """Says nothing, and is played for."""
    LEAVER = "leaver"
    """By basic strategy, until the line breaks."""


SHARES: Final = (
    (Kind.BOOK, 0.70),
    (Kind.CAREFUL, 0.08),
    (Kind.WILD, 0.12),
    (Kind.SILENT, 0.06),
    (Kind.LEAVER, 0.04),
)
"""How many of the players are of which kind."""
BREAKS: Final = 0.3
"""In each window the line of so many of the leavers breaks."""
ASTRAY: Final = 0.1
"""Share of wild choices that are not on offer."""
POOR: Final = 0.1
"""Share of players with a small purse."""


class Sharers:
    """A crowd at the shared hand; equal seeds play equally."""

    def __init__(
        self,
        seed: int,
        limits: Sequence[tuple[str, Limit | None]],
        count: int = 2_000,
        top_up: TopUp = nothing,
    ) -> None:
        """Seat so many players; `limits` are the table's bets with least and greatest stake.

        `top_up` lets those with a small purse bring more once it is empty.
        """
        self._top_up = top_up
        self._random = Random(f"sharers-{seed}")  # noqa: S311  a simulation, no secret
        self._limits = dict(limits)
        self.names = tuple(f"p{number:03}" for number in range(1, count + 1))
        kinds, weights = [kind for kind, _ in SHARES], [share for _, share in SHARES]
        drawn = self._random.choices(kinds, weights, k=count)
        self._kinds = dict(zip(self.names, drawn, strict=True))
        self.poor = frozenset(name for name in self.names if self._random.random() < POOR)
        """Those who come with little money, and bring more when it is gone."""

    @property
    def small_purse(self) -> int:
        """What somebody with little money brings, minor units."""
        return SMALL * self._least("main")

    def kind_of(self, name: str) -> Kind:
        """How this player plays."""
        return self._kinds[name]

    # -- bets -------------------------------------------------------------------------------------

    def bets(self, setup: Setup, table: Table) -> Iterator[PlaceBets]:
        """Batches of bets for the round whose window is open, in order."""
        current = table.round
        if current is None:
            return
        self._top_up(current.id, sorted(self.poor), self._least("main"), self.small_purse)
        offered = setup.game.offered(setup.rules, current.counted)
        placed = [bet for name in self.names for bet in self._bets_of(name, current.id, offered)]
        for part, bets in enumerate(_parts(placed), start=1):
            yield PlaceBets(batch=f"sim-{part}", bets=bets, round_id=current.id)

    def _bets_of(self, name: str, round_id: str, offered: Sequence[str]) -> Iterator[Bet]:
        chance = self._random
        seated = chance.random() < SEATED
        if not seated and chance.random() >= BESIDE:
            return
        for bet in self._limits:
            wanted = seated if bet == "main" else chance.random() < SIDE
            asked = bet in offered or self._kinds[name] is Kind.WILD
            if wanted and asked:
                stake = self._stake(name, bet)
                yield Bet(id=f"{round_id}-{name}-{bet}", player=name, bet=bet, stake=stake)

    def _stake(self, name: str, bet: str) -> int:
        if name in self.poor:
            return self._least(bet)
        return stake_in(self._limits[bet], self._random)

    def _least(self, bet: str) -> int:
        limit = self._limits.get(bet)
        return limit.least if limit else 100

    # -- decisions --------------------------------------------------------------------------------

    def decisions(self, setup: Setup, table: Table) -> Iterator[PlaceDecisions | MarkDisconnected]:
        """Batches of decisions for the window that is open, in order, and who drops off."""
        current = table.round
        asks = current.answering if current is not None else None
        if current is None or asks is None:
            return
        gone, chosen = self._choose(setup, table, current, asks)
        for players in _parts(gone, least=1):
            yield MarkDisconnected(players=players)
        for part, decisions in enumerate(_parts(chosen), start=1):
            yield PlaceDecisions(
                batch=f"sim-{asks.number}-{part}",
                decisions=decisions,
                window=asks.number,
                round_id=current.id,
            )

    def _choose(
        self, setup: Setup, table: Table, current: Round, asks: Answering
    ) -> tuple[list[str], list[Decision]]:
        """Who drops off now, and what all others choose, in the order of their seats."""
        hands = _hands(setup, table)
        offers: dict[str, list[Offer]] = {}
        for offer in asks.offers:
            offers.setdefault(offer.cohort, []).append(offer)
        seating, gone, chosen = current.seating, [], []
        for name, place in zip(seating.players, seating.numbers.tolist(), strict=True):
            mine = offers.get(seating.cohorts[place], ())
            kind = self._kinds.get(name, Kind.SILENT)
            if not mine or kind is Kind.SILENT or name in seating.gone:
                continue
            if kind is Kind.LEAVER and self._random.random() < BREAKS:
                gone.append(name)
                continue
            for offer in mine:
                action = self._action(kind, offer, hands)
                which = f"{current.id}-{asks.number}-{name}-{offer.lane}"
                chosen.append(Decision(id=which, player=name, lane=offer.lane, action=action))
        return gone, chosen

    def _action(self, kind: Kind, offer: Offer, hands: dict[str, Shown]) -> str:
        if kind is Kind.WILD:
            astray = self._random.random() < ASTRAY
            return self._random.choice(ACTIONS if astray else offer.actions)
        if "decline" in offer.actions:  # insurance, and what may be given up before it
            return "insure" if kind is Kind.CAREFUL and "insure" in offer.actions else "decline"
        hand = hands.get(offer.lane)
        return offer.auto if hand is None else best(hand, offer.actions)


def _hands(setup: Setup, table: Table) -> dict[str, Shown]:
    """The hands as players see them, by lane; whoever may choose has all cards of a lane."""
    seen = tuple(
        (hand.name, Dealt(place.card))
        for hand in lanes.hands(setup, table, lanes.crowd_of(setup, table))
        for place in lanes.open_cards(hand.places)
    )
    totals = {found.zone: found for found in setup.game.totals(setup.rules, seen)}
    dealer = lanes.DEALER
    up = totals[dealer].total if dealer in totals else None
    return {
        zone: Shown(found.total, found.low, up or 0)
        for zone, found in totals.items()
        if found.total is not None and zone != dealer
    }


def _parts(entries: Sequence[T], least: int = PARTS) -> Iterator[tuple[T, ...]]:
    """Cut entries into batches of about one size, `least` of them where there are enough."""
    if not entries:
        return
    count = max(min(least, len(entries)), -(-len(entries) // AT_ONCE))
    size = -(-len(entries) // count)
    for at in range(0, len(entries), size):
        yield tuple(entries[at : at + size])
