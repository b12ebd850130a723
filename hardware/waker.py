"""Wakes a thread that waits for bytes."""

import contextlib
import select
import socket
from collections.abc import Sequence


class Waker:
    """One thread waits in `select`; any other may call `wake`, even after `close`.

    A pair of sockets, not a pipe: a closed socket object refuses, while the number of a closed
    pipe may already belong to another file.
    """

    def __init__(self) -> None:
        self._ear, self._mouth = socket.socketpair()
        self._ear.settimeout(0)
        self._mouth.settimeout(0)

    def wake(self) -> None:
        """End the present or next `select` at once."""
        with contextlib.suppress(OSError):
            self._mouth.send(b".")

    def select(self, descriptors: Sequence[int], wait_s: float) -> Sequence[int]:
        """Those descriptors that have bytes; none after so many real seconds or a wake-up.

        Raises:
            OSError: if a descriptor is no more.
        """
        ear = self._ear.fileno()
        ready, _, _ = select.select([*descriptors, ear], [], [], wait_s)
        if ear in ready:
            with contextlib.suppress(OSError):
                self._ear.recv(256)
        return [each for each in descriptors if each in ready]

    def close(self) -> None:
        """Let go of both ends."""
        self._ear.close()
        self._mouth.close()
