"""Guessing, planted sessions and forged addresses at the real sign-in, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from studio.live.accounts import Accounts
from studio.live.clock import ManualClock
from studio.live.ids import SequentialIds
from studio.storage.database import open_database
from studio.storage.people import SqlPeople
from tests.unit.web.fakes import FakeService, fake_settings
from web.app import create_app


class House:
    """A web over real accounts in a real database; time moves by hand."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock(1_800_000_000_000_000)
        self.database = open_database(f"sqlite:///{folder}/people.db")
        self.accounts: Any = Accounts(SqlPeople(self.database), self.clock, SequentialIds("p"))
        self.pin = self.accounts.add_person("Amina", "supervisor", number="2001").pin
        self.other_pin = self.accounts.add_person("Bilal", "supervisor", number="2002").pin
        self.app = create_app(FakeService(accounts=self.accounts), fake_settings())

    def guess(self, number: str, pin: str, address: str, **headers: str) -> int:
        """The status that a try from this address gets."""
        answer = self.app.test_client().post(
            "/api/ui/sign-in",
            json={"number": number, "pin": pin},
            environ_base={"REMOTE_ADDR": address},
            headers=headers,
        )
        return answer.status_code


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(tmp_path)
    yield opened
    opened.database.close()


def test_a_number_guessed_from_many_addresses_is_slowed_all_the_same(house: House) -> None:
    statuses = [house.guess("2001", f"{n:06}", f"192.0.2.{n}") for n in range(40)]
    assert statuses[:3] == [401] * 3
    assert set(statuses[3:]) == {429}
    assert house.guess("2002", house.other_pin, "192.0.2.200") == 200


def test_many_numbers_guessed_from_one_address_are_slowed(house: House) -> None:
    statuses = [house.guess(f"9{n:03}", "000000", "192.0.2.1") for n in range(60)]
    assert statuses[:20] == [401] * 20
    assert set(statuses[20:]) == {429}


def test_an_address_that_is_claimed_in_a_header_is_not_believed(house: House) -> None:
    statuses = [
        house.guess(f"9{n:03}", "0", "192.0.2.1", **{"X-Forwarded-For": f"198.51.100.{n}"})
        for n in range(30)
    ]
    assert statuses[-1] == 429


def test_who_waits_as_told_may_try_again_and_guessing_never_locks_out_for_ever(
    house: House,
) -> None:
    for n in range(12):
        house.guess("2001", f"{n:06}", f"192.0.2.{n}")
        house.clock.advance(61_000_000)
    answer = house.app.test_client().post(
        "/api/ui/sign-in",
        json={"number": "2001", "pin": "000000"},
        environ_base={"REMOTE_ADDR": "192.0.2.99"},
    )
    answer = house.app.test_client().post("/api/ui/sign-in", json={"number": "2001", "pin": "0"})
    assert answer.status_code == 429
    wait_s = int(answer.headers["Retry-After"])
    assert 0 < wait_s <= 60
    house.clock.advance(wait_s * 1_000_000)
    assert house.guess("2001", house.pin, "192.0.2.100") == 200


def test_a_refusal_does_not_tell_whether_the_number_exists(house: House) -> None:
    texts = set()
    for number in ("2001", "7777"):
        answer = house.app.test_client().post(
            "/api/ui/sign-in", json={"number": number, "pin": "000000"}
        )
        texts.add((answer.status_code, answer.text))
    assert len(texts) == 1


def token_of(browser: FlaskClient) -> str:
    cookie = browser.get_cookie("cutcard_session")
    return "" if cookie is None else cookie.value


def signed_in(house: House, browser: FlaskClient, number: str, pin: str) -> str:
    answer = browser.post("/api/ui/sign-in", json={"number": number, "pin": pin})
    assert answer.status_code == 200
    return token_of(browser)


@pytest.mark.parametrize("planted", ["planted-by-somebody", "", "x" * 5_000])
def test_a_session_planted_before_the_sign_in_is_never_taken_over(
    house: House, planted: str
) -> None:
    browser = house.app.test_client()
    browser.set_cookie("cutcard_session", planted)
    token = signed_in(house, browser, "2001", house.pin)
    assert token not in {"", planted}
    assert house.accounts.session(planted) is None
    assert house.accounts.session(token).number == "2001"


def test_somebody_elses_own_session_planted_in_a_browser_becomes_nobody_elses(
    house: House,
) -> None:
    """Who plants theirs loses it, and never gets that of the person who signs in there."""
    attacker, victim = house.app.test_client(), house.app.test_client()
    planted = signed_in(house, attacker, "2002", house.other_pin)
    victim.set_cookie("cutcard_session", planted)
    token = signed_in(house, victim, "2001", house.pin)
    assert token != planted
    assert house.accounts.session(planted) is None
    assert attacker.get("/api/ui/me").json == {"person": None}


def test_a_session_is_taken_from_the_cookie_alone(house: House) -> None:
    token = signed_in(house, house.app.test_client(), "2001", house.pin)
    stranger = house.app.test_client()
    for where in (
        {"query_string": {"cutcard_session": token, "session": token, "token": token}},
        {"headers": {"Authorization": f"Bearer {token}", "X-Session": token}},
    ):
        assert stranger.get("/api/ui/me", **where).json == {"person": None}  # type: ignore[arg-type]


def test_the_cookie_cannot_be_read_by_scripts_nor_sent_by_other_sites(house: House) -> None:
    answer = house.app.test_client().post(
        "/api/ui/sign-in",
        json={"number": "2001", "pin": house.pin},
        base_url="https://studio.example",
    )
    cookie = next(
        each for each in answer.headers.getlist("Set-Cookie") if each.startswith("cutcard_session=")
    )
    for word in ("HttpOnly", "Secure", "SameSite=Strict", "Path=/"):
        assert word in cookie
    assert "Domain" not in cookie
