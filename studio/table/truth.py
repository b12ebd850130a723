"""What a settled round truly was, from its cards as they fell: result, money, and by which policy.

Where cards alone make a round they are run through its procedure. Where somebody decided, the round
is worked out again with the decisions as executed. If players would have seen something else when
they chose, or could not have chosen so, the profile's policy says what follows (DESIGN.md 3):
``stand_as_locked`` pays by the decisions that stand, and gives back what was staked on a hand that
has no result any more; ``void`` declares the round not played; ``best_for_player`` gives each
player the larger of the two.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from studio.domain import commands as c
from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.decisions import Choice
from studio.domain.events import NO_BETS, BetSettled
from studio.games.procedure import (
    Carried,
    Chosen,
    Confirmed,
    Dealt,
    Decided,
    Input,
    InputMismatch,
    Laid,
    Moved,
    Peeked,
    Ruled,
    Staked,
    Turned,
    laid_out,
    run,
)
from studio.games.spec import LOST, Amended, Outcome, Pay, no_amending
from studio.table import ledger
from studio.table.after_decisions import BEST_FOR_PLAYER, VOID, policy_of, saw_otherwise
from studio.table.book import procedure
from studio.table.past import Past
from studio.table.state import Script, Setup

WORDS: Final[dict[type, str]] = {
    Staked: "stakes",
    Decided: "decided",
    Turned: "turned",
    Carried: "carried",
    Chosen: "chosen",
    Confirmed: "confirmed",
    Ruled: "verdict",
}
"""What an input of a round with decisions is called, but for cards and looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What should have gone back for each bet, and why; without an outcome for a void."""

    back: Columns
    rows: tuple[BetSettled, ...] = ()
    outcome: Outcome | None = None
    cards: tuple[Card, ...] = ()
    placed: tuple[Laid, ...] = ()
    """One for each card."""
    policy: str = ""
    """What was done with decisions that were taken by other cards; empty where there were none."""
    course: tuple[str, ...] = ()
    """What each input was, in a round with decisions."""
    choices: tuple[tuple[Choice, ...], ...] = ()
    """What players did in each window of the course."""
    staying: Columns = NO_BETS
    """The bets that the round does not end."""

    @property
    def laid(self) -> tuple[tuple[str, Card], ...]:
        """(zone, card) of all cards in order of dealing."""
        return tuple((at[1], card) for at, card in zip(self.placed, self.cards, strict=True))


def declared_void(setup: Setup, past: Past) -> Truth:
    """The round was not played after all: bets that were carried into it stand on."""
    return Truth(back=_of_own(past, partial(ledger.owed_by_void, setup)), staying=past.carried)


def possible_voids(past: Past) -> tuple[Columns, Columns]:
    """What a void after the payment may have given back per bet, by either method of a profile."""
    return _of_own(past, lambda bets, _: bets), _of_own(past, ledger.larger)


def _of_own(past: Past, owed: Callable[[Columns, Columns], Columns]) -> Columns:
    """What is owed for the bets that were placed in the round itself, nothing for carried ones."""
    count = past.carried.count
    if not count:
        return owed(past.bets, past.back)
    own = Columns(*zip(*islice(past.bets.rows(), count, None), strict=True))
    theirs = Columns(*zip(*islice(past.back.rows(), count, None), strict=True))
    nothing = past.carried.with_amounts(lambda first, last: [0] * (last - first))
    return Columns.joined((nothing, owed(own, theirs)))


def _paid(
    setup: Setup, past: Past, pays: Mapping[str, Pay], outcome: Outcome | None
) -> tuple[Columns, tuple[BetSettled, ...], Columns]:
    """What goes back for each bet of the round, the sums of those it ends, and those it does not.

    A bet that stands on gets nothing now.
    """
    game, rules = setup.game, setup.rules
    stays = ledger.stays(game, rules, outcome, past.carried) if outcome is not None else ()
    staying, _ = ledger.parted(past.bets, stays)
    nothing = dict.fromkeys(set(staying.bets), LOST)
    back, rows = ledger.settle(past.bets, {**pays, **nothing}, past.seating)
    return back, tuple(row for row in rows if row.bet not in nothing), staying


def by_cards(
    setup: Setup, past: Past, cards: tuple[Card, ...], zones: tuple[str, ...] = ()
) -> Truth:
    """What these cards make of the round; `zones` say where each lay, or nothing.

    Raises:
        Rejected: if they are not used up exactly, or do not end it.
    """
    if zones and (len(zones) != len(cards) or not setup.game.seat):
        raise c.Rejected("refused.malformed")
    if setup.game.amend is no_amending:
        return _dealt(setup, past, cards)
    worked = _amended(setup, past, cards, zones)
    touched = not worked.same or _saw_otherwise(setup, past, worked)
    return _decided(setup, past, worked, policy_of(setup.profile) if touched else "")


def again(setup: Setup, past: Past, cards: tuple[Card, ...], policy: str) -> Truth:
    """The same once more for a round that was corrected under this policy.

    Raises:
        Rejected: if the cards are not used up exactly, or do not end the round.
    """
    if setup.game.amend is no_amending:
        return _dealt(setup, past, cards)
    return _decided(setup, past, _amended(setup, past, cards, ()), policy)


def _dealt(setup: Setup, past: Past, cards: tuple[Card, ...]) -> Truth:
    """A round of cards alone."""
    try:
        now = run(procedure(setup, Script.ROUND), tuple(Dealt(card) for card in cards))
    except InputMismatch as mismatch:
        over = mismatch.due is None
        code = "refused.cards_too_many" if over else "refused.cards_do_not_fit"
        raise c.Rejected(code) from None
    if now.outcome is None:
        raise c.Rejected("refused.cards_too_few")
    back, rows, staying = _paid(setup, past, setup.game.pays(setup.rules, now.outcome), now.outcome)
    return Truth(
        back=back,
        rows=rows,
        outcome=now.outcome,
        cards=cards,
        placed=laid_out(now.asked),
        staying=staying,
    )


def _saw_otherwise(setup: Setup, past: Past, worked: Amended) -> bool:
    """Whether players chose by other cards than those of the round as it was worked out."""
    settled = run(procedure(setup, Script.ROUND), past.inputs)
    return saw_otherwise(
        past.windows,
        tuple(zip(settled.asked, past.inputs, strict=True)),
        tuple(zip(worked.asked, worked.inputs, strict=True)),
    )


def _decided(setup: Setup, past: Past, worked: Amended, policy: str) -> Truth:
    """A round in which players decided."""
    placed = laid_out(worked.asked)
    if policy == VOID:
        back = ledger.owed_by_void(setup, past.bets, past.back)
        return Truth(back=back, cards=worked.cards, placed=placed, policy=policy)
    back, rows, staying = _paid(setup, past, worked.pays, worked.outcome)
    if policy == BEST_FOR_PLAYER:
        back, rows = ledger.larger(past.bets, back), ()
    return Truth(
        back=back,
        rows=rows,
        outcome=worked.outcome,
        cards=worked.cards,
        placed=placed,
        policy=policy,
        course=tuple(map(_word, worked.inputs)),
        choices=tuple(given.choices for given in worked.inputs if isinstance(given, Decided)),
        staying=staying,
    )


def _amended(setup: Setup, past: Past, cards: Sequence[Card], zones: Sequence[str]) -> Amended:
    """Work a round with decisions out again.

    Raises:
        Rejected: if the cards are not used up exactly, or do not end it.
    """
    try:
        laid = tuple(zip(zones or [""] * len(cards), cards, strict=True))
        worked = setup.game.amend(setup.rules, past.inputs, laid)
    except InputMismatch as mismatch:
        over = bool(setup.game.seat) or mismatch.due is None
        code = "refused.cards_too_many" if over else "refused.decisions_do_not_fit"
        raise c.Rejected(code) from None
    if worked.outcome is None:
        raise c.Rejected("refused.cards_too_few")
    return worked


def _word(given: Input) -> str:
    """What an input was, in one word."""
    match given:
        case Dealt(card) | Moved(card):
            return "hidden" if card is None else "card"
        case Peeked(natural):
            return "natural" if natural else "no_natural"
        case _:
            return WORDS[type(given)]
