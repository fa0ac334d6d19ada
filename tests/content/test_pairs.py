"""Twins and ids of two halves' blocks, as tables: id | 中文 | English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.content import sequences
from diglot.content.document import read_document
from diglot.content.pairs import compare_halves, pair_documents
from diglot.content.records import Block, Document
from diglot.languages import Language


def half(language: Language, markdown: str) -> Document:
    document, mistakes = read_document(markdown, f"{language}.md", language)
    assert mistakes.errors == []
    return document


def shown(block: Block) -> str:
    if block.kind in ("figure", "table") and block.anchor:
        return f"<{block.anchor}>"
    text = block.text.split("\n")[0]
    return {"heading": f"{'#' * block.level} {text}", "code": f"`{text}`", "list": f"- {text}"}.get(
        block.kind, text
    )


def table(zh: str | None, en: str | None) -> list[str]:
    halves = (half("zh", zh) if zh is not None else None, half("en", en) if en is not None else None)
    lines = []
    for row in pair_documents(*halves).rows:
        cells = [
            shown(document.blocks[index]) if document is not None and index is not None else "·"
            for document, index in zip(halves, (row.zh, row.en), strict=True)
        ]
        lines.append(" | ".join([row.id, *cells]))
    return lines


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def check(zh: str | None, en: str | None, expected: str) -> None:
    assert table(zh, en) == lines_of(expected)


def test_halves_that_run_alike_are_paired_block_by_block() -> None:
    check(
        "甲\n\n## 屋顶线\n\n乙\n\n- 丙\n\n```python\nx\n```\n",
        "A\n\n## The roofline\n\nB\n\n- C\n\n```python\nx\n```\n",
        """
        top-1 | 甲 | A
        the-roofline | ## 屋顶线 | ## The roofline
        the-roofline-1 | 乙 | B
        the-roofline-2 | - 丙 | - C
        the-roofline-3 | `x` | `x`
        """,
    )


PARAGRAPHS_ZH = (
    "H200 的带宽是 4.8 TB/s。",
    "TPU v5p 用脉动阵列。",
    "分块越大，复用越多，但寄存器也越紧张，这一点在小矩阵上最明显。",
    "因此看 roofline 图。",
)
PARAGRAPHS_EN = (
    "H200 moves 4.8 TB/s.",
    "TPU v5p has a systolic array.",
    "The larger the tile, the more is reused, and the tighter are registers; small matrices show it best.",
    "So look at the roofline plot.",
)


@pytest.mark.parametrize("missing", range(4))
@pytest.mark.parametrize("side", ["zh", "en"])
def test_a_paragraph_in_one_half_alone_shifts_nothing(side: str, missing: int) -> None:
    zh = [p for i, p in enumerate(PARAGRAPHS_ZH) if side != "zh" or i != missing]
    en = [p for i, p in enumerate(PARAGRAPHS_EN) if side != "en" or i != missing]
    expected = [
        f"top-{i + 1} | {'·' if side == 'zh' and i == missing else PARAGRAPHS_ZH[i]}"
        f" | {'·' if side == 'en' and i == missing else PARAGRAPHS_EN[i]}"
        for i in range(4)
    ]
    assert table("\n\n".join(zh), "\n\n".join(en)) == expected


def test_a_paragraph_split_in_one_half_leaves_the_next_ones_paired() -> None:
    check(
        "H200 的带宽是 4.8 TB/s，这一点很重要。\n\nTPU v5p 用脉动阵列。",
        "H200 moves 4.8 TB/s.\n\nThis matters.\n\nTPU v5p has a systolic array.",
        """
        top-1 | H200 的带宽是 4.8 TB/s，这一点很重要。 | H200 moves 4.8 TB/s.
        top-2 | · | This matters.
        top-3 | TPU v5p 用脉动阵列。 | TPU v5p has a systolic array.
        """,
    )


def test_a_heading_in_one_half_alone_keeps_the_other_sections_together() -> None:
    check(
        "## 一\n\n```{figure} roofline\n```\n\n## 附注\n\n只有中文。\n\n## 二\n\n```{figure} waves\n```\n",
        "## One\n\n```{figure} roofline\n```\n\n## Two\n\n```{figure} waves\n```\n",
        """
        one | ## 一 | ## One
        fig-roofline | <fig-roofline> | <fig-roofline>
        s2 | ## 附注 | ·
        s2-1 | 只有中文。 | ·
        two | ## 二 | ## Two
        fig-waves | <fig-waves> | <fig-waves>
        """,
    )


def test_blocks_below_a_heading_that_one_half_has_lost_keep_their_twins() -> None:
    check(
        "## 一\n\n三种芯片。\n\n## 二\n\n```{figure} roofline\n```\n\n```{figure} waves\n```\n",
        "## One\n\nThree chips.\n\n```{figure} roofline\n```\n\n```{figure} waves\n```\n",
        """
        one | ## 一 | ## One
        one-1 | 三种芯片。 | Three chips.
        s2 | ## 二 | ·
        fig-roofline | <fig-roofline> | <fig-roofline>
        fig-waves | <fig-waves> | <fig-waves>
        """,
    )


def test_a_heading_that_one_half_has_lost_is_not_the_twin_of_the_one_below_it() -> None:
    check(
        "## GPU迁就什么\n\n### 脉动阵列\n\n- 一大块\n\n### 流式多处理器\n\n- 很多块\n",
        "### A systolic array\n\n- one large tile\n\n### Streaming multiprocessors\n\n- many tiles\n",
        """
        s1 | ## GPU迁就什么 | ·
        a-systolic-array | ### 脉动阵列 | ### A systolic array
        a-systolic-array-1 | - 一大块 | - one large tile
        streaming-multiprocessors | ### 流式多处理器 | ### Streaming multiprocessors
        streaming-multiprocessors-1 | - 很多块 | - many tiles
        """,
    )


def test_explicit_ids_decide_whatever_the_order_of_levels() -> None:
    check(
        "## 甲 {#a}\n\n## 乙 {#b}\n",
        "## B {#b}\n",
        """
        a | ## 甲 {#a} | ·
        b | ## 乙 {#b} | ## B {#b}
        """.replace(" {#a}", "").replace(" {#b}", ""),
    )


def test_figures_are_paired_by_their_script_and_never_with_another() -> None:
    check(
        "```{figure} roofline\n```\n\n```{figure} waves\n```\n",
        "```{figure} waves\n```\n",
        """
        fig-roofline | <fig-roofline> | ·
        fig-waves | <fig-waves> | <fig-waves>
        """,
    )


def test_a_paragraph_of_a_picture_is_paired_by_its_picture() -> None:
    zh = half("zh", "![一](a.png)\n\n![二](b.png)\n")
    en = half("en", "![Two](b.png)\n")
    assert [(row.zh, row.en) for row in pair_documents(zh, en).rows] == [(0, None), (1, 0)]


def test_a_figure_holds_its_place_and_the_paragraph_gives_way() -> None:
    check(
        "甲 H200。\n\n```{figure} roofline\n```\n\n乙 TPU。",
        "A, the H200.\n\nB, the TPU.\n\n```{figure} roofline\n```\n",
        """
        top-1 | 甲 H200。 | A, the H200.
        top-2 | · | B, the TPU.
        fig-roofline | <fig-roofline> | <fig-roofline>
        top-3 | 乙 TPU。 | ·
        """,
    )


def test_of_two_figures_that_changed_places_one_stays_paired() -> None:
    check(
        "```{figure} roofline\n```\n\n```{figure} waves\n```\n",
        "```{figure} waves\n```\n\n```{figure} roofline\n```\n",
        """
        fig-roofline | <fig-roofline> | ·
        fig-waves | <fig-waves> | <fig-waves>
        fig-roofline-2 | · | <fig-roofline>
        """,
    )


def test_code_and_formulas_are_paired_by_what_they_say() -> None:
    check(
        "```python\na = 1  # 甲\n```\n\n$$ x $$\n\n```python\nb = 2\n```\n",
        "```python\na = 1  # A\n```\n\n$$ y_{\\text{new}} $$\n\n$$ x $$\n\n```python\nb = 2\n```\n",
        """
        top-1 | `a = 1  # 甲` | `a = 1  # A`
        top-2 | · | y_{\\text{new}}
        top-3 | x | x
        top-4 | `b = 2` | `b = 2`
        """,
    )


def test_a_formula_with_translated_words_is_the_same_formula() -> None:
    check(
        "$$ x_{\\text{带宽}} $$",
        "$$ x_{\\text{bandwidth}} $$ (eq:b)",
        "eq:b | x_{\\text{带宽}} | x_{\\text{bandwidth}}",
    )


def test_headings_of_one_name_and_headings_without_ascii_get_their_own_ids() -> None:
    check(
        "## 小结\n\n## 小结\n\n### 尾声\n",
        "## Summary\n\n## Summary\n\n### 尾声\n",
        """
        summary | ## 小结 | ## Summary
        summary-2 | ## 小结 | ## Summary
        s3 | ### 尾声 | ### 尾声
        """,
    )


def test_ids_in_one_section_do_not_move_with_edits_in_another() -> None:
    zh, en = "## 一\n\n甲\n\n## 二\n\n乙\n", "## One\n\nA\n\n## Two\n\nB\n"
    longer = ("## 一\n\n甲\n\n新\n\n## 二\n\n乙\n", "## One\n\nA\n\nNew\n\n## Two\n\nB\n")
    ids = {row.split(" | ", 1)[0] for row in table(zh, en)}
    assert ids <= {row.split(" | ", 1)[0] for row in table(*longer)}
    assert "two-1 | 乙 | B" in table(*longer)


def test_one_half_alone_has_rows_of_its_own() -> None:
    check("甲\n\n## 一\n\n乙\n", None, "top-1 | 甲 | ·\ns1 | ## 一 | ·\ns1-1 | 乙 | ·")
    check(None, "A\n\n## One\n", "top-1 | · | A\none | · | ## One")


def test_an_empty_half_is_a_half() -> None:
    check("甲\n", "", "top-1 | 甲 | ·")


def test_rows_keep_the_order_of_both_halves_and_name_every_block_once() -> None:
    zh = half("zh", "甲\n\n## 一\n\n- a\n\n| x |\n|-|\n\n乙\n\n### 二\n\n> 丙\n")
    en = half("en", "## One\n\n| x |\n|-|\n\n- a\n\nB\n\n## Three\n\nC\n")
    rows = pair_documents(zh, en).rows
    assert [row.zh for row in rows if row.zh is not None] == list(range(len(zh.blocks)))
    assert [row.en for row in rows if row.en is not None] == list(range(len(en.blocks)))
    assert len({row.id for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("zh", "en", "told"),
    [
        ("甲\n", "A\n\nB\n", []),
        (
            "甲\n\n```{figure} waves\n```\n",
            "A\n",
            ['zh.md:3: the figure "fig-waves" is missing from the English half (it belongs after en.md:1)'],
        ),
        ("## 甲\n", "### A\n", ["zh.md:1: level 2 here, level 3 in en.md:1"]),
        ("## 甲 {#a}\n", "## A\n", ["zh.md:1: #a here, no id in en.md:1"]),
        (
            "```{figure} roofline\n```\n\n```{figure} waves\n```\n",
            "```{figure} waves\n```\n\n```{figure} roofline\n```\n",
            ['zh.md:1: the figure "fig-roofline" is in another place in the English half: en.md:4'],
        ),
        (
            "```{figure} roofline\n:name: fig-a\n```\n",
            "```{figure} roofline\n:name: fig-b\n```\n",
            ["zh.md:1: #fig-a here, #fig-b in en.md:1"],
        ),
        (
            "```{figure} roofline\n:dtype: fp8\n```\n",
            "```{figure} roofline\n```\n",
            ['zh.md:1: the figure "fig-roofline" has other parameters in en.md:1'],
        ),
        (
            "| a |\n|-|\n",
            "## New\n\n```\nx\n```\n",
            [
                "zh.md:1: this table is missing from the English half",
                'en.md:1: the heading "New" is missing from the Chinese half (it belongs after zh.md:1)',
                "en.md:3: this code is missing from the Chinese half (it belongs after zh.md:1)",
            ],
        ),
    ],
)
def test_what_should_be_in_both_halves_is_missed_with_both_places(zh: str, en: str, told: list[str]) -> None:
    left, right = half("zh", zh), half("en", en)
    found = compare_halves(left, right, pair_documents(left, right))
    assert [f"{d.location}: {d.message}" for d in found] == told
    assert all(d.severity == "warning" and d.fix for d in found)


@pytest.mark.parametrize(("zh", "en"), [(21, 20), (23, 20), (20, 23), (7, 0), (1, 9), (40, 11)])
def test_halves_of_any_lengths_are_aligned_to_their_ends(zh: int, en: int) -> None:
    pair = half("zh", "第一段。\n\n" * zh), half("en", "Words and more.\n\n" * en)
    rows = pair_documents(*pair).rows
    assert [row.zh for row in rows if row.zh is not None] == list(range(zh))
    assert [row.en for row in rows if row.en is not None] == list(range(en))


BLOCKS = st.lists(
    st.sampled_from(
        [
            *(
                "## 屋顶线\n",
                "## The roofline\n",
                "### TPU v4\n",
                "### Ridge {#ridge}\n",
                "## 脊点 {#ridge}\n",
            ),
            *(
                "```python\nx = 1\n```\n",
                "```python\nx = 2  # 二\n```\n",
                "$$\nx\n$$\n",
                "- H100\n- 脊点\n",
                "> TPU v4\n",
            ),
            *(
                "甲",
                "脊点是 240 FLOP/B。",
                "The ridge is at 240 FLOP/B.",
                "TPU v4 and H100 differ.",
                "TPU v4 与 H100 不同",
            ),
        ]
    ),
    max_size=12,
).map("\n\n".join)


@given(zh=BLOCKS, en=BLOCKS)
def test_not_to_look_at_words_changes_no_pair(zh: str, en: str) -> None:
    halves = read_document(zh, "zh.md", "zh")[0], read_document(en, "en.md", "en")[0]
    quick = pair_documents(*halves)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sequences, "_are_in_step", lambda *_: False)
        assert pair_documents(*halves) == quick


def test_a_half_in_the_language_of_the_other_is_named() -> None:
    chinese, english = "带宽决定一切，" * 60, "Bandwidth decides everything, " * 20
    code = f"```text\n{english}\n```"
    for zh, en, wrong in (
        (chinese, english, []),
        (english, english, ["zh.md"]),
        (chinese, chinese, ["en.md"]),
        (english, chinese, ["zh.md", "en.md"]),
        (f"短。\n\n{code}", f"Short.\n\n{code}", []),
        ("FlashAttention on H100", "FlashAttention on H100", []),
    ):
        left, right = half("zh", zh), half("en", en)
        found = compare_halves(left, right, pair_documents(left, right))
        assert [one.location and one.location.path for one in found if one.rule == "half-language"] == wrong
