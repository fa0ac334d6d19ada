"""English quantities in words: `twice`, `two thirds`, `an order of magnitude`, `twenty-four cycles`."""

import re

from diglot.quantities.magnitudes import orders_at
from diglot.quantities.numerals import SCALES, english_words_at, is_vague
from diglot.quantities.ranges import range_mark_at
from diglot.quantities.spans import FRACTION, TIMES, Span, read_over, stated
from diglot.quantities.units import DIVISIBLE, Unit, unit_at

_PARTS = {
    **{"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8},
    **{"ninth": 9, "tenth": 10, "twelfth": 12, "sixteenth": 16, "twentieth": 20, "hundredth": 100},
    "thousandth": 1000,
}
_PART = "|".join(_PARTS)
_BELOW_TEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
HINT = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion|trillion|dozen|half|halves|halved?|halving"
    rf"|(?:{_PART})s?|twice|thrice|doubl\w+|tripl\w+|quadrupl\w+|magnitude|\w+fold)\b",
    re.I,
)
"""What a text with a quantity in words has in it."""
_MAY_BEGIN = re.compile(rf"(?:an?|one|zero|first|second|both|halfway)\b|{HINT.pattern}", re.I)
"""What such a quantity, or an idiom that looks like one, begins with."""

_PHRASES = tuple(
    (re.compile(rf"(?:{pattern})\b", re.I), value, unit)
    for pattern, value, unit in (
        (r"half an order of magnitude", 10**0.5, TIMES),
        (r"(?:an |one )order of magnitude", 10.0, TIMES),
        (r"twice|doubl(?:e[sd]?|ing)", 2.0, TIMES),
        (r"thrice|tripl(?:e[sd]?|ing)", 3.0, TIMES),
        (r"quadrupl(?:e[sd]?|ing)", 4.0, TIMES),
        (r"half|halve[sd]?|halving", 0.5, FRACTION),
    )
)
_FRACTION = re.compile(
    rf"(?:(?:an?|one)[ \u00a0-](?P<one>{_PART})"
    rf"|(?P<count>{'|'.join(_BELOW_TEN[1:])})[ \u00a0-](?P<many>{_PART})s)\b",
    re.I,
)
_OF_SEVERAL = re.compile(
    r"(?<!the )(?:one (?:in|of|out of)(?: every)? (?=[a-z])"
    rf"|(?P<count>{'|'.join(_BELOW_TEN)}) (?:in|out of) (?=ten\b|an? (?:hundred|thousand)\b))",
    re.I,
)
_EVERY = re.compile(r"\bevery[ \u00a0]\Z", re.I)
_NTH = re.compile(rf"(?:{_PART})\b", re.I)
_FOLD = re.compile(r"(?:a )?(?P<count>[a-z]+)-?fold\b", re.I)
MORE = re.compile("-odd")
_AND_A_HALF = re.compile(r"[ \u00a0]and[ \u00a0]a[ \u00a0](half|quarter)\b", re.I)
_BIG = "thousand|million|billion|trillion"
_OF_A = re.compile(
    rf"(?:[ \u00a0](?:of[ \u00a0])?an?|(?=-(?:{_BIG})))(?:[- \u00a0](?P<scale>{_BIG}))?(?=[ \u00a0])",
    re.I,
)
_IDIOMS = re.compile(
    r"half[- ](?:of it|precision|way|life|hour|day|year|duplex|open)|halfway"
    r"|second half|first half|both halves"
    r"|double[- ](?:precision|buffer\w*|click\w*|check\w*|quote\w*)|quarter of (?:a century|the year)",
    re.I,
)


def english_at(text: str, begin: int) -> Span | None:
    """The quantity in English words at a place; None for other words."""
    if not _MAY_BEGIN.match(text, begin):
        return None
    if (idiom := _IDIOMS.match(text, begin)) is not None:
        return read_over(idiom.end())
    for pattern, value, unit in _PHRASES:
        if (found := pattern.match(text, begin)) is not None:
            return _part_of(text, found.end(), value) if value == _HALF else stated(found.end(), value, unit)
    if (share_of := _one_in(text, begin)) is not None:
        return share_of
    if (part := _FRACTION.match(text, begin)) is not None:
        count = english_words_at(part["count"] or "one", 0)
        share = 1 / _PARTS[(part["one"] or part["many"]).lower()]
        return None if count is None else _part_of(text, part.end(), count.value * share)
    fold = _FOLD.match(text, begin)
    if fold is not None and (count := english_words_at(fold["count"], 0)) is not None:
        return stated(fold.end(), count.value, TIMES)
    low = english_words_at(text, begin)
    if low is None:
        return None
    if is_vague(text, begin):
        return read_over(low.end)
    if (orders := orders_at(text, low)) is not None:
        return orders
    more = MORE.match(text, low.end)
    if more is not None:
        low = low._replace(end=more.end())
    elif (half := _AND_A_HALF.match(text, low.end)) is not None:
        low = low._replace(value=low.value + 1 / _PARTS.get(half[1].lower(), 2), end=half.end())
    high = low
    named = unit_at(text, low.end)
    to = None if named else range_mark_at(text, low.end, text[:begin])
    if to is not None and (second := english_words_at(text, to)) is not None and second.value > low.value:
        high, named = second, unit_at(text, second.end)
    named = named or factor_before(text[:begin], high.end)
    if named is None or low.value <= 1:
        return read_over(low.end)
    return Span(named[1], low, high, named[0], more is not None)


def _one_in(text: str, begin: int) -> Span | None:
    """`one in three`, `seven out of ten`, `every fifth`."""
    if (nth := _NTH.match(text, begin)) is not None and _EVERY.search(text[:begin]):
        return stated(nth.end(), 1 / _PARTS[nth.group().lower()], FRACTION)
    found = _OF_SEVERAL.match(text, begin)
    several = None if found is None else english_words_at(text, found.end())
    if found is None or several is None or several.value <= 1:
        return None
    count = _BELOW_TEN.index(found["count"].lower()) + 1 if found["count"] else 1
    return stated(several.end, count / several.value, FRACTION)


_HALF = 0.5


def _part_of(text: str, end: int, value: float) -> Span:
    """A fraction, or what it is a part of: `a quarter of a second`, `half a million tokens`."""
    found = _OF_A.match(text, end)
    if found is not None:
        scale = SCALES[found["scale"].lower()] if found["scale"] else 1.0
        named = unit_at(text, found.end())
        if named is not None and (found["scale"] or named[0].base in DIVISIBLE):
            return stated(named[1], value * scale, named[0])
    return stated(end, value, FRACTION)


_FACTOR = re.compile(
    r"\b[Ff]actors? of (?:about |around |roughly |almost |nearly |up to |over |only |just )?\Z"
)


def factor_before(before: str, end: int) -> tuple[Unit, int] | None:
    """Times, where the words before a number without a unit say so: `a factor of three`."""
    return (TIMES, end) if _FACTOR.search(before[-30:]) else None
