"""What is printed is true to size and found by the detector that will look for it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.boards import Board, BoardError, Marker, board, names, write
from hardware.drawings import chart, markers, sheet

SVG = "{http://www.w3.org/2000/svg}"
SCALE = 6  # dots a millimetre
Boxes = list[tuple[float, ...]]
each = pytest.mark.parametrize("name", names())


def svg_boxes(drawing: str) -> Boxes:
    """The black rectangles of a printed page, in millimetres."""
    rects = ET.fromstring(drawing).iter(f"{SVG}rect")
    keys = ("x", "y", "width", "height")
    return [tuple(float(r.get(k, 0)) for k in keys) for r in rects if r.get("fill") == "#000"]


def pdf_pages(data: bytes) -> list[tuple[tuple[float, float], Boxes, list[str]]]:
    """Each page's size, black rectangles and texts in millimetres; the file is checked too."""
    table = int(data.split(b"startxref\n")[1].split()[0])
    entries = re.findall(rb"(\d{10}) \d{5} ([nf]) ?\n", data[table:])
    for number, (start, used) in enumerate(entries):
        if used == b"n":
            assert data[int(start) :].startswith(b"%d 0 obj" % number)
    assert data.startswith(b"%PDF-1.")
    assert data.endswith(b"%%EOF\n")
    assert b"/PrintScaling /None" in data
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    streams = re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", data, re.DOTALL)
    found = []
    for (width, height), (length, stream) in zip(boxes, streams, strict=True):
        assert len(stream) == int(length)
        lines = stream.decode("cp1252").splitlines()
        a, b, c, d, e, f, _ = lines[0].split()
        unit = 72 / 25.4
        assert (float(a), float(b), float(c)) == pytest.approx((unit, 0, 0))
        assert (float(d), float(e), float(f)) == pytest.approx((-unit, 0, float(height)))
        rects = [tuple(map(float, line.split()[2:6])) for line in lines if line.endswith("re f")]
        size = float(width) / unit, float(height) / unit
        found.append((size, rects, re.findall(r"\((.*)\) Tj", "\n".join(lines))))
    return found


def rasterised(boxes: Boxes, size: tuple[float, float]) -> np.ndarray[Any, Any]:
    canvas = np.full((round(size[1] * SCALE), round(size[0] * SCALE)), 255, np.uint8)
    for x, y, width, height in boxes:
        left, top = round(x * SCALE), round(y * SCALE)
        canvas[top : round((y + height) * SCALE), left : round((x + width) * SCALE)] = 0
    return canvas


def detected(boxes: Boxes, size: tuple[float, float], dictionary: str) -> dict[int, float]:
    """The ids of the markers on a page, with the length of a side in millimetres."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(rasterised(boxes, size))
    if ids is None:
        return {}
    sides = [np.linalg.norm(np.diff(np.reshape(c, (4, 2)), axis=0), axis=1) for c in corners]
    # a detected corner is the middle of a dot: a side is one dot longer than from corner to corner
    return {
        int(n): (float(np.mean(s)) + 1) / SCALE for n, s in zip(np.ravel(ids), sides, strict=True)
    }


@each
def test_printed_markers_are_found_and_true_to_size(name: str) -> None:
    made = board(name)
    pages = markers.pages(made)
    ((size, boxes, texts),) = pdf_pages(sheet.as_pdf(pages, made.name))
    assert size == pytest.approx((210.0, 297.0), abs=0.01)
    assert np.allclose(boxes, svg_boxes(sheet.as_svg(pages)), atol=1e-3)
    found = detected(boxes, size, made.dictionary or "")
    assert sorted(found) == [marker.id for marker in made.markers]
    assert list(found.values()) == pytest.approx([30.0] * 4, abs=0.15)
    assert "= 100 mm" in texts


def test_the_check_ruler_is_100_mm_long() -> None:
    (long, *ticks) = [s for s in sheet.ruler(20.0, 30.0) if isinstance(s, sheet.Line)]
    assert (long.start, long.end) == ((20.0, 30.0), (120.0, 30.0))
    assert [tick.start[0] for tick in ticks] == [20.0 + 5 * n for n in range(21)]


def test_a_svg_sheet_is_true_to_size() -> None:
    root = ET.fromstring(sheet.as_svg(markers.pages(board("tock4"))))
    assert (root.get("width"), root.get("height")) == ("210mm", "297mm")
    assert root.get("viewBox") == "0 0 210 297"


def with_markers(count: int, side: float) -> Board:
    square = ((0.0, 0.0), (side, 0.0), (side, side), (0.0, side))
    return replace(board("tock4"), markers=tuple(Marker(n, square) for n in range(count)))


def test_many_markers_go_on_over_several_pages() -> None:
    made = with_markers(30, 40.0)
    pages = markers.pages(made)
    assert len(pages) > 1
    found: dict[int, float] = {}
    for size, boxes, texts in pdf_pages(sheet.as_pdf(pages, "many")):
        found |= detected(boxes, size, "DICT_4X4_50")
        assert "= 100 mm" in texts
        assert all(x >= 10 and x + w <= 200 and y + h <= 287 for x, y, w, h in boxes)
    assert sorted(found) == list(range(30))
    assert list(found.values()) == pytest.approx([40.0] * 30, abs=0.15)
    stacked = svg_boxes(sheet.as_svg(pages))
    assert len(stacked) == sum(len(boxes) for _, boxes, _ in pdf_pages(sheet.as_pdf(pages, "")))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (with_markers(0, 30.0), "tock4 has no markers to print"),
        (with_markers(1, 0.0), "the corners of marker 0 make no square"),
        (with_markers(1, 250.0), "marker 0 is 250 mm wide and does not fit on A4"),
        (replace(with_markers(1, 30.0), dictionary="DICT_9X9"), 'OpenCV knows no "DICT_9X9"'),
        (replace(with_markers(1, 30.0), dictionary="Board"), 'OpenCV knows no "Board"'),
        (with_markers(51, 30.0), "DICT_4X4_50 ends at id 49, there is no 50"),
    ],
)
def test_markers_that_cannot_be_printed(made: Board, said: str) -> None:
    with pytest.raises(BoardError, match=said):
        markers.pages(made)


def test_a_slanting_marker_is_printed_upright_at_its_own_size() -> None:
    slant = ((5.9, 6.1), (31.9, 5.4), (32.6, 31.4), (6.6, 32.1))
    made = replace(board("tock4"), markers=(Marker(7, slant),))
    ((size, boxes, _),) = pdf_pages(sheet.as_pdf(markers.pages(made), "slanting"))
    assert detected(boxes, size, "DICT_4X4_50") == {7: pytest.approx(26.0, abs=0.2)}


def test_a_name_with_brackets_does_not_break_the_pdf() -> None:
    odd = replace(board("tock4"), name=r"a)\(b € 木")
    ((_, _, texts),) = pdf_pages(sheet.as_pdf(markers.pages(odd), odd.name))
    assert texts[0].startswith(r"Arbitre – a\)\\\(b € ?")
    assert write(odd)["name"] == odd.name


@pytest.mark.parametrize("legacy", [False, True])
def test_every_corner_of_the_chart_is_found_whatever_the_pattern(legacy: bool) -> None:
    ((size, boxes, texts),) = pdf_pages(sheet.as_pdf([chart.page()], "chart"))
    assert size == pytest.approx((210.0, 297.0), abs=0.01)
    assert np.allclose(boxes, svg_boxes(sheet.as_svg([chart.page()])), atol=1e-3)
    assert "= 100 mm" in texts
    wanted = cv2.aruco.CharucoBoard(
        (chart.COLUMNS, chart.ROWS),
        chart.SQUARE,
        chart.MARKER,
        markers.dictionary(chart.DICTIONARY),
    )
    wanted.setLegacyPattern(legacy)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(wanted).detectBoard(rasterised(boxes, size))
    assert sorted(np.ravel(ids)) == list(range((chart.COLUMNS - 1) * (chart.ROWS - 1)))
    printed = np.reshape(corners, (-1, 2)) / SCALE
    on_chart = np.reshape(chart.board().getChessboardCorners(), (-1, 3))[np.ravel(ids), :2]
    shift = printed - on_chart
    assert np.allclose(shift, shift[0], atol=0.2)  # same size, same way round, only moved
    assert np.all((on_chart + shift[0] > 10) & (on_chart + shift[0] < (200, 287)))


def test_the_chart_is_not_taken_for_a_board() -> None:
    ((size, boxes, _),) = pdf_pages(sheet.as_pdf([chart.page()], "chart"))
    for name in names():
        assert not detected(boxes, size, board(name).dictionary or "")
