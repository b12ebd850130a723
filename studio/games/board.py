"""A game of tricks as a screen shows it: seats, calls, racks, the trick, the score.

Made by the game from what lies open, and from what the table knows of the racks only where the
rules have it told (a project that was announced). A card that lies face down has no name here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from studio.domain.cards import Card
from studio.domain.values import quick

Known = Mapping[int, Card]
"""Cards that lie face down and that a reader named, by the place of the input that dealt them."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a seat may choose now, by its own cards too. For the seat and for the judge alone."""

    options: tuple[tuple[str, str], ...]
    """(option, the card that it means or nothing), as ``("3", "7H")`` or ``("pass", "")``."""
    auto: str
    """What is chosen for a seat that stays silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """What open cards prove: a card was played that its seat might not play."""

    at: int
    """Place of the input that chose the card."""
    text: str
    """As ``revoke seat=1 trick=2 held=KS played=8D``; the seat as the API counts it, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RackSlot:
    """One place of a rack."""

    index: int
    """Place of the input that dealt the card."""
    look: str
    """``back``, ``face``, or ``gone`` where the card was played."""
    card: str = ""
    """Code of a card that lies face up; empty otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project that a seat announced."""

    kind: str
    """``sira fifty hundred four_hundred baloot``."""
    cards: tuple[str, ...] = ()
    """Codes, from the moment in which the rules have them shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatState:
    """One seat."""

    seat: int
    """0 to 3, in the order of play; the side is `seat` modulo 2."""
    said: tuple[str, ...] = ()
    """All that it called in this round, oldest first: ``pass hokum hokum:S sun ashkal take leave
    double triple four gahwa open closed``."""
    rack: tuple[RackSlot, ...] = ()
    played: str = ""
    """Code of its card in the trick that lies there."""
    projects: tuple[Project, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A trick, the open one too."""

    lead: int
    cards: tuple[tuple[int, str], ...]
    """(seat, code) in order."""
    winner: int | None = None
    points: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of a seat now; the same whatever its cards are."""

    step: str
    seat: int
    options: tuple[str, ...]
    besides: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All of a game of tricks."""

    seats: tuple[SeatState, ...]
    dealer: int
    """Seat that deals, by whose right the first packet goes."""
    scores: tuple[int, int]
    """Of the two sides, before this round; after it once the round has ended."""
    target: int
    game_no: int
    """Number of the game at this table, from 1."""
    round_no: int
    """Number of the round in the game, from 1."""
    asked: Asked | None = None
    face: str = ""
    """Code of the card that was turned for the bidding."""
    mode: str = ""
    """``hokum``, ``sun``, or empty before."""
    trump: str = ""
    """Letter of the suit, as ``S``; empty in sun."""
    buyer: int | None = None
    ashkal: bool = False
    multiplier: int = 1
    gahwa: bool = False
    closed: bool = False
    tricks: tuple[Trick, ...] = ()
    """Those that were played, and last the open one."""
    won: tuple[int, int] = (0, 0)
    """Tricks of the two sides."""
    counting: int | None = None
    """Side whose projects count, once that is known."""
    points: tuple[int, int] | None = None
    """What was written for this round; None before its end."""
    ended: str = ""
    """``made failed kaboot passed kawesh misdeal qayd``; empty before."""
    winner: int | None = None
    """Side that has won the game; None while it goes on."""
