"""Feeds of whole builds: valid by RFC 4287 and JSON Feed 1.1, and readable where nothing else is loaded."""

import datetime
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from diglot.content.plain_formulas import plain_formula
from diglot.render.plain_html import plain_html
from tests.site.test_talks import PIXEL
from tests.space import BARS, Space, ran, told

ATOM = "{http://www.w3.org/2005/Atom}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
BASE = "https://example.org/blog/"
KINDS = (("atom", "xml"), ("feed", "json"))
FRONT = """\
---
title: Main LANGUAGE
date: 2026-11-01
updated: 2026-11-03
tags: [roofline]
authors: [ada]
---

FIRST

## Parts {#parts}

See {ref}`fig-bars`, [another](../other/LANGUAGE.md), [the parts](#parts) and ![a chip](chip.png).

```python
print("<b href=/x>")
```

$T = \\frac{W}{B} + x_i^2$, and a note[^1].

```{figure} bars
Two bars.
```

<a href="/zh/">raw</a>

- [x] done

[^1]: Told at the [end](https://example.net/).
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("feeds"))
    made.change("site/site.yaml", "https://example.org/", BASE)
    author = "authors:\n  ada: {name: {zh: 艾达, en: Ada}, url: https://example.org/ada}\n"
    made.change("site/site.yaml", "tags:\n", f"tag_feeds: true\n{author}tags:\n")
    made.write("figures/bars.py", BARS)
    made.write("content/posts/main/chip.png", PIXEL)
    for language, first in (("zh", "第一段。"), ("en", "The first paragraph.")):
        text = FRONT.replace("LANGUAGE", language).replace("FIRST", first)
        made.write(f"content/posts/main/{language}.md", text)
    made.post("other", zh="别的。\n\n第二段。", en="Other.\n\nA second.")
    made.post("single", en="Only here.", zh=None, only="en")
    result = made.build()
    assert told(result) == ""
    return made


def feeds(space: Space, ending: str) -> list[tuple[str, bytes]]:
    return [(path, text) for path, text in space.outputs().items() if path.endswith(f"/feed.{ending}")]


def items(space: Space, place: str) -> dict[str, dict[str, str]]:
    found = json.loads((space.root / f"public/{place}/feed.json").read_text())["items"]
    return {one["title"]: one for one in found}


def test_feeds_keep_the_rules_of_atom(space: Space) -> None:
    found = feeds(space, "xml")
    assert [path for path, _ in found] == [
        f"{place}/feed.xml"
        for one in ("en", "zh")
        for place in (f"{one}/authors/ada", one, f"{one}/tags/roofline")
    ]
    for path, text in found:
        root = ET.fromstring(text)
        entries = root.findall(f"{ATOM}entry")
        assert root.tag == f"{ATOM}feed"
        assert root.get(LANG) == ("zh-Hans" if path.startswith("zh") else "en")
        assert [one.get("href") for one in root.findall(f"{ATOM}link[@rel='self']")] == [BASE + path]
        ids = [one.text for one in root.iter(f"{ATOM}id")]
        assert len(ids) == len(set(ids)) == len(entries) + 1
        for one in (root, *entries):
            assert [len(one.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
            assert datetime.datetime.fromisoformat(one.findtext(f"{ATOM}updated", "")).tzinfo is not None
            assert urlsplit(one.findtext(f"{ATOM}id", "")).scheme == "https"
            alternates = [
                (link.get("type"), link.get("hreflang"))
                for link in one.findall(f"{ATOM}link")
                if link.get("rel") == "alternate"
            ]
            assert len(alternates) == len(set(alternates)) == 1
            assert all(author.findtext(f"{ATOM}name") for author in one.findall(f"{ATOM}author"))
        for one in entries:
            assert one.findtext(f"{ATOM}summary")
            assert one.find(f"{ATOM}content").get("type") == "html"
        assert root.find(f"{ATOM}author") is not None
        latest = max(one.findtext(f"{ATOM}updated", "") for one in entries)
        assert root.findtext(f"{ATOM}updated") == latest


def test_feeds_keep_the_rules_of_json_feed(space: Space) -> None:
    found = feeds(space, "json")
    assert len(found) == 6
    for path, text in found:
        feed = json.loads(text)
        assert feed["version"] == "https://jsonfeed.org/version/1.1"
        assert feed["title"]
        assert feed["feed_url"] == BASE + path
        assert feed["language"] == ("zh-Hans" if path.startswith("zh") else "en")
        assert len({one["id"] for one in feed["items"]}) == len(feed["items"]) > 0
        for one in feed["items"]:
            assert one["id"] == one["url"]
            assert "content_html" in one or "content_text" in one
            for key in ("date_published", "date_modified"):
                assert datetime.datetime.fromisoformat(one[key]).tzinfo is not None
            assert all(isinstance(tag, str) for tag in one.get("tags", []))
            assert all(author["name"] for author in one.get("authors", []))


class Addresses(HTMLParser):
    """The addresses in some HTML, and the names of its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.names: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.names |= {name for name, _ in attrs}
        self.found += [value for name, value in attrs if name in ("href", "src")]


def test_the_text_is_whole_and_so_is_every_address_in_it(space: Space) -> None:
    html, page = items(space, "en")["Main en"]["content_html"], f"{BASE}en/posts/main/"
    addresses = Addresses(html)
    assert all(one.startswith("https://") for one in addresses.found)
    assert {f"{page}#fig-bars", f"{page}#parts", f"{BASE}en/posts/other/", f"{BASE}zh/"} <= {*addresses.found}
    assert not addresses.names & {"class", "id", "style"}
    pictures = {one for one in addresses.found if one.endswith(".png")}
    assert len(pictures) == 2
    assert pictures <= {BASE + path for path in space.outputs()}
    assert "<figcaption><b>Figure 1</b> Two bars.</figcaption>" in html
    assert '<pre><code>print("&lt;b href=/x&gt;")\n</code></pre>' in html
    assert "<i>T</i> = <i>W</i>/<i>B</i> + <i>x</i><sub><i>i</i></sub><sup>2</sup>, and a note" in html
    assert "☑ done" in html
    assert '<hr><ol><li>Told at the <a href="https://example.net/">end</a>.</li></ol>' in html
    feed = ET.fromstring(space.outputs()["en/feed.xml"])
    (entry,) = (one for one in feed.iter(f"{ATOM}entry") if one.findtext(f"{ATOM}title") == "Main en")
    assert entry.findtext(f"{ATOM}content") == html
    assert [one.text for one in entry.iterfind(f"{ATOM}author/{ATOM}name")] == ["Ada"]


def test_pages_name_their_feeds(space: Space) -> None:
    link = re.compile(r'<link rel="alternate" type="application/(\w+)\+\w+" title="([^"]*)" href="([^"]*)">')
    of_site = [(kind, "Test site", f"/blog/en/feed.{ending}") for kind, ending in KINDS]
    assert link.findall(space.page("en/posts/main")) == of_site
    of_tag = [(kind, "Roofline · Test site", f"/blog/en/tags/roofline/feed.{end}") for kind, end in KINDS]
    assert link.findall(space.page("en/tags/roofline")) == of_tag + of_site


def test_an_edit_makes_only_the_feeds_that_hold_the_article_again(space: Space) -> None:
    space.change("content/posts/other/en.md", "A second.", "A second one.")
    kinds = {"feed", "feed-entry", "feed-articles"}
    assert sorted(one for one in ran(space.build()) if one.split()[0] in kinds) == [
        "feed en.json",
        "feed en.xml",
        "feed-entry other:en",
    ]
    assert "<p>A second one.</p>" in items(space, "en")["Article other"]["content_html"]


def test_a_site_can_have_feeds_of_descriptions(space: Space, tmp_path: Path) -> None:
    other = Space(tmp_path).copied_from(space)
    other.change("site/site.yaml", "tag_feeds: true", "feed_text: summary")
    assert told(other.build()) == ""
    assert not (other.root / "public/en/tags/roofline/feed.xml").exists()
    item = items(other, "en")["Main en"]
    assert "content_html" not in item
    assert item["content_text"] == item["summary"] == "The first paragraph."


@pytest.mark.parametrize(
    ("mathml", "plain"),
    [
        ("<mi>x</mi><mo>=</mo><mn>2</mn>", "<i>x</i> = 2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(<i>a</i> + <i>b</i>)/2"),
        ("<msqrt><mi>x</mi></msqrt>", "√<i>x</i>"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(<i>x</i> + 1)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "<sup>3</sup>√<i>x</i>"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", "<i>x\u0302</i>"),
        (
            "<munderover><mo>∑</mo><mi>i</mi><mn>9</mn></munderover>",
            "∑<sub><i>i</i></sub><sup>9</sup>",
        ),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>", "1, 2"),
        ("<mi>a</mi><mo>&lt;</mo><mtext>b &amp; c</mtext>", "<i>a</i> &lt; b &amp; c"),
    ],
)
def test_a_formula_is_written_in_a_line(mathml: str, plain: str) -> None:
    assert plain_formula(f"<math>{mathml}</math>") == plain


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("<a href='b/?x=1&amp;y'>b</a>", '<a href="https://e.org/a/b/?x=1&amp;y">b</a>'),
        (
            '<a srcset="a 1x, /b 2x">',
            '<a srcset="https://e.org/a/a 1x, https://e.org/b 2x">',
        ),
        ('&lt;a href="b"&gt;', '&lt;a href="b"&gt;'),
        ("a<script>alert(1)</script>b", "ab"),
        (
            '<picture><source data-dark media="(min-width: 1px)" srcset="/d"><img src="/l"></picture>',
            '<picture><img src="https://e.org/l"></picture>',
        ),
        ('<p class="x" data-y="z" lang="en">t</p>', '<p lang="en">t</p>'),
        (
            "<a href = b>b</a> <A HREF=/c ID=x>c</A>",
            '<a href="https://e.org/a/b">b</a> <A href="https://e.org/c">c</A>',
        ),
        ('<a href="a b.pdf">b</a>', '<a href="https://e.org/a/a%20b.pdf">b</a>'),
        ('<a href="https://例子.测试/图">b</a>', '<a href="https://xn--fsqu00a.xn--0zwm56d/%E5%9B%BE">b</a>'),
        (
            '<img srcset="a,b.png 1x, c.png 2x">',
            '<img srcset="https://e.org/a/a,b.png 1x, https://e.org/a/c.png 2x">',
        ),
        ('<a href="mailto:a@b.org" onclick="x()">b</a>', '<a href="mailto:a@b.org">b</a>'),
        (
            '<q cite=b style="x:url(/y)" title="1 > 0">b</q>',
            '<q cite="https://e.org/a/b" title="1 > 0">b</q>',
        ),
        ('<a href="http://[">b</a>', '<a href="http://[">b</a>'),
        ("<input type=checkbox disabled>", "<input type=checkbox disabled>"),
    ],
)
def test_html_is_made_plain(html: str, plain: str) -> None:
    assert plain_html(html, "https://e.org/a/") == plain
