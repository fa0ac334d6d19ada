"""Finds blocks that are much longer or shorter than what their twins say: sentences may be missing.

How long a Chinese text is for its English twin differs between authors, and hardly between the blocks of an
article. So each is compared with what is usual in its article, and more loosely where nothing is.
"""

import math
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from diglot.content.pairs import half_place, halves_warning, length_in_letters
from diglot.content.prose import prose_of
from diglot.content.records import Alignment, Block, Document
from diglot.content.whole_blocks import whole_of
from diglot.diagnostics import Diagnostic

_COMPARED = frozenset(("paragraph", "list", "quote", "notes", "admonition", "figure", "table"))
_LETTERS_ENOUGH = 60
"""From here on a length says something."""
_BLOCKS_ENOUGH = 6
"""From here on an article says what is usual in it."""
_SLACK, _SLACK_LETTERS = 0.18, 14
"""By how much logarithms of lengths may differ from what is usual: by a share, and by some letters."""
_SPREAD = 4.5
"""The same in medians of the article's differences: three standard deviations of a normal distribution."""


class _Pair(NamedTuple):
    zh: Block
    en: Block
    longer: float
    """The logarithm of how many times as long as the English block the Chinese one is."""
    slack: float

    @classmethod
    def of(cls, zh: Block, en: Block, halves: tuple[Document, Document]) -> "_Pair | None":
        """Two blocks with their lengths; None where these say nothing."""
        if zh.kind != en.kind or zh.kind not in _COMPARED:
            return None
        left, right = (
            length_in_letters(prose_of(whole_of(block, half)))
            for block, half in zip((zh, en), halves, strict=True)
        )
        letters = math.sqrt(left * right)
        if letters < _LETTERS_ENOUGH:
            return None
        return cls(zh, en, math.log(left / right), _SLACK + _SLACK_LETTERS / letters)


def report_lengths(zh: Document, en: Document, alignment: Alignment) -> Iterator[Diagnostic]:
    """A warning for each pair of blocks whose lengths are far from what is usual in their article.

    Beside a block without a twin there is none: what is missing has been told there.
    """
    rows = alignment.rows
    pairs = []
    for index, row in enumerate(rows):
        beside = rows[max(0, index - 1) : index + 2]
        if row.zh is None or row.en is None or any(one.zh is None or one.en is None for one in beside):
            continue
        if (pair := _Pair.of(zh.blocks[row.zh], en.blocks[row.en], (zh, en))) is not None:
            pairs.append(pair)
    if len(pairs) < _BLOCKS_ENOUGH:
        return
    usual = median(pair.longer for pair in pairs)
    spread = median(abs(pair.longer - usual) / pair.slack for pair in pairs)
    for pair in pairs:
        longer = pair.longer - usual
        if abs(longer) > pair.slack * max(1.0, _SPREAD * spread):
            more, less = ("here", "the English half") if longer > 0 else ("in the English half", "this one")
            message = (
                f"{math.exp(abs(longer)):.1f} times as much is said {more} as is usual for what {less} says"
                f" (its twin: {half_place(pair.en, en)})"
            )
            fix = "add what is missing, or silence it where one language needs so many more words."
            yield halves_warning("halves-length", message, pair.zh, zh, fix)
