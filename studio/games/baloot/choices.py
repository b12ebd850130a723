"""What a seat may choose by its own cards too, and what its cards prove against it.

The procedure is public and asks every seat the same. Beside it the table knows cards that a reader
named: with them a seat is offered what its hand allows, and nothing else is taken from it. A card
that nobody has named may be anything, so it is allowed.
"""

from collections.abc import Iterator, Sequence

from studio.domain.cards import Card, Suit
from studio.games.baloot.bidding import KAWESH, may_be_shown
from studio.games.baloot.cards import HAND, SEATS, points, strength
from studio.games.baloot.course import laid_out
from studio.games.baloot.felt import Felt, Place
from studio.games.baloot.projects import JOINED, NONE, ways
from studio.games.baloot.rules import BalootRules
from studio.games.baloot.steps import Step
from studio.games.baloot.tricks import legal
from studio.games.board import Breach, Choices, Known
from studio.games.procedure import Choose, Chosen, Input


def choices(rules: BalootRules, inputs: tuple[Input, ...], known: Known) -> Choices:
    """What the seat that is asked now may choose, and what is chosen for it if it stays silent.

    Silent seats pass, leave, keep their hokum, announce nothing, leave a round open, and play their
    lowest legal card: lowest in the order of its suit, of equal ones the one that counts less, a
    plain one before a hokum, and the leftmost. Where nobody has named a card it is the leftmost.

    Raises:
        ValueError: if no seat is asked.
    """
    with laid_out(rules, inputs) as now:
        felt, due = now.felt, now.due
        if not isinstance(due, Choose):
            raise ValueError(f"a seat is asked nothing here: {due or 'nothing'} is due")
        if due.step == Step.PLAY:
            return _play(felt, due, known)
        options = due.options
        if due.step == Step.PROJECTS:
            options = _projects(felt, due, known)
        return Choices(options=tuple((each, "") for each in options), auto=_silent(due))


def _silent(due: Choose) -> str:
    """What is chosen for a silent seat, but for a card."""
    match due.step:
        case Step.CLAIM:
            return "leave"
        case Step.CONFIRM:
            return "hokum"
        case Step.CLOSED:
            return "open"
        case Step.PROJECTS:
            return NONE
        case _:
            return "pass"


def _card(place: Place, known: Known) -> Card | None:
    """The card of a place, if it lies open or a reader named it."""
    return place.card or known.get(place.index)


def _play(felt: Felt, due: Choose, known: Known) -> Choices:
    """The cards that a seat may play."""
    rack = [(name, _card(felt.place(due.seat, name), known)) for name in felt.places(due.seat)]
    named = [card for _, card in rack if card]
    trick = felt.tricks[-1].cards
    allowed = set(
        legal(felt.rules, named, trick, due.seat, felt.trump, closed=felt.closed) if named else ()
    )
    options = tuple(
        (name, card.code if card else "") for name, card in rack if card is None or card in allowed
    )
    own = [(name, card) for name, card in rack if card in allowed and card is not None]
    auto = min(own, key=lambda each: _low(each[1], felt.trump))[0] if own else options[0][0]
    return Choices(options=options, auto=auto)


def _low(card: Card, trump: Suit | None) -> tuple[int, int, bool]:
    return strength(card, trump), points(card, trump), card.suit is trump


def _projects(felt: Felt, due: Choose, known: Known) -> tuple[str, ...]:
    """What a seat may announce: what it holds; all where a card of its rack has no name."""
    hand = [_card(place, known) for place in felt.racks[due.seat]]
    named = [card for card in hand if card]
    if felt.contract is None or len(named) < HAND:
        return due.options
    words = {NONE}
    for way in ways(named, felt.contract.mode):
        kinds = [each.kind.value for each in way]
        words |= set(kinds)
        words |= {
            f"{one}{JOINED}{other}" for at, one in enumerate(kinds) for other in kinds[at + 1 :]
        }
    return tuple(option for option in due.options if option in words)


def besides(
    rules: BalootRules,
    inputs: tuple[Input, ...],
    known: Known,
    seat: int,
    option: str,
) -> bool:
    """Whether the cards of a seat allow what it asks for out of turn.

    A hand may be shown that has no high card among those that have a name.
    """
    with laid_out(rules, inputs) as now:
        felt, due = now.felt, now.due
        if not isinstance(due, Choose) or (seat, option) not in due.besides:
            return False
        hand = tuple(filter(None, (_card(place, known) for place in felt.racks[seat])))
        return option != KAWESH or may_be_shown(hand)


# -- what open cards prove ------------------------------------------------------------------------


def breach(rules: BalootRules, inputs: tuple[Input, ...]) -> tuple[Breach, ...]:
    """What the newest open card proves: that its seat played cards which it might not play.

    Oldest first; nothing if it proves nothing. A card that was not legal with the cards which this
    seat played since is not legal with its whole hand either, so nobody has to see a hand for it.
    """
    with laid_out(rules, inputs) as now:
        found = tuple(_breaches(now.felt))
    places = [at for at, given in enumerate(inputs) if _is_play(given)] if found else []
    return tuple(Breach(at=places[number], text=text) for number, text in found)


def _is_play(given: Input) -> bool:
    """Whether a seat chose a place of its rack by this."""
    return isinstance(given, Chosen) and given.option.isdecimal()


def _breaches(felt: Felt) -> Iterator[tuple[int, str]]:
    """The same of a felt: the number of each play that it is about, from 0, and what is said."""
    newest_trick = next((trick for trick in reversed(felt.tricks) if trick.cards), None)
    if newest_trick is None:
        return
    seat, newest = newest_trick.cards[-1]
    own = [
        (number, trick.cards[:at], card)
        for number, trick in enumerate(felt.tricks, 1)
        for at, (by, card) in enumerate(trick.cards)
        if by == seat
    ]
    for at, (number, before, card) in enumerate(own):
        later = [each[2] for each in own[at:]]
        if not _might(felt, later, before, seat, card) and _might(
            felt, later[:-1], before, seat, card
        ):
            play = SEATS * (number - 1) + len(before)
            yield play, f"revoke seat={seat} trick={number} held={newest} played={card}"


def _might(
    felt: Felt, hand: Sequence[Card], trick: Sequence[tuple[int, Card]], seat: int, card: Card
) -> bool:
    """Whether a card may be played from a hand that holds at least these."""
    allowed = legal(felt.rules, hand, trick, seat, felt.trump, closed=felt.closed)
    return card in allowed or not hand
