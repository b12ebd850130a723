"""What is plugged in: serial ports and cameras, with the identity to write into the configuration.

Cameras are found by the names that Linux gives them, without opening one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

_V4L_CAPTURE_INDEX: Final = "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One port or camera; `setting` is the line for the configuration."""

    kind: str
    """``serial`` or ``camera``."""
    port: str
    name: str
    setting: str
    note: str = ""
    """What to watch out for, as a sentence; empty if nothing."""


def serial_ports(
    ports: Iterable[ListPortInfo] | None = None, root: Path = Path("/")
) -> tuple[Found, ...]:
    """The serial ports of this machine, in order of their names.

    Adapters that give the same serial number can only be told apart by the socket they are in.
    """
    known = sorted(list_ports.comports() if ports is None else ports, key=lambda each: each.device)
    times = Counter(port.serial_number for port in known if port.serial_number)
    by_path = _links(root / "dev/serial/by-path")
    found = []
    for port in known:
        serial, place = port.serial_number or "", by_path.get(port.device, port.device)
        note = ""
        if serial and times[serial] == 1:
            setting = f'usb_serial = "{serial}"'
        else:
            setting = f'url = "{place}"'
        if serial and times[serial] > 1:
            note = (
                f"{times[serial]} adapters give the serial number {serial}: "
                "they are told apart by the socket, so do not swap them"
            )
        elif not serial:
            note = "it gives no serial number: another device in this socket looks the same"
        found.append(
            Found(
                kind="serial",
                port=port.device,
                name=port.description or "serial port",
                setting=setting,
                note=note,
            )
        )
    return tuple(found)


def cameras(root: Path = Path("/")) -> tuple[Found, ...]:
    """The cameras that Linux knows, in order of their numbers; nothing on other systems."""
    by_id, by_path = _links(root / "dev/v4l/by-id"), _links(root / "dev/v4l/by-path")
    nodes = [node for node in _children(root / "sys/class/video4linux") if _is_capture(node)]
    names = {node: _text(node / "name") or "camera" for node in nodes}
    found = []
    for node in sorted(nodes, key=lambda each: (len(each.name), each.name)):
        device = f"/dev/{node.name}"
        # Two cameras with one identity share a link by identity; only one of them can have it.
        twins = [each for each in nodes if names[each] == names[node] and each != node]
        note = ""
        identity = by_id.get(device, "")
        if twins and not all(f"/dev/{each.name}" in by_id for each in (node, *twins)):
            identity = by_path.get(device, "")
            note = (
                "another camera has the same identity: they are told apart by the socket, "
                "so do not swap them"
            )
        elif not identity:
            identity = by_path.get(device, "")
            note = "it has no identity of its own: do not move it to another socket"
        found.append(
            Found(
                kind="camera",
                port=device,
                name=names[node],
                setting=f'source = "{identity or device}"',
                note=note,
            )
        )
    return tuple(found)


def _links(folder: Path) -> dict[str, str]:
    """The links of a folder under ``/dev``: device → link, as both are named on the machine."""
    found = {}
    for link in _children(folder):
        if link.is_symlink():
            found[f"/dev/{link.readlink().name}"] = "/" + "/".join(link.parts[-4:])
    return found


def _children(folder: Path) -> Sequence[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else ()


def _is_capture(node: Path) -> bool:
    """Cameras also have nodes for metadata, which have another index."""
    return (_text(node / "index") or _V4L_CAPTURE_INDEX) == _V4L_CAPTURE_INDEX


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
