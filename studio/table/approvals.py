"""What needs two people waits on the table itself until the second has spoken (DESIGN.md 5).

The first person's command is tried on a copy, so that an unlawful one is refused at once; a lawful
one becomes `ApprovalAsked` with the whole command in it, and nothing else happens. The second
person is another staff number in another sign-in; then the stored command is decided afresh.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.cards import HIDDEN
from studio.domain.values import replace
from studio.domain.written import read_back, without_card, written
from studio.games.procedure import Facing, Move, Reveal
from studio.table import ledger, policy
from studio.table.evolve_results import VOID
from studio.table.state import Approval, Table
from studio.table.turn import Turn
from studio.table.views import ApprovalView, Message

Act = Callable[[Turn, c.Command, c.Asker], None]
"""Carries a command out in a turn; raises Rejected where it is not lawful."""
Answering = c.Approve | c.Decline | c.WithdrawApproval
APPROVERS: Final = ("supervisor", "pit-boss")
"""Roles of which the second person must have one (live-dealer-systems.md 3.2)."""
IMPOSSIBLE: Final = "refused.impossible_card"
VERDICT: Final = c.DecideQayd.__name__
PAST: Final = "CorrectResult"
"""The one act on a round that has ended: what goes on at the table does not overtake it."""


def waiting(table: Table) -> Approval | None:
    """What waits for a second person now; None if nothing."""
    approval = table.approval
    return approval if approval is not None and not approval.how else None


def ask_or_act(turn: Turn, command: c.Command, by: c.Asker, act: Act) -> None:
    """Carry out what one person may do; what needs two is tried, then written down to wait.

    Raises:
        Rejected: if it is not lawful, or something else waits for a second person.
    """
    tried = _copy(turn)
    guess = False
    try:
        act(tried, command, by)
    except c.Rejected as refusal:
        guess = refusal.code == IMPOSSIBLE and _guesses(turn, command)
        if not guess:
            raise
        tried = _copy(turn)
    if not guess and people(turn.setup.profile, command, tuple(tried.events)) == 1:
        _adopt(turn, tried)
        return
    if waiting(turn.table) is not None:
        raise c.Rejected("refused.approval_waiting")
    current = turn.table.round
    open_round = current.id if current is not None and current.state == "open" else ""
    body, sealed = written(command), None
    if isinstance(command, c.CorrectCard | c.KeyInCard) and (
        any(map(_tells_hidden, tried.events)) or (guess and _at_hidden(turn))
    ):
        body, sealed = without_card(command), turn.seal(command.card)
    turn.emit(
        e.ApprovalAsked(
            approval=str(turn.table.version + 1),
            command=type(command).__name__,
            body=body,
            sealed=sealed,
            by=by.number,
            by_name=by.name,
            session=by.session,
            fault=getattr(command, "fault", ""),
            round_id=getattr(command, "round_id", "") or open_round,
            **_money(tried.events),
        )
    )


def _guesses(turn: Turn, command: c.Command) -> bool:
    """Whether a refusal would tell one person that a card lies face down, or left the pack so.

    Of a pack that holds each card once, all that is neither open nor impossible would be known by
    trying each. The refusal is then kept for the second person, and is on record.
    """
    play, shoe = turn.table.play, turn.table.shoe
    if not isinstance(command, c.CorrectCard | c.KeyInCard) or play is None or shoe is None:
        return False
    if policy.people(turn.setup.profile, type(command).__name__) == 1:
        return False
    down = any(place.face == Facing.DOWN.value for place in play.places)
    is_open = any(
        place.face == Facing.UP.value and place.card == command.card for place in play.places
    )
    return down and not is_open and shoe.cards.loaded_of(command.card) == 1


def _at_hidden(turn: Turn) -> bool:
    """Whether the card that a person names is one that lies face down and is turned now."""
    return isinstance(turn.due, Move | Reveal)


def _money(follows: Sequence[e.Event]) -> dict[str, Any]:
    """What would move, for the second person to see: results, and minor units either way."""
    for event in follows:
        match event:
            case e.ResultCorrected():
                return {
                    "before": event.old_code,
                    "after": event.new_code,
                    "gives": event.columns.total,
                    "takes": sum(amount for _, _, _, amount in event.debits),
                }
            case e.RoundVoided(refunded=refunded):
                return {"gives": refunded}
            case _:
                pass
    return {}


def people(profile: str, command: c.Command, follows: tuple[e.Event, ...]) -> int:
    """How many people this command needs, 1 or 2, given what would follow from it.

    A rescan by a person's own entry that names a card is a correction by another name.
    """
    name = type(command).__name__
    if isinstance(command, c.RescanRound) and command.felt and any(map(_names_a_card, follows)):
        name = "CorrectCard"
    return policy.people(profile, name)


def _names_a_card(event: e.Event) -> bool:
    """Whether a card is what it is by a person's word alone."""
    if isinstance(event, e.CardDealt):
        return "person" in event.sources
    return isinstance(event, e.CardCorrected)


def _tells_hidden(event: e.Event) -> bool:
    """Whether a card that lies face down is what it is by a person's word."""
    if isinstance(event, e.CardTurned | e.CardMoved):
        return True
    return isinstance(event, e.CardCorrected) and event.sealed is not None


def answer(turn: Turn, command: Answering, by: c.Asker, act: Act) -> None:
    """The second person says yes or no, or the first takes it back.

    Raises:
        Rejected: if nothing of that number waits, or this person may not answer it.
    """
    asked = waiting(turn.table)
    if asked is None or asked.id != command.approval:
        raise c.Rejected("refused.approval_gone")
    match command:
        case c.WithdrawApproval():
            if by.number != asked.by:
                raise c.Rejected("refused.approval_not_yours")
            turn.emit(_ended(asked, "withdrawn", by))
        case c.Decline(reason=reason, note=note):
            _second(asked, by)
            policy.reasoned(reason, note)
            turn.emit(replace(_ended(asked, "declined", by, reason), note=note))
        case c.Approve():
            _second(asked, by)
            _approve(turn, asked, by, act)


def _second(asked: Approval, by: c.Asker) -> None:
    """Look whether this is a second person in a second sign-in, with the right to answer."""
    if by.number == asked.by:
        raise c.Rejected("refused.approval_same_person")
    if by.session == asked.session:
        raise c.Rejected("refused.approval_same_session")
    if by.role not in APPROVERS:
        raise c.Rejected("refused.no_right")


def _approve(turn: Turn, asked: Approval, by: c.Asker, act: Act) -> None:
    """Do what was asked, if it still may be done; else say that it was overtaken."""
    tried = _copy(turn)
    tried.emit(_ended(asked, "given", by))
    first = c.Asker(number=asked.by, name=asked.by_name, session=asked.session)
    try:
        act(tried, _stored(asked), first)
    except c.Rejected as refusal:
        turn.emit(_ended(asked, "overtaken", by, refusal.code))
        return
    _adopt(turn, tried)


def _stored(asked: Approval) -> c.Command:
    """The command that waits; one that another release wrote may be none of ours any more."""
    try:
        return read_back(asked.command, asked.body)
    except ValueError:
        raise c.Rejected("refused.malformed") from None


def stored(asked: Approval) -> c.Command | None:
    """The command that waits; None if another release wrote it and it is none of ours any more."""
    try:
        return _stored(asked)
    except c.Rejected:
        return None


def overtake(turn: Turn, before: Table) -> None:
    """End what has waited since before this decision if its ground has gone from under it."""
    asked = waiting(turn.table)
    earlier = waiting(before)
    if asked is None or earlier is None or earlier.id != asked.id:
        return
    reason = _overtaken_by(turn, asked)
    if reason:
        turn.emit(_ended(asked, "overtaken", c.NOBODY, reason))


def _overtaken_by(turn: Turn, asked: Approval) -> str:
    """What happened instead, as a message code; empty if it may still be done."""
    for event in turn.events:
        match event:
            case e.FaultAnswered(fault=fault) if fault and fault == asked.fault:
                return "refused.no_such_fault"
            case e.HoldLifted() if asked.command != PAST:
                return "refused.not_held"
            case e.RoundSettled() | e.RoundVoided() | e.RoundOpened() if asked.command != PAST:
                return "refused.other_round"
            case e.ResultCorrected(round_id=round_id) if round_id == asked.round_id:
                return "refused.other_round"
            case e.ShoeProcedureStarted(procedure="new_shoe"):
                return "refused.other_round"
            case _:
                pass
    return ""


def _ended(asked: Approval, how: str, by: c.Asker, reason: str = "") -> e.ApprovalEnded:
    return e.ApprovalEnded(approval=asked.id, how=how, by=by.number, by_name=by.name, reason=reason)


def _copy(turn: Turn) -> Turn:
    """The same turn, to try something in."""
    return replace(turn, events=list(turn.events))


def _adopt(turn: Turn, tried: Turn) -> None:
    """What was tried is what happened."""
    turn.table, turn.events = tried.table, tried.events


# -- what people see of it ------------------------------------------------------------------------


def approval_view(table: Table) -> ApprovalView | None:
    """What waits for a second person, or the last that did at this hold or in this round."""
    asked = table.approval
    if asked is None or (asked.how and not _fresh(table, asked)):
        return None
    return ApprovalView(
        id=asked.id,
        act=_act(table, asked),
        command=asked.command,
        by=asked.by,
        by_name=asked.by_name,
        at_us=asked.at_us,
        roles=APPROVERS,
        effect_money=_effect(table, asked),
        fault=asked.fault,
        round_no=_round_no(table, asked),
        how=asked.how,
        ended_by=asked.ended_by,
        ended_us=asked.ended_us,
        reason=_reason(asked.reason),
        note=asked.note,
    )


def _act(table: Table, asked: Approval) -> Message:
    """The act in words, with all that the second person has to compare."""
    if asked.command == VERDICT:
        return _verdict(table, asked)
    if asked.command != PAST:
        return Message(f"approval.{asked.command}", _params(table, asked))
    command = read_back(asked.command, asked.body)
    cards = " ".join(card.code for card in getattr(command, "cards", ()))
    results = (("round", _round_no(table, asked)), ("old", asked.before), ("new", asked.after))
    if not cards:
        return Message("approval.CorrectResult.void", results)
    if asked.after == VOID:
        return Message("approval.CorrectResult.decided", (*results, ("cards", cards)))
    return Message("approval.CorrectResult", (*results, ("cards", cards)))


def _verdict(table: Table, asked: Approval) -> Message:
    """The verdict on a claimed fault of the play: against which side, or against neither."""
    against = getattr(stored(asked), "against", None)
    told: list[tuple[str, str | int]] = [("round", _round_no(table, asked))]
    if against is None:
        return Message("approval.DecideQayd.none", tuple(told))
    told += [("blamed", f"{against}"), ("side", f"{1 - against}")]
    return Message("approval.DecideQayd", tuple(told))


def waiting_view(table: Table) -> ApprovalView | None:
    """What waits for a second person now, for the wall."""
    return approval_view(table) if waiting(table) is not None else None


def _fresh(table: Table, asked: Approval) -> bool:
    """Whether people at this table still want to know how it ended: until the next coup opens."""
    return table.round is None or asked.ended_us >= table.round.opened_us


def _params(table: Table, asked: Approval) -> tuple[tuple[str, str | int], ...]:
    """Round, zone and card of the act; a card that lies face down is ``XX``."""
    command = stored(asked)
    card, index = getattr(command, "card", None), getattr(command, "index", None)
    places = table.play.places if table.play is not None else ()
    meant = next((place for place in places if place.index == index), None)
    faults = table.hold.faults if table.hold is not None else ()
    due = next((fault.due_to for fault in faults if fault.id == asked.fault), "")
    params: list[tuple[str, str | int]] = [("round", _round_no(table, asked))]
    params.append(("zone", meant.to if meant is not None else due))
    if index is not None:
        params.append(("n", index + 1))
    if card is not None:
        hidden = asked.secret or (meant is not None and meant.face == Facing.DOWN.value)
        params.append(("card", HIDDEN if hidden else card.code))
    return tuple(params)


def _round_no(table: Table, asked: Approval) -> int:
    if table.round is not None and table.round.id == asked.round_id:
        return table.round.called
    return next((ended.called for ended in table.results if ended.id == asked.round_id), 0)


def _effect(table: Table, asked: Approval) -> Message:
    """What it does to the money, in words."""
    if asked.command == PAST:
        return Message("effect.corrects_result", (("paid", asked.gives), ("kept", asked.takes)))
    if asked.command == VERDICT:
        dismissed = getattr(stored(asked), "against", None) is None
        return Message("effect.bets_stand" if dismissed else "effect.qayd_money")
    if asked.command != "VoidRound" or table.round is None:
        return Message("effect.bets_stand")
    count, total = ledger.sums(table.round, accepted_only=True)
    back = max(asked.gives, total)
    return Message("effect.all_returned", (("amount", back), ("count", count)))


def _reason(reason: str) -> Message | None:
    if not reason:
        return None
    coded = reason.startswith(("refused.", "reason."))
    return Message(reason) if coded else Message("approval.words", (("words", reason),))
