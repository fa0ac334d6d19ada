"""Chinese titles that break between words, not between any two characters."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

_HAN = "\u3400-\u9fff"
_WORD = re.compile(f"[{_HAN}]")
# No line begins with what closes or ends with what opens. A number and its measure word stay together, and so
# do a word and the single character that belongs to it: 矩阵|乘, 的|人|说; some belong to what follows.
_OPENING, _CLOSING = frozenset("（《「『“‘"), frozenset("，。：；、！？）》」』”’…%")
_LEADING = frozenset("与和或而但就再从把被比在每对由向跟也都才只最更先若因不")


def title_html(title: str, terms: Sequence[str] = ()) -> Markup:
    """A title as HTML; a Chinese one with `<wbr>` where its lines may break, never inside a term."""
    if isinstance(title, Markup) or not _WORD.search(title):
        return escape(title)
    inside = {
        at
        for term in terms
        for found in re.finditer(re.escape(term), title)
        for at in range(found.start() + 1, found.end())
    }
    ends = [end for end in _breaks(title) if end not in inside]
    return Markup("<wbr>").join(escape(title[start:end]) for start, end in pairwise((0, *ends, len(title))))


def _breaks(title: str) -> Iterator[int]:
    """Where one word ends and another begins, of which at least one is Chinese."""
    import rjieba  # noqa: PLC0415  (its dictionary takes a third of a second; only Chinese titles need it)

    end = 0
    for word, following in pairwise(rjieba.cut(title)):
        end += len(word)
        last, first = word[-1], following[0]
        if (
            (_WORD.match(last) or _WORD.match(first) or last in _CLOSING or first in _OPENING)
            and last not in _OPENING
            and first not in _CLOSING
            and not (last.isdecimal() and _WORD.match(first))
            and not (len(following) == 1 and _WORD.match(first) and first not in _LEADING)
            and not (len(word) == 1 and last in _LEADING)
        ):
            yield end
