"""Rules are selected by the characters they begin with; the tokens equal those of markdown-it's own rules."""

from pathlib import Path

import pytest
from corpus import write_corpus
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diglot.content import guards, limits
from diglot.content.fast.dispatch import quicken
from diglot.content.front_matter import split_front_matter
from diglot.content.inline_tokens import parse_inlines
from diglot.content.mistakes import TooMuch
from diglot.content.parser import plain_parser
from tests.content.test_commonmark import EXAMPLES
from tests.content.test_properties import MARKDOWN
from tests.hostile.profile import tries

ROOT = Path(__file__).parents[3]
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
    """The tokens of a text, and the inline tokens of all table cells in it."""
    env: dict[str, object] = {}
    found = []
    for token in parser.parse(text, env):
        found.append(dict(token.as_dict()))
        for row in token.meta.get("rows", ()):
            found += [one.as_dict() for cell in row for one in parse_inlines(parser, cell, env)]
    return found


@settings(max_examples=tries(150, long=2000), deadline=None)
@given(DOCUMENTS | MARKDOWN)
def test_any_text_has_the_tokens_that_the_library_makes(text: str) -> None:
    assert tokens(QUICK, text) == tokens(PLAIN, text)


def test_the_examples_of_the_specification_have_the_same_tokens() -> None:
    for example in EXAMPLES:
        found = tokens(QUICK, example["markdown"])
        assert found == tokens(PLAIN, example["markdown"]), example["example"]


TABLES = st.tuples(
    st.sampled_from(["", "> ", "- ", "1. > "]),
    st.lists(st.lists(st.sampled_from("| |\\:-`$ab中　>#"), max_size=9).map("".join), min_size=1, max_size=3),
    st.sampled_from(["|-|-|", "-|-", ":-:|-:", "|:-|", "--|", "| - | - | - |", "|-|-", "-|:"]),
    st.lists(st.lists(st.sampled_from("| |\\:-`$ab中　>#"), max_size=9).map("".join), max_size=4),
).map(lambda parts: "\n".join(parts[0] + line for line in [*parts[1], parts[2], *parts[3]]))


@settings(max_examples=tries(150, long=2000), deadline=None)
@given(TABLES)
def test_any_table_has_the_tokens_that_the_library_makes(text: str) -> None:
    assert tokens(QUICK, text) == tokens(PLAIN, text)


def test_articles_have_the_same_tokens(tmp_path: Path) -> None:
    write_corpus(tmp_path / "site", 8)
    articles = [*(ROOT / "content").rglob("*.md"), *(tmp_path / "site/content").rglob("*.md")]
    assert len(articles) > 16
    for path in articles:
        body = split_front_matter(path.read_text("utf-8"), path.name).body
        assert tokens(QUICK, body) == tokens(PLAIN, body), path


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("text-tangled", "> ```\na\n" * 2000),
        ("half-too-long", "***\n" * (limits.MOST_BLOCKS // 10 + 1)),
        ("half-too-long", "- a\n" * (limits.MOST_TOKENS // 50 + 1)),
        ("half-too-long", "a\n" * (limits.MOST_MARKS // 10 + 2)),
        ("half-too-long", "`a` " * (limits.MOST_MARKS // 10 + 1)),
        ("half-too-long", ("|a" * 250 + "\n" + "|-" * 250 + "\n" + "b|c\n" * 24 + "\n") * 2),
    ],
    ids=["fences in quotations", "rules", "items", "lines", "code", "short rows"],
)
def test_too_much_is_refused_at_the_same_place(rule: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_BLOCKS", "MOST_TOKENS", "MOST_MARKS", "MOST_CELLS"):
        monkeypatch.setattr(guards, name, getattr(limits, name) // 10)  # to be through ten times sooner
    refusals = [refusal(parser, text) for parser in (QUICK, PLAIN)]
    assert refusals[0] == refusals[1]
    assert refusals[0][0] == rule


def test_brackets_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "MOST_STEPS_A_CHARACTER", 0)
    text = "a\n\n" + "[![a *b* `c`](d) <e> &amp; [f\\]][g] # + - " * 4
    needed = next(
        steps
        for steps in range(1000)
        if monkeypatch.setattr(guards, "MOST_STEPS", steps) or not refusal(QUICK, text)
    )
    assert needed > 20
    assert not refusal(PLAIN, text)
    monkeypatch.setattr(guards, "MOST_STEPS", needed - 1)
    assert refusal(PLAIN, text) == refusal(QUICK, text)
    assert refusal(PLAIN, text)[:2] == ("text-tangled", 2)


def refusal(parser: MarkdownIt, text: str) -> tuple[object, ...]:
    """Why a text is refused; empty where it is accepted."""
    try:
        parser.parse(text, {})
    except TooMuch as refused:
        return refused.rule, refused.line, refused.message
    return ()


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
