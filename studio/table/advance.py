"""What follows by itself: cards that are proven, rounds that end, windows that close.

Called after every observation, tick and repair; goes on until nothing more follows. It does
nothing while the table is held.
"""

from typing import Any

from studio.domain import events as e
from studio.domain.cards import Card, ranks_of
from studio.domain.envelope import canonical
from studio.domain.faults import FaultCode, Sighting
from studio.domain.observations import Look
from studio.domain.shoe import Verdict
from studio.games.procedure import (
    Carry,
    Choose,
    Clear,
    Confirm,
    Count,
    Deal,
    Decide,
    Facing,
    Move,
    Peek,
    Reveal,
    Stakes,
)
from studio.games.shoe import VERSION as SHOE_VERSION
from studio.games.spec import Outcome
from studio.table import hidden, moving, seatplay
from studio.table.changed import changed, found_until, seen_empty
from studio.table.closing import close_by_clock, seat_players
from studio.table.decisions import end_of_window, open_window
from studio.table.exposed import exposed_word
from studio.table.inventory import put_out
from studio.table.passed import passed_over
from studio.table.paying import carry, pay
from studio.table.row import UNNUMBERED
from studio.table.sensing import (
    Accept,
    Repeat,
    Trouble,
    Wait,
    sense,
    sight_of_felt,
    sight_of_read,
    unaccounted,
)
from studio.table.state import Phase, Script, Setup, ShoeState, Table
from studio.table.strays import left_over, stray
from studio.table.turn import Turn, standing


def advance(turn: Turn) -> None:
    """Let everything follow that follows without a person."""
    while not turn.table.held and _step(turn):
        pass


def _step(turn: Turn) -> bool:
    """Do one thing that follows; whether there was one."""
    if turn.table.phase is not Phase.CLOSED and _untested(turn):
        return True
    match turn.table.phase:
        case Phase.SHOE | Phase.DEALING:
            return _procedure(turn)
        case Phase.BETTING:
            return close_by_clock(turn) or stray(turn)
        case Phase.DECISION:
            return changed(turn) or end_of_window(turn) or seatplay.end_of_turn(turn) or stray(turn)
        case Phase.RESULT:
            return _collect(turn) or stray(turn) or _end_of_result(turn)
        case Phase.IDLE:
            return stray(turn) or _from_idle(turn)
        case _:
            return False  # what a closed table is told waits until it is opened


def _untested(turn: Turn) -> bool:
    """A device that caused a void is not dealt with before it passed its test (F8)."""
    for device in turn.table.devices:
        if not device.tested and device.name in turn.setup.devices:
            turn.fault(FaultCode.DEVICE_UNTESTED, device=device.name)
            return True
    return False


def _procedure(turn: Turn) -> bool:
    """Do what follows where a procedure waits for cards, or for people."""
    match turn.standing.due:
        case Deal() as deal:
            if _unpark(turn, deal) or changed(turn):
                return True
            return found_until(turn.setup, turn.table, turn.at_us) is None and _sense(turn, deal)
        case Clear(zones=zones, step=step):
            if seen_empty(turn.setup, turn.table, zones):
                turn.emit(e.StepConfirmed(step=step, by=turn.setup.camera, zones=zones))
                return True
            return stray(turn)
        case Peek() as asked:
            return changed(turn) or hidden.peek(turn, asked) or stray(turn)
        case Reveal() as asked:
            found = changed(turn) or moving.shown_beside(turn, asked)
            return found or hidden.reveal(turn, asked) or stray(turn)
        case Move() as asked:
            return changed(turn) or moving.move(turn, asked) or stray(turn)
        case Confirm() | Count():
            return stray(turn)
        case asked:
            _go_on(turn, asked)
            return True


def _go_on(turn: Turn, asked: Stakes | Decide | Carry | Choose | None) -> None:
    """Tell a procedure what is known by then, ask those who choose, or end it."""
    match asked:
        case Carry():
            seatplay.carry(turn)
        case Stakes():
            seat_players(turn)
        case Decide() as decide:
            open_window(turn, decide)
        case Choose() as choose:
            seatplay.ask(turn, choose)
        case None:
            _finish(turn, turn.standing.outcome)


def _unpark(turn: Turn, deal: Deal) -> bool:
    """A card that came early is the next card (B1), before anything newer from the shoe."""
    parked = turn.table.sensing.parked
    if not parked or turn.table.play is None or turn.table.play.script is not Script.ROUND:
        return False
    down = deal.face is Facing.DOWN  # what all have seen cannot be the hidden card
    usable = [card for card in parked if not (down and card.exposed)]
    # The newest first: each takes its place before those that came after it. One that lies on its
    # own place already (B6, B7) comes last, for it is the first to be taken there.
    free = [card for card in usable if not card.to]
    own = [card for card in usable if card.to == deal.to]
    found = free or own
    if not found:
        return False
    turn.emit(e.CardUnparked(read=found[-1].read, track=found[-1].track))
    return True


def _sense(turn: Turn, deal: Deal) -> bool:
    verdict = sense(turn.setup, turn.table, deal, turn.at_us)
    match verdict:
        case Wait():
            return False
        case Trouble():
            text = _doubt(turn, verdict)
            if verdict.code is FaultCode.DEAL_ORDER:
                zones = tuple(sight.zone for sight in verdict.sightings if sight.zone)
                text = passed_over(turn.setup, turn.table, deal, zones)
            turn.fault(verdict.code, sightings=verdict.sightings, text=text)
            return True
        case Repeat(read=read):
            turn.emit(e.ReadUsed(read=read.key))
            return True
        case Accept(card=card) if card is not None and _impossible(turn, card):
            secret = deal.face is Facing.DOWN
            turn.fault(FaultCode.IMPOSSIBLE_CARD, sightings=_sights(turn, verdict, secret=secret))
            return True
        case Accept():
            accept(turn, deal, verdict)
            return True


def _doubt(turn: Turn, verdict: Trouble) -> str:
    """What is said of an open card that goes face down, and of a shoe without numbers.

    Where a shoe does not number its reports more or fewer cards may be out.
    """
    if verdict.code is FaultCode.WRONG_FACE:
        return exposed_word(turn, verdict.track)
    if turn.setup.numbered or not turn.setup.uses_shoe:
        return ""
    match verdict.code:
        case FaultCode.UNREADABLE_CARD if verdict.read and verdict.read.status == "unreadable":
            return f"{UNNUMBERED} line without a card"
        case FaultCode.CARD_DUE_LATE if not turn.setup.uses_camera:
            return f"{UNNUMBERED} reports: none came"
        case _:
            return ""


def _sights(turn: Turn, proof: Accept, *, secret: bool) -> tuple[Sighting, ...]:
    """What the sources saw of a card; one that may not be known is not named."""
    here = [it for it in unaccounted(turn.table) if it.key == proof.track]
    seen = tuple(sight_of_felt(turn.setup, turn.table, it, secret=secret) for it in here)
    if proof.read is None:
        return seen
    return (sight_of_read(turn.setup, proof.read, secret=secret), *seen)


def _impossible(turn: Turn, card: Card) -> bool:
    shoe = turn.table.shoe
    return shoe is not None and not shoe.cards.may_hold(card)


def accept(turn: Turn, deal: Deal, proof: Accept) -> None:
    """Put the due card into the procedure."""
    sealed = None
    revealed = None
    card = proof.card
    if deal.face is Facing.DOWN:
        if card is not None:
            sealed = (proof.read.sealed if proof.read else None) or turn.seal(card)
        card = None
    elif proof.read is not None and proof.read.sealed is not None and card is not None:
        revealed = proof.read.sealed.reveal()
    turn.emit(
        e.CardDealt(
            index=len(turn.table.play.inputs) if turn.table.play else 0,
            to=deal.to,
            face=deal.face.value,
            step=deal.step,
            sideways=deal.sideways,
            card=card,
            sealed=sealed,
            sources=proof.sources,
            read=proof.read.key if proof.read else None,
            track=proof.track,
            revealed=revealed,
        )
    )


def _finish(turn: Turn, outcome: Any) -> None:
    """The procedure has ended: pay the round, open the shoe, or balance it."""
    play = turn.table.play
    if play is None or turn.table.shoe is None:
        return
    shoe = turn.table.shoe
    match play.script:
        case Script.ROUND:
            settle_round(turn, outcome)
        case Script.NEW_SHOE:
            opened = e.ShoeOpened(
                shoe_no=shoe.number,
                decks=turn.setup.rules.decks,
                ranks=ranks_of(turn.setup.game.pack),
            )
            turn.emit(opened)
        case Script.END_SHOE:
            close_shoe(turn, shoe, outcome if isinstance(outcome, int) else 0)


def close_shoe(turn: Turn, shoe: ShoeState, remainder: int) -> None:
    """The closing balance: in total always, per card as far as cards were seen (DESIGN.md 4).

    Cards that nobody saw keep it unverified; what is too many or missing holds the table, and no
    new shoe is begun before a person has answered (C9).
    """
    balance = shoe.cards.balance(remainder)
    balanced = balance.verdict is Verdict.BALANCED
    turn.emit(
        e.ShoeEnded(
            shoe_no=shoe.number,
            remainder=remainder,
            gone=shoe.cards.gone,
            loaded=shoe.cards.size,
            balance=balance.verdict.value,
            since=() if balanced else turn.table.uncounted,
            unknown=balance.unknown,
            off=balance.too_many,
        )
    )
    if balance.verdict is Verdict.MISMATCH:
        off = [f"{count} {card.code} too many" for card, count in balance.too_many]
        turn.fault(
            FaultCode.COUNT_MISMATCH, text=", ".join((f"{balance.difference:+d} cards", *off))
        )


def settle_round(turn: Turn, outcome: Outcome) -> None:
    """Pay the round by its outcome: one event names the result, one the money."""
    current = turn.table.round
    if current is None:
        return
    turn.emit(
        e.RoundFinished(
            round_id=current.id,
            code=outcome.code,
            outcome=canonical(outcome.as_dict()),
            carried=turn.setup.game.carried(outcome),
        )
    )
    pay(turn, outcome)
    left_over(turn)


def _collect(turn: Turn) -> bool:
    """The camera sees the hands' zones empty."""
    current = turn.table.round
    if current is None or current.collected:
        return False
    if _all_taken(turn.table):
        turn.emit(e.CardsCollected(by="dealer"))  # who took the last of them away
        return True
    if not seen_empty(turn.setup, turn.table, turn.setup.game.zones):
        return False
    turn.emit(e.CardsCollected(by=turn.setup.camera))
    return True


def _all_taken(table: Table) -> bool:
    """Whether every card of the ended round was taken away while it was played."""
    places = table.play.places if table.play is not None else ()
    return bool(places) and all(place.off for place in places)


def _end_of_result(turn: Turn) -> bool:
    """The result was shown long enough and the felt is clear: go on by what comes next."""
    window, current, shoe = turn.table.window, turn.table.round, turn.table.shoe
    if window is None or current is None or shoe is None or not current.collected:
        return False
    if turn.at_us < window.deadline_us:
        return False
    turn.emit(e.RoundCleared(round_id=current.id, by="clock"))
    if turn.table.closing:
        turn.emit(e.TableClosed())
    elif shoe.ending or shoe.rounds_left == 0:
        start_shoe_procedure(turn, Script.END_SHOE)
    else:
        open_bets(turn)
    return True


def start_shoe_procedure(turn: Turn, script: Script) -> None:
    """Begin the procedure of a new shoe, or the closing count of this one.

    Cards that came out and found no use are dead by then: none crosses into another shoe.
    """
    bury(turn)
    number = turn.table.shoes + 1 if script is Script.NEW_SHOE else turn.table.shoes
    turn.emit(
        e.ShoeProcedureStarted(
            procedure=script.value,
            procedure_version=SHOE_VERSION,
            shoe_no=number,
            decks=turn.setup.rules.decks,
            rules_digest=turn.setup.rules_digest,
            ranks=ranks_of(turn.setup.game.pack),
        )
    )


def _from_idle(turn: Turn) -> bool:
    """A shoe or a table that was to end goes to its end once nothing is open."""
    shoe = turn.table.shoe
    if shoe is not None and shoe.open and shoe.ending:
        start_shoe_procedure(turn, Script.END_SHOE)
        return True
    if turn.table.closing:
        turn.emit(e.TableClosed())
        return True
    return False


def bury(turn: Turn) -> None:
    """Cards that left the shoe and that no input used up are dead, each counted once.

    A card that was taken out of a rack was dealt, and counts as that.
    """
    reads = turn.table.sensing.reads
    free = [it for it in unaccounted(turn.table) if reads or not moving.of_rack(turn, it)]
    for read in reads:
        track = free.pop(0).key if free else None
        put_out(
            turn,
            e.CardDead(fate="dead", card=read.card, sealed=read.sealed, read=read.key, track=track),
        )
    for parked in turn.table.sensing.parked:
        track = parked.track or (free.pop(0).key if free else None)
        put_out(
            turn,
            e.CardDead(
                fate="dead", card=parked.card, sealed=parked.sealed, read=parked.read, track=track
            ),
        )
    for lying in free:
        seen = lying.card.card if lying.card.sure else None
        if lying.card.look in (Look.FACE, Look.BACK) or not turn.setup.uses_shoe:
            put_out(turn, e.CardDead(fate="dead", card=seen, track=lying.key))


def open_bets(turn: Turn) -> None:
    """Open the betting window of the next round."""
    shoe = turn.table.shoe
    if shoe is None:
        return
    left = None if shoe.rounds_left is None else shoe.rounds_left - 1
    if turn.setup.game.rounds_in_shoe:
        left = turn.setup.game.rounds_in_shoe - shoe.rounds - 1
    turn.emit(
        e.RoundOpened(
            round_id=f"r-{turn.table.day or 'day'}-{turn.setup.table}-{turn.table.rounds + 1}",
            round_no=shoe.rounds + 1,
            shoe_no=shoe.number,
            game=turn.setup.game.name,
            procedure_version=turn.setup.game.version,
            rules_digest=turn.setup.rules_digest,
            deadline_us=turn.at_us + turn.setup.times.betting,
            rounds_left=left,
            dealer=turn.table.dealer,
            supervisor=turn.table.claimed_by,
            rules=canonical(turn.setup.rules.as_dict()),
            game_round=turn.setup.game.game_round(turn.table.carried or turn.setup.game.first),
        )
    )
    carry(turn)
    if turn.setup.game.rounds_in_shoe:
        return  # no cut card is in such a shoe
    if shoe.cards.cut_card_overdue(turn.setup.rules.cut_card_from_end):
        turn.fault(FaultCode.CUT_CARD_MISSING, text=f"{shoe.cards.left} cards left")


def next_deadline(setup: Setup, table: Table, at_us: int) -> int | None:
    """The instant at which something may follow without anything new; None if nothing will."""
    if table.held:
        return None
    instants: list[int] = []
    window = table.window
    if window is not None and window.remaining_us is None:
        instants.append(window.deadline_us)
    running = table.play and table.phase not in (Phase.RESULT, Phase.DECISION)
    request = standing(setup, table).due if running else None
    if isinstance(request, Deal):
        looking = found_until(setup, table, at_us)
        verdict = sense(setup, table, request, at_us)
        if looking is not None:
            instants.append(looking)
        elif isinstance(verdict, Wait) and verdict.until_us is not None:
            instants.append(verdict.until_us)
    elif isinstance(request, Reveal):
        instants.extend(hidden.next_looks(setup, table))
    elif isinstance(request, Move):
        instants.extend(moving.next_looks(setup, table))
    elif unaccounted(table):
        instants.append(table.sensing.changed_us + setup.times.evidence)
    later = [instant for instant in instants if instant > at_us]
    return min(later, default=None)
