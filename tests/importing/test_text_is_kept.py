"""Whatever a body holds: its words are all in the result, in order, and the result builds."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.content.document import read_document
from diglot.importing.converting import convert_syntax, finish
from diglot.importing.names import language_of_text
from diglot.importing.records import Half, Matter, SourceSite
from diglot.importing.site_import import System
from diglot.importing.source_folder import SourceFolder
from diglot.importing.targets import Targets
from diglot.importing.text.body import Body

_PIECES = (
    *(
        "## ",
        "# ",
        "- ",
        "1. ",
        "> ",
        "    ",
        "```\n",
        "```python\n",
        "~~~\n",
        "`",
        "``",
        "**",
        "_",
        "|",
        "\n",
        "\n\n",
    ),
    *(
        "$",
        "$$",
        "$$\n",
        "\\\\(",
        "\\\\)",
        "\\frac{",
        "}",
        "{",
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<br>",
        "<!--",
        "-->",
    ),
    *(
        "<int>",
        "<script>",
        "</script>",
        '<div markdown="1">',
        "{: .lead}",
        "{:toc}",
        "{#id}",
        "[^1]",
        "[^1]: ",
        ":::",
    ),
    *(
        "{% raw %}",
        "{% endraw %}",
        "{% note info %}",
        "{% endnote %}",
        "{% highlight c %}",
        "{% endhighlight %}",
    ),
    *(
        "{{ site.baseurl }}",
        "{{< notice tip >}}",
        "{{< /notice >}}",
        "{{< unknown >}}",
        "[TOC]\n",
        "![",
        "](",
        ")",
        "[a](#x)",
    ),
    *("{term}`", ":::{note}\n", "| a | b |\n| - | - |\n", "---\n", "===\n", "中文，", "。"),
)
_WORD = re.compile(r"w[0-9]+w")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Markdown in which numbered words stand between pieces of all kinds of markup."""
    parts = draw(st.lists(st.sampled_from(_PIECES), max_size=40))
    return "".join(f"{part}w{number}w " for number, part in enumerate(parts))


def half_of(body: str) -> Half:
    return Half(
        source="posts/x.md",
        key="x",
        name="x",
        language="en",
        matter=Matter(values={}, lines={}, body=body, body_line=1),
        addresses=("/x/",),
        folders=("posts",),
    )


def convert(body: str, system: System) -> Body:
    half = half_of(body)
    site = SourceSite(
        folder=SourceFolder(Path("/nowhere"), {}, {}, {}),
        files=frozenset(),
        halves=(half,),
        settings=None,
        statics={},
    )
    text = Body(body, half.matter.body_lines, half.source)
    convert_syntax(text, half, system, "The title", Targets(site, (), "https://old.example/"))
    finish(text, "en", lambda target: True, "https://old.example/")
    return text


@pytest.mark.parametrize("system", ["jekyll", "hugo", "hexo"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(body=bodies())
def test_every_word_is_kept_in_order_and_nothing_is_refused(system: System, body: str) -> None:
    text = convert(body, system)
    assert _WORD.findall(text.text) == _WORD.findall(body)
    _, mistakes = read_document(f"---\n---\n{text.text}", "x.md", "en")
    assert not mistakes.errors
    assert len(text.lines) == text.text.count("\n") + 1


@settings(max_examples=60, deadline=None)
@given(body=bodies())
def test_a_body_that_diglot_would_write_stays_as_it_is(body: str) -> None:
    """Converting twice changes nothing more than converting once."""
    once = convert(body, "hugo").text
    assert _WORD.findall(convert(once, "hugo").text) == _WORD.findall(once)


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("A word a, [x](a).", "A word a, [x](https://old.example/a)."),
        ('x <a style="background: url(/p/a.ashx?b=1&amp;c=2)">y</a>', None),
        ('<img src="a&amp;b.png">', '<img src="https://old.example/a&amp;b.png">'),
        ("[x](a) and [y](a)", "[x](https://old.example/a) and [y](https://old.example/a)"),
        ("[x][y]\n\n[y]: a", "[x][y]\n\n[y]: https://old.example/a"),
        ("Long\nparagraph\nof\nseveral\nlines\nwith\na\nlink\n[x](a)", None),
    ],
)
def test_an_address_that_leads_nowhere_is_changed_where_it_is(body: str, result: str | None) -> None:
    text = Body(body, range(1, body.count("\n") + 2), "x.md")
    finish(text, "en", lambda target: False, "https://old.example/")
    document, mistakes = read_document(f"---\n---\n{text.text}", "x.md", "en")
    assert not mistakes.errors
    assert all(link.target.startswith("https://old.example/") for link in document.links)
    if result is not None:
        assert text.text == result


@given(
    st.text("ab\n", max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12), st.text("xy\n", max_size=5)), max_size=6),
)
def test_each_line_of_a_body_has_its_source_line_whatever_is_replaced(
    text: str, pieces: list[tuple[int, int, str]]
) -> None:
    body = Body(text, range(1, text.count("\n") + 2), "x.md")
    changes = sorted((min(at, len(text)), min(at + length, len(text)), new) for at, length, new in pieces)
    body.replace(changes)
    assert len(body.lines) == body.text.count("\n") + 1
    assert list(body.lines) == sorted(body.lines)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("关于", "zh"),
        ("甲\n重复", "zh"),
        ("甲", "zh"),
        ("About 关于我", "en"),
        ("", "en"),
        ("x", "en"),
        ("The 甲 of 乙", "en"),
    ],
)
def test_the_language_of_a_text_without_words_of_the_other_is_known_however_short_it_is(
    text: str, language: str
) -> None:
    assert language_of_text(text) == language
