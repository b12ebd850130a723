"""The picture of a calibration: zones, markers and the board drawn over the frame they are seen in.

For the command line, which has no page to show them on.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.calibration.words import refuse
from vision.locate import Image

WHITE: Final = (247, 247, 243)
DARK: Final = (10, 9, 7)
YELLOW: Final = (40, 201, 255)
ORANGE: Final = (30, 130, 255)
FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


def draw(frame: Image, answer: Mapping[str, Any]) -> Image:
    """A copy of the frame with everything that the answer has of it.

    Zones that cannot work are orange; each says how wide a card is in it. Each marker and point
    has its name and its error.
    """
    out = frame.copy()
    thick = max(2, round(max(frame.shape[:2]) / 640))
    for zone in answer["zones"]:
        colour = ORANGE if zone["fault"] else WHITE
        _outline(out, zone["outline_px"], colour, thick)
        x, y = zone["polygon_px"][3]
        _words(out, f"{zone['id']}  card {zone['card_px']:.0f} px", (x + 8, y - 10), colour, thick)
    for each in answer["plane"]["markers"]:
        _outline(out, each["quad"], YELLOW, thick)
        corners = np.asarray(each["quad"])
        over = float(corners[:, 1].min()) - 6 * thick
        under = float(corners[:, 1].max()) + 16 * thick
        _words(out, _label(each), (corners[:, 0].min(), over if over > 24 * thick else under),
               YELLOW, thick)  # fmt: skip
    for each in answer["plane"]["points"]:
        at = tuple(round(value) for value in each["px"])
        cv2.drawMarker(out, at, YELLOW, cv2.MARKER_CROSS, 10 * thick, thick)
        _words(out, _label(each), each["px"], YELLOW, thick)
    if answer["step"] == "lens":
        for x, y in answer["lens"]["board"]:
            cv2.circle(out, (round(x), round(y)), 2 * thick, YELLOW, -1, cv2.LINE_AA)
    for card in answer["cards"]:
        _outline(out, card["quad"], WHITE if card["sure"] else ORANGE, thick)
    return out


def write(frame: Image, answer: Mapping[str, Any], file: Path) -> None:
    """Write that picture.

    Raises:
        CalibrationRefused: if the file cannot be written, or its ending names no picture.
    """
    if file.suffix.lower() not in {".png", ".jpg", ".jpeg"}:
        raise refuse("bad_value", field="--draw", what="a file that ends in .png or .jpg")
    done, body = cv2.imencode(file.suffix.lower(), draw(frame, answer))
    if not done:
        raise refuse("cannot_write", file=str(file), why="the picture cannot be encoded")
    try:
        file.write_bytes(bytes(body))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise refuse("cannot_write", file=str(file), why=why) from None


def _label(each: Mapping[str, Any]) -> str:
    """The name of a marker or point, with its error where that is known."""
    name = str(each["name"])
    return name if each["mm"] is None else f"{name}  {each['mm']:.2f} mm"


def _outline(
    out: Image, points: list[list[float]], colour: tuple[int, int, int], thick: int
) -> None:
    corners = np.rint(np.asarray(points) * 16).astype(np.int32)
    cv2.polylines(out, [corners], isClosed=True, color=colour, thickness=thick,
                  lineType=cv2.LINE_AA, shift=4)  # fmt: skip


def _words(
    out: Image, words: str, at: tuple[float, float], colour: tuple[int, int, int], thick: int
) -> None:
    """A text on a dark ground, so that it is read anywhere; it stays in the picture."""
    plain = words.encode("ascii", "replace").decode("ascii")
    size = 0.33 * thick
    (wide, high), _ = cv2.getTextSize(plain, FONT, size, thick)
    x = round(max(2 * thick, min(at[0], out.shape[1] - wide - 2 * thick)))
    y = round(max(high + 2 * thick, min(at[1], out.shape[0] - 3 * thick)))
    pad = 2 * thick
    cv2.rectangle(out, (x - pad, y - high - pad), (x + wide + pad, y + pad), DARK, -1)
    cv2.putText(out, plain, (x, y), FONT, size, colour, max(1, thick // 2), cv2.LINE_AA)
