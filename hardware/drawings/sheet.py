"""Pages to print at true size: black on white, in millimetres, as SVG or PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from hardware.boards import Point
from hardware.drawings import svg

A4: Point = (210.0, 297.0)
POINTS = 72 / 25.4  # a PDF counts in points
CAPITAL = 1.39  # Helvetica's size over the height of its capitals


@dataclass(frozen=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    start: Point
    end: Point
    width: float
    grey: float = 0.0


@dataclass(frozen=True)
class Label:
    """Text from its left end on the base line; `height` is that of a capital."""

    x: float
    y: float
    text: str
    height: float


@dataclass(frozen=True)
class Page:
    size: Point
    shapes: tuple[Rectangle | Line | Label, ...]


def ruler(x: float, y: float, long: int = 100) -> Iterator[Line | Label]:
    """A ruler that tells whether the printer kept the size."""
    yield Line((x, y), (x + long, y), 0.2)
    for millimetre in range(0, long + 1, 5):
        tall = 4.0 if millimetre % 10 == 0 else 2.2
        yield Line((x + millimetre, y), (x + millimetre, y - tall), 0.2)
    yield Label(x + long + 3.0, y, f"= {long} mm", 3.2)


def as_svg(pages: Sequence[Page]) -> str:
    """The pages one below another in one drawing."""
    width = max(page.size[0] for page in pages)
    height = sum(page.size[1] for page in pages)
    drawn, top = [svg.box(0, 0, width, height, fill="#fff")], 0.0
    for page in pages:
        shapes = [svg_shape(shape) for shape in page.shapes]
        drawn.append(svg.layer("page", shapes, transform=svg.place(0, top)))
        top += page.size[1]
    return svg.document(width, height, (0, 0), *drawn)


def svg_shape(shape: Rectangle | Line | Label) -> str:
    if isinstance(shape, Rectangle):
        # finer than hundredths: neighbouring modules must not leave a hair of white
        exact = {k: f"{getattr(shape, k):.4f}" for k in ("x", "y", "width", "height")}
        return svg.tag("rect", **exact, fill="#000", shape_rendering="crispEdges")
    if isinstance(shape, Line):
        level = round(255 * shape.grey)
        (x1, y1), (x2, y2) = shape.start, shape.end
        return svg.tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=shape.width,
                       stroke=f"rgb({level},{level},{level})")  # fmt: skip
    return svg.tag("text", escape(shape.text), x=shape.x, y=shape.y,
                   font_size=shape.height * CAPITAL,
                   font_family="Helvetica, Arial, sans-serif")  # fmt: skip


def as_pdf(pages: Sequence[Page], title: str) -> bytes:
    """A PDF that asks viewers not to scale it; Helvetica is built into every one of them."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for page in pages:
        width, height = (f"{part * POINTS:.4f}" for part in page.size)
        stream = "\n".join([f"{POINTS:.8f} 0 0 {-POINTS:.8f} 0 {height} cm",
                            *map(pdf_shape, page.shapes)]).encode("cp1252", "replace")  # fmt: skip
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects) + 2} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
    info = f"<< /Title ({pdf_text(title)}) >>".encode("cp1252", "replace")
    return pdf_file([*objects, info])


def pdf_file(objects: Sequence[bytes]) -> bytes:
    """The objects one after another, then the table of where each begins; the last is the info."""
    out, starts = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, content in enumerate(objects, start=1):
        starts.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % start for start in starts)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % table)


def pdf_shape(shape: Rectangle | Line | Label) -> str:
    if isinstance(shape, Rectangle):
        return f"0 g {shape.x:.4f} {shape.y:.4f} {shape.width:.4f} {shape.height:.4f} re f"
    if isinstance(shape, Line):
        (x1, y1), (x2, y2) = shape.start, shape.end
        return f"{shape.grey:.2f} G {shape.width:.3f} w {x1:.4f} {y1:.4f} m {x2:.4f} {y2:.4f} l S"
    size = shape.height * CAPITAL  # y points down on our pages: letters are turned over again
    return (
        f"0 g BT /F1 {size:.4f} Tf 1 0 0 -1 {shape.x:.4f} {shape.y:.4f} Tm "
        f"({pdf_text(shape.text)}) Tj ET"
    )


def pdf_text(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
