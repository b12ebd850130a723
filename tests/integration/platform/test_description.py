"""The description of the interface: valid OpenAPI 3.1, and the studio answers as it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.support.outside import eventually
from tests.support.platform import BLACKJACK, House, settings_in
from tools.platform_reference import page
from web.platform.openapi import document
from web.platform.schemas import EXAMPLES


def fits(name: str, value: Any) -> None:
    """Compare a value with a schema of the description."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
    Draft202012Validator(schema).validate(value)


def test_it_is_valid_openapi() -> None:
    validate(document())


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_each_example_is_what_its_schema_says(name: str) -> None:
    fits(name, EXAMPLES[name])


def test_each_call_names_its_errors_as_problem_documents() -> None:
    responses = document()["components"]["responses"]
    for calls in document()["paths"].values():
        for call in calls.values():
            errors = {k: v for k, v in call["responses"].items() if k not in {"200", "304"}}
            assert {"400", "401", "429", "500"} <= errors.keys()
            for ref in errors.values():
                told = responses[ref["$ref"].rpartition("/")[2]]
                fits("Problem", told["content"]["application/problem+json"]["example"])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A studio at which a coup was dealt and paid."""
    with House(settings_in(tmp_path_factory.mktemp("played"))) as house:
        house.players("ann")
        round_id = house.open_round()
        bets = [("b1", "ann", "player", 1000), ("b2", "eve", "player", 1000)]
        fits("BatchAnswer", house.caller().bets("ba1", round_id, bets).json)
        house.close_and_deal()
        yield house


def test_every_answer_is_what_its_schema_says(played: House) -> None:
    caller = played.caller()
    rounds = caller.get("/api/v1/tables/ba1/rounds").json
    one = f"/api/v1/tables/ba1/rounds/{rounds['rounds'][0]['round']}"
    fits("Rounds", rounds)
    fits("Round", caller.get(one).json)
    fits("Result", caller.get(f"{one}/result").json)
    fits("Tables", caller.get("/api/v1/tables").json)
    fits("Table", caller.get("/api/v1/tables/ba1").json)
    fits("Feed", caller.get("/api/v1/tables/ba1/feed").json)
    fits("BetRecord", caller.get("/api/v1/players/ann/bets").json)
    fits("BetRecord", caller.get("/api/v1/players/nobody/bets").json)


def test_answers_of_a_shared_hand_are_what_their_schemas_say(tmp_path: Path) -> None:
    with House(settings_in(tmp_path, other=BLACKJACK)) as house:
        house.players("ann")
        cards = ("2C", "3C", "4C", "5S", "6D", "6H", "TC", "TD", "5C", "9D", "8D")
        round_id = house.open_round(cards=cards)
        caller = house.caller()
        caller.bets("ba1", round_id, [("b1", "ann", "main", 1000)])
        house.close_and_deal_until_choice()
        fits("Table", caller.get("/api/v1/tables/ba1").json)
        fits("BatchAnswer", caller.decide("ba1", round_id, 1, [("d", "ann", "M", "stand")]).json)
        feed = "/api/v1/tables/ba1/feed"
        eventually(lambda: "window.closed" in caller.get(feed).body.decode())
        fits("Feed", caller.get(feed).json)
        fits("Round", caller.get(f"/api/v1/tables/ba1/rounds/{round_id}").json)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
BODIES = st.one_of(
    st.binary(max_size=60),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries({"bets": JSON}).map(lambda value: json.dumps(value).encode()),
    st.lists(
        st.fixed_dictionaries({
            "id": JSON, "player": st.text(), "bet": st.text(max_size=5), "stake": JSON,
        }),
        max_size=3,
    ).map(lambda bets: json.dumps({"bets": bets}).encode()),
)  # fmt: skip
PATHS = st.sampled_from(
    ["/api/v1/tables/{}/rounds/{}/bets", "/api/v1/tables/{}/rounds/{}/decisions",
     "/api/v1/tables/{}/rounds/{}/disconnected"]
)  # fmt: skip
NAMES = st.sampled_from(["ba1", "x"]) | st.text(max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(path=PATHS, table=NAMES, round_id=NAMES, body=BODIES)
def test_whatever_is_sent_is_answered_as_described(
    played: House, path: str, table: str, round_id: str, body: bytes
) -> None:
    """No call is a fault of the studio: each gets an answer that its description names."""
    names = [quote(name.encode("utf-8", "replace"), safe="") for name in (table, round_id)]
    answer = played.caller().send("POST", path.format(*names), body)
    assert answer.status in {200, 400, 404, 405, 409, 413, 422}, answer.body
    if answer.status == 200:
        fits("BatchAnswer", answer.json)
    else:
        assert answer.headers["Content-Type"] == "application/problem+json"
        fits("Problem", answer.json)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(name=st.sampled_from(["after", "before", "limit", "other"]), value=st.text(max_size=24))
def test_whatever_is_asked_is_answered_as_described(played: House, name: str, value: str) -> None:
    query = f"{name}={quote(value.encode('utf-8', 'replace'), safe='')}"
    for target, schema in (
        ("/api/v1/tables/ba1/feed", "Feed"),
        ("/api/v1/tables/ba1/rounds", "Rounds"),
        ("/api/v1/players/ann/bets", "BetRecord"),
    ):
        answer = played.caller().get(f"{target}?{query}")
        assert answer.status in {200, 400}, answer.body
        fits(schema if answer.status == 200 else "Problem", answer.json)


def test_the_reference_is_what_the_description_says(root: Path) -> None:
    written = (root / "docs/reference/platform.md").read_text(encoding="utf-8")
    assert written == page(), "run `make reference`"
