"""What begins a rule decides which rules are asked; the tokens are those of the library's own loops."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diglot.content.parser import markdown_parser, plain_parser
from tests.content.library_tokens import as_library_makes_them
from tests.content.test_commonmark import EXAMPLES
from tests.content.test_properties import MARKDOWN

PLAIN = plain_parser()

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
    env: dict[str, object] = {}
    return list(as_library_makes_them(parser.parse(text, env), parser, env))


@settings(max_examples=1500, deadline=None)
@given(DOCUMENTS | MARKDOWN)
def test_any_text_has_the_tokens_that_the_library_makes(text: str) -> None:
    assert tokens(markdown_parser(), text) == tokens(PLAIN, text)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["example"]))
def test_an_example_of_the_specification_has_the_same_tokens(example: dict[str, str]) -> None:
    assert tokens(markdown_parser(), example["markdown"]) == tokens(PLAIN, example["markdown"])


TABLES = st.tuples(
    st.sampled_from(["", "> ", "- ", "1. > "]),
    st.lists(st.lists(st.sampled_from("| |\\:-`$ab中　>#"), max_size=9).map("".join), min_size=1, max_size=3),
    st.sampled_from(["|-|-|", "-|-", ":-:|-:", "|:-|", "--|", "| - | - | - |", "|-|-", "-|:"]),
    st.lists(st.lists(st.sampled_from("| |\\:-`$ab中　>#"), max_size=9).map("".join), max_size=4),
).map(lambda parts: "\n".join(parts[0] + line for line in [*parts[1], parts[2], *parts[3]]))


@settings(max_examples=1500, deadline=None)
@given(TABLES)
def test_any_table_has_the_tokens_that_the_library_makes(text: str) -> None:
    assert tokens(markdown_parser(), text) == tokens(PLAIN, text)


def test_what_is_nested_deeper_than_allowed_is_dropped_alike() -> None:
    for text in (
        "> " * 40 + "deep",
        "- " * 30 + "deep",
        "[" * 60 + "x" + "](y)" * 60,
        "*a " * 50 + "b*" * 50,
    ):
        assert tokens(markdown_parser(), text) == tokens(PLAIN, text)


def test_texts_are_joined_as_deep_as_the_library_joins_them() -> None:
    for text in ("a\\*&amp;b", "![a\\*b](c)", "![![&ap; \\*]()]()"):
        assert tokens(markdown_parser(), text) == tokens(PLAIN, text)
