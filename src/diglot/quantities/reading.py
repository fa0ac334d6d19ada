"""Finds the quantities of a text.

A number in digits is a quantity with its unit, and without one as a bare count; both ends of a range share
the unit behind the second. Numbers in words are quantities only with a unit, because `one` and `一` are in
too many other words.
"""

import re
from collections.abc import Iterator

from diglot.languages import Language
from diglot.quantities import chinese, english
from diglot.quantities.free_numbers import without_free_numbers
from diglot.quantities.magnitudes import orders_at
from diglot.quantities.money import SIGN, money_at
from diglot.quantities.numerals import Numeral, number_at
from diglot.quantities.qualifiers import qualifier_at
from diglot.quantities.quantity import Qualifier, Quantity
from diglot.quantities.ranges import range_mark_at
from diglot.quantities.spans import COUNT, FRACTION, Span, read_over, stated
from diglot.quantities.units import Unit, unit_at

_START = re.compile(
    r"[½¼¾⅓-⅞]|(?<![A-Za-z0-9_.,/#&])[−-]?(?=\d)|(?:US)?[$¥￥€£](?=[ \u00a0]?\d)|\b(?=[A-Za-z])"
    r"|(?<![超通经难])(?=过半)|(?=大半)|(?=[零一二三四五六七八九十百千两半翻减加][\u3400-\u9fff])|(?<=[\u3400-\u9fff])(?=[零一二三四五六七八九十百两半])"
)
_SHAPE = re.compile(r"(?:[ \u00a0\u202f\u2009]?[×x✕*乘][ \u00a0\u202f\u2009]?|[ \u00a0-]by[ \u00a0-])(?=\d)")
_MULTIPLE = re.compile(r"[×x][ \u00a0]")
_RATIO = re.compile(r"(?:[:：∶]|[ \u00a0]?比[ \u00a0]?)(?=\d)")
_COMPARED = re.compile(r"[ \u00a0]?[大小多少快慢高低长短宽更]")
_GLYPHS = {
    **{"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5},
    **{"⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8},
}
_FRACTION = re.compile(r"(?<![\d.])([1-9])/([2-9]|10)(?![\d/.A-Za-z])")
_WAYS = re.compile("-[a-z]{3,}")
"""What an adjective counts: `8-way`."""
_STICKS = re.compile(r"[A-Za-z_\d]|-[A-Za-z]")
_OVER = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*|\d[\d.,]*\w*|.", re.S)
_SPELT = {"zh": chinese.HINT, "en": english.HINT}


def quantities_in(text: str, language: Language) -> tuple[Quantity, ...]:
    """The quantities of a text, in order."""
    if not any(map(str.isnumeric, text)) and not _SPELT[language].search(text):
        return ()
    return tuple(_found(without_free_numbers(text), text, language))


def _found(text: str, written: str, language: Language) -> Iterator[Quantity]:
    at = 0
    while (start := _START.search(text, at)) is not None:
        begin = start.start()
        span = _span_at(text, begin, language)
        if span is None:
            found = _OVER.match(text, begin)
            at = found.end() if found is not None else begin + 1
            continue
        if span.unit is not None:
            qualifier: Qualifier = "above" if span.is_more else qualifier_at(text, begin, span.end, language)
            yield _quantity(written[begin : span.end], begin, span, span.unit, qualifier)
        at = max(span.end, begin + 1)


def _span_at(text: str, begin: int, language: Language) -> Span | None:
    if text[begin] in _GLYPHS:
        return stated(begin + 1, _GLYPHS[text[begin]], FRACTION)
    if (sign := SIGN.match(text, begin)) is not None:
        return money_at(text, sign)
    if (number := number_at(text, begin)) is not None:
        return _in_digits(text, begin, number, language)
    return english.english_at(text, begin) if text[begin].isascii() else chinese.chinese_at(text, begin)


def _in_digits(text: str, begin: int, low: Numeral, language: Language) -> Span | None:
    if (parts := _FRACTION.match(text, begin)) is not None and int(parts[1]) < int(parts[2]):
        return stated(parts.end(), int(parts[1]) / int(parts[2]), FRACTION)
    if (shape := _shape_end(text, low)) is not None:
        return _verbatim(text, begin, shape, "shape")
    if (mark := _RATIO.match(text, low.end)) is not None:
        other = number_at(text, mark.end())
        if other is not None and not _COMPARED.match(text, other.end):
            return _verbatim(text, begin, other.end, "ratio")
    if (orders := orders_at(text, low)) is not None:
        return orders
    before = text[:begin]
    more = (chinese if language == "zh" else english).MORE.match(text, low.end)
    end = more.end() if more else low.end
    named = unit_at(text, end, per_before=before)
    high = low
    to = range_mark_at(text, named[1] if named else end, before)
    second = None if to is None else number_at(text, to)
    if second is not None and _shape_end(text, second) is None:
        behind = unit_at(text, second.end, per_before=before)
        scale = second.scale if low.scale == 1 else 1.0
        first = low._replace(value=low.value * scale, step=low.step * scale)
        if _is_range(first, named, second, behind):
            low, high, end = _in_unit_of(first, named, behind), second, second.end
            named = behind or named
    if named is None and (counted := _WAYS.match(text, end)) is not None:
        named = COUNT, counted.end()
    if named is None and _STICKS.match(text, end):
        return None
    factor = english.factor_before(before, end) if language == "en" else None
    unit, behind_unit = named or factor or (COUNT, end)
    return Span(max(end, behind_unit), low, high, unit, more is not None)


def _is_range(
    low: Numeral, low_unit: tuple[Unit, int] | None, high: Numeral, high_unit: tuple[Unit, int] | None
) -> bool:
    """Whether two numbers, each with the unit behind it, are the ends of one range."""
    if low_unit is not None and (high_unit is None or low_unit[0].base != high_unit[0].base):
        return False
    above = high_unit[0].factor if high_unit else 1.0
    below = low_unit[0].factor if low_unit else above
    return high.value * above > low.value * below


def _in_unit_of(low: Numeral, low_unit: tuple[Unit, int] | None, high: tuple[Unit, int] | None) -> Numeral:
    """The lower end in the unit of the upper one, which may be another: `180 ms to 1.2 s`."""
    if low_unit is None or high is None or low_unit[0] == high[0]:
        return low
    by = low_unit[0].factor / high[0].factor
    return low._replace(value=low.value * by, step=low.step * by)


def _shape_end(text: str, first: Numeral) -> int | None:
    """Where `128×128` or `16 x 20 x 28` ends; None where the number is no side of a shape."""
    end = None
    number: Numeral | None = first
    while number is not None:
        mark = None if _MULTIPLE.match(text, number.end) else _SHAPE.match(text, number.end)
        number = None if mark is None else number_at(text, mark.end())
        end = end if number is None else number.end
    return end


def _verbatim(text: str, begin: int, end: int, kind: str) -> Span:
    """A shape or a ratio: its unit holds its numbers, so that only the same ones agree."""
    return read_over(end)._replace(
        unit=Unit(f"{kind} {re.sub(r'[^0-9.]+', '×' if kind == 'shape' else ':', text[begin:end])}", 1.0)
    )


def _quantity(written: str, begin: int, span: Span, unit: Unit, qualifier: Qualifier) -> Quantity:
    factor, base = (unit.factor / 100, "fraction") if unit.base == "percent" else (unit.factor, unit.base)
    return Quantity(
        low=span.low.value * factor,
        high=span.high.value * factor,
        unit=base,
        step=span.low.step * factor,
        high_step=span.high.step * factor,
        qualifier=qualifier,
        start=begin,
        end=span.end,
        text=written,
        factor=factor,
    )
