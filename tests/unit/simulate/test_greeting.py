"""What a served demonstration prints: every address and every credential that opens something."""

from __future__ import annotations

import json

import pytest

from studio.simulate.greeting import greet

ADDRESS = "http://127.0.0.1:8000"
PEOPLE = [("Amina K.", "supervisor", "2001", "846135")]
SEATS = {"bl1": ("tok-a", "tok-b", "tok-c", "tok-d")}


def test_each_seat_is_printed_with_its_address_and_its_token(
    capsys: pytest.CaptureFixture[str],
) -> None:
    greet(ADDRESS, PEOPLE, {"bl1": "air"}, SEATS, as_json=False)
    lines = capsys.readouterr().err.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("  seat 3 "))
    assert lines[at].endswith(f"{ADDRESS}/api/v1/tables/bl1/seats/2/hand")
    assert lines[at + 1].strip() == "Authorization: Bearer tok-c"


def test_a_table_whose_seats_do_not_choose_prints_none(capsys: pytest.CaptureFixture[str]) -> None:
    greet(ADDRESS, PEOPLE, {"ba1": "air"}, {}, as_json=False)
    printed = capsys.readouterr().err
    assert "overlay/ba1?token=air" in printed
    assert "Bearer" not in printed


def test_a_program_is_told_the_seats_in_the_order_of_play(
    capsys: pytest.CaptureFixture[str],
) -> None:
    greet(ADDRESS, PEOPLE, {"bl1": "air"}, SEATS, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert [seat["token"] for seat in told["seats"]["bl1"]] == list(SEATS["bl1"])
    assert told["seats"]["bl1"][1]["address"] == f"{ADDRESS}/api/v1/tables/bl1/seats/1/hand"
