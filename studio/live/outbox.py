"""What the outside is told of a table: the entries of the feed (CONTRACTS.md 8), made from events.

Entries are written in the same commit as the facts. Nothing that a player may not know goes in: a
face-down card travels as ``XX``, a burned one not at all.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from studio.domain import events as e
from studio.domain.cards import HIDDEN
from studio.domain.envelope import OutboxEntry
from studio.domain.events import Event
from studio.domain.faults import Fault
from studio.games.procedure import Facing
from studio.table.state import Round, Script, Setup, Table

TYPES = (
    "bets.opened",
    "bets.closed",
    "card.dealt",
    "card.moved",
    "window.opened",
    "window.closed",
    "seat.chose",
    "round.settled",
    "round.voided",
    "result.corrected",
    "table.held",
    "table.resumed",
    "shoe.started",
    "shoe.ended",
)
"""Types of the feed. A card that is turned or corrected is told as dealt again, in its place; one
that is laid elsewhere as moved."""


SOME_FAULT = "fault"
"""What is told of every hold while a card is due face down or lies so: the code could name it."""


def feed_entries(
    setup: Setup, before: Table, events: Sequence[Event], *, stream: str, version: int, at_us: int
) -> tuple[OutboxEntry, ...]:
    """Give the entries for events that follow `version` of a stream.

    The id of an entry is that of its event, so the same fact is never told twice.
    """
    return tuple(
        OutboxEntry(
            id=f"{stream}#{number}",
            type=kind,
            table=setup.table,
            round_id=round_id,
            at_us=at_us,
            data=data,
        )
        for number, kind, round_id, data in _told(setup, before, events, version)
    )


def _told(  # noqa: C901, PLR0912  one arm per event
    setup: Setup, before: Table, events: Sequence[Event], version: int
) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
    current = before.round.id if before.round is not None else ""
    finished: e.RoundFinished | None = None
    stands: e.BetsStayed | None = None
    held, covered = before.held, _covered_before(before, events)
    for number, event in enumerate(events, version + 1):
        covered = covered_after(covered, event)
        match event:
            case e.RoundOpened():
                current = event.round_id
                yield number, "bets.opened", current, _opened(event)
            case e.BettingExtended() if before.round is not None:
                yield number, "bets.opened", current, _extended(setup, before.round, event)
            case e.WindowOpened():
                yield number, "window.opened", current, _window(event)
            case e.ActionsExecuted():
                yield number, "window.closed", current, _executed(before, events, event)
            case e.CardTurned() if (turned := _turned(before, event)) is not None:
                yield number, "card.dealt", current, turned
            case e.CardCorrected() if (truly := _truly(setup, event)) is not None:
                yield number, "card.dealt", current, truly
            case e.BetsClosed(count=count, total=total, by=by):
                yield number, "bets.closed", current, {"count": count, "total": total, "by": by}
            case e.CardDealt() if event.to in setup.game.zones:
                yield number, "card.dealt", current, _card(event)
            case e.CardMoved() | e.SeatAsked() | e.SeatChose():
                yield number, *_seated(event, current)
            case e.RoundFinished():
                finished = event
            case e.BetsStayed():
                stands = event
            case e.RoundSettled():
                yield number, *_settled(setup, event, finished, stands)
            case e.RoundVoided():
                yield number, "round.voided", current, _voided(setup, event)
            case e.ResultCorrected(round_id=round_id):
                yield number, "result.corrected", round_id, _corrected(setup, event, stands)
            case e.FaultRaised(fault=fault, holds=True) if not held:
                held = True
                code = code_of(fault, covered=bool(covered))
                yield number, "table.held", current, {"fault": code}
            case e.HoldLifted():
                held = False
                yield number, "table.resumed", current, {}
            case e.ShoeOpened() | e.ShoeEnded():
                yield number, *_shoe(event)
            case _:
                pass


def _voided(setup: Setup, event: e.RoundVoided) -> dict[str, Any]:
    return {"reason": event.reason, "refunded": event.refunded, "currency": setup.currency}


def _shoe(event: e.ShoeOpened | e.ShoeEnded) -> tuple[str, str, dict[str, Any]]:
    """A shoe begins, or was counted; it is about no round."""
    if isinstance(event, e.ShoeOpened):
        return "shoe.started", "", {"shoe": event.shoe_no, "decks": event.decks}
    return "shoe.ended", "", {"shoe": event.shoe_no, "balance": event.balance}


def code_of(fault: Fault, *, covered: bool) -> str:
    """The code of a fault for who may not know a card that lies, or is due, face down."""
    secret = covered or fault.due_face == Facing.DOWN.value
    return SOME_FAULT if secret else fault.code.value


def lies_covered(table: Table) -> int:
    """How many cards of the round lie face down."""
    play = table.play
    if play is None or play.script is not Script.ROUND:
        return 0
    down = Facing.DOWN.value
    return sum(place.face == down for place in play.places)


def _covered_before(table: Table, events: Sequence[Event]) -> int:
    """The same before these facts; not counted where none of them is a fault that could tell."""
    faults = any(isinstance(event, e.FaultRaised) for event in events)
    return lies_covered(table) if faults else 0


def covered_after(covered: int, event: Event) -> int:
    """The same after a fact."""
    match event:
        case e.CardDealt(face=face) if face == Facing.DOWN.value:
            return covered + 1
        case e.CardTurned():
            return max(0, covered - 1)
        case e.RoundOpened() | e.RoundCleared() | e.ShoeProcedureStarted():
            return 0
        case _:
            return covered


def _opened(event: e.RoundOpened) -> dict[str, Any]:
    return {
        "number": event.round_no,
        "shoe": event.shoe_no,
        "game": event.game,
        "rules": event.rules_digest,
        "closes_us": event.deadline_us,
    }


def _extended(setup: Setup, current: Round, event: e.BettingExtended) -> dict[str, Any]:
    """Nobody had bet: the same window stays open (D-08)."""
    return {
        "number": current.number,
        "shoe": current.shoe_no,
        "game": setup.game.name,
        "rules": current.rules_digest,
        "closes_us": event.deadline_us,
    }


def _window(event: e.WindowOpened) -> dict[str, Any]:
    offers = [
        {
            "cohort": offer.cohort,
            "lane": offer.lane,
            "actions": list(offer.actions),
            "costs": list(offer.costs),
            "auto": offer.auto,
        }
        for offer in event.offers
    ]
    return {
        "window": event.window,
        "step": event.step,
        "offers": offers,
        "asked": event.asked,
        "closes_us": event.deadline_us,
        "seen": event.seen,
    }


def _seated(
    event: e.CardMoved | e.SeatAsked | e.SeatChose, current: str
) -> tuple[str, str, dict[str, Any]]:
    """What those who sit at the table are asked, choose and lay open.

    A question is the same whatever the seat holds.
    """
    match event:
        case e.CardMoved(index=index, to=to, card=card, face=face):
            code = HIDDEN if card is None else card.code
            told: dict[str, Any] = {"index": index, "to": to, "card": code, "face": face}
            return "card.moved", current, told
        case e.SeatAsked():
            besides = [{"seat": seat, "option": option} for seat, option in event.besides]
            told = {
                "window": event.window,
                "step": event.step,
                "seat": event.seat,
                "options": list(event.options),
                "besides": besides,
                "closes_us": event.deadline_us,
            }
            return "window.opened", current, told
        case e.SeatChose(window=window, seat=seat, option=option, by=by):
            told = {"window": window, "seat": seat, "option": option, "by": by}
            return "seat.chose", current, told


def _executed(before: Table, events: Sequence[Event], event: e.ActionsExecuted) -> dict[str, Any]:
    """How a window ended and what was done; a choice may name a substitute for what was asked."""
    asks = None if before.round is None else before.round.answering
    asked, answered = (0, 0) if asks is None else (asks.asked, asks.answered)
    for each in events:
        if isinstance(each, e.WindowClosed):
            asked, answered = each.asked, each.answered
    choices = [
        {
            "cohort": choice.cohort,
            "actions": [{"lane": lane, "action": action} for lane, action in choice.actions],
            "players": choice.players,
        }
        for choice in event.choices
    ]
    return {
        "window": event.window,
        "by": "all" if answered >= asked else "clock",
        "asked": asked,
        "answered": answered,
        "choices": choices,
        "extra": {"count": event.columns.count, "total": event.columns.total},
        "wallet_answered": event.answered,
    }


def _turned(before: Table, event: e.CardTurned) -> dict[str, Any] | None:
    """A card that lay face down, in its place; None if it is not on the felt."""
    places = before.play.places if before.play is not None else ()
    place = next((each for each in places if each.index == event.index), None)
    if place is None:
        return None
    return {"index": event.index, "to": place.to, "card": event.card.code, "face": "up"}


def _truly(setup: Setup, event: e.CardCorrected) -> dict[str, Any] | None:
    """A card of a hand that was another one, in its place; None if it is not open on the felt."""
    where = {index: (zone, face) for index, zone, face, _, _ in event.placed}
    zone, face = where.get(event.index, ("", ""))
    if event.new is None or zone not in setup.game.zones or face != Facing.UP.value:
        return None
    return {"index": event.index, "to": zone, "card": event.new.code, "face": face}


def _card(event: e.CardDealt) -> dict[str, Any]:
    return {
        "index": event.index,
        "to": event.to,
        "card": HIDDEN if event.card is None else event.card.code,
        "face": event.face,
    }


def _corrected(
    setup: Setup, event: e.ResultCorrected, stands: e.BetsStayed | None
) -> dict[str, Any]:
    """The true result beside the one that was paid, and what players get or owe by it in total."""
    bets = [
        {"bet": row.bet, "count": row.count, "staked": row.staked, "returned": row.returned}
        for row in event.rows
    ]
    return {
        "number": event.round_no,
        "shoe": event.shoe_no,
        "correction": event.number,
        "result": event.new_code,
        "before": event.old_code,
        "outcome": json.loads(event.outcome) if event.outcome else {},
        "bets": bets,
        "staked": event.staked,
        "returned": event.returned,
        "returned_before": event.returned_before,
        "credited": event.columns.total,
        "debited": sum(amount for _, _, _, amount in event.debits),
        "set_off": sum(amount for _, amount in event.set_off),
        "policy": event.policy,
        "cards": [
            {"index": index, "to": to, "card": card.code, "face": face}
            for (index, to, face, _, _), card in zip(event.placed, event.cards, strict=True)
        ],
        "reason": event.reason,
        "currency": setup.currency,
        **_standing(stands),
    }


def _standing(stands: e.BetsStayed | None) -> dict[str, Any]:
    """Bets that this round does not end, in total; nothing where none is told of."""
    if stands is None:
        return {}
    return {"standing": {"count": stands.columns.count, "total": stands.columns.total}}


def _settled(
    setup: Setup,
    event: e.RoundSettled,
    finished: e.RoundFinished | None,
    stands: e.BetsStayed | None,
) -> tuple[str, str, dict[str, Any]]:
    bets = [
        {"bet": row.bet, "count": row.count, "staked": row.staked, "returned": row.returned}
        for row in event.rows
    ]
    told: dict[str, Any] = {
        "result": "" if finished is None else finished.code,
        "outcome": {} if finished is None else json.loads(finished.outcome),
        "bets": bets,
        "staked": event.staked,
        "returned": event.returned,
        "currency": setup.currency,
        **_standing(stands),
    }
    return "round.settled", event.round_id, told
