"""A game is a procedure: a generator that yields what the table waits for and receives what came.

The requests are a small closed set of frozen values. The answers that a procedure receives are
plain: a card for `Deal`, `Reveal` and `Move`, a number for `Count`, yes or no for `Peek`, None for
`Confirm`. What is kept in the table's state is the ordered list of `Input` values; everything else
about a round is computed from it. A verdict (`Ruled`) answers no request: it is thrown into the
procedure, wherever that stands.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

from studio.domain import decisions
from studio.domain.cards import Card
from studio.domain.values import quick

Offer = decisions.Offer
"""What the players of one cohort may choose for one hand."""
Choice = decisions.Choice
"""Players of one cohort who chose alike, as their choice was executed."""


class Facing(StrEnum):
    """Which face of a card is to be seen."""

    UP = "up"
    DOWN = "down"


@quick
@dataclass(frozen=True, slots=True)
class Deal:
    """The next card of the shoe goes to a place of the felt."""

    to: str
    """Zone of the felt, as ``P``, ``B``, ``BURN``."""
    face: Facing
    step: str
    """Member of the game's closed set of steps."""
    sideways: bool = False
    """Laid across, as baccarat's third card."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The dealer does something that no device sees and says that it is done."""

    step: str


@dataclass(frozen=True, slots=True)
class Count:
    """A person counts cards and enters the number."""

    step: str
    least: int = 0
    most: int = 416


@dataclass(frozen=True, slots=True)
class Clear:
    """The dealer takes the cards of these zones away; seen by a camera or confirmed."""

    zones: tuple[str, ...]
    step: str


@dataclass(frozen=True, slots=True)
class Stakes:
    """The bets as they were closed; asked once, before the first card, by games that need them."""

    step: str


@dataclass(frozen=True, slots=True)
class Decide:
    """A window in which players choose; it ends when all have answered, or by the clock."""

    step: str
    offers: tuple[Offer, ...]
    """At least one; a player of a cohort answers once for each of its lanes."""


@dataclass(frozen=True, slots=True)
class Peek:
    """Whether the hidden card of a zone makes a natural, without anybody's seeing the card."""

    zone: str
    step: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """A card that lies face down is turned where it lies."""

    zone: str
    index: int
    """Place of the input that dealt it, in the list of inputs."""
    step: str


@dataclass(frozen=True, slots=True)
class Carry:
    """What the rounds before this one left to it, as a score; asked once, first of all."""

    step: str


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """One person who sits at the table chooses, in turn; silence is answered by the clock.

    It offers all that the open cards allow. What a seat's own cards forbid beside that is not
    known here (`Game.choices`), so that nobody learns of a hand by what its seat may choose.
    """

    step: str
    seat: int
    options: tuple[str, ...]
    """At least one, each once. A card of a rack is told by its place in it, from ``1``."""
    besides: tuple[tuple[int, str], ...] = ()
    """(seat, option) that may come from another seat, out of turn."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A card that was dealt to one zone is laid in another, and shows this face there."""

    index: int
    """Place of the input that dealt it, in the list of inputs."""
    to: str
    face: Facing
    step: str


Request = Deal | Confirm | Count | Clear | Stakes | Decide | Peek | Reveal | Carry | Choose | Move
"""All that a procedure may wait for in the games that exist so far."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Input for `Deal`: the card, or None while its identity is not known (a back, ``XX``)."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Input for `Confirm` and `Clear`."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Input for `Count`."""

    number: int


@dataclass(frozen=True, slots=True)
class Staked:
    """Input for `Stakes`: how many players have a hand, and the kinds of bets that were placed."""

    seated: int
    bets: tuple[str, ...] = ()
    """Names of bets, sorted, each once."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Input for `Decide`: the closed window after its execution."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Peeked:
    """Input for `Peek`."""

    natural: bool


@dataclass(frozen=True, slots=True)
class Turned:
    """Input for `Reveal`: the card that was hidden."""

    card: Card


@dataclass(frozen=True, slots=True)
class Carried:
    """Input for `Carry`: figures whose meaning the game alone knows."""

    figures: tuple[int, ...]


@quick
@dataclass(frozen=True, slots=True)
class Chosen:
    """Input for `Choose`: who chose, and what."""

    seat: int
    option: str


@dataclass(frozen=True, slots=True)
class Moved:
    """Input for `Move`: the card; None where it lies face down and nobody knows it."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Ruled:
    """A verdict against one side, whatever is due: the round ends by it (qayd)."""

    against: int
    """Number of the side that is at fault."""


Input = (
    Dealt
    | Confirmed
    | Counted
    | Staked
    | Decided
    | Peeked
    | Turned
    | Carried
    | Chosen
    | Moved
    | Ruled
)
"""What a procedure's owner keeps, in order."""

ANSWERED_BY: Final[dict[type, type]] = {
    Deal: Dealt,
    Confirm: Confirmed,
    Count: Counted,
    Clear: Confirmed,
    Stakes: Staked,
    Decide: Decided,
    Peek: Peeked,
    Reveal: Turned,
    Carry: Carried,
    Choose: Chosen,
    Move: Moved,
}
"""The kind of input that answers a kind of request."""

Answer = Card | int | bool | Staked | Decided | Carried | Chosen | None
"""What is sent into a procedure: a card, a number, yes or no, stakes, choices, or nothing."""


class RuledAgainst(Exception):  # noqa: N818  says what happened, as `Rejected` does
    """Thrown into a procedure by `Ruled`: a supervisor found one side at fault."""

    def __init__(self, against: int) -> None:
        """Keep the number of the side."""
        super().__init__(f"a verdict against side {against}")
        self.against = against


T = TypeVar("T")
Procedure = Generator[Request, Answer, T]
"""A procedure that ends with an outcome of type T."""


class InputMismatch(Exception):  # noqa: N818  says what is, as `Rejected` does
    """An input does not answer the request that was due; `index` is its place in the list."""

    def __init__(self, index: int, due: Request | None, given: Input) -> None:
        """Keep the place, what was due (None: nothing) and what was given."""
        super().__init__(f"input {index} is {given}, but {due or 'nothing'} was due")
        self.index = index
        self.due = due
        self.given = given


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(Generic[T]):
    """Where a procedure stands after its inputs."""

    asked: tuple[Request, ...]
    """One request for each input, in order."""
    due: Request | None
    """What is waited for now; None when the procedure has ended."""
    outcome: T | None
    """The result; None while it runs."""


def answer_of(given: Input) -> Answer:
    """Give the plain value that a procedure receives for an input."""
    match given:
        case Dealt(card) | Turned(card) | Moved(card):
            return card
        case Counted(number):
            return number
        case Peeked(natural):
            return natural
        case Staked() | Decided() | Carried() | Chosen():
            return given
        case Confirmed() | Ruled():
            return None


def give(procedure: Procedure[T], given: Input) -> Request:
    """Let a procedure go on with an input; what it waits for then.

    Raises:
        StopIteration: with the outcome, where the procedure ends.
        RuledAgainst: if it takes no verdict where it stands.
    """
    if isinstance(given, Ruled):
        return procedure.throw(RuledAgainst(given.against))
    return procedure.send(answer_of(given))


def fits(due: Request | None, given: Input) -> bool:
    """Whether an input is of the kind that the request asks for.

    A card due face up is answered by a card; one due face down also by a back of unknown identity.
    A verdict fits wherever a procedure waits; whether it takes one, the procedure says.
    """
    if isinstance(given, Ruled):
        return due is not None
    match due:
        case Deal(face=face) | Move(face=face):
            return isinstance(given, ANSWERED_BY[type(due)]) and _seen(given, face)
        case Count(least=least, most=most):
            return isinstance(given, Counted) and least <= given.number <= most
        case Decide():
            return isinstance(given, Decided) and offered(due, given)
        case Choose():
            return isinstance(given, Chosen) and chosen(due, given)
        case None:
            return False
        case _:
            return isinstance(given, ANSWERED_BY[type(due)])


def _seen(given: Input, face: Facing) -> bool:
    """Whether a card that is to lie face up is known."""
    return face is Facing.DOWN or (isinstance(given, Dealt | Moved) and given.card is not None)


def chosen(due: Choose, given: Chosen) -> bool:
    """Whether this seat may choose this here, in turn or out of it."""
    in_turn = given.seat == due.seat and given.option in due.options
    return in_turn or (given.seat, given.option) in due.besides


def offered(due: Decide, given: Decided) -> bool:
    """Whether every choice answers, for each lane that its cohort was asked about, an offer."""
    asked: dict[str, dict[str, tuple[str, ...]]] = {}
    for offer in due.offers:
        asked.setdefault(offer.cohort, {})[offer.lane] = offer.actions
    return {choice.cohort for choice in given.choices} == set(asked) and all(
        tuple(lane for lane, _ in choice.actions) == tuple(asked[choice.cohort])
        and all(action in asked[choice.cohort][lane] for lane, action in choice.actions)
        for choice in given.choices
    )


def run(start: Callable[[], Procedure[T]], inputs: Sequence[Input]) -> Standing[T]:
    """Play a procedure from its start through a list of inputs.

    Raises:
        InputMismatch: at the first input that does not answer what was due.
    """
    procedure = start()
    asked: list[Request] = []
    try:
        due: Request | None = next(procedure)
        for index, given in enumerate(inputs):
            if due is None or not fits(due, given):
                raise InputMismatch(index, due, given)
            asked.append(due)
            due = give(procedure, given)
    except RuledAgainst:
        index = len(asked) - 1
        raise InputMismatch(index, asked[-1], inputs[index]) from None
    except StopIteration as ended:
        if len(asked) < len(inputs):
            raise InputMismatch(len(asked), None, inputs[len(asked)]) from None
        return Standing(asked=tuple(asked), due=None, outcome=ended.value)
    return Standing(asked=tuple(asked), due=due, outcome=None)


Laid = tuple[int, str, str, str, bool]
"""(index, zone, face, step, laid across) of a card, as the procedure has it."""


def laid_out(asked: Sequence[Request]) -> tuple[Laid, ...]:
    """Where each card lies after these requests: one that was turned lies face up."""
    turned = {ask.index for ask in asked if isinstance(ask, Reveal)}
    lies: dict[int, Deal | Move] = {}
    for at, ask in enumerate(asked):
        if isinstance(ask, Deal):
            lies[at] = ask
        elif isinstance(ask, Move):
            lies[ask.index] = ask
    return tuple(
        (
            at,
            ask.to,
            (Facing.UP if at in turned else ask.face).value,
            ask.step,
            isinstance(ask, Deal) and ask.sideways,
        )
        for at, ask in lies.items()
    )
