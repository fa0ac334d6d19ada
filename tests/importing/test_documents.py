"""MyST, Quarto, notebooks and Obsidian: what becomes of their documents, each example our own."""

import json
from pathlib import Path

from tests.importing.sources import PNG, imported

MYST = {
    "myst.yml": "version: 1\nproject:\n  title: Lectures\n  description: On chips\nsite:\n  template: book\n",
    "en/roof.md": """\
---
title: The roof
date: 2024-05-06
kernelspec: {name: python3}
---
# The roof

(ridge)=
## Ridge

See {doc}`../en/memory` and {doc}`the other <memory>`, and {ref}`ridge`.

% nobody sees this

```{figure} ../pics/roof.png
:name: fig-roof
:alt: Two lines
The *roof*
```

```{code-cell} ipython3
:tags: [hide-input]
peak = 989


print(peak)
```

```{code-cell} julia
1 + 1
```

```{toctree}
memory
```

:::{note}
Dense.
:::
""",
    "zh/roof.md": "---\ntitle: 屋顶\ndate: 2024-05-06\n---\n\n## 山脊\n\n见{doc}`memory`。\n\n"
    "```{code-cell} ipython3\npeak = 989\n\n\nprint(peak)\n```\n",
    "en/memory.md": "# Memory\n\nBytes, in English.\n",
    "pics/roof.png": PNG,
    "README.md": "About this project.\n",
}


def test_a_myst_project_keeps_its_cells_and_pairs(tmp_path: Path) -> None:
    site = imported("myst", tmp_path, dict(MYST))
    assert {"content/posts/roof/zh.md", "content/posts/roof/en.md", "content/posts/roof/roof.png"} <= {
        *site.files()
    }
    assert "README.md" not in " ".join(site.files())
    assert "title: Lectures" in site.text("site/site.yaml")
    body = site.body("content/posts/roof/en.md")
    assert body.startswith("{#ridge}\n## Ridge")
    assert "[memory](/posts/memory/) and [the other](/posts/memory/), and {ref}`ridge`." in body
    assert '![Two lines](roof.png "The *roof*"){#fig-roof}' in body
    assert "```{code-cell} ipython3\n:tags: [hide-input]\npeak = 989\n\n\nprint(peak)\n```" in body
    assert "```julia\n1 + 1\n```" in body
    assert "toctree" not in body
    assert "nobody" not in body
    assert site.body("content/posts/roof/zh.md").count("{code-cell}") == 1
    assert any("{toctree} is left out" in one for one in site.told())
    assert any("julia is shown, and not run" in one for one in site.told())
    assert not any("letters and digits" in one for one in site.told())


QUARTO = {
    "_quarto.yml": 'project:\n  type: website\nwebsite:\n  title: "Notes"\n  site-url: https://old.example/\n',
    "posts/a/index.qmd": """\
---
title: "First"
date: 2024-01-02
format: html
---

See [the second](../b.qmd#part) and @fig-a, and [](#eq-a).

$$
a = b
$$ {#eq-a}

| chip |
| --- |
| one |

: Chips {#tbl-chips}

![A stack](stack.png){#fig-a}

::: {.callout-tip title="Mind"}
Dense.
:::

```{python}
#| echo: false
x = 1
```

```{r}
x <- 1
```

{{< video https://example.org/v >}}

{{< pagebreak >}}

{{< lipsum 2 >}} {{< meta title >}}
""",
    "posts/a/stack.png": PNG,
    "posts/b.qmd": "---\ntitle: Second\ndate: 2024-01-03\n---\n\n## Part\n\nWords in English.\n",
}


def test_a_quarto_project_keeps_its_cells(tmp_path: Path) -> None:
    site = imported("quarto", tmp_path, dict(QUARTO))
    body = site.body("content/posts/a/en.md")
    assert "[the second](/posts/b/#part) and @fig-a, and [](#eq-a)." in body
    assert "$$a = b$$ {#eq-a}" in body
    assert ": Chips {#tbl-chips}" in body
    assert "![A stack](stack.png){#fig-a}" in body
    assert "```{python}\n#| echo: false\nx = 1\n```" in body
    assert "```r\nx <- 1\n```" in body
    assert "<https://example.org/v>" in body
    assert "pagebreak" not in body
    assert any("{{< meta title >}} is a shortcode without a counterpart" in one for one in site.told())
    assert "base_url: https://old.example/" in site.text("site/site.yaml")


def test_notebooks_become_articles_with_cells(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# 屋顶\n", "\n", "文字。"]},
        {"cell_type": "code", "metadata": {"tags": ["hide-input"]}, "source": "a = 1\n\n\na", "outputs": []},
        {"cell_type": "markdown", "metadata": {}, "source": "末尾。"},
    ]
    notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}, indent=1)
    site = imported("notebook", tmp_path, {"run.ipynb": notebook, "broken.ipynb": "{"})
    text = site.text("content/posts/run/zh.md")
    assert "title: 屋顶\n" in text
    body = site.body("content/posts/run/zh.md")
    assert body.startswith("文字。")
    assert body.endswith("末尾。")
    assert body.count("{code-cell}") == 1
    assert "a = 1\n\n\na" in body
    assert "\n\n\n" not in body.replace("a = 1\n\n\na", "")
    assert any(one.startswith("broken.ipynb: it cannot be read") for one in site.told())


OBSIDIAN = {
    "Roof.md": "---\ndate: 2024-01-02\ntags: [chips]\n---\n\nSee [[Memory walls|walls]], "
    "[[Memory walls#Bytes]], [[Nowhere]] and ![[stack.png|300]]. %%hidden%%"
    "\n\n> [!tip]- Mind\n> Dense.\n\nA paragraph. ^block-1\n",
    "notes/Memory walls.md": "---\ndate: 2024-01-03\n---\n\n## Bytes\n\nWords in English.\n",
    "attachments/stack.png": PNG,
}


def test_a_vault_keeps_its_links_and_pictures(tmp_path: Path) -> None:
    site = imported("obsidian", tmp_path, dict(OBSIDIAN))
    body = site.body("content/posts/roof/en.md")
    assert (
        "See [walls](/posts/memory-walls/), [Memory walls › Bytes](/posts/memory-walls/#bytes), Nowhere and"
        in body
    )
    assert "![stack](stack.png){width=300}" in body
    assert "hidden" not in body
    assert "^block-1" not in body
    assert "content/posts/roof/stack.png" in site.files()
    assert any('there is no note "Nowhere"' in one for one in site.told())
    site.build()


def test_exercises_theorems_and_commands_of_notebooks_have_counterparts(tmp_path: Path) -> None:
    text = """\
# Series

```{index} series
```

```{prf:theorem} Of sums
:label: sums
They add up.
```

```{exercise-start}
:label: ex1
```
Add them.

```{code-cell} ipython3
!pip install quantecon
total = 1
```

```{exercise-end}
```

```{solution-start} ex1
:class: dropdown
```
Done.

```{solution-end}
```

```{epigraph}
Said once.
```
"""
    site = imported(
        "myst",
        tmp_path,
        {
            "en/series.md": text,
            "_static/refs.bib": "@book{a, title={T}, author={B}, year={2020}}\n",
            "_static/draft.ipynb": "{}",
        },
    )
    written = (site.root / "content/posts/series/en.md").read_text("utf-8")
    for expected in (
        "```{theorem} Of sums\n:name: sums\nThey add up.\n```",
        ":::::::{exercise}\n:name: ex1\nAdd them.",
        "```{code-cell} ipython3\ntotal = 1\n```",
        ":::::::{solution}\nDone.",
        "> Said once.",
    ):
        assert expected in written
    assert not any(word in written for word in ("{index}", "-end}", "pip install"))
    assert (site.root / "site/references.bib").read_text("utf-8").startswith("@book{a")
    assert not (site.root / "content/posts/draft").exists()


REFERRING = {
    "myst.yml": "version: 1\nproject:\n  title: Lectures\n",
    "a.md": """\
---
title: First
date: 2024-05-06
---
(first)=
# First

(ridge)=
## The ridge

```{math}
:label: eq-roof
R = P
```

````{prf:theorem} Fast
:label: fast
It is {eq}`eq-roof`, see {ref}`second`.

```{math}
:label: eq-lost
x = y
```

```{image} pics/a.png
:alt: A
```
````

By {eq}`eq-lost` and {ref}`nobody`.
""",
    "b.md": """\
---
title: Second
date: 2024-05-06
---
(second)=
# Second

See {ref}`ridge`, {ref}`its ridge <ridge>`, {ref}`first`, {eq}`eq-roof`, [words](ridge).

More: [](fast) and {numref}`fast`.

(own)=
## Own

Here: [](own), {ref}`own`, ``{ref}`ridge` `` stays.

```{code-cell} ipython3
%%time
import nowhere_at_all
%time n = 1
```

```{code-cell} ipython3
:tags: [hide-input]
!ls
```
""",
    "pics/a.png": PNG,
}


def test_references_between_documents_become_links(tmp_path: Path) -> None:
    site = imported("myst", tmp_path, dict(REFERRING))
    body = site.body("content/posts/b/en.md")
    expected = (
        "See [The ridge](/posts/a/#ridge), [its ridge](/posts/a/#ridge), [First](/posts/a/), "
        "[the formula in First](/posts/a/#eq-roof), [words](/posts/a/#ridge).\n\n"
        "More: [First](/posts/a/#fast) and [First](/posts/a/#fast)."
    )
    assert expected in body
    assert "Here: [](#own), {ref}`own`, ``{ref}`ridge` `` stays." in body
    first = site.body("content/posts/a/en.md")
    assert "It is {eq}`eq-roof`, see [Second](/posts/b/)." in first
    assert "By `eq-lost` and `nobody`." in first
    assert "![A](a.png)" in first
    assert ":label: eq-lost" not in first
    assert not any("letters and digits" in one for one in site.told())


def test_cells_with_commands_are_kept_and_not_run(tmp_path: Path) -> None:
    site = imported("myst", tmp_path, dict(REFERRING))
    body = site.body("content/posts/b/en.md")
    assert "```{code-cell} ipython3\n%%time\nimport nowhere_at_all\n%time n = 1\n```" in body
    assert "```{code-cell} ipython3\n:tags: [hide-input, skip-execution]\n!ls\n```" in body
    assert any("code cells import what is not installed here: nowhere_at_all" in one for one in site.told())


def test_links_of_obsidian_to_a_part_of_a_file(tmp_path: Path) -> None:
    files = {"a.md": "# A\n\nIn English: ![[Films.base#Best]]\n", "Films.base": "views: []\n"}
    site = imported("obsidian", tmp_path, files)
    assert "Films.base" in site.body("content/posts/a/en.md")
