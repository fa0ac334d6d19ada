"""The places of what a half refers to are those that its parser finds."""

from collections import Counter
from pathlib import Path

import pytest

from diglot.bibliography.works import parse_target
from diglot.content.document import read_document
from diglot.lsp.marks import mark_at, marks_in
from diglot.render.parts import placeholders_in
from diglot.rules.parsed_halves import parts_of

ROOT = Path(__file__).parents[2]
HALVES = sorted([*(ROOT / "content").rglob("*.md"), *(ROOT / "docs/manual/content").rglob("*.md")])
KINDS = {"value": ("eval", "assert"), "reference": ("ref",), "citation": ("cite",), "control": ("control",)}


@pytest.mark.parametrize("kind", KINDS)
def test_marks_of_our_own_halves_are_what_the_parser_reads(kind: str) -> None:
    assert HALVES
    for half in HALVES:
        text = half.read_text("utf-8")
        document, _ = read_document(text, half.name, "zh" if "zh" in half.name else "en")
        parsed: Counter[str] = Counter()
        for placeholder in (one for parts in parts_of(document) for one in placeholders_in(parts)):
            if placeholder.kind in KINDS[kind]:
                parsed.update(
                    parse_target(placeholder.target).keys if kind == "citation" else [placeholder.target]
                )
        found = Counter(" ".join(one.text.split()) for one in marks_in(text) if one.kind == kind)
        assert found == Counter({" ".join(name.split()): count for name, count in parsed.items()}), half


def test_marks_have_the_places_of_their_texts() -> None:
    for half in HALVES:
        text = half.read_text("utf-8")
        for mark in marks_in(text):
            assert text[mark.start : mark.end].replace("\\|", " |") == mark.text, (half, mark)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("`` {eval}`x.y` ``", []),
        ("\\{eval}`x.y`", []),
        ("{eval}`x.y", []),
        ("```python\n{eval}`x.y`\n```", []),
        ("~~~\n@ada2017\n~~~", []),
        ("{eval}`` x`y ``", [("value", " x`y ")]),
        ("| {eval}`x.y \\| number` |", [("value", "x.y  | number")]),
        ("{ref}`the roofs <fig-x>`", [("reference", "fig-x")]),
        ("@fig-x. [@fig-y]", [("reference", "fig-x"), ("reference", "fig-y")]),
        ("{cite}`a, b`", [("citation", "a"), ("citation", "b")]),
        ("[see @ada2017, p. 3; @b]", [("citation", "ada2017"), ("citation", "b")]),
        ("{cite-number}`4.8|@a2017`", [("citation", "a2017")]),
        ("## H {#h .x}", [("label", "h")]),
        ("$$\nx\n$$ (eq:x)", [("label", "eq:x")]),
        (
            "```{figure} abc\n:name: fig-z\n\nSee {ref}`fig-q`.\n```",
            [("figure", "abc"), ("label", "fig-z"), ("reference", "fig-q")],
        ),
        ("```{code-cell} python\n:label: cell-a\nx = '{ref}`y`'\n```", [("label", "cell-a")]),
        (":::{note}\n:name: n-1\n\nx\n:::", [("label", "n-1")]),
        ("[a](../b/en.md#c) 🚀 [d](#e)", [("link", "../b/en.md#c"), ("link", "#e")]),
    ],
)
def test_marks_in_a_text(text: str, marks: list[tuple[str, str]]) -> None:
    assert [(one.kind, one.text) for one in marks_in(text)] == marks


def test_the_innermost_mark_is_at_a_character() -> None:
    text = "words {eval}`a.b` more"
    mark = mark_at(text, text.index("b"))
    assert mark is not None
    assert mark.text == "a.b"
    assert mark_at(text, 2) is None
