"""The first use of a term in a half is followed by its name in the other language."""

import pytest

from diglot.content.document import parse_document
from diglot.content.first_uses import with_twins
from diglot.content.terms import read_glossary
from diglot.languages import Language
from tests.content.html_text import html_of

TERMS = read_glossary(
    "array: {zh: 脉动阵列, en: systolic array}\n"
    "cache: {zh: KV缓存, en: KV cache}\n"
    "macs: {zh: 乘与加, en: M&A}\n"
    "gpu: {zh: GPU, en: GPU}\n"
)
ARRAY = '<span class="gloss"> (<span lang="zh-Hans">脉动阵列</span>)</span>'


def shown(text: str, language: Language = "en") -> str:
    """The half as HTML, its blocks one behind the other."""
    matter = "---\ntitle: x\ndate: 2026-01-01\n---\n\n"
    half = with_twins(parse_document(matter + text, f"{language}.md", language), TERMS)
    return html_of(half.blocks)


def test_only_the_first_use_shows_the_twin() -> None:
    found = shown("Systolic arrays are old.\n\nA systolic array is a grid.")
    assert f"Systolic arrays{ARRAY} are old." in found
    assert found.count("脉动阵列") == 1


def test_in_chinese_the_parentheses_are_chinese() -> None:
    twin = '<span class="gloss">（<span lang="en">systolic array</span>）</span>'
    assert f"用脉动阵列{twin}和" in shown("用脉动阵列和KV缓存。", "zh")


@pytest.mark.parametrize(
    "text",
    [
        "## A systolic array",
        "`systolic array` is code.",
        "[A systolic array](https://a.org/) is a link.",
        "```text\nsystolic array\n```",
        "It has a note.[^a]\n\n[^a]: A systolic array.",
        "A systolic array (a grid) is explained.",
        "Systolicarrays, GPU.",
    ],
)
def test_it_is_not_shown_in(text: str) -> None:
    assert "gloss" not in shown(text)


@pytest.mark.parametrize(
    "text",
    ["- A systolic array", "> A systolic array", ":::{note}\nA systolic array\n:::", "A *systolic array*"],
)
def test_it_is_shown_in(text: str) -> None:
    assert f"systolic array{ARRAY}" in shown(text)


def test_what_is_filled_in_later_keeps_its_place() -> None:
    found = shown("It takes {eval}`a.b` on a systolic array, {eval}`a.c` with a [link](https://a.org/).")
    assert f"a systolic array{ARRAY}, ⟦eval: a.c⟧ with" in found
    assert found.count("⟦eval: ") == 2


def test_a_name_with_a_mark_of_html_is_found_and_written_as_text() -> None:
    assert "M&amp;A<" in shown("It does M&A.")
