"""Reads picture files, each fault as one sentence that says what to do.

Nothing is decoded before its size is known, so that no file can fill the memory.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
NOT_A_PICTURE: Final = "not a picture or video that can be read: give JPEG, PNG, MP4 or similar"
MOST_BYTES: Final = 300_000_000
MOST_PIXELS: Final = 120_000_000
"""A phone's largest mode has 108 million; each takes three bytes and as many again to work on."""
SMALLEST_PX: Final = 8
_START: Final = b"\xff\xd8"
_END: Final = b"\xff\xd9"
_SCAN: Final = b"\xff\xda"
_PNG: Final = b"\x89PNG\r\n\x1a\n"


def read_picture(path: Path) -> Image | str:
    """The picture of a file, blue first, turned as its camera says; or why there is none.

    Sixteen bits, grey, CMYK and transparency become eight bits of three colours.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return f"{size // 1_000_000} MB: give a picture of at most {MOST_BYTES // 1_000_000} MB"
        body = path.read_bytes()
    except OSError as error:
        return f"the file cannot be read ({error.strerror}): check its name and its rights"
    if not body:
        return "the file is empty: copy it again"
    fault = _fault(body)
    return fault or _decoded(body)


def _fault(body: bytes) -> str:
    """What is wrong with a file by its first and last bytes; empty if nothing is."""
    wide, high = dimensions(body)
    if wide * high > MOST_PIXELS:
        most = MOST_PIXELS // 1_000_000
        return f"{wide} × {high} pixels: give a picture of at most {most} million"
    if body[:6] in (b"GIF87a", b"GIF89a"):
        return "a GIF: give its frames as PNG or the film as MP4"
    if (body[8:12] == b"WEBP" and b"ANMF" in body[:4096]) or (
        body.startswith(_PNG) and b"acTL" in body[:4096]
    ):
        return "an animation: give its frames as single pictures or the film as MP4"
    # Decoders fill up a JPEG that was cut off with grey; a half picture must not pass for a whole.
    if body.startswith(_START) and body.rfind(_END) <= body.rfind(_SCAN):
        return "the JPEG is cut off: copy it again"
    return ""


def dimensions(body: bytes) -> tuple[int, int]:
    """Width and height that a PNG or JPEG says it has; (0, 0) where that is not known."""
    if body.startswith(_PNG) and len(body) >= 24:
        return int.from_bytes(body[16:20], "big"), int.from_bytes(body[20:24], "big")
    if not body.startswith(_START):
        return 0, 0
    at = 2
    while at + 9 < len(body) and body[at] == 0xFF:
        marker = body[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        # Start of frame, of any kind but the three marks that share its range.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            high = int.from_bytes(body[at + 5 : at + 7], "big")
            return int.from_bytes(body[at + 7 : at + 9], "big"), high
        at += 2 + int.from_bytes(body[at + 2 : at + 4], "big")
    return 0, 0


def _decoded(body: bytes) -> Image | str:
    """The picture of a file's bytes."""
    # Through our own bytes, so that any name works and the decoder prints no warning of its own.
    try:
        image = cv2.imdecode(np.frombuffer(body, dtype=np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        return "the picture cannot be decoded: save it again as JPEG or PNG, and smaller"
    if image is None:
        return NOT_A_PICTURE
    if min(image.shape[:2]) < SMALLEST_PX:
        return f"{image.shape[1]} × {image.shape[0]} pixels: too small to show a card"
    return np.asarray(image, dtype=np.uint8)
