"""What a screen shows of a round of Baloot: the board, made from what all may see."""

from collections.abc import Mapping
from typing import Final

from studio.domain.cards import Card, Rank
from studio.games.baloot.cards import HAND, SEATS, side_of
from studio.games.baloot.course import laid_out
from studio.games.baloot.felt import FACE, RACKS, TRICK, Felt, Place, Trick
from studio.games.baloot.outcome import (
    BalootOutcome,
    Counted,
    count_projects,
    hands_of,
    on_side,
    pair_of,
    tricks_won,
)
from studio.games.baloot.projects import BEST_FIRST, Kind
from studio.games.baloot.rules import BalootRules
from studio.games.baloot.score import NOTHING
from studio.games.board import Asked, Board, Known, Project, RackSlot, SeatState
from studio.games.board import Trick as ShownTrick
from studio.games.procedure import Choose, Dealt, Input, Request
from studio.games.spec import HandTotal

BALOOT: Final = "baloot"
"""Word for king and queen of hokum in one hand."""
SHOWN_FROM: Final = 2
"""Trick from whose beginning on projects that count are shown."""


def board(rules: BalootRules, inputs: tuple[Input, ...], known: Known) -> Board:
    """All of a round that may be seen, from its inputs.

    Of cards that lie face down only those are named that the rules have shown: the projects that
    count, from the second trick on.
    """
    with laid_out(rules, inputs) as now:
        felt = now.felt
        counted = _counted(felt, known)
        contract, outcome = felt.contract, now.outcome
        return Board(
            seats=tuple(
                _seat(felt, seat, counted, over=outcome is not None) for seat in range(SEATS)
            ),
            dealer=felt.dealer,
            scores=outcome.game_scores if outcome else felt.scores,
            target=rules.target,
            game_no=felt.game_no,
            round_no=felt.round_no,
            asked=_asked(now.due),
            face=felt.face.code if felt.face else "",
            mode=contract.mode.value if contract else "",
            trump=felt.trump.value if felt.trump else "",
            buyer=contract.caller if contract else None,
            ashkal=contract.ashkal if contract else False,
            multiplier=felt.multiplier,
            gahwa=felt.gahwa,
            closed=felt.closed,
            tricks=tuple(_trick(trick) for trick in felt.tricks if trick.cards or outcome is None),
            won=tricks_won(felt),
            counting=_counting(felt, counted),
            points=_points(outcome),
            ended=outcome.code if outcome else "",
            winner=outcome.game_winner if outcome else None,
        )


def _points(outcome: BalootOutcome | None) -> tuple[int, int] | None:
    """What was written for the round."""
    return outcome.score.final if outcome and outcome.score else None


def _asked(due: Request | None) -> Asked | None:
    """What is asked of a seat now."""
    if not isinstance(due, Choose):
        return None
    return Asked(step=due.step, seat=due.seat, options=due.options, besides=due.besides)


def _trick(trick: Trick) -> ShownTrick:
    return ShownTrick(
        lead=trick.lead,
        cards=tuple((seat, card.code) for seat, card in trick.cards),
        winner=trick.taken_by,
        points=trick.points,
    )


def _seat(felt: Felt, seat: int, counted: Counted, *, over: bool) -> SeatState:
    """One seat: what it said, its rack, its card in the trick, its projects."""
    lying = felt.tricks[-1].cards if felt.tricks and not over else []
    return SeatState(
        seat=seat,
        said=tuple(felt.said[seat]),
        rack=tuple(_slot(place) for place in felt.racks[seat]),
        played=next((card.code for who, card in lying if who == seat), ""),
        projects=_projects(felt, seat, counted),
    )


def _slot(place: Place) -> RackSlot:
    """A place of a rack; a card that was played has left it."""
    if place.gone:
        return RackSlot(index=place.index, look="gone")
    if place.card is None:
        return RackSlot(index=place.index, look="back")
    return RackSlot(index=place.index, look="face", card=place.card.code)


# -- projects -------------------------------------------------------------------------------------


def _counted(felt: Felt, known: Known) -> Counted:
    """How projects count by all cards that have a name; for the felt's own use."""
    hands = {
        seat: tuple(filter(None, (place.card or known.get(place.index) for place in rack)))
        for seat, rack in enumerate(felt.racks)
    }
    return count_projects(felt.rules, felt, hands)


def counted_openly(felt: Felt, known: Known) -> Counted:
    """How projects count by what was announced and shown, before the racks are turned.

    An announcement counts as it was made, unless the open hand says otherwise; baloot counts once
    king and queen lie open.
    """
    if felt.contract is None:
        return Counted(announced={}, side=None)
    whole, lying, mode = _counted(felt, known), hands_of(felt), felt.contract.mode
    side = _counting(felt, whole) if len(felt.tricks) >= SHOWN_FROM else _by_kinds(felt)
    kinds = [
        kind
        for seat, announced in felt.announced.items()
        if side_of(seat) == side
        for kind in (_kinds(whole, seat) if len(lying[seat]) == HAND else announced)
    ]
    seen = {seat: {*lying[seat], *_shown(felt, seat, whole)} for seat in lying}
    pair = pair_of(felt.contract)
    return Counted(
        announced={},
        side=side,
        points=on_side(side, sum(kind.points(mode) for kind in kinds)),
        raw=on_side(side, sum(kind.raw for kind in kinds)),
        baloot=whole.baloot if any(pair <= cards for cards in seen.values()) else NOTHING,
    )


def _kinds(counted: Counted, seat: int) -> tuple[Kind, ...]:
    """What a seat announced and holds."""
    return tuple(each.kind for each in counted.announced.get(seat, ()))


def _shown(felt: Felt, seat: int, counted: Counted) -> tuple[Card, ...]:
    """Cards of a seat's projects that the rules have shown."""
    told = (each.cards for each in _projects(felt, seat, counted))
    return tuple(Card.parse(code) for cards in told for code in cards)


def _projects(felt: Felt, seat: int, counted: Counted) -> tuple[Project, ...]:
    """What a seat announced; its cards once the rules have them shown; and its baloot."""
    kinds = felt.announced.get(seat, ())
    found = counted.announced.get(seat, ())
    shown = len(felt.tricks) >= SHOWN_FROM and side_of(seat) == _counting(felt, counted)
    if shown and len(found) == len(kinds):
        announced = [
            Project(kind=each.kind.value, cards=tuple(card.code for card in each.cards))
            for each in found
        ]
    else:
        announced = [Project(kind=kind.value) for kind in kinds]
    if (pair := _fallen(felt, seat)) and counted.baloot[side_of(seat)]:
        announced.append(Project(kind=BALOOT, cards=tuple(card.code for card in pair)))
    return tuple(announced)


def _fallen(felt: Felt, seat: int) -> tuple[Card, ...]:
    """King and queen of hokum, once a seat has played both."""
    if felt.trump is None:
        return ()
    pair = (Card(Rank.KING, felt.trump), Card(Rank.QUEEN, felt.trump))
    played = [place.card for place in felt.racks[seat] if place.gone]
    return pair if all(card in played for card in pair) else ()


def _counting(felt: Felt, counted: Counted) -> int | None:
    """The side whose projects count, once the first trick is over.

    Where no reader named the cards, the kinds that were announced tell it, unless the best ones of
    both sides are of one kind.
    """
    if len(felt.tricks) < SHOWN_FROM:
        return None
    if all(
        len(counted.announced.get(seat, ())) == len(kinds) for seat, kinds in felt.announced.items()
    ):
        return counted.side
    return _by_kinds(felt)


def _by_kinds(felt: Felt) -> int | None:
    """The side that announced the best kind; None where both did, or nobody."""
    best: Mapping[int, int] = {
        seat: min(BEST_FIRST.index(kind) for kind in kinds)
        for seat, kinds in felt.announced.items()
        if kinds
    }
    top = {side_of(seat) for seat, rank in best.items() if rank == min(best.values())}
    return top.pop() if len(top) == 1 else None


# -- what other games show ------------------------------------------------------------------------


def totals(
    rules: BalootRules,  # noqa: ARG001  one shape for all games
    cards: tuple[tuple[str, Dealt], ...],  # noqa: ARG001
) -> tuple[HandTotal, ...]:
    """Say that no hand has a total."""
    return ()


def plan(rules: BalootRules) -> tuple[tuple[str, bool, bool], ...]:  # noqa: ARG001
    """(zone, laid across, only perhaps) of the cards of a round.

    Where the dealer sits is not known before the round, so each zone is named once: the racks, the
    face-up card, and the places of the trick.
    """
    sure = (*RACKS, FACE)
    return (*((zone, False, False) for zone in sure), *((zone, False, True) for zone in TRICK))


def word(rules: BalootRules, inputs: tuple[Input, ...], zone: str) -> str | None:  # noqa: ARG001
    """Say nothing of a zone: what there is to say is on the board."""
    return None
