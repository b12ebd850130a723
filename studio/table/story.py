"""The journal in words: one line a fact, as message codes. Sealed cards stay unnamed."""

from collections.abc import Callable, Sequence
from typing import Any

from studio.domain import events as e
from studio.domain.envelope import ActorKind, Recorded
from studio.table.evolve_decisions import Deciding
from studio.table.evolve_seats import Seating
from studio.table.repairs import BY_HAND
from studio.table.views import JournalLine, Message

MOST_LINES = 200
"""Lines that a page is given; the newest."""
Names = Callable[[str], str]
"""Words a staff number for people: the name beside it."""
Params = tuple[tuple[str, str | int], ...]


def journal_lines(records: Sequence[Recorded], names: Names = str) -> tuple[JournalLine, ...]:
    """Give the facts of a round in words, newest last; pictures of the felt are left out."""
    lines: list[JournalLine] = []
    asked: dict[str, str] = {}
    approved: dict[str, str] = {}
    for record in records:
        match record.event:
            case e.ApprovalAsked(approval=approval, by=by):
                asked[approval] = by
            case e.ApprovalEnded(approval=approval, how="given") if approval in asked:
                approved[record.command_id] = asked[approval]
            case _:
                pass
        line = _line(record, names, approved.get(record.command_id, ""))
        if line is not None:
            lines.append(line)
    return tuple(lines)[-MOST_LINES:]


def _line(record: Recorded, names: Names, first: str) -> JournalLine | None:
    """One fact in words; `first` asked for what the actor approved, and is named before them."""
    told = _told(record.event)
    if told is None:
        return None
    params, tone = told
    name = getattr(type(record.event), "NAME", "")
    variant = f".{record.event.balance}" if isinstance(record.event, e.ShoeEnded) else ""
    person = record.actor.kind is ActorKind.PERSON
    actor = names(record.actor.name) if person and not isinstance(record.event, e.SeatChose) else ""
    if actor and dict(params).get("name") in {record.actor.name, _plain(actor)}:
        params = tuple((key, actor if key == "name" else given) for key, given in params)
        actor = ""  # the sentence names them already
    elif actor and first and not isinstance(record.event, e.ApprovalEnded):
        actor = f"{names(first)} + {actor}"
    return JournalLine(
        version=record.version,
        at_us=record.at_us,
        message=Message(f"journal.{name}{variant}", params),
        tone=tone,
        actor=actor,
    )


def _plain(worded: str) -> str:
    """A person's name without the number behind it."""
    return worded.rpartition(" (")[0] or worded


def _told(event: Any) -> tuple[Params, str] | None:  # noqa: C901, PLR0911, PLR0912  one arm per event
    match event:
        case e.RoundOpened(round_no=number, game_round=called):
            return (("round", called or number),), ""
        case e.BetsPlaced(packed=packed):
            return (("count", packed.count),), ""
        case e.BetsCarried(packed=packed) | e.BetsStayed(packed=packed):
            amount = dict(packed.totals).get("amount", 0)
            return (("count", packed.count), ("amount", amount)), ""
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
            now = new.code if new else "XX"
            return (("old", before), ("new", now), ("n", index + 1)), "hold"
        case e.FaultRaised(fault=fault):
            return (("fault", fault.code.value),), "hold"
        case e.CallExplained(reason=reason):
            return (("reason", reason),), "hold"
        case e.FaultAnswered(code=code, repair=repair, worded=worded):
            return (("fault", code), ("repair", worded or repair)), "hold"
        case e.ShoeEnded(unknown=unknown, since=since):
            return (("count", unknown), ("rounds", len(since))), ""
        case e.HoldTaken(by=by):
            return (("name", by),), "hold"
        case e.HoldLifted():
            return (), "hold"
        case e.ApprovalAsked(by_name=name, command=act):
            word = BY_HAND if act == "RescanRound" else act  # only an entry needs a second person
            return (("name", name), ("act", word)), "hold"
        case e.ApprovalEnded(by_name=name, how=how):
            return (("name", name), ("how", how)), "hold"
        case e.DealerSeated(name=name) | e.TableClaimed(name=name):
            return (("name", name),), ""
        case _ if isinstance(event, Deciding):
            return _choosing(event), ""
        case _ if isinstance(event, Seating):
            return _at_the_table(event)
        case e.RoundFinished(code=code):
            return (("result", code),), ""
        case e.RoundSettled(staked=staked, returned=returned):
            return (("amount", returned), ("staked", staked)), ""
        case e.RoundVoided(refunded=refunded):
            return (("amount", refunded),), "void"
        case e.ResultCorrected(round_no=number, game_round=called, old_code=old, new_code=new):
            return (("round", called or number), ("old", old), ("new", new)), "hold"
        case e.ReceivableNoted(owed=owed):
            return (("count", len(owed)), ("amount", sum(amount for _, amount in owed))), "hold"
        case e.CutCardSeen(rounds_left=left):
            return (("count", left),), ""
        case e.DiscardsShuffled(back=back):
            return (("count", back),), "hold"
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
            | e.TableOpened()
            | e.TableClosed()
            | e.DealerLeft()
            | e.TableReleased()
        ):
            return (), ""
        case _:
            return None


def _choosing(event: Deciding) -> Params:
    """What players chose and what became known of the hidden card; never what is still sealed."""
    match event:
        case e.PlayersSeated(seated=seated):
            return (("count", seated),)
        case e.WindowOpened(window=window):
            return (("n", window),)
        case e.DecisionsTaken(packed=packed):
            return (("count", packed.count),)
        case e.DecisionsRefused(refused=refused):
            return (("count", len(refused)),)
        case e.PlayersDisconnected(players=players):
            return (("count", len(players)),)
        case e.WindowClosed(window=window, asked=asked, answered=answered):
            return (("n", window), ("asked", asked), ("answered", answered))
        case e.FundsAsked(packed=packed):
            return (("count", packed.count), ("amount", dict(packed.totals).get("amount", 0)))
        case e.ActionsExecuted(window=window, packed=packed):
            amount = dict(packed.totals).get("amount", 0)
            return (("n", window), ("count", packed.count), ("amount", amount))
        case e.CardTurned(index=index, card=card):
            return (("n", index + 1), ("card", card.code))
        case _:
            return ()


def _at_the_table(event: Seating) -> tuple[Params, str] | None:
    """What seats were asked and chose, and the cards that they laid open; seats count from 1."""
    match event:
        case e.SeatAsked(seat=seat, step=step):
            return (("seat", seat + 1), ("step", step)), ""
        case e.SeatChose(seat=seat, option=option, by=by):
            return (("seat", seat + 1), ("option", option), ("by", by)), ""
        case e.CardMoved(index=index, card=card, to=to):
            return (("card", card.code if card else "XX"), ("zone", to), ("n", index + 1)), ""
        case e.VerdictGiven(against=against):
            return (("blamed", str(against)),), "hold"
        case e.FiguresCarried():
            return None
