"""Lists of articles: pages, the archive, tags, series, authors, and what leads from an article to others."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from tests.browser import axe_violations, has_no_horizontal_scroll, served
from tests.space import SITE_YAML, Space, errors, ran, told

SITE = (
    SITE_YAML.replace(
        "  roofline: {zh: 屋顶线, en: Roofline}",
        """\
  roofline:
    label: {zh: 屋顶线, en: Roofline}
    description: {zh: 一个上限。, en: A limit.}
  gpu: {zh: 显卡, en: GPU}""",
    )
    + """\
list_entries: 2
related: 2
authors:
  ada:
    name: {zh: 阿达, en: Ada}
    url: https://example.org/ada/
    text: {zh: "写芯片。\\n\\n住在根特。", en: "Writes about chips.\\n\\nLives in Ghent."}
    links:
      - {label: Post, url: "mailto:ada@example.org"}
series:
  below: {zh: 屋顶线以下, en: Below the roofline}
navigation:
  - {label: Archive, path: /archive/2025/}
  - {label: Ada, path: /authors/ada/}
"""
)
SYSTOLIC = "Systolic arrays multiply matrices. Systolic tiles wait for matrices."


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    made = Space(tmp_path_factory.mktemp("lists"))
    made.write("site/site.yaml", SITE)
    every = {"authors": "[ada]"}
    made.post("one", zh="第一段。", en=SYSTOLIC, date="2025-01-01", tags="[gpu]", **every)
    made.post("two", zh="第二段。", en="Second.", date="2025-02-01", series="below", part="2", **every)
    made.post("three", zh="第三段。", en=None, date="2025-03-01", only="zh", series="below", part="1")
    made.post("four", zh="第四段。", en=SYSTOLIC, date="2026-01-01", tags="[roofline]", **every)
    made.post("five", zh="第五段。", en="Fifth.", date="2026-02-01", tags="[roofline, gpu]", series="below")
    assert told(made.build()) == ""
    return made


def titles(page: str) -> list[str]:
    return re.findall(r"<h[23]><a [^>]*>(.*?)</a>", page)


def head(page: str, rel: str) -> list[str]:
    return re.findall(rf'<link rel="{rel}"(?: hreflang="[^"]*")? href="([^"]*)"', page)


def test_a_list_goes_on_on_pages_with_stable_addresses(space: Space) -> None:
    assert titles(space.page("zh")) == ["文章five", "文章four"]
    assert titles(space.page("zh/page/2")) == ["文章three", "文章two"]
    assert titles(space.page("zh/page/3")) == ["文章one"]
    second = space.page("zh/page/2")
    assert head(second, "prev") == ["/zh/"]
    assert head(second, "next") == ["/zh/page/3/"]
    assert head(second, "canonical") == ["https://example.org/zh/page/2/"]
    assert "<title>第 2 页 · 试验站</title>" in second
    assert "第 2 页，共 3 页" in second
    assert head(space.page("zh"), "prev") == []
    assert head(space.page("zh/page/3"), "next") == []


def test_the_toggle_of_a_page_that_the_other_language_lacks_leads_to_its_last_page(space: Space) -> None:
    third = space.page("zh/page/3")  # English has four articles on two pages
    assert '<a href="/en/page/2/" data-word="en"' in third
    assert head(third, "alternate") == ["https://example.org/zh/page/3/"] * 2  # its own and x-default
    assert head(space.page("zh/page/2"), "alternate") == [
        *("https://example.org/zh/page/2/", "https://example.org/en/page/2/"),
        "https://example.org/zh/page/2/",
    ]


def test_every_page_of_a_list_is_in_the_map_of_the_site(space: Space) -> None:
    root = ET.fromstring(space.outputs()["sitemap.xml"])
    found = {loc.text for loc in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")}
    made = {
        f"https://example.org/{path.removesuffix('index.html')}"
        for path in space.outputs()
        if path.endswith("/index.html") and "/both/" not in path
    }
    assert found == made | {"https://example.org/"}


def test_the_archive_has_the_articles_of_each_year(space: Space) -> None:
    index = space.page("zh/archive")
    assert re.findall(r'<a href="(/zh/archive/\d+/)">(.*?)</a> <span>(.*?)<', index) == [
        ("/zh/archive/2026/", "2026 年", "2 篇"),
        ("/zh/archive/2025/", "2025 年", "3 篇"),
    ]
    year = space.page("en/archive/2025")
    assert re.findall(r'<li><a href="(.*?)">(.*?)</a> <time datetime="(.*?)">(.*?)</time>', year) == [
        ("/en/posts/two/", "Article two", "2025-02-01", "1 February"),
        ("/en/posts/one/", "Article one", "2025-01-01", "1 January"),
    ]
    assert 'href="/en/archive/2025/" aria-current="page">Archive</a>' in year


def test_the_page_of_a_tag_says_what_it_is_about_and_which_tags_are_near(space: Space) -> None:
    page = space.page("en/tags/roofline")
    assert "<title>Tag: Roofline · Test site</title>" in page
    assert '<p class="about">A limit.</p>' in page
    assert '<meta name="description" content="A limit.">' in page
    assert 'Related tags: <a href="/en/tags/gpu/">GPU</a></p>' in page
    assert "<p>A limit.</p>" in space.page("en/tags")


def test_the_page_of_an_author_has_text_links_and_articles(space: Space) -> None:
    page = space.page("zh/authors/ada")
    assert re.findall(r'<p class="about">(.*?)</p>', page)[:2] == ["写芯片。", "住在根特。"]
    assert '<a href="https://example.org/ada/" rel="me">example.org/ada</a>' in page
    assert '<a href="mailto:ada@example.org" rel="me">Post</a>' in page
    assert titles(page) == ["文章four", "文章two"]
    assert titles(space.page("zh/authors/ada/page/2")) == ["文章one"]
    assert '<a href="/en/authors/ada/" rel="author">Ada</a>' in space.page("en/posts/one")


def test_a_series_has_its_parts_in_order_in_both_languages(space: Space) -> None:
    assert titles(space.page("zh/series/below")) == ["文章three", "文章two"]
    english = space.page("en/series/below")  # a part without English keeps its place
    assert titles(english) == ["文章three", "Article two"]
    assert '<a href="/zh/posts/three/">文章three</a>' in english
    assert titles(space.page("en/series/below/page/2")) == ["Article five"]
    assert '<span class="part" aria-hidden="true">3</span>' in space.page("en/series/below/page/2")


def test_a_part_of_a_series_says_its_place_and_leads_to_its_neighbours(space: Space) -> None:
    english = space.page("en/posts/two")
    assert '<a href="/en/series/below/">Below the roofline</a>, part 2 of 3</p>' in english
    assert '<span>Part 1</span> <a href="/zh/posts/three/" lang="zh-Hans">文章three</a>' in english
    assert '<span>Part 3</span> <a href="/en/posts/five/">Article five</a>' in english
    assert "屋顶线以下</a>，第 2 篇，共 3 篇</p>" in space.page("zh/posts/two")


def related(space: Space, page: str) -> list[str]:
    found = re.search(r'<nav class="related".*?</nav>', space.page(page), re.DOTALL)
    return re.findall(r'href="/\w\w/posts/(.*?)/"', found[0]) if found else []


def test_related_articles_are_the_same_in_both_languages(space: Space) -> None:
    assert related(space, "en/posts/four") == related(space, "zh/posts/four") == ["five", "one"]
    assert related(space, "zh/posts/two") == []  # the others share nothing with it, or are in its series


def test_the_page_at_the_root_shows_each_article_in_both_languages(space: Space) -> None:
    entries = re.findall(r"<li>\n(.*?)\n</li>", space.page(""), re.DOTALL)
    assert len(entries) == 5
    assert titles(entries[0]) == ["文章five", "Article five"]
    assert "2026 年 2 月 1 日&nbsp;· 约 1 分钟" in re.sub("</?time.*?>", "", entries[0])
    assert "1 February 2026&nbsp;· 1 minute" in re.sub("</?time.*?>", "", entries[0])
    assert titles(entries[2]) == ["文章three", "文章three"]  # which is in Chinese only
    assert "&nbsp;· in Chinese only" in entries[2]
    missing = space.outputs()["404.html"].decode()
    assert 'data-slug="five"' in missing
    assert "Article five" in missing
    assert "第五段" not in missing


def test_what_cannot_be_in_a_series_is_an_error(tmp_path) -> None:
    space = Space(tmp_path)
    space.post("one", zh="一段。", en="A paragraph.", part="0")
    space.write("content/pages/archive/zh.md", "---\ntitle: 归档\nonly: zh\n---\n\n一段。\n")
    space.write("content/pages/about/zh.md", "---\ntitle: 关于\nonly: zh\nseries: a\n---\n\n一段。\n")
    found = {(one.message, one.fix) for one in errors(space.build())}
    assert found == {
        ("part: 0 is below 1", "number the parts from 1."),
        (
            "part: only an article in a series can have it",
            "add the `series:` that it is a part of, or delete it.",
        ),
        (
            'a page cannot have the address "/zh/archive/": diglot uses "/zh/archive" itself',
            "give its folder or file another name, or the front matter another `slug:`.",
        ),
        ("series: a page is in no list", "delete it, or make the page a post."),
    }


def test_two_parts_with_one_number_and_a_series_without_a_label_are_warned_of(tmp_path) -> None:
    space = Space(tmp_path)
    for name in ("one", "two"):
        space.post(name, zh="一段。", en="A paragraph.", series="a", part="1")
    assert {(one.rule, one.message, one.fix) for one in space.build().diagnostics} == {
        (
            "series-part",
            'part 1 of the series "a" is already content/posts/one/zh.md',
            "give each part a number of its own; without it, parts follow by date.",
        ),
        (
            "term-unknown",
            'series: "a" has no label in the site\'s configuration',
            "add it under `series:`, with a label in each language.",
        ),
    }


def test_an_edit_of_prose_makes_no_page_of_other_articles_again(tmp_path) -> None:
    space = Space(tmp_path)
    for number, name in enumerate(("one", "two", "three")):
        english = f"{SYSTOLIC}\n\nMore."
        space.post(name, zh="一段。", en=english, tags="[roofline]", date=f"2026-01-0{number + 1}")
    with space.site() as site:
        site.build()
        space.change("content/posts/two/en.md", "More.", "Much more of it.")
        keys = ran(site.build())
    assert [key for key in keys if key.startswith(("article-page", "neighbours"))] == ["article-page two:en"]


def test_the_older_half_of_a_pair_says_so(tmp_path) -> None:
    space = Space(tmp_path)
    space.write("site/site.yaml", SITE_YAML)
    space.post("one", zh="一段。", en="A paragraph.")
    space.change("content/posts/one/zh.md", "date: ", "updated: 2026-11-05\ndate: ")
    assert told(space.build()) == ""
    notice = (
        '<p class="fallback">The Chinese version was updated on 5 November 2026, after this one, '
        "and may differ. "
        '<a href="/zh/posts/one/" hreflang="zh-Hans">Read the Chinese version</a></p>'
    )
    assert notice in space.page("en/posts/one")
    assert "fallback" not in space.page("zh/posts/one") + space.page("zh/posts/one/both")
    feeds = space.outputs()
    assert b"<updated>2026-11-05" in feeds["zh/feed.xml"]
    assert b"<updated>2026-11-05" not in feeds["en/feed.xml"]


@pytest.mark.layout
@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_everybody_can_read_the_lists(space: Space, open_page: Any, scheme: str, width: int) -> None:
    with served(space.root / "public") as address:
        for path in ("zh/authors/", "en/authors/ada/", "zh/series/", "en/series/below/", "zh/page/2/"):
            page = open_page(f"{address}/{path}", width=width, color_scheme=scheme)
            assert (path, axe_violations(page)) == (path, [])
            assert has_no_horizontal_scroll(page), path


def test_lists_describe_themselves_by_what_they_list(space: Space) -> None:
    def description(path: str) -> str:
        return "".join(re.findall('<meta name="description" content="([^"]*)">', space.page(path)))

    assert description("en/tags") == "Tags: GPU, Roofline"
    assert description("zh/series/below") == "屋顶线以下：文章three、文章two"
    assert description("en/archive") == "Archive by year: 2026, 2025"
    assert description("en/tags/roofline") == "A limit."
    assert description("zh/tags/gpu") == "显卡：文章five、文章one"
