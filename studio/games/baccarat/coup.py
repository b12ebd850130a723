"""The coup of punto banco: what is dealt, to whom, in which order, and who wins (RULES.md 3)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from studio.domain.cards import Card, Rank
from studio.games.baccarat.rules import BaccaratRules
from studio.games.procedure import Deal, Dealt, Facing, Input, Procedure, run
from studio.games.spec import HandTotal

PLAYER: Final = "P"
"""Zone of the Player's hand."""
BANKER: Final = "B"
"""Zone of the Banker's hand."""
HANDS: Final = (PLAYER, BANKER)
"""The two hands in the order in which they lie before the dealer."""


FIRST_TWO: Final = 2
"""Cards of each hand before anyone draws."""


class Step(StrEnum):
    """What a coup may wait for."""

    FIRST_FOUR = "first_four"
    """Player, Banker, Player, Banker, face up."""
    PLAYER_THIRD = "player_third"
    """The Player draws, face up and laid across."""
    BANKER_THIRD = "banker_third"
    """The Banker draws, face up and laid across."""


class Winner(StrEnum):
    """The side with the higher total."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


_POINTS: Final[dict[Rank, int]] = {
    rank: int(rank.value) if rank.value.isdigit() else 0 for rank in Rank
} | {Rank.ACE: 1}
STANDS: Final = frozenset(range(6, 8))
"""Totals of two cards on which the Player stands."""
BANKER_DRAWS: Final[tuple[frozenset[int | None], ...]] = (
    frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, None}),
    frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, None}),
    frozenset({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, None}),
    frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9, None}),
    frozenset({2, 3, 4, 5, 6, 7, None}),
    frozenset({4, 5, 6, 7, None}),
    frozenset({6, 7}),
    frozenset(),
)
"""For the Banker's total 0 to 7: the values of the Player's third card on which the Banker draws.

None stands for a Player who stood; a third card of value 0 is another thing (D-30, D-35).
"""


def points(card: Card) -> int:
    """Value of one card: ace 1, two to nine as printed, ten and pictures 0."""
    return _POINTS[card.rank]


def total(cards: tuple[Card, ...] | list[Card]) -> int:
    """Total of a hand, 0 to 9: the last digit of the sum. The only place where hands are added."""
    return sum(map(points, cards)) % 10


def natural(two_cards_total: int) -> bool:
    """Whether the total of a hand of two cards is a natural: 8 or 9."""
    return two_cards_total >= 8  # noqa: PLR2004  the rule's own figure


def player_draws(two_cards_total: int) -> bool:
    """Whether the Player draws, if there is no natural: on 0 to 5."""
    return two_cards_total not in STANDS


def banker_draws(two_cards_total: int, third: int | None) -> bool:
    """Whether the Banker draws, if there is no natural.

    `third` is the value of the Player's third card (not the Player's new total), None if the
    Player stood (D-30, D-35).
    """
    return third in BANKER_DRAWS[two_cards_total]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupOutcome:
    """The result of a coup; everything follows from the two hands."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_total: int = field(init=False)
    banker_total: int = field(init=False)

    def __post_init__(self) -> None:
        """Add up the two hands once."""
        object.__setattr__(self, "player_total", total(self.player))
        object.__setattr__(self, "banker_total", total(self.banker))

    @property
    def winner(self) -> Winner:
        """The side with the higher total."""
        if self.player_total == self.banker_total:
            return Winner.TIE
        return Winner.PLAYER if self.player_total > self.banker_total else Winner.BANKER

    @property
    def code(self) -> str:
        """``player``, ``banker`` or ``tie``."""
        return self.winner.value

    @property
    def natural(self) -> bool:
        """Whether a hand of two cards with 8 or 9 ended the coup."""
        return natural(total(self.player[:FIRST_TWO])) or natural(total(self.banker[:FIRST_TWO]))

    @property
    def player_drew(self) -> bool:
        """Whether the Player took a third card."""
        return len(self.player) > FIRST_TWO

    @property
    def banker_drew(self) -> bool:
        """Whether the Banker took a third card."""
        return len(self.banker) > FIRST_TWO

    @property
    def player_pair(self) -> bool:
        """Whether the Player's first two cards are of one rank."""
        return self.player[0].rank is self.player[1].rank

    @property
    def banker_pair(self) -> bool:
        """Whether the Banker's first two cards are of one rank."""
        return self.banker[0].rank is self.banker[1].rank

    @property
    def perfect_pairs(self) -> int:
        """In how many hands, 0 to 2, the first two cards are of one rank and one suit."""
        return sum(hand[0] == hand[1] for hand in (self.player, self.banker))

    @property
    def cards(self) -> int:
        """Number of cards, 4 to 6."""
        return len(self.player) + len(self.banker)

    @property
    def dealt(self) -> tuple[tuple[str, Card], ...]:
        """(zone, card) of all cards in the order in which they came."""
        first_four = zip(
            (PLAYER, BANKER, PLAYER, BANKER),
            (self.player[0], self.banker[0], self.player[1], self.banker[1]),
            strict=True,
        )
        return (
            *first_four,
            *((PLAYER, card) for card in self.player[FIRST_TWO:]),
            *((BANKER, card) for card in self.banker[FIRST_TWO:]),
        )

    @property
    def marks(self) -> tuple[str, ...]:
        """What a bead plate shows beside the winner: ``player_pair``, ``banker_pair``."""
        return ("player_pair",) * self.player_pair + ("banker_pair",) * self.banker_pair

    def as_dict(self) -> dict[str, Any]:
        """All that a screen or a record needs to say about it, JSON-ready, no floats."""
        return {
            "code": self.code,
            "winner": self.code,
            "player": [card.code for card in self.player],
            "banker": [card.code for card in self.banker],
            "player_total": self.player_total,
            "banker_total": self.banker_total,
            "totals": [[PLAYER, self.player_total], [BANKER, self.banker_total]],
            "natural": self.natural,
            "player_drew": self.player_drew,
            "banker_drew": self.banker_drew,
            "cards": self.cards,
            "dealt": [[zone, card.code] for zone, card in self.dealt],
            "marks": list(self.marks),
        }


def coup(rules: BaccaratRules) -> Procedure[CoupOutcome]:  # noqa: ARG001  one shape for all games
    """Punto banco: what is dealt, to whom, in which order."""
    player: list[Card] = []
    banker: list[Card] = []
    for zone, hand in ((PLAYER, player), (BANKER, banker)) * 2:
        hand.append(_seen((yield Deal(to=zone, face=Facing.UP, step=Step.FIRST_FOUR))))
    player_has, banker_has = total(player), total(banker)
    third: int | None = None
    if not (natural(player_has) or natural(banker_has)):
        if player_draws(player_has):
            player.append(_seen((yield _third(PLAYER, Step.PLAYER_THIRD))))
            third = points(player[-1])
        if banker_draws(banker_has, third):
            banker.append(_seen((yield _third(BANKER, Step.BANKER_THIRD))))
    return CoupOutcome(player=tuple(player), banker=tuple(banker))


def totals(
    rules: BaccaratRules,  # noqa: ARG001  one shape for all games
    cards: tuple[tuple[str, Dealt], ...],
) -> tuple[HandTotal, ...]:
    """Totals of both hands from the cards so far; None for a hand without a known total."""
    return tuple(HandTotal(zone=zone, total=_known_total(zone, cards)) for zone in HANDS)


def _known_total(zone: str, cards: tuple[tuple[str, Dealt], ...]) -> int | None:
    """Total of one hand; None while it has no card or one that is not known."""
    hand = [dealt.card for to, dealt in cards if to == zone]
    known = [card for card in hand if card is not None]
    return total(known) if known and len(known) == len(hand) else None


def _third(zone: str, step: Step) -> Deal:
    """A third card: face up, laid across."""
    return Deal(to=zone, face=Facing.UP, step=step, sideways=True)


def _seen(answer: object) -> Card:
    """Every card of punto banco is dealt face up, so a card without identity cannot be answered."""
    if isinstance(answer, Card):
        return answer
    raise TypeError(f"a card face up is due, not {answer!r}")


def plan(rules: BaccaratRules) -> tuple[tuple[str, bool, bool], ...]:  # noqa: ARG001  one shape for all games
    """(zone, laid across, only perhaps) of every card of a coup, in order of dealing."""
    first_four = tuple((zone, False, False) for zone in HANDS * FIRST_TWO)
    return (*first_four, *((zone, True, True) for zone in HANDS))


def word(rules: BaccaratRules, inputs: tuple[Input, ...], zone: str) -> str | None:
    """What a hand does after the first four cards: natural, draws or stands; None before."""
    standing = run(lambda: coup(rules), inputs)
    cards = [
        given.card
        for asked, given in zip(standing.asked, inputs, strict=True)
        if isinstance(asked, Deal) and isinstance(given, Dealt) and asked.to == zone and given.card
    ]
    if len(inputs) < FIRST_TWO * len(HANDS):
        return None
    if len(cards) > FIRST_TWO:
        return "draws"
    if natural(total(cards)):
        return "natural"
    due = standing.due
    if isinstance(due, Deal):
        if due.to == zone:
            return "draws"
        return None if due.to == PLAYER else "stands"
    return "stands"
