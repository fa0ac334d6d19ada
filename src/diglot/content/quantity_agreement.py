"""Compares what two texts say in numbers: quantities with units, counts in words, ordinals, dates."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence

from diglot.content.differences import Difference
from diglot.content.pole_agreement import limits_differ
from diglot.content.role_agreement import are_exchanged
from diglot.content.sentence_pairs import sentence_at
from diglot.quantities.counts import Count, counts_in_words
from diglot.quantities.days import days_in
from diglot.quantities.free_numbers import years_in
from diglot.quantities.money import CURRENCIES
from diglot.quantities.ordinals import ordinals_in
from diglot.quantities.quantity import Quantity
from diglot.quantities.reading import quantities_in
from diglot.quantities.rough_shares import rough_shares_in
from diglot.quantities.units import Unit, units_alone
from diglot.quantities.vague_amounts import vague_amounts_in

Units = frozenset[Unit]
"""Units that a text has."""


def units_in(zh: str, en: str) -> tuple[Units, Units]:
    """The units that are in each of two texts."""
    return _units_of(quantities_in(zh, "zh"), zh), _units_of(quantities_in(en, "en"), en)


def compare_quantities(zh: str, en: str, units: tuple[Units, Units] | None = None) -> Iterator[Difference]:
    """The quantities, counts, magnitudes, ordinals and dates of two texts that differ.

    `units` are those that are around these texts, where they are parts of larger ones.
    """
    left, right = [*quantities_in(zh, "zh")], [*quantities_in(en, "en")]
    found = [*left], [*right]
    counts = [*counts_in_words(zh, "zh", left)], [*counts_in_words(en, "en", right)]
    numbers = _numbers_of(left, counts[0]), _numbers_of(right, counts[1])
    known = units or (_units_of(left, zh), _units_of(right, en))
    pairs = [
        pair
        for belong in (_same, _same_in_form, Quantity.agrees)
        for pair in _take_pairs(left, right, belong)
    ]
    for _ in range(2):  # without a range in one half, the end of one in the other may be free: 第389–412页
        named = (
            [one for one in left if _is_a_number_of(one, en, found[1])],
            [one for one in right if _is_a_number_of(one, zh, found[0])],
        )
        left, right = _without(left, named[0]), _without(right, named[1])
        found = _without(found[0], named[0]), _without(found[1], named[1])
    left, right = _ends(left), _ends(right)
    pairs += _take_pairs(left, right, lambda a, b: _is_a_fall_of(a, zh, b) or _is_a_fall_of(b, en, a))
    pairs += _take_pairs(left, right, lambda a, b: _agrees_loosely(a, b, known))
    if are_exchanged(zh, en):  # A是B的7倍: `B has a seventh of A`
        _take_pairs(left, right, _is_inverse)
    for quantity, rival in pairs:
        yield from _compare_limits(quantity, rival, zh, en)
        if _is_flop_against_op(quantity, rival) or _is_flop_against_op(rival, quantity):
            yield _told(f"“{quantity.text}” here, “{rival.text}” in the English half")
    for quantity, count in _take_counted(left, counts[1]):
        yield from _compare_limits(quantity, count, zh, en)
    for quantity, count in _take_counted(right, counts[0]):
        yield from _compare_limits(count, quantity, zh, en)
    yield from _compare_rough_shares(zh, en, left, right)
    for quantity, rival in (
        *_take_pairs(left, right, lambda a, b: a.unit == b.unit),
        *_take_pairs(left, right, _opposite),
    ):
        yield _told(f"“{quantity.text}” here, “{rival.text}” in the English half")
    for quantity in filter(_in_digits, left):
        yield _told(f"“{quantity.text}” is not in the English half")
    for quantity in filter(_in_digits, right):
        yield _told(f"“{quantity.text}” is only in the English half")
    ours, theirs = [*counts[0], *_counts_of(left)], [*counts[1], *_counts_of(right)]
    for here, there in _take_equal_counts(ours, theirs):
        yield from _compare_limits(here, there, zh, en)
    yield from _compare_counts(ours, theirs, numbers)
    for read in (vague_amounts_in, ordinals_in):
        yield from _compare_counts([*read(zh, "zh")], [*read(en, "en")])
    yield from _compare_years(zh, en)
    yield from _compare_days(zh, en)


def _compare_limits(one: Quantity | Count, other: Quantity | Count, zh: str, en: str) -> Iterator[Difference]:
    """What is said if the same number is a least one here and a most one there."""
    if {one.qualifier, other.qualifier} == {"above", "below"}:
        sentences = sentence_at(zh, one.start, "zh"), sentence_at(en, other.start, "en")
        if limits_differ(one.qualifier, other.qualifier, *sentences):
            less, more = ("less", "more") if one.qualifier == "below" else ("more", "less")
            yield _told(f"{less} than “{one.text}” here, {more} than “{other.text}” in the English half")


def _told(message: str) -> Difference:
    return Difference(rule="halves-quantity", message=message)


def _same(one: Quantity, other: Quantity) -> bool:
    """Whether both are written alike, so that of equal numbers those belong together that say the same."""
    return (
        one.agrees(other)
        and one.qualifier == other.qualifier
        and one.step == other.step
        and bool(_VERB.match(one.text)) == bool(_VERB.match(other.text))
    )


def _same_in_form(one: Quantity, other: Quantity) -> bool:
    return one.agrees(other) and _in_digits(one) == _in_digits(other)


def _take_pairs(
    left: list[Quantity], right: list[Quantity], belong: Callable[[Quantity, Quantity], bool]
) -> list[tuple[Quantity, Quantity]]:
    """Take the pairs that belong together out of both lists."""
    taken = []
    for quantity in tuple(left):
        twin = next((other for other in right if belong(quantity, other)), None)
        if twin is not None:
            left.remove(quantity)
            right.remove(twin)
            taken.append((quantity, twin))
    return taken


def _is_inverse(one: Quantity, other: Quantity) -> bool:
    """Whether one is how many times, and the other the share that is its inverse: 7倍, `a seventh`."""
    if {one.unit, other.unit} != {"times", "fraction"} or one.is_range or other.is_range:
        return False
    return math.isclose(one.low * other.low, 1.0, rel_tol=_ROUNDED)


_ROUNDED = 0.02


def _is_a_number_of(quantity: Quantity, twin: str, counted: Sequence[Quantity]) -> bool:
    """Whether a bare number is the number of a thing in the twin, no quantity: 第6台机器 is `machine 6`.

    So are `section 3.1` for 3.1节, and `pp. 389–412` for 第389–412页.
    """
    if quantity.unit or not _NUMBER_OF_A_THING.fullmatch(quantity.text):
        return False
    if not quantity.is_range and any(ordinal.value == quantity.low for ordinal in ordinals_in(twin, "zh")):
        return True  # 第三代 is `generation 3`
    ends = map(re.escape, _TO.split(quantity.text))
    number = re.compile(rf"(?<![\d.,]){_TO.pattern.join(ends)}(?!\d|[.,]\d)")
    return len(number.findall(twin)) > sum(len(number.findall(one.text)) for one in counted)


def _without(quantities: Sequence[Quantity], others: Collection[Quantity]) -> list[Quantity]:
    return [one for one in quantities if one not in others]


_TO = re.compile("[ \u00a0]?(?:[–—~～-]{1,2}|至|到|to)[ \u00a0]?")
_NUMBER_OF_A_THING = re.compile(rf"\d+(?:\.\d+)?(?:{_TO.pattern}\d+(?:\.\d+)?)?")
_FALLS_BEFORE = re.compile(
    "(?:[少降减跌掉低省落]|缩[小短减])(?:[了掉去低少]|约|近|大约|将近){0,2}[ \u00a0]?\\Z"
    r"|\b(?:down|drop\w*|f[ae]ll\w*|reduc\w+|decreas\w+|declin\w+|lower\w*|cut\w*|sav(?:es?|ed|ing)|less)"
    r"[ \u00a0](?:(?:by|of)[ \u00a0])?\Z",
    re.I,
)
_FALLS_BEHIND = re.compile(r"[ \u00a0](?:less|lower|fewer|drop|fall|decrease|reduction|decline)\b", re.I)


def _is_a_fall_of(change: Quantity, text: str, other: Quantity) -> bool:
    """Whether the words around a change give it the sign that the other one has: 少了20% is `-20%`."""
    if change.low < 0 or other.low >= 0 or change.is_range or other.is_range:
        return False
    negative = change._replace(low=-change.low, high=-change.high)
    before = text[max(0, change.start - _NEAR) : change.start]
    return negative.agrees(other) and bool(
        _FALLS_BEFORE.search(before) or _FALLS_BEHIND.match(text, change.end)
    )


_NEAR = 24


def _ends(quantities: Sequence[Quantity]) -> list[Quantity]:
    """The quantities with the two ends of ranges apart: `from 97% to 55%` is a change, no range."""
    return [
        end
        for quantity in quantities
        for end in (
            (
                quantity._replace(high=quantity.low, high_step=quantity.step),
                quantity._replace(low=quantity.high, step=quantity.high_step),
            )
            if quantity.is_range
            else (quantity,)
        )
    ]


def _units_of(quantities: Sequence[Quantity], text: str) -> Units:
    """The units of a text's quantities, and those that stand alone, as in the head of a table."""
    return frozenset(Unit(one.unit, one.factor) for one in quantities) | units_alone(text).keys()


_BINARY = re.compile(r"\d[ \u00a0]?[Kk](?![A-Za-z])")


def _agrees_loosely(one: Quantity, other: Quantity, units: tuple[Units, Units]) -> bool:
    """Whether both may say the same: half with 0.5 times, and a bare count with a count of anything.

    A bare number is of a unit that is elsewhere in its half, as in `from 46 to 2,307 TFLOP/s`, or is the
    side of a square. Of what a thing has, as in 每个参数2字节, the other half may say only `2 bytes`. A K may
    be 1,024.
    """
    if {one.unit, other.unit} == {"bit/s", "byte/s"}:
        return _in_bits(one).agrees(_in_bits(other))
    if one.unit == other.unit == "fraction" and (_is_limit_of(one, other) or _is_limit_of(other, one)):
        return True
    if {one.unit, other.unit} == {"fraction", "times"}:
        return one._replace(unit="").agrees(other._replace(unit=""))
    for bare, full, known in ((one, other, units[0]), (other, one, units[1])):
        if not bare.unit and full.unit == f"shape {bare.low:g}×{bare.low:g}":
            return True
        if not bare.unit and (full.factor == 1.0 or Unit(full.unit, full.factor) in known):
            return bare.agrees(full.as_written) or _in_thousands_of_1024(bare, full.as_written)
        if full.unit.startswith(f"{bare.unit}/") and _says_once(bare.unit, full.unit):
            is_same = bare._replace(unit=full.unit).agrees(full)
            return is_same or (bare.factor == 1.0 and bare.as_written.agrees(full.as_written))
    return one.agrees(other) or _in_thousands_of_1024(one, other)


def _in_bits(rate: Quantity) -> Quantity:
    """A rate in bits: 50 GB/s are 400 Gb/s."""
    if rate.unit != "byte/s":
        return rate
    low, high, step, high_step = (8 * one for one in (rate.low, rate.high, rate.step, rate.high_step))
    return rate._replace(low=low, high=high, step=step, high_step=high_step, unit="bit/s")


_FAR_ABOVE, _FAR_BELOW = 1.35, 0.8
_HALF = 0.5


def _is_limit_of(limit: Quantity, share: Quantity) -> bool:
    """Whether a limit in words may be said of a share: `过半` of 62%, `nearly half` of 47%."""
    if _in_digits(limit) or not _in_digits(share) or limit.is_range:
        return False
    if limit.qualifier == "above":
        most = 1.0 if limit.low == _HALF else _FAR_ABOVE * limit.low
        return limit.low <= share.low <= most
    return limit.qualifier == "below" and _FAR_BELOW * limit.low <= share.low <= limit.low


def _says_once(unit: str, per: str) -> bool:
    """Whether what something is per may be at one of several quantities: `from $4 to $2 an hour`.

    A rate has it always: bytes and bytes per second are different quantities.
    """
    return unit in CURRENCIES or not per.endswith("/s")


def _in_thousands_of_1024(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit and any(
        _BINARY.search(rounded.text) is not None and rounded.low * 1.024 == exact.low
        for rounded, exact in ((one, other), (other, one))
    )


_FLOP = re.compile("flop", re.I)
_OP = re.compile(r"(?<![A-Za-z])[kKMGTPE]?OPs?S?(?![A-Za-z])")


def _is_flop_against_op(one: Quantity, other: Quantity) -> bool:
    """Whether one has floating-point operations and the other integer ones; words may mean either."""
    return _FLOP.search(one.text) is not None and _OP.search(other.text) is not None


def _compare_rough_shares(
    zh: str, en: str, left: Sequence[Quantity], right: Sequence[Quantity]
) -> Iterator[Difference]:
    """`大多数` against `a third`, `most` against `少数`; `left` and `right` are what has no twin."""
    if _DENIES_ROUGHLY.search(zh) or _DENIES_ROUGHLY.search(en):
        return  # 少数专家被选中: `most are hardly ever chosen`
    here, there = rough_shares_in(zh, "zh"), rough_shares_in(en, "en")
    ours, theirs = ([one for one in own if one.unit == "fraction"] for own in (left, right))
    if len(here) == 1 and not there and len(theirs) == 1 and not ours and here[0].contradicts(theirs[0]):
        yield _told(f"“{here[0].text}” here, “{theirs[0].text}” in the English half")
    elif len(there) == 1 and not here and len(ours) == 1 and not theirs and there[0].contradicts(ours[0]):
        yield _told(f"“{ours[0].text}” here, “{there[0].text}” in the English half")
    elif len(here) == len(there) == 1 and here[0].is_most != there[0].is_most:
        yield _told(f"“{here[0].text}” here, “{there[0].text}” in the English half")


_DENIES_ROUGHLY = re.compile(
    r"[没未无]|不(?![同断到足止])|\b(?:not|no|never|cannot|without|hardly|barely|rarely|seldom)\b|n[’']t\b",
    re.I,
)
_VERB = re.compile("doubl|tripl|quadrupl|halv|翻|减|加", re.I)
_GROWS = re.compile("doubl|tripl|quadrupl|twice|翻|加了?一?倍", re.I)
_SHRINKS = re.compile("hal[vf]|减|一半", re.I)


def _opposite(one: Quantity, other: Quantity) -> bool:
    """Whether one half says that something grows, and the other that it shrinks."""
    return any(
        _GROWS.match(grows.text) and _SHRINKS.match(shrinks.text)
        for grows, shrinks in ((one, other), (other, one))
    )


def _in_digits(quantity: Quantity) -> bool:
    """Whether it has digits: in words, one language often says more than the other."""
    return any(character.isdigit() for character in quantity.text)


# ---- counts in words


def _take_counted(quantities: list[Quantity], counts: list[Count]) -> list[tuple[Quantity, Count]]:
    """Take out what one half has in digits and the other in words: 3次 and `three`."""
    taken = []
    for quantity in tuple(quantities):
        written = quantity.as_written.low
        count = next((one for one in counts if one.value in (quantity.low, written)), None)
        if count is not None and not quantity.is_range and _in_digits(quantity):
            quantities.remove(quantity)
            counts.remove(count)
            taken.append((quantity, count))
    return taken


_NO_THINGS = ("fraction", "times", "point", "year", "month")


def _counts_of(quantities: Sequence[Quantity]) -> Iterator[Count]:
    """Quantities in words that only one half has: `三行` is one, `three lines` is a mere count."""
    for quantity in quantities:
        if not _in_digits(quantity) and quantity.factor == 1.0 and quantity.unit not in _NO_THINGS:
            number = quantity.as_written.low
            yield Count(number, quantity.text, qualifier=quantity.qualifier, start=quantity.start)


def _numbers_of(quantities: Sequence[Quantity], counts: Sequence[Count]) -> frozenset[float]:
    """All numbers of a text, as written and in base units."""
    return frozenset(
        (
            *(count.value for count in counts),
            *(end for one in quantities for end in (one.low, one.high)),
            *(end for one in quantities for end in (one.as_written.low, one.as_written.high)),
        )
    )


def _take_equal_counts(left: list[Count], right: list[Count]) -> list[tuple[Count, Count]]:
    """Take the counts that are the same in both halves out of both lists."""
    taken = []
    for count in tuple(left):
        alike = (other for other in right if other.value == count.value)
        twin = min(alike, key=lambda other: other.counts, default=None)  # `both` before `two`
        if twin is not None:
            left.remove(count)
            right.remove(twin)
            taken.append((count, twin))
    return taken


def _compare_counts(
    left: list[Count],
    right: list[Count],
    numbers: tuple[Collection[float], Collection[float]] | None = None,
) -> Iterator[Difference]:
    """Counts of which each half has one that the other has not.

    With all `numbers` of both texts, also those of three or more that only one has.
    """
    _take_equal_counts(left, right)
    here, there = ([one for one in counts if one.counts] for counts in (left, right))
    if here and there:
        yield _told(f"“{here[0].text}” here, “{there[0].text}” in the English half")
    elif numbers is not None:
        for count in here:
            if count.is_missed and count.value not in numbers[1]:
                yield _told(f"“{count.text}” is not in the English half")
        for count in there:
            if count.is_missed and count.value not in numbers[0]:
                yield _told(f"“{count.text}” is only in the English half")


def _compare_years(zh: str, en: str) -> Iterator[Difference]:
    here, there = years_in(zh), years_in(en)
    if here - there and there - here:
        yield _told(f"“{min(here - there)}” here, “{min(there - here)}” in the English half")


def _compare_days(zh: str, en: str) -> Iterator[Difference]:
    days = [*days_in(zh, "zh")], [*days_in(en, "en")]
    here, there = (
        [day for day in own if not any(map(day.may_be, other))] for own, other in (days, days[::-1])
    )
    if here and there:
        yield _told(f"“{here[0].text}” here, “{there[0].text}” in the English half")
