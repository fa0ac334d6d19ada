"""Every rule of `diglot check pairs` and `diglot check numbers`, silenced on a line, in a file, in a site."""

from collections import defaultdict

import pytest

from diglot.diagnostics import Diagnostic, Location
from diglot.rules.ignoring import Ignoring
from diglot.rules.options import SiteOptions
from tests.space import CHIPS, SITE_YAML, Space, guarded

ZH = """\
峰值989 TFLOP/s，H200很快。

它不支持FP4。

快{eval}`(chips.h200.ridge / 2) | number(0)`倍，{eval}`chips.h200.ridge`。见[文](https://a.org/x)和{ref}`one`。

脊点在206 FLOP/B，{eval}`chips.h200.peak_flops_per_s | number(0)`&nbsp;GB/s。

H200峰值{eval}`chips.h200.ridge`，是990e12 FLOP/s，也就是25%，3 × 4 = 13。

| a | b |
| - | - |
| c | d |

- 甲
- 乙

是$a + b$，注[^a]，脉动阵列，收缩阵列。

[^a]: 注。

:::{note}
注
:::

```python
x = 1
```

$$ (one)
a
$$

$$ (two)
b
$$
"""
EN = """\
A peak of 1,979 TFLOP/s, fast on H100.

It supports FP4.

{eval}`(chips.h200.ridge / 2) | number(0)`% faster, {eval}`chips.h200.peak_flops_per_s`. See [it](https://a.org/y)
and {ref}`two`.

The ridge is at 206 FLOP/B, {eval}`chips.h200.peak_flops_per_s | number(0)`&nbsp;GB/s.

The peak of H200, {eval}`chips.h200.ridge`, is 990e12 FLOP/s, that is 25%, 3 × 4 = 13.

| a |
| - |
| c |

- one

It is $a - b$, the mesh.

:::{warning}
a note
:::

```python
x = 2
```

$$ (one)
a
$$

$$ (two)
b
$$
"""
RULES = (
    *("halves-quantity", "halves-unit", "halves-name", "halves-value", "halves-table", "halves-list"),
    *("halves-link", "halves-note", "halves-reference", "halves-formula", "halves-code", "halves-admonition"),
    *("glossary-word", "glossary-twin", "number-typed", "number-differs", "number-unbound", "number-sum"),
    *("number-unit", "halves-negation"),
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Space, dict[str, list[Diagnostic]]]:
    """A pair with a fault of every kind, and what is said of it."""
    space = Space(tmp_path_factory.mktemp("faulty"))
    space.write("figures/chips.py", CHIPS)
    space.write("site/glossary.yaml", "a: {zh: 脉动阵列, en: systolic array, never: [收缩阵列]}\n")
    space.post("a", zh=ZH, en=EN)
    said = defaultdict(list)
    with space.site() as site:
        for one in guarded(site, "pairs", "numbers"):
            said[one.rule].append(one)
    return space, said


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_silenced(
    found: tuple[Space, dict[str, list[Diagnostic]]], rule: str, space: Space
) -> None:
    faulty, said = found
    assert said[rule]
    space.copied_from(faulty)
    options = SiteOptions(root=space.root, output=space.root / "public")
    assert [one.rule for one in Ignoring(options).shown(said[rule])] == [rule] * len(said[rule])

    space.write("site/site.yaml", f"{SITE_YAML}ignore: [{{rule: {rule}}}]\n")
    assert Ignoring(options).shown(said[rule]) == ()

    space.write("site/site.yaml", f"{SITE_YAML}ignore: [{{rule: {rule}, path: content/posts/a/*.md}}]\n")
    assert Ignoring(options).shown(said[rule]) == ()

    space.write("site/site.yaml", SITE_YAML)
    for one in said[rule]:
        ignore_on_its_line(space, one)
    assert Ignoring(options).shown(said[rule]) == ()


def ignore_on_its_line(space: Space, one: Diagnostic) -> None:
    place = one.location or Location(path="", line=1)
    lines = (space.root / place.path).read_text("utf-8").split("\n")
    lines[(place.line or 1) - 1] += f" <!-- diglot-ignore: {one.rule} -->"
    space.write(place.path, "\n".join(lines))


def test_a_title_is_silenced_anywhere_in_its_front_matter(space: Space) -> None:
    space.post("a", zh="文。", en="Text.", title="3 ms", description="x")
    space.change("content/posts/a/en.md", "description: x", "description: x # diglot-ignore: number-unbound")
    with space.site() as site:
        left = Ignoring(site.options).shown(guarded(site, "numbers"))
    assert [str(one.location) for one in left] == ["content/posts/a/zh.md:2"]
