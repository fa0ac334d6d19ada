"""`expires:` leaves an article out after a day, without any edit."""

import datetime
from pathlib import Path

import pytest

from diglot.rules.building import SiteBuild
from tests.space import Space, errors, ran, told

LAST = datetime.date(2026, 11, 20)
NEXT = LAST + datetime.timedelta(days=1)
PAGE = "zh/posts/news/index.html"


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.post("news", expires=LAST.isoformat(), aliases="[/old/]", tags="[roofline]")
    space.post("kept")
    return space


def _clean(space: Space, folder: str, **options: object) -> dict[str, bytes]:
    """What a build without a cache publishes, in a folder of its own."""
    other = Space(space.root / folder)
    for name in ("content", "site"):
        for path in (space.root / name).rglob("*.*"):
            other.write(path.relative_to(space.root).as_posix(), path.read_bytes())
    assert errors(other.build(**options)) == []
    return other.outputs()


def test_an_article_is_shown_on_its_last_day_and_gone_on_the_next_without_an_edit(space: Space) -> None:
    before = space.build(clock=LAST)
    assert errors(before) == []
    assert {PAGE, "en/posts/news/both/index.html", "old/index.html"} <= space.outputs().keys()
    assert "Article news" in space.page("en")
    after = space.build(clock=NEXT)
    assert not [path for path in space.outputs() if "news" in path or path.startswith("old/")]
    assert "Article news" not in space.page("en")
    assert "en/tags/roofline/index.html" not in space.outputs()
    assert not any("kept" in one and one.startswith("document") for one in ran(after))
    assert space.outputs() == _clean(space, "clean", clock=NEXT)
    again = space.build(clock=NEXT)
    assert (ran(again), again.published and again.published.written) == ([], ())
    space.build(clock=LAST)
    assert space.outputs() == _clean(space, "clean-again", clock=LAST)


def test_source_date_epoch_is_the_day_too(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    last_second = int(datetime.datetime.combine(NEXT, datetime.time(), datetime.UTC).timestamp()) - 1
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(last_second))
    space.build()
    assert PAGE in space.outputs()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(last_second + 1))
    space.build()
    assert PAGE not in space.outputs()


def test_expired_articles_are_shown_on_request_marked_and_not_indexed(space: Space) -> None:
    space.build(clock=LAST)
    fresh = space.outputs()[PAGE].decode()
    assert "已过期" not in fresh
    assert "noindex" not in fresh
    assert "posts/news/" in space.outputs()["sitemap.xml"].decode()
    space.build(clock=NEXT, expired=True)
    assert "<b>已过期</b>" in space.page("zh/posts/news")
    assert '<meta name="robots" content="noindex">' in space.page("en/posts/news")
    assert "<b>expired</b>" in space.page("en")
    assert "posts/news/" not in space.outputs()["sitemap.xml"].decode()
    assert space.outputs() == _clean(space, "clean", clock=NEXT, expired=True)


def test_what_expires_later_reruns_no_page(space: Space) -> None:
    space.build(clock=LAST)
    for half in ("zh", "en"):
        space.change(f"content/posts/news/{half}.md", "expires: 2026-11-20", "expires: 2027-01-31")
    again = space.build(clock=LAST)
    lists = ("home-page", "term-page", "landing-page", "feed ", "site-map")
    assert not [one for one in ran(again) if one.startswith(lists) and not one.startswith("site-map")]


def _link_to(space: Space, target: str, **options: object) -> SiteBuild:
    space.post("kept", zh=f"见[新闻]({target})。", en="Nothing.")
    return space.build(**options)


@pytest.mark.parametrize("target", ["/posts/news/", "/en/posts/news/", "../news/zh.md"])
def test_a_link_to_an_expired_article_is_an_error_that_says_so(space: Space, target: str) -> None:
    assert errors(_link_to(space, target, clock=LAST)) == []
    result = _link_to(space, target, clock=NEXT)
    [error] = errors(result)
    assert (error.rule, error.message, error.fix) == (
        "link-hidden",
        f'"{target}" links to an article that expired after 2026-11-20: this build leaves it out',
        "change its `expires:`, or remove the link.",
    )
    assert PAGE in space.outputs()  # the last good site stays
    assert errors(_link_to(space, target, clock=NEXT, expired=True)) == []


def test_links_to_drafts_and_to_the_future_say_which_it_is(space: Space) -> None:
    space.post("news", draft="true", slug="neues")
    [draft] = errors(_link_to(space, "/posts/neues/"))
    assert draft.message == '"/posts/neues/" links to an article that is a draft: this build leaves it out'
    assert draft.fix == "publish it first, or remove the link."
    space.post("news", date="2999-01-02")
    [later] = errors(_link_to(space, "/posts/news/"))
    assert later.message == (
        '"/posts/news/" links to an article that is dated in the future, 2999-01-02: this build leaves it out'
    )
    assert [one.rule for one in errors(_link_to(space, "/posts/nowhere/"))] == ["link-missing"]


def test_the_halves_agree_on_the_day_and_it_is_not_before_the_date(space: Space) -> None:
    space.change("content/posts/news/zh.md", "expires: 2026-11-20", "expires: 2026-11-21")
    [differs] = errors(space.build(clock=LAST))
    assert differs.rule == "pair-differs"
    assert differs.message == "expires is 2026-11-20 here and 2026-11-21 in content/posts/news/zh.md"
    space.post("news")
    space.write("content/posts/news/meta.yaml", "expires: 2026-10-31\n")
    result = space.build(clock=LAST)
    assert {one.message for one in errors(result)} == {"expires: 2026-10-31 is before date: 2026-11-01"}
    assert "content/posts/news/meta.yaml:1" in told(result)


def test_a_page_that_is_no_post_expires_too(space: Space) -> None:
    for half, title in (("zh", "关于"), ("en", "About")):
        front = f"---\ntitle: {title}\nexpires: {LAST}\n---\n\nText.\n"
        space.write(f"content/pages/about/{half}.md", front)
    space.build(clock=LAST)
    assert "zh/about/index.html" in space.outputs()
    assert errors(space.build(clock=NEXT)) == []
    assert "zh/about/index.html" not in space.outputs()
