"""Rules are selected by the characters they can begin with; the tokens of code equal those of Pygments."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexers import find_lexer_class_by_name, get_all_lexers

from diglot.content import highlighting
from diglot.content.fast.lexing import _ALL, _ANYTHING, quickened, starts_of
from diglot.content.mistakes import TooMuch
from tests.hostile.profile import LONG, draws, tries

LANGUAGES = [
    "python",
    "cpp",
    "rust",
    "bash",
    "yaml",
    "json",
    "html",
    "javascript",
    "toml",
    "make",
    "verilog",
    "sql",
]
CODE = st.text("\n\n  \tabcdefxyzABC0123456789_+-*/=<>{}[]()\"\"''#;:.,@$%^&|~`\\!?é中ſ", max_size=300)


def both(language: str, code: str) -> tuple[list[object], list[object]]:
    lexer = find_lexer_class_by_name(language)
    plain, quick = (one(stripnl=False, ensurenl=False) for one in (lexer, quickened(lexer)))
    return list(plain.get_tokens(code)), list(quick.get_tokens(code))


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=tries(30, long=500), deadline=None)
@given(code=CODE)
def test_any_text_has_the_tokens_that_pygments_finds(language: str, code: str) -> None:
    expected, found = both(language, code)
    assert found == expected


NAMES = sorted(aliases[0] for _, aliases, _, _ in get_all_lexers(plugins=False) if aliases)
OF_EACH_KIND = "a = f(1) # b\n<a href='x'>\n  if (x) { return \"y\"; }\n% /* z */ [1, 2]\n"


def test_every_lexer_finds_the_tokens_that_it_would_find_in_pygments() -> None:
    # Compiling all expressions takes long, so each run draws some lexers; these two have lists of words with
    # expressions around them.
    names = NAMES if LONG else {"matlab", "openedge", *draws("lexers").sample(NAMES, 40)}
    for name in names:
        expected, found = both(name, OF_EACH_KIND)
        assert found == expected, name


def test_code_that_takes_a_lexer_too_long_is_a_mistake() -> None:
    with pytest.raises(TooMuch, match='this code as "java" takes more than'):
        highlighting.highlighted("\n" * 20_000, "java")
    assert highlighting.highlighted("\n" * 20_000, "text") == "\n" * 20_000


def test_real_code_has_the_tokens_that_pygments_finds() -> None:
    root = Path(__file__).parents[3]
    for language, path in (
        ("python", "src/diglot/content/tree/building.py"),
        ("javascript", "templates/static/diglot.js"),
        ("css", "templates/static/style.css"),
        ("html+jinja", "templates/article.html"),
        ("toml", "pyproject.toml"),
    ):
        expected, found = both(language, (root / path).read_text("utf-8"))
        assert found == expected


def starts(pattern: str, flags: int = 0) -> set[str]:
    """All possible starts: two characters, or one that any character may follow."""
    found = starts_of(pattern, flags)
    return {
        first if found.behind(first) == _ANYTHING else first + second
        for first in _ALL
        for second in found.behind(first)
    }


@pytest.mark.parametrize(
    ("pattern", "flags", "expected"),
    [
        ("abc", 0, {"ab"}),
        ("a", 0, {"a"}),
        ("a|bc|[d-f]", 0, {"a", "bc", "d", "e", "f"}),
        ("a?b", 0, {"ab", "b"}),
        ("a+b", 0, {"aa", "ab"}),
        ("a{2,3}", 0, {"aa"}),
        ("(?:x)*(?P<n>y)", 0, {"xx", "xy", "y"}),
        (r"\b(?=z)qr", 0, {"qr"}),
        ("(?>ab|c)+", 0, {"ab", "c"}),
        ("st", re.IGNORECASE, {"s", "S", "\x80"}),
        ("é!", 0, {"\x80!"}),
    ],
)
def test_what_an_expression_starts_with_is_read_off_it(pattern: str, flags: int, expected: set[str]) -> None:
    assert starts(pattern, flags) == expected


@pytest.mark.parametrize("pattern", ["", "a*", "(?=a)", "(a)?\\1", ".", "(?i:a)"])
def test_what_may_be_empty_or_is_not_understood_starts_with_anything(pattern: str) -> None:
    assert starts(pattern) >= _ALL - {"\n"}


@settings(max_examples=tries(100, long=2000), deadline=None)
@given(
    st.from_regex(r"\A(?:[a-e]|\[[a-d]\]|\([a-c]\|[b-e]*\)|[a-c][?*+]|\([ab]{0,2}\|c\)\{[0-3],3\}){1,6}\Z"),
    st.text("abcde", max_size=6),
)
def test_no_match_starts_with_what_was_left_out(pattern: str, text: str) -> None:
    compiled = re.compile(pattern)
    if text and compiled.match(text):
        assert text[1:2] in starts_of(pattern, 0).behind(text[0])
