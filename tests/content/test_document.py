"""Properties of a parsed half, apart from its HTML."""

import msgspec
import pytest

from diglot.content.document import parse_document, read_document
from diglot.content.highlighting import stylesheet
from diglot.content.pairs import pair_documents
from diglot.content.records import Alignment, Document, Placeholder
from diglot.diagnostics import DiagnosticError

ARTICLE = """---
title: x
date: 2026-11-20
---

第一段，{eval}`roofline.h200.ridge`，**重**点[^1]
和 [链接](../y/)，见{ref}`fig-roofline`。

## 节 {#a}

```{figure} roofline
:dtype: fp8
说明 {eval}`chips(n=2, x=-0.5, y=true).m`
```

[^1]: 注
"""


def test_lines_count_the_front_matter() -> None:
    document = parse_document(ARTICLE, "zh.md", "zh")
    assert [(block.kind, block.line) for block in document.blocks] == [
        ("paragraph", 6),
        ("heading", 9),
        ("figure", 11),
    ]
    assert document.blocks[0].notes[0].line == 16
    assert [(link.kind, link.target, link.line) for link in document.links] == [("link", "../y/", 7)]


def test_an_address_is_on_its_own_line_however_many_its_text_has() -> None:
    text = "[甲\n乙](a.md)，[丙](b.md)\n![丁\n戊](c.png)\n[己\\\n**庚\n辛**](d.md)"
    assert [(link.target, link.line) for link in parse_document(text, "zh.md", "zh").links] == [
        ("a.md", 2),
        ("b.md", 2),
        ("c.png", 4),
        ("d.md", 7),
    ]


def test_what_a_value_reads_is_known_without_evaluating_it() -> None:
    document = parse_document(ARTICLE, "zh.md", "zh")
    placeholders = [part for part in document.figures[0].caption if isinstance(part, Placeholder)]
    assert placeholders[0].figures == ("chips?n=2&x=-0.5&y=true",)
    assert document.figures[0].parameters == (("dtype", "fp8"),)


def test_the_first_text_is_plain_with_its_values_as_holes() -> None:
    texts = [p if isinstance(p, str) else p.target for p in parse_document(ARTICLE, "zh.md", "zh").first_text]
    assert texts == ["第一段，", "roofline.h200.ridge", "，重点和 链接，见", "fig-roofline", "。"]


def test_a_half_survives_being_stored() -> None:
    document = parse_document(ARTICLE, "zh.md", "zh")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(document), type=Document) == document
    alignment = pair_documents(document, document)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(alignment), type=Alignment) == alignment


def test_parsing_twice_gives_the_same_half() -> None:
    assert parse_document(ARTICLE, "zh.md", "zh") == parse_document(ARTICLE, "zh.md", "zh")


def test_all_mistakes_are_raised_at_once_in_the_order_of_their_lines() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_document("# 一\n\n{evel}`x`\n\n:::{noet}\n:::\n", "zh.md", "zh")
    assert [d.location and d.location.line for d in caught.value.diagnostics] == [1, 3, 5]


def test_warnings_come_with_the_half() -> None:
    document = parse_document("```mlir\nx\n```\n", "zh.md", "zh")
    assert [warning.rule for warning in document.warnings] == ["code-language-unknown"]


def test_reading_time_counts_prose_and_not_code() -> None:
    document = parse_document("字" * 700 + "\n\n```\n" + "word " * 5000 + "\n```\n", "zh.md", "zh")
    assert document.reading_minutes == 2


def test_an_empty_half_is_a_half() -> None:
    document, mistakes = read_document("", "zh.md", "zh")
    assert (document.blocks, document.first_text, mistakes.errors) == ((), (), [])


def test_the_styles_of_code_serve_light_and_dark() -> None:
    css = stylesheet()
    assert "pre .k," in css
    assert "pre .c1" in css
    assert "#" not in css, "no colour of its own: the theme's variables change with the light"
