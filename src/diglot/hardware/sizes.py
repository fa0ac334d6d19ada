"""Checks of the sizes and rates that the models take.

A size is a Python integer or an array of integers, at least 1. Python integers stay Python integers, which
cannot overflow; arrays become int64. Formulas use only operators that work the same on both. Single numbers
are checked without NumPy, which takes ten times as long for them: a step of a model checks hundreds.
"""

import math
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, NewType, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    SizeLike: TypeAlias = npt.ArrayLike
else:
    SizeLike = NewType("SizeLike", object)  # its name alone in help(), where NumPy's type takes four lines
"""A size as callers pass it: a whole number of at least 1, or anything NumPy makes an array of them from."""
Size: TypeAlias = "int | npt.NDArray[np.int64]"
"""A checked size: an integer or an array of integers."""
Real: TypeAlias = "float | npt.NDArray[np.floating[Any]]"
"""A quantity that need not be whole, or an array of such quantities."""

LARGEST_SIZE = 2**61
"""Upper limit of sizes, and of products of arrays of sizes, so that a sum of three of them fits 64 bits."""


def check_size(name: str, value: Any, *, least: int = 1) -> Size:
    """`value` as an integer, or as an int64 array where it is an array.

    Accepts floats without a fraction, since np.linspace and JSON produce them.
    Raises ValueError where any entry is below `least`, fractional, not a finite number, or at least 2**61.
    """
    if type(value) is int and least <= value < LARGEST_SIZE:
        return value
    array = np.asarray(value)
    whole = array.dtype.kind in "iu" or (array.dtype.kind == "f" and bool(np.all(array == np.floor(array))))
    if not whole:
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if array.size and array.min() < least:
        raise ValueError(f"{name} must be at least {least}, not {value!r}")
    if array.size and array.max() >= LARGEST_SIZE:
        raise ValueError(f"{name} must be below 2**61, not {value!r}")
    return int(value) if array.ndim == 0 else array.astype(np.int64)


def check_rate(name: str, value: Any) -> Real:
    """`value` as a float, or as a float64 array where it is an array.

    Raises ValueError where any entry is not above zero or not finite.
    """
    if type(value) is float and 0 < value < math.inf:
        return value
    array = _to_floats(name, value)
    if not np.all(np.isfinite(array)) or np.any(array <= 0):
        raise ValueError(f"{name} must be finite and above zero, not {value!r}")
    return float(array) if array.ndim == 0 else array


def check_amount(name: str, value: Any) -> Real:
    """`value` as a float, or as a float64 array where it is an array; zero is allowed.

    Raises ValueError where any entry is negative or not finite.
    """
    if type(value) is float and 0 <= value < math.inf:
        return value
    array = _to_floats(name, value)
    if not np.all(np.isfinite(array)) or np.any(array < 0):
        raise ValueError(f"{name} must be finite and not negative, not {value!r}")
    return float(array) if array.ndim == 0 else array


def check_share(name: str, value: Any, *, zero: bool = True, one: bool = True) -> Real:
    """`value` as a float, or as a float64 array where it is an array; from 0 to 1.

    `zero` and `one` say whether the ends are allowed. Raises ValueError where any entry is outside that range
    or not a number.
    """
    if type(value) is float and 0 < value < 1:
        return value
    array = _to_floats(name, value)
    above = array >= 0 if zero else array > 0
    if not np.all(above & (array <= 1 if one else array < 1)):
        low, high = "from 0" if zero else "above 0", "1" if one else "below 1"
        joined = "to" if zero else "and at most" if one else "and"
        raise ValueError(f"{name} must be {low} {joined} {high}, not {value!r}")
    return float(array) if array.ndim == 0 else array


def check_overhead(name: str, value: Any) -> float:
    """A ratio that only adds, such as that of a building's power to its computers': finite, at least 1.

    Raises ValueError for any other.
    """
    ratio = _to_floats(name, value)
    if ratio.ndim or not 1 <= ratio < math.inf:
        raise ValueError(f"{name} must be at least 1, not {value!r}")
    return float(ratio)


def check_choice(name: str, value: object, known: Collection[str]) -> None:
    """Raise ValueError where `value` is not one of the `known` words."""
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")


def check_products_fit(*sizes: Size) -> None:
    """Raise ValueError for arrays whose product would overflow 64 bits: a wrapped count looks plausible.

    Python integers alone never overflow.
    """
    if any(isinstance(size, np.ndarray) for size in sizes):
        # The product of the maxima bounds all products, rarely reaches the limit, and is much cheaper.
        if math.prod(float(np.max(size)) for size in sizes) < LARGEST_SIZE:
            return
        product: Any = 1.0
        for size in sizes:
            product = product * np.asarray(size, dtype=np.float64)
        if np.any(product >= LARGEST_SIZE):
            raise ValueError("sizes are too large: their product does not fit into 64 bits")


def divide_up(numerator: Size, denominator: Size) -> Size:
    """Quotient rounded up."""
    return -(-numerator // denominator)


def to_float(size: Size) -> Real:
    """A size as a float: exact up to 2**53; products of floats cannot wrap around."""
    return size.astype(np.float64) if isinstance(size, np.ndarray) else float(size)


def add_up(values: Iterable[Real]) -> Real:
    """Sum of numbers and arrays, which broadcast; 0.0 where there are none.

    Python's own `sum` is fine for sizes. For floats it compensates rounding errors from Python 3.12 on, so
    that results would depend on the version.
    """
    total: Real = 0.0
    for value in values:
        total = total + value
    return total


def to_plain_float(value: Any) -> Real:
    """A NumPy scalar as a Python float; an array unchanged."""
    if type(value) is float:
        return value
    return float(value) if np.ndim(value) == 0 else value


def to_plain_int(value: Any) -> Size:
    """A NumPy scalar as a Python integer; an array unchanged."""
    return int(value) if np.ndim(value) == 0 else value


def _to_floats(name: str, value: Any) -> npt.NDArray[np.float64]:
    """`value` as an array. Raises ValueError for texts and other things that are no numbers."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number or an array of numbers, not {value!r}") from None
