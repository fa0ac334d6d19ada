"""Amounts of which only the magnitude is said: `dozens`, `a few hundred`, `几十`, `上千`, `数百万`.

They are no quantities, because they have no number; but both halves of a text name the same magnitude.
"""

import re
from collections.abc import Iterator

from diglot.languages import Language
from diglot.quantities.counts import Count
from diglot.quantities.numerals import SCALES, chinese_value

_FEW = r"(?:few|several|many|couple of|some)"
_SCALE = "dozen|hundred|thousand|million|billion|trillion"
_ENGLISH = re.compile(
    rf"\b(?:(?P<many>ten|dozen|hundred)s of(?: (?P<of>{_SCALE})s)?"
    rf"|{_FEW}[ \u00a0](?P<few>{_SCALE})"
    rf"|(?P<plural>{_SCALE})s)\b",
    re.I,
)
_TENS = {"ten": 10.0, "dozen": 10.0}
_CHINESE = re.compile(
    "成千上万|成百上千"
    "|(?<![参系总次个人倍位函指整倒分维层行列多少常变读算])[几数](?P<few>[十百千万亿]+)"
    "|(?<![以片芯线网路])上(?P<up>[百千万亿])(?!分|瓦|兆)"
)


def vague_amounts_in(text: str, language: Language) -> Iterator[Count]:
    """The amounts of a text that have no number, as powers of ten: 100 for `a few hundred` and `数百`."""
    return _in_chinese(text) if language == "zh" else _in_english(text)


def _in_english(text: str) -> Iterator[Count]:
    for found in _ENGLISH.finditer(text):
        of = _magnitude(found["of"]) if found["of"] else 1.0
        yield Count(_magnitude(found["many"] or found["few"] or found["plural"]) * of, found.group())


def _magnitude(word: str) -> float:
    return _TENS.get(word.lower()) or SCALES[word.lower()]


def _in_chinese(text: str) -> Iterator[Count]:
    for found in _CHINESE.finditer(text):
        scale = found["few"] or found["up"]
        value = chinese_value(f"一{scale}") if scale else None
        if value is not None:
            yield Count(value, found.group())
