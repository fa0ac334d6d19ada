"""The words that say what a half is about, for finding articles that are related."""

import re
from collections import Counter
from itertools import pairwise

from diglot.content.records import Document
from diglot.languages import HAN

MOST_KEYWORDS = 16
"""How many words of a half are kept: few, so that most edits of a text leave them as they are."""
_WORD = re.compile(r"[a-z][a-z0-9-]+[a-z0-9]")
_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")
_NOT_READ = frozenset(("code", "formula", "rule", "html", "notes", "slide", "figure", "table"))

_STOPPED = frozenset(
    re.findall(
        r"\w+",
        """
        about above after again all also and any are because been before below being between both but
        can cannot could did does doing done down during each either else even every few first for from
        further get gets give given gives had has have having hence here how however into its itself
        just last less let like made make makes many may might more most much must neither never next
        nor not now off once one only other others our out over own per rather same see second several
        shall should show shows since some still such take takes than that the their them then there
        these they this those though three through thus too two under until upon use used uses using
        very was way well were what when where whether which while who whose why will with within
        without would yet you your
        一个 一种 一些 我们 可以 这个 这些 那么 因为 所以 但是 如果 以及 就是 不是 没有 什么
        怎么 为什 的时 时候 之后 之前 其中
        """,
    )
)
"""Words that are in texts of every kind."""


def keywords_of(document: Document) -> tuple[str, ...]:
    """The most frequent words of a half; those of headings count three times.

    Of Chinese, which has no spaces, pairs of characters in headings and in the first paragraph.
    """
    read = [block for block in document.blocks if block.kind not in _NOT_READ]
    headings = "\n".join(block.text for block in read if block.kind == "heading")
    first = next((block.text for block in read if block.kind == "paragraph"), "")
    counts = Counter(_WORD.findall("\n".join([*(block.text for block in read), headings, headings]).lower()))
    counts.update(_pairs(f"{headings}\n{headings}\n{headings}\n{first}"))
    found: dict[str, None] = {}
    for often in (True, False):  # most words appear once, and are seldom needed
        said = [
            (-count, word) for word, count in counts.items() if (count > 1) is often and word not in _STOPPED
        ]
        for _, word in sorted(said):
            found[_singular(word)] = None
            if len(found) == MOST_KEYWORDS:
                return tuple(found)
    return tuple(found)


def words_in(text: str) -> list[str]:
    """The words of a title that say something: Latin ones in lower case without a plural's ending."""
    found = [*_WORD.findall(text.lower()), *_pairs(text)]
    return [_singular(word) for word in found if word not in _STOPPED]


def _pairs(text: str) -> list[str]:
    if text.isascii():
        return []
    return [one + other for run in _HAN_RUN.findall(text) for one, other in pairwise(run)]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 4 and word[-2] not in "sui" else word
