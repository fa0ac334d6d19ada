"""Excess is refused at its place before it takes long; anything below the limits is accepted."""

import time

import pytest

from diglot.content import guards, limits
from diglot.content.document import read_document
from diglot.content.formulas import FormulaError, formula_html
from diglot.content.highlighting import highlighted, known_language
from diglot.content.raw_html import tags_of
from diglot.diagnostics import MOST_TOLD, Diagnostic, nearest
from tests.content.html_text import html_of


def told(markdown: str) -> list[str]:
    _, mistakes = read_document(f"---\ntitle: x\n---\n{markdown}", "x.md", "en")
    return [f"{d.rule} {d.location}" for d in mistakes.errors + mistakes.warnings]


@pytest.mark.parametrize(
    ("rule", "line", "markdown"),
    [
        ("half-too-long", 4, "a" * (limits.MOST_CHARACTERS + 1)),
        ("addresses-too-long", 6, "[a]: " + "b" * 90_000 + "\n\n" + "[a] " * 240),
        ("addresses-too-long", 6, "[a]: b '" + "c" * 90_000 + "'\n\n" + "[a] " * 240),
        ("code-too-long", 6, "a\n\n```python\n" + "a" * (limits.LONGEST_CODE_LINE + 1) + "\n```\n"),
        ("code-too-long", 4, "```python\n" + "a = 1\n" * (limits.LONGEST_CODE // 6 + 1) + "```\n"),
    ],
    ids=range(5),
)
def test_too_much_is_told_where_it_stands(rule: str, line: int, markdown: str) -> None:
    assert told(markdown) == [f"{rule} x.md:{line}"]


def test_more_blocks_than_a_page_bears_are_told_at_the_first_too_many() -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(guards, "MOST_BLOCKS", 50)
        assert told("***\n" * 50) == []
        assert told("***\n" * 51) == ["half-too-long x.md:54"]


def test_more_items_than_a_page_bears_are_told_too() -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(guards, "MOST_TOKENS", 50)
        assert told("- a\n" * 9) == []
        assert told("> - a\n" * 20) == ["half-too-long x.md:14"]


def test_more_cells_than_a_page_bears_are_told_at_the_first_row_too_many() -> None:
    table = "| a | b |\n|---|---|\n"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(guards, "MOST_CELLS", 20)
        assert told(table + "| c |\n" * 9) == []
        assert told(table + "| c |\n" * 10) == ["half-too-long x.md:15"]
        assert told(f"{table}\n" * 10) == []
        assert told(f"{table}\n" * 11) == ["half-too-long x.md:35"]


@pytest.mark.parametrize(
    "markdown",
    ["> ```\na\n" * 1000, "- a\n" + "> - b\nc\n" * 1000, "[![" * 1000 + "a" + "](b)" * 1000],
    ids=["a fence in each quotation", "lazy lines", "pictures in links"],
)
def test_what_is_left_open_again_and_again_ends_soon(markdown: str) -> None:
    _, mistakes = read_document(markdown, "x.md", "en")
    assert {d.rule for d in mistakes.errors} <= {"text-tangled", "nesting-too-deep"}


def test_long_lists_and_quotations_are_taken() -> None:
    nested = "".join(f"{'  ' * (i % 7)}- a\n{'  ' * (i % 7)}lazy\n" for i in range(300))
    assert (
        told(nested + "\n" + "> a\nlazy\n" * 500 + "\n" + "[a](b) [c][d] ![e](f) " * 300 + "\n\n[d]: e") == []
    )


@pytest.mark.parametrize("piece", ["［a］（b ", "https://a.b/(", "a*", "￥a", "[x](", "-甲\n", "|a|b|\n"])
def test_any_amount_of_spoilt_markdown_ends_soon(piece: str) -> None:
    text = "\n\n".join(piece * (600 // len(piece)) for _ in range(300))
    started = time.process_time()
    read_document(text, "x.md", "en")
    assert time.process_time() - started < 10


def test_what_is_not_searched_for_spoilt_markdown_is_said() -> None:
    paragraph = f"{'文' * 990} ［a］（/b）\n\n"
    few, many = (read_document(paragraph * count, "x.md", "zh")[1].warnings for count in (50, 150))
    assert [d.rule for d in few] == ["full-width-link"] * 50
    assert [d.rule for d in many].count("leftovers-many") == 1


@pytest.mark.parametrize(
    "opening", ["{", r"\sqrt{", r"\left(", r"\begin{matrix}", "a_{", r"\begin{matrix}\\{"]
)
def test_deep_formulas_are_refused_and_those_of_people_are_not(opening: str) -> None:
    with pytest.raises(FormulaError, match="nested"):
        formula_html(opening * (limits.DEEPEST_FORMULA + 1), display=True)
    closing = {r"\left(": r"\right)", r"\begin{matrix}": r"\end{matrix}"}.get(opening, "}")
    closing += r"\end{matrix}" if opening.endswith(r"\\{") else ""
    assert formula_html(opening * 20 + "a" + closing * 20, display=True)
    assert formula_html("+".join([r"\{{a}\}"] * 150), display=True)


@pytest.mark.parametrize("opening", ["(", r"\{", "[", r"\langle ", r"\lvert ", "{(}", "({"])
def test_parentheses_without_ends_are_refused_and_others_are_not(opening: str) -> None:
    with pytest.raises(FormulaError, match=r"never closed|nested"):
        formula_html(opening * 60, display=True)
    assert formula_html("[0, 1) + (a]" * 60, display=True)


def test_code_that_is_too_long_is_shown_plain_as_it_stands() -> None:
    code = "if " + "a" * limits.LONGEST_CODE_LINE
    assert highlighted(code, "python") == code
    assert "<span" in highlighted("if a", "python")
    assert told(f"```text\n{code}\n```\n") == []


def test_names_of_languages_are_known_in_any_case() -> None:
    assert known_language("Python")
    assert known_language("c++")
    assert not known_language("pythom")


def test_a_hundred_mistakes_of_a_kind_are_told_and_that_there_are_more() -> None:
    _, mistakes = read_document("# a\n\n" * 300, "x.md", "en")
    assert len(mistakes.errors) == MOST_TOLD + 1
    assert "there are more" in mistakes.errors[-1].message
    assert {d.rule for d in mistakes.errors} == {"heading-level-1"}


def test_long_lines_are_cut_in_what_is_told() -> None:
    diagnostic = Diagnostic(rule="x", message="m" * 10**6, source_line="s" * 10**6, fix="f" * 10**6)
    assert len(str(diagnostic)) < 4000
    assert Diagnostic(rule="x", message="short").message == "short"


def test_the_nearest_of_thousands_of_names_is_found() -> None:
    assert nearest("section-4211", [f"section-{i}" for i in range(9000) if i != 4211]) is not None
    assert nearest("rooflin", [*(f"section-{i}" for i in range(9000)), "roofline"]) == "roofline"
    assert nearest("a" * 10**6, ["a" * 10**6]) is None


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<script>a < b</SCRIPT><p>", ["script", "script", "p"]),
        ("<div><script>", ["div", "script"]),
        ("<style></styles></style>", ["style"]),
    ],
)
def test_raw_text_ends_with_its_own_end_tag(html: str, names: list[str]) -> None:
    assert [tag.name for tag in tags_of(html)][: len(names)] == names


def test_spaces_around_options_and_titles_are_dropped() -> None:
    half, mistakes = read_document(
        "```{figure} a\n:b:\t  c d \t\n```\n\n:::{note}  T  t \t\ntext\n:::\n", "x.md", "en"
    )
    assert mistakes.errors == []
    assert half.figures[0].parameters == (("b", "c d"),)
    assert "<b>T  t</b>" in html_of(half.blocks)
