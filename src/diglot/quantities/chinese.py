"""Chinese quantities in words: `三分之二`, `七八成`, `翻倍`, `两倍多`, `一百二十八行`, `一个半小时`."""

import re

from diglot.quantities.magnitudes import orders_at
from diglot.quantities.numerals import Numeral, chinese_value, chinese_words_at, is_vague, number_at
from diglot.quantities.ranges import range_mark_at
from diglot.quantities.spans import FRACTION, TIMES, Span, read_over, stated
from diglot.quantities.units import DIVISIBLE, Unit, unit_at

HINT = re.compile("[零一二三四五六七八九十百千两半翻]")
"""What a text with a quantity in words has in it."""

_NEARLY = "(?:将近|接近|近|大约|约|差不多|整整|不止)?"
_PHRASES = tuple(
    (re.compile(pattern), value, unit)
    for pattern, value, unit in (
        ("半个数量级", 10**0.5, TIMES),
        (rf"翻了?{_NEARLY}(?:一番|一?倍)|加了?{_NEARLY}一?倍", 2.0, TIMES),
        (rf"翻了?{_NEARLY}两倍", 3.0, TIMES),
        (rf"翻了?{_NEARLY}两番", 4.0, TIMES),
        ("(?<=[快慢高大多贵长了出])一倍(?!半)", 2.0, TIMES),
        ("一倍半", 1.5, TIMES),
        ("减了?半|一半|半数|半个|(?<=近)半(?![个天年小分秒导径])", 0.5, FRACTION),
    )
)
_OVER_HALF = re.compile("[过大]半(?![导径精衰个天年小分秒圈])")
_IDIOMS = re.compile(
    "千万(?=[别不要])|万一|百分(?!之)|一一|十分(?!之|钟)|七七八八|三三两两|百科|千变万化|百年|两者|两边|两头|两端|两半|两种语言"
)
_FRACTION = re.compile(
    "([零一二三四五六七八九十百千万两]+)分之([零一二三四五六七八九十百千两半]+(?:点[零一二三四五六七八九]+)?)"
)
_PERCENT = re.compile("百分之[ \u00a0]?(?=\\d)")
_TENTHS = re.compile(
    "([一二三四五六七八九两])([二三四五六七八九])?成([一二三四五六七八九])?(?![为了功立本员熟效绩果分型像])"
)
_OF_SEVERAL = re.compile(
    "(?P<several>[二三四五六七八九十百千两]+)(?P<measure>[个次条颗台种])[^，。；：！？]{0,8}?"
    "(?:(?<=[里中])(?:就|只|大约)?有|就有|(?P<only>有))(?:不到)?(?P<count>[一二三四五六七八九两])(?P=measure)"
)
_NEIGHBOURS = re.compile("([一二三四五六七八])([二三四五六七八九])([十百千万亿]*)")
_AND_A_HALF = re.compile("([一二三四五六七八九两])个半(?=小时|月)")
_HALF_OF = re.compile("半个?(?=小时|分钟|秒|天|年)")
MORE = re.compile("[多余来几](?!数)")


def chinese_at(text: str, begin: int) -> Span | None:
    """The quantity in Chinese words at a place; None for other words."""
    if (idiom := _IDIOMS.match(text, begin)) is not None:
        return read_over(idiom.end())
    if (part := _part_at(text, begin)) is not None:
        return part
    if (over := _OVER_HALF.match(text, begin)) is not None:
        return stated(over.end(), 0.5, FRACTION, is_more=True)
    for pattern, value, unit in _PHRASES:
        if (found := pattern.match(text, begin)) is not None:
            return stated(found.end(), value, unit)
    if (several := _several_at(text, begin)) is not None:
        return several
    for pattern in (_AND_A_HALF, _HALF_OF):
        if (half := pattern.match(text, begin)) is not None and (
            named := unit_at(text, half.end())
        ) is not None:
            whole = chinese_value(half[1]) if half.re is _AND_A_HALF else 0
            return stated(named[1], (whole or 0) + 0.5, named[0])
    return _numeral_at(text, begin)


def _part_at(text: str, begin: int) -> Span | None:
    """`三分之二`, `三成`, `七八成`, `六成五`, `每五个请求就有一个`."""
    if (share := _share_at(text, begin)) is not None:
        return share
    if (fraction := _FRACTION.match(text, begin)) is not None:
        below, above = chinese_value(fraction[1]), chinese_value(fraction[2].replace("半", "零点五"))
        if not below or above is None:
            return None
        named = unit_at(text, fraction.end())
        unit, end = named if named and named[0].base in DIVISIBLE else (FRACTION, fraction.end())
        return stated(end, above / below, unit)
    if (percent := _PERCENT.match(text, begin)) is not None:
        number = number_at(text, percent.end())
        return None if number is None else Span(number.end, number, number, Unit("percent", 1.0))
    tenths = _TENTHS.match(text, begin)
    if tenths is None:
        return None
    low, high, hundredths = (chinese_value(digit) or 0 if digit else 0 for digit in tenths.groups())
    low_fraction = low / 10 + hundredths / 100
    return stated(tenths.end(), low_fraction, FRACTION, max(low_fraction, high / 10))


def _share_at(text: str, begin: int) -> Span | None:
    """`每五个请求有一个`, `十个里有七个`."""
    found = _OF_SEVERAL.match(text, begin)
    if found is None or (found["only"] and text[begin - 1 : begin] != "每"):
        return None
    several, count = chinese_value(found["several"]) or 0, chinese_value(found["count"]) or 0
    if several <= count or (count > 1 and several not in (10, 100, 1000)):
        return None
    return stated(found.end(), count / several, FRACTION)


def _several_at(text: str, begin: int) -> Span | None:
    """`三四倍` and `二三十行`: a range of two neighbours."""
    found = _NEIGHBOURS.match(text, begin)
    if found is None:
        return None
    low, high = chinese_value(found[1]) or 0, chinese_value(found[2]) or 0
    scale = (chinese_value(f"一{found[3]}") or 1) if found[3] else 1
    named = unit_at(text, found.end(), per_before=text[:begin])
    if named is None or high != low + 1:
        return read_over(found.end())
    return stated(named[1], low * scale, named[0], high * scale)


def _numeral_at(text: str, begin: int) -> Span | None:
    """`一百二十八行`, `两倍多`, `两年半`."""
    number = chinese_words_at(text, begin)
    if number is None:
        return None
    if is_vague(text, begin):
        return read_over(number.end)
    if (orders := orders_at(text, number)) is not None:
        return orders
    if (ends := _range_at(text, begin, number)) is not None:
        return ends
    more = MORE.match(text, number.end)
    named = unit_at(text, more.end() if more else number.end, per_before=text[:begin])
    is_scale = text[begin - 1 : begin] == "每" and text[begin] in "百千万亿十"
    if named is None or number.value in (0, 1) or is_scale:
        return read_over(number.end)
    unit, end = named
    value = number.value
    if text[end : end + 1] == "半" and unit.base in ("times", "s", "year"):
        value, end = value + 0.5, end + 1
    is_more = more is not None or (text[end : end + 1] == "多" and text[end : end + 2] != "多数")
    return stated(end, value, unit, is_more=is_more)


def _range_at(text: str, begin: int, low: Numeral) -> Span | None:
    """`三到五倍`: a range whose unit is behind its second end."""
    to = range_mark_at(text, low.end, text[:begin])
    high = None if to is None else chinese_words_at(text, to)
    named = None if high is None else unit_at(text, high.end, per_before=text[:begin])
    if high is None or named is None or high.value <= low.value:
        return None
    return stated(named[1], low.value, named[0], high.value)
