"""Answers to commands, and how a command and its answer are kept in the log of commands."""

import json
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from studio.domain.cards import Card
from studio.domain.commands import Command, PlaceBets
from studio.domain.envelope import Actor, CommandRecord, canonical


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


def body_of(command: Command) -> str:
    """What was asked, as canonical JSON.

    A batch of bets is told by its size: its rows are beside the fact, or in the refusal.
    """
    if isinstance(command, PlaceBets):
        total = sum(bet.stake for bet in command.bets)
        return canonical({"batch": command.batch, "count": len(command.bets), "total": total})
    return canonical(_plain(command))


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


def answer_from(record: CommandRecord) -> Answer:
    """Give the same answer again."""
    outcome = json.loads(record.outcome)
    return Answer(
        status=outcome["status"],
        code=outcome["code"],
        text=outcome["text"],
        seq=outcome["seq"],
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return value.code
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
