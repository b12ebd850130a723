"""A second person at the first person's console, and who signs out when, over HTTP."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.unit.web.fakes import PIN, FakeService
from web.messages import UnreadableError, read_second

SAID = {
    "table": "ba1",
    "approval": "17",
    "word": "approve",
    "command_id": "abcdefgh",
    "number": "501",
    "pin": PIN,
}


def say(client: FlaskClient, **changes: Any) -> Any:
    """A second person says something at this console."""
    return client.post("/api/ui/approve", json={**SAID, **changes})


def test_the_second_person_approves_and_the_console_keeps_its_own_session(
    signed_in: Any, service: FakeService
) -> None:
    client = signed_in("201")
    answer = say(client)
    assert (answer.status_code, answer.json["status"]) == (200, "done")
    assert service.seconded == [("ba1", "17", "501", True, "")]
    assert "Set-Cookie" not in answer.headers
    assert client.get("/api/ui/me").json["person"]["number"] == "201"


def test_a_badge_alone_is_enough_and_no_may_be_said(signed_in: Any, service: FakeService) -> None:
    client = signed_in("201")
    say(client, number="", pin="", badge="badge-501", word="decline", reason="reason.other")
    assert service.seconded == [("ba1", "17", "badge-501", False, "reason.other")]


@pytest.mark.parametrize(
    "changes",
    [
        {"pin": ""},
        {"number": "", "pin": "", "badge": ""},
        {"number": "", "pin": PIN},
        {"word": "perhaps"},
        {"approval": "x"},
        {"approval": ""},
        {"command_id": "short"},
        {"table": "a b"},
        {"pin": 123456},
        {"badge": "x" * 129},
        {"seq": 3},
    ],
)
def test_what_is_no_answer_is_refused_kept_and_never_repeated(
    signed_in: Any, service: FakeService, changes: dict[str, Any]
) -> None:
    client = signed_in("201")
    answer = say(client, **changes)
    assert (answer.status_code, answer.json["code"]) == (400, "refused.malformed")
    assert PIN not in answer.text
    assert service.seconded == []
    name = "Decline" if changes.get("word") == "decline" else "Approve"
    assert service.kept == [("", name, "201", "refused.malformed")]


@pytest.mark.parametrize("number", ["101", "301", "401"])
def test_only_on_a_supervisors_console(signed_in: Any, service: FakeService, number: str) -> None:
    client = signed_in(number)
    assert say(client).status_code == 403
    assert service.seconded == []
    assert service.kept == [("", "Approve", number, "refused.no_right")]


def test_nobody_answers_where_nobody_is_signed_in(
    client: FlaskClient, service: FakeService
) -> None:
    assert say(client).status_code == 401
    assert service.seconded == []


def test_an_unknown_table_is_told_and_kept(signed_in: Any, service: FakeService) -> None:
    client = signed_in("201")
    answer = say(client, table="ba9", word="decline")
    assert answer.json["code"] == "refused.unknown_table"
    assert service.kept == [("ba9", "Decline", "201", "refused.unknown_table")]


def test_a_refusal_is_told_in_its_own_words(signed_in: Any) -> None:
    client = signed_in("201")
    answer = say(client, number="201")
    assert (answer.status_code, answer.json["code"]) == (409, "refused.approval_same_person")


def test_who_guesses_is_told_how_long_to_wait(signed_in: Any) -> None:
    client = signed_in("201")
    answer = say(client, pin="000000")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "7"


def test_no_log_line_and_no_text_of_ours_has_the_pin_or_the_badge(
    signed_in: Any, service: FakeService, caplog: pytest.LogCaptureFixture
) -> None:
    client = signed_in("201")
    with caplog.at_level(logging.DEBUG):
        say(client, pin="777123")
        say(client, number="", pin="", badge="badge-secret")
        say(client, pin="777123", word="perhaps")
    assert "777123" not in caplog.text
    assert "badge-secret" not in caplog.text
    said = read_second({**SAID, "pin": "777123", "badge": "badge-secret"})
    assert "777123" not in repr(said)
    assert "badge-secret" not in repr(said)
    with pytest.raises(UnreadableError) as wrong:
        read_second({**SAID, "pin": "777123", "approval": "x"})
    assert "777123" not in str(wrong.value)


def test_a_dealer_in_a_coup_does_not_sign_out(signed_in: Any, service: FakeService) -> None:
    client = signed_in("101")
    service.dealing = "101"
    answer = client.post("/api/ui/sign-out", json={})
    assert (answer.status_code, answer.json["code"]) == (409, "refused.still_dealing")
    assert client.get("/api/ui/me").json["person"]["number"] == "101"
    service.dealing = ""
    assert client.post("/api/ui/sign-out", json={}).status_code == 204
    assert client.get("/api/ui/me").json["person"] is None
