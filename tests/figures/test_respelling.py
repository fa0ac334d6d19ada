"""Texts of a drawing in traditional characters, in the places of those that it was laid out with."""

import re

import pytest
from fontTools.ttLib import TTFont

from diglot.figures.drawing.canvas import Canvas
from diglot.figures.drawing.export import Inscription, svg
from diglot.figures.drawing.respelling import Respelling
from diglot.figures.drawing.sheets import layout, place
from diglot.figures.drawing.style import FONTS, use_style
from diglot.figures.drawing.svg import Caption
from diglot.figures.picture_key import picture_key
from tests.traditional.settings import spelling

pytest.importorskip("opencc", reason="OpenCC is not installed (pip install 'diglot[hant]')")


def file_of(canvas: Canvas) -> str:
    about = Inscription(
        caption=Caption(prefix="x", title="x", alt="x", lang="zh-Hant"), key=picture_key("bars data 123456")
    )
    return svg(canvas, place(canvas, layout("narrow")), about, paper=None).decode()


def canvas_with(text: str, respelling: Respelling | None = None) -> Canvas:
    use_style("zh", "light")
    canvas = Canvas("narrow", "zh", height_px=100)
    canvas.text_px(10, 20, text)
    canvas.respelling = respelling
    return canvas


def test_a_label_has_as_many_characters_as_before_and_only_those_that_a_face_has():
    use_style("zh", "light")
    respelling = Respelling(spelling("taiwan-terms", 峰值="𪚥值"))
    assert respelling.label("内存带宽 4.8 TB/s") == "內存帶寬 4.8 TB/s"
    assert respelling.label("芯片") == "晶片"
    assert respelling.label("算力峰值") == "算力峰值", "no face has 𪚥"


def test_files_have_the_glyphs_of_converted_labels_and_formulas_stay():
    respelling = Respelling(spelling("taiwan"))
    glyphs = TTFont(FONTS / "DiglotSansHant-Regular.ttf").getReverseGlyphMap()
    drawn = file_of(canvas_with("面条 $x$", respelling)), file_of(canvas_with("面条", respelling))
    used = [re.findall(r'(?<=href="#x-DiglotSansHant-Regular-)[0-9a-f]+', one) for one in drawn]
    assert used == [[f"{glyphs[f'uni{ord(one):04X}']:x}" for one in "麵條"]] * 2
