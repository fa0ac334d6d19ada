"""Diagnostics as text, and the lines and columns that they point at."""

import re
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.diagnostics import Diagnostic, Location, did_you_mean, format_diagnostic, nearest, quoted_in
from diglot.rules.ignoring import SourceLines
from tests.space import Space, told


def found(
    message: str, *, line: int | None = 1, column: int | None = None, source: str | None = None
) -> Diagnostic:
    """A diagnostic about `a.md`."""
    place = Location(path="a.md", line=line, column=column)
    return Diagnostic(rule="some-rule", message=message, location=place, source_line=source)


def pointed(tmp_path: Path, text: str, diagnostic: Diagnostic) -> str:
    """What the terminal shows of a diagnostic about a file with this text."""
    (tmp_path / "a.md").write_bytes(text.encode())
    (one,) = SourceLines(tmp_path).point_out([diagnostic])
    return format_diagnostic(one)


def test_the_first_line_has_place_severity_rule_and_message() -> None:
    told = Diagnostic(
        rule="some-rule", message="no", severity="warning", location=Location(path="a.md"), fix="do."
    )
    assert str(told) == "a.md: warning[some-rule]: no\n  fix: do."
    assert str(Diagnostic(rule="some-rule", message="no")) == "error[some-rule]: no"


def test_what_a_message_quotes_is_underlined_in_its_line(tmp_path: Path) -> None:
    assert pointed(tmp_path, "one\n\tsee [b](c.md)\n", found('link not found: "c.md"', line=2)) == (
        'a.md:2:10: error[some-rule]: link not found: "c.md"\n    see [b](c.md)\n            ^^^^'
    )


def test_full_width_characters_take_two_columns_of_the_terminal(tmp_path: Path) -> None:
    assert pointed(tmp_path, "见 [图](图.png)", found('picture not found: "图.png"')) == (
        'a.md:1:7: error[some-rule]: picture not found: "图.png"\n    见 [图](图.png)\n            ^^^^^^'
    )


def test_of_a_long_line_the_part_around_the_mistake_is_shown(tmp_path: Path) -> None:
    line = "word " * 80 + "[x](gone.md)" + " more" * 80
    text = pointed(tmp_path, line, found('link not found: "gone.md"'))
    head, shown, carets = text.split("\n")
    assert head.startswith("a.md:1:405: ")
    assert shown.startswith("    …")
    assert shown.endswith("…")
    assert len(shown) < 100
    at = carets.index("^")
    assert shown[at : at + len("gone.md")] == "gone.md"
    assert carets.strip() == "^^^^^^^"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("c.md and again c.md", "\n    c.md and again c.md"),
        ("abc.md", "\n    abc.md"),
        ("nothing of the kind", ""),
        ("", ""),
    ],
    ids=["twice", "part", "absent", "empty"],
)
def test_without_exactly_one_occurrence_there_is_no_column(line: str, shown: str, tmp_path: Path) -> None:
    assert (
        pointed(tmp_path, line, found('link not found: "c.md"'))
        == f'a.md:1: error[some-rule]: link not found: "c.md"{shown}'
    )


def test_a_column_that_the_parser_knows_is_kept(tmp_path: Path) -> None:
    given = found('"b" is wrong', column=1, source="a: b")
    assert pointed(tmp_path, "a: b\n", given) == 'a.md:1:1: error[some-rule]: "b" is wrong\n    a: b\n    ^'


def test_a_part_of_the_line_is_replaced_by_the_whole_one(tmp_path: Path) -> None:
    given = found("this cannot be evaluated", source="{eval}`a + `")
    assert pointed(tmp_path, "It is {eval}`a + `.\n", given) == (
        "a.md:1:7: error[some-rule]: this cannot be evaluated\n    It is {eval}`a + `.\n          ^"
    )


def test_a_file_that_is_gone_changes_nothing(tmp_path: Path) -> None:
    given = found('"b" is wrong', source="a: b")
    assert SourceLines(tmp_path).point_out([given]) == (given,)


@pytest.mark.parametrize(
    ("message", "quoted"),
    [
        ('no figure named "bras"', "bras"),
        ("there is no footnote [^ab]", "[^ab]"),
        ("<b> is never closed", "<b>"),
        ("&#1; stands for U+0001", "&#1;"),
        ("expected `key: value` lines", "key: value"),
        ("a heading of level 4", None),
    ],
)
def test_the_first_thing_that_a_message_quotes(message: str, quoted: str | None) -> None:
    assert quoted_in(message) == quoted


def test_a_build_points_at_links_and_values_and_keys(space: Space) -> None:
    space.post("a", zh="好。", en="Good.")
    space.change("content/posts/a/en.md", "date:", "tgas: [x]\ndate:")
    assert told(space.build()) == (
        'content/posts/a/en.md:3:1: error[field-unknown]: unknown key "tgas"\n    tgas: [x]\n    ^^^^\n'
        '  fix: did you mean "tags"?'
    )
    space.post("a", zh="见[那里](b.md)。", en="See [there](b.md) and {eval}`nobody.x`.")
    assert [line for line in told(space.build()).split("\n") if line.startswith("content/")] == [
        'content/posts/a/en.md:6:13: error[link-missing]: link not found: "b.md"',
        'content/posts/a/en.md:6:30: error[figure-unknown]: there is no figure named "nobody"',
        'content/posts/a/zh.md:6:7: error[link-missing]: link not found: "b.md"',
    ]


NAMES = st.text("aAé-_.#b", min_size=1, max_size=6).map(lambda text: text.replace("é", "e\u0301")) | st.text(
    "aAé-_.#b", min_size=1, max_size=6
)


@given(NAMES, st.sets(NAMES, max_size=8))
def test_a_suggestion_is_known_and_looks_different(name: str, known: set[str]) -> None:
    fix = did_you_mean(name, known, otherwise="otherwise")
    suggested = re.fullmatch('did you mean "(.*)"\\?', fix)
    if suggested is None:
        assert fix == "otherwise"
        return
    assert suggested[1] in known
    assert normalize("NFC", suggested[1]) != normalize("NFC", name)


def test_the_name_itself_is_no_suggestion_and_hides_none() -> None:
    assert did_you_mean("zh.md", ["zh.md"], otherwise="look.") == "look."
    assert did_you_mean("zh.md", ["zh.md", "Zh.md"], otherwise="look.") == 'did you mean "Zh.md"?'
    assert did_you_mean("e\u0301.png", ["\u00e9.png"], otherwise="look.") == "look."


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("\uff41.png", ["a.png", "b.png"], "a.png"),
        ("\ufb01g.png", ["dig.png", "fig.png"], "fig.png"),
        ("c.png", ["a.png", "b.png"], None),
        ("img/c.png", ["img/b.png"], None),
        ("../sgu/en.md", ["../g.en.md"], None),
        ("../a/zh.md", ["../b/zh.md"], None),
        ("/posts/alpah/", ["/posts/alpha/"], "/posts/alpha/"),
        ("C.PNG", ["c.png"], "c.png"),
    ],
)
def test_a_letter_makes_another_name_of_a_short_one(name: str, known: list[str], meant: str | None) -> None:
    assert nearest(name, known) == meant


def test_no_text_moves_the_cursor_of_a_terminal() -> None:
    shown = Diagnostic(rule="a-rule", message="a\rb\x1b[2Kc\x9bd", fix="e\x08f\ng\th\u3000i")
    assert (shown.message, shown.fix) == (r"a\rb\x1b[2Kc\x9bd", "e\\x08f\ng\th\u3000i")
