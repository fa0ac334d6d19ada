"""`{assert}` in whole builds: readers see nothing of it, and what is no longer true fails the build."""

import pytest

from tests.site.test_structured_data import TABLE
from tests.space import CHIPS, Space, errors, ran, told

TRUE = "{assert}`chips.h200.ridge > 200`"
BODY = f"""\
    The roof bends late {TRUE}.

    ## A heading {TRUE}

    {TRUE}

    | a {TRUE} |
    | --- |
    | b |

    ```{{figure}} bars
    A caption {TRUE}.
    ```

    {TRUE}

    ```{{table}} bars
    A table {TRUE}.
    ```

    ![A picture {TRUE}](chip.svg) A word.[^1]

    [^1]: A note {TRUE}.
    """


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """An article and a talk with assertions everywhere, all of them true."""
    space = Space(tmp_path_factory.mktemp("assertions"))
    space.change("site/site.yaml", "tags:\n", "markdown: true\ntags:\n")
    space.write("figures/bars.py", TABLE)
    space.write("figures/chips.py", CHIPS)
    space.write("content/posts/a/chip.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>')
    space.post("a", zh=BODY, en=BODY)
    for language in ("zh", "en"):
        front = f"title: B {TRUE}\ndate: 2026-11-01\ndescription: D {TRUE}"
        space.write(f"content/posts/b/{language}.md", f"---\n{front}\n---\n\nB.\n")
        space.write(
            f"content/talks/t/{language}.md",
            f"---\ntitle: T\ndate: 2026-11-01\n---\n\n"
            f"## One {TRUE}\n\nA point {TRUE}.\n\n---\n\n{TRUE}\n\nThe next.\n\n"
            f":::{{notes}}\nSaid {TRUE}.\n:::\n",
        )
    assert told(space.build()) == ""
    return space


def test_readers_see_nothing_of_it(built: Space) -> None:
    pages = {path: text for path, text in built.outputs().items() if path.endswith((".html", ".xml", ".md"))}
    assert len(pages) > 8
    assert not [path for path, text in pages.items() if b"assert" in text]
    page = built.page("en/posts/a")
    assert "The roof bends late.</p>" in page
    assert "<p></p>" not in page
    assert "<title>B · " in built.page("en/posts/b")
    twin = (built.root / "public/en/posts/a/index.md").read_text("utf-8")
    assert "The roof bends late.\n\n## A heading\n" in twin


def test_a_value_that_moves_fails_the_build_at_every_assertion(built: Space, space: Space) -> None:
    space.copied_from(built)
    before = space.page("en/posts/a")
    space.change("figures/chips.py", '"ridge": 206.04', '"ridge": 150')
    found = errors(space.build())
    assert {one.rule for one in found} == {"assert-false"}
    told_at = {(one.location.path, one.location.line) for one in found if one.location is not None}
    for name in ("posts/a", "posts/b", "talks/t"):
        for path in (f"content/{name}/zh.md", f"content/{name}/en.md"):
            lines = (space.root / path).read_text("utf-8").split("\n")
            said = [(path, n) for n, line in enumerate(lines, 1) if TRUE in line]
            assert [place for place in said if place not in told_at] == []
    assert "this is not true: `chips.h200.ridge` is 150" in str(found[0])
    assert space.page("en/posts/a") == before  # the last good page stays
    space.change("figures/chips.py", '"ridge": 150', '"ridge": 206.04')
    assert told(space.build()) == ""


def test_only_a_value_that_an_assertion_reads_makes_its_pages_again(built: Space, space: Space) -> None:
    space.copied_from(built)
    space.post("other", zh="别的。", en="Other.")
    with space.site() as site:
        site.build()
        space.change("figures/chips.py", '"names": ["H200", "v6e"]', '"names": ["H200", "v7"]')
        again = ran(site.build())
    assert "article-page a:en" in again
    assert "article-page other:en" not in again
