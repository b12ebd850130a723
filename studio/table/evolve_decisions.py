"""Books of seats, windows of decisions, the secret look and the card that is turned."""

from collections import Counter
from typing import Final

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.columns import Columns
from studio.domain.envelope import Sealed
from studio.domain.values import replace
from studio.games.procedure import Decided, Facing, Input, Peeked, Staked, Turned
from studio.table.ledger import rows
from studio.table.named import opened
from studio.table.seating import read_back, seated
from studio.table.state import (
    FUNDS_OF,
    Answered,
    Answering,
    Batch,
    Phase,
    Round,
    Table,
    Window,
)

YES: Final = Card.parse("AS")
"""What the seal of a dealer's yes holds."""
NO: Final = Card.parse("2S")
"""What the seal of a dealer's no holds."""
INSURANCE: Final = "insurance"
"""Step of the window that is about no hand, and the kind of its window."""
DECISION: Final = "decision"
"""Kind of all other windows."""
FUNDS: Final = "funds"
"""Kind of the wait for the wallet, after a window that costs somebody money."""
PEEK: Final = "peek"
"""Kind of the wait for the instant at which the answer is told."""

CORRECTION: Final = "correction"
"""Why a window was withdrawn: it had shown a card that was another one."""

Deciding = (
    e.BettingExtended
    | e.PlayersSeated
    | e.WindowOpened
    | e.DecisionsTaken
    | e.DecisionsRefused
    | e.PlayersDisconnected
    | e.WindowClosed
    | e.FundsAsked
    | e.ActionsExecuted
    | e.PeekAsked
    | e.PeekAnswered
    | e.PeekDone
    | e.CardTurned
)


def decided(table: Table, event: Deciding, at_us: int) -> Table:
    """Take into the books what players chose and what became known of the hidden card."""
    current = table.round
    if current is None:
        return table
    match event:
        case e.BettingExtended(deadline_us=deadline):
            kept = tuple(batch for batch in current.batches if not batch.pending)
            table = replace(table, round=replace(current, batches=kept))
            return replace(table, window=_window("betting", deadline, at_us))
        case e.PlayersSeated():
            return _seated(table, current, event, at_us)
        case e.PeekAsked(deadline_us=deadline):
            return replace(table, window=_window(PEEK, deadline, at_us))
        case e.PeekAnswered(sealed=sealed):
            return replace(table, round=replace(current, peeked=said(sealed)))
        case e.PeekDone(natural=natural):
            table = replace(table, window=None, round=replace(current, peeked=None))
            return _with_input(table, Peeked(natural), at_us)
        case e.CardTurned():
            return _turned(table, event, at_us)
        case _:
            return _windows(table, current, event, at_us)


def said(sealed: Sealed) -> bool | None:
    """What the dealer said, opened; None where it may not be read."""
    return sealed.card == YES if sealed.known else None


def _window(kind: str, deadline_us: int, at_us: int) -> Window:
    return Window(kind=kind, deadline_us=deadline_us, total_us=deadline_us - at_us)


def _seated(table: Table, current: Round, event: e.PlayersSeated, at_us: int) -> Table:
    seating = seated(event.bet, (batch.columns for batch in current.batches), event.zones)
    if current.seating.gone:
        gone = current.seating.gone.intersection(seating.players)
        seating = replace(seating, gone=gone)
    table = replace(table, round=replace(current, seating=seating))
    return _with_input(table, Staked(event.seated, event.bets), at_us)


def _with_input(table: Table, given: Input, at_us: int) -> Table:
    play = table.play
    if play is None:
        return table
    return replace(table, play=replace(play, inputs=(*play.inputs, given), due_since_us=at_us))


def _windows(
    table: Table,
    current: Round,
    event: e.WindowOpened
    | e.DecisionsTaken
    | e.DecisionsRefused
    | e.PlayersDisconnected
    | e.WindowClosed
    | e.FundsAsked
    | e.ActionsExecuted,
    at_us: int,
) -> Table:
    asks = current.answering
    match event:
        case e.WindowOpened():
            return _opened(table, current, event, at_us)
        case e.PlayersDisconnected(players=players, fewer=fewer):
            seating = replace(current.seating, gone=current.seating.gone | set(players))
            if asks is not None and not asks.closed:
                asks = replace(asks, asked=asks.asked - fewer)
            return replace(table, round=replace(current, seating=seating, answering=asks))
        case e.DecisionsRefused():
            return table
        case e.ActionsExecuted():
            return _executed(table, current, event, at_us)
    if asks is None:
        return table
    match event:
        case e.DecisionsTaken(batch=batch, columns=columns, packed=packed):
            asks = replace(
                asks,
                batches=(*asks.batches, (batch, columns)),
                answered=asks.answered + packed.count,
                chosen=_chosen(asks.chosen, columns),
            )
        case e.WindowClosed(by="correction"):
            return _withdrawn(table, current)
        case e.WindowClosed():
            asks = replace(asks, closed=True)
            table = replace(table, window=None)
        case e.FundsAsked(deadline_us=deadline, columns=columns):
            asks = replace(asks, funds=columns)
            table = replace(table, window=_window(FUNDS, deadline, at_us))
    return replace(table, round=replace(current, answering=asks))


def _chosen(chosen: tuple[tuple[str, int], ...], columns: Columns) -> tuple[tuple[str, int], ...]:
    """The counts of all choices with those of one more batch."""
    counts = dict(chosen)
    for decision, count in Counter(columns.bets).items():
        counts[decision] = counts.get(decision, 0) + count
    return tuple(counts.items())


def _opened(table: Table, current: Round, event: e.WindowOpened, at_us: int) -> Table:
    asks = Answering(number=event.window, step=event.step, offers=event.offers, asked=event.asked)
    known = Answered(
        number=event.window,
        step=event.step,
        seen=event.seen,
        inputs=len(table.play.inputs) if table.play else 0,
    )
    current = replace(current, answering=asks, windows=(*current.windows, known))
    kind = INSURANCE if event.step == INSURANCE else DECISION
    window = _window(kind, event.deadline_us, at_us)
    return replace(table, phase=Phase.DECISION, round=current, window=window)


def _withdrawn(table: Table, current: Round) -> Table:
    """Nobody decided anything in the window that is open: what it showed was wrong."""
    windows = (*current.windows[:-1], replace(current.windows[-1], seen=""))
    current = replace(current, windows=windows, answering=None)
    return replace(table, phase=Phase.DEALING, round=current, window=None)


def _executed(table: Table, current: Round, event: e.ActionsExecuted, at_us: int) -> Table:
    seating = replace(current.seating, cohorts=event.cohorts, packed=read_back(event.seats))
    batches = current.batches
    if event.columns.count:
        stakes = Batch(
            id=f"{FUNDS_OF}{event.window}",
            columns=event.columns,
            pending=False,
            rows=rows_of(event.columns),
        )
        batches = (*batches, stakes)
    current = replace(current, seating=seating, batches=batches, answering=None)
    table = replace(table, phase=Phase.DEALING, round=current, window=None)
    return _with_input(table, Decided(event.choices), at_us)


def rows_of(columns: Columns) -> tuple[tuple[str, int, int], ...]:
    """(bet, count, sum of stakes) of each kind in some columns."""
    return tuple((bet, count, staked) for bet, (count, staked) in rows(columns).items())


def _turned(table: Table, event: e.CardTurned, at_us: int) -> Table:
    """The card lies face up; if nobody had named it, it is known now which one left the shoe."""
    play, shoe = table.play, table.shoe
    if play is None:
        return table
    new = any(place.index == event.index and place.card is None for place in play.places)
    if new and shoe is not None:
        shoe = replace(shoe, cards=shoe.cards.identify(event.card))
    places = tuple(
        replace(
            place,
            card=event.card,
            face=Facing.UP.value,
            seen_as=event.card,
            sealed=None,
            keyed=False,
        )
        if place.index == event.index
        else place
        for place in play.places
    )
    others = any(p.face == Facing.DOWN.value and p.index != event.index for p in play.places)
    turned = next((place.track for place in play.places if place.index == event.index), None)
    sensing = opened(table.sensing, (turned or ("", 0)) if others else None)
    table = replace(table, play=replace(play, places=places), shoe=shoe, sensing=sensing)
    return _with_input(table, Turned(event.card), at_us)
