"""The archive of a bundle: which names it may hold, how it is written, and how it is opened.

A zip file that stores its members as they are and writes nothing that the members do not fix: the
same members always give the same bytes. So it cannot be a bomb, and a flipped byte is found even
where no member lies.
"""

import io
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Final

MOST_BYTES: Final = 512 * 1024 * 1024
"""Size of a whole bundle; the largest round we know takes a tenth of it."""
MOST_MEMBER: Final = 128 * 1024 * 1024
MOST_MEMBERS: Final = 5_000
PIECE: Final = 1024 * 1024
END_BYTES: Final = 22
"""The end of a zip file without a comment."""
LOCATOR_BYTES: Final = 20
"""What stands before it in a zip file of more than 4 GB."""
ENTRY_BYTES: Final = 400
"""A member takes no more than this in the directory, its name included."""

MANIFEST: Final = "manifest.json"
SEAL: Final = "manifest.sha256"
FACTS: Final = "facts.jsonl"
HEADS: Final = "heads.json"
RULES: Final = "rules.json"
STORY: Final = "story.txt"
_PART: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
NAMES: Final = re.compile(
    rf"manifest\.(json|sha256)|facts\.jsonl|heads\.json|rules\.json|story\.txt"
    rf"|columns/[0-9]{{1,9}}\.json|evidence/{_PART}/{_PART}"
)
"""What a member may be called; nothing else is ours, and no name leads anywhere."""


class BundleRefused(Exception):  # noqa: N818  what is told is what became of the file
    """This is no bundle that can be checked; one sentence."""


def write_archive(members: Mapping[str, bytes], out: BinaryIO) -> None:
    """Write the members in their order."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(_entry(name), data)


def archive_of(members: Mapping[str, bytes]) -> bytes:
    """The archive as bytes.

    Raises:
        BundleRefused: if it would be larger than may be checked.
    """
    size = sum(map(len, members.values()))
    if size > MOST_BYTES // 2 or len(members) > MOST_MEMBERS:
        raise BundleRefused(f"the bundle would have {size} bytes: choose one fault, not a round")
    out = io.BytesIO()
    write_archive(members, out)
    return out.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    """The head of a member: no instant, no owner, nothing that the machine decides."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.create_system = 3
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry


class Archive:
    """An archive that was opened and looked over; `damaged` are members that cannot be read."""

    def __init__(self, path: Path) -> None:
        """Open it and look over what it says of itself, before anything of it is read.

        Raises:
            BundleRefused: with one sentence.
        """
        self.path = path
        self.damaged: list[str] = []
        try:
            size = path.stat().st_size
            if size > MOST_BYTES:
                raise BundleRefused(f"{path} has {size} bytes: a bundle has at most {MOST_BYTES}")
            _look_at_end(path, size)
            self._zip = zipfile.ZipFile(path)
            self._entries = self._zip.infolist()
        except OSError as failure:
            raise BundleRefused(f"{path} cannot be read: {failure.strerror}") from failure
        except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeError) as failure:
            text = f"{path} is no bundle of this program, or it is damaged"
            raise BundleRefused(text) from failure
        self.names = tuple(entry.filename for entry in self._entries)
        """Names of the members in their order."""
        try:
            self._look_over(size)
        except BundleRefused:
            self.close()
            raise

    def _look_over(self, size: int) -> None:
        path = self.path
        names = self.names
        if len(names) > MOST_MEMBERS:
            raise BundleRefused(f"{path} has {len(names)} members: a bundle has fewer")
        if len(set(names)) < len(names):
            raise BundleRefused(f"{path} names a member twice: no bundle does")
        for entry in self._entries:
            if not NAMES.fullmatch(entry.filename):
                raise BundleRefused(f"{path} holds {entry.filename[:80]!r}, which no bundle does")
            if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
                raise BundleRefused(f"{path} is packed: a bundle is not, make it again")
            if entry.file_size > MOST_MEMBER or entry.flag_bits & 0x41:
                raise BundleRefused(f"{path}: {entry.filename} is too large or is locked")
        if sum(entry.file_size for entry in self._entries) > size:
            raise BundleRefused(f"{path} says that it holds more than it does: it is no bundle")

    def read(self, name: str) -> bytes | None:
        """A member; None if there is none or it cannot be read, which is noted in `damaged`."""
        if name not in self.names:
            return None
        try:
            return self._zip.read(name)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError):
            if name not in self.damaged:
                self.damaged.append(name)
            return None

    def as_written(self) -> bool:
        """Whether the file is, byte for byte, what its members make; False if one is damaged."""
        import tempfile  # noqa: PLC0415  needed only where a bundle is checked

        with tempfile.TemporaryFile() as again:
            with zipfile.ZipFile(again, "w", zipfile.ZIP_STORED) as archive:
                for name in self.names:
                    data = self.read(name)
                    if data is None:
                        return False
                    archive.writestr(_entry(name), data)
            again.seek(0)
            with self.path.open("rb") as file:
                return all(ours == theirs for ours, theirs in _side_by_side(again, file))

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


def _look_at_end(path: Path, size: int) -> None:
    """Look how large the directory is before it is read: it alone could fill the memory.

    Raises:
        OSError: if the file cannot be read.
        BundleRefused: if it ends as no bundle does.
    """
    with path.open("rb") as file:
        file.seek(max(0, size - END_BYTES - LOCATOR_BYTES))
        tail = file.read()
    end, before = tail[-END_BYTES:], tail[: -END_BYTES or None]
    if len(end) < END_BYTES or end[:4] != b"PK\x05\x06" or before.startswith(b"PK\x06\x07"):
        raise BundleRefused(f"{path} is no bundle of this program, or it is damaged")
    if int.from_bytes(end[12:16], "little") > MOST_MEMBERS * ENTRY_BYTES:
        raise BundleRefused(f"{path} has too many members: a bundle has fewer")


def _side_by_side(first: BinaryIO, second: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Give both files piece by piece, until both have ended."""
    while True:
        pieces = first.read(PIECE), second.read(PIECE)
        if pieces == (b"", b""):
            return
        yield pieces
