"""A project's own words are words in every file, whatever characters they have: they never become markup."""

import csv
import io
import json
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.spelling.settings import Spelling
from diglot.traditional.files import converted_feed, converted_json, converted_markdown, converted_table
from diglot.traditional.pages import converted_page
from diglot.traditional.settings import Settings

pytest.importorskip("opencc", reason="OpenCC is not installed (pip install 'diglot[hant]')")

PAGE = (
    '<p title="词 &quot;一&quot;" data-said=\'词\' data-term="词">词在此 &amp; <b>词</b>&lt;i&gt;</p>'
    "<img src=a.png alt=词><svg><text>词</text><metadata data-points>"
    '[{"labels":["词"]}]</metadata></svg>'
    '<script type="application/ld+json">{"name":"词"}</script>'
    '<script type="application/json">["词", "<p>词</p>"]</script><code>词</code>'
)
NASTY = (
    'R&D"x',
    "<img src=x onerror=alert(1)>",
    "</script><b>",
    "a'b",
    "&lt;",
    "]]>",
    "-->",
    "a,b\nc",
    "\\",
    "`*_[x](y)",
)
WORDS = st.sampled_from(NASTY) | st.text("a<>&\"'/\\;,`=\n ", min_size=1, max_size=8)


def settings(word: str) -> Settings:
    return Settings(
        spelling=Spelling(variant="standard", exceptions=(("词", word),)),
        base_url="https://example.org/",
        notice="由简体中文转换。",
        stamp="1",
    )


class _Outline(HTMLParser):
    """A page as tags with their attributes, and the texts between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}", {}))
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data


@given(WORDS)
def test_a_page_has_the_word_as_text_and_the_same_tags(word: str) -> None:
    before, after = _Outline(PAGE), _Outline(converted_page(PAGE, settings(word)))
    assert [tag for tag, _ in after.tags] == [tag for tag, _ in before.tags]
    assert after.tags[0][1] == {"title": f'{word} "一"', "data-said": word, "data-term": "词"}
    assert after.tags[4] == ("img", {"src": "a.png", "alt": word})
    assert after.texts[1] == f"{word}在此 & "
    assert after.texts[2] == word
    assert after.texts[-2] == "词"
    readings, data, parts = (text for text in after.texts if text[:1] in ("[", "{"))
    assert json.loads(readings) == [{"labels": [word]}]
    assert json.loads(data) == {"name": word}
    assert _Outline(json.loads(parts)[1]).texts[1] == word


@given(WORDS)
def test_a_feed_has_the_word_as_text(word: str) -> None:
    feed = (
        '<feed><title>词 &amp; x</title><category term="词" label="词" />'
        '<content type="html">&lt;p&gt;词 &amp;amp; x&lt;/p&gt;</content></feed>'
    )
    root = ET.fromstring(converted_feed(feed, settings(word)))
    spaced = word.replace("\n", " ")
    assert root.findtext("title") == f"{word} & x"
    label = root.find("category")
    assert label is not None
    assert label.get("label") in (word, spaced)
    assert _Outline(root.findtext("content") or "").texts[1] == f"{word} & x"


@given(WORDS)
def test_json_and_tables_have_the_word_as_text(word: str) -> None:
    items = '{"title": "词", "content_html": "<p>词</p>", "tags": ["A<b> & 词"]}'
    found = json.loads(converted_json(items, settings(word)))
    assert found["title"] == word
    assert found["tags"] == [f"A<b> & {word}"]
    assert _Outline(found["content_html"]).texts[1] == word
    table = converted_table('\ufeff词,1\r\n"a,词",2\r\n', settings(word))
    assert table.startswith("\ufeff")
    assert [*csv.reader(io.StringIO(table[1:], newline=""))] == [[word, "1"], [f"a,{word}", "2"]]


@pytest.mark.parametrize("word", NASTY)
def test_markdown_has_no_markup_more(word: str) -> None:
    from diglot.content.parser import markdown_parser

    tokens = markdown_parser().parse(converted_markdown("# 题\n词在此\n", settings(word)), {"language": "zh"})
    inside = [child.type for token in tokens for child in token.children or ()]
    assert set(inside) <= {"text", "softbreak", "text_special"}, inside
