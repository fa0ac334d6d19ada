"""Raw HTML under `html: safe` and `html: none`."""

from html import unescape
from html.parser import HTMLParser

import pytest

from diglot.content.document import read_document
from diglot.project import HTML_POLICIES, HtmlPolicy, is_as_strict
from diglot.web_addresses import runs_nothing
from tests.content.html_text import html_of


def safe(markdown: str) -> tuple[str, list[str]]:
    """The HTML of a text under `html: safe`, and its warnings as `line: message`."""
    document, mistakes = read_document(markdown, "en.md", "en", "safe")
    assert mistakes.errors == []
    said = [f"{one.location.line}: {one.message}" for one in mistakes.warnings if one.location]
    end = " is left out, because the site's configuration says `html: safe`"
    assert all(one.endswith(end) for one in said)
    return html_of(document.blocks), [one.removesuffix(end) for one in said]


@pytest.mark.parametrize(
    "markdown",
    [
        "Press <kbd>Esc</kbd> or *<kbd>F1</kbd>*.",
        'H<sub>2</sub>O<br>and <mark class="a">more</mark>',
        '<div class="aside" markdown="1">\nThis is **Markdown** and <kbd>x</kbd>.\n</div>',
        '<details open="">\n<summary>More</summary>\n\nSome *text*.\n\n</details>',
        "<table>\n<tbody><tr><td>\n\n*x*\n\n</td></tr></tbody></table>",
        '<figure>\n<img src="https://example.org/a.png" alt="A">\n<figcaption>B</figcaption>\n</figure>',
        '<video src="https://example.org/a.mp4" controls=""></video>',
        '- <abbr title="x">y</abbr>\n- `<script>`\n\n```html\n<script>alert(1)</script>\n```',
        "| a |\n| - |\n| <kbd>x</kbd> |",
        'A [link](https://example.org){.big rel="me"} and ![a](https://example.org/a.png){width=3}.',
        "A formula $x < y$ and a note.[^1]\n\n[^1]: With <b>bold</b>.",
        "- [x] done\n\n3. three",
    ],
)
def test_what_runs_nothing_stays_as_it_is(markdown: str) -> None:
    plain, _ = read_document(markdown, "en.md", "en")
    assert safe(markdown) == (html_of(plain.blocks), [])


def test_a_misspelt_name_is_corrected_before_the_policy_is() -> None:
    text = 'A <sapn>x</sapn> and <a herf="https://example.org" onclick="x()">y</a>'
    _, mistakes = read_document(text, "en.md", "en", "safe")
    fixes = [one.fix for one in mistakes.warnings]
    assert fixes[:2] == ["write <span> and </span>.", "write href instead."]
    assert "html: all" in fixes[2]


@pytest.mark.parametrize(
    ("markdown", "html", "left_out"),
    [
        ("A <script>alert(1)</script> b", "<p>A  b</p>", ["1: <script>"]),
        ("<script>\n\nalert(1)\n</script>\n\nb", "<p>b</p>", ["1: <script>"]),
        ("A\n<b onclick='x()'>b</b>", "<p>A\n<b>b</b></p>", ["2: the attribute `onclick` of <b>"]),
        (
            '<iframe src="https://example.org"></iframe>\n\n<object data="x">Text</object>',
            "<p></p>",
            ["1: <iframe>", "3: <object>"],
        ),
        ('<a href="javascript:x()">x</a>', "<p><a>x</a></p>", ["1: the address `href` of <a>"]),
        ('<a href=" java\nscript:x()">x</a>', "<p><a>x</a></p>", ["1: the address `href` of <a>"]),
        (
            "<div>\n<form action='x'><input> Go</form>\n</div>",
            "<div>\n Go\n</div>",
            ["2: <form>", "2: <input>"],
        ),
        (
            "<div style='color:red' markdown='1'>\n**x**\n</div>",
            "<div><p><strong>x</strong></p></div>",
            ["1: the attribute `style` of <div>"],
        ),
        ("<form markdown='1'>\n**x**\n</form>", "<p><strong>x</strong></p>", ["1: <form>"]),
        ("| a |\n| - |\n| <u onload=x>b</u> |", None, ["3: the attribute `onload` of <u>"]),
        (
            'A [span]{onclick="x()" .big} `c`{style="top:0"}',
            '<p>A <span class="big">span</span> <code>c</code></p>',
            ["1: the attribute `onclick`", "1: the attribute `style`"],
        ),
        ('{onclick="x()"}\nA', "<p>A</p>", ["1: the attribute `onclick`"]),
        (
            '[x](https://example.org){href="javascript:x()"}',
            '<p><a href="#">x</a></p>',
            ["1: the attribute `href`"],
        ),
        ("<svg onload=x><script>1</script></svg>a", None, ["1: <svg>", "1: <script>"]),
        ("A <!-- <script> --> b", "<p>A  b</p>", []),
    ],
)
def test_what_could_run_something_is_left_out_with_a_warning(
    markdown: str, html: str | None, left_out: list[str]
) -> None:
    found, warnings = safe(markdown)
    assert warnings == left_out
    assert html is None or found.strip() == html
    assert not any(word in found for word in ("script", "onload", "onclick", "iframe", "style"))


def test_an_element_that_is_never_closed_is_the_same_error() -> None:
    for markdown in ("<b>x", "<div>\n\nx", "a</b>"):
        _, mistakes = read_document(markdown, "en.md", "en", "safe")
        _, plain = read_document(markdown, "en.md", "en")
        assert [one.rule for one in mistakes.errors] == [one.rule for one in plain.errors] != []


def test_html_may_be_shown_as_text() -> None:
    markdown = "<div markdown=1>\n\n**a** <kbd>x</kbd> <https://example.org>\n\n| <b> |\n| - |\n| <i> |\n"
    document, mistakes = read_document(markdown, "en.md", "en", "none")
    assert mistakes.errors == []
    html = html_of(document.blocks)
    assert "<p>&lt;div markdown=1&gt;</p>" in html
    assert '<strong>a</strong> &lt;kbd&gt;x&lt;/kbd&gt; <a href="https://example.org">' in html
    assert "<td>&lt;i&gt;</td>" in html


def test_quotes_stay_straight_in_html_that_is_shown_as_text() -> None:
    markdown = """Say "so": <a title="x_y_z *b*" href='u'>"it's"</a><br class="c"> &lt;"d"> 1 <"e"

| "f" | <i lang="en"> |
| --- | --- |
"""
    document, _ = read_document(markdown, "en.md", "en", "none")
    text = unescape(html_of(document.blocks))
    assert """Say “so”: <a title="x_y_z <em>b</em>" href='u'>“it’s”</a><br class="c"> <“d”> 1 <“e”""" in text
    assert """<th>“f”</th><th><i lang="en"></th>""" in text


UNSAFE_IN_MARKDOWN = [
    '[x]{onmouseover="y()"}',
    "[x](https://example.org){onclick=y style=top:0}",
    '[x](https://example.org){href="javascript:y()"}',
    '[x](https://example.org){href="JaVa&#10;Script:y()"}',
    "![x](https://example.org/a.png){onerror=y}",
    '![x](https://example.org/a.png){src="javascript:y()"}',
    "`x`{onload=y}",
    "## x {onclick=y}",
    "{onclick=y}\nx",
    "{style=top:0}\n- x",
    "| a |\n| - |\n| [b]{onload=x} |",
    "> [x]{onfocus=y autofocus=1}",
    "x[^1]\n\n[^1]: [y]{onload=z}",
    ":::{note} [x]{onload=y}\n[x]{onload=y}\n:::",
    "{cite-number}`12|javascript://%0ay()`",
    "[x](javascript:y()) <javascript:y()>",
    "[x]: javascript:y()\n\n[x] [y][x]",
    "[x](data:text/html,y) [x](vbscript:y)",
]


class _Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.unsafe: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unsafe += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        addresses = [value or "" for name, value in attrs if name in ("href", "src")]
        self.unsafe += [one for one in addresses if one != "data:," and not runs_nothing(one)]


@pytest.mark.parametrize("policy", [one for one in HTML_POLICIES if is_as_strict(one, "safe")])
@pytest.mark.parametrize("markdown", UNSAFE_IN_MARKDOWN)
def test_what_one_policy_leaves_out_the_stricter_ones_do(markdown: str, policy: HtmlPolicy) -> None:
    document, mistakes = read_document(markdown, "en.md", "en", policy)
    assert _Tags(html_of(document.blocks)).unsafe == []
    assert all(f"`html: {policy}`" in one.message for one in mistakes.warnings if one.rule == "html-unsafe")


@pytest.mark.parametrize("policy", ["safe", "none"])
def test_attributes_above_a_block_are_reported_on_their_own_line(policy: HtmlPolicy) -> None:
    text = "A\n\n{#id onclick=x}\n{style=y}\nB\n\n- {onclick=x}\n  ## C {style=y}\n"
    _, mistakes = read_document(text, "en.md", "en", policy)
    places = [(one.location.line, one.message.split("`")[1]) for one in mistakes.warnings if one.location]
    assert places == [(3, "onclick"), (4, "style"), (7, "onclick"), (8, "style")]


def test_addresses_in_tags_that_are_text_are_no_links_to_be() -> None:
    text = "<iframe src=\"https://example.org\"></iframe> and <a href='https://example.org'>x</a>\n"
    _, mistakes = read_document(text, "en.md", "en", "none")
    assert not mistakes.warnings
