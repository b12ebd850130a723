"""Expected against observed, as a supervisor reads it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from studio.odds.observed import ChiSquare
from tests.unit.web.fakes import PIN, FakeService
from web.words import catalogue

PAGE = "/supervisor/ba1/figures"


def sign_in(client: FlaskClient, number: str) -> None:
    assert client.post("/api/ui/sign-in", json={"number": number, "pin": PIN}).status_code == 200


def row(bet: str, reading: str, test: ChiSquare | None) -> Any:
    return SimpleNamespace(
        bet=bet, seen=(60, 0, 40), expected=(50.0, 0.0, 50.0), test=test, reading=reading
    )


@pytest.fixture
def counted(service: FakeService) -> FakeService:
    test = ChiSquare(statistic=4.0, freedom=1, sample=100, chance=0.0455)
    rows = (row("player", "seldom", test), row("tie", "too_few", None))
    groups = (
        SimpleNamespace(of="table", name="", rounds=100, bets=rows),
        SimpleNamespace(of="dealer", name="Sana <101>", rounds=60, bets=rows[:1]),
        SimpleNamespace(of="dealer", name="", rounds=40, bets=()),
        SimpleNamespace(of="shift", name="2", rounds=100, bets=rows[:1]),
    )
    service.dealt = SimpleNamespace(
        table="ba1", game="baccarat", progress="ready", at_us=1, groups=groups
    )
    return service


def test_a_supervisor_reads_sample_test_and_sentence_of_each_group(
    client: FlaskClient, counted: FakeService
) -> None:
    sign_in(client, "201")
    page = client.get(f"{PAGE}?lang=en").text
    assert counted.dealt.progress == "ready"
    for said in ("Whole table", "Dealer Sana &lt;101&gt;", "No dealer signed in", "Shift 2 of 3"):
        assert said in page
    for said in ("chi-square", "100 rounds", ">4.00<", ">4.55 %<", "50.0", "Seldom by chance"):
        assert said in page
    assert page.count("Too few rounds to say anything.") == 1


def test_the_page_is_worded_in_urdu_too(client: FlaskClient, counted: FakeService) -> None:
    sign_in(client, "201")
    page = client.get(f"{PAGE}?lang=ur").text
    assert counted.dealt.progress == "ready"
    assert catalogue("ur").text("observed.reading.seldom") in page
    assert 'dir="rtl"' in page
    assert "observed." not in page


def test_while_rounds_are_counted_the_page_looks_again(client: FlaskClient) -> None:
    sign_in(client, "201")
    answer = client.get(f"{PAGE}?lang=en")
    assert "being counted" in answer.text
    assert answer.headers["Refresh"] == "5"


def test_a_dealer_may_not_read_it_and_a_stranger_is_sent_to_sign_in(client: FlaskClient) -> None:
    assert client.get(PAGE).status_code == 303
    sign_in(client, "101")
    assert client.get(PAGE).status_code == 403


def test_a_table_that_does_not_exist_is_told(client: FlaskClient) -> None:
    sign_in(client, "201")
    assert client.get("/supervisor/zz9/figures").status_code == 404
