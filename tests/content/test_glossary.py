"""Terms that both halves are held to, and words that are not a site's."""

import pytest

from diglot.content.document import parse_text
from diglot.content.glossary import check_terms
from diglot.content.pairs import pair_documents
from diglot.content.terms import read_glossary
from diglot.diagnostics import DiagnosticError

TERMS = read_glossary(
    "array: {zh: 脉动阵列, en: systolic array, also: [阵列, array], never: [收缩阵列, 列阵, pulsing array]}\n"
    "batch: {zh: 批量, en: batch, also: [批], never: [批次大小]}\n"
    "kv: {zh: KV缓存, en: KV cache, never: [键值缓存]}\n"
)


def found_in(zh: str, en: str) -> list[tuple[str, str, str]]:
    matter = "---\ntitle: x\ndate: 2026-01-01\n---\n\n"
    left = parse_text(matter + zh, "zh.md", "zh")
    right = parse_text(matter + en, "en.md", "en")
    warnings = check_terms(left.tree, right.tree, pair_documents(left.document, right.document), TERMS)
    return [(str(one.location).partition(":")[0], one.rule, one.message) for one in warnings]


@pytest.mark.parametrize(
    ("zh", "en", "path", "rule", "message"),
    [
        (
            "收缩阵列很大。",
            "The array is large.",
            "zh.md",
            "glossary-word",
            "“收缩阵列” is not this site's word",
        ),
        ("批次大小不变。", "The batch stays.", "zh.md", "glossary-word", "“批次大小” is not this"),
        ("阵列很大。", "Pulsing arrays are large.", "en.md", "glossary-word", "“Pulsing arrays” is not this"),
        (
            "脉动阵列很大。",
            "The mesh is large.",
            "zh.md",
            "glossary-twin",
            "“脉动阵列” is here, and no “systolic array”",
        ),
        (
            "缓存很大。",
            "The KV cache is large.",
            "en.md",
            "glossary-twin",
            "“KV cache” is here, and no “KV缓存”",
        ),
        (
            "批量变大，批量变小，脉动阵列不变。",
            "The batch grows, the systolic array shrinks, and another systolic array stays.",
            "zh.md",
            "glossary-twin",
            "“批量” is more often here, “systolic array” in its twin",
        ),
        ("脉动阵列。\n\n键值缓存。", "An array.\n\nA cache.", "zh.md", "glossary-word", "“键值缓存” is not"),
    ],
)
def test_a_slip(zh: str, en: str, path: str, rule: str, message: str):
    ((where, which, told),) = found_in(zh, en)
    assert (where, which) == (path, rule)
    assert told.startswith(message)


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("脉动阵列很大。", "Systolic arrays are large."),
        ("脉动阵列很大。", "The array is large."),
        ("阵列很大。", "It is large."),
        ("KV缓存很大。", "KV-caches are large."),
        ("`脉动阵列`", "`mesh`"),
        ("```\n收缩阵列\n```", "```\n收缩阵列\n```"),
        ("一块脉动阵列阵。", "The systolic array."),
    ],
)
def test_no_slip(zh: str, en: str):
    assert found_in(zh, en) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("array: {zh: 脉动阵列}", "array: a term needs a name in both languages"),
        ("array: {zh: 脉动阵列, en: systolic array, nver: [x]}", "nver"),
        ("array: 脉动阵列", "array"),
    ],
)
def test_a_mistake_in_the_file(text: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        read_glossary(text)
