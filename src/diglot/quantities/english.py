"""English quantities in words: `twice`, `two thirds`, `an order of magnitude`, `twenty-four cycles`."""

import re

from diglot.quantities.numerals import english_words_at
from diglot.quantities.ranges import range_mark_at
from diglot.quantities.spans import FRACTION, TIMES, Span, read_over, stated
from diglot.quantities.units import Unit, unit_at

HINT = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|billion|trillion|dozen|half|halves|halved?|halving|thirds?|quarters?"
    r"|fifths?|sixths?|eighths?|tenths?|twice|thrice|doubl\w+|tripl\w+|quadrupl\w+|magnitude|\w+fold)\b",
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
        (r"two orders of magnitude", 100.0, TIMES),
        (r"three orders of magnitude", 1000.0, TIMES),
        (r"twice|doubl(?:e[sd]?|ing)|two-?fold", 2.0, TIMES),
        (r"thrice|tripl(?:e[sd]?|ing)|three-?fold", 3.0, TIMES),
        (r"quadrupl(?:e[sd]?|ing)|four-?fold", 4.0, TIMES),
        (r"five-?fold", 5.0, TIMES),
        (r"ten-?fold", 10.0, TIMES),
        (r"(?:a )?hundred-?fold", 100.0, TIMES),
        (r"half|halve[sd]?|halving", 0.5, FRACTION),
        (r"(?:a|one)[- ]third", 1 / 3, FRACTION),
        (r"two[- ]thirds", 2 / 3, FRACTION),
        (r"(?:a|one)[- ]quarter", 0.25, FRACTION),
        (r"three[- ]quarters", 0.75, FRACTION),
        (r"(?:a|one)[- ]fifth", 0.2, FRACTION),
        (r"two[- ]fifths", 0.4, FRACTION),
        (r"three[- ]fifths", 0.6, FRACTION),
        (r"four[- ]fifths", 0.8, FRACTION),
        (r"(?:a|one)[- ]sixth", 1 / 6, FRACTION),
        (r"(?:a|one)[- ]eighth", 0.125, FRACTION),
        (r"(?:a|one)[- ]tenth", 0.1, FRACTION),
        (r"(?:a|one)[- ]hundredth", 0.01, FRACTION),
    )
)
_IDIOMS = re.compile(
    r"half[- ](?:of it|precision|way|life|hour|day|year|duplex|open|an hour)|halfway"
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
            return stated(found.end(), value, unit)
    low = english_words_at(text, begin)
    if low is None:
        return None
    high = low
    named = unit_at(text, low.end)
    to = None if named else range_mark_at(text, low.end, text[:begin])
    if to is not None and (second := english_words_at(text, to)) is not None and second.value > low.value:
        high, named = second, unit_at(text, second.end)
    named = named or factor_before(text[:begin], high.end)
    if named is None or low.value < 2:
        return read_over(low.end)
    return Span(named[1], low, high, named[0])


_FACTOR = re.compile(
    r"\b[Ff]actors? of (?:about |around |roughly |almost |nearly |up to |over |only |just )?\Z"
)


def factor_before(before: str, end: int) -> tuple[Unit, int] | None:
    """Times, where the words before a number without a unit say so: `a factor of three`."""
    return (TIMES, end) if _FACTOR.search(before[-30:]) else None
