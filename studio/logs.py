"""Sets up structured logs: one line a change, to standard error, for people or for machines.

Standard output stays free for results. The standard library's records (gunicorn, Alembic) go the
same way. Context that `structlog.contextvars` binds does not cross threads by itself: each thread
binds what it owns.
"""

import logging
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Any, TextIO

import structlog

from studio.configuration import SECRET_WORD, without_passwords

OURS = frozenset({"studio", "hardware", "vision", "web"})
"""Packages whose errors are sentences for people, without cards."""
CONCEALED = "•••"
"""Stands in a log for a value that must not."""


class LogForm(StrEnum):
    """How a line looks."""

    CONSOLE = "console"
    """Aligned and, on a terminal, coloured."""
    JSON = "json"
    """One JSON object a line."""


def set_up(
    *,
    form: LogForm | None = None,
    level: str = "INFO",
    stream: TextIO | None = None,
) -> None:
    """Direct all logs of this process to one stream; may be called again, the last call counts.

    `form` None means: for people where the stream is a terminal, else JSON. `level` is a name of
    the standard library, as ``INFO``.

    Raises:
        ValueError: if there is no such level.
    """
    out = stream if stream is not None else sys.stderr
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise ValueError(f"{level} is no log level: use DEBUG, INFO, WARNING or ERROR")
    chosen = form or (LogForm.CONSOLE if out.isatty() else LogForm.JSON)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_logger_name,
            *_ENRICH,
            tell_failure,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(_formatter(chosen, colors=out.isatty()))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(number)


def at_table(name: str) -> AbstractContextManager[None]:
    """Let each line that is written inside name this table.

    Devices take it along into the threads that they start: two tables have a shoe each.
    """
    return structlog.contextvars.bound_contextvars(table=name)


def _formatter(form: LogForm, *, colors: bool) -> logging.Formatter:
    """What turns a record, ours or another library's, into a line."""
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(colors=colors)
        if form is LogForm.CONSOLE
        else structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=False, default=str)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name, *_ENRICH],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            tell_failure,
            renderer,
        ],
    )


def tell_failure(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Write down where a failure came from; a processor of structlog.

    Its text only where it is a sentence of our own or the system's: that of anything else, as a
    KeyError, may hold a card that nobody may know yet.
    """
    given = event.pop("exc_info", None)
    if isinstance(given, tuple):
        given = given[1]
    failure = sys.exc_info()[1] if given is True else given
    if isinstance(failure, BaseException):
        event["exception"] = "\ncaused by\n".join(_failures(failure))
    return event


def _failures(failure: BaseException | None) -> Iterator[str]:
    """The failure and what it followed from, newest first: the places, then what it is."""
    told: set[int] = set()
    while failure is not None and id(failure) not in told:
        told.add(id(failure))
        kind = type(failure)
        ours = kind.__module__.partition(".")[0] in OURS or isinstance(failure, OSError)
        text = f": {failure}" if ours else ""
        places = "".join(traceback.format_tb(failure.__traceback__))
        yield f"{places}{kind.__qualname__}{text}"
        failure = failure.__cause__ or (
            None if failure.__suppress_context__ else failure.__context__
        )


def conceal(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Take passwords and tokens out of a line; a processor of structlog.

    A last net: whoever logs must not hand over a secret, or a card that is face down, at all.
    """
    for key, value in event.items():
        if SECRET_WORD.search(key.lower()):
            event[key] = CONCEALED
        elif isinstance(value, str):
            event[key] = without_passwords(value)
    return event


_ENRICH: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    conceal,
]
"""What every line gets, whoever wrote it."""
