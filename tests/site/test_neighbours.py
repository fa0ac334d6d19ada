"""The article before and the article after, as a reader of the language meets them."""

from pathlib import Path

import pytest

from tests.space import Space, errors, ran


@pytest.fixture
def space(tmp_path: Path) -> Space:
    space = Space(tmp_path)
    space.post("oldest", zh="旧", en="Old.", date="2026-01-01")
    space.post("middle", zh="中", en=None, date="2026-01-02", only="zh")
    space.post("newest", zh="新", en="New.", date="2026-01-03")
    assert not errors(space.build())
    return space


def test_an_article_leads_to_those_beside_it_in_the_list_of_its_language(space: Space) -> None:
    assert _leading(space, "zh/posts/newest/") == ["/zh/posts/middle/"]
    assert _leading(space, "zh/posts/middle/") == ["/zh/posts/oldest/", "/zh/posts/newest/"]
    assert _leading(space, "en/posts/newest/") == ["/en/posts/oldest/"]
    assert _leading(space, "en/posts/oldest/") == ["/en/posts/newest/"]


def test_a_new_title_reaches_the_neighbours_and_no_other_article(space: Space) -> None:
    space.post("later", zh="后", en="Later.", date="2026-01-04")
    space.build()
    space.change("content/posts/newest/en.md", "title: Article newest", "title: Another title")
    pages = [key for key in ran(space.build()) if key.startswith(("article-page", "both-page"))]
    assert {key.partition(" ")[2] for key in pages} == {"newest:en", "newest:zh", "oldest:en", "later:en"}


def _leading(space: Space, path: str) -> list[str]:
    nav = space.page(path).partition('<nav class="neighbours"')[2].partition("</nav>")[0]
    return [piece.partition('"')[0] for piece in nav.split('href="')[1:]]
