"""Checks of what holds for any input, also under `python -O`, so that an error of diglot's is caught."""

from typing import TypeVar

_T = TypeVar("_T")


def certain(value: _T | None, why: str) -> _T:
    """The value, which is never None for the reason given. Raises AssertionError if it is None."""
    if value is None:
        raise AssertionError(why)
    return value


def require(holds: bool, why: str) -> None:
    """Raise AssertionError with the reason if an invariant does not hold."""
    if not holds:
        raise AssertionError(why)
