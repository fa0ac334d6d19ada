"""Finds blocks that are much longer or shorter than what their twins say: sentences may be missing.

How long a Chinese text is for its English twin differs between authors, and hardly between the blocks of an
article. So each is compared with what is usual in its article. Where the shorter text has fewer sentences as
well, these say more than all of their lengths together.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from diglot.content.dropped_sentences import are_joined, seem_dropped
from diglot.content.pairs import half_place, halves_warning, length_in_letters
from diglot.content.prose import prose_of
from diglot.content.records import Alignment
from diglot.content.sentence_pairs import all_sentences
from diglot.content.tree.nodes import TopBlock, Tree
from diglot.content.whole_blocks import whole_of
from diglot.diagnostics import Diagnostic, counted

_COMPARED = frozenset(("paragraph", "list", "quote", "notes", "admonition", "figure", "table"))
_LETTERS_ENOUGH = 40
"""From here on a length says something."""
_LETTERS_ALONE = 60
"""The same where the numbers of sentences say nothing."""
_BLOCKS_ENOUGH = 6
"""From here on an article says what is usual in it."""
_SLACK, _SLACK_LETTERS = 0.18, 14
"""By how much logarithms of lengths may differ from what is usual: by a share, and by some letters."""
_SLACK_OF_FEWER, _LETTERS_OF_FEWER = 0.1, 10
"""The same where the shorter text has fewer sentences, too."""
_USUAL, _UNKNOWN = -0.03, 0.15
"""What is usual elsewhere, and by how much more lengths may differ in an article that says nothing of it."""
_SPREAD = 4.5
"""The same in medians of the article's differences: three standard deviations of a normal distribution."""


_FIX = "add what is missing, or silence it where one language needs so many more words."


class _Pair(NamedTuple):
    zh: TopBlock
    en: TopBlock
    longer: float
    """The logarithm of how many times as long as the English block the Chinese one is."""
    letters: float
    sentences: tuple[Sequence[str], Sequence[str]]
    """Those of the Chinese block, and of the English one."""

    @classmethod
    def of(cls, zh: TopBlock, en: TopBlock, halves: tuple[Tree, Tree]) -> "_Pair | None":
        """Two blocks with their lengths; None where these say nothing."""
        if zh.kind != en.kind or zh.kind not in _COMPARED:
            return None
        ours, theirs = prose_of(whole_of(zh)), prose_of(whole_of(en))
        left, right = length_in_letters(ours), length_in_letters(theirs)
        sentences = all_sentences(ours, "zh"), all_sentences(theirs, "en")
        return cls(zh, en, math.log(left / right), math.sqrt(left * right), sentences)

    @property
    def more_sentences(self) -> int:
        """By how many sentences the Chinese block has more."""
        here, there = map(len, self.sentences)
        return here - there

    def lacks_sentences(self, usual: float, freedom: float) -> bool:
        """Whether one block seems to have dropped sentences of the other."""
        here, there = self.sentences
        if self.more_sentences > 0:
            return seem_dropped(here, there, "en", usual, freedom)
        return seem_dropped(there, here, "zh", -usual, freedom)

    @property
    def surplus(self) -> int:
        """The same without those that are joined to others in the other block."""
        here, there = self.sentences
        joined = are_joined(here, there, "en") if len(here) > len(there) else are_joined(there, here, "zh")
        return 0 if joined else self.more_sentences

    @property
    def slack(self) -> float:
        """By how much the lengths may differ from what is usual, whatever the sentences."""
        return _SLACK + _SLACK_LETTERS / self.letters

    def slack_of(self, longer: float) -> float:
        """By how much they may differ, in this direction."""
        if longer * self.surplus > 0:
            return _SLACK_OF_FEWER + _LETTERS_OF_FEWER / self.letters
        return self.slack if self.letters >= _LETTERS_ALONE else math.inf


def report_lengths(zh: Tree, en: Tree, alignment: Alignment) -> Iterator[Diagnostic]:
    """A warning for each pair of blocks whose lengths are far from what is usual in their article.

    A block without a twin has none: what is missing has been reported there.
    """
    rows = alignment.rows
    pairs = []
    for index, row in enumerate(rows):
        beside = rows[max(0, index - 1) : index + 2]
        if row.zh is None or row.en is None or any(one.zh is None or one.en is None for one in beside):
            continue
        if (pair := _Pair.of(zh.blocks[row.zh], en.blocks[row.en], (zh, en))) is not None:
            pairs.append(pair)
    telling = [pair for pair in pairs if pair.letters >= _LETTERS_ALONE]
    known = len(telling) >= _BLOCKS_ENOUGH
    usual = median(pair.longer for pair in telling) if known else _USUAL
    spread = median(abs(pair.longer - usual) / pair.slack for pair in telling) if known else 0.0
    freedom = max(1.0, _SPREAD * spread)
    for pair in pairs:
        longer = pair.longer - usual
        if pair.lacks_sentences(usual, freedom):
            here, there = map(len, pair.sentences)
            message = (
                f"{counted(here, 'sentence')} here, {there} in the English half: some seem to be missing "
                f"{'in the English half' if here > there else 'here'} (its twin: {half_place(pair.en, en)})"
            )
            yield halves_warning("halves-length", message, pair.zh, zh, _FIX)
            continue
        if pair.letters < _LETTERS_ENOUGH:
            continue
        if not known and longer * pair.surplus <= 0:
            continue
        if abs(longer) > pair.slack_of(longer) * freedom + (0 if known else _UNKNOWN):
            more, less = ("here", "the English half") if longer > 0 else ("in the English half", "this one")
            count = abs(pair.more_sentences) if longer * pair.more_sentences > 0 else 0
            added = f", in {counted(count, 'more sentence')}" if count else ""
            message = (
                f"{math.exp(abs(longer)):.1f} times as much is said {more} as is usual for what {less} says"
                f"{added} (its twin: {half_place(pair.en, en)})"
            )
            yield halves_warning("halves-length", message, pair.zh, zh, _FIX)
