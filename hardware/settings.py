"""Settings of a wire device: read once, refused in one sentence that names the key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardware.errors import SettingError
from hardware.line_codec import MODULUS
from hardware.link import Address
from studio.live.ports import SettingDoc

SETTINGS: Final = (
    SettingDoc(name="url", default="", meaning="path, socket://host:port or rfc2217://host:port"),
    SettingDoc(
        name="usb_serial", default="", meaning="instead of url: serial number of the USB adapter"
    ),
    SettingDoc(
        name="identity", default="", meaning="serial that the device must give; empty takes any"
    ),
    SettingDoc(name="baud", default="115200", meaning="speed of the line, 1200 to 3000000"),
    SettingDoc(
        name="silence_s", default="3.0", meaning="seconds without a frame before it is asked for"
    ),
    SettingDoc(name="trace", default="", meaning="file of the bytes, without the cards"),
)
"""Settings of a real device."""
SIMULATED: Final = (
    SettingDoc(name="link", default="", meaning="simulated only: path to be opened by the driver"),
    SettingDoc(name="device", default="shoe-7", meaning="simulated only: its name on the line"),
    SettingDoc(
        name="late_identity", default="false", meaning="simulated only: tells a draw, then its card"
    ),
    SettingDoc(name="seed", default="0", meaning="simulated only: of its noise"),
)
"""Settings of a simulated device; a real one ignores them, so that `sim:` may be tried in turn."""
_FROM_STUDIO: Final = {"driver", "known_boot", "known_sequence"}
_ADDRESS: Final = re.compile(r"(socket|rfc2217)://[^/\s:]+:\d+(/\S*)?|spy://.*|/.+|COM\d+")
_BOOT: Final = re.compile(r"[0-9A-Fa-f]{8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WireSettings:
    """Checked settings of one device."""

    address: Address
    identity: str
    silence_s: float
    trace: Path | None
    known: tuple[str, int] | None
    """Boot id and sequence of the newest fact in the journal; None if there is none."""


def read_settings(device: str, given: Mapping[str, Any]) -> WireSettings:
    """Check the settings of a device.

    Keys of other drivers are accepted only while they are empty.

    Raises:
        SettingError: one sentence with the device, the key and what to write instead.
    """
    names = [each.name for each in (*SETTINGS, *SIMULATED)]
    for key, value in given.items():
        if key not in {*names, *_FROM_STUDIO} and value is not None and value != "":
            raise wrong(device, key, f"is unknown; known are {', '.join(names)}")
    trace = str(given.get("trace") or "")
    return WireSettings(
        address=address_of(device, given),
        identity=str(given.get("identity") or ""),
        silence_s=number_of(device, given, "silence_s", 3.0, (0.5, 600.0)),
        trace=Path(trace) if trace else None,
        known=_known(device, given),
    )


def address_of(device: str, given: Mapping[str, Any], baud: int = 115200) -> Address:
    """Where the device is: `url` or `usb_serial`, and the speed, `baud` if none is given.

    Raises:
        SettingError: one sentence.
    """
    url, usb = str(given.get("url") or ""), str(given.get("usb_serial") or "")
    if bool(url) == bool(usb):
        raise wrong(device, "url", "or usb_serial must be given, one of them")
    if url and not _ADDRESS.fullmatch(url):
        raise wrong(
            device, "url", f"is {url!r}: write a path such as /dev/ttyUSB0 or socket://host:port"
        )
    speed = number_of(device, given, "baud", baud, (1200, 3_000_000))
    return Address(url=url, usb_serial=usb, baud=int(speed))


def number_of(
    device: str, given: Mapping[str, Any], key: str, default: float, limits: tuple[float, float]
) -> float:
    """A number between two limits, or the default where none is given.

    Raises:
        SettingError: one sentence.
    """
    value = given.get(key)
    if value is None or value == "":
        return default
    low, high = limits
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not low <= number <= high:
        raise wrong(device, key, f"is {value!r}: write a number from {low:g} to {high:g}")
    return number


def _known(device: str, given: Mapping[str, Any]) -> tuple[str, int] | None:
    boot, sequence = str(given.get("known_boot") or ""), given.get("known_sequence")
    if not boot or sequence is None:
        return None
    if not _BOOT.fullmatch(boot):
        raise wrong(device, "known_boot", f"is {boot!r}: it has eight hexadecimal digits")
    if isinstance(sequence, bool) or not isinstance(sequence, int) or not 0 <= sequence < MODULUS:
        raise wrong(device, "known_sequence", f"is {sequence!r}: it is a number from 0 to 65535")
    return boot, sequence


def wrong(device: str, key: str, words: str) -> SettingError:
    """The error for a setting, as one sentence."""
    return SettingError(f"device {device}: setting {key} {words}", device=device)
