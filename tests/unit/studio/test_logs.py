"""The logs: where they go, how they look, and what never stands in them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from studio import logs
from studio.live.ports import JournalError


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
    assert line["exception"].count("IndexError") == 1


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


class OddError(Exception):
    """An error of no package of ours."""


@pytest.mark.parametrize("way", ["ours", "library"])
def test_a_failure_is_told_by_its_places_and_not_by_a_text_that_may_name_a_card(way: str) -> None:
    out = io.StringIO()
    logs.set_up(form=logs.LogForm.JSON, stream=out)
    try:
        try:
            raise KeyError("JS")  # noqa: TRY301  the cause of the other
        except KeyError as cause:
            raise OddError("the queen of hearts QH") from cause
    except OddError:
        if way == "ours":
            structlog.get_logger("studio").exception("it_failed")
        else:
            logging.getLogger("cutcard.runner").exception("it failed")
    line = json.loads(out.getvalue())
    assert "test_logs.py" in line["exception"]
    assert "OddError" in line["exception"]
    assert "KeyError" in line["exception"]
    assert "the queen" not in line["exception"].replace("raise OddError(", "").replace(
        '"the queen of hearts QH") from cause', ""
    )
    assert "'JS'" not in line["exception"]


def test_a_sentence_of_our_own_or_of_the_system_stays_in_the_log() -> None:
    out = io.StringIO()
    logs.set_up(form=logs.LogForm.JSON, stream=out)
    log = logging.getLogger("cutcard.runner")
    for failure in (JournalError("the disk is full"), OSError(5, "Input/output error")):
        log.error("it failed", exc_info=failure)
    assert "JournalError: the disk is full" in out.getvalue()
    assert "Input/output error" in out.getvalue()
