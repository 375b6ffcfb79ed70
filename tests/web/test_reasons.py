"""What cameras and calibration say reaches people in their language, all of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import calibration
import vision.cameras
from web.reasons import REASONS, progress, reason, reason_key
from web.texts import Texts, languages
from web.wording import Voice

GRADES = Path(calibration.__file__).parent / "grades.py"
CAMERAS = [Path(vision.cameras.__file__).parent / f"{name}.py" for name in ("usb", "pi")]


def sentence(node: ast.AST) -> str:
    """A text of the code, an example for each part that varies; empty for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            sentence(one) if isinstance(one, ast.Constant) else "7" for one in node.values
        )
    return ""


def ways(node: ast.AST) -> list[ast.AST]:
    """Both sides of a choice."""
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]


def graded() -> set[str]:
    """Whatever a grade may be made of."""
    found = set[str]()
    for node in ast.walk(ast.parse(GRADES.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Grade":
            found |= {sentence(one) for one in node.args}
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in (
            "advice",
            "found",
        ):
            found |= {sentence(one) for one in ways(node.value)}
    return found - {""}


def camera_troubles() -> set[str]:
    found = set[str]()
    for path in CAMERAS:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CameraError":
                found |= {sentence(one) for one in ways(node.args[0])}
            elif isinstance(node, ast.Return) and node.value is not None:
                found.add(sentence(node.value))
    return {text for text in found if len(text.split()) > 3}


def test_every_grade_has_words() -> None:
    said = graded()
    assert len(said) > 15
    assert sorted(text for text in said if reason_key(text) is None) == []


def test_the_troubles_of_cameras_have_words() -> None:
    said = camera_troubles()
    assert len(said) > 8
    assert sorted(text for text in said if reason_key(text) is None) == []


@pytest.mark.parametrize("lang", languages())
def test_every_reason_is_in_every_language(lang: str) -> None:
    texts = Texts(lang)
    assert [key for _, key in REASONS if not texts.has(f"reason.{key}")] == []


def test_pieces_are_called_by_their_colour() -> None:
    assert reason("piece red", Voice("fr")) == "Couleur\u00a0: le pion rouge"
    assert "the barricade" in reason("show barricade on known cells once", Voice("en"))


def test_learning_is_told_in_the_language_of_whoever_asks() -> None:
    grade = {"part": "elevation", "value": 0.5, "finding": "55 degrees",
             "advice": "raise the camera: pieces hide each other below 60 degrees"}  # fmt: skip
    state = {"grades": [grade], "problem": "this board has no markers: name at least four cells"}
    told = progress(state, Voice("fr"))
    assert told["grades"][0]["part"] == "Hauteur de la caméra"
    assert "Monte la caméra" in told["grades"][0]["advice"]
    assert "repères" in told["problem"]


def test_what_is_not_known_is_passed_on() -> None:
    assert reason("the moon is out", Voice("fr")) == "the moon is out"
