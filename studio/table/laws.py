"""The laws that hold after every decision; a broken one is our own mistake and stops the table.

They are looked at before anything is written, so that nothing is on disk that must not be believed.
Each is a law of live-dealer-systems.md 9.2.
"""

from collections.abc import Sequence

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.events import Event
from studio.table import ledger
from studio.table.correction import net, set_off
from studio.table.state import Phase, Script, Table


class LawBroken(Exception):  # noqa: N818  the house's word for it
    """A decision would leave a table that cannot be; the text names the law."""


def check_laws(before: Table, after: Table, events: Sequence[Event]) -> None:
    """Look whether what was decided may be.

    Raises:
        LawBroken: naming the first law that does not hold.
    """
    if after.version != before.version + len(events):
        raise LawBroken(f"{len(events)} events lead from {before.version} to {after.version}")
    for event in events:
        _check_event(before, after, event)
    _check_state(after)


def _check_event(before: Table, after: Table, event: Event) -> None:
    match event:
        case e.RoundOpened(round_id=round_id):
            if before.round is not None and before.round.state == "open":
                raise LawBroken(f"{round_id} opens while {before.round.id} is open")
        case e.RoundSettled():
            _check_settled(before, after, event)
        case e.RoundVoided():
            _check_voided(before, after, event)
        case e.BetsClosed(count=count, total=total):
            bets = None if after.round is None else ledger.sums(after.round)
            if bets not in (None, (count, total)):
                raise LawBroken("the bets at the close are not those of the round")
        case e.CardDealt() | e.CardCorrected() | e.CardTurned() | e.CardMoved():
            _check_count(after, event)
        case e.SeatChose() | e.VerdictGiven():
            _check_seated(before, event)
        case e.ActionsExecuted():
            _check_executed(before, after, event)
        case e.ApprovalEnded(how="given"):
            _check_given(before, event)
        case e.ResultCorrected():
            _check_corrected(before, after, event)
        case _:
            pass


def _check_settled(before: Table, after: Table, event: e.RoundSettled) -> None:
    _check_end(before, after, event.round_id)
    if after.round is None:
        return
    bets = ledger.standing(after.round)
    total = bets.total - after.staying.total
    staked = sum(row.staked for row in event.rows)
    returned = sum(row.returned for row in event.rows)
    if not total == event.staked == staked:
        raise LawBroken(f"{event.round_id}: stakes are {total}, {event.staked}, {staked}")
    if not event.columns.total == event.returned == returned:
        told = (event.columns.total, event.returned, returned)
        raise LawBroken(f"{event.round_id}: returns are {told}")
    if not _each_once(bets, after.staying, event.columns) or event.columns.least < 0:
        raise LawBroken(f"{event.round_id}: a bet is paid twice, not at all, or below nothing")


def _each_once(bets: Columns, staying: Columns, ended: Columns) -> bool:
    """Whether each bet of a round stands on or is ended by it, and none does both."""
    if not staying.count:
        return ended.same_bets([bets])
    stands = frozenset(staying.ids)
    ends = tuple(bet for bet in bets.ids if bet not in stands)
    return ends == ended.ids and len(ends) + staying.count == bets.count


def _check_voided(before: Table, after: Table, event: e.RoundVoided) -> None:
    """Every stake goes back exactly once; more only where players keep a provable result (F4)."""
    _check_end(before, after, event.round_id)
    if after.round is None:
        return
    bets, back = ledger.accepted(after.round), event.columns
    if not event.staked == bets.total <= event.refunded == back.total or back.ids != bets.ids:
        raise LawBroken(f"{event.round_id}: refunds of {event.refunded} for stakes {bets.total}")
    if event.refunded == bets.total and back != bets:
        raise LawBroken(f"{event.round_id}: stakes go back to others than those who staked them")
    stakes, got = ledger.by_player(bets), ledger.by_player(back)
    if any(got.get(player, 0) < stake for player, stake in stakes.items()):
        raise LawBroken(f"{event.round_id}: a player gets back less than was staked")


def _check_corrected(before: Table, after: Table, event: e.ResultCorrected) -> None:
    """What has gone back = what had gone back + credits - debits, and no bet is in both."""
    known = next((each for each in before.results if each.id == event.round_id), None)
    now = next((each for each in after.results if each.id == event.round_id), None)
    if known is None or now is None:
        raise LawBroken(f"{event.round_id} is corrected and was not settled in this shoe")
    debits = sum(amount for _, _, _, amount in event.debits)
    if event.returned != event.returned_before + event.columns.total - debits:
        raise LawBroken(f"{event.round_id}: the correction does not add up to {event.returned}")
    if (known.returned, now.returned) != (event.returned_before, event.returned):
        raise LawBroken(f"{event.round_id}: what went back before was {known.returned}")
    taken = {bet for bet, _, _, _ in event.debits}
    amounts = (*event.columns.amounts, *(amount for _, _, _, amount in event.debits))
    if any(amount <= 0 for amount in amounts) or taken & set(event.columns.ids):
        raise LawBroken(f"{event.round_id}: a bet is put right twice, or by nothing")
    if event.set_off != set_off(known, net(event.columns, event.debits)):
        raise LawBroken(f"{event.round_id}: what players owe is set off wrongly")
    shoe = None if after.shoe is None else after.shoe.cards
    if shoe is not None and any(shoe.gone_of(card) > shoe.loaded_of(card) for card in event.cards):
        raise LawBroken(f"{event.round_id}: a card is gone more often than it was loaded")


def _check_end(before: Table, after: Table, round_id: str) -> None:
    if before.round is None or before.round.id != round_id or before.round.state != "open":
        raise LawBroken(f"{round_id} ends and was not open")
    if after.round is not None and after.round.id == round_id and after.round.state == "open":
        raise LawBroken(f"{round_id} has ended and is open")


def _check_executed(before: Table, after: Table, event: e.ActionsExecuted) -> None:
    """Everybody who was asked did one thing for each hand, and nobody left the round."""
    seats, current = before.round, after.round
    if seats is None or current is None or seats.id != event.round_id:
        raise LawBroken(f"{event.round_id}: actions are executed and it was not open")
    if seats.answering is None or seats.answering.number != event.window:
        return  # opened and closed at once: there was nobody left to answer
    sizes = seats.seating.sizes()
    did: dict[str, int] = {}
    for choice in event.choices:
        did[choice.cohort] = did.get(choice.cohort, 0) + choice.players
    if any(sizes.get(cohort) != players for cohort, players in did.items()):
        raise LawBroken(f"{event.round_id}: {did} acted, and the cohorts are {sizes}")
    if len(current.seating.packed) != len(seats.seating.packed):
        raise LawBroken(f"{event.round_id}: a seat is lost")


def _check_count(
    after: Table, event: e.CardDealt | e.CardCorrected | e.CardTurned | e.CardMoved
) -> None:
    """No card is accepted more often than it was loaded."""
    card = event.identity if isinstance(event, e.CardCorrected) else event.card
    shoe = None if after.shoe is None else after.shoe.cards
    if card is not None and shoe is not None and shoe.gone_of(card) > shoe.loaded_of(card):
        raise LawBroken(f"{shoe.gone_of(card)} of {card} are gone from {shoe.packs} packs")


def _check_seated(before: Table, event: e.SeatChose | e.VerdictGiven) -> None:
    """What a seat chose was offered to it, in the window that stood open; a verdict was asked."""
    if isinstance(event, e.VerdictGiven):
        if before.round is None or before.round.id != event.round_id or before.hold is None:
            raise LawBroken(f"{event.round_id}: a verdict is given and nothing was claimed")
        return
    asking = before.round.asking if before.round is not None else None
    if asking is None or asking.number != event.window:
        raise LawBroken(f"{event.round_id}: seat {event.seat} chose and was not asked")
    in_turn = event.seat == asking.seat and event.option in asking.options
    if not in_turn and (event.seat, event.option) not in asking.besides:
        raise LawBroken(f"{event.round_id}: seat {event.seat} chose what was not on offer")


def _check_given(before: Table, event: e.ApprovalEnded) -> None:
    """Nobody approves what they asked for themselves."""
    asked = before.approval
    if asked is None or asked.how or asked.id != event.approval:
        raise LawBroken(f"{event.approval} is approved and did not wait")
    if not event.by or event.by == asked.by:
        raise LawBroken(f"{event.approval} is approved by who asked for it")


def _check_state(table: Table) -> None:
    if table.hold is not None and not (table.hold.faults or table.hold.answered):
        raise LawBroken("the table is held and there was never a fault")
    if table.phase is Phase.BETTING and (table.window is None or table.window.kind != "betting"):
        raise LawBroken("bets are open and no window is")
    if table.phase in (Phase.BETTING, Phase.DEALING, Phase.DECISION) and (
        table.round is None or table.round.state != "open"
    ):
        raise LawBroken(f"the table is in {table.phase} and no round is open")
    asked = table.round is not None and (table.round.answering or table.round.asking)
    if table.phase is Phase.DECISION and not asked:
        raise LawBroken("players choose and no window is open")
    if table.phase in (Phase.DEALING, Phase.DECISION) and (
        table.play is None or table.play.script is not Script.ROUND
    ):
        raise LawBroken("cards are due and no procedure runs")
