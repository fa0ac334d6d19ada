"""Callouts are admonitions written in another way: their HTML and their pairing are the same."""

import pytest

from diglot.content.admonitions import WORDS
from diglot.content.document import parse_document
from diglot.content.pairs import compare_halves, pair_documents


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize("body", ["一", "一\n二", "一\n\n- 二\n- 三", "```\n[!TIP]\n```"])
def test_a_callout_has_the_html_of_an_admonition(kind: str, body: str) -> None:
    quoted = "\n".join(f"> {line}" for line in [f"[!{kind.upper()}]", *body.split("\n")])
    written = parse_document(f":::{{{kind}}}\n{body}\n:::\n", "zh.md", "zh").blocks
    called = parse_document(quoted, "zh.md", "zh").blocks
    assert [(block.kind, block.parts, block.text) for block in called] == [
        (block.kind, block.parts, block.text) for block in written
    ]


def test_a_callout_is_paired_with_an_admonition() -> None:
    zh = parse_document("引言。\n\n> [!NOTE]\n> 稠密。\n\n> 引文\n", "zh.md", "zh")
    en = parse_document("Before.\n\n> A quotation\n\n:::{note}\nDense.\n:::\n", "en.md", "en")
    rows = pair_documents(zh, en).rows
    assert (1, 2) in [(row.zh, row.en) for row in rows]
    assert not compare_halves(zh, en, pair_documents(zh, en))
