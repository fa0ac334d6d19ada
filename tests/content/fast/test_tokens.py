"""What begins a rule decides which rules are asked; the tokens are those of the library's own rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diglot.content.fast.dispatch import quicken
from diglot.content.inline_tokens import parse_inlines
from diglot.content.parser import plain_parser
from tests.content.test_commonmark import EXAMPLES
from tests.content.test_properties import MARKDOWN

PLAIN, QUICK = plain_parser(), quicken(plain_parser())

LINES = [
    *(
        "text",
        "a | b",
        "--|--",
        "---",
        "===",
        "- item",
        "1. item",
        "> quoted",
        ": definition",
        "~ definition",
    ),
    *("    indented", "\tindented", "  ", "", "# heading", "```", "~~~", "$$", "x $$", ":::{note}", ":::"),
    *(
        "[a]: /b",
        "[^1]: note",
        "[^1] and [a] and ![p](q)",
        "{#name}",
        "<div>",
        "</div>",
        "| a | b |",
        "|-|-|",
    ),
    *(
        "| :-: | -: |",
        "|:--|",
        "|||",
        "-|",
        "- | -",
        ": | :",
        "a\\|b | `c|d` | $e$ | f",
        " | ",
        "\\|",
        "| a \\\\| b",
        "|a|b|c|d|",
        "    | code |",
        "x\u00a0|\u3000y",
    ),
    *(
        "*a* **b** ~~c~~ `d` $e$ {f}`g` [h](i){.j} <k@l.m> &amp; \\* \\",
        "  - nested",
        "   > deep",
        "[x",
        "x]",
    ),
    *("ended by two\r", "ended\rin the middle", "a \0 in it", "\r", "\r\r"),
    *("term", "  : later", "--", "*", "+ plus", "10) ten", "***", "___", "<!-- c", "-->", "中文，**粗。**体"),
]
DOCUMENTS = st.lists(st.sampled_from(LINES), max_size=14).map("\n".join)


def tokens(parser: MarkdownIt, text: str) -> list[dict[str, object]]:
    """The tokens of a text, with the inlines of all its tables' cells."""
    env: dict[str, object] = {}
    found = []
    for token in parser.parse(text, env):
        found.append(dict(token.as_dict()))
        for row in token.meta.get("rows", ()):
            found += [one.as_dict() for cell in row for one in parse_inlines(parser, cell, env)]
    return found


@settings(max_examples=1500, deadline=None)
@given(DOCUMENTS | MARKDOWN)
def test_any_text_has_the_tokens_that_the_library_makes(text: str) -> None:
    assert tokens(QUICK, text) == tokens(PLAIN, text)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["example"]))
def test_an_example_of_the_specification_has_the_same_tokens(example: dict[str, str]) -> None:
    assert tokens(QUICK, example["markdown"]) == tokens(PLAIN, example["markdown"])


TABLES = st.tuples(
    st.sampled_from(["", "> ", "- ", "1. > "]),
    st.lists(st.lists(st.sampled_from("| |\\:-`$ab中　>#"), max_size=9).map("".join), min_size=1, max_size=3),
    st.sampled_from(["|-|-|", "-|-", ":-:|-:", "|:-|", "--|", "| - | - | - |", "|-|-", "-|:"]),
    st.lists(st.lists(st.sampled_from("| |\\:-`$ab中　>#"), max_size=9).map("".join), max_size=4),
).map(lambda parts: "\n".join(parts[0] + line for line in [*parts[1], parts[2], *parts[3]]))


@settings(max_examples=1500, deadline=None)
@given(TABLES)
def test_any_table_has_the_tokens_that_the_library_makes(text: str) -> None:
    assert tokens(QUICK, text) == tokens(PLAIN, text)


def test_what_is_nested_deeper_than_allowed_is_dropped_alike() -> None:
    for text in (
        "> " * 40 + "deep",
        "- " * 30 + "deep",
        "[" * 60 + "x" + "](y)" * 60,
        "*a " * 50 + "b*" * 50,
    ):
        assert tokens(QUICK, text) == tokens(PLAIN, text)


def test_texts_are_joined_as_deep_as_the_library_joins_them() -> None:
    for text in ("a\\*&amp;b", "![a\\*b](c)", "![![&ap; \\*]()]()"):
        assert tokens(QUICK, text) == tokens(PLAIN, text)
