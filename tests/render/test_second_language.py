"""Both languages of a block: what is paired, what stands once, what stands below."""

import pytest
from markupsafe import Markup

from diglot.content.records import BlockKind
from diglot.render.second_language import table_with_second, with_second
from diglot.render.views import CellView, ColumnView, TableView

CASES: list[tuple[BlockKind, str, str, str]] = [
    ("paragraph", "<p>a</p>", "<p>甲</p>", "<p>a</p><div><p>甲</p></div>"),
    ("formula", '<div id="en-1">x</div>', '<div id="zh-1">x</div>', '<div id="en-1">x</div>'),
    ("heading", "<h3>Own</h3>", "<h3>自己</h3>", "<h3>Own</h3><p>自己</p>"),
    (
        "list",
        "<ul><li>a<ul><li>b</li></ul></li><li>H200</li></ul>",
        "<ul><li>甲<ul><li>乙</li></ul></li><li>H200</li></ul>",
        "<ul><li>a<ul><li>b</li></ul><div>甲<ul><li>乙</li></ul></div></li><li>H200</li></ul>",
    ),
    (
        "list",
        "<ul><li>a</li></ul>",
        "<ul><li>甲</li><li>乙</li></ul>",
        "<ul><li>a</li></ul><div><ul><li>甲</li><li>乙</li></ul></div>",
    ),
    (
        "list",
        '<ul><li class="task"><input type="checkbox"> a</li></ul>',
        '<ul><li class="task"><input type="checkbox"> 甲</li></ul>',
        '<ul><li class="task"><input type="checkbox"> a<div> 甲</div></li></ul>',
    ),
    (
        "table",
        "<table><tr><th>Chip</th><td>1</td></tr></table>",
        "<table><tr><th>芯片</th><td>1</td></tr></table>",
        "<table><tr><th>Chip<span>芯片</span></th><td>1</td></tr></table>",
    ),
    (
        "table",
        "<table><tr><td>1</td></tr></table>",
        "<table><tr><td>1</td><td>2</td></tr></table>",
        "<table><tr><td>1</td></tr></table><div><table><tr><td>1</td><td>2</td></tr></table></div>",
    ),
    (
        "code",
        '<pre><code>a &lt; <span class="n">b</span>  <span class="c"># own</span>\nc\n</code></pre>',
        '<pre><code>a &lt; <span class="n">b</span>  <span class="c"># 自己</span>\nc\n</code></pre>',
        '<pre><code>a &lt; <span class="n">b</span>  <span class="c"># own</span>'
        '<span>\n       <span class="c"># 自己</span></span>\nc\n</code></pre>',
    ),
    (
        "code",
        '<pre><code><span class="hll">b <span class="c"># own</span></span>\n</code></pre>',
        '<pre><code><span class="hll">b <span class="c"># 自己</span></span>\n</code></pre>',
        '<pre><code><span class="hll">b <span class="c"># own</span></span>'
        '<span>\n  <span class="c"># 自己</span></span>\n</code></pre>',
    ),
]


@pytest.mark.parametrize(("kind", "own", "other", "expected"), CASES)
def test_what_differs_stands_below(kind: BlockKind, own: str, other: str, expected: str) -> None:
    shown = with_second(kind, Markup(own), Markup(other), "zh-Hans")
    assert shown.replace(' class="second" lang="zh-Hans"', "") == expected


def test_cells_of_a_table_of_numbers_are_pairs() -> None:
    def table(head: str, *cells: str) -> TableView:
        columns = (ColumnView(name=head, unit="TB/s", label=head, numeric=False),)
        rows = tuple((CellView(text=cell, numeric=False, mark=""),) for cell in cells)
        return TableView(columns=columns, rows=rows)

    own = table("Rate", "a < b", "H200")
    merged = table_with_second(own, table("速率", "甲", "H200"), "zh-Hans")
    assert merged is not None
    assert merged.columns[0].name == 'Rate<span class="second" lang="zh-Hans">速率</span>'
    assert (merged.columns[0].unit, merged.columns[0].label) == ("TB/s", "Rate")
    first = 'a &lt; b<span class="second" lang="zh-Hans">甲</span>'
    assert [row[0].text for row in merged.rows] == [first, "H200"]
    assert table_with_second(own, table("速率", "甲"), "zh-Hans") is None
