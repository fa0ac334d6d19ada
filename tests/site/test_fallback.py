"""Pages for readers of the language that an article lacks: `fallback: true`."""

import re
from pathlib import Path

import pytest

from tests.space import BARS, SITE_YAML, Space, ran, told

NOTICE = "本页暂无中文版，以下为英文原文。"


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.write("figures/bars.py", BARS)
    space.post("both", zh="两种。", en="Two.", date="2026-10-01")
    space.post(
        "solo",
        zh=None,
        en="Only here.\n\n## Part\n\n```{figure} bars\nBars.\n```\n",
        only="en",
        tags="[roofline]",
        fallback="true",
    )
    space.post("newest", zh="新。", en="New.", date="2026-11-02")
    return space


def test_the_other_languages_address_has_the_text_with_a_notice(space: Space) -> None:
    assert told(space.build()) == ""
    page = space.page("zh/posts/solo")
    assert '<html lang="zh-Hans"' in page
    assert f'<p class="fallback">{NOTICE}</p>' in page
    assert re.search(r'<div class="half" lang="en">\s*<h1>Article solo</h1>', page)
    assert '<div class="half" lang="en">\n<p>Only here.</p>' in page
    assert "Figure 1" in page
    assert "约 1 分钟" in page
    assert '<p class="tags">标签：<a href="/zh/tags/roofline/">屋顶线</a></p>' in page
    assert NOTICE not in space.page("en/posts/solo")
    assert not (space.root / "public/zh/posts/solo/both").exists()


def test_search_engines_are_led_to_the_original(space: Space) -> None:
    space.build()
    page, original = space.page("zh/posts/solo"), space.page("en/posts/solo")
    canonical = '<link rel="canonical" href="https://example.org/en/posts/solo/">'
    assert canonical in page
    assert canonical in original
    assert '<link rel="alternate" hreflang=' not in page
    assert re.findall(r'<link rel="alternate" hreflang="([\w-]+)"', original) == ["en", "x-default"]
    for file in ("sitemap.xml", "zh/feed.xml"):
        assert "zh/posts/solo" not in (space.root / "public" / file).read_text("utf-8")
    assert "en/posts/solo" in (space.root / "public/en/feed.xml").read_text("utf-8")


def test_the_toggle_leads_from_one_to_the_other(space: Space) -> None:
    space.build()
    for page, current in ((space.page("zh/posts/solo"), "zh"), (space.page("en/posts/solo"), "en")):
        words = dict(re.findall(r'<a href="(/\w\w/posts/solo/)" data-word="(\w+)"', page))
        assert words == {"/zh/posts/solo/": "zh", "/en/posts/solo/": "en"}
        assert re.findall(r'data-word="(\w+)"[^>]*aria-current="true"', page) == [current]
        assert 'href="/zh/posts/solo/" data-word="zh" lang="zh-Hans" hreflang="en"' in page
    assert "暂无中文版，本页只有英文" in space.page("zh/posts/solo"), "why there is no side-by-side page"


def test_where_nobody_is_named_the_site_is_the_author(space: Space) -> None:
    space.build()
    assert '"author":[{"@type":"Organization","name":"Test site",' in space.page("en/posts/solo")


def test_lists_of_the_other_language_show_it_as_foreign(space: Space) -> None:
    space.build()
    for path, heading, ending in (("zh", "h2", "</article>"), ("zh/tags/roofline", "h3", "</li>")):
        entry = space.page(path).partition(f'<{heading}><a href="/zh/posts/solo/">Article solo</a>')
        assert entry[0].rstrip().endswith('<div lang="en">')
        facts = entry[2].partition(ending)[0]
        assert (
            '<span class="in"><a href="/en/posts/solo/" lang="en" hreflang="en">English</a></span>' in facts
        )
    assert "2026 年 11 月 1 日" in space.page("zh/tags/roofline")
    assert 'href="/zh/posts/solo/" rel="next" accesskey="n" lang="en">Article solo' in space.page(
        "zh/posts/both"
    )
    assert 'href="/zh/posts/newest/" rel="next"' in space.page("zh/posts/solo")


def test_links_and_the_navigation_lead_readers_to_the_page_in_their_language(space: Space) -> None:
    space.post("links", zh="[甲](/posts/solo/)[乙](../solo/en.md)", en="[a](/zh/posts/solo/)")
    space.write("site/site.yaml", f"{SITE_YAML}navigation:\n  - {{label: L, path: /posts/solo/}}\n")
    assert told(space.build()) == ""
    page = space.page("zh/posts/links")
    assert '<a href="/zh/posts/solo/">甲</a><a href="/en/posts/solo/">乙</a>' in page
    assert '<a href="/zh/posts/solo/">L</a>' in page
    assert '<a href="/zh/posts/solo/">a</a>' in space.page("en/posts/links")


def test_the_site_decides_for_articles_that_do_not(space: Space) -> None:
    space.post("single", zh="独。", en=None, only="zh")
    space.post("apart", zh="别。", en=None, only="zh", fallback="false")
    space.write("content/pages/imprint/zh.md", "---\ntitle: 地址\nonly: zh\n---\n\n门牌。\n")
    space.write("site/site.yaml", f"{SITE_YAML}fallback: true\n")
    assert told(space.build()) == ""
    notice = "There is no English version of this page yet; this is the Chinese original."
    assert notice in space.page("en/posts/single")
    assert notice in space.page("en/imprint")
    assert not (space.root / "public/en/posts/apart").exists()


def test_a_site_in_one_language_gets_home_pages_in_both(tmp_path: Path) -> None:
    space = Space(tmp_path)
    space.post("single", zh="独。", en=None, only="zh")
    space.write("site/site.yaml", f"{SITE_YAML}fallback: true\n")
    assert told(space.build()) == ""
    assert '<a href="/en/posts/single/">文章single</a>' in space.page("en")


def test_a_home_text_has_no_fallback(space: Space) -> None:
    space.write("content/pages/home/en.md", "---\ntitle: Home\nonly: en\nfallback: true\n---\n\nWelcome.\n")
    assert told(space.build()) == ""
    assert "Welcome." not in space.page("zh")


def test_turning_it_off_gives_the_site_of_a_clean_build(space: Space, tmp_path: Path) -> None:
    space.build()
    space.change("content/posts/solo/en.md", "fallback: true", "fallback: false")
    assert told(space.build()) == ""
    assert not (space.root / "public/zh/posts/solo").exists()
    space.change("content/posts/solo/en.md", "fallback: false", "fallback: true")
    space.build()
    space.build(output="clean", cache_folder=tmp_path / "other-cache")
    assert space.outputs() == space.outputs("clean")
    space.change("content/posts/solo/en.md", "## Part", "## Parts")
    pages = {key for key in ran(space.build()) if "-page" in key}
    assert pages == {"article-page solo:en", "fallback-page solo:zh"}
