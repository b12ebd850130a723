"""What a supervisor sees of a hold: due, seen, and each repair with its effect (FACES.md 6)."""

from collections.abc import Sequence

from studio.domain import commands as c
from studio.domain.envelope import Recorded
from studio.domain.faults import Fault, FaultCode, Sighting
from studio.domain.values import replace
from studio.games.procedure import Facing
from studio.table import ledger, policy
from studio.table.approvals import approval_view, stored, waiting
from studio.table.holding import why_not_lift
from studio.table.holdnote import due_message
from studio.table.kept import with_evidence
from studio.table.options import options
from studio.table.rescan import differences, felt_view
from studio.table.results import past_views, shoe_views
from studio.table.review import review
from studio.table.show import dealer_view
from studio.table.state import Phase, Setup, Table
from studio.table.story import Names, journal_lines
from studio.table.turn import Stamp
from studio.table.verdicts import particulars
from studio.table.views import (
    ApprovalView,
    BetRow,
    ButtonView,
    CaseView,
    DeviceView,
    Message,
    SightingView,
    SupervisorView,
    VoidPreview,
)
from studio.table.voids import void_allowed, void_returns


def supervisor_view(
    setup: Setup,
    table: Table,
    now_us: int,
    health: Sequence[DeviceView] = (),
    records: Sequence[Recorded] = (),
    names: Names = str,
) -> SupervisorView:
    """Everything of the supervisor's page of one table; `names` words a staff number."""
    current = table.round
    faults = table.hold.faults if table.hold else ()
    return SupervisorView(
        dealer=dealer_view(setup, table, now_us, health),
        cases=tuple(with_evidence(_case(setup, table, fault), records) for fault in faults),
        lift=_lift(setup, table),
        void=void_preview(setup, table),
        bets=_rows(setup, table),
        staked=ledger.sums(current)[1] if current else 0,
        currency=setup.currency,
        journal=journal_lines(records, names),
        dealt=_dealt(table),
        reasons=policy.REASONS,
        approval=_approval(setup, table),
        past=past_views(setup, table),
        claimed_by=table.claimed_by,
        claimed_name=table.claimed_name,
        uncounted=table.uncounted,
        shoes=shoe_views(setup, table),
    )


def _approval(setup: Setup, table: Table) -> ApprovalView | None:
    """What waits; of a felt entered by hand the second person sees every card that it changes."""
    view, asked = approval_view(table), waiting(table)
    command = stored(asked) if asked is not None else None
    if view is None or not isinstance(command, c.RescanRound) or not command.felt:
        return view
    return replace(view, changes=differences(setup, table, command.felt))


def _dealt(table: Table) -> tuple[tuple[int, str, str], ...]:
    if table.play is None or table.phase is Phase.SHOE:
        return ()
    return tuple(
        (p.index, p.to, p.card.code)
        for p in table.play.places
        if p.card is not None and p.face == Facing.UP.value
    )


def _lift(setup: Setup, table: Table) -> ButtonView:
    refused = why_not_lift(setup, table)
    if refused is not None:
        return ButtonView(command="LiftHold", enabled=False, reason=refused.code)
    return ButtonView(command="LiftHold", enabled=True, main=True)


def _rows(setup: Setup, table: Table) -> tuple[BetRow, ...]:
    if table.round is None:
        return ()
    found = ledger.kinds(table.round)
    shown = dict.fromkeys([bet for bet, _ in setup.limits] + list(found))
    return tuple(
        BetRow(bet=bet, count=n, staked=s) for bet in shown for n, s in [found.get(bet, (0, 0))]
    )


def _case(setup: Setup, table: Table, fault: Fault) -> CaseView:
    row = policy.row_of(setup.profile, fault, table)
    return CaseView(
        fault=fault.id,
        code=fault.code.value,
        row=row.row,
        at_us=fault.at_us,
        step=fault.step,
        due=due_message(fault),
        due_zone=fault.due_to,
        due_face=fault.due_face,
        index=fault.index,
        sightings=tuple(_sighting(setup, sight) for sight in fault.sightings),
        options=options(setup, table, fault),
        text=fault.text,
        what=_what(fault, row.stem),
        felt=felt_view(setup, table, fault),
        review=review(table, fault),
    )


def _what(fault: Fault, stem: str) -> Message:
    """The fault in words; of a call what the dealer said of it."""
    if fault.text in policy.CALL_REASONS:
        return Message("case.called", (("reason", fault.text),))
    told = particulars(fault)
    if told:
        plain = fault.code is FaultCode.QAYD and not dict(told)["words"]
        return Message(f"case.{stem}.plain" if plain else f"case.{stem}", told)
    return Message(f"hold.{stem}.what", (("device", fault.device),))


def _sighting(setup: Setup, sight: Sighting) -> SightingView:
    return SightingView(
        source=sight.source,
        kind="camera" if sight.source == setup.camera else "shoe",
        look=sight.look,
        card=sight.card.code if sight.card else "",
        zone=sight.zone,
        at_us=sight.at_us,
        sequence=sight.sequence,
        confidence_milli=sight.confidence_milli,
    )


def void_preview(setup: Setup, table: Table) -> VoidPreview | None:
    """What voiding would return, tried on a copy of the table; None where it is not allowed."""
    current = table.round
    if current is None or void_allowed(setup, table) is not None:
        return None
    from studio.table.decide import effect  # noqa: PLC0415  decide stands above the previews

    command = c.VoidRound(fault="", reason="reason.other", round_id=current.id)
    after = effect(setup, table, command, Stamp(at_us=table.at_us)).table
    accepted = ledger.accepted(current)
    refunded = after.round.refunded if after.round else 0
    rows = _rows(setup, table)
    method = ledger.void_method(setup.profile)
    back = ledger.rows(void_returns(setup, table, accepted))
    returns = tuple(back.get(row.bet, (0, 0))[1] for row in rows)
    if method == ledger.REFUND:
        money = ("void.proof.equal", refunded == accepted.total == sum(returns))
    else:
        money = ("void.proof.at_least", refunded == sum(returns) >= accepted.total)
    return VoidPreview(
        round_id=current.id,
        rows=rows,
        accepted=accepted.total,
        paid_before=0,
        returned=refunded,
        proof=(
            money,
            ("void.proof.rows", sum(row.staked for row in rows) == ledger.sums(current)[1]),
            ("void.proof.once", current.refunded == 0 and current.returned == 0),
            ("void.proof.ends", after.round is not None and after.round.state == "voided"),
        ),
        people=policy.people(setup.profile, "VoidRound"),
        method=method,
        returns=returns,
    )
