"""Mistakes that only finished pages show: dead links, duplicate ids, pictures without a text."""

import pytest

from diglot.check.finished_site import FinishedSite
from diglot.check.locating import SourceText
from diglot.check.pages import check_pages
from diglot.diagnostics import Diagnostic

FILES = ["assets/a.css", "zh/feed.xml", "zh/中文.png"]
HOME = '<p id="top-part">home</p>'


def _check(page: str, *, base_url: str = "https://example.org/", source: str = "") -> tuple[Diagnostic, ...]:
    pages = {
        "index.html": HOME,
        "zh/index.html": '<p id="段">x</p><a name="old">y</a>',
        "zh/posts/x/index.html": page,
    }
    sources = {"zh/posts/x/index.html": (SourceText(path="content/posts/x/zh.md", text=source),)}
    site = FinishedSite(pages, FILES, base_url=base_url, sources=sources if source else None)
    return check_pages(site)


@pytest.mark.parametrize(
    "target",
    [
        "",
        "#",
        "#top",
        "#here",
        "#:~:text=home",
        "?x=1",
        "?x=1#here",
        "/",
        "/#top-part",
        "/index.html",
        "/zh/",
        "/zh",
        "/zh/#%E6%AE%B5",
        "/zh/#段",
        "/zh/#old",
        "../../",
        "../..",
        "./",
        " /zh/ ",
        "/assets/a.css",
        "/assets/a.css?v=1#anything",
        "/zh/%E4%B8%AD%E6%96%87.png",
        "/zh/中文.png",
        "https://example.org/zh/",
        "//example.org/zh/",
        "https://elsewhere.example/nowhere",
        "//elsewhere.example/nowhere",
        "mailto:a@example.org",
        "tel:1",
        "data:image/png;base64,xx",
        "javascript:void 0",
    ],
)
def test_a_link_that_leads_somewhere_or_out_of_the_site_is_right(target: str) -> None:
    assert _check(f'<a id="here" href="{target}">x</a>') == ()


@pytest.mark.parametrize(
    ("target", "rule", "fix"),
    [
        ("/zh/psts/x/", "link-dead", 'did you mean "/zh/posts/x/"?'),
        ("/nowhere", "link-dead", "correct or delete it."),
        ("../y/", "link-dead", "correct or delete it."),
        ("../../../../nowhere", "link-dead", "correct or delete it."),
        ("/assets/b.css", "link-dead", "correct or delete it."),
        ("/en/posts/xx/", "link-dead", "correct or delete it."),
        ("/assets/a.cs", "link-dead", 'did you mean "/assets/a.css"?'),
        ("/zh/posts/x/both.css", "link-dead", "correct or delete it."),
        (
            "https://example.org/nowhere",
            "link-dead",
            "correct or delete it. If another site is meant, correct base_url in site/site.yaml.",
        ),
        ("#hare", "link-fragment", 'did you mean "#here"?'),
        ("/#top-prt", "link-fragment", 'did you mean "/#top-part"?'),
        ("/zh/#missing", "link-fragment", "correct the part after #."),
        ("http://[broken", "link-dead", "write it as a browser's address bar shows it."),
    ],
)
def test_a_link_that_leads_nowhere_is_reported_with_its_line(target: str, rule: str, fix: str) -> None:
    (found,) = _check(f'<p>x</p>\n<a id="here" href="{target}">x</a>')
    assert found.rule == rule
    assert f'"{target}"' in found.message
    assert str(found.location) == "(output)/zh/posts/x/index.html:2"
    assert found.source_line == f'<a id="here" href="{target}">x</a>'
    assert found.fix == fix


@pytest.mark.parametrize(
    ("target", "right"),
    [
        ("/blog/zh/", True),
        ("../../", True),
        ("https://example.org/other/", True),
        ("/zh/", False),
        ("/blog/nowhere/", False),
        ("../../../zh/", True),
    ],
)
def test_under_a_path_of_its_host_a_site_links_with_that_path(target: str, right: bool) -> None:
    page = f'<a href="{target}">x</a>'
    found = _check(page, base_url="https://example.org/blog/")
    assert (found == ()) is right


@pytest.mark.parametrize(
    "tag",
    [
        '<img alt="" src="{}">',
        '<img alt="" src="" srcset="/zh/ 1x, {} 2x">',
        '<script src="{}"></script>',
        '<link href="{}">',
        '<video poster="{}">',
        "<p style='background:image-set(\"{}\" 1x)'>",
        '<svg><rect fill="url({}#warm)"/></svg>',
        '<svg><path marker-end="url({})"/></svg>',
        '<link rel="preload" as="image" imagesrcset="/zh/ 1x, {} 2x">',
        "<meta http-equiv='refresh' content='0; URL=\"{}\"'>",
    ],
)
def test_every_kind_of_reference_is_followed(tag: str) -> None:
    (found,) = _check(tag.format("/nowhere"))
    assert found.rule == "link-dead"


def test_an_id_that_stands_twice_is_reported_once_for_each_repetition() -> None:
    found = _check('<p id="a">1</p>\n<p id="a">2</p>\n<p id="b">3</p>\n<p id="a">4</p>')
    assert [(one.rule, one.location and one.location.line) for one in found] == [
        ("id-twice", 2),
        ("id-twice", 4),
    ]


def test_an_image_needs_a_text_and_an_empty_one_is_a_text() -> None:
    (found,) = _check(
        '<img src="/zh/feed.xml">\n<img src="/zh/feed.xml" alt="">',
        source="![](feed.xml)\n\n<img src='../feed.xml'>",
    )
    assert found.rule == "image-text"
    assert found.message == 'the image "feed.xml" has no alternative text'
    assert str(found.location).startswith("content/posts/x/zh.md:3"), "not Markdown's picture of that name"


def test_a_mistake_in_raw_html_is_reported_in_the_authors_file() -> None:
    source = 'Title\n\n<p id="a">1</p>\n\n<p id="a"><img src="/zh/feed.xml"></p>\n<a href="/nowhere">x</a>\n'
    found = _check(source, source=source)
    assert [f"{one.location} {one.rule}" for one in found] == [
        "content/posts/x/zh.md:5 id-twice",
        "content/posts/x/zh.md:5 image-text",
        "content/posts/x/zh.md:6 link-dead",
    ]
    assert found[2].source_line == '<a href="/nowhere">x</a>'


def test_a_mistake_that_two_pages_share_is_told_once() -> None:
    pages = {"a.html": '<a href="/nowhere">x</a>', "b.html": '<a href="/nowhere">x</a>'}
    both = (SourceText(path="content/posts/x/zh.md", text='<a href="/nowhere">x</a>'),)
    sources = {"a.html": both, "b.html": both}
    site = FinishedSite(pages, [], base_url="https://example.org/", sources=sources)
    assert len(check_pages(site)) == 1


def test_broken_html_is_read_as_far_as_it_goes() -> None:
    found = _check('<p <<<>& <a href="/nowhere"<p>\n<a href="/nowhere">x</a><![CDATA[ <!')
    assert {one.rule for one in found} == {"link-dead"}
