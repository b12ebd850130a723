"""Books of results: what a round ended with, and what later corrections made of it."""

from collections.abc import Iterable, Sequence
from typing import Final

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.shoe import Fate
from studio.domain.values import replace
from studio.games.procedure import (
    Carried,
    Dealt,
    Decided,
    Facing,
    Input,
    Moved,
    Peeked,
    Staked,
    Turned,
)
from studio.table.ended import SHOES_KEPT, Ended, PastShoe
from studio.table.state import Phase, Place, Play, Round, Script, ShoeState, Table

VOID = "void"
"""Code of a settled round that was declared not played after all."""
Laid = tuple[str, Card]
"""(zone, card) of a card of a round."""
NOWHERE: Final = Place(index=0, to="", face="", sideways=False, step="", card=None)
"""Where a card lies that nobody had seen before."""


def ended_round(current: Round, play: Play | None) -> Ended:
    """What the shoe keeps of a settled round."""
    places = play.places if play is not None else ()
    return Ended(
        number=current.number,
        called=current.called,
        code=current.code,
        outcome=current.outcome,
        id=current.id,
        cards=tuple((p.to, p.card) for p in places if p.card and p.face == Facing.UP.value),
        staked=current.staked,
        returned=current.returned,
        started=current.started_version,
        procedure=current.procedure,
        rules_digest=current.rules_digest,
    )


def with_past_shoe(table: Table) -> Table:
    """The table as it is left by the shoe in play, whose results are kept with those before it.

    A shoe without a settled round leaves nothing to keep.
    """
    shoe = table.shoe
    if shoe is None or not table.results:
        return table
    past = PastShoe(
        number=shoe.number,
        day=table.day,
        ended_us=shoe.ended_us,
        balance=shoe.balance,
        results=table.results,
    )
    return replace(table, past_shoes=(*table.past_shoes, past)[-SHOES_KEPT:])


def result_corrected(table: Table, event: e.ResultCorrected, at_us: int) -> Table:
    """The results of the shoe as they truly were; the roads are drawn from these again."""
    known = next((each for each in table.results if each.id == event.round_id), None)
    if known is None:
        return table
    cards = tuple((at[1], card) for at, card in zip(event.placed, event.cards, strict=True))
    true = replace(
        known,
        code=event.new_code,
        outcome=event.outcome,
        corrected_from=known.corrected_from or event.old_code,
        before=event.old_code,
        corrected_us=at_us,
        known=len(table.results),
        cards=cards or known.cards,
        staked=event.staked,
        returned=event.returned,
        corrections=(*known.corrections, table.version + 1),
        owing=_changed(known.owing, ((player, -amount) for player, amount in event.set_off)),
    )
    results = tuple(true if each is known else each for each in table.results)
    shoe = table.shoe
    if shoe is not None and cards and known.number >= shoe.refilled:
        shoe = recounted(shoe, known.cards, cards)
    table = replace(table, carried=event.carried or table.carried)
    return _shown_again(replace(table, results=results, shoe=shoe), event)


def recounted(shoe: ShoeState, old: Sequence[Laid], new: Sequence[Laid]) -> ShoeState:
    """The inventory, when the cards of a round were really these, both as (zone, card).

    Cards that the round did not have after all lie outside it: dead. A card that it had besides is
    looked for among the dead ones first, for all that leaves the shoe is counted once.
    """
    pairs, surplus, more = _compared(old, new)
    cards = shoe.cards
    for was, really in pairs:
        if was != really:
            cards = cards.correct(was, really)
    cards = cards.move(len(surplus), Fate.DEALT, Fate.DEAD)
    dead = [*shoe.dead, *surplus]
    for card in more:
        if card in dead:
            dead.remove(card)
            cards = cards.move(1, Fate.DEAD, Fate.DEALT)
        elif None in dead:
            dead.remove(None)
            cards = cards.identify(card).move(1, Fate.DEAD, Fate.DEALT)
        else:
            cards = cards.take(card, Fate.DEALT)
    return replace(shoe, cards=cards, dead=tuple(dead))


def _compared(
    old: Sequence[Laid], new: Sequence[Laid]
) -> tuple[list[tuple[Card, Card]], list[Card], list[Card]]:
    """(a card, what it really was), cards too many, and cards besides.

    The cards of a zone are compared in order; what is left over then is compared in order too, for
    a card may have lain in another zone.
    """
    left = list(old)
    pairs: list[tuple[Card, Card]] = []
    besides: list[Card] = []
    for zone, really in new:
        mine = next((each for each in left if each[0] == zone), None)
        if mine is None:
            besides.append(really)
        else:
            left.remove(mine)
            pairs.append((mine[1], really))
    count = min(len(left), len(besides))
    pairs += [(was, really) for (_, was), really in zip(left, besides, strict=False)]
    return pairs, [was for _, was in left[count:]], besides[count:]


def receivable(table: Table, event: e.ReceivableNoted) -> Table:
    """What is owed is kept with its round, for people to see."""
    results = tuple(
        replace(each, owing=_changed(each.owing, event.owed)) if each.id == event.round_id else each
        for each in table.results
    )
    return replace(table, results=results)


def _changed(
    owing: tuple[tuple[str, int], ...], more: Iterable[tuple[str, int]]
) -> tuple[tuple[str, int], ...]:
    """What players owe with these changes; who owes nothing is left out."""
    total = dict(owing)
    for player, amount in more:
        total[player] = total.get(player, 0) + amount
    return tuple(sorted((player, amount) for player, amount in total.items() if amount))


def _shown_again(table: Table, event: e.ResultCorrected) -> Table:
    """A round that is still on the felt shows its true result; its window stays as it is."""
    current = table.round
    if current is None or current.id != event.round_id:
        return table
    if event.new_code == VOID:
        current = replace(
            current,
            state="voided",
            code="",
            outcome="",
            staked=event.staked,
            returned=0,
            refunded=event.returned,
        )
        return replace(table, round=current)
    current = replace(
        current,
        state="settled",
        code=event.new_code,
        outcome=event.outcome,
        staked=event.staked,
        returned=event.returned,
        refunded=0,
    )
    table = replace(table, round=current)
    play = table.play
    if table.phase is not Phase.RESULT or play is None or play.script is not Script.ROUND:
        return table
    places, outside = _laid_again(play.places, event)
    seats = any(isinstance(given, Carried) for given in play.inputs)
    inputs = _renamed(play.inputs, play.places, event) if seats else _inputs(play.inputs, event)
    play = replace(play, inputs=inputs, places=places)
    sensing = replace(table.sensing, ignored=(*table.sensing.ignored, *outside))
    return replace(table, play=play, sensing=sensing)


def _laid_again(
    places: tuple[Place, ...], event: e.ResultCorrected
) -> tuple[tuple[Place, ...], tuple[tuple[str, int], ...]]:
    """The cards of the corrected round, each where it lies if it was there; and what lies outside.

    A card takes the next place of its zone; one for which there is none takes one that is left.
    """
    left, found = list(places), dict[int, Place]()
    for _, zone, *_ in event.placed:
        mine = next((place for place in left if place.to == zone), None)
        if mine is not None:
            left.remove(mine)
        found[len(found)] = mine or NOWHERE
    laid = []
    for number, (at, card) in enumerate(zip(event.placed, event.cards, strict=True)):
        place = found[number]
        if place is NOWHERE and left:
            place = left.pop(0)
        index, zone, face, step, sideways = at
        laid.append(
            replace(place, index=index, to=zone, face=face, step=step, sideways=sideways, card=card)
        )
    return tuple(laid), tuple(place.track for place in left if place.track)


def _inputs(old: tuple[Input, ...], event: e.ResultCorrected) -> tuple[Input, ...]:
    """The inputs of the round as it was worked out."""
    if not event.course:
        return tuple(Dealt(card) for card in event.cards)
    stakes = next(given for given in old if isinstance(given, Staked))
    cards, choices = iter(event.cards), iter(event.choices)
    hidden: Card | None = None
    found: list[Input] = []
    for word in event.course:
        match word:
            case "stakes":
                found.append(stakes)
            case "decided":
                found.append(Decided(next(choices)))
            case "hidden":
                hidden = next(cards)
                found.append(Dealt(None))
            case "turned" if hidden is not None:
                found.append(Turned(hidden))
            case "natural" | "no_natural":
                found.append(Peeked(word == "natural"))
            case _:
                found.append(Dealt(next(cards)))
    return tuple(found)


def _renamed(
    old: tuple[Input, ...], places: tuple[Place, ...], event: e.ResultCorrected
) -> tuple[Input, ...]:
    """The inputs of a round in which seats chose, with its cards as they truly were.

    One pack is dealt, so a card is known by its name.
    """
    was = {place.index: place.card for place in places}
    true: dict[Card | None, Card] = {
        was[at[0]]: card for at, card in zip(event.placed, event.cards, strict=True) if at[0] in was
    }
    found: list[Input] = []
    for given in old:
        match given:
            case Dealt(card) | Turned(card) | Moved(card) if card in true:
                found.append(type(given)(true[card]))
            case _:
                found.append(given)
    return tuple(found)
