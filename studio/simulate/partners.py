"""What somebody who knows Baloot says and plays: plain rules of thumb, one for each question.

A player looks at the board, which all see, at the own cards, and at what may be chosen. No card of
another rack is known here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.baloot.bidding import ASHKAL, HOKUM, LEAVE, PASS, SUN, TAKE
from studio.games.baloot.cards import PACK, points, side_of, strength
from studio.games.baloot.projects import JOINED, NONE, Kind
from studio.games.baloot.steps import Step
from studio.games.board import Board

HOKUM_WORTH: Final[Mapping[Rank, float]] = {
    Rank.JACK: 4.0,
    Rank.NINE: 3.0,
    Rank.ACE: 2.0,
    Rank.TEN: 1.5,
    Rank.KING: 1.2,
    Rank.QUEEN: 1.2,
    Rank.EIGHT: 1.0,
    Rank.SEVEN: 1.0,
}
"""What a card of the hokum suit is worth to who buys it."""
SIDE_WORTH: Final[Mapping[Rank, float]] = {Rank.ACE: 1.5, Rank.TEN: 0.5}
"""What a card of another suit is worth beside hokum."""
SUN_WORTH: Final[Mapping[Rank, float]] = {
    Rank.ACE: 3.0,
    Rank.TEN: 1.6,
    Rank.KING: 1.0,
    Rank.QUEEN: 0.5,
}
"""What a card is worth in sun."""
BUYS_HOKUM: Final = 6.2
BUYS_SUN: Final = 6.8
"""From so much on, of six cards, a player buys."""
DOUBLES: Final = 5.2
"""From so much on, of eight cards, an opponent doubles; each further step asks for more."""
STEP_UP: Final = 1.2
CLOSES: Final = 11.0
KINDS: Final = tuple(kind.value for kind in reversed(Kind))
"""Projects, the least first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sees:
    """What the player whose turn it is sees."""

    seat: int
    hand: tuple[Card, ...]
    """Own cards that were not played yet."""
    board: Board
    options: tuple[tuple[str, str], ...]
    """(option, code of the card that it means or nothing)."""
    step: str
    keen: bool = False
    """Whether this player buys with any hand, as long as it may."""

    @property
    def words(self) -> tuple[str, ...]:
        """What may be said."""
        return tuple(option for option, _ in self.options)

    @property
    def face(self) -> Card | None:
        """The card that was turned for the bidding."""
        return Card.parse(self.board.face) if self.board.face else None

    @property
    def trump(self) -> Suit | None:
        """The hokum suit; None in sun."""
        return Suit(self.board.trump) if self.board.trump else None


def choose(sees: Sees) -> str:
    """Give the option that this player takes."""
    match sees.step:
        case Step.BIDDING | Step.CLAIM | Step.CONFIRM:
            return _call(sees)
        case Step.RAISE:
            return _raise(sees)
        case Step.CLOSED:
            return "closed" if _hokum(sees.hand, sees.trump) >= CLOSES else "open"
        case Step.PROJECTS:
            return max(sees.words, key=_worth_of)
        case Step.PLAY:
            return _play(sees)
        case _:
            raise ValueError(f"a player of Baloot is not asked for {sees.step}")


# -- what is said ---------------------------------------------------------------------------------


def _call(sees: Sees) -> str:
    """Buy what the hand is good for; else pass, leave, or keep what was bought."""
    words, face = sees.words, sees.face
    mine = (*sees.hand, face) if face else sees.hand
    if _sun(mine) >= BUYS_SUN and (word := _first(words, SUN, TAKE)):
        return word
    if _sun(sees.hand) >= BUYS_SUN and ASHKAL in words:
        return ASHKAL
    hokums = {word: _suit_of(word, face) for word in words if word.startswith(HOKUM)}
    best = max(hokums, key=lambda word: _hokum(mine, hokums[word]), default="")
    buys = sees.keen or sees.step == Step.CONFIRM
    if best and (buys or _hokum(mine, hokums[best]) >= BUYS_HOKUM):
        return best
    return _first(words, PASS, LEAVE) or words[0]


def _first(words: Sequence[str], *wanted: str) -> str:
    """The first of these words that may be said."""
    return next((word for word in wanted if word in words), "")


def _suit_of(word: str, face: Card | None) -> Suit | None:
    """The suit that a hokum names."""
    _, _, named = word.partition(":")
    return Suit(named) if named else (face.suit if face else None)


def _hokum(hand: Sequence[Card], trump: Suit | None) -> float:
    """How good a hand is for hokum."""
    return sum(
        (HOKUM_WORTH if card.suit is trump else SIDE_WORTH).get(card.rank, 0.0) for card in hand
    )


def _sun(hand: Sequence[Card]) -> float:
    """How good a hand is for sun."""
    return sum(SUN_WORTH.get(card.rank, 0.0) for card in hand)


def _raise(sees: Sees) -> str:
    """Raise with a strong hand; each step asks for a stronger one."""
    higher = [word for word in sees.words if word != PASS]
    strong = _hokum(sees.hand, sees.trump) if sees.trump else _sun(sees.hand)
    wanted = DOUBLES + STEP_UP * (sees.board.multiplier - 1)
    return higher[0] if higher and strong >= wanted else PASS


def _worth_of(word: str) -> tuple[int, ...]:
    """Orders announcements: the best kind first, then the second."""
    if word == NONE:
        return ()
    return tuple(KINDS.index(kind) for kind in word.split(JOINED))


# -- what is played -------------------------------------------------------------------------------


def _play(sees: Sees) -> str:
    """Lead a card that nobody can beat, win where it pays, give points to the partner."""
    named = {option: Card.parse(code) for option, code in sees.options if code}
    if len(named) < len(sees.options):
        return sees.words[0]  # nobody has named the cards: the leftmost one
    trump = sees.trump
    trick = sees.board.tricks[-1].cards if sees.board.tricks else ()
    if not trick:
        return _lead(sees, named)

    def low(option: str) -> tuple[int, bool, int]:
        card = named[option]
        return points(card, trump), card.suit is trump, strength(card, trump)

    winning = _winner(trick, trump)
    winners = [o for o, card in named.items() if _beats(card, winning[1], trump)]
    last = len(trick) == 3  # noqa: PLR2004  three have played
    if side_of(winning[0]) == side_of(sees.seat):
        if last or _highest_left(winning[1], sees):
            return max(named, key=lambda o: (points(named[o], trump), -strength(named[o], trump)))
        return min(named, key=low)
    if not winners:
        return min(named, key=low)
    if last:
        return min(winners, key=lambda o: (named[o].suit is trump, strength(named[o], trump)))
    strongest = max(winners, key=lambda o: strength(named[o], trump))
    return strongest if _highest_left(named[strongest], sees) else min(named, key=low)


def _lead(sees: Sees, named: Mapping[str, Card]) -> str:
    """The highest card left of a suit; else a low one of the longest suit."""
    trump = sees.trump
    buys = sees.board.buyer is not None and side_of(sees.board.buyer) == side_of(sees.seat)
    sure = [o for o, card in named.items() if _highest_left(card, sees)]
    if not buys:
        sure = [o for o in sure if named[o].suit is not trump]
    if sure:
        return max(sure, key=lambda o: (named[o].suit is trump, points(named[o], trump)))
    suits = [card.suit for card in named.values()]

    def low(option: str) -> tuple[bool, int, int]:
        card = named[option]
        return card.suit is trump, points(card, trump), -suits.count(card.suit)

    return min(named, key=low)


def _winner(trick: Sequence[tuple[int, str]], trump: Suit | None) -> tuple[int, Card]:
    """(seat, card) that has the trick so far."""
    best = (trick[0][0], Card.parse(trick[0][1]))
    for seat, code in trick[1:]:
        card = Card.parse(code)
        if _beats(card, best[1], trump):
            best = (seat, card)
    return best


def _beats(card: Card, other: Card, trump: Suit | None) -> bool:
    """Whether a card takes a trick from another one that has it."""
    if card.suit is other.suit:
        return strength(card, trump) > strength(other, trump)
    return card.suit is trump


def _out(sees: Sees) -> set[Card]:
    """Cards that may still be in other racks."""
    gone = {Card.parse(code) for trick in sees.board.tricks for _, code in trick.cards}
    return set(PACK) - gone - set(sees.hand)


def _highest_left(card: Card, sees: Sees) -> bool:
    """Whether no card of its suit that others may hold is higher."""
    trump = sees.trump
    return not any(
        other.suit is card.suit and strength(other, trump) > strength(card, trump)
        for other in _out(sees)
    )
