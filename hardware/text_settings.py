"""Settings of a text reader: read once, refused in one sentence that names the key."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardware.link import Address
from hardware.settings import address_of, number_of, wrong
from hardware.text_codes import CodeTable, Kind, read_codes
from studio.live.ports import SettingDoc

SETTINGS: Final = (
    SettingDoc(name="url", default="", meaning="path, socket://host:port or rfc2217://host:port"),
    SettingDoc(
        name="usb_serial", default="", meaning="instead of url: serial number of the USB adapter"
    ),
    SettingDoc(
        name="identity", default="", meaning="only with usb_serial: the same number, to compare"
    ),
    SettingDoc(name="baud", default="9600", meaning="speed of the line, 1200 to 3000000"),
    SettingDoc(name="codes", default="value", meaning="value: a code is a value; unique: a card"),
    SettingDoc(
        name="cards", default="", meaning="CSV code,card or code,card,serial; see make-codes"
    ),
    SettingDoc(
        name="rearm_s", default="1.5", meaning="seconds: the same value again is asked about"
    ),
    SettingDoc(name="no_read", default="NR", meaning="what the reader sends when it read nothing"),
    SettingDoc(name="prefix", default="", meaning="text before each code"),
    SettingDoc(name="suffix", default="", meaning="text after each code; empty: CR, LF or both"),
    SettingDoc(
        name="line_timeout_ms", default="500", meaning="bytes that make no line so long are garbage"
    ),
    SettingDoc(
        name="ack", default="false", meaning="answer each line with ACK, where the reader waits"
    ),
    SettingDoc(
        name="trigger", default="", meaning="sent for a self-test: what makes the reader read now"
    ),
    SettingDoc(name="trace", default="", meaning="file of the bytes, without the cards"),
)
"""Settings of a real reader."""
SIMULATED: Final = (
    SettingDoc(name="link", default="", meaning="simulated only: path to be opened by the driver"),
    SettingDoc(name="seed", default="0", meaning="simulated only: of its noise"),
)
"""Settings of a simulated one; a real one ignores them, so that `sim:` may be tried in turn."""
_FROM_STUDIO: Final = {"driver", "known_boot", "known_sequence"}
BAUD: Final = 9600
"""As barcode readers leave the factory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a line looks: the same for who reads it and for who simulates it."""

    kind: Kind
    no_read: str
    prefix: bytes
    suffix: bytes
    ack: bool
    trigger: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSettings:
    """Checked settings of one reader."""

    address: Address
    identity: str
    look: Look
    table: CodeTable
    rearm_s: float
    line_timeout_s: float
    trace: Path | None


def read_text_settings(device: str, given: Mapping[str, Any]) -> TextSettings:
    """Check the settings of a reader.

    Keys of other drivers are accepted only while they are empty.

    Raises:
        SettingError: one sentence with the device, the key and what to write instead.
    """
    names = [each.name for each in (*SETTINGS, *SIMULATED)]
    for key, value in given.items():
        if key not in {*names, *_FROM_STUDIO} and value is not None and value != "":
            raise wrong(device, key, f"is unknown; known are {', '.join(names)}")
    address = address_of(device, given, BAUD)
    identity = str(given.get("identity") or "")
    if identity and not address.usb_serial:
        raise wrong(
            device, "identity", "cannot be checked: such a reader has no name, give usb_serial"
        )
    look = read_look(device, given)
    cards = str(given.get("cards") or "")
    if not cards:
        raise wrong(device, "cards", "is missing: give a CSV file; `cutcard make-codes` prints one")
    table = read_codes(Path(cards), look.kind)
    if look.no_read in table:
        raise wrong(device, "no_read", "is also the code of a card: give another text")
    trace = str(given.get("trace") or "")
    return TextSettings(
        address=address,
        identity=identity,
        look=look,
        table=table,
        rearm_s=number_of(device, given, "rearm_s", 1.5, (0.0, 60.0)),
        line_timeout_s=number_of(device, given, "line_timeout_ms", 500, (20, 10_000)) / 1000,
        trace=Path(trace) if trace else None,
    )


def read_look(device: str, given: Mapping[str, Any]) -> Look:
    """Check how a line looks.

    Raises:
        SettingError: one sentence.
    """
    kind = str(given.get("codes") or Kind.VALUE)
    if kind not in set(Kind):
        raise wrong(device, "codes", f"is {kind!r}: write value or unique")
    no_read = given.get("no_read")
    ack = given.get("ack") or False
    return Look(
        kind=Kind(kind),
        no_read=str("NR" if no_read is None else no_read),
        prefix=_mark(device, given, "prefix"),
        suffix=_mark(device, given, "suffix"),
        ack=ack is True or str(ack).lower() == "true",
        trigger=_mark(device, given, "trigger"),
    )


def _mark(device: str, given: Mapping[str, Any], key: str) -> bytes:
    text = str(given.get(key) or "")
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        raise wrong(device, key, f"is {text!r}: write characters of one byte each") from None
