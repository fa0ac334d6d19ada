"""A half of a talk as slides."""

import pytest

from diglot.content.document import parse_document
from diglot.content.slides import Slide, slides_of
from diglot.diagnostics import DiagnosticError


def cut(body: str) -> list[tuple[str, str | None, list[list[str]], int]]:
    """Layout, title, kinds of blocks by column, and number of notes of each slide."""
    document = parse_document(f"---\ntitle: T\n---\n{body}", "content/talks/t/en.md", "en")

    def told(slide: Slide) -> tuple[str, str | None, list[list[str]], int]:
        title = None if slide.title is None else document.blocks[slide.title].text
        columns = [[document.blocks[index].kind for index in column] for column in slide.columns]
        return slide.layout, title, list(columns), len(slide.notes)

    return [told(slide) for slide in slides_of(document)]


FIGURE = "```{figure} bars\n```\n"
TABLE = "| a | b |\n| - | - |\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("## Only a title\n", ("statement", "Only a title", [], 0)),
        ("A sentence.\n", ("statement", None, [["paragraph"]], 0)),
        (f"## T\n\n{FIGURE}", ("figure", "T", [["figure"]], 0)),
        (FIGURE, ("figure", None, [["figure"]], 0)),
        (f"## T\n\n{FIGURE}\n- one\n- two\n", ("points", "T", [["figure", "list"]], 0)),
        (f"## T\n\n- one\n\n***\n\n{FIGURE}", ("columns", "T", [["list"], ["figure"]], 0)),
        (f"## T\n\n{TABLE}", ("table", "T", [["table"]], 0)),
        ("## T\n\n```python\npass\n```\n\nWhy.\n", ("code", "T", [["code", "paragraph"]], 0)),
        ("![A chip](a.png)\n", ("full", None, [["paragraph"]], 0)),
        ("## T\n\n![A chip](a.png)\n\nText.\n", ("points", "T", [["paragraph", "paragraph"]], 0)),
        ("## T\n\nText.\n\n### Below\n\nMore.\n", ("text", "T", [["paragraph", "heading", "paragraph"]], 0)),
        ("## T {.statement}\n\nText.\n", ("statement", "T", [["paragraph"]], 0)),
        (f"{{.full}}\n{FIGURE}", ("full", None, [["figure"]], 0)),
        ("## T\n\n:::{notes}\nSay this.\n:::\n", ("statement", "T", [], 1)),
    ],
)
def test_the_layout_follows_from_what_a_slide_shows(
    body: str, expected: tuple[str, str | None, list[list[str]], int]
) -> None:
    assert cut(body) == [expected]


def test_headings_and_rules_begin_slides_and_none_is_empty() -> None:
    cuts = cut("One.\n\n---\n\n---\n\n## Two\n\n- a\n\n## Three\n\n---\n\nFour.\n")
    assert [(layout, title) for layout, title, _, _ in cuts] == [
        ("statement", None),
        ("text", "Two"),
        ("statement", "Three"),
        ("statement", None),
    ]


def test_lines_count_from_the_top_of_the_file_and_other_classes_are_kept() -> None:
    document = parse_document(
        "---\ntitle: T\n---\n\n## A {.dense .text}\n\nText.\n\n## B\n", "content/talks/t/en.md", "en"
    )
    first, second = slides_of(document)
    assert (first.line, first.classes, first.layout) == (5, ("dense",), "text")
    assert second.line == 9


def test_notes_cannot_be_inside_another_block() -> None:
    with pytest.raises(DiagnosticError) as raised:
        cut("> :::{notes}\n> Say this.\n> :::\n")
    (mistake,) = raised.value.diagnostics
    assert (mistake.rule, mistake.message) == ("notes-nested", ":::{notes} cannot be inside another block")
    assert mistake.fix == "put it between blocks, not indented."


def test_notes_before_everything_belong_to_the_first_slide() -> None:
    assert cut(":::{notes}\nWelcome.\n:::\n\nA sentence.\n") == [("statement", None, [["paragraph"]], 0)]
