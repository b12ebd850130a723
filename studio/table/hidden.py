"""The card that lies face down: the secret look at it, and the moment in which it is turned.

What is known of it before stays sealed. What the look says is told at a fixed instant after it was
asked, whoever answered and whatever the answer is (D-02, DESIGN.md 7).
"""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.domain.observations import Look
from studio.domain.values import replace
from studio.games.procedure import Facing, Move, Peek, Peeked, Reveal
from studio.table.evolve_decisions import NO, PEEK, YES
from studio.table.named import reading_of
from studio.table.sensing import Lying, sight_of_felt, unaccounted
from studio.table.state import Place, Script, Setup, Table
from studio.table.turn import Turn, due

# -- the secret look ------------------------------------------------------------------------------


def peek(turn: Turn, asked: Peek) -> bool:
    """Ask, wait for the fixed instant, tell; whether something followed."""
    window = turn.table.window
    if window is None or window.kind != PEEK:
        _ask(turn, asked)
        return True
    if window.remaining_us is not None or turn.at_us < window.deadline_us:
        return False
    natural = known(turn.setup, turn.table, asked)
    if natural is None:
        _ask(turn, asked)  # the dealer has not said yet: told at the end of another such time
    else:
        turn.emit(e.PeekDone(natural=natural))
    return True


def _ask(turn: Turn, asked: Peek) -> None:
    turn.emit(e.PeekAsked(step=asked.step, deadline_us=turn.at_us + max(1, turn.setup.times.peek)))


def known(setup: Setup, table: Table, asked: Peek) -> bool | None:
    """Whether the hidden card makes a natural, by reader or dealer; None if nobody knows."""
    card = hidden_card(table, asked.zone)
    if card is not None and table.play is not None:
        return setup.game.natural(setup.rules, table.play.inputs, card)
    return table.round.peeked if table.round is not None else None


def hidden_card(table: Table, zone: str) -> Card | None:
    """The identity of the card that lies face down in a zone, if a reader named it."""
    places = table.play.places if table.play else ()
    down = (p for p in places if p.to == zone and p.face == Facing.DOWN.value)
    return next((place.card for place in down), None)


def answer(turn: Turn, command: c.AnswerPeek) -> None:
    """The dealer looked: yes or no, sealed until it is told.

    Raises:
        Rejected: if no look is asked of the dealer now, or it was answered.
    """
    asked = turn.due
    window = turn.table.window
    if not isinstance(asked, Peek) or window is None or window.kind != PEEK:
        raise c.Rejected("refused.nothing_to_peek")
    if known(turn.setup, turn.table, asked) is not None:
        raise c.Rejected("refused.nothing_to_peek")
    turn.emit(e.PeekAnswered(sealed=turn.seal(YES if command.natural else NO)))


# -- the turn of the card -------------------------------------------------------------------------


def turned_by_dealer(turn: Turn, asked: Reveal) -> None:
    """The dealer says that the card is turned; a camera has to see it.

    Raises:
        Rejected: if the camera is to see it, or nobody knows which card it is.
    """
    place = _place(turn.table, asked)
    if turn.setup.uses_camera:
        raise c.Rejected("refused.card_unseen")
    if place is None or place.card is None:
        raise c.Rejected("refused.hidden_unknown")
    _turn_over(turn, asked, place, place.card, (turn.setup.shoe,))
    following = turn.due
    if isinstance(following, Reveal) and following.step == asked.step:
        more = _place(turn.table, following)
        if more is not None and more.card is not None:
            turned_by_dealer(turn, following)  # a whole rack is turned up at once


def key_in(turn: Turn, asked: Reveal, card: Card) -> None:
    """The card that was turned is this one, by a person's word.

    Raises:
        Rejected: if it contradicts what is known of it, or the shoe cannot hold it.
    """
    place = _place(turn.table, asked)
    if place is None:
        raise c.Rejected("refused.no_such_card")
    if place.card is not None and place.card != card:
        raise c.Rejected("refused.hidden_differs")
    if not _possible(turn, place, card):
        raise c.Rejected("refused.impossible_card")
    if against_peek(turn, card):
        raise c.Rejected("refused.hidden_differs")
    _turn_over(turn, asked, place, card, ("person",))


def reveal(turn: Turn, asked: Reveal) -> bool:
    """What the sources say of the card that is to be turned; whether something followed."""
    place = _place(turn.table, asked)
    if place is None:
        return False
    if not turn.setup.uses_camera:
        return _without_camera(turn, place)
    if _found_turned(turn, place):
        return True
    lying = _lying(turn.table, place)
    if lying is None or not lying.settled or lying.card.look is Look.BACK:
        return _late(turn, asked)
    if lying.card.look is not Look.FACE or not lying.card.sure or lying.card.card is None:
        if turn.at_us < _until(turn.setup, turn.table):
            return False
        return _fault(turn, FaultCode.UNSURE_CARD, asked, lying)
    seen = lying.card.card
    if place.card not in (None, seen) or against_peek(turn, seen):
        return _fault(turn, FaultCode.SUBSTITUTED_CARD, asked, lying)
    if not _possible(turn, place, seen):
        return _fault(turn, FaultCode.IMPOSSIBLE_CARD, asked, lying)
    sources = (turn.setup.shoe,) if place.card is not None else ()
    _turn_over(turn, asked, place, seen, (*sources, turn.setup.camera))
    return True


def shown_early(turn: Turn, place: Place) -> Lying | None:
    """The face of a card that nobody may know yet, if it lies open (B10); None if it does not.

    What a person has let stand (`AcceptAsDealt`) is known, and is no news any more.
    """
    play, asked = turn.table.play, turn.due
    if play is None or play.script is not Script.ROUND:
        return None
    if isinstance(asked, Reveal | Move) and asked.index == place.index:
        return None
    if isinstance(asked, Reveal) and turn.setup.game.first:
        return None  # whole racks are turned up at once, and told card by card
    lying = _lying(turn.table, place)
    if lying is None or not lying.settled or lying.card.look is not Look.FACE:
        return None
    known = not lying.card.sure or lying.card.card in (None, place.seen_as)
    return None if known else lying


def still_another(setup: Setup, table: Table, index: int | None) -> bool:
    """Whether the card that is turned now is seen to be another one than was dealt (C15).

    To say that it lies as it was dealt would end nothing: it is found out again at once.
    """
    asked = due(setup, table)
    if not isinstance(asked, Reveal) or asked.index != index:
        return False
    place = _place(table, asked)
    if place is None:
        return False
    lying = _lying(table, place)
    here = [it for it in unaccounted(table) if it.zone == place.to] if lying is None else [lying]
    return any(
        it.card.look is Look.FACE
        and it.card.sure
        and (place.card not in (None, it.card.card) or _other(setup, table, it.card.card))
        for it in here
    )


def next_looks(setup: Setup, table: Table) -> tuple[int, ...]:
    """When a card that is to be turned is looked at again without anything new."""
    if not setup.uses_camera:
        return ()
    late = (table.play.due_since_us if table.play else 0) + setup.times.late
    return (_until(setup, table), late)


def _without_camera(turn: Turn, place: Place) -> bool:
    """Nobody can tell which card it is: a person reads it."""
    if place.card is not None or turn.has_fault(FaultCode.UNREADABLE_CARD):
        return False
    turn.fault(FaultCode.UNREADABLE_CARD, index=place.index)
    return True


def _turn_over(
    turn: Turn, asked: Reveal, place: Place, card: Card, sources: tuple[str, ...]
) -> None:
    known_before = place.sealed is not None and place.sealed.card == card
    turn.emit(
        e.CardTurned(
            index=place.index,
            card=card,
            step=asked.step,
            sources=sources,
            revealed=place.sealed.reveal() if place.sealed and known_before else None,
        )
    )


def against_peek(turn: Turn, card: Card) -> bool:
    """Whether a card cannot be what the secret look said it was."""
    return _other(turn.setup, turn.table, card)


def _other(setup: Setup, table: Table, card: Card | None) -> bool:
    inputs = table.play.inputs if table.play else ()
    told = [given.natural for given in inputs if isinstance(given, Peeked)]
    if not told or card is None:
        return False
    before = next(at for at, given in enumerate(inputs) if isinstance(given, Peeked))
    return setup.game.natural(setup.rules, inputs[:before], card) != told[0]


def _possible(turn: Turn, place: Place, card: Card) -> bool:
    shoe = turn.table.shoe
    if place.card is not None or shoe is None:
        return True
    return shoe.cards.gone_of(card) < shoe.cards.loaded_of(card)


def _place(table: Table, asked: Reveal) -> Place | None:
    places = table.play.places if table.play else ()
    return next((place for place in places if place.index == asked.index), None)


def _found_turned(turn: Turn, place: Place) -> bool:
    """A card that was turned while the studio stood still: the one that nothing else explains."""
    if place.track is not None:
        return False
    here = [it for it in unaccounted(turn.table) if it.zone == place.to]
    if len(here) != 1 or not here[0].settled or here[0].card.look is not Look.FACE:
        return False
    turn.emit(e.TracksPaired(pairs=((place.index, *here[0].key),)))
    return True


def _lying(table: Table, place: Place) -> Lying | None:
    """What the camera sees where the card lies."""
    for zone in table.sensing.zones:
        for card in zone.cards:
            if (zone.zone, card.track) == place.track:
                read = reading_of(table.sensing, zone.zone, card)
                return Lying(zone.zone, replace(card, card=read), zone.settled)
    return None


def _since(table: Table) -> int:
    return table.play.due_since_us if table.play else 0


def _until(setup: Setup, table: Table) -> int:
    """So long a reading may stay unsure."""
    return max(table.sensing.changed_us, _since(table)) + setup.times.evidence


def _late(turn: Turn, asked: Reveal) -> bool:
    if turn.at_us < _since(turn.table) + turn.setup.times.late:
        return False
    turn.fault(FaultCode.CARD_DUE_LATE, index=asked.index)
    return True


def _fault(turn: Turn, code: FaultCode, asked: Reveal, lying: Lying) -> bool:
    sight = sight_of_felt(turn.setup, turn.table, lying)
    turn.fault(code, sightings=(sight,), index=asked.index)
    return True
