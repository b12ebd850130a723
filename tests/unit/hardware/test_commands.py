"""`cutcard devices` and `cutcard simulate-device`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from hardware import commands
from hardware.commands import COMMANDS, devices, simulate_device
from hardware.cutcard_line import DRIVER, open_device
from hardware.finding import Found, cameras, serial_ports
from hardware.sim.faults import FAULTS
from hardware.sim.script import Draw, Load, Meet, Switch, Wait, parse_order, parse_script
from hardware.sim.wallclock import WallClock
from studio.domain.observations import CardRead, DeviceOnline
from studio.live.clock import ManualClock
from tests.support.hardware.watch import Watch


@pytest.fixture(autouse=True)
def _one_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """The drivers as they are after installation."""
    monkeypatch.setattr(commands, "installed_drivers", lambda: (DRIVER,))


def run(command: Any, *args: str) -> Any:
    return CliRunner().invoke(command, args)


def port(device: str, serial: str | None) -> Any:
    return SimpleNamespace(device=device, serial_number=serial, description="USB adapter")


def test_the_commands_are_offered_under_their_names() -> None:
    assert [each.name for each in COMMANDS] == ["devices", "simulate-device", "make-codes"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_each_command_has_help_with_an_example(command: Any) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Example: cutcard {command.name}" in result.output


# -- what is plugged in ---------------------------------------------------------------------------


def test_an_adapter_with_its_own_serial_number_is_named_by_it() -> None:
    (found,) = serial_ports([port("/dev/ttyUSB0", "A7")])
    assert found == Found(
        kind="serial", port="/dev/ttyUSB0", name="USB adapter", setting='usb_serial = "A7"'
    )


def test_two_adapters_with_one_serial_number_are_told_apart_by_their_socket(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "dev/serial/by-path"
    folder.mkdir(parents=True)
    for number in range(2):
        (folder / f"pci-usb-{number}").symlink_to(f"../../ttyUSB{number}")
    found = serial_ports([port("/dev/ttyUSB1", "A7"), port("/dev/ttyUSB0", "A7")], tmp_path)
    assert [each.setting for each in found] == [
        'url = "/dev/serial/by-path/pci-usb-0"',
        'url = "/dev/serial/by-path/pci-usb-1"',
    ]
    assert "2 adapters give the serial number A7" in found[0].note


def test_a_port_without_a_serial_number_is_named_by_its_path_with_a_warning(
    tmp_path: Path,
) -> None:
    (found,) = serial_ports([port("/dev/ttyS0", None)], tmp_path)
    assert found.setting == 'url = "/dev/ttyS0"'
    assert "no serial number" in found.note


def _camera(root: Path, number: int, name: str, *, by_id: str = "", index: int = 0) -> None:
    node = root / f"sys/class/video4linux/video{number}"
    node.mkdir(parents=True)
    (node / "name").write_text(f"{name}\n", encoding="utf-8")
    (node / "index").write_text(f"{index}\n", encoding="utf-8")
    for kind, link in (("by-id", by_id), ("by-path", f"pci-{number}")):
        if link:
            folder = root / "dev/v4l" / kind
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / link
            path.unlink(missing_ok=True)
            path.symlink_to(f"../../video{number}")


def test_a_camera_is_named_by_its_identity_and_its_metadata_node_is_left_out(
    tmp_path: Path,
) -> None:
    _camera(tmp_path, 0, "HD Cam", by_id="usb-HD_Cam_77-video-index0")
    _camera(tmp_path, 1, "HD Cam", by_id="usb-HD_Cam_77-video-index1", index=1)
    (found,) = cameras(tmp_path)
    assert found.port == "/dev/video0"
    assert found.setting == 'source = "/dev/v4l/by-id/usb-HD_Cam_77-video-index0"'
    assert not found.note


def test_two_cameras_with_one_identity_are_told_apart_by_their_socket(tmp_path: Path) -> None:
    _camera(tmp_path, 0, "HD Cam", by_id="usb-HD_Cam-video-index0")
    _camera(tmp_path, 2, "HD Cam", by_id="usb-HD_Cam-video-index0")
    found = cameras(tmp_path)
    assert [each.setting for each in found] == [
        'source = "/dev/v4l/by-path/pci-0"',
        'source = "/dev/v4l/by-path/pci-2"',
    ]
    assert all("same identity" in each.note for each in found)


def test_without_cameras_there_are_none(tmp_path: Path) -> None:
    assert cameras(tmp_path) == ()


def test_devices_prints_the_line_for_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    found = serial_ports([port("/dev/ttyUSB0", "A7")])
    monkeypatch.setattr(commands, "serial_ports", lambda: found)
    monkeypatch.setattr(commands, "cameras", lambda: ())
    result = run(devices)
    assert result.exit_code == 0
    assert 'usb_serial = "A7"' in result.output
    lines = run(devices, "--json").stdout.splitlines()
    assert [json.loads(line)["port"] for line in lines] == ["/dev/ttyUSB0"]


def test_devices_says_so_when_nothing_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "serial_ports", lambda: ())
    monkeypatch.setattr(commands, "cameras", lambda: ())
    result = run(devices)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "plug one in and ask again" in result.stderr


def test_devices_lists_drivers_with_settings_and_fault_names() -> None:
    output = run(devices, "--drivers").output
    assert "cutcard-line: " in output
    for word in ("url", "usb_serial", "identity", "baud", "silence_s", "trace", *FAULTS):
        assert word in output
    (line,) = run(devices, "--drivers", "--json").stdout.splitlines()
    assert json.loads(line)["faults"] == list(FAULTS)


# -- scripts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("draw", Draw(None, None)),
        ("draw 7H", Draw("7H", None)),
        ("draw CUT", Draw("CUT", None)),
        ("draw 7H as 8H", Draw("7H", "8H")),
        ("draw as ??", Draw(None, "??")),
        ("wait 1.5  # a little", Wait(1.5)),
        ("wait studio", Meet()),
        ("fault noise on", Switch("noise", True)),
        ("fault noise off", Switch("noise", False)),
        ("load 7H KS CUT", Load(("7H", "KS", "CUT"))),
        ("", None),
        ("# nothing", None),
    ],
)
def test_every_order_of_a_script_is_understood(line: str, order: object) -> None:
    assert parse_order(line, FAULTS) == order


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dance", "'dance' is no order: write draw"),
        ("draw 1H", "'1H' is not a card"),
        ("draw 7H as CUT", "'CUT' is not a card"),
        ("wait long", "write seconds, as 1.5"),
        ("wait -1", "write seconds"),
        ("wait nan", "write seconds"),
        ("fault frozen on", "'frozen' is no fault: take one of split_frame"),
        ("fault noise", "is no order"),
        ("load", "is no order"),
    ],
)
def test_a_wrong_order_is_named_with_its_line(line: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"^line 2: ") as caught:
        list(parse_script(["draw", line], FAULTS))
    assert words in str(caught.value)


# -- a simulated device in a process of its own ---------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nothing",), "'nothing' is no driver: take one of cutcard-line."),
        (("cutcard-line", "--fault", "frozen"), "'frozen' is no fault of cutcard-line: take"),
        (("cutcard-line", "--script", "/nowhere/x"), "cannot be read: No such file"),
        (("cutcard-line", "--link", "/nowhere/x"), "cannot be made (No such file"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_exit_2(args: tuple[str, ...], words: str) -> None:
    result = run(simulate_device, *args)
    assert result.exit_code == 2
    assert words in result.output.replace("\n", " ")


def test_a_script_with_a_wrong_line_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    script = tmp_path / "shoe.txt"
    script.write_text("load 7H\ndraw\ndance\n", encoding="utf-8")
    result = run(simulate_device, "cutcard-line", "--script", str(script))
    assert result.exit_code == 2
    assert "line 3: 'dance' is no order" in result.output
    assert "drew" not in result.output


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_it_runs_until_it_is_told_to_end_and_takes_its_path_away(
    tmp_path: Path, end: signal.Signals
) -> None:
    script, link = tmp_path / "shoe.txt", tmp_path / "shoe"
    script.write_text("load 7H KS\nwait studio\ndraw\ndraw KS as 8H\n", encoding="utf-8")
    # Who starts the tests in the background hands down that SIGINT is ignored; a terminal does not.
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from hardware.commands import simulate_device as run; run()"
    )
    args = ["cutcard-line", "--link", str(link), "--fault", "noise", "--script", str(script)]
    with subprocess.Popen(
        [sys.executable, "-c", program, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{link}\n"
        device, watch = open_device("shoe", {"url": str(link)}, WallClock()), Watch()
        device.start(watch.report)
        watch.await_kind(DeviceOnline)
        watch.await_kind(CardRead, 2)
        device.stop()
        told = []
        while not told or "drew KS" not in told[-1]:
            told.append(process.stdout.readline())
            assert told[-1], "it ended before it told of its last card"
        process.send_signal(end)
        rest, errors = process.communicate(timeout=20)
        output = "".join(told) + rest
    assert watch.codes() == ["7H", "8H"]
    assert process.returncode == 0
    assert "drew KS, reads 8H" in output
    assert not errors
    assert not link.is_symlink()


def test_a_card_that_is_not_next_stops_the_script_with_a_sentence(tmp_path: Path) -> None:
    script = tmp_path / "shoe.txt"
    script.write_text("load 7H\ndraw KS\n", encoding="utf-8")
    result = run(simulate_device, "cutcard-line", "--script", str(script))
    assert result.exit_code == 1
    assert "the next card is 7H, not KS" in result.output


def test_the_machines_clock_moves_forward() -> None:
    clock = WallClock()
    before = clock.monotonic_us()
    clock.wait(60, lambda: True)
    clock.wait(0)
    assert clock.monotonic_us() >= before
    assert clock.now_us() > ManualClock().now_us() - 10**16
