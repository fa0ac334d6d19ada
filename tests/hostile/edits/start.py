"""The site that edits begin with: small, with something of every kind of source."""

import struct
import zlib
from pathlib import Path

import diglot
from tests.exactness.chips import chip
from tests.hostile.edits.project import LIBRARY, OUTSIDE, Project
from tests.space import BARS

HARDWARE = Path(diglot.__file__).parent / "hardware"

SITE_YAML = """\
title: {zh: 试验站, en: Test site}
description: {zh: 一句话。, en: One sentence.}
base_url: https://example.org/
authors:
  ada:
    name: {zh: 阿达, en: Ada}
    url: https://example.org/ada/
tags:
  roofline: {zh: 屋顶线, en: Roofline}
  chips: {zh: 芯片, en: Chips}
categories:
  hardware: {zh: 硬件, en: Hardware}
navigation:
  - label: {zh: 标签, en: Tags}
    path: /tags/
licence: CC BY 4.0
series:
  ser: {zh: 系列, en: Serial}
"""
OTHER_YAML = SITE_YAML.replace("en: Test site", "en: Other site").replace("en: Roofline", "en: Roofs")
"""Another configuration of the same site."""

NUMBERS = '''\
"""Numbers out of everything a script may look at."""

import os
from pathlib import Path

from diglot.figures import env
from diglot.hardware import load_catalogue

TITLE = {"zh": "数", "en": "Numbers"}


def compute():
    from box.inner import FACTOR

    try:
        import _optional
    except ImportError:
        _optional = None
    try:
        from diglot.hardware.added import ADDED
    except ImportError:
        ADDED = 0
    extra = Path("figures/data/extra.csv")
    catalogue = load_catalogue()
    return {
        "a": FACTOR * float(Path("figures/data/numbers.csv").read_text()),
        "b": len(extra.read_text()) if extra.exists() else -1,
        "c": int(env("DIGLOT_TEST_SCALE", "1")),
        "d": (_optional.VALUE if _optional else 0) + 10 * ADDED,
        "e": sorted(os.listdir("figures/data")),
        "f": catalogue["one"].peak_flops_per_s("bf16") if "one" in catalogue else 0.0,
    }


def table(data, t):
    from diglot.figures import Column, make_table

    return make_table([t(zh="名", en="Name"), Column(t(zh="值", en="Value"), "", 2)], [("a", data["a"])])
'''

PEAKS = '''\
"""One chip of the catalogue."""

from diglot.hardware import load_catalogue

TITLE = {"zh": "峰", "en": "Peaks"}


def compute():
    catalogue = load_catalogue()
    return {"peak": catalogue["h200-sxm"].peak_flops_per_s("bf16")}
'''

RATES = '''\
"""A rate for each number format, and a sweep."""

from typing import Annotated, Literal

from diglot.figures import Range, make_table, sweep

TITLE = {"zh": "速率", "en": "Rates"}
SIDES = [1, 2, 4]


def area(side, times):
    return side * side * times


def compute(dtype: Literal["bf16", "fp8"] = "bf16", batch: Annotated[int, Range(1, 64, 1)] = 32) -> dict:
    times = {"bf16": 1, "fp8": 2}[dtype]
    found = sweep(area, {"side": SIDES, "times": [times]})
    return {"rate": 1000 * times, "batch": batch, "areas": found[:, 0]}


def table(data, t):
    return make_table([t(zh="批量", en="Batch"), t(zh="速率", en="Rate")], [(data["batch"], data["rate"])])
'''

OF_BETA = '''\
"""Numbers of one article."""

from _beside import OFFSET

TITLE = {"zh": "自己的数", "en": "Numbers of its own"}


def compute():
    return {"value": 40 + OFFSET}
'''

ALPHA = {
    "zh": """\
第一段说两件事，数是 {eval}`numbers.a | number(1)`。

## 屋顶 {#roof}

两种速率，见[乙文](../beta/zh.md)和[它的一节](/posts/beta/#ridge)。[^one]

[^one]: 一个注，批量 {eval}`rates.batch`。

```{figure} bars
:name: fig-bars
两根柱，第一根是 {eval}`bars.values[0]`。
```

见 {ref}`fig-bars` 和 {ref}`walls`，图片是 ![点](dot.png)。

## 墙 {#walls}

$$
R = \\min(P, \\beta I)
$$ (eq:roof)

由[公式](#eq:roof)，`run()` 之后看[文件](/note.txt)。

```python
for tile in tiles:
    run(tile)
```
""",
    "en": """\
The first paragraph says two things, the number is {eval}`numbers.a | number(1)`.

## The roof {#roof}

Two rates, see [beta](../beta/en.md) and [a section of it](/posts/beta/#ridge).[^one]

[^one]: A note, batch {eval}`rates.batch`.

```{figure} bars
:name: fig-bars
Two bars, the first is {eval}`bars.values[0]`.
```

See {ref}`fig-bars` and {ref}`walls`, the picture is ![dot](dot.png).

## The walls {#walls}

$$
R = \\min(P, \\beta I)
$$ (eq:roof)

By [the formula](#eq:roof), after `run()` look at [a file](/note.txt).

```python
for tile in tiles:
    run(tile)
```
""",
}
BETA = {
    "zh": "乙文的第一段。\n\n## 脊 {#ridge}\n\n自己的数是 {eval}`of_beta.value`。\n\n"
    "```{table} rates\n:dtype: fp8\n速率。\n```\n\n:::{note}\n都是稠密的。\n:::\n",
    "en": "First paragraph of beta.\n\n## Ridge {#ridge}\n\nIts own number is {eval}`of_beta.value`.\n\n"
    "```{table} rates\n:dtype: fp8\nRates.\n```\n\n:::{note}\nAll dense.\n:::\n",
}
GAMMA = {
    "zh": "峰是 {eval}`peaks.peak | si('FLOP/s')`。\n\n| 芯片 | 峰 |\n| ---- | ---: |\n"
    "| H200 | {eval}`peaks.peak` |\n",
    "en": "The peak is {eval}`peaks.peak | si('FLOP/s')`.\n\n| chip | peak |\n| ---- | ---: |\n"
    "| H200 | {eval}`peaks.peak` |\n",
}


def half(title: str, body: str, more: str = "", *, date: str = "2026-11-01") -> str:
    """Return the text of a half."""
    return f"---\ntitle: {title}\ndate: {date}\n{more}---\n\n{body}"


def picture(width: int, height: int = 3, grey: int = 0) -> bytes:
    """Return a PNG of a single grey."""
    rows = (b"\0" + bytes([grey]) * width) * height

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


FILES: dict[str, str | bytes] = {
    "site/site.yaml": SITE_YAML,
    "site/other.yaml": OTHER_YAML,
    "site/static/note.txt": "one\n",
    "site/static/deep/er/data.csv": "1,2\n",
    "site/hardware/own.yaml": chip("one"),
    "content/posts/alpha/zh.md": half("甲文", ALPHA["zh"], "tags: [roofline]\nauthors: [ada]\n"),
    "content/posts/alpha/en.md": half("Alpha", ALPHA["en"], "tags: [roofline]\nauthors: [ada]\n"),
    "content/posts/alpha/dot.png": picture(5),
    "content/posts/beta/zh.md": "---\ntitle: 乙文\n---\n\n" + BETA["zh"],
    "content/posts/beta/en.md": "---\ntitle: Beta\n---\n\n" + BETA["en"],
    "content/posts/beta/meta.yaml": (
        "date: 2026-11-02\ntags: [roofline, chips]\naliases: [/old/beta/]\nseries: ser\n"
    ),
    "content/posts/beta/figures/of_beta.py": OF_BETA,
    "content/posts/beta/figures/_beside.py": "OFFSET = 2\n",
    "content/posts/gamma.zh.md": half(
        "丙文", GAMMA["zh"], "categories: [hardware]\nseries: ser\n", date="2026-11-03"
    ),
    "content/posts/gamma.en.md": half(
        "Gamma", GAMMA["en"], "categories: [hardware]\nseries: ser\n", date="2026-11-03"
    ),
    "content/posts/delta/en.md": half("Delta", "Only English.\n", "only: en\n", date="2026-11-04"),
    "content/posts/epsilon/zh.md": half("戊文", "草稿。\n", "draft: true\n", date="2026-11-05"),
    "content/posts/epsilon/en.md": half("Epsilon", "A draft.\n", "draft: true\n", date="2026-11-05"),
    "figures/numbers.py": NUMBERS,
    "figures/peaks.py": PEAKS,
    "figures/rates.py": RATES,
    "figures/bars.py": BARS,
    "figures/box/__init__.py": "",
    "figures/box/inner.py": "FACTOR = 2\n",
    "figures/data/numbers.csv": "1.5",
    "templates/static/own.css": "p { background: url(dots.svg) }\n",
    "templates/static/dots.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
    f"{LIBRARY}/rooflines/roofline.py": (HARDWARE / "rooflines/roofline.py").read_text("utf-8"),
    f"{OUTSIDE}/shared.txt": "shared\n",
}


def begin(project: Project) -> None:
    """Write the sources of the site."""
    for path, content in FILES.items():
        project.write(path, content)
