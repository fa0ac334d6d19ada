"""A figure on a page: one drawing for light and dark, its words as text, its ids its own."""

import re
from xml.etree import ElementTree

import pytest

from diglot.figures.palette import SENTINELS, TOKENS
from diglot.figures.records import Script

from .conftest import TITLE, Workshop

SVG = "{http://www.w3.org/2000/svg}"
BODY = """
axes = figure.axes_px(42, 46, 250, 200)
axes.plot([1, 10, 100], [1, 2.123456789, 3], color="gpu3", marker="o", mfc="paper")
axes.set_xticks([1, 100], ["1", "100"])
axes.fill_between([1, 4], 1, 2, fc="paper", ec="idle", lw=1, hatch="////")
figure.text_px(0, 14, t(zh="可达算力  “峰值”", en="Attainable rate  “peak”"))
figure.text_px(0, 31, "1.23456789 TFLOP/s & <more>", color="mute", small=True)
figure.text_px(150, 31, "$x^2$", small=True)
"""


@pytest.fixture(scope="module")
def script(workshop: Workshop) -> Script:
    return workshop.drawing("inline", BODY)


@pytest.fixture(scope="module")
def svgs(workshop: Workshop, script: Script) -> dict[tuple[str, str], str]:
    return {
        (language, size): svg
        for language in ("zh", "en")
        for size, svg in workshop.draw(script, language).svgs
    }


def test_it_is_well_formed_and_has_the_width_of_its_size(svgs: dict[tuple[str, str], str]):
    widths = {key: ElementTree.fromstring(svg).get("width") for key, svg in svgs.items()}
    assert widths == {
        ("zh", "narrow"): "350",
        ("zh", "column"): "680",
        ("en", "narrow"): "350",
        ("en", "column"): "680",
    }
    assert all(svg.startswith(f'<svg class="{size}" viewBox="0 0 ') for (_, size), svg in svgs.items())


def test_every_colour_is_a_variable_of_the_palette(svgs: dict[tuple[str, str], str]):
    for svg in svgs.values():
        assert not re.search(r"#[0-9a-f]{6}\b", svg)
        used = set(re.findall(r"var\(--fig-([a-z0-9]+)\)", svg))
        assert {"gpu3", "paper", "idle", "ink", "mute", "soft", "rule", "font"} <= used
        assert used <= {*TOKENS, "font"}
    assert not set(SENTINELS.values()) & set("".join(svgs.values()).split('"'))


def test_words_are_text_and_the_face_is_the_page_s(svgs: dict[tuple[str, str], str]):
    texts = [element.text for element in ElementTree.fromstring(svgs["zh", "column"]).iter("text")]
    assert "可达算力  “峰值”" in texts
    assert "1.23456789 TFLOP/s & <more>" in texts, "numbers in words are not shortened"
    assert "Diglot" not in svgs["zh", "column"]
    pre = [
        e.text
        for e in ElementTree.fromstring(svgs["zh", "column"]).iter("text")
        if e.get("{http://www.w3.org/XML/1998/namespace}space") == "preserve"
    ]
    assert pre == ["可达算力  “峰值”"], "or its two spaces would be one"


def test_nothing_has_a_style_that_a_policy_might_forbid(svgs: dict[tuple[str, str], str]):
    assert not [svg for svg in svgs.values() if "style" in svg]


def test_coordinates_have_two_decimals(svgs: dict[tuple[str, str], str]):
    for svg in svgs.values():
        shapes = re.findall(r' (?:d|x|y|transform|points)="([^"]*)"', svg)
        assert shapes
        assert not [value for value in shapes if re.search(r"\d\.\d{3}", value) and "scale" not in value]


def test_it_says_what_it_shows(svgs: dict[tuple[str, str], str]):
    root = ElementTree.fromstring(svgs["zh", "narrow"])
    words = {element.get("id"): element.text for element in root if element.tag in ("title", "desc")}
    assert root.get("role") == "img"
    assert root.get("lang") == "zh-Hans"
    assert [words[name] for name in root.get("aria-labelledby").split()] == ["图", "一张图。"]


def test_ids_are_unique_on_a_page_and_every_reference_is_kept(
    workshop: Workshop, svgs: dict[tuple[str, str], str]
):
    other = workshop.drawing("inline_other", BODY)
    parameter = workshop.script(
        "inline_twice",
        """
        from typing import Literal
        def compute(dtype: Literal["bf16", "fp8"] = "bf16"): return {}
        def draw(figure, data, t): figure.axes_px(42, 46, 250, 200).plot([1, 2], marker="o")
        def describe(data, t): return "x"
        """,
    )
    everything = [
        *svgs.values(),
        *(svg for _, svg in workshop.draw(other).svgs),
        *(svg for _, svg in workshop.draw(parameter).svgs),
        *(svg for _, svg in workshop.draw(parameter, dtype="fp8").svgs),
    ]
    page = "".join(everything)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    references = re.findall(r'(?:href="|url\()#([^")]+)', page)
    assert references
    assert set(references) <= set(ids)


def test_nothing_from_elsewhere_and_nothing_for_the_whole_page(svgs: dict[tuple[str, str], str]):
    for svg in svgs.values():
        assert not re.search(r"https?://|<style|<metadata|<!|<\?|data:|@import", svg)


def test_a_colour_outside_the_palette_is_a_warning_with_its_line(workshop: Workshop):
    script = workshop.drawing("foreign", "figure.text_px(0, 20, 'x', color='#ff0000')")
    (warning,) = workshop.draw_report(script).warnings
    assert warning.rule == "figure-colour"
    assert "#ff0000" in warning.message
    assert warning.location.line == 4


def test_a_picture_made_of_pixels_is_a_warning(workshop: Workshop):
    script = workshop.drawing("pixels", "figure.axes_px(0, 0, 200, 200).imshow([[0, 1], [1, 0]])")
    rules = {warning.rule for warning in workshop.draw_report(script).warnings}
    assert "figure-pixels" in rules


def test_drawing_elsewhere_is_a_warning(workshop: Workshop):
    script = workshop.drawing("elsewhere", "import matplotlib.pyplot as plt\nplt.plot([1, 2])")
    rules = {warning.rule for warning in workshop.draw_report(script).warnings}
    assert "figure-empty" in rules


def test_one_drawing_does_not_see_what_another_did_to_the_data(workshop: Workshop):
    script = workshop.drawing(
        "mutates", "figure.text_px(0, 20, str(data['a'].pop()))", compute="return {'a': [1, 2]}"
    )
    texts = [re.findall(r"<text[^>]*>([^<]*)", svg) for _, svg in workshop.draw(script).svgs]
    assert texts == [["2"], ["2"]]


def test_table_alt_text_and_provenance_come_along(workshop: Workshop):
    workshop.write("figures/source.csv", "989")
    script = workshop.script(
        "whole",
        """
        from diglot.figures import Column, make_table
        def compute(): return {"peak": float(open("figures/source.csv").read())}
        def draw(figure, data, t): figure.text_px(0, 20, t.number(data["peak"]))
        def describe(data, t):
            peak = t.number(data["peak"])
            return t(zh=f"峰值 {peak}。", en=f"Peak {peak}.")
        def table(data, t):
            return make_table([t(zh="芯片", en="Chip"), Column("P", "TFLOP/s")], [("H200", data["peak"])])
        """,
        title=TITLE,
    )
    drawn = workshop.draw(script, "en")
    assert (drawn.title, drawn.alt) == ("Figure", "Peak 989.")
    assert drawn.table.rows == (("H200", "989"),)
    assert drawn.csv == "Chip,P [TFLOP/s]\nH200,989.0\n"
    assert drawn.provenance == ("figures/source.csv",)
