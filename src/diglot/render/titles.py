"""Titles whose lines do not break inside names, and Chinese ones that break between words only."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from diglot.html_tags import fragments_of

_HAN = re.compile("[\u3400-\u9fff]")
_WIDE = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
# No line begins with what closes or ends with what opens. A number and its measure word stay together, and so
# do a word and the single character that belongs to it: 矩阵|乘, 的|人|说; some belong to what follows.
_OPENING, _CLOSING = frozenset("（《「『“‘\xa0"), frozenset("，。：；、！？）》」』”’…%\xa0")
_LEADING = frozenset("与和或而但就再从把被比在每对由向跟也都才只最更先若因不")
_CLAUSE = re.compile("[，。：；！？]+")
# Browsers break ResNet-|50, FP8/|BF16, TPU| v7. With digits, what a hyphen or slash joins is a name. So is a
# word with a capital and the version or size behind it; if that is a bare number, the word is capitals, as
# in RTX 5090, not as in "Add 64". A longer name may be wider than a phone, and breaks.
_NAME = re.compile(
    r"""(?<![\w./-])(?:
        (?=[A-Za-z./-]*\d)[A-Za-z0-9.]+(?:[-/][A-Za-z0-9.]+)+
      | [A-Z][A-Za-z0-9.-]*(?:[ ]\d[\d.]*)?(?:[ ](?:v\d[\d.]*[a-z]*|\d[\d.]*[A-Za-z]+|[A-Z]+\d+))+
      | [A-Z]{2,}[ ]\d[\d.]*
    )(?![\w/-])""",
    re.VERBOSE | re.ASCII,
)
_LONGEST_NAME = 16
_KEPT = 8
"""A clause up to this width, in Chinese characters, stays on a line. On a phone a line of a title has ten."""


def title_html(title: str, terms: Sequence[str] = ()) -> Markup:
    """A title as HTML that keeps names on a line; a Chinese one with `<wbr>` where its lines may break.

    It never breaks inside a term. HTML keeps its tags.
    """
    if not isinstance(title, Markup):
        return Markup("<wbr>").join(map(_with_names, _cut(title, _breaks(title, terms))))
    fragments = [*fragments_of(str(title))]
    breaks = [*_breaks("".join(text for text in fragments if isinstance(text, str)), terms)]
    html, start = "", 0
    for fragment in fragments:
        if isinstance(fragment, str):
            end = start + len(fragment)
            pieces = _cut(fragment, (at - start for at in breaks if start < at <= end))
            html += "<wbr>".join(_with_names(Markup(piece)) for piece in pieces)
            start = end
        else:
            html += fragment.source
    return Markup(html)


def _with_names(text: str) -> Markup:
    """Text as HTML, with names on one line."""
    pieces, end = [], 0
    for name in _NAME.finditer(text):
        if len(name[0]) <= _LONGEST_NAME:
            pieces += [
                escape(text[end : name.start()]),
                Markup('<span class="keep">{}</span>').format(name[0]),
            ]
            end = name.end()
    return Markup("").join([*pieces, escape(text[end:])])


def _cut(text: str, breaks: Iterable[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise((0, *breaks, len(text)))]


def _breaks(title: str, terms: Sequence[str]) -> Iterator[int]:
    """Where one word ends and another begins: after a clause, or in one that is too long for a line."""
    if not _HAN.search(title):
        return
    kept = {
        at
        for pattern in (_NAME, *(re.compile(re.escape(term)) for term in terms))
        for match in pattern.finditer(title)
        for at in range(match.start() + 1, match.end())
    }
    start = 0
    for end in (*(match.end() for match in _CLAUSE.finditer(title)), len(title)):
        if sum(1 if _WIDE.match(character) else 0.55 for character in title[start:end]) <= _KEPT:
            kept.update(range(start + 1, end))
        start = end
    yield from (at for at in _ends_of_words(title) if at not in kept)


def _ends_of_words(title: str) -> Iterator[int]:
    """Where a line may break, between Chinese words: beside a number or a name, browsers put a thin space,
    which a mark for a break would take away."""
    import rjieba  # noqa: PLC0415  (its dictionary takes a third of a second; only Chinese titles need it)

    end = 0
    for word, following in pairwise(rjieba.cut(title)):
        end += len(word)
        last, first = word[-1], following[0]
        if (
            ((_HAN.match(last) and _HAN.match(first)) or last in _CLOSING or first in _OPENING)
            and last not in _OPENING
            and first not in _CLOSING
            and not (len(following) == 1 and _HAN.match(first) and first not in _LEADING)
            and not (len(word) == 1 and last in _LEADING)
        ):
            yield end
