"""All mistakes of an article come in one build: those of one stage do not hide those of the next."""

import random
import re
from collections import Counter

import pytest

from diglot.cli import main
from tests.space import Space, errors

SCRIPT = """
TITLE = {"zh": "甲", "en": "A"}


def compute() -> dict:
    return {"h200": {"ridge": 206.2}}
"""
VALUES = """
{eval}`roofline.h100.ridge` 与 {assert}`roofline.h200.ridge > 300`见{ref}`fig-none`。[^n]

[^n]: {eval}`roofline.h200.rdge`
"""
VALUE_RULES = {"value-unknown", "assert-false", "ref-unknown"}


def rules(space: Space, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["-C", str(space.root), "build"]) == 1
    said = capsys.readouterr().err
    found = re.findall(r"posts/a/zh\.md:(\d+)(?::\d+)?: error\[([\w-]+)\]", said)
    assert len(found) == len(set(found)), "each is told once"
    return [rule for _, rule in found]


@pytest.fixture
def article(space: Space) -> Space:
    space.write("figures/roofline.py", SCRIPT)
    return space


def test_a_broken_link_hides_no_value(article: Space, capsys: pytest.CaptureFixture[str]) -> None:
    article.post("a", zh=f"[乙](../none/zh.md) ![图](none.png)\n{VALUES}", en="x")
    found = rules(article, capsys)
    assert set(found) == {"link-missing", "image-missing", *VALUE_RULES}
    assert found.count("value-unknown") == 2


def test_an_unknown_figure_hides_no_value_of_another(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    article.post("a", zh="{eval}`nothing.a.b`\n\n```{figure} nothing\n```\n" + VALUES, en="x")
    assert set(rules(article, capsys)) == {"figure-unknown", *VALUE_RULES}


def test_a_figure_that_fails_hides_no_value_of_another(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    article.write("figures/broken.py", "raise ValueError('no')\n")
    article.post("a", zh="{eval}`broken.a.b`\n\n```{figure} broken\n```\n" + VALUES, en="x")
    assert set(rules(article, capsys)) == VALUE_RULES


def test_mistakes_in_the_text_hide_neither_links_nor_values(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    article.post("a", zh=f"$\\frac{{a$ 与[^none]\n\n# 一\n\n[乙](../none/zh.md)\n{VALUES}", en="x")
    assert set(rules(article, capsys)) == {
        *("formula-syntax", "footnote-unknown", "heading-level-1", "link-missing"),
        *VALUE_RULES,
    }


def test_what_follows_from_another_mistake_is_not_told(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    article.post("a", zh="[乙](../none/zh.md) {eval}`nothing.a.b` [节](#none)", en="x")
    assert sorted(rules(article, capsys)) == ["figure-unknown", "link-fragment", "link-missing"]


def test_names_in_what_a_missing_end_swallows_are_not_missed(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor those of a half whose front matter is never closed; others are missed all the same."""
    uses = "[甲](#good) {ref}`good` {ref}`fig-roofline` {control}`n` [乙](#nosuch) {ref}`nosuch`"
    names = "## 好 {#good}\n\n```{figure} roofline\n:explore: n\n```\n"
    missed = {"link-fragment": 1, "ref-unknown": 1, "explore-parameter": 1}
    for opening, rule in ((":::{note}", "admonition-unclosed"), ("<div>", "html-unclosed")):
        article.post("a", zh=f"{uses}\n\n{opening}\n\n{names}", en="x")
        assert Counter(rules(article, capsys)) == {rule: 1, **missed}
    article.post("a", zh=f"{uses}\n\n```{{figure}} roofline\n:name: x\n\n{names[:-5]}", en="x")
    assert Counter(rules(article, capsys)) == {"fence-text": 1, "link-fragment": 1, "ref-unknown": 1}
    article.post("a", zh="[甲](#good) [乙](#nosuch)", en=names)
    article.change("content/posts/a/en.md", "---\n\n", "")
    assert Counter(rules(article, capsys)) == {"link-fragment": 1}


def test_a_missing_end_hides_no_control_before_it(article: Space, capsys: pytest.CaptureFixture[str]) -> None:
    article.post("a", zh="{control}`wave.n`\n\n:::{note}\n甲", en="x")
    assert sorted(rules(article, capsys)) == ["admonition-unclosed", "control-unknown"]


def test_a_name_that_the_other_half_gives_is_found_in_the_next_build(article: Space) -> None:
    article.post("a", zh="$\\foo$ [节](#good)", en="x")
    with article.site() as site:
        assert [one.rule for one in errors(site.build())] == ["formula-syntax", "link-fragment"]
        article.post("a", zh="$\\foo$ [节](#good)", en="## Good")
        again = site.build()
        assert [one.rule for one in errors(again)] == ["formula-syntax"]
    assert article.build(output="again").diagnostics == again.diagnostics


def test_a_mistake_in_the_text_hides_no_value_of_the_title(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    article.post("a", zh="$\\foo$", en="x", title="'{eval}`roofline.h200.rdge`'")
    assert sorted(rules(article, capsys)) == ["formula-syntax", "value-unknown"]


def test_links_to_a_broken_article_are_checked(article: Space, capsys: pytest.CaptureFixture[str]) -> None:
    article.post("a", zh="[好](../b/zh.md#good) [坏](../b/zh.md#nosuch)", en="x")
    article.post("b", zh="$\\foo$\n\n## 好 {#good}", en="x", draft="maybe")
    assert rules(article, capsys) == ["link-fragment"]


def test_a_figure_without_its_end_is_one_mistake(article: Space, capsys: pytest.CaptureFixture[str]) -> None:
    article.post("a", zh="```{figure} roofline\n:name: fig-x\n\n说明\n\n## 节\n\n段落\n", en="x")
    assert rules(article, capsys) == ["fence-unclosed"]


def test_an_explored_figure_that_is_not_there_is_one_mistake(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    article.post("a", zh="```{figure} nothing\n:explore: n\n```\n", en="x")
    assert main(["-C", str(article.root), "build"]) == 1
    assert re.findall(r"error\[([\w-]+)\]", capsys.readouterr().err) == ["figure-unknown"]


KINDS = {
    "link-missing": "[乙](../none/zh.md)",
    "image-missing": "![图](none.png)",
    "link-empty": "[乙]()",
    "link-left-over": "[乙] (https://example.org/b)",
    "link-fragment": "[节](#none)",
    "ref-unknown": "见{ref}`none`",
    "control-unknown": "取{control}`wave.n`",
    "full-width-mark": "＊＊粗＊＊",
    "mark-left-over": "##标题",
    "emphasis-left-over": "** 重点**",
    "attributes-broken": "文字{.red}",
    "table-left-over": "| a | b |\n@|——|——|\n| 1 | 2 |",
    "footnote-unknown": "甲[^none]",
    "formula-syntax": "$\\foo$",
    "heading-level-1": "# 一",
    "heading-skip": "#### 二",
    "anchor-duplicate": "## 三 {#same}\n\n@## 四 {#same}",
    "html-unclosed": "返回<b>粗",
    "comment-left-over": "甲<!-- 私",
    "definition-unused": "[x]: https://example.org/x",
    "figure-unknown": "{eval}`nothing.a`",
    "figure-id": "```{figure} 图\n```",
    "option-empty": "```{figure} roofline\n@:name:\n```",
    "directive-unknown": "```{toctree}\n```",
    "role-unknown": "{footcite}`x`",
    "citation-unknown": "{cite}`x`",
    "eval-syntax": "{eval}`1 +`",
    "value-unknown": "{eval}`roofline.h200.rdge`",
    "value-format": "{eval}`1 / 0`",
    "value-syntax": "{eval}`roofline.h200.ridge | nubmer`",
    "assert-false": "{assert}`roofline.h200.ridge > 300`甲",
    "admonition-unknown": ":::{nonsense}\n甲\n:::",
    "admonition-unclosed": ":::{note}\n甲",
}
"""Mistakes that do not depend on each other, by rule, each at its beginning or at the sign `@`. The last
swallows what follows it."""
KEYS = {"field-unknown": {"colour": "red"}, "field-type": {"draft": "maybe"}, "field-value": {"slug": "A_b"}}
"""Mistakes in the front matter, by rule."""


def test_any_mistakes_together_are_told_each_on_its_line(
    article: Space, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(2026)
    names = [*KEYS, *KINDS]
    silent = []
    for chosen in (names, *(sorted(chance.sample(names, 7), key=names.index) for _ in range(8))):
        keys = {key: value for rule in chosen for key, value in KEYS.get(rule, {}).items()}
        body = "\n\n".join(KINDS[rule] for rule in chosen if rule in KINDS)
        article.post("a", zh=body.replace("@", ""), en="x", **keys)
        lines = (article.root / "content/posts/a/zh.md").read_text("utf-8").split("\n")
        capsys.readouterr()
        main(["-C", str(article.root), "build"])
        told = re.findall(
            r"posts/a/zh\.md:(\d+)(?::\d+)?: (?:error|warning)\[([\w-]+)\]", capsys.readouterr().err
        )
        for rule in chosen:
            place = (
                ": ".join(*KEYS[rule].items())
                if rule in KEYS
                else KINDS[rule].rpartition("@")[2].split("\n")[0]
            )
            if (str(lines.index(place) + 1), rule) not in told:
                silent.append((rule, chosen, sorted(told)))
    assert not silent
