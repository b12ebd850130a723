"""A settled round ended otherwise than was paid: what was paid is put right (F12, DESIGN.md 5).

Nothing is edited: the first result stays in the journal, the correction holds the differences. A
second correction builds on the first. The facts of the round come from the journal (`Past`).
"""

from collections.abc import Mapping
from typing import Final

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.envelope import canonical
from studio.domain.observations import DebitAnswered
from studio.games.procedure import Carried
from studio.table import ledger, policy
from studio.table.ended import Ended
from studio.table.evolve_results import VOID, recounted
from studio.table.past import Past
from studio.table.state import Setup, Table
from studio.table.truth import Truth, by_cards, declared_void
from studio.table.turn import Turn

NAME: Final = c.CorrectResult.__name__


def round_meant(table: Table, command: object) -> str:
    """The ended round whose facts the owner of the table has to read for this command.

    Empty for every command that needs none, and for a round that this shoe does not know.
    """
    match command:
        case c.CorrectResult(round_id=round_id):
            meant = round_id
        case c.Approve() if table.approval is not None and table.approval.command == NAME:
            meant = table.approval.round_id
        case _:
            return ""
    return meant if any(ended.id == meant for ended in table.results) else ""


def correct_result(turn: Turn, command: c.CorrectResult) -> None:
    """Put a settled round right: one fact with the true result and all differences.

    Raises:
        Rejected: if the round cannot be corrected, or not so.
    """
    ended = _ended(turn.table, command.round_id)
    reason = why_not(turn.setup, turn.table, ended)
    if reason is not None:
        raise c.Rejected(reason)
    policy.reasoned(command.reason, command.note)
    past = turn.past
    if past is None or past.round_id != ended.id:
        raise c.Rejected("refused.round_unknown")
    if command.void:
        if command.cards:
            raise c.Rejected("refused.void_has_no_cards")
        if ended.code == VOID:
            raise c.Rejected("refused.same_result")
        _emit(turn, command, past, declared_void(turn.setup, past))
        return
    truth = by_cards(turn.setup, past, command.cards, command.zones)
    if ended.code == VOID and truth.outcome is None:
        raise c.Rejected("refused.decided_by_it")
    if ended.code != VOID and truth.cards == tuple(card for _, card in ended.cards):
        raise c.Rejected("refused.same_result")
    _look_at_count(turn.table, ended, truth)
    _emit(turn, command, past, truth)


def why_not(setup: Setup, table: Table, ended: Ended) -> str | None:
    """Why this round may not be corrected now, as a message code; None if it may."""
    current = table.round
    if current is not None and current.id == ended.id and current.state == "open":
        return "refused.round_open"
    if ended.procedure != setup.game.version:
        return "refused.procedure_missing"
    if ended.rules_digest != setup.rules_digest:
        return "refused.other_rules"
    return None


def _ended(table: Table, round_id: str) -> Ended:
    """The settled round of this shoe with this id."""
    for ended in table.results:
        if ended.id == round_id and round_id:
            return ended
    current = table.round
    if current is not None and current.id == round_id:
        open_now = current.state == "open"
        raise c.Rejected("refused.round_open" if open_now else "refused.round_not_settled")
    raise c.Rejected("refused.round_unknown")


def _look_at_count(table: Table, ended: Ended, truth: Truth) -> None:
    """No card may have been dealt more often than it was loaded (V5)."""
    if table.shoe is None or ended.number < table.shoe.refilled:
        return  # its cards went back into the shoe since (B9)
    shoe = recounted(table.shoe, ended.cards, truth.laid).cards
    if shoe.left < 0 or any(shoe.gone_of(card) > shoe.loaded_of(card) for card in truth.cards):
        raise c.Rejected("refused.impossible_card")


def _emit(turn: Turn, command: c.CorrectResult, past: Past, truth: Truth) -> None:
    """Write down what is different: per bet what is to go to the player, and what to come back."""
    ended = _ended(turn.table, command.round_id)
    number, outcome = len(ended.corrections) + 1, truth.outcome
    more, debits = differences(past.back, truth.back)
    carried = _figures(turn, past, truth)
    scored = bool(carried) and carried != turn.table.carried
    if truth.staying != past.staying or scored:
        _last(turn, ended)
    if truth.staying != past.staying:
        packed = truth.staying.packed("staying", ended.id)
        turn.emit(e.BetsStayed(round_id=ended.id, packed=packed, columns=truth.staying))
    turn.emit(
        e.ResultCorrected(
            round_id=ended.id,
            round_no=ended.number,
            shoe_no=turn.table.shoe.number if turn.table.shoe is not None else 0,
            number=number,
            old_code=ended.code,
            new_code=outcome.code if outcome is not None else VOID,
            outcome=canonical(outcome.as_dict()) if outcome is not None else "",
            cards=truth.cards,
            placed=truth.placed,
            staked=past.bets.total - truth.staying.total,
            returned_before=past.back.total,
            returned=truth.back.total,
            rows=truth.rows,
            debits=debits,
            set_off=set_off(ended, net(more, debits)),
            reason=command.reason,
            note=command.note,
            policy=truth.policy,
            course=truth.course,
            choices=truth.choices,
            carried=carried,
            game_round=turn.setup.game.game_round(_given(past)) if carried else 0,
            packed=more.packed("corrections", f"{ended.id}/{number}"),
            columns=more,
        )
    )


def _figures(turn: Turn, past: Past, truth: Truth) -> tuple[int, ...]:
    """What the next round is given, as a score; what this one was given, if it was not played."""
    if not turn.setup.game.first:
        return ()
    if truth.outcome is not None:
        return turn.setup.game.carried(truth.outcome)
    return _given(past)


def _given(past: Past) -> tuple[int, ...]:
    """The figures that the round itself was given."""
    return next(given.figures for given in past.inputs if isinstance(given, Carried))


def _last(turn: Turn, ended: Ended) -> None:
    """Look whether what this round leaves to the next may still change: its bets, its score.

    Raises:
        Rejected: if a later round was given it.
    """
    current = turn.table.round
    if turn.table.results[-1].id != ended.id or (current is not None and current.id != ended.id):
        raise c.Rejected("refused.carried_on")


def differences(
    back: Columns, true: Columns
) -> tuple[Columns, tuple[tuple[str, str, str, int], ...]]:
    """What is to go to players on top, and (bet id, player, bet, amount) of what is to come back.

    Both columns name the same bets in the same order.
    """
    change = [new - old for old, new in zip(back.amounts, true.amounts, strict=True)]
    rows = list(zip(true.ids, true.players, true.bets, change, strict=True))  # unpacked once
    up = [row for row in rows if row[3] > 0]
    more = Columns(*zip(*up, strict=True)) if up else Columns()
    return more, tuple((bet, player, kind, -down) for bet, player, kind, down in rows if down < 0)


def net(more: Columns, debits: tuple[tuple[str, str, str, int], ...]) -> dict[str, int]:
    """Per player what a correction gives; below 0 what it asks back, bet set against bet."""
    found = ledger.by_player(more)
    for _, player, _, amount in debits:
        found[player] = found.get(player, 0) - amount
    return found


def set_off(ended: Ended, gives: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """What is not paid to players who owe it by an earlier correction of the same round."""
    found = ((player, min(amount, gives.get(player, 0))) for player, amount in ended.owing)
    return tuple((player, amount) for player, amount in found if amount > 0)


def after(back: Columns, event: e.ResultCorrected) -> Columns:
    """What has gone back for each bet once this correction is paid."""
    change = dict(zip(event.columns.ids, event.columns.amounts, strict=True))
    for bet, _, _, amount in event.debits:
        change[bet] = change.get(bet, 0) - amount
    amounts = tuple(
        amount + change.get(bet, 0) for bet, amount in zip(back.ids, back.amounts, strict=True)
    )
    return Columns(back.ids, back.players, back.bets, amounts)


def owed(turn: Turn, answer: DebitAnswered) -> None:
    """A player could not cover what has to come back: it is owed, and the table goes on."""
    if answer.uncovered:
        turn.emit(
            e.ReceivableNoted(round_id=answer.round_id, number=answer.number, owed=answer.uncovered)
        )
