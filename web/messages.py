"""Reads what a screen sends: every field named, every length bounded, nothing extra believed."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LARGEST_MESSAGE = 8 * 1024
"""Characters of a message as JSON; the largest honest one has a few hundred."""
COMMAND_FIELDS = frozenset({"command_id", "table", "seq", "name", "args"})
SECOND_FIELDS = COMMAND_FIELDS - {"seq", "name", "args"} | {
    "approval", "word", "reason", "number", "pin", "badge",
}  # fmt: skip
LONGEST_ENTRY = 128
"""Characters of a number, a PIN or a badge."""
APPROVAL = re.compile(r"[0-9]{1,20}")
COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
NAME = re.compile(r"[A-Za-z][A-Za-z_]{0,39}")
TABLE = re.compile(r"[A-Za-z0-9_-]{0,32}")
LARGEST_SEQ = 2**53
"""The largest whole number that a browser counts exactly."""


class UnreadableError(Exception):
    """A message that is none; `code` is a message code, the text one sentence."""

    def __init__(self, code: str, text: str) -> None:
        """Keep both."""
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A command as a console sent it."""

    command_id: str
    table: str
    seq: int | None
    """The view that the person was looking at."""
    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seconded:
    """What a second person says on the console of the first. Its text tells neither secret."""

    command_id: str
    table: str
    approval: str
    approve: bool
    reason: str
    number: str
    pin: str = field(repr=False)
    badge: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """What a screen says when it connects."""

    table: str
    token: str
    delay_ms: int


def malformed(sentence: str) -> UnreadableError:
    """A message whose form is wrong."""
    return UnreadableError("refused.malformed", sentence)


def _object(data: Any, allowed: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise malformed("A message must be one JSON object.")
    if len(json.dumps(data)) > LARGEST_MESSAGE:
        raise UnreadableError(
            "refused.too_large", f"A message may have {LARGEST_MESSAGE} characters: send less."
        )
    extra = sorted(str(key)[:40] for key in data if key not in allowed)
    if extra:
        raise malformed(f"Leave out what is not asked for: {', '.join(extra)}.")
    return data


def _text(data: Mapping[str, Any], key: str, form: re.Pattern[str]) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not form.fullmatch(value):
        raise malformed(f"{key} is missing or is not of the form {form.pattern}.")
    return value


def read_command(data: Any) -> Asked:
    """Read a command; raises UnreadableError with one sentence that says what is wrong."""
    found = _object(data, COMMAND_FIELDS)
    seq = found.get("seq")
    if seq is not None and (type(seq) is not int or not 0 <= seq < LARGEST_SEQ):
        raise malformed("seq must be the number of the view that was looked at, or null.")
    args = found.get("args", {})
    if not isinstance(args, dict):
        raise malformed("args must be one JSON object.")
    return Asked(
        command_id=_text(found, "command_id", COMMAND_ID),
        table=_text(found, "table", TABLE),
        seq=seq,
        name=_text(found, "name", NAME),
        args=args,
    )


def read_second(data: Any) -> Seconded:
    """Read what a second person says; raises UnreadableError, which repeats nothing of it."""
    found = _object(data, SECOND_FIELDS)
    word = found.get("word")
    if word not in ("approve", "decline"):
        raise malformed("word must be approve or decline.")
    texts = {key: found.get(key, "") for key in ("reason", "number", "pin", "badge")}
    if not all(isinstance(each, str) and len(each) <= LONGEST_ENTRY for each in texts.values()):
        raise malformed("Give a staff number and a PIN, or a badge.")
    number, pin, badge = (texts[key].strip() for key in ("number", "pin", "badge"))
    if not (number and pin) and not (badge and not number):
        raise malformed("Give a staff number and a PIN, or a badge.")
    return Seconded(
        command_id=_text(found, "command_id", COMMAND_ID),
        table=_text(found, "table", TABLE),
        approval=_text(found, "approval", APPROVAL),
        approve=word == "approve",
        reason=texts["reason"],
        number=number,
        pin=pin,
        badge=badge,
    )


def read_join(data: Any) -> Joined:
    """Read what a screen says when it connects; raises UnreadableError."""
    found = _object({} if data is None else data, frozenset({"table", "token", "delay_ms"}))
    token = found.get("token", "")
    if not isinstance(token, str):
        raise malformed("token must be a text.")
    return Joined(
        table=_text({"table": "", **found}, "table", TABLE),
        token=token,
        delay_ms=read_delay(found.get("delay_ms", 0)),
    )


def read_watch(data: Any) -> str:
    """Read which table a supervisor turns to; empty for the wall alone. Raises UnreadableError."""
    return _text(_object(data, frozenset({"table"})), "table", TABLE)


def read_delay(value: Any) -> int:
    """Milliseconds that an address adds to an overlay's delay; never less than nothing."""
    text = str(value)
    if not text.isdecimal() or len(text) > 6:  # noqa: PLR2004  more than a quarter of an hour
        return 0
    # Steps of a tenth of a second, so that addresses cannot make slots without end.
    return int(text) // 100 * 100
