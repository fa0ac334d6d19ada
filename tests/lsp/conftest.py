"""A small site, and an editor that has opened it."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.editor import Editor
from tests.space import Space

ROOFLINE = '''\
"""Roofs of two chips.

More words.
"""

from typing import Literal

TITLE = {"zh": "屋顶线", "en": "Roofline"}


def compute(dtype: Literal["bf16", "fp8"] = "bf16"):
    ridge = 206.0 if dtype == "bf16" else 412.0
    return {
        "h200": {
            "ridge": ridge,
            "peak_tflops_per_s": 989,
        },
        "names": ["H200", "v6e"],
    }
'''
MEASURED = '''\
"""Times from a file."""

import json
from pathlib import Path

TITLE = {"zh": "时间", "en": "Times"}


def compute():
    return json.loads((Path(__file__).parent / "times.json").read_text())
'''
EN = """\
---
title: Roofs 🚀
date: 2026-11-01
tags: [roofline]
---

First words say 🚀🚀 {eval}`roofline.h200.ridge | number(0)` and {eval}`roofline(dtype="fp8").h200.ridge`.

## The roof {#roof}

See {ref}`fig-peaks`, [there](#roof), {eval}`measured.times_s.first` [@ada2017].

```{table} roofline
:name: fig-peaks
:dtype: fp8

All the peaks.
```

$$
x = y
$$ (eq:one)

The ridge point decides, by {ref}`eq:one`.
"""
ZH = """\
---
title: 屋顶
date: 2026-11-01
tags: [roofline]
---

开头的话说 {eval}`roofline.h200.ridge | number(0)` 和 {eval}`roofline(dtype="fp8").h200.ridge`。

## 屋顶在哪里 {#roof}

见 {ref}`fig-peaks`、[那里](#roof)、{eval}`measured.times_s.first` [@ada2017]。

```{table} roofline
:name: fig-peaks
:dtype: fp8

所有的峰值。
```

$$
x = y
$$ (eq:one)

脊点决定一切，依据{ref}`eq:one`。
"""
BIB = """\
@article{ada2017,
  title = {On Roofs},
  author = {Lovelace, Ada},
  journal = {Journal of Roofs},
  year = {2017},
}
"""
GLOSSARY = """\
ridge:
  zh: 脊点
  en: ridge point
  definition: {zh: 两条线相交之处。, en: Where both lines meet.}
"""
"""The files of the site that tests ask about."""

ROOFS_EN, ROOFS_ZH = "content/posts/roofs/en.md", "content/posts/roofs/zh.md"
OTHER_EN = "content/posts/other/en.md"


def write_site(space: Space) -> None:
    """A site with two articles."""
    space.change("site/site.yaml", "cards: none\n", "cards: none\nhardware: true\n")
    space.write("figures/measured.py", MEASURED)
    space.write("figures/times.json", '{\n "times_s": {\n  "first": 3\n }\n}\n')
    space.write("site/references.bib", "% works\n\n" + BIB)
    space.write("site/glossary.yaml", GLOSSARY)
    table = textwrap.dedent("""
        def table(data, t):
            from diglot.figures import make_table

            rows = [["H200", data["h200"]["ridge"]]]
            return make_table([t(zh="芯片", en="Chip"), t(zh="脊点", en="Ridge")], rows)
    """)
    space.write("figures/roofline.py", ROOFLINE + "\n" + table)
    space.write(ROOFS_EN, EN)
    space.write(ROOFS_ZH, ZH)
    space.post(
        "other",
        zh="见[那篇](../roofs/zh.md#roof)和[网址](/zh/posts/roofs/#roof)。",
        en="See [it](../roofs/en.md#roof) and [the address](/en/posts/roofs/#roof).",
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Space:
    """The site, for tests that change none of its files."""
    root: Path = tmp_path_factory.mktemp("lsp") / "站 one"
    root.mkdir()
    space = Space(root)
    write_site(space)
    return space


@pytest.fixture(scope="module")
def editor(site: Space) -> Iterator[Editor]:
    """An editor in which both halves of an article are open; their figures are computed."""
    one = Editor(site.root)
    try:
        one.open(ROOFS_ZH)
        one.open(ROOFS_EN)
        one.wait_until(lambda: "206" in one.hover(ROOFS_EN, "roofline.h200.rid|ge | number"))
        one.wait_until(lambda: "3" in one.hover(ROOFS_EN, "measured.times_s.fir|st"))
        yield one
    finally:
        one.close()
