"""The synthetic camera in its own process: the real path from pixels to observations."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from studio.domain.cards import PACK
from studio.domain.observations import (
    CameraFit,
    CameraUnfit,
    CardsSeen,
    DeviceOffline,
    DeviceOnline,
    LinkRates,
    Look,
    SelfTested,
    Unfit,
)
from vision.synthetic.camera import FRAMES_TO_ASK, FRAMES_TO_SETTLE, FRAMES_TO_UNFIT
from vision.synthetic.world import FAULTS

if TYPE_CHECKING:
    from tests.integration.vision.conftest import Bench

Open = Callable[..., "Bench"]


def test_a_felt_on_which_cards_lie_at_the_start_is_never_told_to_be_empty(open_bench: Open) -> None:
    """After a restart that would be cards that are gone."""
    bench = open_bench(laid=("9S", "2D"))
    assert {str(each.card) for each in bench.settle("P", 2)} == {"9S", "2D"}
    zones = [zone for seen in bench.of(CardsSeen) for zone in seen.zones if zone.zone == "P"]
    assert {len(zone.cards) for zone in zones if zone.settled} == {2}


@pytest.mark.timeout(300)
def test_of_52_cards_none_is_read_wrong_and_at_most_two_are_asked_about(open_bench: Open) -> None:
    bench = open_bench()
    cards = [card.code for card in PACK]
    random.Random(7).shuffle(cards)
    asked, wrong, right = [], [], 0
    for first in range(0, 52, 4):
        for number, code in enumerate(cards[first : first + 4]):
            zone, place = ("P", "B")[number % 2], number // 2
            bench.camera.lay(zone, code, sideways=place == 1 and first % 8 == 0)
            seen = bench.settle(zone, place + 1)[place]
            if not seen.sure:
                asked.append(code)
            elif str(seen.card) == code:
                right += 1
            else:
                wrong.append((code, str(seen.card)))
        bench.camera.clear("P")
        bench.camera.clear("B")
        assert bench.settle("P", 0) == []
        assert bench.zone("B").cards == ()
    assert wrong == []
    assert len(asked) <= 2
    assert right + len(asked) == 52


def test_backs_and_the_cut_card_are_told_and_a_turned_back_is_a_card(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.lay("BURN", "5D", face_up=False)
    (back,) = bench.settle("BURN", 1)
    assert back.look is Look.BACK
    bench.camera.lay("BURN", "CUT")
    assert bench.settle("BURN", 2)[1].look is Look.CUT
    bench.camera.turn("BURN", 0)
    card = bench.settle("BURN", 2)[0]
    assert (str(card.card), card.track) == ("5D", back.track)
    bench.camera.take("BURN", 0)
    assert [each.look for each in bench.settle("BURN", 1)] == [Look.CUT]


def test_step_returns_after_all_was_reported_with_the_clocks_instants(open_bench: Open) -> None:
    bench = open_bench()
    before = time.time_ns() // 1000
    bench.camera.step(FRAMES_TO_SETTLE)
    assert len(bench.of(DeviceOnline)) == 1
    assert len(bench.of(CameraFit)) == 1
    count = len(bench.reports)
    bench.camera.lay("P", "9S")
    assert len(bench.reports) == count
    bench.camera.step(FRAMES_TO_ASK)
    assert len(bench.zone("P").cards) == 1
    instants = [each.at_us for each in bench.reports]
    assert before <= min(instants)
    assert max(instants) <= time.time_ns() // 1000
    frames = [each.frame for each in bench.of(CardsSeen)]
    assert frames == sorted(set(frames))
    assert (bench.camera.picture() or b"").startswith(b"\xff\xd8")


@pytest.mark.parametrize("fault", ["frozen", "lost", "dark", "knocked", "blur"])
def test_a_camera_fault_is_told_once_and_its_end_once(open_bench: Open, fault: str) -> None:
    bench = open_bench()
    bench.camera.step(FRAMES_TO_SETTLE)
    bench.camera.switch(fault)
    bench.camera.step(2 * FRAMES_TO_UNFIT)
    assert [each.why for each in bench.of(CameraUnfit)] == [Unfit(fault)]
    bench.camera.switch(fault, on=False)
    bench.camera.step(2 * FRAMES_TO_UNFIT)
    assert len(bench.of(CameraUnfit)) == 1
    assert len(bench.of(CameraFit)) == 2


def test_a_self_test_passes_while_the_camera_sees_and_fails_while_it_does_not(
    open_bench: Open,
) -> None:
    bench = open_bench()
    bench.camera.step(FRAMES_TO_SETTLE)
    bench.camera.test()
    bench.wait_for(lambda: [each.passed for each in bench.of(SelfTested)] == [True])
    bench.camera.switch("dark")
    bench.camera.step(40)
    bench.camera.test()
    bench.wait_for(lambda: [each.passed for each in bench.of(SelfTested)] == [True, False])
    bench.camera.stop()
    bench.camera.test()
    assert [each.passed for each in bench.of(SelfTested)] == [True, False, False]


def test_a_hand_keeps_a_zone_unsettled_until_it_is_away(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.lay("P", "7H")
    bench.settle("P", 1)
    bench.camera.switch("hand")
    bench.camera.step(20)
    assert not bench.zone("P").settled
    bench.camera.switch("hand", on=False)
    assert len(bench.settle("P", 1)) == 1


def test_an_unsure_card_is_asked_about_and_the_next_is_not(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.switch("unsure")
    bench.camera.lay("P", "7H")
    assert not bench.settle("P", 1)[0].sure
    bench.camera.lay("P", "8H")
    assert bench.settle("P", 2)[1].sure


def test_a_card_in_the_wrong_zone_lands_in_the_other_hand(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.switch("wrong_zone")
    bench.camera.lay("P", "7H")
    assert len(bench.settle("B", 1)) == 1
    bench.camera.lay("P", "8H")
    assert len(bench.settle("P", 1)) == 1


def test_a_killed_process_is_replaced_and_the_cards_still_lie_there(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.lay("P", "7H")
    track = bench.settle("P", 1)[0].track
    os.kill(bench.camera.process_id or 0, signal.SIGKILL)
    bench.wait_for(lambda: len(bench.of(DeviceOnline)) == 2, 60.0)
    assert len(bench.of(DeviceOffline)) == 1
    assert [card.track for card in bench.settle("P", 1)] == [track]
    bench.camera.lay("P", "8H")
    assert bench.settle("P", 2)[1].track > track
    bench.camera.clear("P")
    bench.settle("P", 0)
    boots = [each.boot for each in bench.of(DeviceOnline)]
    assert boots[0] != boots[1]


def test_a_self_test_that_loses_its_process_is_followed_by_the_loss_and_passes_later(
    open_bench: Open,
) -> None:
    """Whether the answer came first or not: it is answered, or the camera is told to be away."""
    bench = open_bench()
    bench.camera.step(FRAMES_TO_SETTLE)
    os.kill(bench.camera.process_id or 0, signal.SIGKILL)
    bench.camera.test()
    bench.wait_for(lambda: len(bench.of(DeviceOnline)) == 2, 60.0)
    assert len(bench.of(DeviceOffline)) == 1
    bench.camera.step(FRAMES_TO_SETTLE)
    bench.camera.test()
    bench.wait_for(lambda: [each.passed for each in bench.of(SelfTested)][-1:] == [True])


def test_a_step_that_loses_its_process_is_done_by_the_next(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.step(FRAMES_TO_SETTLE)
    bench.camera.lay("P", "7H")
    os.kill(bench.camera.process_id or 0, signal.SIGKILL)
    bench.camera.step(2 * FRAMES_TO_ASK)
    assert len(bench.zone("P").cards) == 1


def test_a_process_that_hangs_is_killed_and_replaced(open_bench: Open) -> None:
    bench = open_bench(silent_s=3.0)
    bench.camera.step(FRAMES_TO_SETTLE)
    os.kill(bench.camera.process_id or 0, signal.SIGSTOP)
    bench.wait_for(lambda: len(bench.of(DeviceOnline)) >= 2, 60.0)
    assert "said nothing" in bench.of(DeviceOffline)[0].reason


def test_stop_returns_within_two_seconds_even_if_the_process_hangs(open_bench: Open) -> None:
    bench = open_bench()
    bench.camera.step(1)
    os.kill(bench.camera.process_id or 0, signal.SIGSTOP)
    began = time.monotonic()
    bench.camera.stop()
    assert time.monotonic() - began < 2.0


def test_a_running_camera_shows_a_card_by_itself_and_counts_its_frames(open_bench: Open) -> None:
    bench = open_bench(stepped=False)
    bench.wait_for(lambda: bool(bench.of(CameraFit)))
    bench.camera.lay("P", "7H")
    bench.camera.step(FRAMES_TO_SETTLE)
    bench.wait_for(lambda: bool(bench.of(CardsSeen)) and len(bench.zone("P").cards) == 1)
    bench.wait_for(lambda: len(bench.of(LinkRates)) >= 2)
    rates = bench.of(LinkRates)[-1]
    assert rates.bytes >= rates.frames > 0


def test_impossible_orders_are_refused_in_words(open_bench: Open) -> None:
    bench = open_bench()
    with pytest.raises(ValueError, match="no zone 'M' on this felt: it has P B BURN DISCARD"):
        bench.camera.lay("M", "7H")
    with pytest.raises(ValueError, match="'7X' is not a card"):
        bench.camera.lay("P", "7X")
    with pytest.raises(ValueError, match="zone P has no card number 0: it holds 0"):
        bench.camera.take("P", 0)
    with pytest.raises(ValueError, match="no fault 'fire': it has frozen lost"):
        bench.camera.switch("fire")
    for code in ("7H", "8H", "9H", "TH"):
        bench.camera.lay("P", code)
    with pytest.raises(ValueError, match="zone P has no free place: clear it first"):
        bench.camera.lay("P", "2C")
    assert len(FAULTS) == 8


def test_the_plugin_is_imported_without_opencv(root: Path) -> None:
    code = "import vision.plugin, vision.commands, sys; sys.exit('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, check=False)
    assert done.returncode == 0
