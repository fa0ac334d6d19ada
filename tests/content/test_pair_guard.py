"""A pair with all that has to be the same in both halves, and each part of it changed in either half."""

from diglot.content.agreement import compare_contents
from diglot.content.document import parse_text
from diglot.content.pairs import compare_halves, pair_documents

ZH = """\
## 屋顶 {#roof}

带宽从1.2万到3万，占65%，每份8千个词元，快两倍多，一半在空转。
见[文](https://a.org/x)和[另一篇](https://b.org/y)。[^a]
值是{eval}`r.h200.ridge | number(0)`，见{ref}`fig-r`。

```{figure} r
图注占65%。
```

### 表

| a | b |
|---|---|
| 1 GB | 2 GB |
| 3 GB | 4 GB |

- 甲
- 乙
  - 丙
  - 丁
- 戊

1. 一
2. 二

```python
x = 1  # 注释
y = 2
```

$$a = b + c$$

其中$I = W/Q$，$W$是工作量。

:::{note}
注意。
:::

> 引文。

[^a]: 出处[见此](https://c.org/z)，第3页。
"""
EN = """\
## Roof {#roof}

Bandwidth rises from 12,000 to 30,000, 65 % of it, 8K tokens each, more than twice as fast, and half idles.
See [it](https://a.org/x) and [another](https://b.org/y).[^a]
It is {eval}`r.h200.ridge | number(0)`, see {ref}`fig-r`.

```{figure} r
The caption has 65%.
```

### Table

| a | b |
|---|---|
| 1 GB | 2 GB |
| 3 GB | 4 GB |

- A
- B
  - C
  - D
- E

1. One
2. Two

```python
x = 1  # comment
y = 2
```

$$a = b + c$$

where $I = W/Q$ and $W$ is work.

:::{note}
Note.
:::

> Quote.

[^a]: Source [here](https://c.org/z), page 3.
"""

CHANGES = {
    "halves-heading-level": (
        ("## Roof", "### Roof"),
        ("## 屋顶", "### 屋顶"),
        ("### Table", "#### Table"),
        ("### 表", "## 表"),
    ),
    "halves-missing": (
        ("### 表\n\n", ""),
        ("### Table\n\n", ""),
        ("```{figure} r\n图注占65%。\n```\n\n", ""),
        ("```{figure} r\nThe caption has 65%.\n```\n\n", ""),
        ("```{figure} r\n图", "```{figure} s\n图"),
        ("```{figure} r\nThe", "```{figure} s\nThe"),
        (":::{note}\n注意。\n:::\n\n", ""),
        (":::{note}\nNote.\n:::\n\n", ""),
    ),
    "halves-quantity": (
        ("图注占65%", "图注占56%"),
        ("caption has 65%", "caption has 56%"),
        ("| 3 GB | 4 GB |\n\n- 甲", "\n- 甲"),
        ("| 3 GB | 4 GB |\n\n- A", "\n- A"),
        ("3 GB | 4 GB |\n\n- 甲", "3 GB | 5 GB |\n\n- 甲"),
        ("3 GB | 4 GB |\n\n- A", "3 GB | 5 GB |\n\n- A"),
        ("1.2万", "1.3万"),
        ("12,000", "13,000"),
        ("占65%，", "占55%，"),
        ("65 %", "55 %"),
        ("8千", "9千"),
        ("8K", "9K"),
        ("两倍多", "三倍多"),
        ("more than twice", "more than three times"),
        ("一半在", "三分之一在"),
        ("half idles", "a third idles"),
        ("值是{eval}`r.h200.ridge | number(0)`", "值是206"),
        ("It is {eval}`r.h200.ridge | number(0)`", "It is 206"),
        ("到3万", "到3.5万"),
    ),
    "halves-table": (
        (
            "| a | b |\n|---|---|\n| 1 GB | 2 GB |\n| 3 GB | 4 GB |\n\n- 甲",
            "| a | b | c |\n|---|---|---|\n| 1 GB | 2 GB | |\n| 3 GB | 4 GB | |\n\n- 甲",
        ),
    ),
    "halves-list": (
        ("- 戊\n", ""),
        ("- E\n", ""),
        ("  - 丁\n", ""),
        ("  - D\n", ""),
        ("2. 二\n", ""),
        ("2. Two\n", ""),
        ("- 丁\n- 戊", "- 丁\n  - 戊"),
        ("- D\n- E", "- D\n  - E"),
        ("1. 一\n2. 二", "- 一\n- 二"),
        ("1. One\n2. Two", "- One\n- Two"),
    ),
    "halves-code": (
        ("x = 1  # 注释", "x = 2  # 注释"),
        ("x = 1  # comment", "x = 2  # comment"),
        ("y = 2\n```\n\n$$a = b + c$$\n\n其", "```\n\n$$a = b + c$$\n\n其"),
        ("```python\nx = 1  # 注释", "```c\nx = 1  # 注释"),
    ),
    "halves-formula": (
        ("a = b + c$$\n\n其", "a = b - c$$\n\n其"),
        ("a = b + c$$\n\nwhere", "a = b - c$$\n\nwhere"),
        ("$I = W/Q$，", "$I = Q/W$，"),
        ("$I = W/Q$ and", "$I = Q/W$ and"),
        ("，$W$是", " ，W是"),
    ),
    "halves-link": (
        ("a.org/x)和", "a.org/q)和"),
        ("a.org/x) and", "a.org/q) and"),
        ("和[另一篇](https://b.org/y)", ""),
        (" and [another](https://b.org/y)", ""),
        ("c.org/z)，", "c.org/w)，"),
        ("c.org/z),", "c.org/w),"),
        ("。[^a]\n值", "。值"),
        (".[^a]\nIt", ". It"),
    ),
    "halves-value": (
        ("r.h200.ridge | number(0)`，", "r.h100.ridge | number(0)`，"),
        ("r.h200.ridge | number(0)`, ", "r.h100.ridge | number(0)`, "),
    ),
    "halves-reference": (
        ("，见{ref}`fig-r`", "，见图"),
        (", see {ref}`fig-r`", ""),
    ),
    "halves-admonition": (
        (":::{note}\n注", ":::{warning}\n注"),
        (":::{note}\nNote", ":::{warning}\nNote"),
    ),
}
"""By the rule that finds it: what is written in one of the halves, and what instead."""


def _rules(zh: str, en: str) -> list[str]:
    front = "---\ntitle: x\ndate: 2026-01-01\n---\n\n"
    left = parse_text(front + zh, "content/posts/a/zh.md", "zh")
    right = parse_text(front + en, "content/posts/a/en.md", "en")
    alignment = pair_documents(left.document, right.document)
    return [
        one.rule
        for one in (
            *compare_halves(left.document, right.document, alignment),
            *compare_contents(left.tree, right.tree, alignment),
        )
    ]


def test_nothing_is_found_in_halves_that_say_the_same() -> None:
    assert _rules(ZH, EN) == []


def test_every_change_of_either_half_is_found() -> None:
    changes = [(rule, old, new) for rule, several in CHANGES.items() for old, new in several]
    assert [old for _, old, _ in changes if (ZH + EN).count(old) != 1] == []
    assert [
        (rule, old)
        for rule, old, new in changes
        if rule not in _rules(ZH.replace(old, new), EN.replace(old, new))
    ] == []
