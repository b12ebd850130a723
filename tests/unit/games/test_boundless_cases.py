"""Worked rounds of both schedules, played through the procedure and the pay tables alone."""

import json
from pathlib import Path

import pytest

from tests.support.shared_hand import Driver

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("name", "least"),
    [("boundless_crafted", 60), ("boundless_random", 100), ("boundless_lanes", 35)],
)
def test_every_worked_round_gives_the_expected_result_and_money(
    shared: Path, name: str, least: int
) -> None:
    lines = (shared / "cases" / f"{name}.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    assert len(cases) >= least
    for case in cases:
        assert Driver(case).result() == case["expect"], case["id"]
