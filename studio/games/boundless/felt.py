"""The felt of Boundless Blackjack: lanes with cards, and what each cohort has on them (D-04).

A lane's cards are shared by all who play on it, and whoever takes no card of a lane in a wave never
takes one there again. So a hand is always the first so many cards of its lane: a number, and that
is all that is kept of it.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from studio.domain.cards import Card, Rank
from studio.games.hands21 import POINTS, TEN, TWENTY_ONE, TWO_CARDS, Hand, by_itself
from studio.games.procedure import Choice, Decided, Offer, Staked

SHARED: Final = "M"
"""Zone of the shared hand."""
LEFT: Final = "L"
"""Zone of the first split hand; it starts with an image of the shared hand's first card."""
RIGHT: Final = "R"
"""Zone of the second split hand; it starts with an image of the shared hand's second card."""
LANES: Final = (SHARED, LEFT, RIGHT)
"""Zones of the players' hands in the order in which a wave gives them cards (D-04)."""
DEALER: Final = "D"
"""Zone of the dealer's hand."""
NO_SURRENDER: Final = frozenset({1, TEN})
"""Points of the dealer's first card under which nobody may surrender (RULES.md 1.1)."""


class Share(NamedTuple):
    """What a cohort has on one lane."""

    lane: str
    size: int
    """So many cards of the lane, the first ones."""
    over: bool = False
    """Its players choose nothing more: stood, doubled, a split ace, surrendered."""
    doubled: bool = False
    surrendered: bool = False


class Cohort(NamedTuple):
    """Players whose decisions so far are the same."""

    players: int
    shares: tuple[Share, ...]
    """M, or L and R."""


OPEN: Final = (Share(SHARED, TWO_CARDS),)
"""The shared hand of two cards."""
OVER: Final = (Share(SHARED, TWO_CARDS, over=True),)
"""The same as a natural: nobody has a decision (D-05)."""


NOBODY: Final = Staked(0)
"""The bets before they are closed."""


class Felt:
    """All that lies on the felt, and who has a part in it; a round fills it step by step."""

    __slots__ = (
        "cohorts",
        "dealer",
        "lanes",
        "said_natural",
        "shared",
        "staked",
        "takers",
        "waves",
    )

    def __init__(self) -> None:
        """Start with an empty felt."""
        self.staked = NOBODY
        self.shared = Hand()
        self.dealer = Hand()
        self.lanes: dict[str, Hand] = {SHARED: self.shared}
        self.cohorts: dict[str, Cohort] = {}
        self.takers: set[str] = set()
        """Lanes on which somebody takes a card in this wave."""
        self.waves: list[list[tuple[str, Card]]] = []
        """(lane, card) for each decision window after its execution."""
        self.said_natural: bool | None = None
        """What a look in secret told of the hole card; None where none was asked for or told."""

    @property
    def up(self) -> int:
        """Points of the dealer's first card, an ace as 1."""
        return POINTS[self.dealer.cards[0].rank]

    @property
    def waits(self) -> bool:
        """Whether a player's hand depends on what the dealer gets (D-06)."""
        if self.shared.natural and "" in self.cohorts:
            return False
        for cohort in self.cohorts.values():
            for share in cohort.shares:
                if not share.surrendered and self.score(share) <= TWENTY_ONE:
                    return True
        return False

    def score(self, share: Share) -> int:
        """Score of a hand; without its last card as long as that is due."""
        scores = self.lanes[share.lane].scores
        return scores[min(share.size, len(scores) - 1)]

    def seat(self) -> None:
        """Give the shared hand of two cards to all who have bet on it."""
        if self.staked.seated:
            self.cohorts[""] = Cohort(self.staked.seated, OVER if self.shared.natural else OPEN)

    def offers(self, lanes: tuple[str, ...]) -> tuple[Offer, ...]:
        """What may be chosen now for the open hands on these lanes; empty where none is open."""
        found = []
        for name, cohort in self.cohorts.items():
            for share in cohort.shares:
                if not share.over and share.lane in lanes:
                    score = self.lanes[share.lane].scores[share.size]
                    if score < TWENTY_ONE:
                        found.append(self._offer(name, share, score))
        return tuple(found)

    def execute(self, decided: Decided) -> None:
        """Make of every hand what its players have chosen, and note who takes a card now."""
        before, after = self.cohorts, self.cohorts.copy()
        self.takers.clear()
        for choice in decided.choices:
            after.pop(choice.cohort, None)
        for choice in decided.choices:
            shares = self._chosen(before[choice.cohort].shares, choice)
            after[choice.into] = Cohort(choice.players, shares)
        self.cohorts = after
        self.waves.append([])

    def take(self, lane: str, card: Card) -> None:
        """Give this card to all takers of the lane."""
        self.lanes[lane].take(card)
        self.waves[-1].append((lane, card))

    def _offer(self, cohort: str, share: Share, score: int) -> Offer:
        """What these players may do with this hand (RULES.md 1.5)."""
        if share.size > TWO_CARDS:
            return _offer(cohort, share.lane, score, (), ())
        if share.lane != SHARED:
            return _offer(cohort, share.lane, score, ("double",), ())
        first, second = self.shared.cards[:TWO_CARDS]
        even = POINTS[first.rank] == POINTS[second.rank]
        return _offer(
            cohort,
            SHARED,
            score,
            ("double", "split") if even else ("double",),
            () if self.up in NO_SURRENDER else ("surrender",),
        )

    def _chosen(self, shares: tuple[Share, ...], choice: Choice) -> tuple[Share, ...]:
        """Hands of these players after their choice, in order M, L, R."""
        if len(shares) == 1:
            action = choice.actions[0][1]
            return self._split() if action == "split" else (self._played(shares[0], action),)
        actions = dict(choice.actions)
        return tuple(
            [
                self._played(share, actions[share.lane]) if share.lane in actions else share
                for share in shares
            ]
        )

    def _played(self, share: Share, action: str) -> Share:
        """One hand after an action that leaves it one hand; the card that it takes comes next."""
        lane, size = share.lane, share.size
        if action == "stand":
            return Share(lane, size, True)  # noqa: FBT003  keywords cost more than the rest
        if action == "surrender":
            return Share(lane, size, over=True, surrendered=True)
        self.takers.add(lane)
        if action == "hit":
            return Share(lane, size + 1)
        if action == "double":
            return Share(lane, size + 1, over=True, doubled=True)
        raise ValueError(f"nobody can {action} a hand")

    def _split(self) -> tuple[Share, ...]:
        """Two hands, each with an image of one card of the shared hand; both take a card now."""
        pair = self.shared.cards[:TWO_CARDS]
        for lane, image in zip((LEFT, RIGHT), pair, strict=True):
            self.lanes.setdefault(lane, Hand((image,)))
            self.takers.add(lane)
        aces = pair[0].rank is Rank.ACE
        return Share(LEFT, TWO_CARDS, over=aces), Share(RIGHT, TWO_CARDS, over=aces)


@lru_cache(maxsize=4096)
def _offer(
    cohort: str, lane: str, score: int, costs: tuple[str, ...], free: tuple[str, ...]
) -> Offer:
    """Give the offer for a hand with this score; automatic play and want of money go by it."""
    auto = by_itself(score)
    return Offer(
        cohort=cohort,
        lane=lane,
        actions=("hit", "stand", *costs, *free),
        costs=costs,
        auto=auto,
        short=auto if costs else "",
    )
