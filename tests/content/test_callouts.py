"""Admonitions in the spellings of other tools: all of a kind have the same HTML and pair with each other."""

import pytest

from diglot.content.admonitions.kinds import KINDS, LOOKS
from diglot.content.document import parse_document, read_document
from diglot.content.pairs import compare_halves, pair_documents
from tests.content.html_text import html_of

BODY = "一 **二**\n\n- 三"
INDENTED = "一 **二**\n\n    - 三"


def quoted(first: str, body: str = BODY) -> str:
    return "\n".join(f"> {line}".rstrip() for line in [first, *body.split("\n")])


SPELLINGS = {
    "tip": [
        f":::{{tip}}\n{BODY}\n:::",
        f":::tip\n{BODY}\n:::",
        f"::: tip\n{BODY}\n:::",
        f":::: {{.callout-tip}}\n{BODY}\n::::",
        f'::: {{.callout-tip icon=false appearance="simple"}}\n{BODY}\n:::',
        f"```{{tip}}\n{BODY}\n```",
        f"~~~{{tip}}\n{BODY}\n~~~",
        quoted("[!TIP]"),
        quoted("[!tip]"),
        f"!!! tip\n    {INDENTED}",
    ],
    "tip, Title `x`": [
        f":::{{tip}} Title `x`\n{BODY}\n:::",
        f":::tip[Title `x`]\n{BODY}\n:::",
        f"::: tip Title `x`\n{BODY}\n:::",
        f'::: {{.callout-tip title="Title `x`"}}\n{BODY}\n:::'.replace("`x`", "x"),
        f"::: {{.callout-tip}}\n## Title `x`\n\n{BODY}\n:::",
        f"~~~{{tip}} Title `x`\n{BODY}\n~~~",
        quoted("[!tip] Title `x`"),
        f'!!! tip "Title `x`"\n    {INDENTED}',
    ],
    "tip, folded": [
        f":::{{tip}} T\n:class: dropdown\n{BODY}\n:::",
        f"```{{tip}} T\n:class: dropdown\n\n{BODY}\n```",
        f'::: {{.callout-tip collapse="true" title="T"}}\n{BODY}\n:::',
        quoted("[!tip]- T"),
        f'??? tip "T"\n    {INDENTED}',
    ],
    "tip, unfolded": [
        f":::{{tip}} T\n:class: dropdown\n:open:\n{BODY}\n:::",
        f"::: tip T {{open}}\n{BODY}\n:::",
        f'::: {{.callout-tip collapse="false" title="T"}}\n{BODY}\n:::',
        quoted("[!tip]+ T"),
        f'???+ tip "T"\n    {INDENTED}',
    ],
    "details": [
        f":::details T\n{BODY}\n:::",
        f"::: details T\n{BODY}\n:::",
        f":::{{dropdown}} T\n{BODY}\n:::",
        f"```{{dropdown}} T\n{BODY}\n```",
    ],
    "name and class": [
        f":::{{note}} T\n:name: here\n:class: wide\n{BODY}\n:::",
        f":::note[T]{{#here .wide}}\n{BODY}\n:::",
        f'::: {{.callout-note #here .wide title="T"}}\n{BODY}\n:::',
        f"{{#here .wide}}\n:::{{note}} T\n{BODY}\n:::",
    ],
}


def html(source: str, language: str = "zh") -> str:
    document, mistakes = read_document(source, "x.md", language)
    assert not mistakes.errors, [error.message for error in mistakes.errors]
    assert not mistakes.warnings, [warning.message for warning in mistakes.warnings]
    return html_of(document.blocks)


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_spellings_of_other_tools_make_the_same_block(name: str) -> None:
    first, *others = SPELLINGS[name]
    expected = html(first)
    assert "admonition" in expected
    for source in others:
        mine = expected.replace("<code>x</code>", "x") if 'title="Title x"' in source else expected
        assert html(source) == mine, source


def test_every_kind_of_another_tool_has_its_own_title_in_both_languages() -> None:
    for kind, known in KINDS.items():
        for language in ("zh", "en"):
            made = html(f"> [!{kind}]\n> 一", language)
            assert f">{known.title.of(language)}<" in made
            assert f'class="admonition {known.look}"' in made
    assert {known.look for known in KINDS.values()} == set(LOOKS)


def test_one_folds_as_details_and_the_others_stay_open() -> None:
    assert html("> [!tip]- T\n> 一").startswith('<details class="admonition tip"><summary>T</summary><div>')
    assert html("> [!tip]+ T\n> 一").startswith('<details class="admonition tip" open><summary>T</summary>')
    assert html("> [!tip] T") == '<div class="admonition tip"><b>T</b><div></div></div>'
    assert html("> [!tip]- T") == '<details class="admonition tip"><summary>T</summary></details>'


@pytest.mark.parametrize(
    "source",
    [
        "> [!tip] T\n> 一\n>\n> > [!warning] U\n> > 二",
        ":::tip T\n一\n\n:::warning U\n二\n:::\n:::",
        "::::{tip} T\n一\n\n:::{warning} U\n二\n:::\n::::",
        "````{tip} T\n一\n\n```{warning} U\n二\n```\n````",
        '!!! tip "T"\n    一\n\n    !!! warning "U"\n        二',
        "- :::tip T\n  一\n\n  > [!warning] U\n  > 二\n  :::",
    ],
)
def test_one_may_be_inside_another_or_a_list(source: str) -> None:
    made = html(source)
    inner = '<div class="admonition warning"><b>U</b><div><p>二</p></div></div>'
    assert f'<div class="admonition tip"><b>T</b><div><p>一</p>{inner}</div></div>' in made


@pytest.mark.parametrize(
    "source",
    [
        "> [!NOTE]",
        "> a\n> [!NOTE]\n> b",
        "!!! note\nnot indented",
        "He said: wait!!! note that",
        "```note\ncode\n```",
        "    :::{note}\n    code\n    :::",
    ],
)
def test_what_only_looks_like_one_is_none(source: str) -> None:
    assert "admonition" not in html_of(read_document(source, "x.md", "zh")[0].blocks)


def test_code_in_one_between_colons_may_hold_colons() -> None:
    made = html(":::tip\n```text\n:::\n```\n二\n:::")
    assert made.count("admonition") == 1
    assert "二" in made


def test_one_pairs_with_another_spelling() -> None:
    zh = parse_document("引言。\n\n> [!NOTE]\n> 稠密。\n\n> 引文\n", "zh.md", "zh")
    en = parse_document("Before.\n\n> A quotation\n\n```{note}\nDense.\n```\n", "en.md", "en")
    rows = pair_documents(zh, en).rows
    assert (1, 2) in [(row.zh, row.en) for row in rows]
    assert not compare_halves(zh, en, pair_documents(zh, en))
