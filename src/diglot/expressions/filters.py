"""The filters that an expression may use after a bar, with their parameters."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from diglot.diagnostics import did_you_mean
from diglot.expressions import number_formats
from diglot.expressions.arithmetic import MOST_DIGITS, Number, as_decimal, checked, is_number, total
from diglot.expressions.figure_values import Items, Record, has_several_values, reached
from diglot.expressions.mistakes import ValueMistake, no_such_format, shortened, shown, too_much
from diglot.expressions.number_formats import decimals_checked, number_checked, vanished, without_noise
from diglot.languages import Language, exact_number, join_interval
from diglot.years import Year

MOST_CHARACTERS = 10_000
"""Characters of a text in an expression, or of one that it produces."""


class Filter(NamedTuple):
    """The function of a filter, and the names of its parameters after the value."""

    apply: Callable[..., Any]
    parameters: tuple[str, ...] = ()


def filters_for(language: Language) -> Mapping[str, Filter]:
    """All filters by name."""
    return {
        "abs": Filter(_absolute),
        "first": Filter(partial(_item, 0, "first")),
        "float": Filter(_decimal),
        "int": Filter(_whole),
        "interval": Filter(partial(_interval, language), ("digits",)),
        "join": Filter(_joined, ("between",)),
        "large": Filter(partial(_large, language), ("digits",)),
        "last": Filter(partial(_item, -1, "last")),
        "length": Filter(_length),
        "max": Filter(partial(_extreme, max, "max")),
        "min": Filter(partial(_extreme, min, "min")),
        "number": Filter(number_formats.as_number, ("digits",)),
        "percent": Filter(number_formats.as_percent, ("digits",)),
        "plain": Filter(number_formats.as_name),
        "round": Filter(_rounded, ("precision", "method")),
        "si": Filter(number_formats.with_prefix, ("unit", "digits")),
        "sum": Filter(_sum),
        "unit": Filter(number_formats.in_unit, ("unit", "digits")),
        "upper": Filter(_upper),
        "within": Filter(_is_within, ("tolerance", "of")),
    }


def filtered(
    filters: Mapping[str, Filter],
    name: str,
    value: Any,
    arguments: Sequence[Any],
    named: Sequence[tuple[str, Any]],
) -> Any:
    """The result of a filter. Raises ValueMistake."""
    found = filters.get(name)
    if found is None:
        raise ValueMistake(
            "value-syntax",
            f'there is no filter named "{shortened(name)}"',
            did_you_mean(shortened(name), filters),
        )
    given = dict(zip(found.parameters, arguments, strict=False))
    odd = [
        key
        for n, (key, _) in enumerate(named)
        if key not in found.parameters or key in given or key in dict(named[:n])
    ]
    if odd or len(arguments) > len(found.parameters):
        takes = ", ".join(found.parameters) or "nothing"
        raise no_such_format(
            f"`| {name}` does not take this argument"
            + (f", {shortened(odd[0])}" if odd else f": {len(arguments)} of them"),
            f"it takes {takes}.",
        )
    given |= dict(named)
    if name == "within" and len(given) < len(found.parameters):
        fix = f"write it as in `{_WITHIN}`."
        raise no_such_format("`| within` needs a tolerance and a value to compare with", fix)
    if name in ("si", "unit") and "unit" not in given:
        raise no_such_format(f"`| {name}` needs a unit", f'write it as in `| {name}("B/s")`.')
    return found.apply(value, **given)


def plain_text(value: Any, what: str) -> str:
    """A value without a format as text. Raises ValueMistake.

    A number has all its digits but those that only rounding of binary fractions left: `0.3`, not
    `0.30000000000000004`. A year has no groups of digits.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        number = checked(value)
        return str(int(number)) if isinstance(number, Year) else exact_number(without_noise(number))
    if isinstance(value, str):
        return text_checked(value)
    if isinstance(value, Record):
        raise has_several_values(value)
    if isinstance(value, Items):
        raise no_such_format(
            f"{shortened(value.path)} is a list of {len(value)} items",
            f"choose one, as in `{shortened(value.path)}[0]`, or their `| max`.",
        )
    raise no_such_format(
        f"{what} gives {shown(value)}, which cannot be shown as text", "use a number or a text."
    )


def text_checked(text: str) -> str:
    """The text itself. Raises ValueMistake where it is too long for a value in prose."""
    if len(text) > MOST_CHARACTERS:
        raise too_much(
            f"a text in it has {len(text):,} characters; at most {MOST_CHARACTERS:,} are allowed",
            "use a shorter text.",
        )
    return text


def _absolute(value: Any) -> Number:
    return abs(number_checked(value, "abs"))


def _large(language: Language, value: Any, digits: Any = 1) -> str:
    return number_formats.in_words(value, digits, language)


def _interval(language: Language, value: Any, digits: Any = 0) -> str:
    """An estimate, such as `diglot.hardware` gives, with its interval. Raises ValueMistake."""
    if not isinstance(value, Record) or not {"value", "low", "high"} <= set(value):
        raise no_such_format(
            f"`| interval` needs an estimate, but {shown(value)} has no value, low and high",
            "let `compute` return an `Estimate`, or a mapping with these three numbers.",
        )
    texts = [number_formats.as_number(value[name], digits) for name in ("value", "low", "high")]
    return join_interval(*texts, language=language, is_far=value.get("basis") == "far")


_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def _whole(value: Any) -> int:
    """The whole part of a number, or the whole number in a text. Raises ValueMistake."""
    if isinstance(value, str):
        if _WHOLE.fullmatch(value.strip()) and len(value.strip()) <= MOST_DIGITS:
            return int(value)
        raise no_such_format(f"`| int` cannot read {shown(value)}", "give it a whole number.")
    number = number_checked(value, "int")
    whole = int(number)
    if not whole and number:
        raise vanished(number, "int", "leave it out, or use `| number` with enough digits.")
    return whole


def _decimal(value: Any) -> float:
    """A number as a float, or the number in a text. Raises ValueMistake."""
    if not isinstance(value, str):
        return as_decimal(number_checked(value, "float"))
    text = value.strip()
    if not _DECIMAL.fullmatch(text) or len(text) > MOST_DIGITS:
        raise no_such_format(f"`| float` cannot read {shown(value)}", "give it a number.")
    if _WHOLE.fullmatch(text):
        return as_decimal(int(text))
    number = float(checked(float(text)))
    if not number and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise too_much(f"{shortened(text)} is too small to be distinguished from 0")
    return number


def _rounded(value: Any, precision: Any = 0, method: Any = "common") -> Number:
    """A number rounded half to even by its exact value; `floor` and `ceil` use its decimal digits.

    For these, 1.1 is 1.1 and not the 1.100000000000000088… that a float holds, so its ceiling to one digit is
    not 1.2.
    """
    number = number_checked(value, "round")
    digits = decimals_checked(precision, "round", least=-number_formats.MOST_DECIMALS)
    match method:
        case "common":
            rounded = round(number, digits)
        case "floor" | "ceil":
            from fractions import Fraction  # noqa: PLC0415  (few builds need it)

            power = Fraction(10) ** digits
            exact = Fraction(repr(number) if isinstance(number, float) else number) * power
            shifted = (math.floor if method == "floor" else math.ceil)(exact) / power
            rounded = float(shifted) if isinstance(number, float) else int(shifted)
        case _:
            raise no_such_format(f"`| round` has no method {shown(method)}", "use common, floor or ceil.")
    if number and not rounded:
        raise vanished(number, f"round({digits})", "round it to more digits, or do not round it.")
    return checked(rounded)


def _list(value: Any, name: str, *, empty: bool = False) -> Sequence[Any]:
    if not isinstance(value, Items):
        raise no_such_format(
            f"`| {name}` needs a list, but {shown(value)} is not a list", "put a list before the bar."
        )
    if not value.values and not empty:
        raise no_such_format(
            f"`| {name}` needs at least one item, but {shortened(value.path)} is empty", "correct the figure."
        )
    return value.values


def _item(index: int, name: str, value: Any) -> Any:
    _list(value, name)
    return value[index]


def _length(value: Any) -> int:
    if isinstance(value, str | Items | Record):
        return len(value)
    raise no_such_format(f"{shown(value)} has no length", "use a list or a text.")


def _numbers(value: Any, name: str) -> list[Any]:
    """The items of a list of numbers. Raises ValueMistake for other lists and values."""
    values = list(_list(value, name, empty=name == "sum"))
    if not set(map(type, values)) <= {int, float}:
        odd = next(one for one in values if not is_number(one))
        raise no_such_format(
            f"`| {name}` needs a list of numbers, but {shown(odd)} is not a number", "leave it out."
        )
    if not all(map(_is_finite, values)):
        raise no_such_format(
            f"`| {name}` needs finite numbers, and the list has one that is not finite", "correct the figure."
        )
    return values


def _is_finite(value: Number) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def _extreme(choose: Callable[..., Any], name: str, value: Any) -> Any:
    values = _list(value, name)
    if all(isinstance(one, str) for one in values):
        return choose(values)
    return reached(choose(_numbers(value, name)), value.path)


def _sum(value: Any) -> Number:
    return total(_numbers(value, "sum"))


def _joined(value: Any, between: Any = "") -> str:
    if not isinstance(between, str):
        raise no_such_format(
            f"`| join` needs a text to put between items, but {shown(between)} is not a text",
            "put it in quotes.",
        )
    parts: list[str] = []
    length = 0
    for item in _list(value, "join", empty=True) and value:
        parts.append(plain_text(item, "an item of the list"))
        length += len(parts[-1]) + len(between)
        if length - len(between) > MOST_CHARACTERS:
            raise too_much(
                f"the joined list has more than {MOST_CHARACTERS:,} characters", "join only a part of it."
            )
    return between.join(parts)


def _upper(value: Any) -> str:
    if not isinstance(value, str):
        raise no_such_format(f"`| upper` needs a text, but {shown(value)} is not a text", "use a text.")
    return text_checked(value).upper()


_WITHIN = 'a.time_s | within("5%", of=b.time_s)'
_PERCENTAGE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?%")


def _is_within(value: Any, tolerance: Any, of: Any) -> bool:
    """Whether a number differs from another one by at most a percentage of it. Raises ValueMistake."""
    from fractions import Fraction  # noqa: PLC0415  (takes 5 ms, which only such assertions pay)

    found = _PERCENTAGE.fullmatch(tolerance.strip()) if isinstance(tolerance, str) else None
    if found is None:
        raise no_such_format(
            f"{shown(tolerance)} is not a tolerance", f"write a percentage in quotes, as in `{_WITHIN}`."
        )
    number, other = Fraction(number_checked(value, "within")), Fraction(number_checked(of, "within"))
    return abs(number - other) <= Fraction(found[1]) / 100 * abs(other)
