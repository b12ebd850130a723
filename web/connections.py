"""The connections below the screens: pinged, and taken off the line when nobody is there any more.

The transport starts a sleeping thread for each ping of each connection, and keeps the thread of a
connection that vanished without a word for as long as the network believes in it. Both are done
here by the publisher's beat instead: no thread sleeps, and no place stays taken.
"""

import contextlib
import socket
import time
from collections import deque
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Any

from engineio import packet

LONGEST_QUEUE = 100
"""Events waiting for one screen; a screen so slow is closed and fetches again."""
FAREWELL_S = 1.0
"""How long a connection may take to end by itself before it is cut."""
IDLE_S = 5.0
"""How long a socket may stay without joining anything."""


def carrier(kind: Any, largest: int) -> Any:
    """Give the transport's WebSocket as we need it; `kind` is its own class.

    It reads no message above `largest` bytes, and a close that comes while the other side closes
    is no error of a thread.
    """

    class Carrier(kind):  # type: ignore[misc]  # the transport ships no types
        """The transport's WebSocket with our two habits."""

        def __init__(self, handler: Any, server: Any) -> None:
            super().__init__(handler, server, max_message_size=largest)

        def close(self) -> None:
            """End it; a second end is none."""
            with contextlib.suppress(Exception):  # whatever a close meets, it is over
                super().close()

    return Carrier


@dataclass(slots=True)
class Wire:
    """One open connection."""

    connection: Any
    """The transport's own object."""
    plug: socket.socket | None
    """What can be pulled."""
    since_s: float


class Connections:
    """Everything that is connected, joined or not. Any thread may use it."""

    def __init__(self, transport: Any) -> None:
        """Take an Engine.IO server; its new connections are known from their first moment."""
        self._transport = transport
        self._wires: dict[str, Wire] = {}
        self._pings: deque[tuple[float, Any]] = deque()
        self._leaving: deque[tuple[float, socket.socket]] = deque()
        self._opened = transport.handlers["connect"]
        transport.on("connect", self._connected)

    def _connected(self, name: str, environ: dict[str, Any]) -> Any:
        connection = self._transport.sockets[name]
        # A ping is due so long after the last one was answered.
        connection.schedule_ping = partial(self._ping_later, connection)
        plug = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
        self._wires[name] = Wire(connection, plug, time.monotonic())
        return self._opened(name, environ)

    def _ping_later(self, connection: Any) -> None:
        if connection.last_ping:
            connection.last_ping = None
            due_s = time.monotonic() + self._transport.ping_interval
            self._pings.append((due_s, connection))

    def beat(self, joined: AbstractSet[str]) -> None:
        """Each second: ping, close what joined nothing or reads nothing, cut what has ended."""
        now_s = time.monotonic()
        self._ping(now_s)
        self.cut(now_s)
        for name, wire in list(self._wires.items()):
            if wire.connection.closed:
                # The transport's own round comes by much later.
                self._transport.sockets.pop(name, None)
                self._forget(name, now_s)
            elif (name not in joined and now_s - wire.since_s > IDLE_S) or (
                wire.connection.queue.qsize() > LONGEST_QUEUE
            ):
                self.hang_up(name)

    def _ping(self, now_s: float) -> None:
        while self._pings and self._pings[0][0] <= now_s:
            _, connection = self._pings.popleft()
            if not connection.closing and not connection.closed:
                connection.last_ping = time.time()
                connection.send(packet.Packet(packet.PING))

    def _forget(self, name: str, now_s: float) -> None:
        """A connection has ended for the transport; its thread may still wait on the network."""
        wire = self._wires.pop(name, None)
        if wire is not None and wire.plug is not None:
            self._leaving.append((now_s + FAREWELL_S, wire.plug))

    def hang_up(self, name: str) -> None:
        """End a connection: at once for us, a moment later for a network that does not answer."""
        wire = self._wires.get(name)
        if wire is None:
            return
        self._forget(name, time.monotonic())
        # Without waiting until everything was sent: a screen that vanished reads nothing.
        wire.connection.close(wait=False)

    def hang_up_all(self) -> None:
        """End every connection."""
        for name in list(self._wires):
            self.hang_up(name)

    def cut(self, now_s: float = float("inf")) -> None:
        """Pull the plug of what was told to leave by now and has not: it would keep its thread."""
        while self._leaving and self._leaving[0][0] <= now_s:
            _, plug = self._leaving.popleft()
            with contextlib.suppress(OSError):
                plug.shutdown(socket.SHUT_RDWR)
