"""Front matter of a half and of meta.yaml, and the messages about mistakes in it."""

import datetime

import pytest

from diglot.content.document import parse_document, read_document
from diglot.content.front_matter import parse_front_matter, parse_with_warnings
from diglot.content.records import FrontMatter, Placeholder, SharedText
from diglot.diagnostics import DiagnosticError
from diglot.languages import Language

WHOLE = """---
title: 峰值的 {eval}`roofline.h200.peak | si` 与屋顶线
date: 2026-11-20
updated: 2026-11-21
description: "一句话：说明"
draft: true
tags: [gpu, roofline]
categories: hardware
authors:
  - 甲
aliases: [/old/roofline/]
only: zh
slug: roofline-2
---
正文
"""


def matter(text: str, language: Language = "zh", shared: str | None = None) -> FrontMatter:
    both = SharedText(path="meta.yaml", text=shared) if shared is not None else None
    return parse_front_matter(text, "zh.md", language, both)


def half(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "正文", ""])


def told(text: str, language: Language = "zh", shared: str | None = None) -> list[str]:
    with pytest.raises(DiagnosticError) as caught:
        matter(text, language, shared)
    return [str(diagnostic) for diagnostic in caught.value.diagnostics]


def test_every_key_is_read_with_its_type() -> None:
    assert matter(WHOLE) == FrontMatter(
        title=(
            "峰值的 ",
            Placeholder(
                kind="eval", target="roofline.h200.peak | si", line=2, context="text", figures=("roofline",)
            ),
            " 与屋顶线",
        ),
        date=datetime.date(2026, 11, 20),
        updated=datetime.date(2026, 11, 21),
        description=("一句话：说明",),
        draft=True,
        tags=("gpu", "roofline"),
        categories=("hardware",),
        authors=("甲",),
        aliases=("/old/roofline/",),
        only="zh",
        slug="roofline-2",
    )


def test_shared_keys_are_filled_in_from_meta_yaml() -> None:
    found = matter(
        half("title: 标题"), shared="date: 2026-11-20\ntags: [gpu]\ndescription: {zh: 中, en: E}\n"
    )
    assert (found.date, found.tags, found.description) == (datetime.date(2026, 11, 20), ("gpu",), ("中",))


def test_a_title_of_both_languages_may_stand_in_meta_yaml() -> None:
    shared = "title: {zh: 屋顶线, en: The roofline}\ndate: 2026-11-20\n"
    assert matter("---\n---\n", "zh", shared).title == ("屋顶线",)
    assert matter("---\n---\n", "en", shared).title == ("The roofline",)


def test_a_key_that_says_the_same_twice_is_no_mistake() -> None:
    assert matter(half("title: 标题", "date: 2026-11-20"), shared="date: 2026-11-20\n").draft is False


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    assert matter("\ufeff" + WHOLE.replace("\n", "\r\n")) == matter(WHOLE)
    document, _ = read_document("\ufeff" + WHOLE.replace("\n", "\r\n"), "zh.md", "zh")
    assert document.blocks[0].line == 15


def test_a_file_without_front_matter_is_told_how_to_begin() -> None:
    assert told("正文\n") == [
        "zh.md:1: error[front-matter-missing]: the file does not begin with front matter\n    正文\n"
        "  fix: begin it with a line of ---, `title: …`, `date: 2026-11-20`, and another line of ---."
    ]


def test_front_matter_that_is_never_closed_is_one_mistake_for_the_whole_file() -> None:
    text = "---\ntitle: x\n\n正文\n"
    expected = (
        "zh.md:1: error[front-matter-unclosed]: the front matter is never closed\n    ---\n"
        "  fix: add a line of --- before the text."
    )
    assert told(text) == [expected]
    with pytest.raises(DiagnosticError) as caught:
        read_document(text, "zh.md", "zh")
    assert str(caught.value) == expected


def test_all_mistakes_are_told_at_once_with_their_lines() -> None:
    assert told(
        half(
            "titel: x",
            "date: 2026-11-20",
            "updated: 2026-11-19",
            "draft: no",
            "tags: [GPU, gpu, gpu]",
            "aliases: [old]",
            "only: en",
            "slug: Roof line",
        )
    ) == [
        'zh.md:2:1: error[field-unknown]: unknown key "titel"\n    titel: x\n    ^^^^^\n'
        '  fix: did you mean "title"?',
        "zh.md:4:10: error[field-value]: updated: 2026-11-19 is before date: 2026-11-20\n"
        "    updated: 2026-11-19\n             ^\n"
        "  fix: correct one of the two dates.",
        'zh.md:5:8: error[field-type]: draft: expected true or false, found the text "no"\n'
        "    draft: no\n           ^^\n"
        "  fix: write `draft: true` or `draft: false`.",
        'zh.md:6:8: error[field-value]: tags: "GPU" cannot be an id\n    tags: [GPU, gpu, gpu]\n'
        "           ^^^\n"
        "  fix: use lower-case ASCII letters, digits and hyphens. "
        "Its label in both languages belongs in site.yaml.",
        'zh.md:6:18: error[field-value]: tags: "gpu" is repeated\n    tags: [GPU, gpu, gpu]\n'
        "                     ^^^\n  fix: keep one of them.",
        'zh.md:7:11: error[field-value]: the alias "old" is not a path\n    aliases: [old]\n'
        "              ^^^\n"
        "  fix: write the path from the site's root, beginning with one /.",
        "zh.md:8:7: error[field-value]: the zh half says only: en\n    only: en\n          ^\n"
        "  fix: write `only: zh`, or delete it.",
        'zh.md:9:7: error[field-value]: slug: "Roof line" cannot be part of an address\n'
        "    slug: Roof line\n          ^^^^^^^^^\n"
        "  fix: use lower-case ASCII letters, digits and hyphens.",
    ]


TEXTS = (
    ("用`jit`算$O(n)$与**粗**", "用jit算O(n)与粗"),
    ("A *new* chip", "A new chip"),
    ("~~删~~", "删"),
    ("[甲](https://example.org/) 与 ![图](a.png)", "甲 与 图"),
    ("R&amp;D<br>x", "R&Dx"),
    (r"5 \* 3", "5 * 3"),
)
"""Texts with Markdown, and what their warnings say to write."""
PLAIN = (
    *(
        "R&D",
        "$5 and $6",
        "价格$5到$6",
        "__init__ 与 a_b_c",
        "Vec<T> in C++",
        "2**10 * 3",
        "pi is 3.14159265358979",
        "**kwargs",
        "[1] 甲",
    ),
    *(r"C:\temp", "C#", "#1", "{eval}`a.b` 倍", "a > b", "![]"),
)


@pytest.mark.parametrize("key", ["title", "description"])
def test_markdown_in_a_text_is_a_warning_with_the_plain_text(key: str) -> None:
    for text, plain in TEXTS:
        lines = {"title": "x", "date": "2026-11-20", key: f"'{text}'"}
        source = half(*(f"{name}: {value}" for name, value in lines.items()))
        _, (warning,) = parse_with_warnings(source, "zh.md", "zh")
        assert (warning.rule, warning.fix) == ("markup-in-text", f"write {plain}"), text
        assert warning.location is not None
        assert warning.location.line == 2 + [*lines].index(key)


SPOILT = (
    "见 [link] (https://example.org/x)",
    "用｀code｀写",
    "［乙］（https://example.org/b）",
    "＊＊粗＊＊",
)


@pytest.mark.parametrize("key", ["title", "description"])
def test_markdown_that_is_spoilt_too_is_said_to_be_shown(key: str) -> None:
    for text in SPOILT:
        lines = {"title": "x", "date": "2026-11-20", key: f"'{text}'"}
        source = half(*(f"{name}: {value}" for name, value in lines.items()))
        _, warnings = parse_with_warnings(source, "zh.md", "zh")
        assert [warning.rule for warning in warnings] == ["markup-in-text"], text


@pytest.mark.parametrize("key", ["title", "description"])
def test_digits_of_a_computers_rounding_are_told_in_a_text(key: str) -> None:
    lines = {"title": "x", "date": "2026-11-20", key: "'费用是1.7999999999999998元'"}
    _, (warning,) = parse_with_warnings(
        half(*(f"{name}: {value}" for name, value in lines.items())), "zh.md", "zh"
    )
    assert (warning.rule, warning.fix) == ("number-noise", "write 1.8.")


def test_texts_that_only_look_like_markdown_are_left_alone() -> None:
    noisy = [
        text
        for text in PLAIN
        if parse_with_warnings(half(f"title: '{text}'", "date: 2026-11-20"), "zh.md", "zh")[1]
    ]
    assert not noisy


def test_what_is_wrong_with_a_text_of_both_languages_is_reported_there() -> None:
    shared = SharedText(path="meta.yaml", text="date: 2026-11-20\ntitle:\n  zh: '`甲`'\n  en: B\n")
    _, (warning,) = parse_with_warnings(half("draft: true"), "zh.md", "zh", shared)
    assert str(warning).startswith("meta.yaml:2: warning[markup-in-text]")


def test_an_empty_title_is_no_title() -> None:
    assert told(half('title: ""', "date: 2026-11-20")) == [
        'zh.md:2:8: error[field-value]: the title is empty\n    title: ""\n           ^\n'
        "  fix: write what the article is about."
    ]


def test_what_is_said_twice_differently_names_both_places() -> None:
    assert told(half("title: 标题", "date: 2026-11-20"), shared="tags: [a]\ndate: 2026-11-21\n") == [
        "zh.md:3:7: error[field-value]: date differs from meta.yaml:2\n    date: 2026-11-20\n          ^\n"
        "  fix: keep it in one of the two places."
    ]


def test_meta_yaml_holds_neither_one_title_for_both_nor_the_missing_half() -> None:
    assert told(half("date: 2026-11-20"), shared="title: 标题\nonly: zh\n") == [
        "meta.yaml:1:8: error[field-value]: title: this is one text for both languages\n    title: 标题\n"
        "           ^^\n"
        "  fix: write `title: {zh: …, en: …}`, or put it into the front matter of each half.",
        "meta.yaml:2:7: error[field-value]: only: is for an article that has one half, and cannot be "
        "shared\n    only: zh\n          ^\n"
        "  fix: move it into the half that exists.",
    ]


def test_broken_yaml_in_both_files_is_told_at_once() -> None:
    found = told(half("title: a: b"), shared="date: [\n")
    assert [line.split(":")[0] for line in found] == ["zh.md", "meta.yaml"]
    assert found[0].startswith(
        "zh.md:2:9: error[yaml-syntax]: invalid YAML: a second colon in an unquoted text"
    )


def test_a_broken_value_in_a_title_names_its_line() -> None:
    assert told(half("date: 2026-11-20", "title: x {evel}`a.b`")) == [
        'zh.md:3: error[role-unknown]: there is no role "evel"\n    title: x {evel}`a.b`\n'
        '  fix: did you mean "eval"?'
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: T\n---\n---\ndraft: true\n---\n\nText\n", 4),
        ("---\n---\n\n---\ntitle: T\ndraft: true\n---\n", 4),
        ("---\ntitle: T\n---\n\n\n---\ntags:\n- a\n# b\ndraft: true\n---\nText\n", 6),
        ("---\ntitle: T\n---\n---\ntags: [a,\n  b]\n---\n", 4),
    ],
)
def test_front_matter_after_the_front_matter_is_named(text: str, line: int) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_document(text, "zh.md", "zh")
    assert str(caught.value).startswith(
        f"zh.md:{line}: error[front-matter-twice]: there is front matter after"
    )


@pytest.mark.parametrize(
    "body",
    ["---\n\nText: a\n", "---\nText\n---\n", "***\nNote: a\n---\n", "Text\n\n---\na: b\n---\n", "---\n", ""],
)
def test_rules_and_headings_are_no_front_matter(body: str) -> None:
    parse_document(f"---\ntitle: T\ndate: 2026-11-20\n---\n{body}", "zh.md", "zh")


def test_an_end_of_yaml_in_the_middle_is_named_where_it_is() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_front_matter("---\ntitle: T\n...\ndraft: true\n---\n", "zh.md", "zh")
    assert str(caught.value).startswith(
        "zh.md:3: error[yaml-syntax]: invalid YAML: a line of ... in the middle"
    )


def test_front_matter_of_hugo_in_toml_is_named() -> None:
    text = '+++\ntitle = "A"\ndate = 2026-11-20\n+++\n\nText\n'
    for read in (
        lambda: parse_front_matter(text, "zh.md", "zh"),
        lambda: parse_document(text, "zh.md", "zh"),
    ):
        with pytest.raises(DiagnosticError) as caught:
            read()
        assert str(caught.value) == (
            "zh.md:1: error[front-matter-toml]: the front matter is TOML, between lines of +++\n"
            "    +++\n"
            "  fix: write it as YAML between lines of ---: `title: …` instead of `title = …`."
        )


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("summary: x", "it is called `description` here."),
        ("author: Ada", "write `authors: [id]`, with the ids of people in site.yaml."),
        ("lastmod: 2026-11-21", "it is called `updated` here, a date without a time."),
        ("published: false", "write `draft: true` instead of `published: false`, or delete it."),
        ("permalink: /a/", "write the last part as `slug`, and old addresses as `aliases: [/old/address/]`."),
        ("redirect_from: /a/", "it is called `aliases` here."),
        ("layout: post", "it is not needed here: delete it."),
        ("toc: true", "it is called `contents` here, and is on without it."),
        ("categorys: [a]", 'did you mean "categories"?'),
    ],
)
def test_a_key_of_another_generator_says_what_to_write_instead(line: str, fix: str) -> None:
    (found,) = told(half("title: x", "date: 2026-11-20", line))
    key = line.partition(":")[0]
    assert found.startswith(f'zh.md:4:1: error[field-unknown]: unknown key "{key}"')
    assert found.endswith(f"  fix: {fix}")


def test_a_picture_of_a_list_goes_into_the_text_or_below_params() -> None:
    (found,) = told(half("title: x", "date: 2026-11-20", "image: a.png"))
    assert found.endswith(
        "  fix: put the picture into the text, ![what it shows](picture.png), or keep the key below `params`."
    )


@pytest.mark.parametrize(
    "value", ["2019-05-01 08:30:00 +0800", "2019-05-01T08:30:00Z", '"2019-05-01"', "2019/5/1"]
)
def test_a_date_with_a_time_says_the_date(value: str) -> None:
    (found,) = told(half("title: x", f"date: {value}"))
    assert found.endswith("  fix: leave out the time and the quotes: `date: 2019-05-01`.")
