"""What of a line of `cutcard-line` may be shown, kept and recorded: everything but the card.

A burned card, or one that came early, is named by its frame long before anybody may know it. The
check sum gives it away as well: 52 tries find the card that it belongs to. So both are hidden, and
only who knows from the journal that this very report is open gets the line as it was (DESIGN.md 7).
"""

import re
from typing import Final

from hardware.checks import crc16_ccitt_false
from hardware.line_codec import HOST
from hardware.trace import Shown, printable

BARE: Final = frozenset({b"BEAT", b"DRAWN", b"CUT", b"LOCKED", b"UNLOCKED"})
"""Kinds without a payload; one that has some all the same is not trusted."""
OURS: Final = frozenset({b"ACK", b"RESEND", b"WHO", b"LOCK", b"UNLOCK", b"TEST"})
"""Our own words, as a half-duplex adapter echoes them."""
WORDY: Final = frozenset({b"HELLO", b"BAD", b"FAULT", b"CLEAR", b"TESTED"})
"""Kinds whose payload is text for people; what looks like a card in it is hidden."""
_LIKE_A_CARD: Final = re.compile(
    rb"(?<![0-9A-Za-z])(?:10|[2-9TJQKA])[ _-]?(?:[CDHS]|of\b)(?![0-9A-Za-z])", re.IGNORECASE
)
_HEAD: Final = 5
"""Parts of a frame before its payload: protocol, device, boot, sequence, kind."""


def masked(body: bytes) -> bytes:
    """The text between ``$`` and ``*`` without its card; every other byte in its place."""
    parts = body.split(b",")
    kind, payload = parts[_HEAD - 1], parts[_HEAD:]
    bare = BARE | (OURS if parts[1] == HOST.encode() else frozenset())
    if kind in bare and not payload:
        return body
    if kind in WORDY:
        payload = [_without_cards(each) for each in payload]
    elif kind == b"IDENT":
        first = payload[0] if payload and payload[0].isdigit() else _hidden(b"".join(payload[:1]))
        payload = [first, *map(_hidden, payload[1:])] if payload else []
    else:
        payload = [_hidden(each) for each in payload]
    if kind not in bare | WORDY | {b"CARD", b"IDENT"}:
        kind = _hidden(kind)
    return b",".join([*parts[: _HEAD - 1], kind, *payload])


def words(text: str) -> str:
    """Words of a device for people, in which nothing looks like a card."""
    return _without_cards(text.encode("ascii", "replace")).decode("ascii")


def _without_cards(text: bytes) -> bytes:
    return _LIKE_A_CARD.sub(lambda found: b"X" * len(found[0]), text)


def shown(body: bytes, raw: bytes) -> Shown:
    """How a whole frame is shown, and which report of which card makes the rest of it known.

    `raw` are all bytes of the frame, `body` those between ``$`` and ``*``.
    """
    safe = masked(body)
    if safe == body:
        return Shown(printable(raw))
    parts = body.decode("ascii").split(",")
    text = f"${safe.decode('ascii')}*XXXX"
    match parts[_HEAD - 1 :]:
        case ["CARD", card]:
            return Shown(text, (parts[2], int(parts[3])), card)
        case ["IDENT", drawn, card] if drawn.isdecimal():
            return Shown(text, (parts[2], int(drawn)), card)
        case _:
            return Shown(text)


def recordable(body: bytes, raw: bytes) -> bytes:
    """The bytes of a whole frame as they may be recorded: as many, with a check sum that fits."""
    safe = masked(body)
    if safe == body:
        return raw
    tail = raw[1 + len(body) :]
    return b"$%b*%04X%b" % (safe, crc16_ccitt_false(safe), tail[_HEAD:])


def _hidden(part: bytes) -> bytes:
    return b"X" * len(part)
