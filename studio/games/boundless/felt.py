"""The felt of Boundless Blackjack: lanes with cards, and what each cohort has on them (D-04).

A lane's cards are shared by all who play on it. Whoever takes no card of a lane in a wave never
takes one there again, so a hand is always the first so many cards of its lane, and every hand that
is still open has all of them.
"""

from functools import lru_cache
from typing import Final

from studio.domain.cards import Card, Rank
from studio.games.hands21 import TEN, TWENTY_ONE, TWO_CARDS, Hand, by_itself, points
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


class Share:
    """What one cohort has on one lane; replaced when its players choose."""

    __slots__ = ("doubled", "ends", "lane", "open", "score", "size", "surrendered")

    def __init__(self, lane: str, size: int, score: int) -> None:
        """Start as an open hand of the first `size` cards of the lane."""
        self.lane = lane
        self.size = size
        self.score = score
        self.open = True
        self.ends = False
        """The next card is the last one: a doubled hand, a split ace."""
        self.doubled = False
        self.surrendered = False

    def copy(self) -> "Share":
        """Give one for players who went another way elsewhere."""
        other = Share(self.lane, self.size, self.score)
        other.open, other.ends = self.open, self.ends
        other.doubled, other.surrendered = self.doubled, self.surrendered
        return other


class Cohort:
    """Players whose decisions so far are the same: how many, and what they have."""

    __slots__ = ("players", "shares")

    def __init__(self, players: int, shares: list[Share]) -> None:
        """Keep how many they are and their hands, in order M, L, R."""
        self.players = players
        self.shares = shares


class Felt:
    """All that lies on the felt, and who has a part in it; a round fills it step by step."""

    __slots__ = (
        "cohorts",
        "dealer",
        "lanes",
        "peeked",
        "said_natural",
        "staked",
        "takers",
        "waves",
    )

    def __init__(self) -> None:
        """Start with an empty felt."""
        self.staked = Staked(0)
        self.lanes: dict[str, Hand] = {SHARED: Hand()}
        self.dealer = Hand()
        self.cohorts: dict[str, Cohort] = {}
        self.takers: dict[str, list[Share]] = {}
        """Hands that get the next card of a lane, in this wave."""
        self.waves: list[list[tuple[str, Card]]] = []
        """(lane, card) for each decision window after its execution."""
        self.said_natural: bool | None = None
        """What a look in secret told of the hole card; None where none was asked for or told."""

    @property
    def shared(self) -> Hand:
        """The hand that all players share."""
        return self.lanes[SHARED]

    @property
    def up(self) -> int:
        """Points of the dealer's first card, an ace as 1."""
        return points(self.dealer.cards[0])

    @property
    def waits(self) -> bool:
        """Whether a player's hand depends on what the dealer gets (D-06)."""
        if self.shared.natural and "" in self.cohorts:
            return False
        return any(
            share.score <= TWENTY_ONE and not share.surrendered
            for cohort in self.cohorts.values()
            for share in cohort.shares
        )

    def seat(self) -> None:
        """Give the shared hand of two cards to all who have bet on it."""
        if self.staked.seated:
            share = Share(SHARED, TWO_CARDS, self.shared.score)
            share.open = not self.shared.natural
            self.cohorts[""] = Cohort(self.staked.seated, [share])

    def offers(self, lanes: tuple[str, ...]) -> tuple[Offer, ...]:
        """What may be chosen now for the open hands on these lanes; empty where none is open."""
        return tuple(
            [
                self._offer(name, share)
                for name, cohort in self.cohorts.items()
                for share in cohort.shares
                if share.open and share.lane in lanes
            ]
        )

    def execute(self, decided: Decided) -> None:
        """Make of every hand what its players have chosen, and note who takes a card now."""
        before, self.takers = self.cohorts, {}
        answered = {choice.cohort for choice in decided.choices}
        self.cohorts = {name: had for name, had in before.items() if name not in answered}
        self.waves.append([])
        for choice in decided.choices:
            shares = self._chosen(before[choice.cohort].shares, choice)
            self.cohorts[choice.into] = Cohort(choice.players, shares)

    def take(self, lane: str, card: Card) -> None:
        """Give this card to all takers of the lane."""
        hand = self.lanes[lane]
        score = hand.take(card)
        self.waves[-1].append((lane, card))
        size = len(hand.cards)
        for share in self.takers[lane]:
            share.size, share.score = size, score
            share.open = not share.ends and score < TWENTY_ONE

    def _offer(self, cohort: str, share: Share) -> Offer:
        """What these players may do with this hand (RULES.md 1.5)."""
        first, second = self.shared.cards[:TWO_CARDS]
        fresh = share.size == TWO_CARDS
        whole = fresh and share.lane == SHARED
        return _offer(
            cohort,
            share.lane,
            share.score,
            double=fresh,
            split=whole and points(first) == points(second),
            surrender=whole and self.up not in NO_SURRENDER,
        )

    def _chosen(self, shares: list[Share], choice: Choice) -> list[Share]:
        """Hands of a cohort's players after their choice, in order M, L, R."""
        actions = dict(choice.actions)
        after: list[Share] = []
        for share in shares:
            match actions.get(share.lane):
                case None:
                    after.append(share.copy() if share.open else share)
                case "split":
                    after += self._split()
                case action:
                    after.append(self._played(share.copy(), action))
        return after

    def _played(self, share: Share, action: str) -> Share:
        """One hand after an action that leaves it one hand."""
        match action:
            case "hit":
                self._takes(share)
            case "double":
                share.doubled = share.ends = True
                self._takes(share)
            case "surrender":
                share.surrendered = True
                share.open = False
            case "stand":
                share.open = False
            case _:
                raise ValueError(f"nobody can {action} a hand")
        return share

    def _split(self) -> list[Share]:
        """Two hands, each with an image of one card of the shared hand; both take a card now."""
        pair = self.shared.cards[:TWO_CARDS]
        made = []
        for lane, card in zip((LEFT, RIGHT), pair, strict=True):
            hand = self.lanes.setdefault(lane, Hand((card,)))
            share = Share(lane, 1, hand.score)
            share.ends = card.rank is Rank.ACE
            self._takes(share)
            made.append(share)
        return made

    def _takes(self, share: Share) -> None:
        """Note that this hand gets the next card of its lane; until then nothing is chosen."""
        share.open = False
        self.takers.setdefault(share.lane, []).append(share)


@lru_cache(maxsize=4096)
def _offer(
    cohort: str, lane: str, score: int, *, double: bool, split: bool, surrender: bool
) -> Offer:
    """Give the offer for a hand with this score; automatic play and want of money go by it."""
    costs = ("double",) * double + ("split",) * split
    auto = by_itself(score)
    return Offer(
        cohort=cohort,
        lane=lane,
        actions=("hit", "stand", *costs, *("surrender",) * surrender),
        costs=costs,
        auto=auto,
        short=auto if costs else "",
    )
