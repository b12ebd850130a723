"""Cards on a person's word: the due card keyed in, an accepted one corrected."""

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.faults import Fault, FaultCode
from studio.domain.values import replace
from studio.games.procedure import (
    Chosen,
    Deal,
    Dealt,
    Facing,
    InputMismatch,
    Move,
    Reveal,
    laid_out,
    run,
)
from studio.table import hidden, moving
from studio.table.advance import accept
from studio.table.after_decisions import after_decisions
from studio.table.book import procedure
from studio.table.evolve_places import truly
from studio.table.sensing import Accept, sight_of_read, unaccounted
from studio.table.state import Script
from studio.table.turn import Turn

REPORTS_LOST = (FaultCode.SEQUENCE_GAP, FaultCode.OVERRUN, FaultCode.DEVICE_REBOOTED)
"""Faults after which a card may be missing among the reports; a camera would have seen it."""


def correct(turn: Turn, index: int, card: Card) -> None:
    """Replace one input and run the round again; what no longer fits is outside the round.

    Raises:
        Rejected: if there is no such card, the shoe cannot hold this one, or what was told of it
            in secret was something else.
    """
    play = turn.table.play
    if play is None or not 0 <= index < len(play.inputs):
        raise c.Rejected("refused.no_such_card")
    if not isinstance(play.inputs[index], Dealt):
        raise c.Rejected("refused.no_such_card")
    place = next(place for place in play.places if place.index == index)
    now = turn.due
    down = place.face == Facing.DOWN.value and play.script is Script.ROUND
    if down and not (isinstance(now, Reveal | Move) and now.index == index):
        raise c.Rejected("refused.hidden_card")  # whichever is named: a guess is not answered
    if place.card == card:
        raise c.Rejected("refused.same_card")
    was_hidden = play.script is Script.ROUND and play.inputs[index] == Dealt(None)
    if was_hidden and hidden.against_peek(turn, card):
        raise c.Rejected("refused.hidden_differs")
    inputs = truly(play.inputs, index, place.card, card)
    kept = len(inputs)
    try:
        run(procedure(turn.setup, play.script), inputs)
    except InputMismatch as mismatch:
        kept = mismatch.index
    if kept < len(inputs) and play.script is not Script.ROUND:
        raise c.Rejected("refused.corrects_the_burn")
    if any(isinstance(given, Chosen) for given in inputs[kept:]):
        raise c.Rejected("refused.decided_by_it")  # others would have been asked in the play
    after_decisions(turn, replace(place, card=card), kept)
    # Last: whether the pack still holds it may be no answer for one person alone (`approvals`).
    _possible(turn, card, replaces=True)
    turn.emit(
        e.CardCorrected(
            index=index,
            old=None if down else place.card,
            new=None if down else card,
            sealed=turn.seal(card) if down else None,
            kept=kept,
            outside=sum(isinstance(given, Dealt) for given in inputs[kept:]),
            placed=laid_out(run(procedure(turn.setup, play.script), inputs[:kept]).asked),
        )
    )


def _possible(turn: Turn, card: Card, *, replaces: bool = False) -> None:
    """Look whether the shoe can still hold this card; Rejected if it cannot (V5).

    `replaces`: it is told of a card that is gone already, so it need not be inside any more.
    """
    shoe = turn.table.shoe
    if shoe is None:
        return
    cards = shoe.cards
    free = cards.gone_of(card) < cards.loaded_of(card) if replaces else cards.may_hold(card)
    if not free:
        raise c.Rejected("refused.impossible_card")


def key_in(turn: Turn, fault: Fault, card: Card) -> None:
    """The due card is this one, by a person's word; it uses up the report that lies there.

    Raises:
        Rejected: if no card is due, or the shoe cannot hold this one.
    """
    deal = turn.due
    if isinstance(deal, Reveal):
        hidden.key_in(turn, deal, card)
        return
    if isinstance(deal, Move):
        moving.key_in(turn, deal, card)
        return
    if not isinstance(deal, Deal):
        raise c.Rejected("refused.no_card_due")
    missing = fault.code in REPORTS_LOST or fault.code is FaultCode.REPEATED_CARD
    accept_from_person(turn, deal, card, own_report=not missing)
    if fault.code is FaultCode.UNREADABLE_CARD and not turn.setup.numbered:
        _told_as_well(turn, card)


def _told_as_well(turn: Turn, card: Card) -> None:
    """The line was none, perhaps: where the next one names what was keyed in, a person says more.

    Else the one card would count twice.
    """
    reads = turn.table.sensing.reads
    if reads and reads[0].identity == card:
        seen = (sight_of_read(turn.setup, reads[0], secret=True),)
        turn.fault(FaultCode.REPEATED_CARD, sightings=seen, exposed=False)


def accept_from_person(
    turn: Turn, deal: Deal, card: Card | None, *, own_report: bool = True
) -> None:
    """Put the due card into the procedure on a person's word.

    `own_report`: the first report that is not used up yet is of this card, whatever it says.
    """
    if card is not None:
        _possible(turn, card)
    reads = turn.table.sensing.reads
    read = reads[0] if reads and own_report else None
    here = [lying for lying in unaccounted(turn.table) if lying.zone == deal.to]
    track = here[0].key if here else None
    accept(turn, deal, Accept(card=card, sources=("person",), read=None, track=track))
    if read is not None:
        turn.emit(e.ReadUsed(read=read.key))
