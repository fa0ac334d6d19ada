"""Properties of any input: parsing ends, within seconds, with a consistent half."""

from html.parser import HTMLParser
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diglot.content.cjk import is_cjk, joins_without_space
from diglot.content.document import read_document
from diglot.content.pairs import compare_halves, pair_documents
from diglot.content.parser import ENCODED, markdown_parser
from tests.content.html_text import html_of

SNIPPETS = [
    *("**", "*", "_", "~~", "`", "```", "$", "$$", "[", "](x)", "![", "{#a}", "{.b}"),
    *("{eval}`a.b`", "{ref}`x`", ":::{note}", ":::", "::::{tip}", "```{figure} a", ":name: b"),
    *("[^1]", "[^1]: ", "> ", "- ", "- [ ] ", "1. ", "## ", "# ", "| a | b |", "|---|--:|", ": "),
    *("<div>", "</div>", '<div markdown="1">', "<!--", "---", "    ", "\\", "&amp;", "\n", "\n\n", " "),
    *("中文", "带宽。", "“引”", "（x）", "，", "word", "H200", "👍", "𠀀", "한국", "e\u0301", "\u3000"),
    *("\t", "\u0000", "\u00a0", "\ufe01", "\r\n", "\x0b", "\u2028"),
]
MARKDOWN = st.lists(st.sampled_from(SNIPPETS), max_size=60).map("".join) | st.text(max_size=200)


@settings(max_examples=400, deadline=2000)
@given(MARKDOWN)
def test_any_text_is_parsed_and_its_tags_are_closed(markdown: str) -> None:
    document, mistakes = read_document("\n" + markdown, "x.md", "zh")
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 2
    for diagnostic in mistakes.errors + mistakes.warnings:
        assert diagnostic.location is not None
        assert diagnostic.location.line is not None
        assert 1 <= diagnostic.location.line <= lines + 1
    if not any(d.rule.startswith("html") for d in mistakes.errors) and "<" not in markdown:
        for block in document.blocks:
            assert still_open(html_of([block])) == []


@settings(max_examples=150, deadline=2000)
@given(MARKDOWN, MARKDOWN)
def test_any_two_halves_are_paired_in_order_and_completely(zh: str, en: str) -> None:
    left, right = read_document("\n" + zh, "zh.md", "zh")[0], read_document("\n" + en, "en.md", "en")[0]
    alignment = pair_documents(left, right)
    rows = alignment.rows
    assert [row.zh for row in rows if row.zh is not None] == list(range(len(left.blocks)))
    assert [row.en for row in rows if row.en is not None] == list(range(len(right.blocks)))
    assert len({row.id for row in rows}) == len(rows)
    compare_halves(left, right, alignment)


HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)
FULL_WIDTH = st.sampled_from("。，、；：？！（）《》「」")
LATIN = st.sampled_from("abcXYZ019")


@given(HAN | FULL_WIDTH, HAN | FULL_WIDTH)
def test_a_line_break_between_chinese_characters_is_nothing(before: str, after: str) -> None:
    assert joins_without_space(before, after)
    assert (
        html_of(read_document(f"文{before}\n{after}文", "x.md", "zh")[0].blocks)
        == f"<p>文{before}{after}文</p>"
    )


@given(LATIN | st.sampled_from("”’—"), LATIN | st.sampled_from("“‘—"))
def test_a_line_break_between_latin_characters_is_a_space(before: str, after: str) -> None:
    assert not joins_without_space(before, after)


@given(st.text(HAN | FULL_WIDTH, min_size=1), HAN, HAN)
def test_emphasis_in_chinese_needs_no_spaces(inside: str, before: str, after: str) -> None:
    html = html_of(read_document(f"{before}**{inside}**{after}", "x.md", "zh")[0].blocks)
    assert html == f"<p>{before}<strong>{inside}</strong>{after}</p>"


def test_emphasis_in_latin_text_is_that_of_commonmark() -> None:
    texts = map("".join, product("*_a", repeat=6))
    ours, theirs = markdown_parser(), MarkdownIt("commonmark")
    assert [text for text in texts if ours.renderInline(text) != theirs.renderInline(text)] == []


@given(st.from_regex(ENCODED, fullmatch=True))
def test_an_address_that_is_taken_for_encoded_is_encoded(address: str) -> None:
    assert MarkdownIt().normalizeLink(address) == address


@pytest.mark.parametrize(
    ("characters", "cjk"),
    [
        ("中。（ｱＡ가ᄀ㈠〰𠀀￥₩", True),
        ("aé—“…·★☕👍🈁", False),
        ("🈂🈐", True),  # squared ideographs; some of their neighbours are emoji
    ],
)
def test_wide_characters_are_cjk_and_emoji_are_not(characters: str, cjk: bool) -> None:
    assert [c for c in characters if is_cjk(c) is not cjk] == []


N = 3000
HOSTILE = {
    "stars": "a**" * N,
    "open brackets": "[" * N,
    "open links": "[a](" * N,
    "open pictures": "![" * N,
    "open notes": "^[" * N + "[^" * N,
    "backticks": "".join("`" * i + " " for i in range(150)),
    "open roles": "{a}`" * N + "".join("{a}" + "`" * i for i in range(150)),
    "dollars": "$a\\" * N + "a$b" * N,
    "open formulas": "$$x\n" * N,
    "deep formula": "$" + "\\frac{1}{" * N + "$",
    "open attributes": '`x`{a="' * N + "`x`{a=b c=d " * N + "[a]{" * N,
    "open tags": "<a " * N + "<a b='" * N + "<!--" * N,
    "open elements": "<div>\n" * N,
    "open Markdown elements": '<div markdown="1">\n' * N,
    "quotations": "> " * N,
    "admonitions": ":::{note}\n" * N,
    "fences": "```{figure} a\n" * N,
    "footnotes": "".join(f"[^{i}]: x\n" for i in range(N)),
    "cells": "a|b\n-|-\n" + ("|" * 50 + "\n") * 100,
    "lists": "".join("  " * i + "- a\n" for i in range(200)),
    "empty links": "[](x)\n" * N + "[](x)" * N + "\n中",
    "open full-width links": "[a]（" * N,
    "deep expression": "{eval}`" + "(" * N + "`",
    "options": "```{figure} a\n" + ":a: b\n" * N + "```",
}


@pytest.mark.timeout(60)  # milliseconds as a rule; quadratic code takes minutes at these sizes
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_no_more_than_time_in_proportion(name: str) -> None:
    read_document("\n" + HOSTILE[name], "x.md", "zh")


def still_open(html: str) -> list[str]:
    class Stack(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("br", "hr", "img", "input", "mspace"):
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open
            assert self.open[-1] == tag
            self.open.pop()

    stack = Stack()
    stack.open = []
    stack.feed(html)
    stack.close()
    return stack.open
