"""The journal in words: one line a fact, as message codes. Sealed cards stay unnamed."""

from collections.abc import Sequence
from typing import Any

from studio.domain import events as e
from studio.domain.envelope import ActorKind, Recorded
from studio.table.views import JournalLine, Message

MOST_LINES = 200
"""Lines that a page is given; the newest."""
Params = tuple[tuple[str, str | int], ...]


def journal_lines(records: Sequence[Recorded]) -> tuple[JournalLine, ...]:
    """Give the facts of a round in words, newest last; pictures of the felt are left out."""
    lines = (_line(record) for record in records)
    return tuple(line for line in lines if line is not None)[-MOST_LINES:]


def _line(record: Recorded) -> JournalLine | None:
    told = _told(record.event)
    if told is None:
        return None
    params, tone = told
    name = getattr(type(record.event), "NAME", "")
    actor = record.actor.name if record.actor.kind is ActorKind.PERSON else ""
    return JournalLine(
        version=record.version,
        at_us=record.at_us,
        message=Message(f"journal.{name}", params),
        tone=tone,
        actor=actor,
    )


def _told(event: Any) -> tuple[Params, str] | None:  # noqa: C901, PLR0911, PLR0912  one arm per event
    match event:
        case e.RoundOpened(round_no=number):
            return (("round", number),), ""
        case e.BetsPlaced(packed=packed):
            return (("count", packed.count),), ""
        case e.BetsRefused(refused=refused):
            return (("count", len(refused)),), ""
        case e.BetsClosed(count=count, total=total):
            return (("count", count), ("amount", total)), ""
        case e.ShoeRead(status=status, card=card, sequence=sequence):
            shown = card.code if card else {"unreadable": "??"}.get(status, "XX")
            return (("card", shown), ("sequence", sequence)), ""
        case e.CardDealt(to=to, card=card, index=index):
            return (("card", card.code if card else "XX"), ("zone", to), ("n", index + 1)), ""
        case e.CardCorrected(old=old, new=new, index=index):
            before = old.code if old else "XX"
            return (("old", before), ("new", new.code), ("n", index + 1)), "hold"
        case e.FaultRaised(fault=fault):
            return (("fault", fault.code.value),), "hold"
        case e.FaultAnswered(code=code, repair=repair):
            return (("fault", code), ("repair", repair)), "hold"
        case e.HoldTaken(by=by):
            return (("name", by),), "hold"
        case e.HoldLifted():
            return (), "hold"
        case e.RoundFinished(code=code):
            return (("result", code),), ""
        case e.RoundSettled(staked=staked, returned=returned):
            return (("amount", returned), ("staked", staked)), ""
        case e.RoundVoided(refunded=refunded):
            return (("amount", refunded),), "void"
        case e.CutCardSeen(rounds_left=left):
            return (("count", left),), ""
        case e.DeviceNoted(device=device, what=what):
            return (("device", device), ("what", what)), ""
        case e.StepConfirmed(step=step):
            return (("step", step),), ""
        case (
            e.CardParked()
            | e.CardDead()
            | e.CardsCollected()
            | e.RoundCleared()
            | e.ShoeEnding()
            | e.ShoeOpened()
            | e.ShoeEnded()
            | e.TableOpened()
            | e.TableClosed()
        ):
            return (), ""
        case _:
            return None
