"""Formulas, targets and small marks as other tools write them, and prose that only looks like them."""

import re

import pytest

from diglot.content.document import read_document
from diglot.languages import LANGUAGES, Language
from tests.content.html_text import html_of


def read(source: str, language: Language = "zh") -> str:
    document, mistakes = read_document(source, "x.md", language)
    assert not mistakes.errors, [error.message for error in mistakes.errors]
    assert not mistakes.warnings, [warning.message for warning in mistakes.warnings]
    return html_of(document.blocks)


DISPLAYED = {
    "$$\na_1 = b\n$$": [
        "```math\na_1 = b\n```",
        "~~~math\na_1 = b\n~~~",
        "```{math}\na_1 = b\n```",
        "\\[\na_1 = b\n\\]",
        "\\[ a_1 = b \\]",
        "\\begin{equation}\na_1 = b\n\\end{equation}",
        "\\begin{displaymath}\na_1 = b\n\\end{displaymath}",
    ],
    "$$\na_1 = b\n$$ (eq:x)": [
        "$$\na_1 = b\n$$ {#eq:x}",
        "$$ a_1 = b $$ {#eq:x}",
        "```{math}\n:label: eq:x\na_1 = b\n```",
        "```{math}\n:name: eq:x\n\na_1 = b\n```",
        "```math\na_1 = b \\label{eq:x}\n```",
        "\\[ a_1 = b \\label{eq:x} \\]",
        "\\[\na_1 = b\n\\] (eq:x)",
        "$$ a_1 = b \\label{eq:x} $$",
        "\\begin{equation} \\label{eq:x}\na_1 = b\n\\end{equation}",
    ],
    "$$\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}$$": [
        "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}",
        "\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}",
        "\\begin{alignat}{2}\na &= b \\\\\nc &= d\n\\end{alignat}",
        "\\begin{eqnarray}\na &= b \\\\\nc &= d\n\\end{eqnarray}",
        "```math\n\\begin{split}\na &= b \\\\\nc &= d\n\\end{split}\n```",
    ],
    "$$\\begin{gathered}a \\\\ b\\end{gathered}$$": ["```{math}\na\n\nb\n```"],
}


@pytest.mark.parametrize("source", DISPLAYED)
def test_formulas_between_blocks_are_the_same_however_they_are_fenced(source: str) -> None:
    expected = read(source)
    assert "<math" in expected
    for other in DISPLAYED[source]:
        assert read(other) == expected, other


FENCES = {
    "```python\nx\n```": ["```{.python}\nx\n```", "~~~~ {.python #lst-a}\nx\n~~~~"],
    '```python title="a.py" linenums=3\nx\n```': [
        '```{.python .numberLines startFrom="3" filename="a.py"}\nx\n```',
        '``` { .python .numberLines startFrom=3 title="a.py" }\nx\n```',
        "```python:line-numbers=3 [a.py]\nx\n```",
    ],
    "```js {1,3} linenums\nx\ny\nz\n```": [
        '```js {linenos=table,hl_lines=[1,"3"]}\nx\ny\nz\n```',
        "```js linenums\nx // [!code ++]\ny\nz /* [!code focus] */\n```",
        "```js linenums\n// highlight-next-line\nx\ny\n# highlight-start\nz\n# highlight-end\n```",
    ],
    "```js {1-2}\nx\ny\nz\n```": [
        "```js\nx // [!code highlight:2]\ny\nz\n```",
        "```js\n// [!code hl:2]\nx\ny\nz\n```",
    ],
    "```diff\n+x\n```": ["```diff-js\n+x\n```"],
    "```js\nx\n```": ["```js:no-line-numbers\nx\n```"],
}


@pytest.mark.parametrize("source", FENCES)
def test_code_is_the_same_however_its_fence_is_written(source: str) -> None:
    expected = read(source)
    for other in FENCES[source]:
        assert read(other) == expected, other


CAPTION = '![HBM](a.png "Eight stacks, not to scale")'
PICTURES = {
    "{#fig-hbm}\n" + CAPTION: [
        CAPTION + "{#fig-hbm}",
        '![Eight stacks, not to scale](a.png){#fig-hbm fig-alt="HBM"}',
        "```{figure} a.png\n:name: fig-hbm\n:alt: HBM\n\nEight stacks, not to scale\n```",
        "```{figure} a.png\n:alt: HBM\n:label: fig-hbm\nEight stacks, not to scale\n```",
        ":::{figure} a.png\n:alt: HBM\n:label: fig-hbm\n\nEight stacks, not to scale\n:::",
    ],
    '{.wide}\n![Roof](a.png "Roof"){width=60%}': [
        "{.wide}\n```{figure} a.png\n:width: 60%\nRoof\n```",
    ],
    "![HBM](a.png){width=120 height=80}": [
        "```{image} a.png\n:alt: HBM\n:width: 120\n:height: 80\n```",
        ":::{image} a.png\n:alt: HBM\n:width: 120\n:height: 80\n:::",
    ],
    "{#hbm}\n![HBM](a.png)": ["![HBM](a.png){#hbm}", "```{image} a.png\n:alt: HBM\n:name: hbm\n```"],
}
PARTS = '![A](a.png "Left"){#fig-left}\n\n![B](b.png "Right"){#fig-right}\n\n'
PICTURES |= {
    f"::: {{#fig-both}}\n{PARTS}Both\n:::": [
        f":::{{figure}}\n:label: fig-both\n\n{PARTS}Both\n:::",
        f"````{{figure}}\n:name: fig-both\n\n{PARTS}Both\n````",
        "{#fig-both}\n:::{figure}\n" + PARTS.replace("}\n\n!", "}\n!") + "Both\n:::",
        '::: {#fig-both layout-ncol=3}\n\n![Left](a.png){#fig-left fig-alt="A"}\n'
        '\n![Right](b.png){#fig-right fig-alt="B"}\n\nBoth\n:::',
        "::::{figure}\n:name: fig-both\n:::{figure} a.png\n:name: fig-left\n:alt: A\nLeft\n:::\n"
        ":::{figure} b.png\n:name: fig-right\n:alt: B\nRight\n:::\n\nBoth\n::::",
    ],
    "::: {layout-ncol=2}\n![A](a.png)\n\n![B](b.png)\n:::": [
        "::: {.grid .two}\n![A](a.png)\n\n![B](b.png)\n:::",
    ],
}


@pytest.mark.parametrize("source", PICTURES)
def test_pictures_between_blocks_are_the_same_however_they_are_written(source: str) -> None:
    expected, anchors = read(source), anchors_of(source)
    for other in PICTURES[source]:
        assert (read(other), anchors_of(other)) == (expected, anchors), other


def anchors_of(source: str) -> list[tuple[str, str | None]]:
    document, _ = read_document(source, "x.md", "en")
    return [(block.kind, block.anchor) for block in document.blocks]


TABLE = "| A |\n| - |\n| 1 |\n"
NUMBERED = {
    f"{{#tbl-a}}\n{TABLE}\n: Rates *here*": [
        f"{TABLE}\n: Rates *here* {{#tbl-a}}",
        f"{TABLE}\nTable: Rates *here* {{#tbl-a}}",
        f":::{{table}} Rates *here*\n:label: tbl-a\n\n{TABLE}:::",
        f"```{{table}} Rates *here*\n:name: tbl-a\n\n{TABLE}```",
    ],
    ":::{theorem} Roof\n:name: thm-a\nBounded.\n:::\n\n{ref}`thm-a`": [
        ":::{prf:theorem} Roof\n:label: thm-a\nBounded.\n:::\n\n{prf:ref}`thm-a`",
        "::: {#thm-a}\n## Roof\n\nBounded.\n:::\n\n@thm-a",
        "{#thm-a}\n:::theorem[Roof]\nBounded.\n:::\n\n@thm-a",
    ],
}


@pytest.mark.parametrize("source", NUMBERED)
def test_tables_and_theorems_have_numbers_however_they_are_written(source: str) -> None:
    expected, anchors = read(source), anchors_of(source)
    assert "⟦label: " in expected
    for other in NUMBERED[source]:
        assert (read(other), anchors_of(other)) == (expected, anchors), other


def test_captions_of_figures_have_markdown_in_them() -> None:
    expected = "⟦label: fig-a⟧At $x$, *half* of the {eval}`a.b`"
    shown = read("```{figure} a.png\n:alt: A\nAt $x$, *half* of the {eval}`a.b`\n```")
    assert shown == read('![At $x$, *half* of the {eval}`a.b`](a.png){#fig-a fig-alt="A"}')
    assert "<em>half</em>" in shown
    assert "<math" in shown
    assert "⟦eval: a.b⟧" in shown, expected


IN_A_LINE = {
    "见 {ref}`fig-a` 与 {ref}`eq:x`。": [
        "见 @fig-a 与 {eq}`eq:x`。",
        "见 [@fig-a] 与 {numref}`eq:x`。",
        "见 {numref}`图 %s <fig-a>` 与 {numref}`({number}) <eq:x>`。",
    ],
    "见[左边的图](#fig-a)。": ["见{ref}`左边的图 <fig-a>`。"],
    "见 {ref}`fig-a` 左边。": ["{numref}`见 图 %s 左边。 <fig-a>`", "{numref}`见 %s 左边。 <fig-a>`"],
    "见 $x^2$。": ["见 \\(x^2\\)。", "见 $`x^2`$。", "见 {math}`x^2`。"],
    "见 $x$。": ["见 \\(x\\)。", "见 \\( x \\)。"],
    "`a`": ["`a`"],
    "甲<mark>乙 **丙**</mark>丁": ["甲==乙 **丙**==丁"],
    "H<sub>2</sub>O，x<sub>i</sub>": ["H~2~O，x~i~", "H{sub}`2`O，x{subscript}`i`"],
    "10<sup>9</sup>，n<sup>th</sup>": ["10^9^，n^th^", "10{sup}`9`，n{superscript}`th`"],
    "<ruby>漢字<rp>(</rp><rt>hàn zì</rt><rp>)</rp></ruby>。": ["{漢字}(hàn zì)。"],
    "<kbd>Ctrl-C</kbd>": ["{kbd}`Ctrl-C`"],
    "<s>旧</s>": ["{del}`旧`", "{strike}`旧`"],
    '<abbr title="matrix unit">MXU</abbr>': ["{abbr}`MXU (matrix unit)`"],
    "{#here}\n## 标题": ["(here)=\n## 标题", "## 标题 {#here}"],
    "{#here}\n段落": ["(here)=\n段落"],
}


@pytest.mark.parametrize("source", IN_A_LINE)
def test_small_marks_and_roles_are_the_elements_that_they_stand_for(source: str) -> None:
    expected = read(source)
    for other in IN_A_LINE[source]:
        assert read(other) == expected, other


PROSE = [
    "3~5 倍，7~9 倍；从 5~10~15。",
    "a==b，c==d；x == y == z；`a ==b== c`",
    "2^10 与 2^20， (a)^2",
    "见 \\(2017\\) 与 [甲 \\(乙\\)](https://example.org/)。",
    "（甲）=乙，f(x)=y",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_prose_stays_prose(language: Language) -> None:
    for text in PROSE:
        document, _ = read_document(text, "x.md", language)
        assert not re.search("<(?:math|mark|sub|sup)", html_of(document.blocks)), text


@pytest.mark.parametrize(
    "source", ["```math\na", "\\[ a\n\nb", "\\begin{align}\na\n\nb", "\\(a", "$`a", "==a", "{math}`a"]
)
def test_what_is_never_closed_stays_text(source: str) -> None:
    assert "<math" not in html_of(read_document(source, "x.md", "zh")[0].blocks)


def notes_of(source: str) -> list[tuple[int, int, tuple[object, ...]]]:
    document, mistakes = read_document(source, "x.md", "zh")
    assert not mistakes.errors
    assert not mistakes.warnings
    return [(note.number, note.line, note.parts) for block in document.blocks for note in block.notes]


def test_a_note_may_be_where_its_mark_is() -> None:
    assert notes_of("甲^[见 *乙*。]丙[^a]\n丁^[戊\n己]\n\n[^a]: 庚") == [
        (1, 1, ("见 <em>乙</em>。",)),
        (2, 5, ("庚",)),
        (3, 2, ("戊己",)),
    ]
    assert notes_of("甲 ^[ 乙\n\n丙^[]") == []


CODE = {
    '```python title="a.py" {1,3} linenums\nx\ny\nz\n```': (
        "```{code-block} python\n:linenos:\n:emphasize-lines: 1,3\n:caption: a.py\nx\ny\nz\n```"
    ),
    "```python linenums=10\nx\n```": "```{code} python\n:lineno-start: 10\nx\n```",
    "{#here}\n```python\nx\n```": "```{code-block} python\n:name: here\nx\n```",
    "```text\nx\n```": "```{sourcecode}\nx\n```",
}


@pytest.mark.parametrize("source", CODE)
def test_code_of_myst_is_code_with_our_options(source: str) -> None:
    assert read(CODE[source]) == read(source)


TABBED = {
    "::::{tab-set}\n:::{tab-item} A\n甲\n:::\n:::{tab-item} B\n乙\n:::\n::::": [
        ":::{tab-item} A\n甲\n:::\n:::{tab-item} B\n乙\n:::",
        ":::{tab-set}\n:::{tab-item} A\n甲\n:::\n:::{tab-item} B\n乙\n:::\n:::",
        "````{tab-set}\n```{tab-item} A\n甲\n```\n```{tab-item} B\n乙\n```\n````",
        "::: {.panel-tabset}\n## A\n\n甲\n\n## B\n\n乙\n:::",
        '=== "A"\n\n    甲\n\n=== "B"\n\n    乙',
    ],
    "::::{tab-set}\n:::{tab-item} a.js\n```js\nx\n```\n:::\n:::{tab-item} ts\n```ts\ny\n```\n:::\n::::": [
        "::: code-group\n```js [a.js]\nx\n```\n\n```ts\ny\n```\n:::",
    ],
}


@pytest.mark.parametrize("source", TABBED)
def test_tabs_are_disclosures_of_which_one_is_open(source: str) -> None:
    expected = read(source)
    assert expected.count('<details name="tabs-zh-1"') == 2
    assert expected.count(" open>") == 1
    for other in TABBED[source]:
        assert read(other) == expected, other
    chosen = read(source.replace("\n乙", "\n:selected:\n乙"))
    assert (" open><summary>B" in chosen) == ("乙" in source)


LAYOUTS = {
    "::::{grid} 1 2 2 3\n:gutter: 2\n:::{grid-item-card} A\n:class-card: x\n甲\n:::\n"
    ":::{grid-item}\n乙\n:::\n::::": (
        '<div class="grid"><div class="admonition card"><b>A</b><div><p>甲</p></div></div>'
        '<div class="place"><div><p>乙</p></div></div></div>'
    ),
    "````{grid} 2\n```{card} A\n甲\n```\n````": (
        '<div class="grid two"><div class="admonition card"><b>A</b><div><p>甲</p></div></div></div>'
    ),
    "::: {.grid}\n::: {.g-col-4}\n甲\n:::\n::: {.g-col-8}\n乙\n:::\n:::": (
        '<div class="grid"><div class="place"><div><p>甲</p></div></div>'
        '<div class="place"><div><p>乙</p></div></div></div>'
    ),
    ':::: {.columns}\n::: {.column width="40%"}\n甲\n:::\n::: {.column}\n乙\n:::\n::::': (
        '<div class="grid"><div class="place"><div><p>甲</p></div></div>'
        '<div class="place"><div><p>乙</p></div></div></div>'
    ),
    ":::{card} A *b*\n头\n^^^\n甲\n\n```text\n+++\n```\n\n+++\n脚\n:::": (
        '<div class="admonition card"><b>A <em>b</em></b><div>'
        '<div class="card-header"><p>头</p></div><p>甲</p><pre><code class="language-text">+++\n</code></pre>'
        '<div class="card-footer"><p>脚</p></div></div></div>'
    ),
    "```{card}\n:header: 头\n:footer: [脚](#a)\n甲\n```\n\n{#a}\n乙": (
        '<div class="admonition card"><div><div class="card-header"><p>头</p></div><p>甲</p>'
        '<div class="card-footer"><p><a href="⟦link⟧">脚</a></p></div></div></div>'
    ),
    ":::{card} A\n:link: https://example.org/\n甲\n:::": (
        '<div class="admonition card"><b><a href="⟦link⟧">A</a></b><div><p>甲</p></div></div>'
    ),
}


def test_grids_and_cards_of_myst_and_quarto() -> None:
    for source, expected in LAYOUTS.items():
        document, mistakes = read_document(source, "en.md", "en")
        parts = document.blocks[0].parts
        html = "".join(one if isinstance(one, str) else f"⟦{one.kind}⟧" for one in parts)
        assert (html, mistakes.errors, mistakes.warnings) == (expected, [], []), source
    _, mistakes = read_document(":::{card}\n:link: https://example.org/\n甲\n:::", "x.md", "zh")
    assert [error.rule for error in mistakes.errors] == ["card-link"]


def test_tabs_that_are_named_alike_have_one_sign() -> None:
    assert '<details name="tabs-zh-1" data-sync="a" open>' in read(":::{tab-item} A\n:sync: a\n甲\n:::")
    assert 'data-sync="A b"' in read(':::{tab-item} "A" *b*\n甲\n:::')


def test_tabs_may_be_in_a_list_and_in_each_other() -> None:
    assert read("- :::{tab-item} A\n  甲\n  :::\n- 乙").startswith('<ul><li><div class="tabs"><details')
    nested = read("::::{tab-set}\n:::{tab-item} A\n:::{tab-set}\n:::{tab-item} B\n乙\n:::\n:::\n:::\n::::")
    assert 'name="tabs-zh-2"' in nested


@pytest.mark.parametrize("source", [":::{tab-set}\n甲\n:::", ":::{tab-set}\n:::", "::: code-group\n甲\n:::"])
def test_a_set_without_tabs_or_with_other_text_is_an_error(source: str) -> None:
    _, mistakes = read_document(source, "x.md", "zh")
    assert [error.rule for error in mistakes.errors] == ["tabs-content"]
