"""Printed boards and markers: drawn again from the file, they have their sizes and are found."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.calibration.boards import (
    CHECK_MM,
    COLUMNS,
    INNER,
    MARKER_MM,
    MARKERS,
    ROWS,
    SQUARE_MM,
    board_sheets,
    marker_sheets,
)
from vision.calibration.detect import BoardView, find_board, find_markers
from vision.calibration.sheets import A3, A4, LETTER, PAPERS, POINT, Paper, Sheet, as_pdf, as_svg

FINE = 6
"""Pixels to the millimetre of a sheet drawn again."""


def svg_boxes(svg: str) -> tuple[tuple[float, float], list[tuple[float, float, float, float]]]:
    """Size of the sheet and its filled boxes, in millimetres, read from the file's text."""
    root = ET.fromstring(svg)
    size = (float(root.attrib["width"][:-2]), float(root.attrib["height"][:-2]))
    assert root.attrib["viewBox"].split() == ["0", "0", f"{size[0]:g}", f"{size[1]:g}"]
    boxes = []
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        if "stroke" in path.attrib:
            continue
        x, y, wide, high, _ = (float(each) for each in re.findall(r"-?[\d.]+", path.attrib["d"]))
        boxes.append((x, y, wide, high))
    return size, boxes


def pdf_pages(pdf: bytes) -> Iterator[tuple[tuple[float, float], str]]:
    """Size in millimetres and content of each page, by the file's own table of objects."""
    start = int(pdf.rsplit(b"startxref", 1)[1].split()[0])
    rows = pdf[start:].split(b"\n")
    count = int(rows[1].split()[1])
    objects = {}
    for number in range(1, count):
        at = int(rows[2 + number].split()[0])
        assert pdf[at:].startswith(b"%d 0 obj" % number)
        objects[number] = pdf[at : pdf.index(b"endobj", at)].decode("latin-1")
    for body in objects.values():
        if "/Type /Page " not in body:
            continue
        box = re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", body)
        content = re.search(r"/Contents (\d+) 0 R", body)
        assert box is not None
        assert content is not None
        stream = objects[int(content[1])]
        length = re.search(r"/Length (\d+)", stream)
        assert length is not None
        text = stream.split("stream\n", 1)[1][: int(length[1])]
        yield (float(box[1]) / POINT, float(box[2]) / POINT), text


def pdf_boxes(size: tuple[float, float], text: str) -> list[tuple[float, float, float, float]]:
    """The filled boxes of a page, in millimetres from its upper left corner."""
    boxes = []
    for line in text.splitlines():
        if line.endswith("re f"):
            x, y, wide, high = (float(each) / POINT for each in line.split()[:4])
            boxes.append((x, size[1] - y - high, wide, high))
    return boxes


def rasterised(
    size: tuple[float, float], boxes: list[tuple[float, float, float, float]]
) -> NDArray[np.uint8]:
    """A sheet as an image."""
    page = np.full((round(size[1] * FINE), round(size[0] * FINE)), 255, dtype=np.uint8)
    for x, y, wide, high in boxes:
        corner = (round((x + wide) * FINE) - 1, round((y + high) * FINE) - 1)
        cv2.rectangle(page, (round(x * FINE), round(y * FINE)), corner, 0, -1)
    return page


@pytest.mark.parametrize("paper", PAPERS.values(), ids=list(PAPERS))
def test_the_printed_board_is_found_whole_with_squares_of_its_size(paper: Paper) -> None:
    sheet = board_sheets(paper).sheets[0]
    size, boxes = svg_boxes(as_svg(sheet))
    assert size == (max(paper.size_mm), min(paper.size_mm))
    view = find_board(rasterised(size, boxes))
    assert isinstance(view, BoardView)
    assert len(view.numbers) == INNER
    first, last = view.corners[0] / FINE, view.corners[-1] / FINE
    square = SQUARE_MM[paper]
    assert last - first == pytest.approx(((COLUMNS - 2) * square, (ROWS - 2) * square), abs=0.3)


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
def test_every_printed_marker_is_found_once_with_its_number_and_size(paper: Paper) -> None:
    numbers = []
    for sheet in marker_sheets(paper).sheets:
        markers = find_markers(rasterised(*svg_boxes(as_svg(sheet))))
        assert isinstance(markers, tuple)
        for marker in markers:
            numbers.append(marker.number)
            sides = np.hypot(*(np.roll(marker.corners, -1, axis=0) - marker.corners).T) / FINE
            assert sides == pytest.approx([MARKER_MM] * 4, abs=0.4)
    assert sorted(numbers) == list(MARKERS)


@pytest.mark.parametrize("sheets", [board_sheets(A4).sheets, marker_sheets(A4).sheets])
def test_the_pdf_has_the_same_boxes_as_the_svg(sheets: tuple[Sheet, ...]) -> None:
    pages = list(pdf_pages(as_pdf(sheets)))
    assert len(pages) == len(sheets)
    for sheet, (size, text) in zip(sheets, pages, strict=True):
        assert size == pytest.approx(sheet.size_mm, abs=0.001)
        in_svg = svg_boxes(as_svg(sheet))[1]
        assert np.asarray(pdf_boxes(size, text)) == pytest.approx(np.asarray(in_svg), abs=0.002)


def test_everything_is_on_the_paper_and_the_check_line_is_100_mm_long() -> None:
    for printed in (board_sheets(A4), board_sheets(A3), marker_sheets(A4), marker_sheets(LETTER)):
        for sheet in printed.sheets:
            size, boxes = svg_boxes(as_svg(sheet))
            corners = np.asarray([(x + wide, y + high) for x, y, wide, high in boxes])
            assert np.asarray(boxes)[:, :2].min() > 4
            assert (corners.max(axis=0) < np.asarray(size) - 4).all()
            lines = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", as_svg(sheet))
            lengths = [np.hypot(float(d) - float(b), float(c) - float(a)) for a, b, c, d in lines]
            assert any(length == pytest.approx(CHECK_MM, abs=0.001) for length in lengths)
            assert f"this line is {CHECK_MM:g} mm long" in as_svg(sheet)


def test_a_marker_has_white_paper_around_it_as_wide_as_one_of_its_bits() -> None:
    for sheet in marker_sheets(LETTER).sheets:
        size, boxes = svg_boxes(as_svg(sheet))
        page = rasterised(size, boxes)
        grown = cv2.dilate(255 - page, np.ones((2 * FINE * 5, 2 * FINE * 5), np.uint8))
        count, _ = cv2.connectedComponents(grown)
        assert count - 1 == min(6, len(MARKERS))
