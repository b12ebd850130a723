"""What a page or a file gives, checked: each value that does not fit gets one sentence."""

import base64
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from vision.calibration.boards import board_sheets, marker_sheets
from vision.calibration.detect import refine_click
from vision.calibration.sheets import PAPERS, as_pdf
from vision.calibration.words import refuse
from vision.calibration.work import Click
from vision.layout import Zone
from vision.locate import Image

FAR_MM: Final = 5000.0
"""No table is so large."""
CORNERS: Final = 12
FAR_PX: Final = 1e5


def the_list(given: Mapping[str, Any], field: str) -> Sequence[Any]:
    """A list."""
    value = given[field]
    if not isinstance(value, list | tuple):
        raise refuse("bad_value", field=field, what="a list")
    return value


def number(value: Any, field: str, most: float) -> float:
    """A finite number, at most so far from 0."""
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or abs(value) > most or not math.isfinite(value):
        raise refuse("bad_value", field=field, what=f"a number within ±{most:g}")
    return float(value)


def pair(value: Any, field: str) -> tuple[float, float]:
    """Two numbers: a point."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise refuse("bad_value", field=field, what="two numbers")
    return number(value[0], field, FAR_PX), number(value[1], field, FAR_PX)


def distance(value: Any) -> tuple[str, str, float]:
    """Two markers and the millimetres between their middles."""
    if not isinstance(value, list | tuple) or len(value) != 3 or str(value[0]) == str(value[1]):
        raise refuse("bad_value", field="distances", what="two markers and millimetres")
    apart = number(value[2], "distances", FAR_MM)
    if apart <= 0:
        raise refuse("bad_value", field="distances", what="two markers and millimetres")
    return str(value[0]), str(value[1]), apart


def click(value: Any, frame: Image) -> Click:
    """A clicked point, moved to the corner of the print under it."""
    if not isinstance(value, Mapping) or not str(value.get("name", "")):
        raise refuse("bad_value", field="points", what="points with name, px and mm")
    px = refine_click(frame, pair(value.get("px"), "px"))
    return Click(str(value["name"])[:20], px, pair(value.get("mm"), "mm"))


def inside(clicks: Sequence[Click], frame: Image) -> None:
    """Refuse points beside the picture."""
    height, width = frame.shape[:2]
    for each in clicks:
        if not (0 <= each.px[0] <= width and 0 <= each.px[1] <= height):
            raise refuse("plane_point", worst=each.name)


def zone(known: Zone, value: Any) -> Zone:
    """A zone with another outline."""
    if not isinstance(value, list | tuple) or not 3 <= len(value) <= CORNERS:
        raise refuse("bad_value", field="polygon_mm", what=f"3 to {CORNERS} points")
    corners = tuple(pair(each, "polygon_mm") for each in value)
    return Zone(known.id, corners, known.slots)


def to_print(given: Mapping[str, Any]) -> dict[str, Any]:
    """A file to print."""
    paper = PAPERS.get(str(given.get("paper", "a4")))
    if paper is None:
        raise refuse("bad_value", field="paper", what=" or ".join(PAPERS))
    what = str(given.get("what", "markers"))
    if what not in {"markers", "board"}:
        raise refuse("bad_value", field="what", what="markers or board")
    printed = board_sheets(paper) if what == "board" else marker_sheets(paper)
    body = base64.b64encode(as_pdf(printed.sheets)).decode("ascii")
    return {"name": f"{printed.name}.pdf", "type": "application/pdf", "base64": body}
