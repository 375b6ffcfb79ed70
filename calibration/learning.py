"""From pictures of one table to all that reading it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import cv2
import numpy as np

from calibration.fit import Fit, FitError, Sights, fit, marker_sights, sights
from calibration.grades import grades, reading_grade
from calibration.inpaint import without_pieces
from calibration.looks import by_kind, learn_kinds, scene, stances
from calibration.markers import find_markers
from calibration.table import EmptyLook, PieceLook, Table, TilePatch
from calibration.tiling import learn_tiles
from calibration.view import Array, Lens, View
from hardware.boards import Board, BoardError, Cell
from vision.light import lattice
from vision.looks import empty as empty_look
from vision.place import GOOD_FIT, anchors, stay
from vision.reading import PictureError, Reader
from vision.solids import Solid, Stance, roomy

Setup = Mapping[str, str | Sequence[str]]
LOOKS = 2  # how often the pieces are looked at to know what they hide
UNCLEAR = 0.5  # pixels by which a place found may be off before another picture is asked
READ_BACK = 0.5  # the part of what stands there that is read back at least of a board well found
APART = 0.5  # pixels by which the views of two pictures of a board that lay still may differ
UNMOVED = 1.0  # pixels below which it did
TOUCHED = 12.0  # how many pixels a pointed-out place may be off, in sigmas of a marker's


class CalibrationError(ValueError):
    """Pictures from which this table cannot be learned, with what to do about it."""


@dataclass(frozen=True)
class Placed:
    """A picture, the board's view in it, and how it was found."""

    image: Array
    view: View
    fit: Fit
    markers: tuple[int, ...]


def learn(
    board: Board,
    empty: Sequence[np.ndarray] = (),
    pieces: np.ndarray | None = None,
    setup: Setup | None = None,
    lens: Lens | None = None,
    points: Mapping[str, tuple[float, float]] | None = None,
    mode: str = "",
) -> Table:
    """Learn a table from BGR pictures: `empty` ones, one with known pieces, or that one alone.

    `setup` says which pieces (by name) stand on which cells in `pieces`; left out, all pawns wait
    in their camps. `points` places a board without markers: cell to pixel. Grades and advice are
    in the table. Raises `CalibrationError` where nothing can be learned.
    """
    pictures = [*empty, *([] if pieces is None else [pieces])]
    if not pictures:
        raise CalibrationError("no picture: give one of the empty board or one with known pieces")
    size = (pictures[0].shape[1], pictures[0].shape[0])
    if any((p.shape[1], p.shape[0]) != size for p in pictures):
        raise CalibrationError("the pictures differ in size: take all of them in one camera mode")
    if lens is not None and lens.size != size:
        raise CalibrationError(
            f"the lens was learned at {lens.size[0]}x{lens.size[1]}, "
            f"the pictures are {size[0]}x{size[1]}"
        )
    known = standing(board, setup) if pieces is not None else {}
    cells = by_kind(board, known)
    places = {} if points is None else dict(points)
    taken = standing_in(board, known)
    bare = place(board, pictures[0], lens, places, frozenset() if len(empty) else taken)
    if len(empty):
        picture, guessed = pictures[0], None
    else:
        picture, guessed = bared(board, bare, known, cells)
    unknown = () if len(empty) else tuple(known)
    look = empty_look(picture, bare.view)
    shown = bare
    if pieces is not None and len(empty):
        if lens is None and bare.fit.error > UNCLEAR:  # the other picture may tell the lens better
            other = place(board, pieces, None, places, taken)
            again = place(board, empty[0], other.view.lens, places, frozenset(), other)
            bare = min(bare, again, key=lambda found: found.fit.error)
            look = empty_look(picture, bare.view)
        shown = place(board, pieces, bare.view.lens, places, taken, bare)
        if contradicted(board, picture, pieces, bare.view, shown.view):
            better = max(bare, shown, key=lambda found: (found.fit.agreeing, -found.fit.error))
            if better.fit.error < GOOD_FIT:  # or else neither was found where it lies
                bare, shown = replace(better, image=bare.image), replace(better, image=shown.image)
                look = empty_look(picture, bare.view)
    white = paper(board, bare)
    seen = scene(look.shown.picture, look.view, look, lattice(board))
    if pieces is not None:
        seen = scene(pieces, shown.view, look, lattice(board))
    kinds = learn_kinds(seen, board, cells, white)
    tiles = learn_tiles(seen, board, cells, white, pieces is not None)
    table = Table(
        board=board,
        lens=bare.view.lens,
        pose=shown.view.pose,
        empty=EmptyLook(stored(picture, guessed), unknown, bare.view.pose),
        pieces=tuple(
            PieceLook(
                k.piece.name,
                k.solid.diameter,
                k.solid.height,
                rounded(k.palette),
                len(cells[k.piece.name]),
                k.solid.shape,
            )
            for k in kinds
        ),
        tiles=tuple(TilePatch(name, rounded(colours)) for name, colours in tiles),
        grades=grades(board, bare.fit, bare.markers, kinds, pictures, lens is not None),
        mode=mode,
        made=date.today().isoformat(),
    )
    return table if pieces is None else checked(table, pieces, known)


def checked(table: Table, picture: Array, known: Setup) -> Table:
    """The table, its own picture read back: places where a piece that stands there is taken for
    the empty place are marked, for emptiness cannot be told there. Where hardly anything is read
    back the board was not found where it lies: CalibrationError.
    """
    try:
        reading = Reader(table).read(picture)
    except PictureError:
        return table
    read = {seen.cell for seen in reading.pieces}
    alike = tuple(cell for cell in known if cell not in read and cell not in reading.unsure)
    right = len(known) - len(alike) - len(set(known) & set(reading.unsure))
    if right < READ_BACK * len(known):
        advice = next((grade.advice for grade in table.grades if grade.part == "place"), "")
        raise CalibrationError(
            f"only {right} of {len(known)} places with pieces are read back, so the board was not "
            f"found where it lies: {advice or 'is it this board, and do they stand as told?'}"
        )
    return replace(
        table, alike=alike, grades=(*table.grades, reading_grade(right, len(known), alike))
    )


def bared(
    board: Board,
    shown: Placed,
    known: Mapping[str, tuple[str, ...]],
    cells: Mapping[str, Sequence[Cell]],
) -> tuple[Array, Array]:
    """The picture of a board without the known pieces on it, and a mask of what is guessed: at
    first of anywhere such pieces may be, then of where they are seen to be.
    """
    view, taken, white = shown.view, frozenset(known), paper(board, shown)
    alone: dict[str, list[tuple[Stance, Solid]]] = {}
    picture, guessed = without_pieces(board, view, shown.image, taken, alone)
    for _ in range(LOOKS):
        look = empty_look(picture, view)
        seen = scene(shown.image, view, look, lattice(board))
        placed: dict[str, list[tuple[Stance, Solid]]] = {}
        for kind in learn_kinds(seen, board, cells, white):
            for cell, stance in stances(seen, board, kind, cells[kind.piece.name]):
                placed.setdefault(cell, []).append((stance, kind.solid))
        alone = {cell: found for cell, found in placed.items() if len(known[cell]) == 1}
        picture, guessed = without_pieces(board, view, shown.image, taken, alone)
    return picture, guessed


def stored(picture: Array, guessed: Array | None) -> bytes:
    """A picture as a file; what is guessed in it is transparent."""
    whole = picture if guessed is None else np.dstack([picture, 255 - guessed])
    done, encoded = cv2.imencode(".png", whole)
    if not done:
        raise CalibrationError("the picture of the empty board cannot be stored")
    return bytes(encoded.tobytes())


def rounded(palette: Array) -> tuple[tuple[int, int, int], ...]:
    whole = np.clip(np.rint(palette), 0, 255).astype(int)
    return tuple((int(b), int(g), int(r)) for b, g, r in whole)


def standing(board: Board, setup: Setup | None) -> dict[str, tuple[str, ...]]:
    """What stands where: as told, or all pawns in their camps."""
    if setup is not None:
        told = {
            cell: (names,) if isinstance(names, str) else tuple(names)
            for cell, names in setup.items()
        }
        for cell, names in told.items():
            board.cell(cell)
            for name in names:
                board.piece(name)
        return told
    own = {piece.seat: piece.name for piece in board.pieces if piece.kind == "pawn"}
    camps: dict[str, tuple[str, ...]] = {}
    for camp in board.of_kind("camp"):
        seat = camp.seat or camp.id[:-1].rstrip("0123456789")[:-1]  # others may not name the owner
        if seat in own:
            camps[camp.id] = (own[seat],)
    if not camps:
        raise BoardError(f"{board.name} has no camps: say with a setup which pieces stand where")
    return camps


def standing_in(board: Board, known: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The cells whose edge cannot be seen for what stands there: not of dishes with room around."""
    return frozenset(
        cell
        for cell, names in known.items()
        if not roomy(board.cell(cell), [board.piece(name) for name in names])
    )


def place(
    board: Board,
    image: Array,
    lens: Lens | None,
    points: Mapping[str, tuple[float, float]],
    taken: frozenset[str],
    before: Placed | None = None,
) -> Placed:
    """Find the board in a picture, by its markers, by points told, or where it was before."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = find_markers(board, image)
    known = marker_sights(board, found)
    trust = 1.0
    if points:
        told = told_sights(board, points)
        known, trust = (told, TOUCHED) if not found else (known + told, 1.0)
    try:
        if len(known.board) < 4 and before is None:
            raise CalibrationError(unplaced(board))
        start = None if before is None else before.view
        result = fit(board, grey, known, lens, taken, start, trust)
    except FitError as error:
        raise CalibrationError(f"{error}: check the points, or the board's measures") from None
    return Placed(image, result.view, result, tuple(sorted(found)))


def contradicted(board: Board, empty: Array, pieces: Array, bare: View, shown: View) -> bool:
    """Whether two views lie apart though nothing has moved between their pictures: so far apart may
    they be where a few blurred corners are all there is.
    """
    width, height = board.size
    edges = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
    apart = np.linalg.norm(bare.project(edges) - shown.project(edges), axis=1)
    if float(apart.max()) < APART:
        return False
    stayed = stay(pieces, anchors(board, empty, bare, bare))
    return stayed.seen > 0 and 2 * stayed.seen >= stayed.of and stayed.moved < UNMOVED


def told_sights(board: Board, points: Mapping[str, tuple[float, float]]) -> Sights:
    spots = [(board.cell(cell).x, board.cell(cell).y) for cell in points]
    pixels = np.array([tuple(map(float, p)) for p in points.values()]).reshape(-1, 2)
    return sights(np.array(spots), pixels, 0.5 * TOUCHED)


def unplaced(board: Board) -> str:
    if board.markers:
        return (
            "none of the board's markers can be seen: light it evenly, let nothing lie on them, "
            "or name at least four cells on the picture with --points"
        )
    return "this board has no markers: name at least four cells on the picture with --points"


def paper(board: Board, placed: Placed) -> Array:
    """What white looks like under this light, BGR: the markers' paper, or the lightest wood."""
    inside = []
    for marker in board.markers:
        if marker.id not in placed.markers:
            continue
        middle = np.mean(marker.corners, axis=0)
        part = np.linspace(-0.42, 0.42, 19)
        across = np.array(marker.corners[1]) - marker.corners[0]
        down = np.array(marker.corners[3]) - marker.corners[0]
        spots = middle + part[:, None, None] * across + part[None, :, None] * down
        inside.append(spots.reshape(-1, 2))
    if inside:
        seen = empty_look(placed.image, placed.view).sample(np.concatenate(inside))[0]
        white: Array = np.percentile(seen, 95, axis=0)
        return white
    seen = empty_look(placed.image, placed.view).sample(lattice(board).points)[0]
    return np.full(3, min(255.0, 1.25 * float(np.percentile(seen, 90))))
