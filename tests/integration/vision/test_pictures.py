"""Pictures of the last seconds come out of the camera's own process when they are asked for."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np

from studio.domain.observations import CardsSeen, DeviceOffline, DeviceOnline
from studio.live.ports import KeepsPictures

if TYPE_CHECKING:
    from tests.integration.vision.conftest import Bench

Open = Callable[..., "Bench"]
DAY_US = 86_400_000_000


def now_us() -> int:
    return time.time_ns() // 1000


def test_pictures_have_the_instants_of_their_frames_and_are_in_order(open_bench: Open) -> None:
    bench = open_bench()
    assert isinstance(bench.camera, KeepsPictures)
    bench.camera.step(16)
    between = now_us()
    bench.camera.lay("P", "7H")
    bench.camera.step(16)
    after = now_us()
    early = bench.camera.pictures(0, between)
    late = bench.camera.pictures(between, after)
    assert len(early) >= 3
    assert len(late) >= 3
    instants = [at for at, _ in (*early, *late)]
    assert instants == sorted(instants)
    assert instants[-1] <= after
    shown = cv2.imdecode(np.frombuffer(late[-1][1], np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape[1] == 960
    before = cv2.imdecode(np.frombuffer(early[-1][1], np.uint8), cv2.IMREAD_COLOR)
    assert cv2.absdiff(shown, before).max() > 100


def test_of_a_time_that_nobody_saw_there_is_no_picture(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.step(16)
    assert bench.camera.pictures(now_us() + DAY_US, now_us() + 2 * DAY_US) == ()
    assert bench.camera.pictures(0, 1) == ()


def test_a_running_camera_gives_its_pictures_while_it_goes_on(open_bench: Open) -> None:
    bench = open_bench(stepped=False)
    bench.camera.lay("P", "7H")
    bench.wait_for(lambda: bool(bench.of(CardsSeen)) and bool(bench.zone("P").cards))
    until = now_us()
    found = bench.camera.pictures(until - 3_000_000, until)
    assert found
    assert all(jpeg[:2] == b"\xff\xd8" for _, jpeg in found)


def test_with_the_process_its_pictures_are_gone_and_the_next_one_keeps_its_own(
    open_bench: Open,
) -> None:
    bench = open_bench()
    bench.camera.step(16)
    assert bench.camera.pictures(0, now_us())
    process = bench.camera.process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)
    bench.wait_for(lambda: bool(bench.of(DeviceOffline)))
    began = now_us()
    bench.wait_for(lambda: len(bench.of(DeviceOnline)) == 2)
    bench.camera.step(16)
    found = bench.camera.pictures(0, now_us())
    assert found
    assert found[0][0] >= began


def test_a_stopped_camera_gives_none_at_once(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.step(16)
    bench.camera.stop()
    assert bench.camera.pictures(0, now_us()) == ()
