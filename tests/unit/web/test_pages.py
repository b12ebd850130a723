"""Pages, signing in, refusals and headers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.web.fakes import PIN, FakeService, fake_settings
from web.app import create_app
from web.build import Build
from web.words import catalogue


def boot_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', page)
    assert found is not None
    boot: dict[str, Any] = json.loads(found[1])
    return boot


def form_token_of(page: str) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]+)"', page)
    assert found is not None
    return found[1]


def test_the_front_page_asks_to_sign_in_and_loads_its_screen(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert '<script type="module" src="/static/assets/signin-1a2b.js">' in answer.text
    assert '<link rel="stylesheet" href="/static/assets/kit-9f.css">' in answer.text
    boot = boot_of(answer.text)
    assert boot["page"] == "signin"
    assert boot["person"] is None
    assert boot["languages"][0] == {"code": "en", "name": "English", "dir": "ltr"}


def test_a_page_is_never_stored_by_the_browser(client: FlaskClient) -> None:
    assert client.get("/").headers["Cache-Control"] == "no-store"


def test_signing_in_by_the_plain_form_leads_to_the_persons_own_face(client: FlaskClient) -> None:
    token = form_token_of(client.get("/").text)
    form = {"form_token": token, "number": "101", "pin": PIN}
    answer = client.post("/", data=form)
    assert answer.status_code == 303
    cookie = client.get_cookie("cutcard_session")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Strict"
    assert client.get("/").headers["Location"] == "/dealer/ba1"
    assert boot_of(client.get("/dealer/ba1").text)["person"]["name"] == "Dana"


def test_a_form_without_its_token_is_refused(client: FlaskClient) -> None:
    client.get("/")
    answer = client.post("/", data={"number": "101", "pin": PIN})
    assert answer.status_code == 403
    assert "open / again" in answer.text


def test_a_wrong_pin_in_the_form_is_told_beside_the_form(client: FlaskClient) -> None:
    token = form_token_of(client.get("/").text)
    answer = client.post("/", data={"form_token": token, "number": "101", "pin": "999111"})
    assert answer.status_code == 401
    assert "Number and PIN do not fit" in answer.text
    assert "999111" not in answer.text


@pytest.mark.parametrize(
    ("number", "home"),
    [
        ("101", "/dealer/ba1"),
        ("201", "/supervisor"),
        ("301", "/engineer"),
        ("401", "/supervisor"),
        ("501", "/supervisor"),
    ],
)
def test_each_role_has_a_home(client: FlaskClient, number: str, home: str) -> None:
    answer = client.post("/api/ui/sign-in", json={"number": number, "pin": PIN})
    assert answer.get_json()["home"] == home


def test_a_dealer_with_several_tables_chooses_one(build: Build) -> None:
    app = create_app(FakeService(names=("ba1", "ba2")), fake_settings(), build=build)
    browser = app.test_client()
    browser.post("/api/ui/sign-in", json={"badge": "badge-101"})
    page = browser.get("/").text
    assert 'href="/dealer/ba1"' in page
    assert 'href="/dealer/ba2"' in page


def test_the_tables_to_choose_from_are_tiles_with_their_state_and_dealer(build: Build) -> None:
    service = FakeService(names=("ba1", "ba2"))
    tiles = [
        {"table": "ba1", "state": "betting", "dealer": "Imran S."},
        {"table": "ba2", "state": "closed", "dealer": ""},
    ]
    plain = service.wall()
    service.wall = lambda: replace(plain, view={"tiles": tiles})  # type: ignore[method-assign]
    browser = create_app(service, fake_settings(), build=build).test_client()
    browser.post("/api/ui/sign-in", json={"badge": "badge-101"})
    page = browser.get("/").text
    assert re.search(r'data-state="betting".*?BA1.*?Bets open.*?Imran S\.', page, re.DOTALL)
    assert re.search(r'data-state="closed".*?BA2.*?Closed.*?nobody deals', page, re.DOTALL)
    assert 'href="/?lang=ur"' in page
    assert 'lang="ur" dir="rtl"' in browser.get("/?lang=ur").text
    assert '<html lang="ur"' in browser.get("/").text


def test_too_many_wrong_pins_must_wait_as_long_as_the_accounts_say(client: FlaskClient) -> None:
    for _ in range(2):
        assert client.post("/api/ui/sign-in", json={"number": "101", "pin": "0"}).status_code == 401
    answer = client.post("/api/ui/sign-in", json={"number": "101", "pin": "0"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "7"
    assert answer.content_type == "application/problem+json"
    assert answer.get_json()["retry_s"] == 7


def test_signing_in_again_ends_the_session_before(app: Flask, service: FakeService) -> None:
    browser = app.test_client()
    browser.post("/api/ui/sign-in", json={"number": "101", "pin": PIN})
    browser.post("/api/ui/sign-in", json={"number": "201", "pin": PIN})
    assert list(service.accounts.sessions.values()) == ["201"]


def test_signing_out_takes_the_session_and_the_cookie(signed_in: Any, service: FakeService) -> None:
    browser = signed_in("101")
    assert browser.post("/api/ui/sign-out").status_code == 204
    assert not service.accounts.sessions
    assert browser.get("/api/ui/me").get_json() == {"person": None}


@pytest.mark.parametrize(
    "body",
    [b"", b"[1]", b'{"number":1,"pin":2}', b'{"number":"101"}', b"{", b'{"badge":"' + b"9" * 999],
)
def test_a_malformed_sign_in_gets_one_sentence(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/api/ui/sign-in", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["code"] == "refused.malformed"
    assert "Traceback" not in answer.text


def test_a_request_larger_than_any_honest_one_is_refused(client: FlaskClient) -> None:
    answer = client.post("/api/ui/sign-in", json={"number": "1" * 20_000, "pin": "1"})
    assert answer.status_code == 413
    assert answer.get_json()["code"] == "refused.too_large"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_write_from_another_site_is_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    body = {"number": "101", "pin": PIN}
    answer = client.post("/api/ui/sign-in", json=body, headers=headers)
    assert answer.status_code == 403
    assert answer.get_json()["code"] == "refused.origin"


def test_a_write_from_our_own_page_is_let_in(client: FlaskClient) -> None:
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    body = {"number": "101", "pin": PIN}
    assert client.post("/api/ui/sign-in", json=body, headers=headers).status_code == 200


PAGES = {
    "/dealer/ba1": {"101": 200, "201": 200, "301": 200, "401": 403, "501": 200},
    "/supervisor": {"101": 403, "201": 200, "301": 200, "401": 200, "501": 200},
    "/supervisor/ba1": {"101": 403, "201": 200, "301": 200, "401": 200, "501": 200},
    "/picture/ba1": {"101": 403, "201": 200, "301": 200, "401": 403, "501": 200},
    "/api/ui/view/ba1/dealer": {"101": 200, "201": 200, "301": 200, "401": 403, "501": 200},
    "/api/ui/view/ba1/supervisor": {"101": 403, "201": 200, "301": 200, "401": 200, "501": 200},
    "/api/ui/wall": {"101": 403, "201": 200, "301": 200, "401": 200, "501": 200},
    "/overlay/ba1": {"101": 403, "201": 200, "301": 200, "401": 200, "501": 200},
}


@pytest.mark.parametrize("path", PAGES)
def test_each_page_is_open_to_its_roles_only(signed_in: Any, path: str) -> None:
    seen = {number: signed_in(number).get(path).status_code for number in PAGES[path]}
    assert seen == PAGES[path]


@pytest.mark.parametrize("path", [path for path in PAGES if path.startswith(("/api", "/pict"))])
def test_data_is_for_nobody_who_is_not_signed_in(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 401


@pytest.mark.parametrize("path", ["/dealer/ba1", "/supervisor", "/supervisor/ba1"])
def test_a_console_without_a_session_leads_to_the_sign_in(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_an_unknown_table_is_told_with_those_that_exist(signed_in: Any) -> None:
    answer = signed_in("301").get("/dealer/zz9")
    assert answer.status_code == 404
    assert "the tables are ba1" in answer.text


def test_a_refusal_is_worded_in_the_language_of_the_page(signed_in: Any) -> None:
    answer = signed_in("201").get("/dealer/zz9")
    assert '<html lang="ur" dir="rtl">' in answer.text
    assert catalogue("ur").text("refused.unknown_table") in answer.text


def test_the_language_that_an_address_asks_for_is_kept(client: FlaskClient) -> None:
    assert '<html lang="ur" dir="rtl"' in client.get("/?lang=ur").text
    assert '<html lang="ur" dir="rtl"' in client.get("/").text
    assert '<html lang="ur" dir="rtl"' in client.get("/?lang=xx").text
    assert '<html lang="ar" dir="rtl"' in client.get("/?lang=ar").text
    assert '<html lang="en" dir="ltr"' in client.get("/overlay/ba1?token=show-ba1").text


def test_a_right_that_was_taken_away_is_gone_with_the_next_request(
    signed_in: Any, service: FakeService
) -> None:
    browser = signed_in("201")
    assert browser.get("/api/ui/wall").status_code == 200
    del service.accounts.people["201"]
    assert browser.get("/api/ui/wall").status_code == 401


def test_an_overlay_is_opened_by_its_token_and_told_its_parameters(client: FlaskClient) -> None:
    answer = client.get("/overlay/ba1?token=show-ba1&layer=cards&layer=roads&delay_ms=500")
    assert answer.status_code == 200
    boot = boot_of(answer.text)
    assert boot["params"] == {"layer": "cards,roads", "delay_ms": "500"}
    auth = {"table": "ba1", "token": "show-ba1", "delay_ms": 500}
    assert boot["socket"] == {"namespace": "/overlay", "auth": auth}
    assert "frame-ancestors" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("query", ["", "?token=wrong", "?token=show-ba1%00"])
def test_an_overlay_without_a_right_says_so_to_its_console_only(
    client: FlaskClient, query: str
) -> None:
    answer = client.get(f"/overlay/ba1{query}")
    assert answer.status_code == 403
    assert boot_of(answer.text)["refused"]["code"] == "refused.token"
    assert "<noscript>" not in answer.text


def test_an_overlay_token_shows_no_other_table(build: Build) -> None:
    app = create_app(FakeService(names=("ba1", "ba2")), fake_settings(), build=build)
    assert app.test_client().get("/overlay/ba2?token=show-ba1").status_code == 403
    assert app.test_client().get("/api/ui/view/ba2/overlay?token=show-ba1").status_code == 403


def test_consoles_may_not_be_framed_and_run_only_our_scripts(client: FlaskClient) -> None:
    headers = client.get("/").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert client.get("/overlay/ba1").headers["Referrer-Policy"] == "no-referrer"


def test_a_page_has_no_script_and_no_style_in_line(client: FlaskClient) -> None:
    page = client.get("/").text
    assert re.findall(r"<script(?![^>]*(?:src=|application/json))", page) == []
    assert "<style" not in page
    assert "style=" not in page


def test_text_in_the_boot_block_cannot_end_it(build: Build) -> None:
    service = FakeService(studio_name="</script><script>alert(1)</script>")
    page = create_app(service, fake_settings(), build=build).test_client().get("/").text
    assert "<script>alert" not in page
    assert boot_of(page)["studio"] == service.studio_name


def test_a_console_without_scripts_says_what_to_do(signed_in: Any) -> None:
    page = signed_in("101").get("/dealer/ba1").text
    assert "<noscript><p>This console needs JavaScript: allow it" in page


def test_without_a_build_one_sentence_says_what_to_run(
    service: FakeService, tmp_path: Path
) -> None:
    app = create_app(service, fake_settings(), build=Build(tmp_path / "none.json"))
    browser = app.test_client()
    front = browser.get("/")
    assert front.status_code == 200
    assert "make ui" in front.text
    assert 'name="pin"' in front.text
    browser.post("/api/ui/sign-in", json={"number": "101", "pin": PIN})
    answer = browser.get("/dealer/ba1")
    assert answer.status_code == 503
    assert "make ui" in answer.text


def test_the_rules_page_words_the_rule_object_for_everybody(client: FlaskClient) -> None:
    page = client.get("/rules/ba1").text
    assert "baccarat@1" in page
    assert "/static/assets/rules-77.css" in page
    assert page.count("<li>") == 2


@pytest.mark.parametrize(
    ("lang", "code"),
    [
        ("en", "rules.this_prevails"),
        ("ur", "rules.english_prevails"),
        ("ar", "rules.english_prevails"),
    ],
)
def test_the_rules_page_says_in_each_language_that_the_english_text_prevails(
    client: FlaskClient, lang: str, code: str
) -> None:
    assert catalogue(lang).text(code) in client.get(f"/rules/ba1?lang={lang}").text


def test_the_rules_page_looks_again_while_the_returns_are_being_worked_out(
    client: FlaskClient,
) -> None:
    answer = client.get("/rules/ba1")
    assert "being worked out" in answer.text
    assert answer.headers["Refresh"] == "5"


def test_the_rules_page_shows_each_return_beside_the_label_of_the_house(
    client: FlaskClient, service: FakeService
) -> None:
    bets = (
        SimpleNamespace(bet="main", returned=0.995169),
        SimpleNamespace(bet="main_auto", returned=0.94),
        SimpleNamespace(bet="pair", returned=0.9),
    )
    service.worked_out = SimpleNamespace(progress="ready", bets=bets, label=0.9946)
    answer = client.get("/rules/ba1")
    assert "Refresh" not in answer.headers
    row = re.search(r"best play for each.*?</tr>", answer.text, re.DOTALL)
    assert row is not None
    assert re.findall(r"[\d.]+ %", row[0]) == ["99.46 %", "99.5169 %"]
    assert answer.text.count("99.46 %") == 1
    assert "90.0000 %" in answer.text


def test_in_another_language_the_english_returns_stand_below_and_prevail(
    client: FlaskClient, service: FakeService
) -> None:
    bets = (SimpleNamespace(bet="player", returned=0.987649),)
    service.worked_out = SimpleNamespace(progress="ready", bets=bets, label=None)
    page = client.get("/rules/ba1?lang=ur").text
    assert page.count("98.7649 %") == 2
    assert catalogue("ur").text("rules.english_prevails") in page
    assert catalogue("en").text("returns.title") in page
    assert catalogue("en").text("returns.label") not in page


def test_health_tells_machines_and_people_the_same(
    client: FlaskClient, service: FakeService
) -> None:
    assert client.get("/health/live").status_code == 200
    assert client.get("/health/ready").status_code == 200
    service.ready = False
    for path in ("/health/ready", "/status"):
        answer = client.get(path)
        assert answer.status_code == 503
        assert "The shoe of ba1 is silent: check its cable." in answer.text
    assert client.get("/health/live").status_code == 200


def test_the_status_names_the_tables_that_are_held(
    client: FlaskClient, service: FakeService
) -> None:
    assert "Held" not in client.get("/status").text
    service.state = "hold"
    page = client.get("/status").text
    assert "Held, a supervisor has to answer: BA1." in page
    assert "<td>Hold</td>" in page
    assert "/static/assets/rules-77.css" in page


def test_metrics_carry_the_studios_figures_and_the_open_screens(client: FlaskClient) -> None:
    text = client.get("/metrics").text
    assert "cards_dealt 7" in text
    assert 'cutcard_sockets{audience="dealer"} 0' in text


def test_an_address_that_is_not_there_is_one_sentence(client: FlaskClient) -> None:
    answer = client.get("/nothing/here")
    assert answer.status_code == 404
    assert "There is nothing at this address: start at /." in answer.text
    assert client.get("/api/ui/nothing").content_type == "application/problem+json"
    assert client.get("/static/.vite/manifest.json").status_code == 404
    assert client.get("/static/../app.py").status_code == 404


def test_a_fault_of_ours_is_one_sentence_without_a_trace(
    client: FlaskClient, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> str:
        raise RuntimeError("7H is hidden")

    monkeypatch.setattr(service, "metrics", broken)
    answer = client.get("/metrics")
    assert answer.status_code == 500
    assert "tell the engineer" in answer.text
    assert "7H" not in answer.text


def test_a_picture_is_a_jpeg_and_its_absence_a_sentence(build: Build) -> None:
    app = create_app(FakeService(names=("ba1", "ba2")), fake_settings(), build=build)
    browser = app.test_client()
    browser.post("/api/ui/sign-in", json={"number": "201", "pin": PIN})
    assert browser.get("/picture/ba1").mimetype == "image/jpeg"
    assert browser.get("/picture/ba2").status_code == 404


@pytest.mark.parametrize(("key", "status"), [("a key of the environment", 303), ("", 403)])
def test_a_form_that_was_open_over_a_restart_is_good_with_a_key_of_the_environment(
    build: Build, key: str, status: int
) -> None:
    before, after = (
        create_app(FakeService(), fake_settings(key=key), build=build).test_client()
        for _ in range(2)
    )
    page = before.get("/")
    token = page.text.partition('name="form_token" value="')[2].partition('"')[0]
    assert token
    seed = page.headers["Set-Cookie"].partition("cutcard_form=")[2].partition(";")[0]
    after.set_cookie("cutcard_form", seed)
    answer = after.post("/", data={"form_token": token, "number": "101", "pin": PIN})
    assert answer.status_code == status
