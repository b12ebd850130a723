"""What follows from a command or an observation here and now. Reads nothing but its arguments."""

from collections.abc import Mapping
from typing import assert_never

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.events import Event
from studio.domain.faults import FaultCode
from studio.domain.observations import Observation
from studio.games.procedure import Clear, Confirm, Count, Counted, Move, Reveal, fits
from studio.table import approvals, bets, decisions, gone, hidden, moving, policy, seatplay, seats
from studio.table.advance import advance, open_bets, start_shoe_procedure
from studio.table.book import Book
from studio.table.closing import close_bets
from studio.table.correction import correct_result
from studio.table.holding import answered
from studio.table.observe import cut_card, observe
from studio.table.past import Past
from studio.table.preparing import restored, set_up
from studio.table.repairs import ANSWERED_BY_VOID, devices_ready, repair
from studio.table.state import Phase, Script, Setup, Table
from studio.table.turn import Stamp, Turn
from studio.table.verdicts import claim

WHILE_HELD = (
    c.Tick,
    c.TakeHold,
    c.CallSupervisor,
    c.PlaceBets,
    c.PlaceDecisions,
    c.MarkDisconnected,
    c.EndShoe,
    c.CutCardIsOut,
    c.CloseTable,
    c.CorrectResult,
    c.SetUpCamera,
)
"""Commands that a held table still hears beside repairs; bets and decisions get their refusal on
record."""
NOT_WHILE_SET_UP = (c.OpenTable, c.StartShoe, c.EndShoe, c.OpenBets)
"""Commands after which cards may come."""


def decide(
    setup: Setup,
    table: Table,
    given: c.Command | Observation,
    stamp: Stamp,
    *,
    by: c.Asker = c.NOBODY,
    past: Past | None = None,
) -> tuple[Event, ...]:
    """Give the events that follow; the state is not touched.

    Raises:
        Rejected: only for a command, never for an observation.
    """
    return tuple(decided(setup, table, given, stamp, by=by, past=past).events)


def decided(  # noqa: PLR0913  what the outside gives to a decision, by name
    setup: Setup,
    table: Table,
    given: c.Command | Observation,
    stamp: Stamp,
    *,
    by: c.Asker = c.NOBODY,
    past: Past | None = None,
    book: Book | None = None,
    short: Mapping[str, str] | None = None,
) -> Turn:
    """Give the events that follow with the table as they leave it; `by` is who asks.

    A command that needs two people is written down to wait for the second (`approvals`). `past` is
    the ended round that `correction.round_meant` names for this command. `book` is what the owner
    of the table keeps beside it. `short` names the decisions of a batch whose cost the wallet does
    not cover (`decisions.costly`), each with a reason or none.

    Raises:
        Rejected: only for a command, never for an observation.
    """
    turn = Turn(
        setup=setup,
        table=table,
        stamp=stamp,
        past=past,
        book=book or Book(),
        short=short or {},
    )
    if isinstance(given, Observation):
        observe(turn, given)
    elif isinstance(given, approvals.Answering):
        approvals.answer(turn, given, by, _carry_out)
    else:
        approvals.ask_or_act(turn, given, by, _carry_out)
    approvals.overtake(turn, table)
    return turn


def effect(setup: Setup, table: Table, command: c.Command, stamp: Stamp) -> Turn:
    """Give what a command would do once everybody who must has agreed; for previews.

    Raises:
        Rejected: if it is not lawful now.
    """
    turn = Turn(setup=setup, table=table, stamp=stamp)
    _carry_out(turn, command, c.NOBODY)
    return turn


def _carry_out(turn: Turn, command: c.Command, by: c.Asker) -> None:
    seats.at_own_table(turn, command, by)
    if isinstance(command, c.RepairCommand):
        repair(turn, command)
    elif isinstance(command, seats.Seating):
        seats.change_seat(turn, command, by)
    elif isinstance(command, seats.Claiming):
        seats.change_claim(turn, command, by)
    elif isinstance(command, c.TakeHold):
        take_hold(turn, by)
    elif isinstance(command, c.ChooseForSeat):
        _at_this_time(turn.table, command)
        seatplay.choose(turn, command, by)
        advance(turn)
    elif isinstance(command, c.ClaimQayd):
        _at_this_time(turn.table, command)
        claim(turn, command, by)
    else:
        _command(turn, command)


def noticed(setup: Setup, table: Table, code: FaultCode, stamp: Stamp, *, text: str = "") -> Turn:
    """Give what follows when the studio itself noticed a fault, as an overrun or a recovery."""
    turn = Turn(setup=setup, table=table, stamp=stamp)
    turn.fault(code, text=text)
    return turn


def returned(setup: Setup, table: Table, stamp: Stamp) -> Turn:
    """Give what follows when the table comes back after a stop: held, and no device is there yet.

    A closed table comes back closed, with the stop as a note. A stop in the hold of another is
    told once.
    """
    turn = Turn(setup=setup, table=table, stamp=stamp)
    for device in table.devices:
        if device.online:
            turn.emit(e.DeviceNoted(device=device.name, what="offline", text="restart"))
    restored(turn)
    if table.phase is not Phase.CLOSED and not turn.has_fault(FaultCode.RECOVERED):
        open_round = table.round is not None and table.round.state == "open"
        turn.fault(FaultCode.RECOVERED, text="a round was open" if open_round else "no open round")
    return turn


def _command(turn: Turn, command: c.OrdinaryCommand) -> None:  # noqa: C901  one arm per command
    _at_this_time(turn.table, command)
    match command:
        case c.Tick():
            advance(turn)
        case c.OpenTable() | c.CloseTable() | c.StartShoe() | c.EndShoe():
            _course_of_table(turn, command)
        case c.ConfirmStep():
            _confirm(turn)
        case c.EnterCount(number=number):
            _count(turn, number)
        case c.OpenBets():
            _open_bets(turn)
        case c.CloseBets():
            _need(turn, Phase.BETTING, reason="refused.bets_not_open")
            close_bets(turn, by="dealer")
            advance(turn)
        case c.CutCardIsOut():
            _cut_card(turn)
        case c.CallSupervisor(reason=reason):
            _call(turn, reason)
        case (
            c.PlaceBets()
            | c.WithdrawBets()
            | c.PlaceDecisions()
            | c.MarkDisconnected()
            | c.AnswerPeek()
        ):
            _from_players(turn, command)
        case c.BeginDay(day=day, previous=previous):
            _begin_day(turn, day, previous)
        case c.CorrectResult():
            correct_result(turn, command)
        case c.SetUpCamera():
            set_up(turn, command)
        case (
            c.TakeHold()
            | c.Approve()
            | c.Decline()
            | c.WithdrawApproval()
            | c.RelieveDealer()
            | c.LeaveTable()
            | c.ClaimTable()
            | c.ReleaseTable()
            | c.ChooseForSeat()
            | c.ClaimQayd()
        ):
            raise AssertionError("people are looked after before the course of the table")
        case _:
            assert_never(command)


def _course_of_table(
    turn: Turn, command: c.OpenTable | c.CloseTable | c.StartShoe | c.EndShoe
) -> None:
    """A table opens and closes, a shoe begins and ends."""
    match command:
        case c.OpenTable():
            _open_table(turn)
        case c.CloseTable():
            _close_table(turn)
        case c.StartShoe():
            _start_shoe(turn)
        case c.EndShoe():
            _end_shoe(turn, command)


def _from_players(
    turn: Turn,
    command: c.PlaceBets | c.WithdrawBets | c.PlaceDecisions | c.MarkDisconnected | c.AnswerPeek,
) -> None:
    """What players bet and decide, and what a dealer says of the card that they may not know."""
    match command:
        case c.PlaceBets():
            bets.place(turn, command)
        case c.WithdrawBets():
            bets.withdraw(turn, command)
        case c.PlaceDecisions():
            decisions.place(turn, command)
            advance(turn)
        case c.MarkDisconnected():
            gone.disconnect(turn, command)
            advance(turn)
        case c.AnswerPeek():
            hidden.answer(turn, command)


def _at_this_time(table: Table, command: c.OrdinaryCommand) -> None:
    """Look whether a held table, or one whose camera is set up, hears this command."""
    if table.held and not isinstance(command, WHILE_HELD):
        raise c.Rejected("refused.table_held")
    if table.set_up and isinstance(command, NOT_WHILE_SET_UP):
        raise c.Rejected("refused.camera_setup")


def _need(turn: Turn, *phases: Phase, reason: str) -> None:
    if turn.table.phase not in phases:
        raise c.Rejected(reason)


def _open_table(turn: Turn) -> None:
    _need(turn, Phase.CLOSED, reason="refused.table_open")
    turn.emit(e.TableOpened(config_digest=turn.setup.config_digest))
    advance(turn)


def _close_table(turn: Turn) -> None:
    if turn.table.phase is Phase.CLOSED:
        raise c.Rejected("refused.table_closed")
    if turn.table.hold is not None:
        _close_held(turn)
    elif turn.table.phase is Phase.IDLE:
        turn.emit(e.TableClosed())
    elif not turn.table.closing:
        turn.emit(e.TableClosing())


def _close_held(turn: Turn) -> None:
    """A device that is dead for good must not keep a table open; no round may be open."""
    current, hold = turn.table.round, turn.table.hold
    if turn.table.phase is Phase.SHOE or (current is not None and current.state == "open"):
        raise c.Rejected("refused.table_held")
    for fault in hold.faults if hold else ():
        turn.emit(
            e.FaultAnswered(
                fault=fault.id, code=fault.code.value, repair="CloseTable", reason="reason.other"
            )
        )
    turn.emit(e.HoldLifted(deadline_us=None))
    turn.emit(e.TableClosed())


def _start_shoe(turn: Turn) -> None:
    if turn.table.phase is Phase.CLOSED:
        raise c.Rejected("refused.table_closed")
    _need(turn, Phase.IDLE, reason="refused.not_idle")
    if turn.table.shoe is not None and turn.table.shoe.open:
        raise c.Rejected("refused.shoe_in_play")
    devices_ready(turn)
    start_shoe_procedure(turn, Script.NEW_SHOE)


def _end_shoe(turn: Turn, command: c.EndShoe) -> None:
    shoe, play, reason = turn.table.shoe, turn.table.play, command.reason
    if turn.table.held:  # a repair then, as all others (DESIGN.md 5)
        policy.reasoned(reason, command.note)
    if shoe is not None and play is not None and play.script is Script.NEW_SHOE:
        _abort_shoe(turn, command)
        return
    if shoe is None or not shoe.open or turn.table.phase is Phase.SHOE:
        raise c.Rejected("refused.no_shoe")
    if shoe.ending:
        raise c.Rejected("refused.shoe_ending")
    turn.emit(e.ShoeEnding(reason=reason, note=command.note))
    if turn.table.phase is Phase.IDLE and not turn.table.held:
        start_shoe_procedure(turn, Script.END_SHOE)


def _abort_shoe(turn: Turn, command: c.EndShoe) -> None:
    """A new shoe that cannot be burned is given up: its cards are counted, and it ends."""
    turn.emit(e.ShoeEnding(reason=command.reason, note=command.note))
    for fault in turn.table.hold.faults if turn.table.hold else ():
        if fault.code in ANSWERED_BY_VOID:
            answered(turn, fault, "EndShoe", command.reason, command.note)
    start_shoe_procedure(turn, Script.END_SHOE)


def _confirm(turn: Turn) -> None:
    """The dealer did what was due; what a camera can see is believed only if it agrees."""
    table, setup = turn.table, turn.setup
    if table.phase is Phase.RESULT and table.round is not None:
        if table.round.collected:
            raise c.Rejected("refused.nothing_to_confirm")
        _felt_clear(turn, setup.game.zones)
        turn.emit(e.CardsCollected(by="dealer"))
        advance(turn)
        return
    request = turn.due if table.phase in (Phase.SHOE, Phase.DEALING) else None
    match request:
        case Reveal():
            hidden.turned_by_dealer(turn, request)
        case Move():
            moving.moved_by_dealer(turn, request)
        case Confirm(step=step) if table.phase is Phase.SHOE:
            turn.emit(e.StepConfirmed(step=step, by="dealer"))
        case Clear(zones=zones, step=step):
            _felt_clear(turn, zones)
            turn.emit(e.StepConfirmed(step=step, by="dealer", zones=zones))
        case _:
            raise c.Rejected("refused.nothing_to_confirm")
    advance(turn)


def _felt_clear(turn: Turn, zones: tuple[str, ...]) -> None:
    if not turn.setup.uses_camera:
        return
    cards = (o.Look.FACE, o.Look.BACK)
    for zone in turn.table.sensing.zones:
        if zone.zone in zones and any(lying.look in cards for lying in zone.cards):
            raise c.Rejected("refused.cards_on_felt")


def _count(turn: Turn, number: int) -> None:
    request = turn.due if turn.table.phase is Phase.SHOE else None
    if not isinstance(request, Count):
        raise c.Rejected("refused.nothing_to_count")
    if not fits(request, Counted(number)):
        raise c.Rejected("refused.count_out_of_range")
    turn.emit(e.CountEntered(step=request.step, number=number))
    advance(turn)


def _open_bets(turn: Turn) -> None:
    if turn.table.phase is Phase.CLOSED:
        raise c.Rejected("refused.table_closed")
    shoe = turn.table.shoe
    if shoe is None or not shoe.open or turn.table.phase is Phase.SHOE:
        raise c.Rejected("refused.no_shoe")
    _need(turn, Phase.IDLE, reason="refused.round_open")
    if shoe.rounds_left == 0 or shoe.ending:
        raise c.Rejected("refused.shoe_over")
    devices_ready(turn)
    _felt_clear(turn, turn.setup.game.zones)
    open_bets(turn)
    advance(turn)


def _cut_card(turn: Turn) -> None:
    shoe = turn.table.shoe
    if shoe is None or not shoe.open:
        raise c.Rejected("refused.no_shoe")
    if shoe.rounds_left is not None or turn.setup.game.rounds_in_shoe:
        raise c.Rejected("refused.cut_card_known")
    cut_card(turn, by="dealer")


def _call(turn: Turn, reason: str) -> None:
    if turn.table.phase is Phase.CLOSED:
        raise c.Rejected("refused.table_closed")
    if reason and reason not in (*policy.CALL_REASONS, *policy.REASONS):
        raise c.Rejected("refused.call_reason")
    faults = turn.table.hold.faults if turn.table.hold else ()
    call = next((fault for fault in faults if fault.code is FaultCode.DEALER_CALL), None)
    if call is None:
        turn.fault(FaultCode.DEALER_CALL, text=reason)
    elif call.text or not reason:
        raise c.Rejected("refused.called_already")
    else:
        turn.emit(e.CallExplained(fault=call.id, reason=reason))


def _begin_day(turn: Turn, day: str, previous: str) -> None:
    if turn.table.round is not None and turn.table.round.state == "open":
        raise c.Rejected("refused.round_open")
    turn.emit(e.DayOpened(day=day, previous=previous))


def take_hold(turn: Turn, by: c.Asker) -> None:
    """A supervisor takes the hold in hand; who has it is known by number, where there is one.

    Raises:
        Rejected: if the table is not held or somebody else has it.
    """
    hold = turn.table.hold
    if hold is None:
        raise c.Rejected("refused.not_held")
    has_it, asks = hold.taken_by, by.name
    if hold.taken_number:
        has_it, asks = hold.taken_number, by.number
    if has_it not in ("", asks):
        raise c.Rejected("refused.hold_taken")
    turn.emit(e.HoldTaken(by=by.name, number=by.number))
