"""Diagrams as elements of a page."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from diglot.diagrams.colours import dark_twin, page_colour
from diglot.diagrams.graphviz import draw_graph
from diglot.diagrams.mermaid import draw_all, missing_of_mermaid, read_drawing
from diglot.diagrams.records import DiagramFailed, DiagramKind, Sketch
from diglot.diagrams.svg import page_svg
from diglot.languages import Language

ROOT = Path("/nowhere")


def sketch(source: str, language: Language = "en", kind: DiagramKind = "dot") -> Sketch:
    return Sketch(kind=kind, source=source, language=language, name="d-1", alt='a "b" <c>')


COLOURS = {
    "#f1f1ec": "var(--fig-sunk)",
    "rgb(241, 241, 236)": "var(--fig-sunk)",
    "none": "none",
    "rgba(0, 0, 0, 0)": "none",
    "#ffffff": "light-dark(#ffffff, #161616)",
    "red": "light-dark(#ff0000, ",
    "rgba(255, 0, 0, 0.5)": "light-dark(#ff000080, ",
    "url(http://x)": None,
    "expression(1)": None,
}


def test_colours_have_a_twin_for_dark_pages() -> None:
    for written, expected in COLOURS.items():
        made = page_colour(written)
        assert made is expected or (made or "").startswith(expected or "x"), (written, made)
    assert dark_twin("#000000") > "#e0e0e0"


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 10 10" onload="x()"><script>x()</script><style>* {background: url(http://x)}</style>
<defs><marker id="used"><path d="M.5.125 0" onclick="x()" style="fill:url(http://x)"/></marker>
<marker id="no"/></defs>
<g id="g"><path marker-end="url(#used)" d="M 1.23456 2"/><rect fill="url(http://x)" width="5px"/></g></svg>"""


def test_only_shapes_and_text_reach_readers() -> None:
    made = page_svg(HOSTILE, sketch(""))
    assert not re.search('onload|onclick|script|http|style|"no"', made)
    assert 'id="d-1-1"' in made
    assert "url(#d-1-1)" in made
    assert 'd="M.5.125 0"' in made
    assert 'd="M 1.23 2"' in made
    ElementTree.fromstring(made)
    for inner in ("<foreignObject/>", "<image/>", "<iframe/>", '<a href="javascript:x()"><path/></a>'):
        with pytest.raises(DiagramFailed):
            page_svg(HOSTILE.replace('<g id="g">', f'<g id="g">{inner}'), sketch(""))


GRAPHS = {
    "digraph {\n a -> ;\n}": 2,
    'digraph { a [URL="javascript:x()"] }': 1,
    "": 1,
    "x" * 200_000: 1,
    "digraph {" + "subgraph {" * 30_000: 1,
}


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphs_are_in_the_type_of_the_site_and_read_no_files() -> None:
    drawn = draw_graph(
        sketch('digraph { a [label="预填 48 MB"] b [image="/etc/passwd"]; a -> b [color="#f9f9f9"] }', "zh")
    )
    assert drawn.slip is None
    assert "预填 48 MB" in drawn.svg
    assert 'lang="zh-Hans"' in drawn.svg
    assert 'aria-label="a &quot;b&quot; &lt;c&gt;"' in drawn.svg
    assert "var(--fig-soft)" in drawn.svg
    assert "light-dark(#f9f9f9, " in drawn.svg
    assert "/etc/passwd" in drawn.warnings[0].message
    wide = draw_graph(sketch('digraph { a [label="预填预填预填预填"] }', "zh"))
    box = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+)', wide.svg)
    assert box is not None
    assert float(box[1]) > 8 * 13, "measured in the site's font"
    for source, line in GRAPHS.items():
        refused = draw_graph(sketch(source))
        assert refused.slip is not None, source[:60]
        assert refused.slip.line == line


DRAWN = (
    'flowchart LR\n  A[预填] -->|48 MB| B{够?}\n  style B fill:#f9f\n  click A "javascript:x()"\n',
    "gitGraph\n  commit\n  commit\n",
    '%%{init: {"themeCSS": "* {color: url(http://x)}", "theme": "dark"}}%%\nsequenceDiagram\n  A->>B: hi\n',
)
REFUSED = {
    "flowchart LR\n  A -->\n  B[\n": 3,
    "nonsense\n": 1,
    "mindmap\n  a\n": 1,
    "flowchart LR\n" + "  A --> B\n" * 6_000: 1,
    "---\ntitle: a\n---\npie\n  x\n": 5,
}


@pytest.mark.skipif(missing_of_mermaid(ROOT) is not None, reason="needs Mermaid and Chromium")
def test_mermaid_draws_the_same_whatever_else_is_on_its_page() -> None:
    sources = (*DRAWN, *REFUSED)
    sketches = [sketch(source, "zh", "mermaid") for source in sources]
    first = draw_all(ROOT, sketches)
    again = draw_all(ROOT, sketches[::-1])[::-1]
    for one, other, source in zip(first, again, sketches, strict=True):
        if source.source in REFUSED:
            assert isinstance(one, DiagramFailed)
            assert one.slip.line == REFUSED[source.source], one.slip
            continue
        assert isinstance(one, str)
        assert isinstance(other, str)
        drawn = read_drawing(one, source)
        assert drawn == read_drawing(other, source)
        assert drawn.slip is None
        assert not re.search("http|javascript|<style|foreignObject", drawn.svg)
    flow = read_drawing(str(first[0]), sketches[0]).svg
    assert "预填" in flow
    assert "var(--fig-sunk)" in flow
    assert "light-dark(#ff99ff, " in flow
