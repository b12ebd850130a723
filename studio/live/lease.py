"""One studio a database: a lock beside its file, which the system itself takes back at a crash."""

import fcntl
import os
import threading
import time
from pathlib import Path
from typing import Final

LEAVING_S: Final = 5.0
"""Whoever starts waits so long for a studio that is just ending, as after its first process was
killed: its worker sees that within a second and gives the lock back."""
LOOK_S: Final = 0.1


class Taken(Exception):  # noqa: N818  what is told is the state of the database
    """Another studio works on this database; the text says what to do."""


class Lease:
    """Holds the lock from its making until `release`."""

    def __init__(self, database: Path, *, patience_s: float = 0.0) -> None:
        """Take the lock beside this file; wait so long, in real seconds, for who has it to end.

        Raises:
            Taken: if another process has it.
            OSError: if the file cannot be made.
        """
        path = database.with_name(f"{database.name}.lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        until = time.monotonic() + patience_s
        while not self._take():
            if time.monotonic() >= until:
                os.close(self._file)
                raise Taken(
                    f"another studio runs on {database}: stop it first, or give another database"
                )
            threading.Event().wait(LOOK_S)

    def _take(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def release(self) -> None:
        """Give the lock back; the empty file stays."""
        os.close(self._file)
