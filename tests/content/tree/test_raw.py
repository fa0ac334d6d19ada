"""Raw HTML in the tree: its tags are paired, and what is written from it is what was read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

from diglot.content.document import read_parsed
from diglot.content.tree.html import HtmlWriter
from diglot.content.tree.nodes import DEEPEST_TREE, Nodes, Raw, RawText, Tree
from diglot.content.tree.raw import paired, split_html
from tests.content.html_text import filled


def nodes_of(html: str) -> Nodes:
    return paired(split_html(html, lambda tag, _line: (tag,)))


def written(nodes: Nodes) -> str:
    return "".join(map(filled, HtmlWriter("en", {}).parts(nodes)))


def shape(nodes: Nodes) -> str:
    """Elements in parentheses, text in quotation marks, and tags that stand alone."""
    return " ".join(
        f"{node.name}({shape(node.children)})"
        if isinstance(node, Raw) and (node.end or node.children)
        else repr(node.html)
        if isinstance(node, RawText)
        else str(getattr(node, "begin", node)[0])
        for node in nodes
    )


CASES = {
    '<b class="c">a</b>': "b('a')",
    '<abbr title="time > 5 GB">ratio</abbr>': "abbr('ratio')",
    "<p>a<br>b": "p('a' <br> 'b')",
    "<ul><li>a<li>b</ul>": "ul(li('a') li('b'))",
    "<tr><td>a<td>b<tr><th>c": "tr(td('a') td('b')) tr(th('c'))",
    "<ul><li><p>a<ul><li>b</ul><li>c</ul>": "ul(li(p('a') ul(li('b'))) li('c'))",
    "a</b>": "'a' </b>",
    "<i><b>a</i></b>": "i(<b> 'a') </b>",
    "<code>a < b <c></code>": "code('a < b ' <c>)",
    "<!-- <b> -->a": "<!-- <b> --> 'a'",
    "<?php b ?>a<!DOCTYPE c>": "<?php b ?> 'a' <!DOCTYPE c>",
    "<script>a <b> c</script>d": "script('a <b> c') 'd'",
    "a <b": "'a ' <b",
}


def test_tags_that_belong_together_are_an_element() -> None:
    assert {html: shape(nodes_of(html)) for html in CASES} == CASES


PIECES = (
    "<b>|</b>|<p>|</p>|<br/>|<a href='x'>|</a>|<!-- |-->|<script>|</script>|<style>|</style>|<?x|<![CDATA["
)
MARKUP = st.lists(
    st.sampled_from([*PIECES.split("|"), "a", " ", ">", "<", "&amp;", '<i title="', '"', "]]>"])
).map("".join)


@given(MARKUP)
def test_what_is_written_is_what_was_read(html: str) -> None:
    assert written(nodes_of(html)) == html


@pytest.mark.parametrize(
    "html",
    [
        "<b>" * 5000 + "</b>" * 5000,
        "<p>" * 20_000 + "</b>" * 20_000,
        "<i><b>" * 9000 + "</i>" * 9000,
        "<b>" + "<li><ul>" * 9000 + "</b>",
    ],
    ids=range(4),
)
@pytest.mark.timeout(20)  # well below a second each; quadratic code takes much longer
def test_elements_that_are_nested_too_deeply_stay_flat(html: str) -> None:
    nodes = nodes_of(html)
    assert written(nodes) == html
    msgpack.encode(nodes)


def test_raw_html_around_blocks_of_markdown_holds_them() -> None:
    text = "---\n---\n<details>\n<summary>a > b</summary>\n\n*c*\n\n</details>\n"
    parsed, mistakes = read_parsed(text, "en.md", "en")
    assert mistakes.errors == []
    [block] = parsed.tree.blocks
    [details, _] = block.nodes
    assert isinstance(details, Raw)
    assert [getattr(node, "name", type(node).__name__) for node in details.children] == (
        ["RawText", "summary", "RawText", "Paragraph"]
    )


@pytest.mark.parametrize("mark", ["*", "**", "~~"])
def test_inlines_that_are_nested_too_deeply_are_refused(mark: str) -> None:
    few, many = DEEPEST_TREE // 2, DEEPEST_TREE + 1
    parsed, mistakes = read_parsed("\n" + f"{mark}a " * few + f"b{mark}" * few, "en.md", "en")
    assert mistakes.errors == []
    assert msgpack.decode(msgpack.encode(parsed.tree), type=Tree) == parsed.tree
    _, mistakes = read_parsed("\na\n\n" + f"{mark}a " * many + f"b{mark}" * many, "en.md", "en")
    assert [(error.rule, error.location and error.location.line) for error in mistakes.errors] == (
        [("nesting-too-deep", 4)]
    )
