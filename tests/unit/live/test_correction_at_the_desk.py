"""A paid coup put right as the web asks for it: two people in two sign-ins, plain JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.live.test_second import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A table that shows a paid coup: Player won 9 to 7."""
    made = House(tmp_path)
    made.bench.open_shoe()
    made.bench.coup("9S 2D KH 5D")
    return made


def correction(house: House, **changes: object) -> dict[str, object]:
    """What the screen sends."""
    plain: dict[str, object] = {
        "round_id": house.bench.table.results[0].id,
        "cards": ["2S", "9D", "KH", "TD"],
        "void": False,
        "reason": "reason.camera_proves",
        "note": "",
    }
    return {**plain, **changes}


def test_the_screens_json_corrects_a_coup_once_a_second_person_approves(house: House) -> None:
    assert house.ask("CorrectResult", house.amina, **correction(house)).status == "done"
    view = house.service.view("ba1", "supervisor").view
    assert view["approval"]["effect_money"]["params"] == {"paid": 3900, "kept": 2000}
    assert view["past"][0]["code"] == "player"
    assert house.here(number="3001", pin=house.pins["3001"]).status == "done"
    past = house.service.view("ba1", "supervisor").view["past"][0]
    assert (past["code"], past["corrected"], past["returned"]) == ("banker", True, 3900)
    assert past["cards"][1] == ["B", "9D"]
    overlay = house.service.view("ba1", "overlay").view
    told = overlay["correction"]
    assert (told["round_no"], told["old_code"], told["new_code"]) == (1, "player", "banker")
    assert overlay["results"][0]["corrected"]


def test_who_asked_does_not_approve_and_a_dealer_does_not_ask(house: House) -> None:
    dealer = house.sign_in("1001")
    assert house.ask("CorrectResult", dealer, **correction(house)).code == "refused.no_right"
    house.ask("CorrectResult", house.amina, **correction(house))
    answer = house.here(number="2001", pin=house.pins["2001"])
    assert answer.code == "refused.approval_same_person"
    assert house.bench.table.results[0].code == "player"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"cards": ["2S", "ZZ"]}, "refused.not_a_card"),
        ({"cards": "2S 9D"}, "refused.malformed"),
        ({"cards": ["2S"]}, "refused.cards_too_few"),
        ({"round_id": "r-0"}, "refused.round_unknown"),
        ({"reason": ""}, "refused.reason_missing"),
        ({"void": "yes"}, "refused.malformed"),
    ],
)
def test_bad_input_gets_its_sentence_and_changes_nothing(
    house: House, changes: dict[str, object], code: str
) -> None:
    answer = house.ask("CorrectResult", house.amina, **correction(house, **changes))
    assert (answer.status, answer.code) == ("rejected", code)
    assert house.bench.table.approval is None
