"""Sizes of texts before they are drawn, in either language, with the fonts that drawings use."""

from functools import cache

import msgspec
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from diglot.figures.drawing.line_breaks import parts_of
from diglot.figures.drawing.runs import extent_of, runs_of
from diglot.figures.drawing.style import FACES, know_faces, math_faces
from diglot.languages import Language

ASCENT_EM, DESCENT_EM = 0.88, 0.22
"""Height of a line of text above and below its baseline, the same for every text."""
LINE_EM = 1.3


class Face(msgspec.Struct, frozen=True):
    """A language and the sizes of its text in px."""

    language: Language
    text: float
    small: float


@cache
def width_of(text: str, size: float, language: Language) -> float:
    """The width of a text in px: that of its longest line."""
    return max(_line_width(line, size, language) for line in text.split("\n"))


def _line_width(line: str, size: float, language: Language) -> float:
    if not line:
        return 0.0
    scale = size / text_to_path.FONT_SCALE

    def measure(text: str, math: bool) -> tuple[float, float, float]:
        width, height, descent = _measured(text, math, language)
        return width * scale, height * scale, descent * scale

    return float(extent_of(line, size, measure)[0])


@cache
def _measured(text: str, math: bool, language: Language) -> tuple[float, float, float]:
    """Width, height and descent at the size at which matplotlib measures texts of every size."""
    know_faces()
    font = FontProperties(family=list(FACES[language]), size=text_to_path.FONT_SCALE)
    with math_faces(language):
        width, height, descent = text_to_path.get_text_width_height_descent(text, font, math)
    return width, height, descent


def wrapped(text: str, size: float, language: Language, most_px: float) -> str:
    """The text in as few lines as fit into a width: broken at spaces, and in Chinese between characters."""
    if width_of(text, size, language) <= most_px:
        return text
    lines: list[str] = [""]
    for part in (
        part for run in runs_of(text) for part in ([run.source] if run.is_formula else parts_of(run.source))
    ):
        if lines[-1].strip() and width_of((lines[-1] + part).rstrip(), size, language) > most_px:
            lines.append("")
        lines[-1] += part if lines[-1] else part.lstrip()
    return "\n".join(line.rstrip() for line in lines)
