"""`diglot new talk`: empty, and from an article."""

import pytest

from tests.scaffold.conftest import Run
from tests.site.test_controls import WAVE
from tests.site.test_talks import PIXEL
from tests.space import BARS, Space, told

HALF = """\
---
title: {title}
---

{first}

```{{figure}} bars
{caption}
```

## {section} {{#roof}}

:::{{notes}}
{say}
:::

:::{{slide}}
- {point}: {{control}}`wave.n`, {{eval}}`wave.waves`
- [{text}](#roof) ![{text}](pixel.png)
:::

{text}

```{{figure}} wave
:explore: n = 0..2048 step 1024
{caption}
```

:::{{slide}} {own}
{text}
:::
"""
ZH = HALF.format(
    title="屋顶",
    first="一。",
    caption="图注。",
    section="小节",
    point="要点",
    text="正文。",
    own="自己的标题",
    say="慢慢讲。",
)
EN = HALF.format(
    title="Roofs",
    first="One.",
    caption="Caption.",
    section="Section",
    point="A point",
    text="Text.",
    own="Own",
    say="Slowly.",
)
TALK = """\
---
title: Roofs
---

## Section

```{figure} wave
:explore: n = 0..2048 step 1024
```

- A point: {control}`wave.n`, {eval}`wave.waves`
- [Text.](/posts/roofs/#roof) ![Text.](../../posts/roofs/pixel.png)

:::{notes}
Slowly.
:::

## Own

Text.

"""


@pytest.fixture
def blog(run: Run, tmp_path) -> Space:
    """A site with an article that has slides."""
    space = Space(tmp_path)
    space.write("figures/bars.py", BARS)
    space.write("figures/wave.py", WAVE)
    space.write("content/posts/roofs/pixel.png", PIXEL)
    space.write("content/posts/roofs/zh.md", ZH)
    space.write("content/posts/roofs/en.md", EN)
    space.write("content/posts/roofs/meta.yaml", "date: 2026-11-01\n")
    return space


def test_a_talk_begins_with_the_slides_of_an_article(blog: Space, run: Run) -> None:
    said = run("new", "talk", "--from", "roofs")
    files = [f"content/talks/roofs/{name}" for name in ("zh.md", "en.md", "meta.yaml")]
    assert said.out.split() == files
    assert (blog.root / files[2]).read_text("utf-8") == "article: roofs\n"
    assert (blog.root / "content/talks/roofs/en.md").read_text("utf-8") == TALK
    assert not told(blog.build())
    page = blog.page("en/talks/roofs")
    assert all(words in page for words in ("A point", 'type="range"', "Slowly.", ".png", 'data-value="'))
    assert "data:image/png" in (blog.root / "public/en/talks/roofs/roofs.en.html").read_text("utf-8")
    assert "A point" not in blog.page("en/posts/roofs")
    assert '<p class="talk">Slides: <a href="/en/talks/roofs/">Roofs</a></p>' in blog.page("en/posts/roofs")


def test_a_talk_is_made_from_two_titles(blog: Space, run: Run) -> None:
    said = run("new", "talk", "一次报告", "A talk", "--draft")
    assert said.out.split() == [
        "content/talks/a-talk/zh.md",
        "content/talks/a-talk/en.md",
        "content/talks/a-talk/meta.yaml",
    ]
    assert (blog.root / "content/talks/a-talk/en.md").read_text("utf-8") == "---\ntitle: A talk\n---\n\n"
    again = run("new", "talk", "一次报告", "A talk")
    assert again.code == 2
    assert 'there is a talk at "a-talk" already: content/talks/a-talk/zh.md' in again.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no title is given"),
        (("--from", "rofs"), 'there is no article "rofs"'),
        (("--from", "plain"), "no block :::{slide} in content/posts/plain/zh.md"),
    ],
)
def test_what_cannot_be_made_is_refused(words: tuple[str, ...], message: str, blog: Space, run: Run) -> None:
    blog.post("plain", zh="一。", en="One.")
    said = run("new", "talk", *words)
    assert said.code == 2
    assert message in said.err
    assert not (blog.root / "content/talks").exists()
