"""Filters that format numbers as text: `| number(1)`, `| si("FLOP/s")`.

A number is rounded once, from its exact value, half to even. A number other than 0 that would be shown as 0
is refused, because readers would be misled.
"""

import math
import re
from collections.abc import Callable
from typing import Any

from diglot.expressions.arithmetic import Number, checked, is_number
from diglot.expressions.mistakes import ValueMistake, no_such_format, shown
from diglot.languages import (
    Language,
    exact_number,
    format_number,
    format_ratio,
    shows_something,
    times_ten_to,
)
from diglot.years import Year, ungrouped

_NO_BREAK = "\N{NO-BREAK SPACE}"  # keeps a number and its unit on one line
MOST_DECIMALS = 15
_PREFIXES: dict[int, str] = dict(zip(range(-30, 31, 3), [*"qryzafpnµm", "", *"kMGTPEZYRQ"], strict=True))
"""By power of ten."""
_LEAST_POWER, _LARGEST_POWER = min(_PREFIXES), max(_PREFIXES)
_POWERS = {prefix: power for power, prefix in _PREFIXES.items()}
_BINARY = {
    prefix: 1024**n for n, prefix in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"), start=1)
}
_BASE_UNIT = re.compile(r"(?:FLOPs?|OPs?|Bytes?|bits?|tokens?|Wh|Hz|USD|B|b|W|s|J|V|A)(?![A-Za-z])")
_MOST_UNIT_CHARACTERS = 40
_MOST_DIGITS_OF_SHORT, _NO_NOISE_FROM = 12, 1e12
_LARGE: dict[Language, tuple[tuple[int, str], ...]] = {
    "zh": ((1, ""), (10**4, "万"), (10**8, "亿")),
    "en": ((1, ""), (10**3, "thousand"), (10**6, "million"), (10**9, "billion")),
}


def as_number(value: Any, digits: Any = 0) -> str:
    """A number with `digits` decimals: `1,024`. Raises ValueMistake."""
    number = number_checked(value, "number")
    digits = decimals_checked(digits, "number")
    if isinstance(number, Year) and not digits:
        return str(int(number))
    return _written(number, "number", digits, lambda decimals: format_number(number, decimals))


def as_percent(value: Any, digits: Any = 0) -> str:
    """A share from 0 to 1 in percent: `97%`. Raises ValueMistake."""
    numerator, denominator = (number := number_checked(value, "percent")).as_integer_ratio()
    digits = decimals_checked(digits, "percent")
    text = _written(
        number, "percent", digits, lambda decimals: _fraction(100 * numerator, denominator, decimals)
    )
    return f"{text}%"


def as_name(value: Any) -> str:
    """A number that is a name, such as a year or a port, with all its digits: `2026`. Raises ValueMistake."""
    return ungrouped(without_noise(checked(number_checked(value, "plain"))))


def without_noise(value: Number) -> Number:
    """The short decimal that a float stands for, where binary fractions missed it by a few last places.

    0.1 + 0.2 stands for 0.3. A number that needs more than twelve digits, such as 1/3, stays as it is.
    """
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = f"{value:.15g}"
    digits = short.lstrip("-0.").partition("e")[0].replace(".", "")
    if len(digits) > _MOST_DIGITS_OF_SHORT or abs(value) >= _NO_NOISE_FROM:
        return value
    return float(short) if abs(float(short) - value) <= 3 * math.ulp(value) else value


def in_unit(value: Any, unit: Any, digits: Any = 0) -> str:
    """A quantity in base units, converted to `unit`: `4,800 GB/s`, `80 GiB`. Raises ValueMistake."""
    numerator, denominator = (number := number_checked(value, "unit")).as_integer_ratio()
    digits = decimals_checked(digits, "unit")
    unit = _unit_checked(unit, "unit")
    prefix = _prefix_of(unit)
    if prefix in _BINARY:
        denominator *= _BINARY[prefix]
    else:
        numerator, denominator = _shifted(numerator, denominator, -_POWERS[prefix])
    text = _written(
        number,
        f'unit("{unit}", …)',
        digits,
        lambda decimals: _fraction(numerator, denominator, decimals),
        otherwise=f'`| si("{unit.removeprefix(prefix)}")` chooses a suitable prefix.',
    )
    return f"{text}{_NO_BREAK}{unit}"


def with_prefix(value: Any, unit: Any, digits: Any = None) -> str:
    """A quantity in base units with a suitable prefix: `4.8 TB/s`; by default with three digits.

    Beyond the largest and smallest prefixes it has a power of ten: `1 × 10⁻³⁵ s`. Raises ValueMistake.
    """
    number, unit = number_checked(value, "si"), _unit_checked(unit, "si")
    if digits is None:
        text, prefix = _significant(number)
        return f"{text}{_NO_BREAK}{prefix}{unit}"
    digits = decimals_checked(digits, "si")
    ratio = number.as_integer_ratio()
    power = _power_of_prefix(_exponent(number)) if number else 0
    # The prefix follows the rounded number: 999.9996 is shown as 1,000, which takes the next prefix.
    text = _fraction(*_shifted(*ratio, -power), digits)
    if "," in text and power < _LARGEST_POWER:
        power += 3
    text = _written(
        number, f'si("{unit}", …)', digits, lambda decimals: _fraction(*_shifted(*ratio, -power), decimals)
    )
    return f"{text}{_NO_BREAK}{_PREFIXES[power]}{unit}"


def in_words(value: Any, digits: Any, language: Language) -> str:
    """A large number in words of the language, for prose: `1.2亿`, `120 million`. Raises ValueMistake."""
    numerator, denominator = (number := number_checked(value, "large")).as_integer_ratio()
    digits = decimals_checked(digits, "large")
    scales = _LARGE[language]
    # The word follows the rounded number: 999,999,999 is shown as a billion.
    text, word = next(
        (text, word)
        for (scale, word), (following, _) in zip(scales, (*scales[1:], (None, "")), strict=True)
        for text in [_fraction(numerator, denominator * scale, digits)]
        if following is None or _size(text) * scale < following
    )
    if not word:
        text = _written(number, "large", digits, lambda decimals: _fraction(numerator, denominator, decimals))
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text}{word}" if language == "zh" or not word else f"{text}{_NO_BREAK}{word}"


def number_checked(value: Any, name: str) -> Number:
    """The value itself. Raises ValueMistake where it is not a number."""
    if not is_number(value):
        raise no_such_format(
            f"`| {name}` needs a number, but {shown(value)} is not a number",
            "put a single number before the bar.",
        )
    return value  # type: ignore[no-any-return]  # is_number has checked it


def decimals_checked(digits: Any, name: str, *, least: int = 0) -> int:
    """The number of digits that an author asks for. Raises ValueMistake where it is not allowed."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not least <= digits <= MOST_DECIMALS:
        raise no_such_format(
            f"{shown(digits)} digits cannot be shown",
            f"use a whole number from {least} to {MOST_DECIMALS}: `| {name}(…)`.",
        )
    return digits


def vanished(value: Number, name: str, fix: str) -> ValueMistake:
    """The mistake for a number that would be shown as 0."""
    return no_such_format(f"{exact_number(value)} would be shown as 0 by `| {name}`", fix)


def _written(
    value: Number, name: str, digits: int, write: Callable[[int], str], *, otherwise: str | None = None
) -> str:
    """The text with `digits` decimals. Raises ValueMistake where it shows 0 and the value is not 0."""
    text = write(digits)
    if not value or shows_something(text):
        return text
    enough = next((n for n in range(digits + 1, MOST_DECIMALS + 1) if shows_something(write(n))), None)
    if enough is not None:
        fix = f"use more digits: with {enough}, it is shown as {write(enough)}."
    else:
        fix = otherwise or "leave the filter out: then the number is shown with all its digits."
    raise vanished(value, f"{name}({digits})" if "(" not in name else name.replace("…", str(digits)), fix)


def _fraction(numerator: int, denominator: int, digits: int) -> str:
    """A fraction with `digits` decimals. Raises ValueMistake for too many digits before the point."""
    checked(abs(numerator) // denominator + 1)
    return format_ratio(numerator, denominator, digits)


def _unit_checked(unit: Any, name: str) -> str:
    if not isinstance(unit, str) or not unit.strip() or len(unit) > _MOST_UNIT_CHARACTERS:
        raise no_such_format(f"{shown(unit)} is not a unit", f'write it as in `| {name}("B/s")`.')
    return unit


def base_unit(unit: str) -> str:
    """A unit without its prefix: `B/s` for `GB/s`. One that `| unit` does not know stays as it is."""
    try:
        return unit.removeprefix(_prefix_of(unit))
    except ValueMistake:
        return unit


def _prefix_of(unit: str) -> str:
    """The prefix of a unit. Raises ValueMistake for unknown units."""
    if _BASE_UNIT.match(unit):
        return ""
    for prefix in (*_BINARY, *_POWERS):
        if prefix and unit.startswith(prefix) and _BASE_UNIT.match(unit, len(prefix)):
            return prefix
    raise no_such_format(
        f'"{unit}" is not a unit that `| unit` knows',
        "write it with its prefix, as in GB/s, GiB, TFLOP/s, ms; or use `| number` and write "
        "the unit yourself.",
    )


def _shifted(numerator: int, denominator: int, power: int) -> tuple[int, int]:
    """A fraction multiplied by a power of ten."""
    if power >= 0:
        return numerator * 10**power, denominator
    return numerator, denominator * 10**-power


def _exponent(value: Number) -> int:
    """The power of ten of the first digit."""
    if isinstance(value, int):
        return len(str(abs(value))) - 1
    return int(f"{value:.17e}".partition("e")[2])


def _power_of_prefix(exponent: int) -> int:
    return max(_LEAST_POWER, min(exponent // 3 * 3, _LARGEST_POWER))


def _significant(value: Number) -> tuple[str, str]:
    """A number with three significant digits, and a suitable prefix."""
    if not value:
        return "0", ""
    # Rounded first: a number that is shown as 1,000 takes the next prefix.
    digits, exponent = _three_digits(abs(value))
    power = exponent // 3 * 3
    whole = exponent - power + 1 if power in _PREFIXES else 1
    text = f"{digits[:whole]}.{digits[whole:]}".rstrip("0").rstrip(".")
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    if power in _PREFIXES:
        return sign + text, _PREFIXES[power]
    return sign + times_ten_to(text, exponent), ""


def _three_digits(value: Number) -> tuple[str, int]:
    """The first three digits of a positive number, rounded, and the power of ten of the first one."""
    if isinstance(value, float):
        mantissa, _, power = f"{value:.2e}".partition("e")
        return mantissa.replace(".", ""), int(power)
    exponent = _exponent(value)
    numerator, denominator = _shifted(value, 1, 2 - exponent)
    text = format_ratio(numerator, denominator).replace(",", "")  # always short, unlike the number itself
    return text[:3], exponent + len(text) - 3


def _size(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "").replace(",", ""))
