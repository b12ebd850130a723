"""The engineer's pages over a fake studio: who may come, what is asked, and the picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.domain.commands import Rejected
from tests.unit.web.fakes import FakeService

ENGINEER = "301"
OTHERS = ("101", "201", "401", "501")
PAGE = "0123456789abcdef"
PAGES = ("/engineer", "/engineer/ba1/calibrate", "/engineer/ba1/enrol", "/engineer/ba1/live.jpg")


def ask(browser: Any, body: Any) -> Any:
    return browser.post("/api/ui/bench/ba1", json=body)


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("number", OTHERS)
def test_nobody_but_an_engineer_sees_these_pages(signed_in: Any, number: str, address: str) -> None:
    assert signed_in(number).get(address).status_code == 403


@pytest.mark.parametrize("number", OTHERS)
def test_nobody_but_an_engineer_asks_a_bench(
    signed_in: Any, service: FakeService, number: str
) -> None:
    answer = ask(signed_in(number), {"page": PAGE, "word": "look", "given": {}})
    assert answer.status_code == 403
    assert service.benches.asked == []


@pytest.mark.parametrize("address", PAGES[:3])
def test_who_is_not_signed_in_is_led_to_the_sign_in(client: Any, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_the_start_page_leads_to_both_pages_of_each_table(
    signed_in: Any, service: FakeService
) -> None:
    page = signed_in(ENGINEER).get("/engineer").text
    for table in service.names:
        assert f'href="/engineer/{table}/calibrate"' in page
        assert f'href="/engineer/{table}/enrol"' in page
    assert 'href="/supervisor"' in page
    assert 'href="/status"' in page


def test_an_engineer_signs_out_from_the_start_page(signed_in: Any) -> None:
    browser = signed_in(ENGINEER)
    page = browser.get("/engineer").text
    token = page.partition('name="form_token" value="')[2].partition('"')[0]
    refused = browser.post("/sign-out", data={"form_token": "x" * 64})
    assert refused.status_code == 403
    done = browser.post("/sign-out", data={"form_token": token})
    assert (done.status_code, done.headers["Location"]) == (303, "/")
    assert browser.get("/engineer").headers["Location"] == "/"


def test_the_start_page_says_who_works_at_a_bench(signed_in: Any, service: FakeService) -> None:
    service.benches.busy = SimpleNamespace(name="<Ravi T.>")
    page = signed_in(ENGINEER).get("/engineer").text
    assert "&lt;Ravi T.&gt; sets it up now" in page


def test_a_table_without_a_camera_says_so_and_offers_nothing(
    signed_in: Any, service: FakeService
) -> None:
    service.benches.there = False
    page = signed_in(ENGINEER).get("/engineer").text
    assert "no camera that can be set up" in page
    assert "/calibrate" not in page


@pytest.mark.parametrize("view", ["calibrate", "enrol"])
def test_a_page_knows_its_table_and_its_view(signed_in: Any, view: str) -> None:
    page = signed_in(ENGINEER).get(f"/engineer/ba1/{view}").text
    assert f'"params":{{"view":"{view}"}}' in page
    assert '"table":"ba1"' in page


def test_a_page_or_a_table_that_does_not_exist_is_not_found(signed_in: Any) -> None:
    browser = signed_in(ENGINEER)
    assert browser.get("/engineer/ba1/polish").status_code == 404
    assert browser.get("/engineer/zz9/calibrate").status_code == 404


def test_a_word_reaches_the_bench_with_the_person_and_the_window(
    signed_in: Any, service: FakeService
) -> None:
    given = {"id": "P", "by_mm": [1, 0]}
    answer = ask(signed_in(ENGINEER), {"page": PAGE, "word": "zone", "given": given})
    assert answer.get_json() == {"word": "zone"}
    assert service.benches.asked == [("ba1", "zone", given, "Eve", PAGE)]


def test_a_refusal_is_an_answer_with_its_values(signed_in: Any, service: FakeService) -> None:
    refusal = Rejected("calibrate.no_zone", "There is no zone X: there are P B.")
    refusal.values = {"zone": "X", "zones": "P B"}  # type: ignore[attr-defined]
    service.benches.refusal = refusal
    answer = ask(signed_in(ENGINEER), {"page": PAGE, "word": "zone", "given": {"id": "X"}})
    assert answer.status_code == 200
    assert answer.get_json()["refused"] == {
        "code": "calibrate.no_zone",
        "text": "There is no zone X: there are P B.",
        "values": {"zone": "X", "zones": "P B"},
    }
    assert service.kept == []


@pytest.mark.parametrize("word", ["open", "save"])
def test_what_was_refused_at_the_beginning_or_the_end_is_kept(
    signed_in: Any, service: FakeService, word: str
) -> None:
    service.benches.refusal = Rejected("refused.setup_in_round", "a round is open")
    ask(signed_in(ENGINEER), {"page": PAGE, "word": word, "given": {}})
    assert [kept[1:] for kept in service.kept] == [
        ("SetUpCamera", ENGINEER, "refused.setup_in_round")
    ]


@pytest.mark.parametrize(
    "body",
    [
        [],
        "look",
        {},
        {"page": PAGE},
        {"page": PAGE, "word": 7},
        {"page": PAGE, "word": "Look"},
        {"page": PAGE, "word": "look", "given": []},
        {"page": "short", "word": "look", "given": {}},
        {"page": "x" * 65, "word": "look", "given": {}},
        {"page": PAGE, "word": "w" * 33, "given": {}},
    ],
)
def test_what_no_page_sends_is_refused_and_asks_nothing(
    signed_in: Any, service: FakeService, body: Any
) -> None:
    answer = ask(signed_in(ENGINEER), body)
    assert answer.status_code == 400
    assert answer.get_json()["code"] == "refused.malformed"
    assert service.benches.asked == []


def test_the_picture_comes_with_its_age_and_is_kept_by_nobody(signed_in: Any) -> None:
    answer = signed_in(ENGINEER).get("/engineer/ba1/live.jpg")
    assert (answer.mimetype, answer.data) == ("image/jpeg", b"\xff\xd8jpeg")
    assert answer.headers["Cutcard-Age-Ms"] == "42"
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_camera_that_has_shown_nothing_has_no_picture(
    signed_in: Any, service: FakeService
) -> None:
    service.benches.picture, service.benches.busy = None, SimpleNamespace(name="Ravi T.")
    assert signed_in(ENGINEER).get("/engineer/ba1/live.jpg").status_code == 404


def test_a_page_that_was_left_open_is_shown_nothing(signed_in: Any, service: FakeService) -> None:
    service.benches.picture = None
    answer = signed_in(ENGINEER).get("/engineer/ba1/live.jpg")
    assert (answer.status_code, answer.data) == (204, b"")


def test_another_sites_page_asks_nothing_of_a_bench(signed_in: Any, service: FakeService) -> None:
    answer = signed_in(ENGINEER).post(
        "/api/ui/bench/ba1",
        json={"page": PAGE, "word": "look", "given": {}},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert answer.status_code == 403
    assert service.benches.asked == []
