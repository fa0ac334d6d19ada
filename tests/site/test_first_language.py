"""Which language comes first: `languages: {first: …}` in `site.yaml`."""

import re
from pathlib import Path

import pytest

from diglot.languages import HTML_LANG, LANGUAGES, Language
from tests.space import SITE_YAML, Space, ran, told


def _site(space: Space, first: Language) -> Space:
    space.write("site/site.yaml", f"{SITE_YAML}languages: {{first: {first}}}\n")
    return space


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.post("roofline", zh="屋顶。", en="Roofs.", tags="[roofline]")
    space.write("content/posts/roofline/meta.yaml", "aliases: [/old/]\n")
    space.write("content/posts/single.md", "---\ntitle: One half\ndate: 2026-10-01\nonly: zh\n---\n\nText.\n")
    return space


def test_chinese_comes_first_unless_the_site_says_otherwise(space: Space) -> None:
    space.build()
    without = space.outputs()
    assert told(_site(space, "zh").build()) == ""
    assert space.outputs() == without


@pytest.mark.parametrize("first", LANGUAGES)
def test_the_first_language_comes_first_everywhere(space: Space, first: Language) -> None:
    space.change("content/posts/single.md", "only: zh", f"only: {first}")
    assert told(_site(space, first).build()) == ""
    other = "en" if first == "zh" else "zh"
    lang = HTML_LANG[first]
    text = {
        path: (space.root / "public" / path).read_text("utf-8")
        for path in (
            *("index.html", "404.html", "sitemap.xml", "old/index.html"),
            *(f"{one}/posts/roofline/index.html" for one in LANGUAGES),
        )
    }
    for path in ("index.html", "404.html"):
        assert f'<html lang="{lang}"' in text[path]
        # The header, then each article.
        halves = re.findall(r'<div class="half" lang="([\w-]+)"', text[path])
        assert halves == [lang, HTML_LANG[other]] * (len(halves) // 2)
        assert f'/{first}/posts/roofline/">' in text[path].partition('<ul class="pairs"')[2][:400]
    default = f'hreflang="x-default" href="https://example.org/{first}/posts/roofline/"'
    assert default in text["sitemap.xml"]
    for one in LANGUAGES:
        assert default in text[f"{one}/posts/roofline/index.html"]
    assert f'url=/{first}/posts/roofline/"' in text["old/index.html"]
    assert "Text." in space.page(f"{first}/posts/single"), "the half that names no language is the first one"


def test_the_toggle_keeps_its_order(space: Space) -> None:
    space.remove("content/posts/single.md")
    toggles = []
    for first in LANGUAGES:
        _site(space, first).build()
        toggles.append(re.findall(r'data-word="(\w+)"', space.page("en/posts/roofline")))
    assert toggles == [["zh", "en", "both"]] * 2


def test_a_home_text_is_at_the_root_in_the_first_language(space: Space) -> None:
    for language in LANGUAGES:
        space.write(f"content/pages/home/{language}.md", f"---\ntitle: Home\n---\n\nIn {language}.\n")
    space.change("content/posts/single.md", "only: zh", "only: en")
    _site(space, "en").build()
    assert "In en." in space.page("")
    assert '<link rel="canonical" href="https://example.org/en/">' in space.page("")
    assert "<loc>https://example.org/</loc>" not in (space.root / "public/sitemap.xml").read_text("utf-8")


def test_changing_the_first_language_gives_the_site_of_a_clean_build(space: Space, tmp_path: Path) -> None:
    space.remove("content/posts/single.md")
    _site(space, "zh").build()
    before = space.outputs()
    _site(space, "en").build()
    space.build(output="clean", cache_folder=tmp_path / "other-cache")
    assert space.outputs() == space.outputs("clean") != before
    assert ran(space.build()) == []


def test_a_language_that_there_is_not_is_an_error(space: Space) -> None:
    space.write("site/site.yaml", f"{SITE_YAML}languages: {{first: fr}}\n")
    assert told(space.build()) == (
        "site/site.yaml:6:20: error[field-type]: languages.first: expected one of zh, en, found the text "
        '"fr"\n'
        "    languages: {first: fr}\n"
        "                       ^^\n"
        "  fix: known are: en, zh."
    )


def test_every_language_has_a_page_for_unknown_addresses(space: Space) -> None:
    space.build()
    zh = (space.root / "public/zh/404.html").read_text("utf-8")
    en = (space.root / "public/en/404.html").read_text("utf-8")
    assert "没有这一页" in zh
    assert "Page not found" not in zh
    assert "Page not found" in en
    assert "没有这一页" not in en
    assert 'href="/en/posts/roofline/"' in en
    assert "posts/single" not in en
    assert '<p class="way"><a href="/en/">Home</a></p>' in en
    assert 'href="/zh/404.html" data-word="zh"' in en
    assert '<meta name="robots" content="noindex">' in en


def test_the_page_at_the_root_for_unknown_addresses_leads_to_both_home_pages(space: Space) -> None:
    space.build()
    text = (space.root / "public/404.html").read_text("utf-8")
    assert re.findall(r'<p class="way"><a href="([^"]+)">', text) == ["/zh/", "/en/"]
