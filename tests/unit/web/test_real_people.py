"""The web over the real service, accounts and table: the second person, relief, rights that end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from studio.live.accounts import Accounts
from studio.live.ids import SequentialIds
from studio.live.people import Session
from studio.storage.database import open_database
from studio.storage.people import SqlPeople
from studio.table.approvals import waiting
from tests.unit.live.test_second import BADGE, House
from tests.unit.web.fakes import fake_settings
from web.app import create_app
from web.build import Build

PATH = "/api/ui/approve"


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A studio with a coup that waits for its second person."""
    house = House(tmp_path)
    house.void_asked()
    return house


@pytest.fixture
def app(house: House, build: Build) -> Flask:
    """The application over it."""
    return create_app(house.service, fake_settings(), build=build)


def console(app: Flask, session: Session) -> FlaskClient:
    """The browser of who holds a session."""
    client = app.test_client()
    client.set_cookie("cutcard_session", session.token)
    return client


def body(house: House, **given: Any) -> dict[str, Any]:
    """What the second person sends."""
    approval = house.bench.table.approval
    assert approval is not None
    fields = {"table": "ba1", "approval": approval.id, "word": "approve", "command_id": "abcdefgh"}
    return {**fields, **given}


def test_a_badge_at_the_first_persons_console_voids_the_coup(app: Flask, house: House) -> None:
    amina = console(app, house.amina)
    answer = amina.post(PATH, json=body(house, badge=BADGE))
    assert (answer.status_code, answer.json["status"]) == (200, "done")
    assert house.bench.table.round is not None
    assert house.bench.table.round.state == "voided"
    assert amina.get("/api/ui/me").json["person"]["number"] == "2001"


def test_the_first_person_is_told_to_find_a_second(app: Flask, house: House) -> None:
    given = body(house, number="2001", pin=house.pins["2001"])
    answer = console(app, house.amina).post(PATH, json=given)
    assert (answer.status_code, answer.json["code"]) == (409, "refused.approval_same_person")
    assert waiting(house.bench.table) is not None


def test_guessing_is_throttled_over_http(app: Flask, house: House) -> None:
    amina = console(app, house.amina)
    answers = [amina.post(PATH, json=body(house, number="3001", pin="000000")) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [409, 409, 409, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1


def test_a_badge_is_throttled_by_the_address(house: House) -> None:
    replies = [house.here(f"b{n:02}", badge=f"found-{n}") for n in range(21)]
    assert {reply.code for reply in replies[:20]} == {"refused.sign_in"}
    assert replies[20].code == "refused.too_fast"


def test_a_person_disabled_by_another_process_is_out_at_once(
    app: Flask, house: House, tmp_path: Path
) -> None:
    amina = console(app, house.amina)
    elsewhere = open_database(f"sqlite:///{tmp_path / 'people.db'}")
    Accounts(SqlPeople(elsewhere), house.bench.clock, SequentialIds("x")).enable(
        "2001", enabled=False
    )
    assert amina.post(PATH, json=body(house, badge=BADGE)).status_code == 401
    assert amina.get("/api/ui/me").json["person"] is None
    assert waiting(house.bench.table) is not None
