"""Diagrams in articles, from the fence to the page."""

import shutil
from pathlib import Path

import pytest

from diglot.diagrams.mermaid import missing_of_mermaid
from tests.space import SITE_YAML, Space, ran, told

GRAPH = """\
Text.

```dot
//| alt: {alt}
//| fig-cap: {caption}
//| label: fig-a
digraph {{ a [label="{label}"]; a -> b }}
```

See {{ref}}`fig-a`.
"""


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_a_diagram_is_a_figure_that_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space(tmp_path)
    space.write("site/site.yaml", f"{SITE_YAML}markdown: true\n")
    zh = GRAPH.format(alt="甲到乙", caption="两步", label="预填")
    en = GRAPH.format(alt="A to B", caption="Two *steps*", label="prefill")
    space.post("a", zh=zh, en=en)
    for language, title in (("zh", "报告"), ("en", "Talk")):
        body = GRAPH.partition("```")[2].rpartition("See")[0].format(alt="x", caption=title, label=title)
        space.write(
            f"content/talks/t/{language}.md",
            f"---\ntitle: {title}\ndate: 2026-11-01\n---\n\n## A\n\n```{body}",
        )
    assert told(space.build()) == ""
    assert 'aria-label="x"' in space.page("en/talks/t")
    page = space.page("en/posts/a")
    assert 'aria-label="A to B"' in page
    assert "prefill</text>" in page
    assert '<a class="ref" href="#fig-a">Figure 1</a>' in page
    both = space.page("zh/posts/a/both")
    assert both.count('role="img"') == 2
    twin = (tmp_path / "public/en/posts/a/index.md").read_text()
    diagram = '```dot\ndigraph { a [label="prefill"]; a -> b }\n```\n\nA to B\n'
    assert f"**Figure 1** Two *steps*\n\n{diagram}" in twin
    assert ran(space.build()) == []
    space.change("content/posts/a/en.md", "Text.", "Other text.\n\nAnd more.")
    assert not [key for key in ran(space.build()) if key.startswith("diagram")]
    space.change("content/posts/a/en.md", "-> b", "->")
    assert "content/posts/a/en.md:14: error[diagram-failed]" in told(space.build())
    space.change("content/posts/a/en.md", "->", "-> b")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "install the package `graphviz`" in told(space.build())


@pytest.mark.skipif(missing_of_mermaid(Path("/nowhere")) is not None, reason="needs Mermaid and Chromium")
def test_mermaid_is_drawn_and_feeds_have_its_words(tmp_path: Path) -> None:
    space = Space(tmp_path)
    text = '```mermaid alt="{}"\npie\n  "a" : 1\n```\n'
    space.post("a", zh=text.format("甲"), en=text.format("All of it"))
    assert told(space.build()) == ""
    assert "var(--fig-gpu1)" in space.page("en/posts/a")
    feed = (tmp_path / "public/en/feed.xml").read_text()
    assert "[All of it]" in feed
    assert "&lt;svg" not in feed
