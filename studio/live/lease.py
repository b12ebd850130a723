"""One studio a database: a lock beside its file, which the system itself takes back at a crash."""

import fcntl
import os
from pathlib import Path


class Taken(Exception):  # noqa: N818  what is told is the state of the database
    """Another studio works on this database; the text says what to do."""


class Lease:
    """Holds the lock from its making until `release`."""

    def __init__(self, database: Path) -> None:
        """Take the lock beside this file.

        Raises:
            Taken: if another process has it.
            OSError: if the file cannot be made.
        """
        path = database.with_name(f"{database.name}.lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise Taken(
                f"another studio runs on {database}: stop it first, or give another database"
            ) from None

    def release(self) -> None:
        """Give the lock back; the empty file stays."""
        os.close(self._file)
