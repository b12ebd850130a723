"""Books of results: what a round ended with, and what later corrections made of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.shoe import Fate
from studio.games.procedure import Dealt
from studio.table.state import Ended, Phase, Place, Play, Round, Script, ShoeState, Table

VOID = "void"
"""Code of a settled round that was declared not played after all."""


def ended_round(current: Round, play: Play | None) -> Ended:
    """What the shoe keeps of a settled round."""
    places = play.places if play is not None else ()
    return Ended(
        number=current.number,
        code=current.code,
        outcome=current.outcome,
        id=current.id,
        cards=tuple((place.to, place.card) for place in places if place.card is not None),
        staked=current.staked,
        returned=current.returned,
        started=current.started_version,
        procedure=current.procedure,
        rules_digest=current.rules_digest,
    )


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
        returned=event.returned,
        corrections=(*known.corrections, table.version + 1),
        owing=_changed(known.owing, ((player, -amount) for player, amount in event.set_off)),
    )
    results = tuple(true if each is known else each for each in table.results)
    shoe = table.shoe
    if shoe is not None and cards:
        old = tuple(card for _, card in known.cards)
        shoe = recounted(shoe, old, event.cards)
    return _shown_again(replace(table, results=results, shoe=shoe), event)


def recounted(shoe: ShoeState, old: Sequence[Card], new: Sequence[Card]) -> ShoeState:
    """The inventory, when the cards of a round were really these.

    Cards that the round did not have after all lie outside it: dead. A card that it had besides is
    looked for among the dead ones first, for all that leaves the shoe is counted once.
    """
    cards = shoe.cards
    for was, really in zip(old, new, strict=False):
        if was != really:
            cards = cards.correct(was, really)
    surplus = tuple(old[len(new) :])
    cards = cards.move(len(surplus), Fate.DEALT, Fate.DEAD)
    dead = [*shoe.dead, *surplus]
    for card in new[len(old) :]:
        if card in dead:
            dead.remove(card)
            cards = cards.move(1, Fate.DEAD, Fate.DEALT)
        elif None in dead:
            dead.remove(None)
            cards = cards.identify(card).move(1, Fate.DEAD, Fate.DEALT)
        else:
            cards = cards.take(card, Fate.DEALT)
    return replace(shoe, cards=cards, dead=tuple(dead))


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
            current, state="voided", code="", outcome="", returned=0, refunded=event.returned
        )
        return replace(table, round=current)
    current = replace(
        current,
        state="settled",
        code=event.new_code,
        outcome=event.outcome,
        returned=event.returned,
        refunded=0,
    )
    table = replace(table, round=current)
    play = table.play
    if table.phase is not Phase.RESULT or play is None or play.script is not Script.ROUND:
        return table
    outside = tuple(place.track for place in play.places[len(event.cards) :] if place.track)
    places = tuple(
        _laid(play.places, at, card) for at, card in zip(event.placed, event.cards, strict=True)
    )
    play = replace(play, inputs=tuple(Dealt(card) for card in event.cards), places=places)
    sensing = replace(table.sensing, ignored=(*table.sensing.ignored, *outside))
    return replace(table, play=play, sensing=sensing)


def _laid(places: tuple[Place, ...], placed: tuple[int, str, str, str, bool], card: Card) -> Place:
    """A card of the corrected round; it lies where it lay, if it was there."""
    index, zone, face, step, sideways = placed
    if index < len(places):
        return replace(places[index], card=card, to=zone, face=face, step=step, sideways=sideways)
    return Place(index=index, to=zone, face=face, sideways=sideways, step=step, card=card)
