"""What the studio's process tells of a camera and hands to it, without the camera's own process."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from multiprocessing import Pipe
from typing import TYPE_CHECKING

import pytest

from studio.domain.observations import DeviceOnline, Observation
from studio.live.clock import SystemClock
from studio.live.ports import BenchRefused, CameraOptions
from vision.calibration import store
from vision.plugin import open_real
from vision.worker import Ready

if TYPE_CHECKING:
    from pathlib import Path

    from vision.layout import Layout


def test_a_layout_changed_on_the_disk_is_named_once_the_camera_works_with_it(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ba1.json"
    first = store.keep(layout, file).sha256[:12]
    options = CameraOptions(source="0", game=layout.game, layout=file)
    camera = open_real("camera", options, SystemClock())
    told: list[Observation] = []
    monkeypatch.setattr(camera, "_report", told.append)

    def firmware() -> str:
        camera._came(Ready("c", "0", "reader w"))
        assert isinstance(told[-1], DeviceOnline)
        return told[-1].firmware

    assert firmware() == f"1 reader w, layout ba1.json ({first})"
    second = store.keep(replace(layout, residual_mm=0.7), file).sha256[:12]
    assert firmware() == f"1 reader w, layout ba1.json ({first})"
    with pytest.raises(BenchRefused):  # there is no process, but what was kept is taken over
        camera.bench("close", {})
    assert firmware() == f"1 reader w, layout ba1.json ({second})"
    good = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    file.write_text("{", encoding="utf-8")
    with pytest.raises(BenchRefused):
        camera.bench("close", {})
    assert firmware() == f"1 reader w, layout ba1.json ({good})"


def test_lists_in_lists_without_end_are_refused_and_nothing_waits_for_them(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ba1.json"
    store.keep(layout, file)
    options = CameraOptions(source="0", game=layout.game, layout=file)
    camera = open_real("camera", options, SystemClock())
    ours, theirs = Pipe()
    monkeypatch.setattr(camera, "_pipe", ours)
    monkeypatch.setattr(camera, "_online", True)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with ours, theirs, pytest.raises(BenchRefused, match="nested too deeply") as no:
        camera.bench("plane", {"points": deep})
    assert no.value.code == "refused.malformed"
    assert camera._tickets == {}
