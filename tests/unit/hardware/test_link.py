"""Ports: opening, losing, refusing, and the wires that hang."""

from __future__ import annotations

import contextlib
import os
import socket
import termios
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from serial import rfc2217

from hardware import link as link_module
from hardware.cutcard_line import CutcardLine, open_device
from hardware.errors import PortUnavailableError
from hardware.line_codec import Message, decode, encode
from hardware.link import Address
from hardware.sim.shoe import SimulatedShoe
from hardware.trace import Way, recorded
from studio.domain.observations import (
    CardRead,
    CardUnreadable,
    DeviceFault,
    DeviceFaultCleared,
    DeviceFaultCode,
    DeviceOffline,
    DeviceOnline,
    LinkRates,
)
from studio.live.clock import ManualClock
from tests.support.hardware.watch import Watch, wait_until


@pytest.fixture
def shoe() -> Iterator[SimulatedShoe]:
    made = SimulatedShoe(ManualClock())
    made.start()
    yield made
    made.stop()


@pytest.fixture
def opened() -> Iterator[Any]:
    """Opens devices and stops them at the end."""
    devices: list[CutcardLine] = []

    def make(**settings: object) -> tuple[CutcardLine, Watch]:
        device, watch = open_device("ba1", settings, ManualClock()), Watch()
        devices.append(device)
        device.start(watch.report)
        return device, watch

    yield make
    for device in devices:
        device.stop()


def test_a_port_that_does_not_exist_is_told_once_in_one_sentence(opened: Any) -> None:
    device, watch = opened(url="/dev/ttyNowhere7")
    reason = watch.await_kind(DeviceOffline).reason
    assert reason == (
        "port /dev/ttyNowhere7 does not exist: plug the device in, "
        "or run `cutcard devices` to see what is there"
    )
    device.command("WHO")
    device.command("WHO")
    device.stop()
    assert len(watch.seen) == 1


def test_a_port_that_hangs_up_while_it_is_set_up_is_lost_like_any_other(
    opened: Any, shoe: SimulatedShoe, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hung_up(*_given: object) -> None:
        raise termios.error(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("serial.serialposix.termios.tcsetattr", hung_up)
        _, watch = opened(url=shoe.path)
        assert shoe.path in watch.await_kind(DeviceOffline).reason
    watch.await_kind(DeviceOnline)


def test_a_path_that_is_no_port_says_so(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    _, watch = opened(url=str(path))
    assert "is not a serial port" in watch.await_kind(DeviceOffline).reason


def test_a_port_that_is_open_elsewhere_is_refused(opened: Any, shoe: SimulatedShoe) -> None:
    _, first = opened(url=shoe.path)
    first.await_kind(DeviceOnline)
    _, second = opened(url=shoe.path)
    assert "already in use: close the other" in second.await_kind(DeviceOffline).reason
    shoe.load(["7H"])
    shoe.draw()
    first.await_codes("7H")
    assert second.codes() == []


def test_a_port_that_was_given_back_can_be_opened_again(opened: Any, shoe: SimulatedShoe) -> None:
    device, first = opened(url=shoe.path)
    first.await_kind(DeviceOnline)
    device.stop()
    _, second = opened(url=shoe.path)
    second.await_kind(DeviceOnline)


def test_a_device_that_is_plugged_in_later_is_found(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    _, watch = opened(url=str(path))
    watch.await_kind(DeviceOffline)
    late = SimulatedShoe.from_settings({"link": str(path)}, ManualClock())
    late.start()
    try:
        watch.await_kind(DeviceOnline)
    finally:
        late.stop()


def test_a_repeated_failure_to_open_is_logged_once(
    opened: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "FIRST_DELAY_S", 0.001)
    monkeypatch.setattr(link_module, "LAST_DELAY_S", 0.001)
    device, watch = opened(url="/dev/ttyNowhere7")
    wait_until(lambda: device._link is not None and device._link._failures > 5, "tries")
    device.stop()
    assert [each.message[:11] for each in caplog.records] == ["device_lost"]
    assert len(watch.seen) == 1


def test_delays_between_tries_double_up_to_five_seconds() -> None:
    delay, delays = link_module.FIRST_DELAY_S, []
    for _ in range(7):
        delays.append(delay)
        delay = min(delay * 2, link_module.LAST_DELAY_S)
    assert delays == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0]


# -- by the serial number of the adapter ----------------------------------------------------------


def _ports(monkeypatch: pytest.MonkeyPatch, *found: tuple[str, str]) -> None:
    listed = [SimpleNamespace(device=device, serial_number=number) for device, number in found]
    monkeypatch.setattr(link_module.list_ports, "comports", lambda: listed)


def test_an_adapter_is_found_by_its_serial_number_under_any_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = Address(usb_serial="A7")
    _ports(monkeypatch, ("/dev/ttyUSB0", "A7"), ("/dev/ttyUSB1", "B2"))
    assert address.resolve("shoe") == "/dev/ttyUSB0"
    _ports(monkeypatch, ("/dev/ttyUSB1", "A7"))
    assert address.resolve("shoe") == "/dev/ttyUSB1"


def test_two_adapters_with_one_serial_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    _ports(monkeypatch, ("/dev/ttyUSB1", "A7"), ("/dev/ttyUSB0", "A7"))
    with pytest.raises(PortUnavailableError, match=r"2 adapters .* A7 .*ttyUSB0, .*ttyUSB1"):
        Address(usb_serial="A7").resolve("shoe")


def test_an_adapter_that_is_not_plugged_in_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _ports(monkeypatch)
    with pytest.raises(PortUnavailableError, match="serial number A7 is plugged in: check"):
        Address(usb_serial="A7").resolve("shoe")


def test_a_device_comes_back_under_another_name_by_its_serial_number(
    opened: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shoes = [
        SimulatedShoe.from_settings({"link": str(tmp_path / name)}, ManualClock())
        for name in ("ttyUSB0", "ttyUSB1")
    ]
    shoes[0].start()
    _ports(monkeypatch, (shoes[0].path, "A7"))
    _, watch = opened(usb_serial="A7")
    watch.await_kind(DeviceOnline)
    shoes[0].stop()
    watch.await_kind(DeviceOffline)
    shoes[1].start()
    _ports(monkeypatch, (shoes[1].path, "A7"))
    watch.await_kind(DeviceOnline, 2)
    shoes[1].stop()


# -- other wires ----------------------------------------------------------------------------------


class Server(threading.Thread):
    """A serial server on loopback that answers the first WHO as told and keeps what it gets."""

    def __init__(self, *first: bytes) -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.first = first
        self.got = b""
        self.peer: socket.socket | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"socket://127.0.0.1:{self.listener.getsockname()[1]}"

    def run(self) -> None:
        while True:
            try:
                self.peer, _ = self.listener.accept()
            except OSError:
                return  # closed: the test is over
            with contextlib.suppress(OSError):
                self._serve(self.peer)

    def _serve(self, peer: socket.socket) -> None:
        peer.sendall(b"BUSY?\r\n")
        sent = False
        while chunk := peer.recv(4096):
            self.got += chunk
            if b"WHO" in chunk and not sent:
                sent = True
                for data in self.first:
                    peer.sendall(data)

    def hang_up(self) -> None:
        if self.peer is not None:
            self.peer.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        if self.peer is not None:
            self.peer.close()


def _frame(sequence: int, kind: str, *payload: str) -> bytes:
    message = Message(
        device="shoe-7", boot="9F3A12C4", sequence=sequence, kind=kind, payload=payload
    )
    return encode(message)


HELLO = _frame(0, "HELLO", "Model S", "1.0.2", "SN00417")


def test_a_serial_servers_banner_and_old_bytes_are_noise(opened: Any) -> None:
    banner = bytes.fromhex("21 53 45 52 32 53 4F 43 4B 20 43 6F 6E 6E 65 63 74 65 64 0D 0A")
    server = Server(banner + b"\xff\xff\xff", b"9*0BAE\n", HELLO, _frame(1, "CARD", "7H"))
    try:
        _, watch = opened(url=server.url)
        watch.await_codes("7H")
        assert isinstance(watch.seen[0], DeviceOnline)
        wait_until(lambda: b"ACK" in server.got, "the answer")
        assert decode(server.got.splitlines()[0][1:-5]).kind == "WHO"
    finally:
        server.close()


def test_a_serial_server_that_hangs_up_is_a_loss_and_is_called_again(opened: Any) -> None:
    server = Server(HELLO)
    try:
        _, watch = opened(url=server.url)
        watch.await_kind(DeviceOnline)
        server.hang_up()
        watch.await_kind(DeviceOffline)
        watch.await_kind(DeviceOnline, 2)
        assert len(watch.of(DeviceOffline)) == 1
    finally:
        server.close()


def test_a_serial_server_that_is_not_there_is_named(opened: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    _, watch = opened(url=f"socket://127.0.0.1:{port}")
    reason = watch.await_kind(DeviceOffline).reason
    assert reason.startswith(f"socket://127.0.0.1:{port} does not answer: check")


class Rfc2217Server(Server):
    """The least of a server that speaks RFC 2217: pyserial's own manager over a port of air."""

    @property
    def url(self) -> str:
        return super().url.replace("socket", "rfc2217")

    def run(self) -> None:
        air = serial.serial_for_url("loop://", timeout=0)
        try:
            self.peer, _ = self.listener.accept()
            peer = self.peer
            manager = rfc2217.PortManager(air, SimpleNamespace(write=peer.sendall))
            sent = False
            while chunk := peer.recv(4096):
                self.got += b"".join(manager.filter(chunk))
                if b"WHO" in self.got and not sent:
                    sent = True
                    for data in self.first:
                        peer.sendall(b"".join(manager.escape(data)))
        except OSError:
            return


def test_a_port_by_rfc_2217_carries_the_same_frames(opened: Any) -> None:
    server = Rfc2217Server(HELLO, _frame(1, "CARD", "7H"))
    try:
        _, watch = opened(url=server.url)
        watch.await_codes("7H")
        wait_until(lambda: server.got.count(b"ACK") == 2, "both answers")
    finally:
        server.close()


class HungLine:
    """A pseudo-terminal whose other end takes nothing."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)

    def answer(self, *frames: bytes) -> None:
        """Wait until the studio asks WHO; then send these."""
        heard = b""
        while b"WHO" not in heard:
            heard += os.read(self.master, 64)
        os.write(self.master, b"".join(frames))

    def close(self) -> None:
        os.close(self.master)
        os.close(self.slave)


def test_stop_returns_within_two_seconds_while_a_write_hangs(opened: Any) -> None:
    line = HungLine()
    try:
        device, watch = opened(url=line.path)
        line.answer(HELLO)
        watch.await_kind(DeviceOnline)
        for _ in range(3000):
            device.command("LOCK")
        began = time.monotonic()
        device.stop()
        assert time.monotonic() - began < 2
    finally:
        line.close()


def test_a_line_that_takes_nothing_is_lost_with_a_sentence(opened: Any) -> None:
    line = HungLine()
    try:
        device, watch = opened(url=line.path)
        line.answer(HELLO)
        watch.await_kind(DeviceOnline)
        for _ in range(3000):
            device.command("LOCK")
        assert "takes no data: the device hangs" in watch.await_kind(DeviceOffline).reason
    finally:
        line.close()


# -- garbage, halves, records ---------------------------------------------------------------------


def test_a_long_run_of_garbage_is_a_fault_until_a_whole_frame_comes(opened: Any) -> None:
    line = HungLine()
    try:
        _, watch = opened(url=line.path)
        line.answer(HELLO)
        watch.await_kind(DeviceOnline)
        os.write(line.master, b"\x00\xff" * 300)
        fault = watch.await_kind(DeviceFault)
        assert fault.code is DeviceFaultCode.GARBAGE
        assert "check the line's speed" in fault.text
        os.write(line.master, _frame(1, "CARD", "7H"))
        watch.await_codes("7H")
        assert watch.await_kind(DeviceFaultCleared).code is DeviceFaultCode.GARBAGE
        assert len(watch.of(DeviceFault)) == 1
    finally:
        line.close()


def test_half_a_frame_that_stays_half_is_given_up_and_counted(
    opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.cutcard_line.UNFINISHED_S", 0.01)
    line = HungLine()
    try:
        device, watch = opened(url=line.path)
        line.answer(HELLO, b"$CL1,shoe-7,9F3A12C4,1,CA")
        watch.await_kind(DeviceOnline)
        wait_until(lambda: any("unfinished" in each for each in device.frames()), "the half")
        os.write(line.master, _frame(1, "CARD", "7H"))
        watch.await_codes("7H")
    finally:
        line.close()


def test_every_byte_is_counted_as_frame_or_garbage(opened: Any) -> None:
    line = HungLine()
    try:
        _, watch = opened(url=line.path)
        line.answer(b"xyz", HELLO, _frame(1, "CARD", "7H"))
        rates = watch.await_kind(LinkRates)
        assert rates.bytes == 3 + len(HELLO) + len(_frame(1, "CARD", "7H"))
        assert (rates.frames, rates.garbage) == (2, 3)
        assert rates.facts == 2
    finally:
        line.close()


def test_what_went_over_the_wire_is_recorded_without_its_cards_and_can_be_played(
    opened: Any, shoe: SimulatedShoe, tmp_path: Path
) -> None:
    record = tmp_path / "wire.jsonl"
    device, watch = opened(url=shoe.path, trace=str(record))
    shoe.switch("noise")
    watch.await_kind(DeviceOnline)
    shoe.load(["7H", "KS"])
    shoe.draw()
    shoe.draw()
    watch.await_codes("7H", "KS")
    device.stop()
    pieces = list(recorded(record))
    assert {piece.way for piece in pieces} == {Way.IN, Way.OUT}
    assert not any(code in piece.data for piece in pieces for code in (b"7H", b"KS"))
    line = HungLine()
    try:
        _, again = opened(url=line.path)
        line.answer()
        for piece in pieces:
            if piece.way is Way.IN:
                os.write(line.master, piece.data)
        again.await_kind(CardUnreadable, 2)
        assert [each.sequence for each in again.of(CardUnreadable)] == [
            each.sequence for each in watch.of(CardRead)
        ]
    finally:
        line.close()


def test_a_record_that_cannot_be_written_costs_no_card(
    opened: Any, shoe: SimulatedShoe, tmp_path: Path
) -> None:
    _, watch = opened(url=shoe.path, trace=str(tmp_path / "no" / "wire.jsonl"))
    watch.await_kind(DeviceOnline)
    shoe.load(["7H"])
    shoe.draw()
    watch.await_codes("7H")


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wire.jsonl"
    path.write_text('{"at_us":1,"way":"<","hex":"24"}\n{"at_us":1}\n', encoding="ascii")
    with pytest.raises(ValueError, match="line 2: not a piece of a recording"):
        list(recorded(path))


def test_only_the_last_200_frames_are_kept(opened: Any, shoe: SimulatedShoe) -> None:
    device, watch = opened(url=shoe.path)
    watch.await_kind(DeviceOnline)
    shoe.load(["7H"] * 150)
    for drawn in (50, 100, 150):
        # A shoe keeps 64 frames; the answer to a late WHO would overtake more that wait.
        for _ in range(50):
            shoe.draw()
        watch.await_codes(*["7H"] * drawn)
        assert shoe.quiet(20)
    lines = device.frames()
    assert len(lines) == 200
    assert lines[-1].startswith("2026-01-01T00:00:00.000000Z > $CL1,host,")


def test_a_device_that_was_started_is_not_started_again(opened: Any, shoe: SimulatedShoe) -> None:
    device, watch = opened(url=shoe.path)
    with pytest.raises(RuntimeError, match="already started"):
        device.start(watch.report)
