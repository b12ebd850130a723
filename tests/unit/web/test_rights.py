"""A right that ends: the next command is refused and kept, and the screens close by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.web.fakes import FakeService
from tests.unit.web.test_sockets import command, screen

__all__ = ["screen"]


def ended(service: FakeService) -> None:
    """Somebody ended all sessions, perhaps from another process."""
    service.accounts.sessions.clear()


def changed(service: FakeService) -> None:
    """The dealer is an auditor now."""
    service.accounts.people["101"] = service.accounts.people["401"]


ENDS = [(ended, "refused.signed_out"), (changed, "refused.no_right")]


@pytest.mark.parametrize(("end", "code"), ENDS)
def test_the_next_command_is_refused_and_kept(
    screen: Any, service: FakeService, end: Callable[[FakeService], None], code: str
) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    dealer.next("view")
    end(service)
    assert dealer.say("command", command())["code"] == code
    assert service.asked == []
    (kept,) = service.kept
    assert (kept[0], kept[3]) == ("ba1", code)


@pytest.mark.parametrize("end", [ended, changed])
def test_every_screen_of_who_lost_the_right_is_closed_without_a_command(
    screen: Any, service: FakeService, end: Callable[[FakeService], None]
) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    dealer.next("view")
    end(service)
    assert dealer.next("refused")["code"] == "refused.signed_out"
    dealer.hear_the_end()


def test_what_no_table_hears_is_kept_with_who_asked(screen: Any, service: FakeService) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    dealer.say("command", command(seq="no"))
    dealer.say("command", command(table="ba2"))
    assert service.kept == [
        ("", "unreadable", "101", "refused.malformed"),
        ("ba2", command()["name"], "101", "refused.unknown_table"),
    ]


def test_a_store_that_fails_is_one_sentence_and_rights_are_watched_on(
    screen: Any, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealer = screen("/dealer", {"table": "ba1"}, "101")
    dealer.next("view")
    with monkeypatch.context() as broken:

        def session(_token: str) -> None:
            raise OSError("the disk said 7H of secrets")

        broken.setattr(service.accounts, "session", session)
        answer = dealer.say("command", command())
        dealer.next("beat")
        dealer.next("beat")
    assert answer["code"] == "refused.trouble"
    assert "7H" not in answer["text"]
    assert service.asked == []
    ended(service)
    assert dealer.next("refused")["code"] == "refused.signed_out"
