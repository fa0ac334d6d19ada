"""Chinese titles that break between words, not between any two characters."""

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
_KEPT = 8
"""A clause up to this width, in Chinese characters, stays on a line. On a phone a line of a title has ten."""


def title_html(title: str, terms: Sequence[str] = ()) -> Markup:
    """A title as HTML; a Chinese one with `<wbr>` where its lines may break, never inside a term.

    HTML keeps its tags.
    """
    if not _HAN.search(title):
        return escape(title)
    if not isinstance(title, Markup):
        return Markup("<wbr>").join(map(escape, _cut(title, _breaks(title, terms))))
    fragments = [*fragments_of(str(title))]
    breaks = [*_breaks("".join(text for text in fragments if isinstance(text, str)), terms)]
    html, start = "", 0
    for fragment in fragments:
        if isinstance(fragment, str):
            end = start + len(fragment)
            html += "<wbr>".join(_cut(fragment, (at - start for at in breaks if start < at <= end)))
            start = end
        else:
            html += fragment.source
    return Markup(html)


def _cut(text: str, breaks: Iterable[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise((0, *breaks, len(text)))]


def _breaks(title: str, terms: Sequence[str]) -> Iterator[int]:
    """Where one word ends and another begins: after a clause, or in one that is too long for a line."""
    kept = {
        at
        for term in terms
        for match in re.finditer(re.escape(term), title)
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
