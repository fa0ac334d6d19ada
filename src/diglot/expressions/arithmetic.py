"""Arithmetic with values of figures: the result is correct, or it is refused.

It follows Python except that whole numbers and floats are combined by their exact values (Python would first
round whole numbers to 16 digits), that no result becomes 0 or infinite because it is too small or too large,
and that no operation starts whose result would have more digits than are allowed.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

from diglot.expressions.mistakes import no_such_format, shown, too_much

MOST_DIGITS = 4300
"""Digits of a whole number; Python converts no longer ones from or to text."""
_TOO_LARGE = 10**MOST_DIGITS
_MOST_BITS = _TOO_LARGE.bit_length()
_EXACT_IN_FLOAT = 2**53
"""Whole numbers up to this one are exact as floats."""
_LEAST_EXPONENT = -1075
"""The largest exponent for which a power of two is rounded to 0."""

Number = int | float


def is_number(value: object) -> bool:
    """Whether arithmetic accepts a value; truth values are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def computed(name: str, left: Any, right: Any) -> Any:
    """Result of `left + right` and similar operations; `+` also joins texts. Raises ValueMistake."""
    if name == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    for operand in (left, right):
        if not is_number(operand):
            raise no_such_format(
                f"`{name}` needs numbers, but {shown(operand)} is not a number",
                "combine single numbers, or join texts with `~`.",
            )
    try:
        return checked(_OPERATIONS[name](left, right))
    except ZeroDivisionError:
        raise no_such_format(
            f"division by zero in {_term(left, name, right)}",
            "divide by another number; if the zero is a figure's value, correct the figure.",
        ) from None
    except OverflowError:
        raise _grows(left, name, right) from None


def negated(value: Any) -> Number:
    """The value with the opposite sign. Raises ValueMistake."""
    if not is_number(value):
        raise no_such_format(f"`-` needs a number, but {shown(value)} is not a number", "use a number.")
    return -value  # type: ignore[no-any-return]  # is_number has checked it


def checked(value: Number) -> Number:
    """The number itself where it is finite and not too long. Raises ValueMistake for others."""
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise too_much("a number in it becomes too large for a number with decimals")
    if -_TOO_LARGE < value < _TOO_LARGE:
        return value
    raise too_much(f"a number in it has more than {MOST_DIGITS:,} digits")


def as_decimal(value: Number) -> float:
    """The same number as a float. Raises ValueMistake where a float cannot represent it."""
    try:
        same = float(value)
    except OverflowError:
        same = math.inf
    if same != value:
        raise no_such_format(
            f"{shown(value)} has more digits than a number with decimals can have",
            "compute it in the figure.",
        )
    return same


def total(values: list[Any]) -> Number:
    """The sum of numbers, rounded once. Raises ValueMistake."""
    if all(isinstance(value, int) for value in values):
        return checked(sum(values))
    try:
        if all(isinstance(value, float) or abs(value) <= _EXACT_IN_FLOAT for value in values):
            return checked(math.fsum(values))
    except OverflowError:
        pass  # an intermediate sum; the final one may be smaller
    try:
        return checked(_nearest(sum(map(_exactly, values))))
    except OverflowError:
        raise too_much("the sum is too large for a number with decimals") from None


def _exactly(value: Number) -> Any:
    from fractions import Fraction  # noqa: PLC0415  (takes 5 ms, which only such numbers pay)

    return Fraction(value)


def _mixed(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The operation, by exact values where a float meets a whole number too long to be exact as one."""

    def compute(left: Any, right: Any) -> Any:
        if isinstance(left, float) == isinstance(right, float) or _is_short(left, right):
            return operation(left, right)
        return _nearest(operation(_exactly(left), _exactly(right)))

    return compute


def _is_short(left: Any, right: Any) -> bool:
    """Whether both numbers are exact as floats."""
    return all(isinstance(one, float) or abs(one) <= _EXACT_IN_FLOAT for one in (left, right))


def _nearest(exact: Any) -> Number:
    """A fraction as a float; whole numbers with more digits than a float holds stay whole."""
    if exact.denominator == 1 and abs(exact) > _EXACT_IN_FLOAT:
        return int(exact)
    return float(exact)


def _times(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        if left.bit_length() + right.bit_length() > _MOST_BITS + 1:
            raise OverflowError
        return left * right
    return _not_vanished(_mixed(operator.mul)(left, right), left and right, left, "*", right)


def _divided(left: Any, right: Any) -> Any:
    if _is_short(left, right):
        return _not_vanished(left / right, left, left, "/", right)
    return _not_vanished(_nearest(_exactly(left) / _exactly(right)), left, left, "/", right)


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent >= 0:
            if abs(base) > 1 and (base.bit_length() - 1) * exponent > _MOST_BITS:
                raise OverflowError
            return base**exponent
        return _small_power(base, exponent)
    base, exponent = as_decimal(base), as_decimal(exponent)
    if base < 0 and not exponent.is_integer():
        raise no_such_format(
            f"{_term(base, '**', exponent)} is not a real number", "take the power of a number above 0."
        )
    return _not_vanished(math.pow(base, exponent) if base else base**exponent, base, base, "**", exponent)


def _small_power(base: int, exponent: int) -> Any:
    """A whole number to the power of a negative one."""
    if base in (0, 1, -1):
        return float(base) ** (-1 if exponent % 2 else -2)
    if (base.bit_length() - 1) * exponent < _LEAST_EXPONENT:
        raise _vanishes(base, "**", exponent)
    return _not_vanished(1 / base**-exponent, base, base, "**", exponent)


def _not_vanished(result: Any, unless: Any, left: Any, name: str, right: Any) -> Any:
    if result == 0 and unless:
        raise _vanishes(left, name, right)
    return result


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": _mixed(operator.add),
    "-": _mixed(operator.sub),
    "*": _times,
    "/": _divided,
    "//": _mixed(operator.floordiv),
    "%": _mixed(operator.mod),
    "**": _power,
}


def _grows(left: Any, name: str, right: Any) -> Exception:
    return too_much(f"{_term(left, name, right)} is too large to be computed")


def _vanishes(left: Any, name: str, right: Any) -> Exception:
    return too_much(f"{_term(left, name, right)} is too small to be distinguished from 0")


def _term(left: Any, name: str, right: Any) -> str:
    return f"{shown(left)} {name} {shown(right)}"
