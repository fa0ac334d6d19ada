"""From Markdown and HTML to text runs, tables and formulas of a slide."""

import pytest
from lxml import etree

from diglot.content.document import read_parsed
from diglot.content.plain_formulas import formula_in_one_line
from diglot.content.records import Placeholder
from diglot.content.tree.nodes import Nodes
from diglot.figures.records import Table
from diglot.slides.chart_numbers import chart_numbers
from diglot.slides.contents import (
    BlockContents,
    CodeContents,
    FormulaContents,
    Paragraph,
    PictureContents,
    Run,
    Runs,
    TableContents,
)
from diglot.slides.node_contents import SlideWriter
from diglot.slides.powerpoint_files.formula_sizes import formula_size
from diglot.slides.powerpoint_files.formulas import NoOfficeForm, office_math
from diglot.slides.xml import M


def nodes_of(markdown: str) -> Nodes:
    parsed, _ = read_parsed(f"\n{markdown}\n", "en.md", "en")
    return tuple(node for block in parsed.tree.blocks for node in block.nodes)


def filled(placeholder: Placeholder) -> str:
    return "5" if placeholder.kind == "eval" else placeholder.target


def contents_of(markdown: str) -> tuple[BlockContents, ...]:
    return SlideWriter("en", filled, {"/a.png": "x/a.png"}).contents(nodes_of(markdown))


def runs_of(markdown: str) -> Runs:
    return SlideWriter("en", filled, {}).runs(nodes_of(markdown))


@pytest.mark.parametrize(
    "markdown",
    [
        "A **bold *word*** at\n[a link](https://example.org/), `x`, R<sup>2</sup>: {eval}`bars.top`, [b](#b)",
        '<p markdown="1">A <strong>bold <em>word</em></strong> at <a href="https://example.org/">a link</a>, '
        "<code>x</code>, R<sup>2</sup>: {eval}`bars.top`, <a href='#b'>b</a></p>",
    ],
    ids=("Markdown", "HTML"),
)
def test_styles_links_and_values_are_runs(markdown: str) -> None:
    assert runs_of(markdown) == (
        Run(text="A "),
        Run(text="bold ", bold=True),
        Run(text="word", bold=True, italic=True),
        Run(text=" at "),
        Run(text="a link", link="https://example.org/"),
        Run(text=", "),
        Run(text="x", code=True),
        Run(text=", R"),
        Run(text="2", shift="up"),
        Run(text=": "),
        Run(text="5", expression="bars.top"),
        Run(text=", b"),
    )


@pytest.mark.parametrize(
    "markdown",
    [
        "1. one\n2. two\n\n   - inner\n\nafter\\\nit",
        "<ol><li>one</li><li><p>two</p><ul><li>inner</ul></li></ol><p>after<br>it</p>",
    ],
    ids=("Markdown", "HTML"),
)
def test_lists_keep_their_levels_and_numbers(markdown: str) -> None:
    assert contents_of(markdown) == (
        Paragraph(runs=(Run(text="one"),), level=1, number=1),
        Paragraph(runs=(Run(text="two"),), level=1, number=2),
        Paragraph(runs=(Run(text="inner"),), level=2),
        Paragraph(runs=(Run(text="after\vit"),)),
    )


@pytest.mark.parametrize(
    "table",
    [
        "| a | b |\n|---|--:|\n| x | |",
        '<table><tr><th>a</th><th class="r">b</th></tr><tr><td>x</td></tr></table>',
    ],
    ids=("Markdown", "HTML"),
)
def test_tables_code_formulas_and_pictures(table: str) -> None:
    code = "```python\ndef f():\n    # why\n```"
    picture = 'See ![A chip](/a.png) <img src="https://example.org/b.png" alt="B">'
    formula = '<math display="block"><mfrac><mi>P</mi><mi>b</mi></mfrac></math>'
    assert contents_of(f"{table}\n\n{code}\n\n$$\n\\frac{{P}}{{b}}\n$$ (eq:a)\n\n{picture}") == (
        TableContents(
            rows=(((Run(text="a"),), (Run(text="b"),)), ((Run(text="x"),), ())),
            has_head=True,
            right=(False, True),
        ),
        CodeContents(
            lines=(
                (
                    Run(text="def", code=True, bold=True),
                    Run(text=" f():", code=True),
                ),
                (Run(text="    ", code=True), Run(text="# why", code=True, muted=True)),
            )
        ),
        FormulaContents(mathml=formula, text="P/b"),
        Paragraph(runs=(Run(text="See"),)),
        PictureContents(path="x/a.png", alt="A chip"),
        Paragraph(runs=(Run(text="B", link="https://example.org/b.png"),)),
    )


def test_an_admonition_begins_with_its_title() -> None:
    assert contents_of(":::{tip}\n> a\n:::\n\n:::{note} *Own*\nb\n:::") == (
        Paragraph(runs=(Run(text="Tip", bold=True),)),
        Paragraph(runs=(Run(text="a"),), is_quoted=True),
        Paragraph(runs=(Run(text="Own", bold=True, italic=True),)),
        Paragraph(runs=(Run(text="b"),)),
    )


@pytest.mark.parametrize(
    "markdown", ["$I^* = 2$", "<math><msup><mi>I</mi><mo>∗</mo></msup><mo>=</mo><mn>2</mn></math>"]
)
def test_a_formula_that_is_text_is_text(markdown: str) -> None:
    assert runs_of(markdown) == (
        Run(text="I", italic=True),
        Run(text="∗", shift="up"),
        Run(text="\u00a0=\u00a02"),
    )


def test_a_formula_that_is_no_text_stays_one() -> None:
    (root,) = runs_of("<math><msqrt><mi>x</mi></msqrt></math>")
    assert root.mathml == "<math><msqrt><mi>x</mi></msqrt></math>"
    assert root.text == "√x"


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<mfrac><mi>P</mi><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac>", "P/(a + b)"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
            "∑_(i = 1)^n",
        ),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "^3√x"),
        ("<msup><mi>I</mi><mo>∗</mo></msup><mo>,</mo><mi>x</mi>", "I^*, x"),
        (
            "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>",
            "a, b; c",
        ),
    ],
)
def test_formulas_in_one_line(mathml: str, text: str) -> None:
    assert formula_in_one_line(f"<math>{mathml}</math>") == text


def test_formulas_are_about_as_large_as_their_parts() -> None:
    one, letters, over = (
        formula_size(f"<math>{inner}</math>")
        for inner in ("<mi>x</mi>", "<mi>x</mi><mi>y</mi>", "<mfrac><mi>x</mi><mi>y</mi></mfrac>")
    )
    assert (letters[0], letters[1]) == (2 * one[0], one[1])
    assert over[0] < letters[0]
    assert over[1] == 2 * one[1]


@pytest.mark.parametrize(
    ("mathml", "office"),
    [
        ("<mi>x</mi>", "r(t[x])"),
        ("<mi>min</mi><mo>&#x2061;</mo>", "r(rPr(sty)t[min])"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi></mrow></mfrac>", "f(num(r(t[a]))den(r(t[b])))"),
        ("<msup><mi>x</mi><mi>y</mi></msup>", "sSup(e(r(t[x]))sup(r(t[y])))"),
        ("<msqrt><mi>x</mi></msqrt>", "rad(radPr(degHide)deg()e(r(t[x])))"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", "acc(accPr(chr)e(r(t[x])))"),
        ("<munder><mi>x</mi><mi>y</mi></munder>", "limLow(e(r(t[x]))lim(r(t[y])))"),
        (
            "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>x</mi><mo>=</mo>",
            "nary(naryPr(chrlimLoc)sub(r(t[i]))sup(r(t[n]))e(r(t[x])))r(rPr(sty)t[=])",
        ),
        (
            "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
            "m(mPr(plcHide()mcs(mc(mcPr(count()mcJc()))mc(mcPr(count()mcJc()))))mr(e(r(t[a]))e(r(t[b]))))",
        ),
        (
            "<mtable><mtr><mtd/><mtd><mo>=</mo><mi>b</mi></mtd></mtr></mtable>",
            "m(mPr(plcHide()mcs(mc(mcPr(count()mcJc()))mc(mcPr(count()mcJc()))))"
            "mr(e(r(rPr(nor())t[\u200b]))e(r(rPr(nor())t[\u200b])r(rPr(sty)t[=])r(t[b]))))",
        ),
        (
            "<mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>",
            "d(dPr(begChr()endChr())e(r(t[x])))",
        ),
        (
            "<mrow><mo>{</mo><mi>x</mi><mo stretchy='true'>|</mo><mi>y</mi><mo>&#x2063;</mo></mrow>",
            "d(dPr(begChr()sepChr()endChr())e(r(t[x]))e(r(t[y])))",
        ),
        (
            "<mrow><mo stretchy='false'>(</mo><mi>x</mi><mo stretchy='false'>)</mo></mrow>",
            "r(rPr(sty)t[(])r(t[x])r(rPr(sty)t[)])",
        ),
        ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", "f(fPr(type())num(r(t[n]))den(r(t[k])))"),
        (
            "<mover><mo>→</mo><mover><mi>a</mi><mspace width='3.5em'/></mover></mover>",
            "limUpp(e(r(rPr(sty)t[→]))lim(r(t[a])))",
        ),
        (
            "<mpadded width='0'><mphantom><mi>x</mi></mphantom></mpadded>",
            "phant(phantPr(show()zeroWid())e(r(t[x])))",
        ),
        ("<menclose notation='phasorangle'><mi>x</mi></menclose>", "r(t[∠])bar(barPr(pos())e(r(t[x])))"),
        (
            "<mi>a</mi><mspace width='0.1667em'/><mi>b</mi><mspace width='2em'/>",
            "r(t[a])r(t[\u2009])r(t[b])r(t[\u2003\u2003])",
        ),
        (
            '<menclose notation="updiagonalstrike top"><mi>x</mi></menclose>',
            "borderBox(borderBoxPr(hideBot()hideLeft()hideRight()strikeBLTR())e(r(t[x])))",
        ),
        (
            '<menclose notation="updiagonalstrike"><mi>x</mi></menclose>',
            "borderBox(borderBoxPr(hideTop()hideBot()hideLeft()hideRight()strikeBLTR())e(r(t[x])))",
        ),
        (
            "<mover><mover><mi>x</mi><mo>⏞</mo></mover><mi>n</mi></mover>",
            "limUpp(e(groupChr(groupChrPr(chrpos()vertJc())e(r(t[x]))))lim(r(t[n])))",
        ),
        (
            "<mmultiscripts><mi>x</mi><mi>a</mi><none/><mprescripts/><mi>b</mi><mi>c</mi></mmultiscripts>",
            "sPre(sub(r(t[b]))sup(r(t[c]))e(sSubSup(e(r(t[x]))sub(r(t[a]))sup())))",
        ),
        ("<mphantom><mi>x</mi></mphantom>", "phant(phantPr(show())e(r(t[x])))"),
    ],
)
def test_formulas_are_office_math(mathml: str, office: str) -> None:
    assert outline_of(mathml) == office


def test_colours_of_formulas_and_what_has_no_form() -> None:
    math = office_math('<math><mrow mathcolor="#ff0000"><mi>x</mi></mrow><mi>y</mi></math>')
    colours = [
        one[0].get("val")
        for one in math.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}solidFill")
    ]
    assert colours == ["FF0000", "tx1"]
    for mathml, part in (
        ('<menclose notation="circle"/>', "circle"),
        ("<mstack><mn>1</mn></mstack>", "mstack"),
    ):
        with pytest.raises(NoOfficeForm, match=part):
            office_math(f"<math>{mathml}</math>")


def outline_of(mathml: str) -> str:
    def outline(one: etree._Element) -> str:
        name = etree.QName(one).localname
        inner = "".join(outline(inner) for inner in one if inner.tag.startswith(M))
        text = f"[{one.text}]" if one.text else ""
        return f"{name}{text}" if name in ("t", "sty", "chr", "limLoc", "degHide") else f"{name}({inner})"

    math = office_math(f'<math xmlns="http://www.w3.org/1998/Math/MathML">{mathml}</math>')
    return "".join(map(outline, math))


COLUMNS = """\
COLUMNS = {
    "n": {"zh": "列数", "en": "Columns"},
    "rate": {"zh": "算力", "en": "Rate", "unit": "FLOP/s"},
    "who": {"zh": "方案", "en": "Way"},
}
def draw(figure, data, t):
    """
TABLE = Table(
    columns=("Columns", "Way", "Rate\nTFLOP/s"),
    rows=(("1", "a", "0.5"), ("2", "a", "0.7"), ("1", "b", "0.1")),
    raw=(("1", "a", "0.51"), ("2", "a", "0.72"), ("1", "b", "0.1")),
    numeric=(True, False, True),
    chips=(None, None, None),
)


def test_a_chart_shows_the_columns_that_its_script_draws() -> None:
    call = 'charts.lines(figure, data["rows"], x="n", y="rate", series="who", x_scale="log2")'
    found = chart_numbers(COLUMNS + call, TABLE, "en", {})
    assert found is not None
    assert (found.kind, found.x_title, found.y_title, found.log_x) == ("lines", "Columns", "Rate, TFLOP/s", 2)
    assert found.series == (("a", ((1.0, 0.51), (2.0, 0.72))), ("b", ((1.0, 0.1),)))
    call_of_bars = 'charts.bars(figure, data, y="n", x="rate", series="who")'
    bars = chart_numbers(COLUMNS + call_of_bars, TABLE, "en", {})
    assert bars is not None
    assert (bars.categories, bars.series[1]) == (("1", "2"), ("b", ((0.0, 0.1),)))
    for other in (
        'charts.heat_map(figure, data, x="n", y="rate")',
        'charts.lines(figure, data, x="n", y="rate"); charts.points(figure, data, x="n", y="rate")',
        'charts.lines(figure, data, x="n", y="elsewhere")',
        'charts.lines(figure, data, x="n", y="rate", series="elsewhere")',
        "figure.subplots()",
    ):
        assert chart_numbers(COLUMNS + other, TABLE, "en", {}) is None
    assert chart_numbers(COLUMNS + call, TABLE, "zh", {}) is None, "the table is in English"


def test_mathml_that_no_browser_would_show_is_no_failure() -> None:
    written = "<math><msup><mi>x</mi></msup><m:n @a='b' c:d='e'>y</m:n></math> <math><msub></msub></math>"
    assert "x" in "".join(run.text for run in runs_of(written))
