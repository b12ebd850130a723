"""What a supervisor may choose for a fault: each repair with its effect, tried on a copy first.

Nothing is pressed for that: the repair and the end of the hold are decided on the frozen table and
thrown away (FACES.md 6). What asks for a person's entry cannot be tried and says only what it does.
"""

from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import Fault
from studio.games.procedure import Choose, Deal, Move
from studio.table import ledger, policy
from studio.table.repairs import why_not
from studio.table.row import Void
from studio.table.state import Script, Setup, Table
from studio.table.turn import Stamp, Turn, due
from studio.table.verdicts import SIDES, written
from studio.table.views import Message, OptionView
from studio.table.voids import void_allowed, void_returns

NEEDS: Final = {
    "KeyInCard": ("card", "reason"),
    "CorrectCard": ("index", "card", "reason"),
    "DecideQayd": ("against", "reason"),
}
"""What a repair asks for beside its press; every one asks for a reason."""
ENTRIES: Final = frozenset({"KeyInCard", "CorrectCard", "DecideQayd"})
"""Repairs whose effect hangs on what a person enters."""


def options(setup: Setup, table: Table, fault: Fault) -> tuple[OptionView, ...]:
    """Every answer to a fault, the policy's own first; then the void, then what is refused."""
    row = policy.row_of(setup.profile, fault, table)
    names = tuple(dict.fromkeys((*row.repairs, *policy.ALWAYS)))
    void_first = row.void in {Void.FIRST, Void.ONLY} and void_allowed(setup, table) is None
    found = [
        _option(setup, table, fault, name, first=place == 0 and not void_first)
        for place, name in enumerate(names)
    ]
    void = _void_option(setup, table, fault, first=void_first)
    found = [void, *found] if void_first else [*found, void]
    if row.ends_shoe or _made_now(table):
        found.append(_end_shoe(setup, table, fault))
    shown = [name for name, _ in row.refused]
    return (*(o for o in found if o.command not in shown), *_refused(setup, fault, row.refused))


def _option(setup: Setup, table: Table, fault: Fault, name: str, *, first: bool) -> OptionView:
    reason = why_not(setup, table, fault, name)
    worded = policy.row_of(setup.profile, fault, table).worded(name)
    after = _tried(setup, table, fault, name) if reason is None else None
    verdict = name == "DecideQayd"
    return OptionView(
        command=name,
        fault=fault.id,
        label=Message(f"repair.{worded}", (("zone", fault.due_to),)),
        effect_round=Message(f"effect.{worded}", _params(setup, table, fault)),
        effect_money=Message("effect.qayd_money") if verdict else _money(after),
        people=policy.people(setup.profile, name),
        enabled=reason is None,
        reason=Message(reason) if reason else None,
        needs=NEEDS.get(name, ("reason",)),
        first=first,
        then=_verdicts(setup, table) if verdict else _then(table, after),
    )


def _verdicts(setup: Setup, table: Table) -> tuple[Message, ...]:
    """What each verdict writes: against neither side (-1), against the one, against the other.

    As far as all can see it: what only the racks tell is added when they are turned.
    """
    lines = [Message("then.qayd_none", (("against", -1),))]
    for against in SIDES:
        found = written(setup, table, against)
        if found is not None:
            named = (("against", against), ("side", f"{1 - against}"), ("blamed", f"{against}"))
            told = (("points", found.points), ("ours", found.ours), ("theirs", found.theirs))
            code = "then.qayd_game" if found.wins else "then.qayd"
            lines.append(Message(code, (*named, *told)))
    return tuple(lines)


def _params(setup: Setup, table: Table, fault: Fault) -> tuple[tuple[str, str | int], ...]:
    """The zone that is due, and the card that the fault is about, as far as it may be named."""
    request = due(setup, table) if table.play else None
    zone = request.to if isinstance(request, Deal | Move) else fault.due_to
    card = next((sight.card.code for sight in fault.sightings if sight.card is not None), "")
    return (("zone", zone), ("card", card)) if card else (("zone", zone),)


def _tried(setup: Setup, table: Table, fault: Fault, name: str) -> Turn | None:
    """What the repair and the end of the hold would lead to; None if that cannot be tried."""
    from studio.table.decide import effect  # noqa: PLC0415  decide stands above the previews

    if name in ENTRIES:
        return None
    command: c.Command = getattr(c, name)(fault=fault.id, reason=policy.REASONS[-1])
    stamp = Stamp(at_us=table.at_us)
    try:
        after = effect(setup, table, command, stamp)
        if after.table.hold is not None and not after.table.hold.faults:
            lift = c.LiftHold(fault="", reason=policy.REASONS[-1])
            lifted = effect(setup, after.table, lift, stamp)
            lifted.events[:0] = after.events
            return lifted
    except c.Rejected:
        return None
    return after


def _money(after: Turn | None) -> Message:
    """What happens to the bets."""
    for event in after.events if after else ():
        if isinstance(event, e.RoundSettled):
            amounts = (("amount", event.returned), ("staked", event.staked))
            return Message("effect.paid", amounts)
    return Message("effect.bets_stand")


def _then(before: Table, after: Turn | None) -> tuple[Message, ...]:
    """What follows once the hold is lifted: cards out of the game, the next step, the result."""
    if after is None:
        return ()
    lines: list[Message] = []
    dead = sum(isinstance(event, e.CardDead) for event in after.events)
    if dead:
        lines.append(Message("then.dead", (("count", dead),)))
    accepted = [event for event in after.events if isinstance(event, e.CardDealt)]
    lines += [
        Message("then.card", (("card", event.card.code), ("zone", event.to)))
        for event in accepted
        if event.card is not None
    ]
    table = after.table
    if table.hold is not None:
        known = {fault.id for fault in before.hold.faults} if before.hold else set()
        fresh = [fault for fault in table.hold.faults if fault.id not in known]
        code = "then.held_again" if fresh else "then.still_held"
        lines.append(Message(code, (("count", len(table.hold.faults)),)))
        return tuple(lines)
    return (*lines, *_next(after))


def _next(after: Turn) -> tuple[Message, ...]:
    """The next thing at the table as the repair leaves it."""
    table = after.table
    finished = next((x for x in after.events if isinstance(x, e.RoundFinished)), None)
    if finished is not None:
        return (Message("then.result", (("result", finished.code),)),)
    request = due(after.setup, table) if table.play else None
    match request:
        case Deal(to=zone):
            return (Message("then.deal", (("zone", zone), ("n", _dealt(table) + 1))),)
        case Move(to=zone):
            return (Message("then.move", (("zone", zone),)),)
        case Choose(seat=seat):
            return (Message("then.ask", (("seat", seat + 1),)),)
        case _:
            return ()


def _dealt(table: Table) -> int:
    return len(table.play.places) if table.play else 0


def _refused(
    setup: Setup, fault: Fault, refused: tuple[tuple[str, str], ...]
) -> tuple[OptionView, ...]:
    return tuple(
        OptionView(
            command=name,
            fault=fault.id,
            label=Message(f"repair.{name}", (("zone", fault.due_to),)),
            effect_round=Message("effect.none"),
            effect_money=Message("effect.none"),
            people=policy.people(setup.profile, name),
            enabled=False,
            reason=Message(reason),
        )
        for name, reason in refused
    )


def _void_option(setup: Setup, table: Table, fault: Fault, *, first: bool) -> OptionView:
    reason = void_allowed(setup, table)
    bets = ledger.accepted(table.round) if table.round else None
    back = void_returns(setup, table, bets) if bets else None
    return OptionView(
        command="VoidRound",
        fault=fault.id,
        label=Message("repair.VoidRound"),
        effect_round=Message("effect.VoidRound", (("count", _dealt(table)),)),
        effect_money=Message(
            "effect.all_returned",
            (("amount", back.total if back else 0), ("count", back.count if back else 0)),
        ),
        people=policy.people(setup.profile, "VoidRound"),
        enabled=reason is None,
        reason=Message(reason) if reason else None,
        needs=("reason",),
        first=first,
    )


def _made_now(table: Table) -> bool:
    """Whether a new shoe is shuffled, cut, loaded or burned now."""
    return table.play is not None and table.play.script is Script.NEW_SHOE


def _end_shoe(setup: Setup, table: Table, fault: Fault) -> OptionView:
    """Ending the shoe answers no fault; it is offered where the shoe itself is in doubt."""
    shoe = table.shoe
    reason = None
    if _made_now(table):
        pass  # a shoe that cannot be burned is given up and counted
    elif shoe is None or not shoe.open:
        reason = "refused.no_shoe"
    elif shoe.ending:
        reason = "refused.shoe_ending"
    return OptionView(
        command="EndShoe",
        fault=fault.id,
        label=Message("repair.EndShoe"),
        effect_round=Message("effect.EndShoe"),
        effect_money=Message("effect.bets_stand"),
        people=policy.people(setup.profile, "EndShoe"),
        enabled=reason is None,
        reason=Message(reason) if reason else None,
        needs=("reason",),
    )
