"""The metrics: their names are promised to whoever watches."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from studio.metrics import Metrics


def samples(metrics: Metrics) -> dict[str, float]:
    """Every sample as `name{labels}`."""
    return {
        f"{sample.name}{sorted(sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(metrics.text())
        for sample in family.samples
    }


def test_every_name_begins_with_cutcard_and_keeps_its_spelling() -> None:
    names = {family.name for family in text_string_to_metric_families(Metrics().text())}
    assert names == {
        "cutcard_cards_dealt",
        "cutcard_commit_seconds",
        "cutcard_device_bytes",
        "cutcard_device_frames",
        "cutcard_device_garbage",
        "cutcard_device_online",
        "cutcard_faults",
        "cutcard_holds",
        "cutcard_inbox_depth",
        "cutcard_inbox_wait_seconds",
        "cutcard_outbox_age_seconds",
        "cutcard_rejections",
        "cutcard_rounds",
        "cutcard_sockets",
        "cutcard_table_held",
        "cutcard_table_stopped",
        "cutcard_view_seconds",
    }


def test_the_manual_names_every_metric(root: Path) -> None:
    page = (root / "docs/reference/metrics.md").read_text(encoding="utf-8")
    for family in text_string_to_metric_families(Metrics().text()):
        ending = "_total" if family.type == "counter" else ""
        assert f"| `{family.name}{ending}` |" in page


def test_what_happened_is_counted_by_table() -> None:
    metrics = Metrics()
    for _ in range(3):
        metrics.card_dealt("ba1")
    metrics.round_ended("ba1", "settled")
    metrics.fault("ba1", "early_card")
    metrics.rejected("ba1", "table_held")
    found = samples(metrics)
    assert found["cutcard_cards_dealt_total['ba1']"] == 3
    assert found["cutcard_rounds_total['ba1', 'settled']"] == 1
    assert found["cutcard_faults_total['ba1', 'early_card']"] == 1
    assert found["cutcard_rejections_total['ba1', 'table_held']"] == 1


def test_a_hold_is_counted_once_and_shown_until_it_is_lifted() -> None:
    metrics = Metrics()
    metrics.held("ba1", "device_lost")
    assert samples(metrics)["cutcard_table_held['ba1']"] == 1
    metrics.released("ba1")
    found = samples(metrics)
    assert found["cutcard_table_held['ba1']"] == 0
    assert found["cutcard_holds_total['ba1', 'device_lost']"] == 1


def test_times_are_kept_as_histograms_in_seconds() -> None:
    metrics = Metrics()
    metrics.inbox("ba1", wait_s=0.003, depth=2)
    metrics.commit("ba1", 0.02)
    metrics.view_sent("ba1", 0.04)
    found = samples(metrics)
    assert found["cutcard_inbox_wait_seconds_bucket['0.005', 'ba1']"] == 1
    assert found["cutcard_inbox_depth['ba1']"] == 2
    assert found["cutcard_commit_seconds_sum['ba1']"] == pytest.approx(0.02)
    assert found["cutcard_view_seconds_count['ba1']"] == 1


def test_a_device_counts_bytes_frames_and_garbage() -> None:
    metrics = Metrics()
    metrics.device("ba1", "shoe", size=40, frames=1, garbage=3)
    metrics.device("ba1", "shoe", size=40, frames=1, garbage=0)
    metrics.device_online("ba1", "shoe", online=True)
    found = samples(metrics)
    assert found["cutcard_device_bytes_total['ba1', 'shoe']"] == 80
    assert found["cutcard_device_frames_total['ba1', 'shoe']"] == 2
    assert found["cutcard_device_garbage_total['ba1', 'shoe']"] == 3
    assert found["cutcard_device_online['ba1', 'shoe']"] == 1
    with pytest.raises(ValueError, match="non-negative"):
        metrics.device("ba1", "shoe", size=-1, frames=0, garbage=0)


def test_screens_and_receivers_have_gauges() -> None:
    metrics = Metrics()
    metrics.sockets("overlay", 4)
    metrics.outbox_age("house", 1.5)
    found = samples(metrics)
    assert found["cutcard_sockets['overlay']"] == 4
    assert found["cutcard_outbox_age_seconds['house']"] == 1.5


def test_two_studios_in_one_process_count_apart() -> None:
    first, second = Metrics(), Metrics()
    first.card_dealt("ba1")
    assert "cutcard_cards_dealt_total['ba1']" not in samples(second)
