"""Placeholders are resolved and escaped for their context."""

import pytest
from markupsafe import Markup

from diglot.content.records import Placeholder
from diglot.diagnostics import Diagnostic, DiagnosticError
from diglot.render.parts import Problems, fill_html, fill_text

NASTY = "<b> & \"quoted\" 'too'"


def placeholder(context: str) -> Placeholder:
    return Placeholder(kind="eval", target="x", line=1, context=context)


def test_between_tags_text_is_escaped_and_html_is_kept():
    assert fill_html(("<p>", placeholder("html"), "</p>"), lambda _: NASTY) == (
        "<p>&lt;b&gt; &amp; &#34;quoted&#34; &#39;too&#39;</p>"
    )
    assert fill_html((placeholder("html"),), lambda _: Markup("<a>图 1</a>")) == "<a>图 1</a>"


def test_in_an_attribute_quotes_are_escaped_and_markup_is_dropped():
    filled = fill_html(('<img alt="', placeholder("attribute"), '">'), lambda _: NASTY)
    assert filled == '<img alt="&lt;b&gt; &amp; &#34;quoted&#34; &#39;too&#39;">'
    assert fill_html((placeholder("attribute"),), lambda _: Markup('<a href="#x">图 1</a>')) == "图 1"


@pytest.mark.parametrize(
    ("context", "filled"),
    [
        ("srcset", "/a%2C%20b.png?x=1&amp;y"),
        ("style-attribute", "/a,%20b.png?x=1&amp;y"),
        ("style", "/a,%20b.png?x=1&y"),
    ],
)
def test_an_address_is_written_for_its_place(context: str, filled: str) -> None:
    assert fill_html((placeholder(context),), lambda _: "/a, b.png?x=1&y") == filled


def test_an_address_in_css_ends_neither_the_address_nor_the_element():
    filled = fill_html((placeholder("style"),), lambda _: """a') b"\\</style>(""")
    assert filled == "a%27%29%20b%22%5C%3C/style%3E%28"


def test_plain_text_is_not_escaped():
    assert fill_text(("1 < ", placeholder("text")), lambda _: NASTY) == f"1 < {NASTY}"


def test_every_mistake_is_found_before_the_page_fails():
    problems = Problems()

    def fail(one: Placeholder) -> str:
        raise DiagnosticError(Diagnostic(rule="r", message=f"mistake on line {one.line}"))

    two = (Placeholder(kind="eval", target="x", line=1), Placeholder(kind="eval", target="y", line=2))
    assert fill_html(("a", *two), problems.caught(fail)) == "a"
    with pytest.raises(DiagnosticError) as caught:
        problems.raise_found()
    assert [d.message for d in caught.value.diagnostics] == ["mistake on line 1", "mistake on line 2"]


def test_a_page_without_mistakes_raises_nothing():
    Problems().raise_found()
