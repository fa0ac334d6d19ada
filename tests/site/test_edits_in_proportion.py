"""An edit runs tasks for what it changes, and a cache does not grow with the number of edits."""

from collections import Counter

import pytest

from diglot.engine import Packs
from diglot.render.theme import built_in_theme
from tests.space import Space, errors, ran, told

ARTICLES, TAGS = 6, 90


@pytest.fixture(scope="module")
def tagged_once(tmp_path_factory: pytest.TempPathFactory) -> Space:
    space = Space(tmp_path_factory.mktemp("tagged"))
    labels = "".join(f"  t{n}: {{zh: 标{n}。, en: Tag {n}.}}\n" for n in range(TAGS))
    space.change("site/site.yaml", "  roofline: {zh: 屋顶线, en: Roofline}\n", labels)
    for n in range(ARTICLES):
        tags = ", ".join(f"t{tag}" for tag in range(n, TAGS, ARTICLES))
        text = "\n\n".join([f"Paragraph {n}.", *(f"## Part {part}\n\n" + "Words. " * 300 for part in "abcd")])
        space.post(f"a{n}", zh=text, en=text, tags=f"[{tags}]")
    result = space.build()
    assert not errors(result), told(result)
    return space


@pytest.fixture
def tagged(space: Space, tagged_once: Space) -> Space:
    return space.copied_from(tagged_once)


def kinds(space: Space) -> Counter[str]:
    return Counter(one.partition(" ")[0] for one in ran(space.build()))


def test_a_label_reaches_only_the_pages_that_show_it(tagged: Space) -> None:
    tagged.change("site/site.yaml", "标7。", "七。")
    made = kinds(tagged)
    assert "七。" in tagged.page("zh/tags/t7")
    assert "七。" in tagged.page("zh/posts/a1")
    assert "page-context" not in made
    assert made["article-page"] == 2
    assert made["summary"] == made["article-outputs"] == 1
    # The tag's own lists, and those of the other tags of its article, which may name it.
    assert made["list-page"] <= 2 * TAGS // ARTICLES
    assert made["label"] < TAGS / 4


def test_the_first_paragraph_reaches_only_the_lists_that_show_it(tagged: Space) -> None:
    tagged.change("content/posts/a1/zh.md", "Paragraph 1.", "Another paragraph.")
    made = kinds(tagged)
    assert "Another paragraph." in tagged.page("zh/tags/t7")
    assert made["list-page"] == 2 * (TAGS // ARTICLES + 1)  # and the year's
    assert made["list-slice"] < 2 * TAGS / 2


def test_a_setting_that_no_page_shows_runs_no_page(tagged: Space) -> None:
    tagged.write("site/site.yaml", (tagged.root / "site/site.yaml").read_text("utf-8") + "ignore: []\n")
    assert kinds(tagged) == Counter({"project": 1})


def pack_bytes(space: Space) -> int:
    return sum(Packs.of(space.root / ".diglot").sizes_bytes().values())


def test_a_page_that_comes_out_the_same_is_not_stored_again(tagged: Space) -> None:
    before = pack_bytes(tagged)
    tagged.write("templates/base.html", '{% extends "diglot/base.html" %}\n')
    made = kinds(tagged)
    assert made["article-page"] == 2 * ARTICLES
    assert pack_bytes(tagged) < before * 1.15


def test_a_cache_is_bounded_in_bytes_whatever_is_edited(
    tagged: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diglot.engine.pruning._LEAST_WASTE_BYTES", 100_000)
    theirs = (built_in_theme() / "base.html").read_text("utf-8")
    clean = pack_bytes(tagged)
    sizes = []
    for n in range(8):
        tagged.write("templates/base.html", theirs.replace("</body>", f"<!-- {n} --></body>"))
        result = tagged.build()
        assert not errors(result), told(result)
        sizes.append(pack_bytes(tagged))
    assert max(sizes) < 2.5 * clean
