"""What the table is after an event. Total: it keeps books and never refuses, never decides."""

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from studio.domain import events as e
from studio.domain.cards import pack_of
from studio.domain.faults import FaultCode
from studio.domain.shoe import Shoe
from studio.domain.values import replace
from studio.domain.written import with_card
from studio.games.procedure import Counted
from studio.table.evolve_decisions import Deciding, decided, rows_of
from studio.table.evolve_places import (
    corrected,
    dealt,
    heard_out,
    misplaced,
    paired,
    tracks_lost,
    trusted,
)
from studio.table.evolve_results import ended_round, receivable, result_corrected, with_past_shoe
from studio.table.evolve_seats import Seating, seated, taken_away
from studio.table.evolve_sensed import refilled, sensed
from studio.table.state import (
    ANEW,
    Approval,
    Batch,
    DeviceState,
    Hold,
    Phase,
    Play,
    Round,
    Script,
    ShoeState,
    Table,
    Window,
)

RESTART = "restart"
"""Why all devices are offline after the studio itself was stopped."""


def evolve(table: Table, event: e.Event, at_us: int) -> Table:
    """Give the table after this event; `at_us` is the instant of its record."""
    after = _apply(table, event, at_us)
    if after is table:
        return replace(table, version=table.version + 1, at_us=at_us)
    # A fresh value that nobody else has seen yet: to fill it in is cheaper than one more copy.
    object.__setattr__(after, "version", table.version + 1)
    object.__setattr__(after, "at_us", at_us)
    return after


def fold(table: Table, facts: Iterable[tuple[e.Event, int]]) -> Table:
    """Give the table after many (event, instant)."""
    return reduce(lambda state, fact: evolve(state, fact[0], fact[1]), facts, table)


def _apply(table: Table, event: e.Event, at_us: int) -> Table:  # noqa: C901, PLR0911, PLR0912  one arm per event
    if isinstance(event, Deciding):
        return decided(table, event, at_us)
    if isinstance(event, Seating):
        return seated(table, event, at_us)
    match event:
        case e.TableOpened():
            return replace(table, phase=Phase.IDLE, closing=False)
        case e.TableClosing():
            return replace(table, closing=True)
        case e.TableClosed():
            return replace(table, phase=Phase.CLOSED, closing=False, round=None, window=None)
        case e.DayOpened(day=day):
            return replace(table, day=day, rounds=0)
        case (
            e.ShoeProcedureStarted()
            | e.ShoeOpened()
            | e.ShoeEnding()
            | e.ShoeEnded()
            | e.CutCardSeen()
            | e.DiscardsShuffled()
        ):
            return _shoe(table, event, at_us)
        case e.StepConfirmed(zones=zones):
            return taken_away(table, zones, at_us)
        case e.CountEntered(number=number):
            return _answered(table, Counted(number), at_us)
        case e.RoundOpened():
            return _round_opened(table, event, at_us)
        case (
            e.BetsPlaced() | e.BetsRefused() | e.BetsConfirmed() | e.BetsWithdrawn() | e.FundsLate()
        ):
            return _bets(table, event)
        case e.BetsClosed():
            return _bets_closed(table, at_us)
        case e.BetsCarried(columns=columns):
            carrying = None if table.round is None else replace(table.round, carried=columns)
            return replace(table, round=carrying)
        case e.BetsStayed(columns=columns):
            return replace(table, staying=columns)
        case (
            e.ShoeRead()
            | e.ShoeIdentified()
            | e.FeltSeen()
            | e.CardParked()
            | e.CardUnparked()
            | e.ReadUsed()
            | e.CardDead()
        ):
            return sensed(table, event, at_us)
        case e.DeviceNoted():
            return _device(table, event)
        case e.CardDealt():
            return dealt(table, event, at_us)
        case e.CardCorrected():
            return corrected(table, event, at_us)
        case e.TracksPaired(pairs=pairs):
            return paired(table, pairs)
        case e.TracksLost(indexes=indexes):
            return misplaced(table, indexes)
        case (
            e.RoundFinished()
            | e.RoundSettled()
            | e.RoundVoided()
            | e.RoundCleared()
            | e.CardsCollected()
        ):
            return _round_ended(table, event, at_us)
        case (
            e.FaultRaised() | e.CallExplained() | e.FaultAnswered() | e.HoldTaken() | e.HoldLifted()
        ):
            return _hold(table, event, at_us)
        case e.ApprovalAsked() | e.ApprovalEnded():
            return _approval(table, event, at_us)
        case e.ResultCorrected():
            return result_corrected(table, event, at_us)
        case e.DealerSeated(number=number, name=name):
            return replace(table, dealer=number, dealer_name=name)
        case e.DealerLeft():
            return replace(table, dealer="", dealer_name="")
        case e.TableClaimed(number=number, name=name):
            return replace(table, claimed_by=number, claimed_name=name)
        case e.TableReleased():
            return replace(table, claimed_by="", claimed_name="")
        case e.ReceivableNoted():
            return receivable(table, event)
        case e.EvidenceKept():
            return table  # kept for people; no rule looks at them
        case _:
            assert_never(event)


def _approval(table: Table, event: e.ApprovalAsked | e.ApprovalEnded, at_us: int) -> Table:
    match event:
        case e.ApprovalAsked():
            asked = Approval(
                id=event.approval,
                command=event.command,
                body=with_card(event.body, event.sealed.card if event.sealed else None),
                by=event.by,
                by_name=event.by_name,
                session=event.session,
                at_us=at_us,
                fault=event.fault,
                round_id=event.round_id,
                before=event.before,
                after=event.after,
                gives=event.gives,
                takes=event.takes,
                secret=event.sealed is not None,
            )
            return replace(table, approval=asked)
        case e.ApprovalEnded(how=how, by_name=name, reason=reason):
            if table.approval is None or table.approval.id != event.approval:
                return table
            ended = replace(
                table.approval,
                how=how,
                ended_by=name,
                ended_us=at_us,
                reason=reason,
                note=event.note,
            )
            return replace(table, approval=ended)


def _shoe(
    table: Table,
    event: e.ShoeProcedureStarted
    | e.ShoeOpened
    | e.ShoeEnding
    | e.ShoeEnded
    | e.CutCardSeen
    | e.DiscardsShuffled,
    at_us: int,
) -> Table:
    shoe = table.shoe
    match event:
        case e.ShoeProcedureStarted(procedure=kind, shoe_no=number, decks=decks):
            play = Play(script=Script(kind), due_since_us=at_us)
            if play.script is Script.END_SHOE:
                return replace(table, phase=Phase.SHOE, play=play, window=None)
            fresh = ShoeState(number=number, cards=Shoe.loaded(decks, pack=pack_of(event.ranks)))
            kept = with_past_shoe(table)
            table = replace(kept, phase=Phase.SHOE, play=play, shoe=fresh, shoes=number)
            return replace(table, results=(), round=None, window=None)
        case e.ShoeOpened(shoe_no=number, decks=decks, unknown_gone=gone, round_no=rounds):
            if shoe is None:
                cards = Shoe.loaded(decks, unknown_gone=gone, pack=pack_of(event.ranks))
                shoe = ShoeState(number=number, cards=cards)
            opened = replace(shoe, open=True, rounds=rounds)
            sensing = replace(table.sensing, ignored=())
            return replace(table, phase=Phase.IDLE, play=None, shoe=opened, sensing=sensing)
        case e.ShoeEnding():
            return table if shoe is None else replace(table, shoe=replace(shoe, ending=True))
        case e.ShoeEnded(balance=balance):
            closed = shoe
            if shoe is not None:
                closed = replace(shoe, open=False, ended_us=at_us, balance=balance)
            uncounted = () if balance == "balanced" else table.uncounted
            return replace(table, phase=Phase.IDLE, play=None, shoe=closed, uncounted=uncounted)
        case e.CutCardSeen(rounds_left=left):
            if shoe is None:
                return table
            cards = shoe.cards.cut_card_out(shoe.rounds, event.cards_of_round)
            return replace(table, shoe=replace(shoe, rounds_left=left, cards=cards))
        case e.DiscardsShuffled():
            return table if shoe is None else replace(table, shoe=refilled(table, shoe))


def _answered(table: Table, given: Counted, at_us: int) -> Table:
    if table.play is None:
        return table
    play = replace(table.play, inputs=(*table.play.inputs, given), due_since_us=at_us)
    return replace(table, play=play)


def _round_opened(table: Table, event: e.RoundOpened, at_us: int) -> Table:
    shoe = table.shoe
    skipped = 0 if shoe is None else shoe.skipped + _does_not_count(table.round, shoe)
    opened = Round(
        id=event.round_id,
        number=event.round_no,
        called=event.game_round or event.round_no,
        shoe_no=event.shoe_no,
        opened_us=at_us,
        counted=event.round_no - skipped,
        gone=shoe.cards.gone if shoe is not None else 0,
        started_version=table.version + 1,
        procedure=event.procedure_version,
        rules_digest=event.rules_digest,
    )
    window = Window(
        kind="betting", deadline_us=event.deadline_us, total_us=event.deadline_us - at_us
    )
    if shoe is not None:
        rounds_left = event.rounds_left
        shoe = replace(shoe, rounds=event.round_no, rounds_left=rounds_left, skipped=skipped)
    table = replace(table, phase=Phase.BETTING, round=opened, window=window, shoe=shoe)
    uncounted = (*table.uncounted, event.round_id)
    return replace(table, rounds=table.rounds + 1, play=None, notes=(), uncounted=uncounted)


def _does_not_count(before: Round | None, shoe: ShoeState) -> bool:
    """Whether the round before was cancelled before its first card left the shoe (D-13)."""
    return (
        before is not None
        and before.shoe_no == shoe.number
        and before.state == "voided"
        and before.gone == shoe.cards.gone
    )


def _bets(
    table: Table,
    event: e.BetsPlaced | e.BetsRefused | e.BetsConfirmed | e.BetsWithdrawn | e.FundsLate,
) -> Table:
    current = table.round
    if current is None:
        return table
    batches = current.batches
    match event:
        case e.BetsPlaced(batch=batch, columns=columns):
            batches = (*batches, Batch(id=batch, columns=columns, rows=rows_of(columns)))
        case e.BetsConfirmed(batch=batch, refused=refused):
            out = frozenset(refused)
            batches = tuple(
                replace(_less(b, out), pending=False) if b.id == batch else b
                for b in current.batches
            )
        case e.BetsWithdrawn(ids=ids):
            gone = frozenset(ids)
            batches = tuple(_less(b, gone) for b in current.batches)
            current = replace(current, withdrawals=(*current.withdrawals, event.batch))
        case e.BetsRefused() | e.FundsLate():
            return table
    return replace(table, round=replace(current, batches=batches))


def _less(batch: Batch, ids: frozenset[str]) -> Batch:
    """A batch without these bets."""
    columns = batch.columns.without(ids) if ids else batch.columns
    if columns is batch.columns:
        return batch
    return replace(batch, columns=columns, rows=rows_of(columns))


def _bets_closed(table: Table, at_us: int) -> Table:
    current = table.round
    if current is None:
        return table
    confirmed = tuple(batch for batch in current.batches if not batch.pending)
    current = replace(current, batches=confirmed, bets_closed=True)
    play = Play(script=Script.ROUND, due_since_us=at_us)
    return replace(table, phase=Phase.DEALING, round=current, window=None, play=play)


def _device(table: Table, event: e.DeviceNoted) -> Table:
    device = table.device(event.device)
    match event.what:
        case "online":
            boot, serial = event.boot or device.boot, event.serial or device.serial
            trouble = device.trouble if boot == device.boot else ()
            device = replace(device, online=True, boot=boot, serial=serial, text=event.text)
            setup = "" if device.setup == ANEW else device.setup
            device = replace(device, trouble=trouble, setup=setup)
        case "setup_began":
            device = replace(device, setup=event.text)
        case "setup_ended":
            device = replace(device, setup=ANEW if event.text == ANEW else "")
        case "offline":
            device = replace(device, online=False, text=event.text)
        case "fit":
            device = replace(device, fit=True, online=True, text=event.text)
        case "unfit":
            device = replace(device, fit=False, text=event.text)
        case "trouble":
            device = replace(device, trouble=(*device.trouble, event.text))
        case "cleared":
            left = tuple(code for code in device.trouble if code != event.text)
            device = replace(device, trouble=left)
        case "tested":
            device = replace(device, tested=True)
        case "needs_test":
            device = replace(device, tested=False)
    others = tuple(known for known in table.devices if known.name != event.device)
    if event.what == "offline" and event.text == RESTART:
        table = tracks_lost(table)
    return replace(table, devices=_in_order((*others, device)))


def _in_order(devices: tuple[DeviceState, ...]) -> tuple[DeviceState, ...]:
    return tuple(sorted(devices, key=lambda device: device.name, reverse=True))


def _round_ended(
    table: Table,
    event: e.RoundFinished | e.RoundSettled | e.RoundVoided | e.RoundCleared | e.CardsCollected,
    at_us: int,
) -> Table:
    current = table.round
    if current is None:
        return table
    match event:
        case e.RoundFinished(code=code, outcome=outcome):
            current = replace(current, code=code, outcome=outcome)
            return replace(table, round=current, carried=event.carried or table.carried)
        case e.RoundSettled():
            current = replace(
                current, state="settled", staked=event.staked, returned=event.returned
            )
            table = replace(table, results=(*table.results, ended_round(current, table.play)))
            return _shown(table, current, event.deadline_us, at_us)
        case e.RoundVoided(refunded=refunded):
            current = replace(current, state="voided", staked=event.staked, refunded=refunded)
            # Nobody chooses any more: a late answer, of a player or the wallet, is about nothing.
            current = replace(current, answering=None, asking=None)
            return _shown(table, current, event.deadline_us, at_us)
        case e.CardsCollected():
            sensing = replace(table.sensing, ignored=())
            return replace(table, round=replace(current, collected=True), sensing=sensing)
        case e.RoundCleared():
            sensing = replace(table.sensing, reads=(), parked=table.sensing.parked)
            return replace(table, phase=Phase.IDLE, window=None, play=None, sensing=sensing)


def _shown(table: Table, current: Round, deadline_us: int, at_us: int) -> Table:
    window = Window(kind="result", deadline_us=deadline_us, total_us=deadline_us - at_us)
    return replace(table, phase=Phase.RESULT, round=current, window=window)


def _fault_raised(table: Table, event: e.FaultRaised, at_us: int) -> Table:
    fault, current = event.fault, table.round
    if current is not None and current.state == "open":
        faults = (*current.faults, fault.code.value)
        table = replace(table, round=replace(current, faults=faults))
    if fault.code is FaultCode.RECOVERED:
        table = tracks_lost(table)
    if not event.holds:
        return replace(table, notes=(*table.notes, fault))
    hold = table.hold or Hold(since_us=at_us)
    table = replace(table, hold=replace(hold, faults=(*hold.faults, fault)))
    if table.window is not None and event.remaining_us is not None:
        table = replace(table, window=replace(table.window, remaining_us=event.remaining_us))
    return table


def _explained(hold: Hold, event: e.CallExplained) -> Hold:
    """The call as if its reason had been said with it."""
    faults = tuple(
        replace(fault, text=event.reason) if fault.id == event.fault else fault
        for fault in hold.faults
    )
    return replace(hold, faults=faults)


def _hold(
    table: Table,
    event: e.FaultRaised | e.CallExplained | e.FaultAnswered | e.HoldTaken | e.HoldLifted,
    at_us: int,
) -> Table:
    hold = table.hold
    match event:
        case e.FaultRaised():
            return _fault_raised(table, event, at_us)
        case e.CallExplained():
            return table if hold is None else replace(table, hold=_explained(hold, event))
        case e.FaultAnswered(fault=answered, repair=repair, code=code):
            if hold is None:
                return table
            left = tuple(fault for fault in hold.faults if fault.id != answered)
            if repair == "AcceptAsDealt":
                table = trusted(table, answered)
            if code == FaultCode.REPEATED_CARD:
                table = heard_out(table, second=repair == "UseAsNextCard")
            past = (*hold.past, *(fault for fault in hold.faults if fault.id == answered))
            done = (*hold.answered, (answered, repair))
            return replace(table, hold=replace(hold, faults=left, past=past, answered=done))
        case e.HoldTaken(by=by, number=number):
            if hold is None:
                return table
            return replace(table, hold=replace(hold, taken_by=by, taken_number=number))
        case e.HoldLifted(deadline_us=deadline):
            window = table.window
            if window is not None and deadline is not None:
                window = replace(window, deadline_us=deadline, remaining_us=None)
            play = table.play
            if play is not None:
                play = replace(play, due_since_us=at_us)
            return replace(table, hold=None, window=window, play=play)
