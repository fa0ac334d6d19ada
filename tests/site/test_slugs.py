"""Halves of an article with different addresses."""

import re
from pathlib import Path

import pytest

from tests.space import Space, errors, told


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.post("roofline", zh="## 节 {#part}\n\n屋顶。", en="## Part {#part}\n\nRoofs.", tags="[roofline]")
    space.write("content/posts/roofline/meta.yaml", "slug: {zh: wu-ding-xian, en: roofline}\n")
    space.post(
        "other",
        zh="[甲](/posts/roofline/)[乙](/posts/wu-ding-xian/#part)[丙](../roofline/en.md)",
        en="[a](/posts/wu-ding-xian/) [b](/zh/posts/roofline/) [c](../roofline/zh.md#part)",
        date="2026-10-01",
    )
    return space


def test_each_half_has_its_own_address(space: Space) -> None:
    assert told(space.build()) == ""
    zh, en = space.page("zh/posts/wu-ding-xian"), space.page("en/posts/roofline")
    for page in (zh, en):
        assert 'href="/zh/posts/wu-ding-xian/" data-word="zh"' in page
        assert 'href="/en/posts/roofline/" data-word="en"' in page
        assert 'hreflang="zh-Hans" href="https://example.org/zh/posts/wu-ding-xian/"' in page
        assert 'hreflang="en" href="https://example.org/en/posts/roofline/"' in page
    assert 'class="twin" href="/en/posts/roofline/#part"' in zh
    assert 'href="/zh/posts/wu-ding-xian/both/" data-word="both"' in zh
    assert "Roofs." in space.page("en/posts/roofline/both")
    assert not (space.root / "public/zh/posts/roofline").exists()


def test_lists_feeds_and_neighbours_lead_to_the_address_of_their_language(space: Space) -> None:
    space.build()
    public = space.root / "public"
    for language, slug, other in (("zh", "wu-ding-xian", "roofline"), ("en", "roofline", "wu-ding-xian")):
        for path in (
            f"{language}/index.html",
            f"{language}/tags/roofline/index.html",
            f"{language}/feed.xml",
        ):
            text = (public / path).read_text("utf-8")
            assert f"/{language}/posts/{slug}/" in text
            assert f"/{language}/posts/{other}/" not in text
        assert f'href="/{language}/posts/{slug}/" rel="next"' in space.page(f"{language}/posts/other")
    sitemap = (public / "sitemap.xml").read_text("utf-8")
    assert "<loc>https://example.org/zh/posts/wu-ding-xian/</loc>" in sitemap
    assert "zh/posts/roofline/" not in sitemap


def test_links_lead_there_by_either_slug_and_by_file(space: Space) -> None:
    space.build()
    zh = dict(re.findall(r'<a href="([^"]+)">([甲乙丙])<', space.page("zh/posts/other")))
    en = dict(re.findall(r'<a href="([^"]+)">([abc])<', space.page("en/posts/other")))
    assert zh == {
        "/zh/posts/wu-ding-xian/": "甲",
        "/zh/posts/wu-ding-xian/#part": "乙",
        "/en/posts/roofline/": "丙",
    }
    assert en == {
        "/en/posts/roofline/": "a",
        "/zh/posts/wu-ding-xian/": "b",
        "/zh/posts/wu-ding-xian/#part": "c",
    }


def test_aliases_lead_to_the_address_of_their_half(space: Space) -> None:
    space.change("content/posts/roofline/zh.md", "date:", "aliases: [/zh/posts/roofline/]\ndate:")
    assert told(space.build()) == ""
    assert 'url=/zh/posts/wu-ding-xian/"' in space.page("zh/posts/roofline")


def test_one_half_may_keep_the_name_of_the_folder(space: Space) -> None:
    space.write("content/posts/roofline/meta.yaml", "")
    space.change("content/posts/roofline/zh.md", "date:", "slug: wu-ding\ndate:")
    space.change("content/posts/other/zh.md", "wu-ding-xian", "wu-ding")
    space.change("content/posts/other/en.md", "wu-ding-xian", "wu-ding")
    assert told(space.build()) == ""
    assert "屋顶。" in space.page("zh/posts/wu-ding")
    assert "Roofs." in space.page("en/posts/roofline")


def test_an_address_of_one_language_is_no_other_articles_in_the_other(space: Space) -> None:
    space.post("third", zh="三。", en="Third.", slug="wu-ding-xian")
    assert str(errors(space.build())[0]) == (
        'content/posts/third/zh.md:4:7: error[slug-clash]: the address "wu-ding-xian" is already used by '
        "content/posts/roofline/zh.md\n"
        "    slug: wu-ding-xian\n"
        "          ^^^^^^^^^^^^\n"
        "  fix: change the `slug:` of one of them."
    )


def test_a_slug_for_each_language_belongs_in_the_shared_file(space: Space) -> None:
    space.change("content/posts/other/zh.md", "date:", "slug: {zh: a, en: b}\ndate:")
    assert [one.rule for one in errors(space.build())] == ["field-type"]
    space.change("content/posts/other/zh.md", "slug: {zh: a, en: b}", "slug: a")
    space.write("content/posts/roofline/meta.yaml", "slug: {zh: 屋顶, en: roofline}\n")
    assert 'slug: "屋顶" cannot be part of an address' in [one.message for one in errors(space.build())]


def test_a_new_slug_of_one_half_gives_the_site_of_a_clean_build(space: Space, tmp_path: Path) -> None:
    space.build()
    space.write("content/posts/roofline/meta.yaml", "slug: {zh: wu-ding-xian, en: rooflines}\n")
    space.change("content/posts/other/en.md", "/zh/posts/roofline/", "/zh/posts/rooflines/")
    space.change("content/posts/other/zh.md", "/posts/roofline/", "/posts/rooflines/")
    assert told(space.build()) == ""
    space.build(output="clean", cache_folder=tmp_path / "other-cache")
    assert space.outputs() == space.outputs("clean")
