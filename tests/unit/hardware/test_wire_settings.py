"""Settings of a wire device."""

from __future__ import annotations

import pytest

from hardware.cutcard_line import open_device
from hardware.errors import SettingError
from hardware.settings import read_settings
from studio.live.clock import ManualClock


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "url or usb_serial must be given"),
        ({"url": "/dev/x", "usb_serial": "A7"}, "one of them"),
        ({"url": "ttyUSB0"}, "write a path such as /dev/ttyUSB0"),
        ({"url": "socket://host"}, "socket://host:port"),
        ({"url": "/dev/x", "baud": 300}, "baud is 300: write a number from 1200 to 3e\\+06"),
        ({"url": "/dev/x", "baud": "fast"}, "baud is 'fast'"),
        ({"url": "/dev/x", "silence_s": 0}, "silence_s is 0"),
        ({"url": "/dev/x", "silence_s": True}, "silence_s is True"),
        ({"url": "/dev/x", "colour": "red"}, "setting colour is unknown; known are"),
        ({"url": "/dev/x", "codes": ["7H"]}, "setting codes is unknown"),
        ({"url": "/dev/x", "known_boot": "xyz", "known_sequence": 1}, "eight hexadecimal"),
        ({"url": "/dev/x", "known_boot": "9F3A12C4", "known_sequence": 70000}, "0 to 65535"),
    ],
)
def test_a_wrong_setting_is_refused_in_a_sentence_that_names_it(
    settings: dict[str, object], words: str
) -> None:
    with pytest.raises(SettingError, match=words) as caught:
        open_device("ba1.shoe", settings, ManualClock())
    assert str(caught.value).startswith("device ba1.shoe: setting ")
    assert isinstance(caught.value, ValueError)


def test_empty_settings_of_other_drivers_are_no_mistake() -> None:
    settings = {"url": "/dev/x", "driver": "cutcard-line", "codes": "", "no_read": None, "seed": 3}
    assert read_settings("shoe", settings).silence_s == 3.0
