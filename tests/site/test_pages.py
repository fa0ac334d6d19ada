"""Pages that are no posts: `content/pages/`."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.space import BARS, CHIPS, SITE_YAML, Space, errors, ran, told


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.post("roofline", zh="见[关于](/about/)。", en="See [about](/about/).", tags="[roofline]")
    _page(space, "about", zh="谁写的。", en="Who writes.")
    return space


def _page(space: Space, path: str, *, zh: str | None = None, en: str | None = None, **front: str) -> None:
    for language, body, title in (("zh", zh, f"页{path}"), ("en", en, f"Page {path}")):
        if body is not None:
            matter = "\n".join(f"{key}: {value}" for key, value in {"title": title, **front}.items())
            space.write(f"content/pages/{path}/{language}.md", f"---\n{matter}\n---\n\n{body}\n")


def test_a_page_has_an_address_below_its_language_and_needs_no_date(space: Space) -> None:
    _page(space, "projects/talks", zh="讲座。", en="Talks.")
    assert told(space.build()) == ""
    assert "<h1>Page about</h1>" in space.page("en/about")
    assert "讲座。" in space.page("zh/projects/talks")
    assert "<time" not in space.page("en/about")
    assert 'class="meta"' not in space.page("en/about")


def test_a_flat_page_is_the_same_as_one_in_a_folder(space: Space) -> None:
    space.build()
    before = space.outputs()
    for language in ("zh", "en"):
        text = (space.root / f"content/pages/about/{language}.md").read_text("utf-8")
        space.write(f"content/pages/about.{language}.md", text)
    space.remove("content/pages/about")
    assert told(space.build()) == ""
    assert space.outputs() == before


def test_a_date_is_shown_where_a_page_has_one(space: Space) -> None:
    _page(space, "about", zh="谁。", en="Who.", date="2026-03-02", updated="2026-03-05")
    space.build()
    assert '<time datetime="2026-03-02">2 March 2026</time>' in space.page("en/about")
    assert "<lastmod>2026-03-05</lastmod>" in (space.root / "public/sitemap.xml").read_text("utf-8")


def test_a_page_is_in_the_sitemap_and_in_no_list_feed_or_neighbourhood(space: Space) -> None:
    _page(space, "about", zh="谁。", en="Who.", date="2026-11-02")
    space.build()
    sitemap = ET.fromstring((space.root / "public/sitemap.xml").read_bytes())
    assert "https://example.org/en/about/" in [one.text for one in sitemap.iter() if one.text]
    feed = ET.fromstring((space.root / "public/en/feed.xml").read_bytes())
    assert "https://example.org/en/about/" not in [one.get("href") for one in feed.iter()]
    lists = [space.page(path) for path in ("", "en", "en/tags", "en/tags/roofline")]
    assert not [text for text in lists if "/about/" in text]
    assert "neighbours" not in space.page("en/about") + space.page("en/posts/roofline")


def test_a_page_has_a_toggle_and_a_side_by_side_page(space: Space) -> None:
    space.build()
    page = space.page("zh/about")
    for link in ("/zh/about/", "/en/about/", "/zh/about/both/"):
        assert f'href="{link}" data-word=' in page
    both = space.page("en/about/both")
    assert "谁写的。" in both
    assert "Who writes." in both
    assert '<link rel="canonical" href="https://example.org/en/about/">' in both


def test_a_page_in_one_language_says_so(space: Space) -> None:
    _page(space, "imprint", zh="地址。", only="zh")
    assert told(space.build()) == ""
    assert "暂无英文版，本页只有中文" in space.page("zh/imprint")
    assert not (space.root / "public/en/imprint").exists()


def test_pages_are_linked_by_address_and_by_file(space: Space) -> None:
    _page(
        space,
        "projects/talks",
        zh="[甲](/about/)[乙](../../about/en.md)[丙](../../../posts/roofline/zh.md)[丁](../../about)",
        en="[a](/zh/about/) [b](/posts/roofline/) [c](/)",
    )
    assert told(space.build()) == ""
    zh, en = space.page("zh/projects/talks"), space.page("en/projects/talks")
    for text in ('"/zh/about/">甲', '"/en/about/">乙', '"/zh/posts/roofline/">丙', '"/zh/about/">丁'):
        assert text in zh
    for text in ('"/zh/about/">a', '"/en/posts/roofline/">b', '"/">c'):
        assert text in en
    assert '"/en/about/">about' in space.page("en/posts/roofline")


def test_a_file_without_an_extension_beside_a_page_is_a_file(space: Space) -> None:
    _page(space, "projects", zh="[许可](LICENSE)", en="[licence](LICENSE)")
    space.write("content/pages/projects/LICENSE", "Free.")
    assert told(space.build()) == ""
    assert 'href="/assets/pages/projects/LICENSE' in space.page("en/projects")


def test_a_link_to_a_section_of_a_page_is_checked(space: Space) -> None:
    space.post("other", zh="[节](/about/#nowhere)", en="Text.")
    assert [one.rule for one in errors(space.build())] == ["link-fragment"]


def test_a_page_has_figures_values_and_pictures_of_its_own(space: Space) -> None:
    space.write("content/pages/projects/talks/figures/bars.py", BARS)
    space.write("content/pages/projects/figures/chips.py", CHIPS)
    space.write(
        "content/pages/projects/talks/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    )
    body = "{eval}`chips.h200.ridge | number(0)`\n\n```{figure} bars\n```\n\n![.](dot.svg)\n"
    _page(space, "projects/talks", zh=body, en=body)
    assert told(space.build()) == ""
    page = space.page("en/projects/talks")
    assert "206" in page
    assert 'class="drawing"' in page
    assert 'src="/assets/pages/projects/talks/dot.' in page


def test_a_page_has_aliases(space: Space) -> None:
    _page(space, "about", zh="谁。", en="Who.", aliases="[/old-about.html]")
    assert told(space.build()) == ""
    assert 'url=/zh/about/"' in (space.root / "public/old-about.html").read_text("utf-8")


def test_a_draft_page_is_shown_with_drafts_alone(space: Space) -> None:
    _page(space, "plans", zh="想法。", en="Ideas.", draft="true")
    space.build()
    assert not (space.root / "public/en/plans").exists()
    space.build(drafts=True)
    assert "<b>draft</b>" in space.page("en/plans")
    assert "plans" not in (space.root / "public/sitemap.xml").read_text("utf-8")


def test_a_slug_replaces_the_last_part_of_a_pages_address(space: Space) -> None:
    _page(space, "projects/talks", zh="讲座。", en="Talks.", slug="lectures")
    assert told(space.build()) == ""
    assert "Talks." in space.page("en/projects/lectures")


_ITSELF = "  fix: give its folder or file another name, or the front matter another `slug:`."


@pytest.mark.parametrize(
    ("path", "front", "message"),
    [
        (
            "tags",
            {},
            'content/pages/tags/zh.md:1: error[page-clash]: a page cannot have the address "/zh/tags/": '
            f'diglot uses "/zh/tags" itself\n{_ITSELF}',
        ),
        (
            "posts/roofline",
            {},
            "content/pages/posts/roofline/zh.md:1: error[page-clash]: a page cannot have the address "
            f'"/zh/posts/roofline/": diglot uses "/zh/posts" itself\n{_ITSELF}',
        ),
        (
            "feed.xml",
            {},
            "content/pages/feed.xml/zh.md:1: error[page-clash]: a page cannot have the address "
            f'"/zh/feed.xml/": diglot uses "/zh/feed.xml" itself\n{_ITSELF}',
        ),
        (
            "subjects",
            {"slug": "categories"},
            "content/pages/subjects/zh.md:3: error[page-clash]: a page cannot have the address "
            f'"/zh/categories/": diglot uses "/zh/categories" itself\n{_ITSELF}',
        ),
        (
            "about/both",
            {},
            "content/pages/about/both/zh.md:1: error[page-clash]: a page cannot have the address "
            f'"/zh/about/both/": diglot uses it for side-by-side pages\n{_ITSELF}',
        ),
        (
            "who",
            {"slug": "about"},
            'content/pages/who/zh.md:3:7: error[slug-clash]: the address "about" is already used by '
            "content/pages/about/zh.md\n"
            "    slug: about\n"
            "          ^^^^^\n"
            "  fix: change the `slug:` of one of them.",
        ),
        (
            "who",
            {"tags": "[roofline]"},
            "content/pages/who/en.md:3:7: error[field-value]: tags: a page is in no list\n"
            "    tags: [roofline]\n"
            "          ^\n"
            "  fix: delete it, or make the page a post.",
        ),
        (
            "Who",
            {},
            'content/pages/Who/en.md: error[slug-form]: "Who" cannot be the address of an article\n'
            '  fix: rename "Who" to "who"; addresses have lower-case ASCII letters, digits and hyphens.',
        ),
    ],
)
def test_what_a_page_cannot_be(space: Space, path: str, front: dict[str, str], message: str) -> None:
    _page(space, path, zh="文。", en="Text.", **front)
    assert str(errors(space.build())[0]) == message


def test_pages_are_read_in_every_layout(space: Space) -> None:
    for path, language in (
        ("content/zh/pages/projects/talks.md", "zh"),
        ("content/en/pages/projects/talks/index.md", "en"),
        ("content/pages/contact.md", "zh"),
        ("content/pages/contact.en.md", "en"),
        ("content/pages/kontor/index.zh-CN.md", "zh"),
        ("content/pages/office.en.md", "en"),
    ):
        key = "translation_key: office\n" if "kontor" in path else ""
        space.write(path, f"---\ntitle: Page\n{key}---\n\nIn {language}.\n")
    space.change("content/pages/office.en.md", "title: Page", "title: Page\ntranslation_key: office")
    assert told(space.build()) == ""
    for path in ("projects/talks", "contact"):
        assert "In zh." in space.page(f"zh/{path}")
        assert "In en." in space.page(f"en/{path}")
    assert "In zh." in space.page("zh/kontor")
    assert 'href="/en/office/" data-word="en"' in space.page("zh/kontor")


def test_a_page_in_no_language_of_the_site_is_misnamed(space: Space) -> None:
    space.write("content/pages/projects/talks.fr.md", "---\ntitle: Conférences\n---\n")
    assert told(space.build()) == (
        'content/pages/projects/talks.fr.md: error[pair-name]: "fr" is not a language of this site\n'
        "  fix: name it content/pages/projects/talks.zh.md or content/pages/projects/talks.en.md; a name "
        "that begins with _ is left alone."
    )


@pytest.mark.parametrize(
    ("path", "fix"),
    [
        ("about.zh.md", "content/pages/about/zh.md, or to content/posts/ if it is a post"),
        ("zh/about.md", "content/pages/about/zh.md, or to content/posts/ if it is a post"),
        ("contact.md", "content/pages/contact/zh.md or en.md, or to content/posts/ if it is a post"),
        ("zh/blog/roofs.md", "content/posts/roofs/zh.md"),
        ("blog/2026/roofs/index.en.md", "content/posts/roofs/en.md"),
        (
            "projects/talks.md",
            "content/pages/projects/talks/zh.md or en.md, or to content/posts/ if it is a post",
        ),
        ("zh.md", "content/pages/home/zh.md, or to content/posts/ if it is a post"),
    ],
)
def test_a_text_that_nothing_reads_is_a_warning(space: Space, path: str, fix: str) -> None:
    space.write(f"content/{path}", "---\ntitle: Text\n---\n")
    space.write("content/README.md", "Of the authors.")
    space.write("content/_sketch.md", "Of the authors.")
    space.write("content/data.csv", "1,2")
    result = space.build()
    assert result.published is not None
    assert told(result) == (
        f"content/{path}: warning[content-unread]: nothing reads this file: "
        "it is neither a post, a page nor a talk\n"
        f"  fix: move it to {fix}; a file whose name begins with _ is left alone."
    )


def test_the_home_page_has_a_text_above_its_list(space: Space) -> None:
    _page(space, "home", zh="欢迎。", en="Welcome, [as on](/zh/).")
    assert told(space.build()) == ""
    zh, en = space.page("zh"), space.page("en")
    assert zh.index("欢迎。") < zh.index('href="/zh/posts/roofline/"')
    assert "<title>Test site</title>" in en
    assert "<h1>Page home</h1>" in en
    assert 'href="/zh/both/" data-word="both"' in zh
    assert "欢迎。" in space.page("en/both")
    assert "Welcome" in space.page("en/both")
    assert not (space.root / "public/zh/home").exists()


def test_the_root_is_the_home_page_of_the_first_language(space: Space) -> None:
    _page(space, "home", zh="欢迎。", en="Welcome.")
    space.build()
    root = space.page("")
    assert "欢迎。" in root
    assert "Welcome." not in root
    assert '<link rel="canonical" href="https://example.org/zh/">' in root
    assert root.count("hreflang") == root.count('hreflang="')
    assert '<link rel="alternate" hreflang' not in root


def test_a_home_text_in_one_language_leaves_the_other_home_page_as_it_was(space: Space) -> None:
    space.build()
    before = space.outputs()
    _page(space, "home", en="Welcome.", only="en")
    assert told(space.build()) == ""
    after = space.outputs()
    changed = {path for path in after if after[path] != before.get(path)}
    assert {path for path in changed if path.endswith(".html")} == {"en/index.html"}
    assert 'href="/zh/" data-word="zh"' in space.page("en")


def test_a_navigation_entry_leads_to_a_page_in_the_readers_language(space: Space) -> None:
    _page(space, "cv", zh="履历。", only="zh")
    space.write("site/static/paper.pdf", "%PDF")
    entries = ("/about/", "/cv/", "/", "/paper.pdf", "/about/#who", "https://example.com/")
    listed = "".join(f'\n  - {{label: "L", path: "{path}"}}' for path in entries)
    space.write("site/site.yaml", f"{SITE_YAML}navigation:{listed}\n")
    assert told(space.build()) == ""
    nav = space.page("en").partition('<nav class="places"')[2].partition("</nav>")[0]
    assert [part.partition('"')[0] for part in nav.split('href="')[1:]] == [
        "/en/about/",
        "/zh/cv/",
        "/en/",
        "/paper.pdf",
        "/en/about/#who",
        "https://example.com/",
    ]


def test_a_navigation_entry_that_leads_nowhere_is_one_error(space: Space) -> None:
    _page(space, "plans", zh="想法。", en="Ideas.", draft="true")
    space.write(
        "site/site.yaml",
        f"{SITE_YAML}navigation:\n"
        "  - {label: 关于, path: /abuot/}\n"
        "  - label: 计划\n"
        "    path: /plans/\n"
        "  - {label: 没有, path: /categories/}\n",
    )
    result = space.build()
    assert result.published is None
    assert told(result) == (
        'site/site.yaml:7:23: error[navigation-missing]: navigation: "/abuot/" leads nowhere\n'
        "    - {label: 关于, path: /abuot/}\n"
        "                          ^^^^^^^\n"
        '  fix: did you mean "/about/"?\n\n'
        'site/site.yaml:9:11: error[navigation-missing]: navigation: "/plans/" leads to a page that this '
        "build leaves out\n"
        "    path: /plans/\n"
        "          ^^^^^^^\n"
        "  fix: it is a draft or dated in the future: publish it first, or remove the entry.\n\n"
        'site/site.yaml:10:23: error[navigation-missing]: navigation: "/categories/" leads nowhere\n'
        "    - {label: 没有, path: /categories/}\n"
        "                          ^^^^^^^^^^^^\n"
        "  fix: write the address of a page, such as /tags/ or /about/ (content/pages/about/), or a "
        "complete one."
    )
    assert len(errors(space.build(drafts=True))) == 2


def test_an_edit_of_a_page_makes_its_own_pages_again(space: Space) -> None:
    space.build()
    space.change("content/pages/about/en.md", "Who writes.", "Who writes this.")
    pages = sorted(key for key in ran(space.build()) if "-page" in key)
    of_about = ["article-page pages/about:en", "both-page pages/about:en", "both-page pages/about:zh"]
    assert pages == of_about
    assert ran(space.build()) == []


def test_builds_after_edits_of_pages_are_those_from_nothing(space: Space, tmp_path: Path) -> None:
    space.build()
    for path, zh in (("home", "欢迎。"), ("about", "另写。"), ("projects/talks", "[关](/about/)")):
        _page(space, path, zh=zh, en="Text.")
        space.build()
    space.remove("content/pages/projects")
    space.build()
    space.build(output="clean", cache_folder=tmp_path / "other-cache")
    assert space.outputs() == space.outputs("clean")
