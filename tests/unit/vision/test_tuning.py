"""Settings of a camera: set, read back, watched, and what it refuses said in words."""

from __future__ import annotations

import cv2
import pytest

from vision.tuning import (
    DROPPED,
    SETTLE_S,
    WATCH_S,
    Tuner,
    TuningError,
    Wanted,
    fourcc_text,
    wanted_of,
)

SIZE = (1280, 720)
EXPOSURE = {"exposure": 80}


class Driver:
    """A capture device by script: it keeps what it is told, unless it is told not to."""

    def __init__(self, *, stubborn: tuple[int, ...] = (), **first: float) -> None:
        self.stubborn = stubborn
        self.values: dict[int, float] = {
            cv2.CAP_PROP_EXPOSURE: 156.0,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_FPS: 30.0,
        }
        self.asked: list[int] = []

    def set(self, prop: int, value: float) -> bool:
        self.asked.append(prop)
        if prop not in self.stubborn:
            self.values[prop] = value
        return True

    def get(self, prop: int) -> float:
        return self.values.get(prop, 0.0)


def test_an_exposure_is_set_by_hand_and_read_back() -> None:
    driver = Driver()
    tuner = Tuner(wanted_of(EXPOSURE, SIZE), cv2.CAP_V4L2)
    tuner.apply(driver, 0.0)
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == 80.0
    assert tuner.complaints == ()


def test_format_size_and_rate_are_set_in_the_order_that_cameras_want() -> None:
    driver = Driver()
    Tuner(wanted_of({"rate": 60, "exposure": 80}, SIZE), cv2.CAP_V4L2).apply(driver, 0.0)
    order = [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT]
    order += [cv2.CAP_PROP_FPS, cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE]
    assert [each for each in driver.asked if each in order] == order


@pytest.mark.parametrize(
    ("deaf", "options", "sentence"),
    [
        (cv2.CAP_PROP_EXPOSURE, EXPOSURE, "exposure 80 was refused: the camera says 156"),
        (
            cv2.CAP_PROP_AUTO_EXPOSURE,
            EXPOSURE,
            "exposure 80: the camera's automatic goes on and may change it",
        ),
        (cv2.CAP_PROP_FOCUS, {"focus": 30}, "focus 30 was refused: the camera says 0"),
        (
            cv2.CAP_PROP_AUTO_WB,
            {"white_balance": 4600},
            "white_balance 4600: the camera's automatic goes on and may change it",
        ),
        (
            cv2.CAP_PROP_FRAME_HEIGHT,
            {},
            "size 1280 × 720 was refused: the camera gives 1280 × 0",
        ),
        (cv2.CAP_PROP_FPS, {"rate": 60}, "rate 60 was refused: the camera says 30"),
        (
            cv2.CAP_PROP_FOURCC,
            {"format": "YUYV"},
            "format YUYV was refused: the camera gives another",
        ),
    ],
)
def test_what_a_camera_refuses_is_said(
    deaf: int, options: dict[str, object], sentence: str
) -> None:
    tuner = Tuner(wanted_of(options, SIZE), cv2.CAP_V4L2)
    tuner.apply(Driver(stubborn=(deaf,)), 0.0)
    assert tuner.complaints == (sentence,)


def test_a_camera_that_takes_an_exposure_only_after_some_frames_is_told_again() -> None:
    driver = Driver(stubborn=(cv2.CAP_PROP_EXPOSURE,))
    tuner = Tuner(wanted_of(EXPOSURE), cv2.CAP_V4L2)
    tuner.apply(driver, 10.0)
    assert not tuner.watch(driver, 10.0 + SETTLE_S / 2)
    driver.stubborn = ()
    assert tuner.watch(driver, 10.0 + SETTLE_S)
    assert tuner.complaints == ()
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == 80.0


def test_a_dropped_setting_is_given_again_and_at_last_left_alone() -> None:
    driver = Driver()
    tuner = Tuner(wanted_of(EXPOSURE), cv2.CAP_V4L2)
    tuner.apply(driver, 0.0)
    driver.values[cv2.CAP_PROP_EXPOSURE] = 200.0
    assert not tuner.watch(driver, SETTLE_S)
    assert driver.values[cv2.CAP_PROP_EXPOSURE] == 80.0
    driver.stubborn = (cv2.CAP_PROP_EXPOSURE,)
    driver.values[cv2.CAP_PROP_EXPOSURE] = 200.0
    now_s = SETTLE_S
    for _ in range(DROPPED + 3):
        now_s += WATCH_S
        tuner.watch(driver, now_s)
    assert tuner.complaints == ("exposure 80 was refused: the camera says 200",)
    assert driver.asked.count(cv2.CAP_PROP_EXPOSURE) <= 2 + DROPPED
    driver.stubborn = ()
    driver.values[cv2.CAP_PROP_EXPOSURE] = 80.0
    assert tuner.watch(driver, now_s + WATCH_S)
    assert tuner.complaints == ()


def test_auto_gives_the_exposure_back_to_the_camera() -> None:
    driver = Driver()
    driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] = 1.0
    tuner = Tuner(wanted_of({"exposure": "auto"}), cv2.CAP_V4L2)
    tuner.apply(driver, 0.0)
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    assert cv2.CAP_PROP_EXPOSURE not in driver.asked
    assert tuner.complaints == ()


def test_a_driver_with_the_old_words_is_understood() -> None:
    """0.25 was "by hand" before OpenCV passed V4L2's own values on (opencv issue 9738)."""

    class Old(Driver):
        def set(self, prop: int, value: float) -> bool:
            if prop == cv2.CAP_PROP_AUTO_EXPOSURE and value not in {0.25, 0.75}:
                return False
            return super().set(prop, value)

    driver = Old()
    tuner = Tuner(wanted_of(EXPOSURE), cv2.CAP_V4L2)
    tuner.apply(driver, 0.0)
    assert driver.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 0.25
    assert tuner.complaints == ()


def test_a_stream_is_not_touched_and_says_that_it_cannot_be_set() -> None:
    driver = Driver()
    tuner = Tuner(wanted_of(EXPOSURE, SIZE), cv2.CAP_FFMPEG)
    tuner.apply(driver, 0.0)
    assert driver.asked == []
    assert tuner.complaints == (
        "exposure cannot be set through a stream or file: set it in the camera itself",
    )
    assert not tuner.watch(driver, 100.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"exposure": "fast"}, 'exposure: give a number or "auto"'),
        ({"focus": True}, 'focus: give a number or "auto"'),
        ({"gain": "auto"}, "gain: a camera has no automatic for it"),
        ({"format": "MJPEG"}, "format: give four letters"),
    ],
)
def test_a_setting_that_is_none_is_refused_in_words(options: dict[str, object], words: str) -> None:
    with pytest.raises(TuningError, match=words):
        wanted_of(options)


def test_nothing_wanted_is_nothing_watched() -> None:
    driver = Driver()
    tuner = Tuner(Wanted(), cv2.CAP_V4L2)
    tuner.apply(driver, 0.0)
    driver.asked.clear()
    assert not tuner.watch(driver, 1000.0)
    assert driver.asked == []


def test_a_format_is_four_letters_or_nothing() -> None:
    assert fourcc_text(cv2.VideoWriter.fourcc(*"MJPG")) == "MJPG"
    assert fourcc_text(0.0) == fourcc_text(-1.0) == fourcc_text(7.0) == ""
