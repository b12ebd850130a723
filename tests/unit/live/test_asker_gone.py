"""Nothing is done at the word of a first person who may not ask it any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from studio.live.rights import Role
from studio.table.approvals import waiting
from tests.unit.live.test_second import BADGE, House


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A coup whose void Amina has asked for."""
    found = House(tmp_path)
    found.void_asked()
    return found


def disabled(house: House) -> None:
    house.accounts.enable("2001", enabled=False)


def a_dealer_now(house: House) -> None:
    stored = house.store.person_by_number("2001")
    assert stored is not None
    person = replace(stored.person, role=Role.DEALER)
    house.store.change_person(replace(stored, person=person))


@pytest.mark.parametrize("change", [disabled, a_dealer_now])
def test_a_request_whose_asker_lost_the_right_is_not_carried_out(
    house: House, change: object
) -> None:
    assert callable(change)
    lena = house.sign_in("3001")
    asked = waiting(house.bench.table)
    assert asked is not None
    change(house)
    reply = house.ask("Approve", lena, approval=asked.id)
    assert (reply.status, reply.code) == ("rejected", "refused.asker_gone")
    assert house.bench.table.round is not None
    assert house.bench.table.round.state == "open"
    assert house.kept()[-1].accepted is False
    assert house.ask("Decline", lena, approval=asked.id, reason="reason.other").status == "done"


def test_who_asked_and_signed_out_still_asked(house: House) -> None:
    house.accounts.sign_out(house.amina.token)
    assert house.here(badge=BADGE).status == "done"
    assert house.bench.table.round is not None
    assert house.bench.table.round.state == "voided"
