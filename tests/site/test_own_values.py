"""What a project adds to the theme without templates: its style sheet, params, comments, counts of visits."""

import re

import pytest

from tests.space import Space, errors, ran, told

GISCUS = "comments: {giscus: {repo: a/b, repo_id: R_1, category: Posts, category_id: C_1}}\n"
FOOT = (
    '{% extends "diglot/base.html" %}{% block footer %}'
    '<p class="own">{{ site.params.motto }}|{{ site.params.none.at_all }}|{{ page.params.cover }}'
    '{% for one in site.params["items"] %}|{{ one.name }}{% endfor %}</p>{% endblock %}'
)
PAGES = ["", "zh", "en/tags", "zh/posts/a", "en/posts/a/both"]


@pytest.fixture
def space(space: Space) -> Space:
    """A project with one article."""
    space.post("a", zh="甲。", en="One.", tags="[roofline]")
    return space


def configure(space: Space, more: str) -> None:
    """Add lines to the configuration."""
    path = space.root / "site/site.yaml"
    path.write_text(path.read_text("utf-8") + more, "utf-8")


def published(space: Space) -> dict[str, bytes]:
    """Every file of the output folder except its mark, which lists the others."""
    return {path: content for path, content in space.outputs().items() if path != ".diglot-site"}


def foot(space: Space, path: str) -> str:
    """What the project's own footer shows on a page."""
    found = re.search('<p class="own">(.*?)</p>', space.page(path))
    assert found is not None
    return found[1]


# The style sheet


def test_a_style_sheet_of_its_own_is_linked_last_on_every_page(space: Space) -> None:
    space.build()
    before = published(space)
    space.write("site/static/custom.css", "p { color: teal }")
    assert told(space.build()) == ""
    after = published(space)
    assert after.pop("custom.css") == b"p { color: teal }"
    link = re.compile(rb'<link rel="stylesheet" href="/custom\.css\?v=[0-9a-f]{8}">\n(?=</head>)')
    assert {path: link.sub(b"", content) for path, content in after.items()} == before
    pages = {path for path in after if path.endswith(".html")}
    assert {path for path in pages if link.search(after[path])} == pages


def test_a_new_version_of_the_style_sheet_has_another_address(space: Space) -> None:
    with space.site() as site:
        clean = site.build() and space.outputs()
        seen = set()
        for colour in ("teal", "olive"):
            space.write("site/static/custom.css", f"p {{ color: {colour} }}")
            site.build()
            seen.add(space.page("zh"))
            space.build(output=colour)
            assert space.outputs() == space.outputs(colour)
        assert len(seen) == 2
        assert ran(site.build()) == []
        space.remove("site/static/custom.css")
        site.build()
        assert space.outputs() == clean


def test_the_style_sheet_is_found_where_the_site_has_a_folder(space: Space) -> None:
    space.change("site/site.yaml", "https://example.org/", "https://example.org/blog/")
    space.write("site/static/custom.css", "")
    space.build()
    assert 'href="/blog/custom.css?v=' in space.page("en")


# Params


def test_params_reach_every_template_in_the_language_of_the_page(space: Space) -> None:
    space.write("templates/base.html", FOOT)
    configure(space, "params:\n  motto: {zh: 先算后说, en: Compute first}\n  items: [{name: x}, {name: 2}]\n")
    space.change("content/posts/a/en.md", "date:", "params: {cover: a.png}\ndate:")
    assert told(space.build()) == ""
    assert foot(space, "zh") == "先算后说|||x|2"
    assert foot(space, "en/tags") == "Compute first|||x|2"
    assert foot(space, "en/posts/a") == "Compute first||a.png|x|2"
    assert foot(space, "zh/posts/a") == "先算后说|||x|2"


def test_params_of_an_article_are_its_own_and_the_shared_ones(space: Space) -> None:
    space.write("templates/base.html", FOOT)
    space.write("content/posts/a/meta.yaml", "params: {cover: {zh: 图.png, en: a.png}, day: 2026-11-20}\n")
    space.write(
        "templates/article.html",
        '{% extends "diglot/article.html" %}{% block after_article %}'
        "<i>{{ article.params.day }} {{ article.params.mood }}</i>{% endblock %}",
    )
    space.change("content/posts/a/zh.md", "date:", "params: {mood: 好}\ndate:")
    assert told(space.build()) == ""
    assert foot(space, "zh/posts/a") == "|||图.png".replace("|||", "||")
    assert "<i>2026-11-20 好</i>" in space.page("zh/posts/a")
    assert "<i>2026-11-20 </i>" in space.page("en/posts/a")


def test_a_param_in_two_places_must_be_the_same(space: Space) -> None:
    space.write("content/posts/a/meta.yaml", "params:\n  same: 1\n  cover: a.png\n")
    space.change("content/posts/a/zh.md", "date:", "params:\n  same: 1\n  cover: b.png\ndate:")
    (one,) = errors(space.build())
    assert one.message == "params.cover differs from content/posts/a/meta.yaml:3"
    assert (one.source_line, one.fix) == ("  cover: b.png", "keep it in one of the two places.")


def test_params_cannot_be_changed_by_a_template(space: Space) -> None:
    configure(space, "params: {mood: bright}\n")
    space.write(
        "templates/base.html",
        '{% extends "diglot/base.html" %}{% block footer %}'
        '{{ site.params.update({"mood": 1}) }}{% endblock %}',
    )
    assert "update" in told(space.build())


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("params: 3", "params: expected a mapping of `key: value` lines, found the number 3"),
        ("params: {a: {b: [1, 99999999999999999999]}}", "99999999999999999999 has too many digits"),
    ],
)
def test_params_that_cannot_be_kept_are_an_error(space: Space, params: str, message: str) -> None:
    configure(space, f"{params}\n")
    (one,) = errors(space.build())
    assert one.message == message
    assert one.location is not None
    assert (one.location.path, one.location.line) == ("site/site.yaml", 6)


def test_a_build_after_a_param_equals_a_clean_one(space: Space) -> None:
    space.write("templates/base.html", FOOT)
    with space.site() as site:
        clean = site.build() and space.outputs()
        configure(space, "params: {motto: x}\n")
        site.build()
        space.change("content/posts/a/en.md", "date:", "params: {cover: 2026-11-20}\ndate:")
        site.build()
        assert ran(site.build()) == []
        space.build(output="again")
        assert space.outputs() == space.outputs("again")
        assert foot(space, "en/posts/a") == "x||2026-11-20"
        space.change("site/site.yaml", "params: {motto: x}\n", "")
        space.change("content/posts/a/en.md", "params: {cover: 2026-11-20}\n", "")
        site.build()
        assert space.outputs() == clean


# Services


def test_a_site_loads_nothing_from_elsewhere(space: Space) -> None:
    space.build()
    for path in PAGES:
        loaded = re.findall(
            r'<(?:script|iframe|img|link rel="stylesheet")[^>]*(?:src|href)="([^"]*)"', space.page(path)
        )
        assert all(address.startswith("/") for address in loaded)


def test_a_comment_box_is_below_every_article(space: Space) -> None:
    configure(space, GISCUS)
    assert told(space.build()) == ""
    for path, lang, label in (("zh/posts/a", "zh-CN", "评论"), ("en/posts/a/both", "en", "Comments")):
        page = space.page(path)
        assert (
            f'aria-label="{label}" data-repo="a/b" data-repo-id="R_1" data-category="Posts" '
            'data-category-id="C_1" data-mapping="specific" data-term="posts/a" data-strict="0" '
            'data-reactions-enabled="1" data-emit-metadata="0" data-input-position="bottom" '
            f'data-lang="{lang}" data-loading="lazy">'
        ) in page
    for path in ("", "zh", "en/tags"):
        assert "giscus" not in space.page(path)


@pytest.mark.parametrize(
    ("mapping", "term"),
    [
        ("half", 'data-mapping="specific" data-term="zh/posts/a"'),
        ("og:title", 'data-mapping="og:title" data-strict'),
    ],
)
def test_halves_may_have_discussions_of_their_own(space: Space, mapping: str, term: str) -> None:
    configure(space, GISCUS.replace("C_1", f'C_1, mapping: "{mapping}"'))
    assert told(space.build()) == ""
    assert term in space.page("zh/posts/a")
    assert term in space.page("zh/posts/a/both")


def test_a_page_that_is_no_post_has_comments_if_it_says_so(space: Space) -> None:
    configure(space, GISCUS)
    for name, more in (("about", ""), ("guests", "comments: true\n")):
        for language in ("zh", "en"):
            space.write(f"content/pages/{name}/{language}.md", f"---\ntitle: {name}\n{more}---\n\n.\n")
    assert told(space.build()) == ""
    assert "giscus" not in space.page("en/about")
    assert 'data-term="guests"' in space.page("en/guests")


def test_an_article_may_go_without_comments(space: Space) -> None:
    configure(space, GISCUS)
    space.write("content/posts/a/meta.yaml", "comments: false\n")
    assert told(space.build()) == ""
    assert "giscus" not in space.page("en/posts/a")


def test_visits_are_counted_by_the_services_that_are_named(space: Space) -> None:
    configure(
        space,
        "analytics:\n  plausible: {domain: example.org}\n  goatcounter: {code: ada}\n"
        "  umami: {website_id: 1-2, src: https://u.example.org/script.js}\n",
    )
    assert told(space.build()) == ""
    for path in PAGES:
        assert (
            '<script src="https://plausible.io/js/script.js" data-domain="example.org" defer></script>\n'
            '<script src="https://gc.zgo.at/count.js" '
            'data-goatcounter="https://ada.goatcounter.com/count" async></script>\n'
            '<script src="https://u.example.org/script.js" data-website-id="1-2" data-domains="example.org" '
            "defer></script>\n"
        ) in space.page(path)
