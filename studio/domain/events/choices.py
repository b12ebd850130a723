"""Events of choices: of players in their windows, and of the secret look."""

from dataclasses import dataclass
from typing import ClassVar

from studio.domain.columns import Columns
from studio.domain.decisions import Choice, Offer
from studio.domain.envelope import Packed, Sealed
from studio.domain.events.rounds import NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersSeated:
    """The closed bets as the procedure is told of them, before the first card."""

    NAME: ClassVar[str] = "players_seated"
    VERSION: ClassVar[int] = 2
    round_id: str
    bet: str
    """The bet that gives its player a hand; they sit in the order in which they placed it."""
    seated: int
    bets: tuple[str, ...]
    """Kinds of bets that were placed, sorted."""
    zones: tuple[str, ...] = ()
    """Zone of each player's own hand, in the same order; empty where all share one hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOpened:
    """Players choose from now on."""

    NAME: ClassVar[str] = "window_opened"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    """Number of the window in the round, from 1; insurance counts."""
    step: str
    offers: tuple[Offer, ...]
    asked: int
    """Answers that are waited for: one a player and lane; players who are gone give none."""
    deadline_us: int
    seen: str
    """SHA-256, hexadecimal, of what players see now: the cards that lie face up, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsTaken:
    """A batch of decisions was taken; each is final. `columns` travel beside the body.

    A row's bet is the decision as ``M:hit``, or ``insure``; its amount is what it costs.
    """

    NAME: ClassVar[str] = "decisions_taken"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    window: int
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionsRefused:
    """Decisions that were asked for and do not count; with the reason for each."""

    NAME: ClassVar[str] = "decisions_refused"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    window: int
    """The window that was meant."""
    refused: tuple[tuple[str, str], ...]
    """(decision id, reason code)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersDisconnected:
    """These players are gone for the rest of the round; it is played for them (D-10)."""

    NAME: ClassVar[str] = "players_disconnected"
    VERSION: ClassVar[int] = 1
    round_id: str
    players: tuple[str, ...]
    fewer: int
    """By so many answers the open window waits for less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """Nobody chooses any more; what was not answered is played by rule."""

    NAME: ClassVar[str] = "window_closed"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    by: str
    """``clock``, ``all``, or ``correction``: it had shown a wrong card and counts for nothing."""
    asked: int
    answered: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FundsAsked:
    """The wallet is asked for what the actions of a closed window cost. `columns` beside the body.

    In the order in which money is looked at: per player the first hand first (D-09).
    """

    NAME: ClassVar[str] = "funds_asked"
    VERSION: ClassVar[int] = 1
    round_id: str
    batch: str
    deadline_us: int
    """No answer until then means no."""
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionsExecuted:
    """What the players of a closed window did; `columns` (beside the body) are the extra stakes."""

    NAME: ClassVar[str] = "actions_executed"
    VERSION: ClassVar[int] = 1
    round_id: str
    window: int
    choices: tuple[Choice, ...]
    cohorts: tuple[str, ...]
    """Names of the cohorts from now on."""
    seats: str
    """Place in `cohorts` of each seat's cohort, in order of the seats: 16-bit little-endian
    numbers, deflated (RFC 1950), Base64."""
    answered: bool
    """False where the wallet was asked and did not answer in time."""
    packed: Packed
    columns: Columns = NO_BETS


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekAsked:
    """The hidden card is looked at in secret; the answer is told at `deadline_us`, whatever it is.

    Asked again if nobody who can know has answered by then.
    """

    NAME: ClassVar[str] = "peek_asked"
    VERSION: ClassVar[int] = 1
    step: str
    deadline_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekAnswered:
    """The dealer said whether the hidden card makes a natural; nobody may know it yet.

    The seal holds an ace (of spades) for yes, a two for no.
    """

    NAME: ClassVar[str] = "peek_answered"
    VERSION: ClassVar[int] = 1
    sealed: Sealed


@dataclass(frozen=True, slots=True, kw_only=True)
class PeekDone:
    """Whether the hidden card makes a natural is known by all."""

    NAME: ClassVar[str] = "peek_done"
    VERSION: ClassVar[int] = 1
    natural: bool
