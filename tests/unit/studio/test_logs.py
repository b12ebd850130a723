"""The logs: where they go, how they look, and what never stands in them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from studio import logs


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Leave the process's logging as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def test_a_line_is_one_json_object_with_what_the_thread_bound() -> None:
    out = io.StringIO()
    logs.set_up(stream=out)
    with structlog.contextvars.bound_contextvars(table="ba1"):
        structlog.get_logger("studio").info("device_lost", device="shoe", after_s=3)
    line = json.loads(out.getvalue())
    assert line["event"] == "device_lost"
    assert line["level"] == "info"
    assert (line["table"], line["device"], line["after_s"]) == ("ba1", "shoe", 3)
    assert line["at"].endswith("Z")


def test_a_terminal_gets_lines_for_people() -> None:
    out = Terminal()
    logs.set_up(stream=out)
    structlog.get_logger().warning("device_lost", device="shoe")
    assert "device_lost" in out.getvalue()
    assert not out.getvalue().startswith("{")


def test_the_standard_librarys_records_go_the_same_way() -> None:
    out = io.StringIO()
    logs.set_up(stream=out)
    logging.getLogger("gunicorn.error").info("booted %s", "worker", extra={"pid": 7})
    line = json.loads(out.getvalue())
    assert (line["event"], line["logger"], line["pid"]) == ("booted worker", "gunicorn.error", 7)


def test_a_second_set_up_takes_the_place_of_the_first() -> None:
    first, second = io.StringIO(), io.StringIO()
    logs.set_up(stream=first)
    logger = structlog.get_logger()
    logs.set_up(stream=second)
    logger.info("once")
    assert first.getvalue() == ""
    assert second.getvalue().count("once") == 1


def test_a_lower_level_is_not_written() -> None:
    out = io.StringIO()
    logs.set_up(stream=out, level="warning")
    structlog.get_logger().info("quiet")
    assert out.getvalue() == ""


def test_an_unknown_level_is_told() -> None:
    with pytest.raises(ValueError, match="LOUD is no log level: use DEBUG"):
        logs.set_up(level="LOUD")


def test_an_exception_is_written_once_and_whole() -> None:
    out = io.StringIO()
    logs.set_up(stream=out)
    try:
        [].pop()
    except IndexError:
        structlog.get_logger().exception("commit_failed")
    line = json.loads(out.getvalue())
    assert line["exception"].count("IndexError: pop from empty list") == 1


def test_passwords_and_tokens_never_stand_in_a_line() -> None:
    out = io.StringIO()
    logs.set_up(stream=out)
    structlog.get_logger().info(
        "sign_in",
        pin="hunter2",
        api_key="hunter2",
        token="hunter2",
        source="rtsp://me:hunter2@h/s",
        monkey="kept",
    )
    line = json.loads(out.getvalue())
    assert "hunter2" not in out.getvalue()
    assert line["source"] == "rtsp://me@h/s"
    assert line["monkey"] == "kept"
