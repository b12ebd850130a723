"""The hash chain: each fact covers all of its own fields and the hash of the fact before it.

It shows damage and clumsy edits. Against somebody who can rewrite the whole file the head is signed
when a shoe ends (`studio.live.signing`).
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

GENESIS: Final = "0" * 64
"""What the first fact of a table goes on from."""


def chain_of(stream: str) -> str:
    """Give the stream without its day, as ``table/ba1`` of ``table/ba1/2026-11-30``."""
    return stream.rpartition("/")[0] or stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The fields of a fact that its hash covers."""

    stream: str
    version: int
    command_id: str
    ordinal: int
    name: str
    schema_version: int
    body: str
    meta: str
    recorded_us: int

    def digest(self, previous: str) -> str:
        """Give the SHA-256, hexadecimal, of ``[previous, field, …]`` as tight JSON."""
        text = json.dumps(
            [
                previous,
                self.stream,
                self.version,
                self.command_id,
                self.ordinal,
                self.name,
                self.schema_version,
                self.body,
                self.meta,
                self.recorded_us,
            ],
            separators=(",", ":"),
        )
        return sha256(text.encode()).hexdigest()
