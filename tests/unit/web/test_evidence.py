"""Evidence on the web: who may see it, as what it comes, and that no address leads elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.web.fakes import FakeService

SEES = {"201": True, "301": True, "401": True, "501": True, "101": False}
"""Supervisor, engineer, auditor and pit boss; not the dealer."""


@pytest.mark.parametrize(("number", "sees"), SEES.items())
def test_only_those_who_answer_for_tables_and_devices_see_evidence(
    signed_in: Any, number: str, *, sees: bool
) -> None:
    browser = signed_in(number)
    for address in ("/evidence/ba1/17", "/evidence/ba1/17/shoe.wire"):
        assert browser.get(address).status_code == (200 if sees else 403)


def test_nobody_sees_it_without_a_sign_in(client: Any) -> None:
    for address in ("/evidence/ba1/17", "/evidence/ba1/17/shoe.wire", "/evidence/ba1/17.zip"):
        assert client.get(address).status_code == 401


def test_the_list_names_each_piece_with_its_digest(signed_in: Any) -> None:
    answer = signed_in("201").get("/evidence/ba1/17")
    assert answer.json["items"][0] == {
        "name": "shoe.wire", "kind": "wire", "sha256": "ab" * 32, "size": 5, "at_us": 7,
    }  # fmt: skip
    assert signed_in("201").get("/evidence/ba1/99").json["items"] == []


def test_a_piece_comes_as_what_it_is_and_is_kept_nowhere(signed_in: Any) -> None:
    browser = signed_in("401")
    wire = browser.get("/evidence/ba1/17/shoe.wire")
    assert wire.data == b"<b>\n"
    assert wire.content_type == "text/plain; charset=utf-8"
    picture = browser.get("/evidence/ba1/17/camera-0001.jpg")
    assert (picture.content_type, picture.data) == ("image/jpeg", b"\xff\xd8jpeg")
    for answer in (wire, picture):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "address",
    ["/evidence/ba1/17/secret", "/evidence/ba1/17/..%2fsecret", "/evidence/ba1/17/%2e%2e/secret",
     "/evidence/ba1/17/.hidden", "/evidence/ba1/..%2f17/shoe.wire", "/evidence/ba9/17/shoe.wire",
     "/evidence/ba1/18/shoe.wire", "/evidence/ba1/17/gone.jpg", "/evidence/ba1/17/a%0d%0ab",
     "/evidence/ba1/%2e%2e/x", "/evidence/ba1/18.zip", "/evidence/ba1/..zip"],
)  # fmt: skip
def test_every_other_address_is_nothing(signed_in: Any, address: str) -> None:
    answer = signed_in("201").get(address)
    assert answer.status_code == 404
    assert b"7H" not in answer.data


def test_a_piece_that_was_changed_is_told_and_not_shown(
    signed_in: Any, service: FakeService
) -> None:
    browser = signed_in("201")
    service.broken = True
    answer = browser.get("/evidence/ba1/17/shoe.wire")
    assert answer.status_code == 409
    assert b"<b>" not in answer.data


@pytest.mark.parametrize(
    ("number", "status"), [("201", 200), ("501", 200), ("401", 200), ("301", 403), ("101", 403)]
)
def test_the_whole_archive_is_for_those_who_may_know_players_and_stakes(
    signed_in: Any, number: str, status: int
) -> None:
    answer = signed_in(number).get("/evidence/ba1/17.zip")
    assert answer.status_code == status
    if status == 200:
        assert answer.data == b"PK\x03\x04"
        assert answer.content_type == "application/zip"
        assert answer.headers["Content-Disposition"] == (
            'attachment; filename="cutcard-ba1-17.zip"'
        )
