"""`sync.txt` in builds: notices at blocks that are behind, and which tasks an edit runs."""

from collections.abc import Iterator

import pytest

from diglot.diagnostics import Diagnostic
from diglot.rules.building import Site
from diglot.rules.status import find_pairs
from diglot.scaffold.syncing import compare_pairs, sync
from tests.space import Space, outputs, ran

_ZH = "## 屋顶 {#roof}\n\n第一段。[^a]\n\n第二段。\n\n[^a]: 注。"
_EN = "## Roof {#roof}\n\nThe first.[^a]\n\nThe second.\n\n[^a]: A note."
_ZH_PATH, _EN_PATH = "content/posts/one/zh.md", "content/posts/one/en.md"


def _declare(site: Site, *names: str) -> None:
    for one in compare_pairs(site, find_pairs(site, names)):
        sync(site, one)


@pytest.fixture
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Space, Site]]:
    """Two posts, of which one keeps count, built."""
    space = Space(tmp_path_factory.mktemp("project"))
    space.post("one", zh=_ZH, en=_EN)
    space.post("two", zh="二。", en="Two.")
    with space.site(clock=None) as site:
        _declare(site, "one")
        site.build()
        yield space, site


def _notices(page: str) -> list[str]:
    return [part.partition("</p>")[0] for part in page.split('<p class="behind">')[1:]]


def test_blocks_that_are_behind_say_so_and_lead_to_the_newer_text(kept: tuple[Space, Site]) -> None:
    space, site = kept
    assert _notices(space.page("en/posts/one")) == []
    space.change(_ZH_PATH, "第二段。", "改过的第二段。\n\n第三段。")
    space.change(_ZH_PATH, "title: 文章one", "title: 文章一")
    space.change(_EN_PATH, "A note.", "Another note.")
    space.change(_EN_PATH, "The first.", "Still the first.")
    site.build()
    day = site.options.day
    of_english = _notices(space.page("en/posts/one"))
    changed, link = f"Changed in Chinese since {day.day} ", '<a href="/zh/posts/one/{}" hreflang="zh-Hans">'
    assert [
        one.startswith(link.format(at))
        for one, at in zip(of_english, ("", "#roof-2", "#roof-3"), strict=True)
    ]
    assert [changed in one for one in of_english] == [True, True, False]
    assert "The Chinese version has more here" in of_english[2]
    assert len(_notices(space.page("zh/posts/one"))) == 2
    beside = _notices(space.page("en/posts/one/both"))
    assert len(beside) == 5
    assert not any("<a" in one for one in beside)
    with space.site(output="clean", cache_folder=space.root / "elsewhere") as clean:
        clean.build()
    assert outputs(space.root / "clean") == space.outputs()


def test_the_file_takes_the_place_of_a_notice_about_the_whole_article(kept: tuple[Space, Site]) -> None:
    space, site = kept
    for name in ("one", "two"):
        space.change(
            f"content/posts/{name}/zh.md", "date: 2026-11-01", "date: 2026-11-01\nupdated: 2026-11-09"
        )
    site.build()
    assert 'class="fallback"' in space.page("en/posts/two")
    assert 'class="fallback"' not in space.page("en/posts/one")


def test_an_edit_runs_what_it_concerns(kept: tuple[Space, Site]) -> None:
    space, site = kept
    assert ran(site.build()) == []
    space.change("content/posts/two/zh.md", "二。", "两。")
    kinds = {key.split()[0] for key in ran(site.build())}
    assert not kinds & {"units", "staleness", "behind"}
    space.change(_ZH_PATH, "第二段。", "改过的第二段。")
    assert {"behind one:en", "article-page one:en", "article-page one:zh"} <= set(ran(site.build()))
    space.change(_ZH_PATH, "改过的第二段。", "又改了的第二段。")
    again = ran(site.build())
    assert "behind one:en" in again
    assert "article-page one:en" not in again  # it says the same as before
    _declare(site, "one")
    in_step = ran(site.build())
    assert "article-page one:en" in in_step
    assert not {key.split()[0] for key in in_step} & {"document", "units", "feed-entry"}
    assert ran(site.build()) == []


def test_a_broken_file_is_an_error_of_the_site(kept: tuple[Space, Site]) -> None:
    space, site = kept
    space.write("content/posts/one/sync.txt", "diglot sync 1\n\n<<<<<<< ours\n")
    (mistake,) = site.build().diagnostics
    assert (mistake.rule, str(mistake.location)) == ("sync-form", "content/posts/one/sync.txt:3")


def test_files_of_talks_and_flat_pairs_are_known(tmp_path_factory: pytest.TempPathFactory) -> None:
    space = Space(tmp_path_factory.mktemp("project"))
    for language, text in (("zh", "甲。"), ("en", "A.")):
        space.write(f"content/talks/one/{language}.md", f"---\ntitle: T\n---\n\n{text}\n")
        space.write(f"content/posts/flat.{language}.md", f"---\ntitle: T\ndate: 2026-11-01\n---\n\n{text}\n")
    with space.site() as site:
        _declare(site)
        assert (space.root / "content/talks/one/sync.txt").is_file()
        assert (space.root / "content/posts/flat.sync.txt").is_file()
        space.change("content/talks/one/sync.txt", "| 甲。", "甲。")
        (mistake,) = _errors(site.build().diagnostics)
        assert (mistake.rule, str(mistake.location)) == ("sync-form", "content/talks/one/sync.txt:13")


def _errors(found: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    return [one for one in found if one.severity == "error"]
