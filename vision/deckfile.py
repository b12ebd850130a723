"""The file of an enrolled deck: what was shown, and what the readers made of it.

One file: a first line with the format and the SHA-256 of all that follows, a line of JSON, and
arrays as numpy stores them. The hash is the deck's name in evidence; anybody can check it with
`tail -n +2 studio.deck | sha256sum`. Nothing in this module loads OpenCV.
"""

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MAGIC: Final = "cutcard-deck"
FORMAT: Final = 1
LARGEST: Final = 32 * 1024 * 1024
"""No deck file is larger: 52 cards, backs and jokers take about 2 MB."""
VIEW: Final = "view-"
"""Arrays whose name begins so are pictures: PNG files as bytes."""
UNFINISHED: Final = ".part"
"""What an enrolment that was left is kept under, beside its file."""


class DeckError(ValueError):
    """A deck that cannot be used, with a sentence that says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckHead:
    """What can be known of a deck file without OpenCV."""

    name: str
    sha256: str
    """Of all but the first line; 64 digits. Empty while the deck is in no file."""
    made_at: str
    """When the last card was shown: ISO 8601 with offset."""
    reader: str
    """The weights with which it was enrolled: `vision.reader.Reader.version`."""
    finished: bool
    """Whether every card was shown and told apart."""

    @property
    def short(self) -> str:
        """Name and hash for a person."""
        return f"{self.name} ({self.sha256[:12]})"


@dataclass(frozen=True, slots=True, eq=False)
class DeckBody:
    """Head, further JSON fields and the arrays of a deck file."""

    head: DeckHead
    more: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


def write_deck(
    path: Path, head: DeckHead, more: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> DeckHead:
    """Write a deck file, all of it or nothing, and give its head with the hash.

    Raises:
        DeckError: if the folder cannot be written to.
    """
    stored = io.BytesIO()
    # numpy's own writer, called as its documentation says; the stubs know no mapping of arrays.
    np.savez(stored, **dict(arrays))  # type: ignore[arg-type]
    fields = {
        "name": head.name, "made_at": head.made_at, "reader": head.reader,
        "finished": head.finished, **more,
    }  # fmt: skip
    body = json.dumps(fields, ensure_ascii=False).encode() + b"\n" + stored.getvalue()
    digest = hashlib.sha256(body).hexdigest()
    aside = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as out:
            out.write(f"{MAGIC} {FORMAT} {digest}\n".encode() + body)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        text = f"{path}: the deck cannot be written ({error.strerror}); choose another folder"
        raise DeckError(text) from None
    return DeckHead(
        name=head.name, sha256=digest, made_at=head.made_at, reader=head.reader,
        finished=head.finished,
    )  # fmt: skip


def read_deck(path: Path) -> DeckBody:
    """Read a deck file and check its hash.

    Raises:
        DeckError: with the file and what to do: it is missing, no deck, damaged or too new.
    """
    first, body = _parts(path)
    words = first.split(" ")
    if words[0] != MAGIC or len(words) != 3:
        raise DeckError(f"{path}: this is no deck file; give one made by `cutcard enrol`")
    if words[1] != str(FORMAT):
        raise DeckError(
            f"{path}: this deck has format {words[1]}, this program reads {FORMAT}; enrol the deck"
            " again with this program"
        )
    if hashlib.sha256(body).hexdigest() != words[2]:
        raise DeckError(
            f"{path}: the deck file is damaged or was changed, its hash is wrong; take it from a"
            " backup or enrol the deck again"
        )
    line, _, stored = body.partition(b"\n")
    try:
        fields = json.loads(line)
        head = DeckHead(
            name=str(fields.pop("name")),
            sha256=words[2],
            made_at=str(fields.pop("made_at")),
            reader=str(fields.pop("reader")),
            finished=fields.pop("finished") is True,
        )
        with np.load(io.BytesIO(stored), allow_pickle=False) as kept:
            arrays = {name: np.asarray(kept[name]) for name in kept.files}
    except (ValueError, TypeError, KeyError, AttributeError, OSError, EOFError, zipfile.BadZipFile):
        raise DeckError(
            f"{path}: the deck file lacks what a deck has; enrol the deck again"
        ) from None
    return DeckBody(head, fields, arrays)


def check_deck(path: Path) -> DeckHead:
    """The head of a deck that a table may use.

    Raises:
        DeckError: if it cannot be read or is not finished.
    """
    head = read_deck(path).head
    if not head.finished:
        raise DeckError(
            f"{path}: not all cards of this deck were shown; finish it with"
            f" `cutcard enrol --deck {path}`"
        )
    return head


def _parts(path: Path) -> tuple[str, bytes]:
    """The first line and the rest."""
    try:
        if path.is_dir():
            raise DeckError(f"{path}: this is a folder; give the file of a deck")
        if path.stat().st_size > LARGEST:
            raise DeckError(f"{path}: this is no deck file; give one made by `cutcard enrol`")
        whole = path.read_bytes()
    except FileNotFoundError:
        raise DeckError(
            f"{path}: there is no such deck file; make one with `cutcard enrol` or correct the path"
        ) from None
    except OSError as error:
        raise DeckError(f"{path}: the deck file cannot be read ({error.strerror})") from None
    if not whole:
        raise DeckError(f"{path}: the deck file is empty; enrol the deck again")
    first, _, body = whole.partition(b"\n")
    return first[:200].decode("ascii", "replace"), body
