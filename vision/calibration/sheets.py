"""Sheets of paper in millimetres, written as SVG or PDF.

Only boxes, thin lines and short texts, so that both writers are a few lines and exact: a PDF's own
unit is 1/72 inch, and 1 inch is 25.4 mm.
"""

from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

POINT: Final = 72 / 25.4
"""Points to the millimetre."""
THIN_MM: Final = 0.25
FONT: Final = "Helvetica"


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright, in millimetres."""

    name: str
    size_mm: tuple[float, float]


A4: Final = Paper("a4", (210.0, 297.0))
A3: Final = Paper("a3", (297.0, 420.0))
LETTER: Final = Paper("letter", (215.9, 279.4))
PAPERS: Final = {paper.name: paper for paper in (A4, A3, LETTER)}


@dataclass(frozen=True, slots=True)
class Box:
    """A black box: upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A thin line."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Text:
    """A text that begins there; `high` is the size of its letters."""

    x: float
    y: float
    high: float
    words: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its size in millimetres and what is on it, from its upper left corner."""

    size_mm: tuple[float, float]
    shapes: tuple[Box | Line | Text, ...]


def as_svg(sheet: Sheet) -> str:
    """The sheet as SVG, one user unit to the millimetre."""
    width, height = sheet.size_mm
    size = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
    ]
    for shape in sheet.shapes:
        match shape:
            case Box(x, y, wide, high):
                lines.append(f'<path d="M{x:.3f} {y:.3f}h{wide:.3f}v{high:.3f}h{-wide:.3f}z"/>')
            case Line(x0, y0, x1, y1):
                lines.append(
                    f'<path d="M{x0:.3f} {y0:.3f}L{x1:.3f} {y1:.3f}" stroke="#000"'
                    f' stroke-width="{THIN_MM}"/>'
                )
            case Text(x, y, high, words):
                lines.append(
                    f'<text x="{x:.3f}" y="{y:.3f}" font-size="{high:g}"'
                    f' font-family="{FONT}, Arial, sans-serif">{escape(words)}</text>'
                )
    return "\n".join([*lines, "</svg>", ""])


def as_pdf(sheets: tuple[Sheet, ...]) -> bytes:
    """The sheets as a PDF of one page each, without compression."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(sheets)))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode(),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{FONT} /Encoding /WinAnsiEncoding >>".encode(),
    ]
    for number, sheet in enumerate(sheets):
        width, height = (each * POINT for each in sheet.size_mm)
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}]"
            f" /Resources << /Font << /F 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>".encode()
        )
        drawn = _operators(sheet).encode("cp1252")
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(bodies, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n" % (len(bodies) + 1, table)
    return bytes(out + b"%%EOF\n")


def _operators(sheet: Sheet) -> str:
    """What a page's content says; PDF counts y from the lower edge."""
    height = sheet.size_mm[1]
    lines = [f"{THIN_MM * POINT:.3f} w"]
    for shape in sheet.shapes:
        match shape:
            case Box(x, y, wide, high):
                sides = (x, height - y - high, wide, high)
                lines.append(" ".join(f"{each * POINT:.3f}" for each in sides) + " re f")
            case Line(x0, y0, x1, y1):
                ends = [each * POINT for each in (x0, height - y0, x1, height - y1)]
                lines.append("{:.3f} {:.3f} m {:.3f} {:.3f} l S".format(*ends))
            case Text(x, y, high, words):
                told = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
                at = f"{x * POINT:.3f} {(height - y) * POINT:.3f}"
                lines.append(f"BT /F {high * POINT:.3f} Tf {at} Td ({told}) Tj ET")
    return "\n".join(lines)
