"""Answers to commands, and how a command and its answer are kept in the log of commands."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from studio.domain.commands import (
    AnswerPeek,
    Command,
    CorrectCard,
    KeyInCard,
    MarkDisconnected,
    PlaceBets,
    PlaceDecisions,
    RescanRound,
)
from studio.domain.envelope import Actor, CommandRecord, canonical
from studio.domain.values import quick
from studio.domain.written import without_card, without_felt, written

MOST_FIELDS: Final = 20
LONGEST_NAME: Final = 40
ID_USED: Final = "refused.id_used"
ID_USED_TEXT: Final = "this id belongs to another request of yours: give each request its own"


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a command."""

    status: str
    """``done``, ``rejected``, ``pending`` (no answer yet) or ``busy`` (ask again)."""
    code: str = ""
    """Message code of the reason, empty where it was done."""
    text: str = ""
    """The reason in English."""
    seq: int = 0
    """Number of the view that holds the outcome."""
    retry_s: int = 0
    """Whole seconds after which a throttled sign-in is looked at again; 0 else."""


def body_of(command: Command) -> str:
    """What was asked, as canonical JSON.

    A batch is told by its size: its rows are beside the fact, or in the refusal. What a dealer saw
    of a hidden card is in the sealed fact alone (DESIGN.md 7). A card that a person names, or finds
    on the felt, is in the fact that follows from it: it may be one that lies face down.
    """
    if isinstance(command, AnswerPeek):
        return canonical({})
    if isinstance(command, CorrectCard | KeyInCard):
        return without_card(command)
    if isinstance(command, RescanRound):
        return without_felt(command)
    if isinstance(command, PlaceDecisions):
        count = len(command.decisions)
        return canonical({"batch": command.batch, "count": count, "window": command.window})
    if isinstance(command, MarkDisconnected):
        players = list(command.players)
        return canonical({"batch": command.batch, "players": players, "round_id": command.round_id})
    if isinstance(command, PlaceBets):
        total = sum(bet.stake for bet in command.bets)
        return canonical({"batch": command.batch, "count": len(command.bets), "total": total})
    return written(command)


def record_of(
    answer: Answer,
    *,
    command_id: str,
    actor: Actor,
    name: str,
    body: str,
    at_us: int,
    stream: str,
) -> CommandRecord:
    """Give what is kept of a command and its answer."""
    outcome = {
        "status": answer.status,
        "code": answer.code,
        "text": answer.text,
        "seq": answer.seq,
    }
    return CommandRecord(
        command_id=command_id,
        actor=actor,
        name=name,
        body=body,
        outcome=canonical(outcome),
        at_us=at_us,
        stream=stream,
        accepted=answer.status == "done",
    )


def answer_from(record: CommandRecord, command: Command, table: str) -> Answer:
    """Give the same answer again; who uses the id for something else is told so."""
    # What never came to a table was kept without its values: there is nothing to compare with.
    if record.stream and (record.stream.split("/")[1], record.name, record.body) != (
        table,
        type(command).__name__,
        body_of(command),
    ):
        return Answer(status="rejected", code=ID_USED, text=ID_USED_TEXT)
    outcome = json.loads(record.outcome)
    return Answer(
        status=outcome["status"],
        code=outcome["code"],
        text=outcome["text"],
        seq=outcome["seq"],
    )


def refused_record(
    answer: Answer,
    *,
    command_id: str,
    actor: Actor,
    name: str,
    fields: Iterable[object],
    table: str,
    at_us: int,
) -> CommandRecord:
    """Give what is kept of a command that never came to a table.

    What was sent may be anything, so only the names of its fields are kept, never a value.
    """
    names = sorted(str(each)[:LONGEST_NAME] for each in fields)[:MOST_FIELDS]
    return record_of(
        answer,
        command_id=command_id,
        actor=actor,
        name=str(name)[:LONGEST_NAME],
        body=canonical({"fields": names, "table": str(table)[:LONGEST_NAME]}),
        at_us=at_us,
        stream="",
    )
