"""Keeps one port open: a thread of its own that opens, reads, writes and closes it.

Waiting for bytes is done in real time, so that they are answered at once whatever clock the table
runs on. `in_waiting`, `readline` and pyserial's threaded helper are not used, and a port is never
closed from another thread: each of them breaks on a lost device (pyserial issues 401, 487, 788,
713).
"""

import contextlib
import contextvars
import logging
import os
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import serial
from serial.tools import list_ports

try:
    import termios
except ImportError:  # not a POSIX machine
    _HUNG_UP: type[Exception] = OSError
else:
    # Not an OSError, and pyserial lets it through when a terminal hangs up while it is set up.
    _HUNG_UP = termios.error

from hardware.errors import DeviceError, PortUnavailableError, lost, unavailable
from hardware.waker import Waker

log = logging.getLogger(__name__)

POLL_S: Final = 0.05
"""Longest wait for bytes before the handler's `tick`, in real seconds."""
FIRST_DELAY_S: Final = 0.25
LAST_DELAY_S: Final = 5.0
"""Between tries to open: from 0.25 s, doubled each time, to 5 s."""
WRITE_S: Final = 1.5
"""A device that takes no bytes for so long is lost."""
_CHUNK: Final = 512


class Handler(Protocol):
    """Who uses a link. All of it is called on the link's thread."""

    def opened(self) -> None:
        """The port is open; it says nothing about the device behind it."""

    def received(self, chunk: bytes) -> bool:
        """Take bytes, at least one; whether they held anything that the device meant to say."""

    def tick(self) -> None:
        """Look at the clock; called at least every `POLL_S` while the port is open.

        Raises:
            PortLostError: to have the port closed and opened again.
        """

    def lost(self, reason: str) -> None:
        """The port could not be opened or went away; called at each failed try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a device is: a path or pyserial address, or the serial number of its USB adapter."""

    url: str = ""
    usb_serial: str = ""
    baud: int = 115200

    def resolve(self, device: str) -> str:
        """The path or address to open now; a USB adapter may have another name each time.

        Raises:
            PortUnavailableError: if no adapter, or more than one, has the serial number.
        """
        if not self.usb_serial:
            return self.url
        found = [
            port.device for port in list_ports.comports() if port.serial_number == self.usb_serial
        ]
        if len(found) == 1:
            return found[0]
        if found:
            sentence = (
                f"{len(found)} adapters have the USB serial number {self.usb_serial} "
                f"({', '.join(sorted(found))}): give url = the path under /dev/serial/by-path"
            )
        else:
            sentence = (
                f"no adapter with the USB serial number {self.usb_serial} is plugged in: "
                "check the cable, or run `cutcard devices`"
            )
        raise PortUnavailableError(sentence, device=device, port=self.usb_serial)


class Port:
    """An open port with short reads; all trouble comes out as `DeviceError`."""

    def __init__(self, device: str, address: Address, waker: Waker) -> None:
        """Open it for this program alone.

        Raises:
            PortUnavailableError: with a sentence for the operator.
        """
        self.name = address.resolve(device)
        self._device = device
        self._waker = waker
        try:
            self._serial = _open(self.name, address.baud)
        except (OSError, ValueError, _HUNG_UP) as trouble:
            reason = trouble if isinstance(trouble, OSError) else OSError(str(trouble))
            raise unavailable(device, self.name, reason) from trouble
        self._fd = _descriptor(self._serial)
        if self._fd is not None and self.name.startswith("socket://"):
            _keep_alive(self._fd)

    def read(self, wait_s: float) -> bytes:
        """The bytes that are there; none if none came in so many seconds or someone woke us.

        Raises:
            PortLostError: if the port is no more.
        """
        try:
            if self._fd is None:
                self._serial.timeout = min(wait_s, 0.02)
                return bytes(self._serial.read(_CHUNK))
            ready = self._waker.select([self._fd], wait_s)
            return bytes(self._serial.read(_CHUNK)) if ready else b""
        except (OSError, TypeError, ValueError) as trouble:
            reason = trouble if isinstance(trouble, OSError) else OSError(str(trouble))
            raise lost(self._device, self.name, reason) from trouble

    def write(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            PortLostError: if the port is no more or takes nothing.
        """
        try:
            self._serial.write(data)
        except OSError as trouble:
            raise lost(self._device, self.name, trouble) from trouble

    def close(self) -> None:
        """Give the port back."""
        # A port that is gone may refuse even this; there is nothing left to do about it.
        with contextlib.suppress(OSError):
            self._serial.close()


def _open(name: str, baud: int) -> serial.SerialBase:
    """Open through pyserial, setting one by one what not every kind of port knows."""
    port = serial.serial_for_url(name, do_not_open=True, baudrate=baud, timeout=0)
    if not name.startswith("rfc2217://"):
        # RFC 2217 ports raise NotImplementedError for these (pyserial issue 412).
        port.write_timeout = WRITE_S
        port.exclusive = True
    port.open()
    return port


def _descriptor(port: serial.SerialBase) -> int | None:
    """The file descriptor to wait on; None where the kind of port has none."""
    try:
        return int(port.fileno())
    except (AttributeError, OSError):
        return None


def _keep_alive(descriptor: int) -> None:
    """Let the system notice a serial server that went away without a word."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


class Link:
    """Owns the thread of one port. `start`, `stop` and `wake` may be called from any thread."""

    def __init__(self, name: str, address: Address, handler: Handler) -> None:
        self.name = name
        self._address = address
        self._handler = handler
        self._halt = threading.Event()
        self._poke = threading.Event()
        self._waker = Waker()
        self._port: Port | None = None
        self._down = ""
        self._failures = 0
        self._context = contextvars.copy_context()
        self._thread = threading.Thread(
            target=lambda: self._context.run(self._run), name=f"link-{name}", daemon=True
        )

    def start(self) -> None:
        """Begin to open the port and keep it open."""
        # What the log says of this thread is bound by who starts it: the table.
        self._context = contextvars.copy_context()
        self._thread.start()

    def stop(self, timeout_s: float = 1.5) -> None:
        """Close the port; give up waiting after so long if the wire hangs.

        The thread then ends by itself as soon as the system lets go of it.
        """
        self._halt.set()
        self.wake()
        if self._thread is not threading.current_thread() and self._thread.ident is not None:
            self._thread.join(timeout_s)

    def wake(self) -> None:
        """Have the handler's `tick` called now, or the next try to open made now."""
        self._poke.set()
        self._waker.wake()

    def send(self, data: bytes) -> None:
        """Write to the open port; on the link's thread only. Dropped while no port is open.

        Raises:
            PortLostError: if the port is no more.
        """
        if self._port is not None:
            self._port.write(data)

    def _run(self) -> None:
        delay = FIRST_DELAY_S
        try:
            while not self._halt.is_set():
                if self._serve():
                    delay = FIRST_DELAY_S
                self._rest(delay)
                delay = min(delay * 2, LAST_DELAY_S)
        finally:
            self._waker.close()

    def _serve(self) -> bool:
        """Open the port and use it until it is lost; whether the device spoke."""
        heard = False
        try:
            self._port = Port(self.name, self._address, self._waker)
            self._handler.opened()
            while not self._halt.is_set():
                chunk = self._port.read(POLL_S)
                if chunk and self._handler.received(chunk):
                    # Words prove that the device is back; an open port or noise proves nothing.
                    heard = True
                    self._up()
                self._handler.tick()
        except DeviceError as trouble:
            self._fail(str(trouble))
        finally:
            if self._port is not None:
                self._port.close()
                self._port = None
        return heard

    def _up(self) -> None:
        if self._down:
            log.info("device_back device=%s after_tries=%d", self.name, self._failures)
            self._down, self._failures = "", 0

    def _fail(self, reason: str) -> None:
        self._failures += 1
        if not self._down:
            log.warning("device_lost device=%s: %s", self.name, reason)
            self._down = reason
        if not self._halt.is_set():
            self._handler.lost(reason)

    def _rest(self, delay_s: float) -> None:
        """Wait before the next try; shorter if the path appears or someone asks."""
        until = time.monotonic() + delay_s
        path = Path(self._address.url)
        gone = path.is_absolute() and not path.exists()
        self._poke.clear()
        while (left := until - time.monotonic()) > 0 and not self._halt.is_set():
            if self._poke.wait(min(left, POLL_S)):
                return
            if gone and path.exists():
                return
