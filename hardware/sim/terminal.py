"""A real pseudo-terminal behind a path that stays the same when it is unplugged and plugged in."""

import contextlib
import os
import shutil
import tempfile
import tty
from pathlib import Path

from hardware.errors import SettingError


class Terminal:
    """The shoe's end of a cable. Used under the lock of its owner."""

    def __init__(self, link: str = "") -> None:
        """Use the given path, or one in a temporary folder.

        Raises:
            SettingError: if something else than an old link is at that path.
        """
        self._folder = "" if link else tempfile.mkdtemp(prefix="cutcard-")
        self.path = Path(link) if link else Path(self._folder) / "shoe"
        if link and self.path.exists() and not self.path.is_symlink():
            raise SettingError(f"{link} is already there and no link: give another path")
        self._master = -1
        self._slave = -1

    @property
    def master(self) -> int:
        """File descriptor of the shoe's end; -1 while unplugged."""
        return self._master

    @property
    def far_end(self) -> int:
        """Our own copy of the end that the driver opens; -1 while unplugged."""
        return self._slave

    def plug(self) -> None:
        """Make a pseudo-terminal in raw mode and let the path point at it.

        Raises:
            SettingError: if the path cannot be made.
        """
        if self._master >= 0:
            return
        # Our own copy of the other end stays open, so that a driver may come and go.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._slave))
            fresh.replace(self.path)
        except OSError as trouble:
            self.unplug()
            text = f"the link {self.path} cannot be made ({trouble.strerror}): give another path"
            raise SettingError(text) from trouble

    def unplug(self) -> None:
        """Hang up; whoever has it open is told by the system."""
        for descriptor in (self._master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
        self._master = self._slave = -1
        if self.path.is_symlink():
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Hang up and remove the temporary folder."""
        self.unplug()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def read(self) -> bytes:
        """What the studio sent; nothing if there is nothing or no cable."""
        with contextlib.suppress(OSError):
            return os.read(self._master, 4096) if self._master >= 0 else b""
        return b""

    def write(self, data: bytes) -> None:
        """Send; what a full or absent cable does not take is gone, as on a real line."""
        with contextlib.suppress(OSError):
            if self._master >= 0:
                os.write(self._master, data)
