"""Charts of Altair as figures: the page's colours, both languages, and the same files as other drawings."""

import io
import re

import pytest
from PIL import Image

from diglot.figures.palette import DARK
from diglot.figures.picture_key import picture_key

from .conftest import Workshop, seen

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

ROWS = 'return {"rows": [{"x": x, "y": y, "v": 3.1 * x * y} for x in range(6) for y in range(6)]}'
BASE = """
import altair as alt
base = alt.Chart(alt.Data(values=data["rows"])).mark_rect()
"""


def chart(workshop: Workshop, name: str, expression: str):
    return workshop.drawing(name, f"{BASE}return {expression}", compute=ROWS)


def colours(svg: str) -> set[str]:
    return set(re.findall(r'(?:fill|stroke|stop-color)="(?!none|url)([^"]+)"', svg))


def test_a_chart_has_the_colours_and_the_words_of_the_page(workshop: Workshop) -> None:
    script = chart(
        workshop,
        "bars",
        'base.mark_bar().encode(x=alt.X("x:O", title=t(zh="批量", en="batch")), y="sum(v):Q",'
        ' color=alt.Color("y:N", scale=alt.Scale(range=[figure.colour("gpu3"), figure.colour("tpu2")])))',
    )
    report = workshop.draw_report(script)
    assert not report.warnings
    assert any("vl_convert" in name for _, name in seen(report.observed))  # its version
    for language, word, other in (("zh", "批量", "batch"), ("en", "batch", "批量")):
        drawn = report.drawn(language)
        assert [size for size, _ in drawn.svgs] == ["narrow", "column"]
        for size, svg in drawn.svgs:
            assert f">{word}<" in svg
            assert f">{other}<" not in svg
            assert {"var(--fig-gpu3)", "var(--fig-tpu2)", "var(--fig-mute)"} <= colours(svg)
            assert all(colour.startswith("var(--fig-") for colour in colours(svg)), colours(svg)
            assert "font-family" not in svg.replace('font-family="var(--fig-font)"', "")
            assert "aria-label=" not in svg
            ids = re.findall(r' id="([^"]+)"', svg)
            assert all(one.startswith(f"bars-{size}-{language}-") for one in ids)
    assert workshop.draw_report(script).result == report.result


@pytest.mark.parametrize(
    ("name", "encoding", "steps"),
    [("continuous", 'color="v:Q"', 10), ("binned", 'color=alt.Color("v:Q", bin=alt.Bin(maxbins=6))', 4)],
)
def test_a_scale_of_numbers_has_the_steps_of_heat_maps(
    workshop: Workshop, name: str, encoding: str, steps: int
) -> None:
    script = chart(workshop, name, f'base.encode(x="x:O", y="y:O", {encoding})')
    report = workshop.draw_report(script)
    assert not report.warnings
    found = {colour for colour in colours(report.drawn("en").svgs[1][1]) if "seq" in colour}
    assert len(found) >= steps


def test_charts_of_several_are_as_wide_as_there_is_room(workshop: Workshop) -> None:
    script = chart(
        workshop, "several", '(lambda one: one | one | one | one | one | one)(base.encode(x="x:O", y="y:O"))'
    )
    for _, svg in workshop.draw(script, "en").svgs:
        assert "scale(" in svg


def test_files_have_a_theme_and_the_key_of_the_figure(workshop: Workshop) -> None:
    script = chart(
        workshop, "exported_chart", 'base.encode(x=alt.X("x:O", title=t(zh="列", en="column")), y="y:O")'
    )
    svg = workshop.export(script, "zh", theme="dark", titled=True).decode()
    assert ">列<" in svg
    assert DARK["mute"] in svg
    assert "var(" not in svg
    with Image.open(io.BytesIO(workshop.export(script, "en", format="png", size="16:9", dpi=96))) as picture:
        assert picture.size == (1280, 720)
        key = picture_key(picture.info["Source"])
        assert key is not None
        assert key.request.figure_id == "exported_chart"


MISTAKES = {
    "misspelt": ('base.encode(x="x:O", y="nothing:K")', "is not one of the valid encoding", 3),
    "by_address": ('alt.Chart("content/a.csv").mark_bar()', 'reads "content/a.csv" itself', 3),
    "of_another_kind": ("base.mark_bars()", "mark_bars", 6),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_have_their_place(workshop: Workshop, name: str) -> None:
    expression, said, line = MISTAKES[name]
    (wrong,) = workshop.drawing_failure(chart(workshop, f"wrong_{name}", expression)).diagnostics
    assert said in str(wrong)
    assert wrong.location is not None
    assert wrong.location.line == line


def test_there_is_no_pdf(workshop: Workshop) -> None:
    script = chart(workshop, "no_pdf", 'base.encode(x="x:O", y="y:O")')
    with pytest.raises(Exception, match="has no PDF file"):
        workshop.export(script, format="pdf")
